"""Values as a notebook shows them: small cards in the colours of the page, with every string escaped.

The pieces of cards are made here; `refute.show.notebook` puts together those of cases, verdicts and results.
"""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from fractions import Fraction

import numpy as np
from markupsafe import Markup

from refute.arithmetic.numbers import Array, written
from refute.shown import Shown

MOST_ENTRIES = 64  # of an array that is shown as a table
LONGEST = 300  # characters of one number or word
MOST_CURVES = 12
MOST_POINTS = 400
WIDTH, HEIGHT = 360, 120  # of a plot, in pixels
COLOURS = {
    **dict.fromkeys(("proved", "supported"), "#2a7"),
    **dict.fromkeys(("undecided", "vacuous"), "#b80"),
    "refuted": "#d43",
    "against": "#d72",
    "broken": "#a3a",
}
CURVE_COLOURS = (
    "#4477aa",
    "#ee6677",
    "#228833",
    "#ccbb44",
    "#66ccee",
    "#aa3377",
)  # told apart by colour-blind readers too

NOTHING = Markup("")

Row = tuple[str, object]


def card(title: str, rows: Iterable[Row], below: Markup = NOTHING) -> str:
    """A title, in the colour of the verdict if it is one, over a table of names and values."""
    colour = COLOURS.get(title, "currentColor")
    head = Markup('<div style="font-weight:bold;color:{}">{}</div>').format(colour, title)
    style = Markup('<div style="border-left:4px solid {};padding:2px 0 2px 12px;margin:4px 0;overflow-x:auto">').format(
        colour
    )
    return str(style + head + table(rows) + below + Markup("</div>"))


def table(rows: Iterable[Row]) -> Markup:
    """Names and values, one row each; a value that is no markup yet is shown by `value`."""
    cell = Markup('<td style="text-align:left;vertical-align:top;padding:1px 12px 1px 0;white-space:{}">{}</td>')
    made = [
        Markup("<tr>{}{}</tr>").format(cell.format("nowrap", name), cell.format("pre-wrap", value(shown)))
        for name, shown in rows
    ]
    return Markup('<table style="border:none;margin:0;background:none">{}</table>').format(NOTHING.join(made))


def value(shown: object) -> Markup:
    """A number, a word, an array or a record, as a person would write it."""
    if isinstance(shown, Markup):
        return shown
    if isinstance(shown, np.ndarray):
        return array(shown)
    if isinstance(shown, tuple):
        return table((str(k), entry) for k, entry in enumerate(shown))
    if is_dataclass(shown) and not isinstance(shown, Shown | type):
        return table((each.name, getattr(shown, each.name)) for each in fields(shown))
    return (
        Markup("<code>{}</code>").format(shortened(_words(shown)))
        if isinstance(shown, (Fraction, float))
        else text(str(shown))
    )


def text(words: str) -> Markup:
    return Markup("{}").format(shortened(words))


def shortened(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}... ({len(words)} characters)"


def _words(number: object) -> str:
    return (
        written(number)
        if isinstance(number, Fraction)
        else repr(float(number))
        if isinstance(number, float)
        else str(number)
    )


def array(values: Array) -> Markup:
    """Rows and columns of a vector or matrix; of anything larger only the shape."""
    if values.ndim > 2 or values.size > MOST_ENTRIES or values.size == 0:
        return Markup("an array of shape {}").format(values.shape)
    cell = Markup('<td style="text-align:right;padding:0 6px"><code>{}</code></td>')
    lines = [NOTHING.join(cell.format(shortened(_words(entry))) for entry in row) for row in np.atleast_2d(values)]
    made = NOTHING.join(Markup("<tr>{}</tr>").format(line) for line in lines)
    edges = "border-left:1px solid currentColor;border-right:1px solid currentColor"
    return Markup('<table style="{};margin:2px 0;background:none">{}</table>').format(edges, made)


def curves(x: Array, ys: Array, label: str) -> Markup:
    """A small plot: one line for each column of `ys` (the first dozen) over x, the ranges of both in words."""
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), MOST_POINTS)).astype(int))
    across, up = np.asarray(x, dtype=float)[kept], np.asarray(ys, dtype=float)[kept, :MOST_CURVES]
    up = np.where(np.isfinite(up), up, np.nan)
    if len(kept) < 2 or not np.isfinite(across).all() or np.isnan(up).all():
        return NOTHING
    (left, right), (low, high) = (across[0], across[-1]), (float(np.nanmin(up)), float(np.nanmax(up)))
    wide, tall = (right - left) or 1.0, (high - low) or 1.0
    drawn = [
        Markup('<polyline points="{}" fill="none" stroke="{}" stroke-width="1.5"/>').format(
            " ".join(
                f"{(a - left) / wide * WIDTH:.1f},{HEIGHT - (b - low) / tall * HEIGHT:.1f}"
                for a, b in zip(across, column, strict=True)
                if np.isfinite(b)
            ),
            CURVE_COLOURS[k % len(CURVE_COLOURS)],
        )
        for k, column in enumerate(up.T)
    ]
    frame = Markup(
        '<svg role="img" aria-label="{}" width="{}" height="{}" viewBox="-2 -2 {} {}" style="border:1px solid '
        'currentColor">'
    )
    caption = f"{label}: from {low:.4g} to {high:.4g}, over t from {left:.4g} to {right:.4g}"
    more = f" (the first {MOST_CURVES} of {np.shape(ys)[1]})" if np.shape(ys)[1] > MOST_CURVES else ""
    picture = (
        frame.format(caption, WIDTH + 4, HEIGHT + 4, WIDTH + 4, HEIGHT + 4) + NOTHING.join(drawn) + Markup("</svg>")
    )
    return Markup("<div>{}<div>{}</div></div>").format(picture, caption + more)
