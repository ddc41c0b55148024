"""The weights of a two-layer network and the linear system of the early phase in symbols (sympy)."""

from typing import Any


def weights(dimension: int, width: int) -> tuple[Any, Any]:
    """W1 (width x dimension) and W2 (1 x width)."""
    import sympy

    rows = sympy.Matrix(width, dimension, lambda h, d: sympy.Symbol(f"w{h}{d}", real=True))
    return rows, sympy.Matrix(1, width, lambda _, h: sympy.Symbol(f"v{h}", real=True))


def arrow(column: Any) -> Any:
    """M = [[0, beta], [beta^T, 0]]."""
    import sympy

    return sympy.Matrix.vstack(
        sympy.Matrix.hstack(sympy.zeros(column.rows), column), sympy.Matrix.hstack(column.T, sympy.zeros(1))
    )


def solution() -> dict[str, Any]:
    """The three terms of Eq. (23) at e^{kt} = E, k = (alpha + 1) s / (2 tau), with their symbols.

    Then d/dt is k E d/dE, and t = 0 is E = 1. The unit vector is any one of the plane but one, by stereographic
    projection.
    """
    import sympy

    first, second = weights(2, 1)
    p, E, one = sympy.Symbol("p", real=True), sympy.Symbol("E", positive=True), sympy.eye(1)
    unit = sympy.Matrix([2 * p, p**2 - 1]) / (p**2 + 1)
    up, down = (unit.T * first.T + second) / 2, (unit.T * first.T - second) / 2
    return {
        "growing": E * unit.col_join(one) * up,
        "decaying": unit.col_join(-one) * down / E,
        "resting": ((sympy.eye(2) - unit * unit.T) * first.T).col_join(sympy.zeros(1)),
        "start": first.T.col_join(second),
        "r1": up.T,
        "unit": unit,
        "E": E,
    }
