"""What a notebook shows as a card rather than as text. How a card looks is known to `refute.show` alone."""

from typing import Any


class Shown:
    """Shows itself in a notebook; a terminal, which has no HTML, gets `str(self)`."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        # In the class itself: IPython takes the `__repr__` of a class before what its bases have.
        cls._repr_pretty_ = _as_text  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        from refute.show.notebook import html

        return html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        raise NotImplementedError


def _as_text(self: object, printer: Any, cycle: bool) -> None:
    printer.text(str(self))
