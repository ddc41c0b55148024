"""How far a dataset or a network is from a symmetry, as a number that is zero exactly when it has it."""

from collections import Counter, defaultdict

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, squared_norm


def row_words(rows: Array) -> list[tuple[str, ...]]:
    """The rows as words, equal where the rows are: words hash far faster than fractions."""
    return [tuple(map(str, row)) for row in (rows if rows.dtype == object else rows + 0.0)]  # -0.0 + 0.0 = 0.0


def mirrored(row: tuple[str, ...]) -> tuple[str, ...]:
    """The words of -x from those of x."""
    return tuple(word if word in ("0", "0.0") else word[1:] if word[0] == "-" else "-" + word for word in row)


def evenness_defect(inputs: Array) -> int:
    """Largest |count(x) - count(-x)| over the inputs: zero when the empirical law is even."""
    count = Counter(row_words(inputs))
    return max(abs(count[row] - count[mirrored(row)]) for row in list(count))


def oddness_defect(inputs: Array, labels: Array) -> Number:
    """Largest violation of y(-x) = -y(x), and of y being a function of x, over the samples."""
    rows = row_words(inputs)
    by_input: dict[tuple[str, ...], list[Number]] = defaultdict(list)
    for row, label in zip(rows, labels, strict=True):
        by_input[row].append(label)
    defect: Number = 0
    for row in rows:
        same, opposite = by_input[row], by_input.get(mirrored(row), [])
        defect = max(defect, max(same) - min(same), *(absolute(own + other) for own in same for other in opposite))
    return defect


def rank_one_defects(inner: Array, outer: Array) -> tuple[Number, Number]:
    """Distance of W1 from W2^T r^T with r = W1^T W2 / |W2|^2 (largest entry), and | |r|^2 - 1 |.

    With W2 = 0 the condition asks W1 = 0, and any unit r will do.
    """
    size = squared_norm(outer)
    if size == 0:
        return largest(absolute(inner)), size
    direction = outer @ inner / size
    return largest(absolute(inner - outer[:, None] * direction[None, :])), absolute(squared_norm(direction) - 1)


def sign_imbalance(outer: Array) -> Number:
    """|W2+|^2 - |W2-|^2, in size: zero when positive and negative entries have equal norm."""
    return absolute(sum((value * absolute(value) for value in outer), outer[0] * 0))
