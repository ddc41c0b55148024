r"""Eqs. (21), (22): the linear system of the early phase as one matrix, and its spectrum."""

from typing import Any

from refute import Kind, mutants, scaled, section
from refute.models.zhang2024.symbols import arrow, weights

equations = section("zhang2024", kind=Kind.SYMBOLIC, recorded="proved", mutants=[scaled("99/100")])


@equations.claim("eq_21_22.linear_system", "Eqs. (21), (22)")
@mutants(scaled("99/100", "first"), scaled("99/100", "second"))
def layers_stack_to_one_linear_system() -> Any:
    r"""$\tau\dot{\tilde W}_1=\tfrac{\alpha+1}2\tilde W_2^\top\beta^\top$,
    $\tau\dot{\tilde W}_2=\tfrac{\alpha+1}2\beta^\top\tilde W_1^\top$ are
    $\tau\frac d{dt}\tilde W=\tfrac{\alpha+1}2M\tilde W$ with $M=\begin{bmatrix}0&\beta\\\beta^\top&0\end{bmatrix}$ and
    $\tilde W=\begin{bmatrix}\tilde W_1^\top\\\tilde W_2\end{bmatrix}$.

    Convention: three input dimensions and two neurons with symbolic entries; each entry of the block product is one
    term in any size.
    """
    import sympy

    first, second = weights(3, 2)
    beta = sympy.Matrix(sympy.symbols("b0:3", real=True))
    half = (sympy.Symbol("alpha", nonnegative=True) + 1) / 2
    moved = half * arrow(beta) * sympy.Matrix.vstack(first.T, second)
    return {
        "first layer": (moved[:-1, :], (half * second.T * beta.T).T),
        "second layer": (moved[-1, :], half * beta.T * first.T),
    }


@equations.claim("eq_22.spectrum", "text before Eq. (23)")
def the_system_matrix_has_two_nonzero_eigenvalues() -> Any:
    r"""$\det(\lambda I-M)=\lambda^{D-1}(\lambda^2-s^2)$: exactly two nonzero eigenvalues, $\pm s$, when $s>0$; and
    $\|M\|^2=2s^2$.

    In every dimension this is the Schur complement of $\lambda I$, $\lambda^D(\lambda-\beta^\top\beta/\lambda)$; for
    D = 1, 2, 3 the determinant is computed.
    """
    import sympy

    x, s, size = sympy.Symbol("x"), sympy.Symbol("s", positive=True), sympy.Symbol("D", integer=True)
    lines = {"any D": (x**size * (x - s**2 / x), x ** (size - 1) * (x**2 - s**2))}
    for dimension in (1, 2, 3):
        beta = sympy.Matrix(sympy.symbols(f"b0:{dimension}", real=True))
        M, square = arrow(beta), beta.dot(beta)
        lines[f"D = {dimension}"] = M.charpoly(x).as_expr(), sympy.expand(x ** (dimension - 1) * (x**2 - square))
        lines[f"squared norm, D = {dimension}"] = sum(entry**2 for entry in M), 2 * square
    return lines
