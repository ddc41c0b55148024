"""Elements of an SVG drawing as escaped text. Colours are classes of the style sheet, so that drawings follow light and
dark.
"""

from markupsafe import Markup

Value = str | int | float


def element(name: str, *children: Markup | str, **attributes: Value) -> Markup:
    """`class_` stands for class; other underscores are hyphens."""
    written = Markup("").join(
        Markup(' {}="{}"').format(_attribute(key), _written(value)) for key, value in attributes.items()
    )
    return Markup("<{}{}>{}</{}>").format(Markup(name), written, Markup("").join(children), Markup(name))


def _attribute(key: str) -> Markup:
    return Markup("viewBox" if key == "viewBox" else key.rstrip("_").replace("_", "-"))


def _written(value: Value) -> str:
    return f"{round(value, 2) + 0.0:g}" if isinstance(value, float) else str(value)


def picture(width: float, height: float, label: str, *children: Markup, class_: str = "picture") -> Markup:
    """A drawing with its text alternative; it shrinks with the page."""
    size = f"0 0 {_written(float(width))} {_written(float(height))}"
    return element(
        "svg",
        *children,
        class_=class_,
        viewBox=size,
        width=float(width),
        height=float(height),
        role="img",
        aria_label=label,
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_)


def text(x: float, y: float, words: str, class_: str = "label", anchor: str = "middle") -> Markup:
    return element("text", words, x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def path(points: list[tuple[float, float]], class_: str, closed: bool = False) -> Markup:
    drawn = " L".join(f"{_written(float(x))} {_written(float(y))}" for x, y in points)
    return element("path", d=f"M{drawn}{'Z' if closed else ''}", class_=class_)
