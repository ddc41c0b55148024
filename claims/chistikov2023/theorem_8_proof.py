r"""Proofs around Theorem 8, for every number of points and every width.

With $\rho_k=\chi_k^\top v^*$ a neuron $u=p-q$, $p=\sum_+u^\top x_i\,\chi_i$, contributes
$\sum_i\rho_i\sigma(u^\top x_i)=v^{*\top}p$, its pull. In scalars, with $\|p\|=1$: $a=v^{*\top}p$, $b=p^\top q$ and
$r=\|q\|$, so that $\cos\angle(p,q)=b/r$ and $\sin^2\angle(p,v^*)=1-a^2$.
"""

from typing import Any

from refute.claims.chistikov2023.setting import homogeneity_proof
from refute.decide.proof import by_smt, in_words, steps


def pulls_are_short() -> str | None:
    """M < 0: no neuron pulls by more than its length."""
    import z3

    def statement() -> Any:
        a, b, r = z3.Reals("a b r")
        below = z3.Or(b <= 0, b * b < r * r * (1 - a * a))  # cos(p, q) < sin(p, v*)
        return z3.Implies(z3.And(r > 0, a * a <= 1, below), a * a < 1 - 2 * b + r * r)

    return steps(
        by_smt(statement, "cos(p, q) < sin(p, v*) makes <v*, p>^2 < |p - q|^2"),
        in_words("for q = 0 the pull is <v*, u> <= |u|, with equality only for u = c v*, c >= 0; for p = 0 it is 0"),
    )


def some_exchange_pulls_more() -> str | None:
    """M > 0: for some t > 0, |p - t q| < |<v*, p>|."""
    import z3

    def statement() -> Any:
        a, b, r, t = z3.Reals("a b r t")
        above = z3.And(b > 0, b * b > r * r * (1 - a * a), a * a <= 1)  # cos(p, q) > sin(p, v*)
        return z3.Implies(z3.And(r > 0, above, t * r * r == b), z3.And(t > 0, 1 - 2 * t * b + t * t * r * r < a * a))

    return by_smt(statement, "cos(p, q) > sin(p, v*) makes |p - t q|^2 < <v*, p>^2 for t = <p, q>/|q|^2")


def _costs_are_pulls() -> str | None:
    import z3

    def statement() -> Any:
        outer, size, pull = z3.Reals("outer size pull")
        bound, cost = 2 * outer * pull, outer * outer + size * size
        same = z3.And(outer * outer == size * size, outer * pull == size * size)
        known = z3.And(size >= 0, pull <= size, pull >= -size)
        return z3.Implies(known, z3.And(cost >= bound, z3.Implies(cost == bound, same)))

    return by_smt(statement, "a^2 + |w|^2 >= 2 a pull(w) where |pull(w)| <= |w|, with equality only if |a| = |w|")


def theta_is_minimal() -> str | None:
    """Theorem 8 (i)."""
    return steps(
        pulls_are_short(),
        _costs_are_pulls(),
        in_words("the pulls of a network that fits add up to <rho, y> = |v*|^2 = 1, since X^{-1} X = I"),
        in_words("so |theta|^2 >= 2, with equality only if w_j = c_j v*, a_j = c_j >= 0 and sum c_j^2 = 1"),
        homogeneity_proof(),
    )


def _the_exchange_is_cheaper() -> str | None:
    import z3

    def statement() -> Any:
        a, c, xi, n = z3.Reals("a c xi n")
        small = z3.And(c >= 0, c < a, a <= 1, xi > 0, xi < 2 * (a - c), n >= 0, n * n == 1 - 2 * xi * a + xi * xi)
        return z3.Implies(small, n + xi * c < 1)

    return by_smt(statement, "|v* - xi p| + xi |p - t q| < 1 for 0 < xi < 2 (<v*, p> - |p - t q|)")


def _the_exchange_fits() -> str | None:
    import z3

    def statement() -> Any:
        y, p, q, xi = z3.Reals("y p q xi")

        def sigma(value: Any) -> Any:
            return z3.If(value > 0, value, 0)

        shared, silent = z3.And(p >= 0, q == 0, xi * p <= y), z3.And(p == 0, q >= 0)
        added = sigma(y - xi * p) + sigma(xi * (p - q)) == y
        taken = sigma(y + xi * p) - sigma(xi * (p - q)) == y
        return z3.Implies(z3.And(y > 0, xi > 0, z3.Or(shared, silent)), z3.And(added, taken))

    return by_smt(statement, "v* - xi p and xi (p - t q), or with the other signs, have the label on every point")


def something_is_cheaper() -> str | None:
    """Theorem 8 (ii)."""
    return steps(
        some_exchange_pulls_more(),
        _the_exchange_fits(),
        _the_exchange_is_cheaper(),
        in_words("balanced, two neurons cost 2 |u_1| + 2 |u_2|; if <v*, p> < 0 the signs change"),
    )


def dichotomy() -> str | None:
    """Both parts; no more than positive labels is asked of the angles."""
    return steps(theta_is_minimal(), something_is_cheaper())


def sign_of_m_is_that_of_v_minus_one() -> str | None:
    """M and V - 1 have one sign: V = max |<v*, p>|/|p - q| over the same p and q."""
    return steps(
        pulls_are_short(),
        some_exchange_pulls_more(),
        in_words("both are maxima over compact sets of directions, and M = 0 is excluded"),
    )


def no_acute_pair_of_generators() -> str | None:
    """M < 0 where no two of the chi_k make an acute angle."""
    import z3

    def statement() -> Any:
        first, second, product = z3.Reals("first second product")
        return z3.Implies(z3.And(first >= 0, second >= 0, product <= 0), first * second * product <= 0)

    return steps(
        by_smt(statement, "every term of <p, q> is a product of two coefficients and <chi_k, chi_l>"),
        in_words("so cos(p, q) <= 0; and sin(p, v*) > 0, as <p, x_i> = 0 < <v*, x_i> for some i"),
    )
