"""What can go wrong, said with the value and what to do about it."""


class RefuteError(Exception):
    """A mistake in the input (not in the engine): the message names the value, the hint the remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.case: object = None  # the case on which it happened, when there is one

    def __str__(self) -> str:
        return f"{self.message}\n\nhint: {self.hint}" if self.hint else self.message


class BadInput(RefuteError):
    """A value that is not a number, not finite, of the wrong shape, or of the wrong type."""


class BadClaim(RefuteError):
    """A claim that cannot be run: wrong signature, duplicate id, a predicate that raises or returns nonsense."""


class UnknownPattern(RefuteError):
    """An id, glob or path that matches no claim."""


class Unreadable(RefuteError):
    """A file that is not what it should be: a certificate, a claims file, a data set."""


class Inexact(ArithmeticError):
    """The result is irrational: the engine repeats the evaluation in ball arithmetic."""


class SignUnknown(ArithmeticError):
    """A ball straddles zero where a sign is needed: the engine repeats with more bits."""


class Diverged(RefuteError):
    """Training left every bounded region before the horizon."""


# What is installed with which extra: `pip install 'refute[train]'`.
EXTRAS = {
    "train": ("llvmlite", "numba", "scipy", "sklearn", "threadpoolctl", "torch"),
    "prove": ("mpmath", "sympy", "z3"),
    "convex": ("clarabel", "cvxpy"),
    "report": ("jinja2", "latex2mathml", "markupsafe", "matplotlib", "mpl_toolkits"),
    "hunt": ("cma",),
    "jobs": ("dask", "distributed", "submitit"),
    "notebook": ("ipykernel", "IPython", "nbclient", "nbformat"),
}


class Missing(RefuteError):
    """A package that is not installed, with the extra that brings it."""


def missing(error: BaseException) -> Missing | None:
    """The message for an import that failed because an extra is not installed; None for anything else."""
    package = (getattr(error, "name", None) or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    extra = next((name for name, packages in EXTRAS.items() if package in packages), None)
    return Missing(f"{package} is not installed", f"pip install 'refute[{extra}]'") if extra else None
