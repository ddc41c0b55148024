r"""Nearly orthogonal data with labels +-1, networks with a second layer +-1/m, and repairs for the conditions of
kou2023.

All numbers are dyadic, so that inner products of weights and inputs are exact in balls. Sample i lies near axis i: x_i
= r_i (e_i + off), with off-axis parts in families by the sign of their overlaps: none, all positive, all negative, y_i
y_k, -y_i y_k, or at random. For off = tau s_i s with a sign vector s, <x_i, x_k> = r_i r_k s_i s_k (2 tau + n tau^2)
exactly.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases, values
from refute.models.dataset import Dataset
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.models.network import TwoLayer, signed_halves
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.numbers import is_array, is_positive
from refute.strategies.retry import patience
from refute.strategies.sizes import Size

FIELDS = ("data", "net", "rate", "scale", "delta", "C")
FAMILIES = ("orthogonal", "positive", "negative", "class", "anti", "random")
LEAKS = tuple(Fraction(s) for s in ("1/2", "7/8", "1/4", "1/8", "1/64"))
CONSTANTS = (100, 100, 1000)
CHANCES = tuple(Fraction(s) for s in ("1/10", "1/2", "1/100", "9/10"))
_RADII = tuple(Fraction(r) for r in ("1", "1", "1", "3/2", "2"))
_UNITS = (Fraction(1), Fraction(1), Fraction(1), Fraction(1, 1024), Fraction(1024))
_SHARES = (Fraction(1), Fraction(1), Fraction(1, 16))
SLOWEST = 64  # a step that much shorter than allowed only takes longer


def dyadic_floor(value: float) -> Fraction:
    """The largest number k 2^e with 8 <= k < 16 that is at most `value` (with room for rounding)."""
    exponent = math.floor(math.log2(value)) - 3
    return Fraction(math.floor(value * (1 - 1e-12) * 2.0**-exponent)) * Fraction(2) ** exponent


def _inputs(draw: DrawFn, n: int, d: int, labels: list[int], family: str) -> Array:
    """Sample i on axis i plus off-axis parts of order one, which `shrink_overlaps` makes small."""
    rows = np.array([[Fraction(int(i == k)) for k in range(d)] for i in range(n)], dtype=object)
    if family == "random":
        rows = rows + np.array(
            [[draw(st.integers(-1, 1)) * int(k < i or k >= n) for k in range(d)] for i in range(n)], dtype=object
        )
    elif family != "orthogonal":
        s = [*(labels if family in ("class", "anti") else [1] * n), *[0] * (d - n)]
        tau = Fraction(1 if family in ("positive", "class") else -1, 4)
        rows = rows + tau * np.array([[s[i] * s[k] for k in range(d)] for i in range(n)], dtype=object)
    radii = np.array([draw(st.sampled_from(_RADII)) for _ in range(n)], dtype=object)
    return np.asarray(rows * radii[:, None] * draw(st.sampled_from(_UNITS)))


@st.composite
def _training(
    draw: DrawFn,
    samples: tuple[int, int],
    widths: Sequence[int],
    extra: int,
    leaks: Sequence[Fraction],
    constants: Sequence[int],
    families: Sequence[str],
) -> dict[str, Any]:
    n, m = draw(st.integers(*samples)), draw(st.sampled_from(widths))
    d = n + draw(st.integers(0, extra))
    labels = [draw(st.sampled_from([1, -1])) for _ in range(n)]
    weights = np.array([[Fraction(draw(st.integers(-3, 3)), 2) for _ in range(d)] for _ in range(2 * m)], dtype=object)
    return {
        "data": Dataset(
            _inputs(draw, n, d, labels, draw(st.sampled_from(families))),
            np.array([Fraction(y) for y in labels], dtype=object),
        ),
        "net": signed_halves(weights[:m], weights[m:], draw(st.sampled_from(leaks))),
        "rate": Fraction(1),
        "scale": Fraction(1),
        "delta": draw(st.sampled_from(CHANCES)),
        "C": draw(st.sampled_from(constants)),
    }


def training(
    *,
    samples: tuple[int, int] = (1, 3),
    widths: Sequence[int] = (1, 2),
    extra: int = 1,
    leaks: Sequence[Fraction] = LEAKS,
    constants: Sequence[int] = CONSTANTS,
    families: Sequence[str] = FAMILIES,
    spread: float | None = None,
) -> Cases:
    """data, net (2m neurons, slope from `leaks`), rate, scale (sigma_0), delta and the constant C; the repairs make it
    admissible.

    `scale` is the unit in which the initial weights are drawn: repairs that shrink it shrink the weights with it.
    R_max^2 is at most `spread` times R_min^2, which is what is drawn unless said otherwise.
    """
    strategy = _training(samples, tuple(widths), extra, tuple(leaks), tuple(constants), tuple(families))
    return _within(strategy, samples[0], leaks, constants, families, spread or 4 * (1 + extra))


def _within(
    strategy: SearchStrategy[dict[str, Any]],
    samples: int,
    slopes: Sequence[Fraction],
    constants: Sequence[int] = (1,),
    families: Sequence[str] = FAMILIES,
    spread: float = math.inf,
    fields: Sequence[str] = FIELDS,
) -> Cases:
    """The strategy with its domain: every slope between the least and the largest, the constants C and the signs of
    overlaps that are drawn, R_max^2 at most `spread` times R_min^2 (constants of the statements may depend on the
    ratio), and steps that are not much shorter than allowed.
    """
    return Cases(
        strategy,
        partial(_domain, min(slopes), max(slopes), tuple(constants), tuple(families), spread, tuple(fields)),
        partial(_nearest, min(slopes), max(slopes)),
        least={"samples": samples, "dimension": 1},
    )


def _domain(
    least: Fraction,
    most: Fraction,
    constants: Sequence[int],
    families: Sequence[str],
    spread: float,
    names: Sequence[str],
    fields: Mapping[str, Any],
) -> dict[str, bool]:
    parts: list[Any] = [fields.get(name) for name in FIELDS]
    data, net, rate, scale, delta, C = parts
    if not isinstance(data, Dataset) or not isinstance(net, TwoLayer) or C not in constants or not is_positive(rate):
        return dict.fromkeys(names, False)
    fits = data.inputs.shape[1] == net.inner.shape[1] and net.width > 0
    if not fits or (spread < math.inf and not all(any(row) for row in data.inputs)):
        return dict.fromkeys(names, False)
    found = {
        "data": _is_signed(data, families) and _is_comparable(data, spread),
        "net": least <= net.slope <= most and _is_dyadic(net.inner),
        "rate": spread == math.inf or rate >= min(1, _largest_rate(data, net, C) / SLOWEST),
        "C": True,
        "scale": is_positive(scale),
        "delta": is_positive(delta) and delta < 1,
    }
    return {name: bool(found[name]) for name in names}


def _is_comparable(data: Dataset, spread: float) -> bool:
    """Whether the inputs are dyadic and their lengths comparable."""
    low, high = squared_radii(data.inputs)
    return _is_dyadic(data.inputs) and bool(spread == math.inf or high <= spread * low)


def _is_signed(data: Dataset, families: Sequence[str]) -> bool:
    """Whether labels are +-1 and the signs of the overlaps are those of one of the families."""
    if any(abs(y) != 1 for y in data.labels):
        return False
    gram = data.inputs @ data.inputs.T
    agree = data.labels[:, None] * data.labels
    signs = {"orthogonal": 0 * gram, "positive": gram, "negative": -gram, "class": agree * gram, "anti": -agree * gram}
    off = [(i, k) for i in range(len(gram)) for k in range(i)]
    known = [
        all(signs[name][i, k] >= 0 if name != "orthogonal" else gram[i, k] == 0 for i, k in off)
        for name in families
        if name in signs
    ]
    return "random" in families or any(known)


def _is_dyadic(values: Array) -> bool:
    return all(Fraction(value).denominator.bit_count() == 1 for value in values.reshape(-1))


def _dyadic(values: Array) -> Array:
    """Each number rounded to 32 binary digits."""
    return exact_array(
        np.array([_rounded(Fraction(value)) for value in values.reshape(-1)], dtype=object).reshape(values.shape)
    )


def _rounded(value: Fraction) -> Fraction:
    unit = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - 32)
    return value if value.denominator.bit_count() == 1 else round(value / unit) * unit


def _nearest(least: Fraction, most: Fraction, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Dyadic numbers, labels +-1 and the second layer +-1/m again."""
    data, net = fields["data"], fields["net"]
    labels = np.array([Fraction(1 if y >= 0 else -1) for y in data.labels], dtype=object)
    inner, m = _dyadic(net.inner), net.width // 2
    moved = signed_halves(inner[:m], inner[m : 2 * m], min(max(net.slope, least), most))
    return dict(fields) | {"data": Dataset(_dyadic(data.inputs), labels), "net": moved}


@st.composite
def _with_factors(draw: DrawFn, base: SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    drawn = draw(base)
    shape = drawn["net"].inner.shape
    powers = [[draw(st.sampled_from(["1/16", "1", "1/2", "1/4"])) for _ in range(shape[1])] for _ in range(shape[0])]
    return drawn | {"factors": exact_array(np.array(powers, dtype=object))}


def with_factors(base: Cases) -> Cases:
    """The same with `factors`: a positive number up to 1 for every inner weight, so that no start is larger."""

    def shrinking(value: Any) -> bool:
        return is_array(value, 2) and all(0 < factor <= 1 for factor in value.reshape(-1))

    cases = base.joined(_with_factors(base.strategy), factors=shrinking)
    return cases.within(lambda fields: fields["factors"].shape == fields["net"].inner.shape)


def relu_training(**options: Any) -> Cases:
    """The same with slope 0 and widths that can have 40 to 60 per cent of their neurons active."""
    return training(**{"widths": (2, 2, 4, 5), "leaks": (Fraction(0),), **options})


@st.composite
def _any_training(draw: DrawFn, slopes: tuple[Fraction, ...]) -> dict[str, Any]:
    n, d, m = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 2))
    inputs = np.array([[Fraction(draw(st.integers(-4, 4)), 2) for _ in range(d)] for _ in range(n)], dtype=object)
    weights = np.array([[Fraction(draw(st.integers(-3, 3)), 4) for _ in range(d)] for _ in range(2 * m)], dtype=object)
    return {
        "data": Dataset(inputs, np.array([Fraction(draw(st.sampled_from([1, -1]))) for _ in range(n)], dtype=object)),
        "net": signed_halves(weights[:m], weights[m:], draw(st.sampled_from(slopes))),
        "rate": draw(st.sampled_from([Fraction(1), Fraction(1, 4), Fraction(4)])),
        "C": 1,
    }


def any_training(slopes: tuple[Fraction, ...] = (Fraction(0), *LEAKS)) -> Cases:
    """data, net and rate without any condition: inputs may repeat, depend on each other or be zero."""
    return _within(_any_training(slopes), 1, slopes, fields=("data", "net", "rate", "C"))


@values(lambda value: isinstance(value, Dataset) and all(abs(y) == 1 for y in value.labels))
def signed_points(size: Size) -> SearchStrategy[Dataset]:
    """Inputs from the grid with labels +-1 (the sign of the drawn label)."""
    signs = unscaled_dataset(size)
    return signs.map(
        lambda data: Dataset(data.inputs, np.array([Fraction(1 if y >= 0 else -1) for y in data.labels], dtype=object))
    )


# Repairs: the second layer


def set_halves(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Outer weights 1/m and -1/m (the last row is dropped if their number is odd)."""
    m = net.width // 2
    return {"net": signed_halves(net.inner[:m], net.inner[m : 2 * m], net.slope)}


def unset_halves(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """All outer weights positive, or one of them doubled."""
    outer = net.outer.copy()
    outer[-1] *= draw(st.sampled_from([-1, 2]))
    return {"net": TwoLayer(net.inner, outer, net.slope)}


# Repairs: near-orthogonality


def _overlap_ratio(data: Dataset, weight: Fraction) -> Fraction:
    """R_max^2 n p / (R_min^4 weight): at most 1/C when the data are nearly orthogonal."""
    low, high = squared_radii(data.inputs)
    return Fraction(high * len(data.labels) * largest_overlap(data.inputs) / (low * low * weight))


def _sample_ratio(data: Dataset) -> Fraction:
    """n max over i != k of |<x_i, x_k>| / |x_i|^2."""
    gram = data.inputs @ data.inputs.T
    n = len(gram)
    return max(
        (Fraction(n * abs(gram[i, k]) / gram[i, i]) for i in range(n) for k in range(n) if i != k), default=Fraction(0)
    )


def _shrink_off_axis(draw: DrawFn, data: Dataset, C: int, ratio: Callable[[Dataset], Fraction]) -> dict[str, Dataset]:
    inputs = data.inputs.copy()
    n, d = inputs.shape
    if d < n:
        inputs, n = inputs[:d], d
    axes = np.array([[int(i == k) for k in range(d)] for i in range(n)], dtype=object)
    main = axes * (inputs + (inputs == 0))  # an input that misses its axis gets a one there
    off = inputs * (1 - axes)
    share, wanted = draw(st.sampled_from(_SHARES)), Dataset(main + off, data.labels[:n])
    turns = patience()
    while (excess := C * ratio(wanted)) > 1:
        next(turns)
        off = off * dyadic_floor(float(share / excess))
        wanted, share = Dataset(main + off, wanted.labels), Fraction(7, 8)
    return {"data": wanted}


def shrink_overlaps(draw: DrawFn, data: Dataset, C: int) -> dict[str, Dataset]:
    """Off-axis parts so small that R_min^2 >= C R^2 n p: mostly by less than a factor 2, sometimes by 16."""
    return _shrink_off_axis(draw, data, C, lambda found: _overlap_ratio(found, Fraction(1)))


def shrink_overlaps_for_leak(draw: DrawFn, data: Dataset, net: TwoLayer, C: int) -> dict[str, Dataset]:
    """The same with gamma^-4 on the right-hand side."""
    return _shrink_off_axis(draw, data, C, lambda found: _overlap_ratio(found, net.slope**4))


def shrink_overlaps_per_sample(draw: DrawFn, data: Dataset, C: int) -> dict[str, Dataset]:
    """Off-axis parts so small that |x_i|^2 >= C n |<x_i, x_k>| for all i and all k != i."""
    return _shrink_off_axis(draw, data, C, _sample_ratio)


def put_on_axes(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Without the off-axis parts."""
    axes = np.array([[int(i == k) for k in range(data.inputs.shape[1])] for i in range(len(data.labels))], dtype=object)
    return {"data": Dataset(data.inputs * axes + axes * (data.inputs == 0), data.labels)}


def repeat_an_input(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more sample: the first input again with the other label, or its mirror image with either label."""
    flip, label = draw(st.sampled_from([(1, -1), (-1, 1), (-1, -1)]))
    labels = np.append(data.labels, label * data.labels[0])
    return {"data": Dataset(np.vstack([data.inputs, flip * data.inputs[:1]]), labels)}


def shorten_inputs(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Inputs longer than 3 R_min are halved until they are not; overlaps do not grow. Zero inputs become the first
    axis.
    """
    axis = np.array([Fraction(int(k == 0)) for k in range(data.inputs.shape[1])], dtype=object)
    rows = [row if any(row) else axis for row in data.inputs]
    least = min(row @ row for row in rows)
    for i, row in enumerate(rows):
        turns = patience()
        while row @ row > 9 * least:
            next(turns)
            row = row / 2
        rows[i] = row
    return {"data": Dataset(np.array([list(row) for row in rows], dtype=object), data.labels)}


def shrink_an_input(draw: DrawFn, data: Dataset, net: TwoLayer) -> dict[str, Any]:
    """Orthogonal inputs, the first one divided by 64; a single input gets a second one beside it,
    in a new dimension.
    """
    inputs, inner, labels = put_on_axes(draw, data)["data"].inputs, net.inner, data.labels
    if len(labels) == 1:
        inputs = np.vstack(
            [np.append(inputs, [[Fraction(0)]], axis=1), np.append(0 * inputs, [[sum(abs(inputs[0]))]], axis=1)]
        )
        inner, labels = np.append(inner, inner[:, -1:], axis=1), np.append(labels, labels)
    inputs = np.vstack([inputs[:1] / Fraction(64), inputs[1:]])
    return {"data": Dataset(inputs, labels), "net": TwoLayer(inner, net.outer, net.slope)}


# Repairs: step size and scale of the initial weights


def _largest_rate(data: Dataset, net: TwoLayer, C: int) -> Fraction:
    return Fraction(len(data.labels) * (net.width // 2) / (C * squared_radii(data.inputs)[1]))


def shorten_step(draw: DrawFn, data: Dataset, net: TwoLayer, C: int) -> dict[str, Fraction]:
    """eta = nm/(C R_max^2), or a sixteenth of it."""
    return {"rate": _largest_rate(data, net, C) * draw(st.sampled_from(_SHARES))}


def lengthen_step(draw: DrawFn, data: Dataset, net: TwoLayer, C: int) -> dict[str, Fraction]:
    """A step 20 or 400 times C too long."""
    return {"rate": _largest_rate(data, net, C) * C * draw(st.sampled_from([20, 400]))}


def _rescaled(net: TwoLayer, scale: Fraction, wanted: Fraction) -> dict[str, Any]:
    return {"scale": wanted, "net": TwoLayer(net.inner * (wanted / scale), net.outer, net.slope)}


def _largest_scale(data: Dataset, net: TwoLayer, delta: Fraction, C: int) -> float:
    root = math.sqrt(squared_radii(data.inputs)[1] * math.log(len(data.labels) * (net.width // 2) / delta))
    return 1 / (C * root)


def shrink_start(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, Any]:
    """sigma_0 just below (C R_max sqrt(log(mn/delta)))^-1, or a sixteenth of it."""
    return _rescaled(net, scale, dyadic_floor(_largest_scale(data, net, delta, C)) * draw(st.sampled_from(_SHARES)))


def shrink_start_for_leak(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, Any]:
    """The same with a factor gamma."""
    bound = _largest_scale(data, net, delta, C) * float(net.slope)
    return _rescaled(net, scale, dyadic_floor(bound) * draw(st.sampled_from(_SHARES)))


def swell_start(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int) -> dict[str, Any]:
    """sigma_0 too large by the factor 8 C or 64 C: initial signals of order ten and more."""
    wanted = dyadic_floor(_largest_scale(data, net, delta, C)) * C * draw(st.sampled_from([8, 64]))
    return _rescaled(net, scale, wanted)


# Repairs: what the lemmas of appendix A say of a random start


def tame_signals(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction) -> dict[str, TwoLayer]:
    """Rows halved until |<w, x_i>| <= sqrt(2 log(8mn/delta)) sigma_0 R_max for all i."""
    return {"net": TwoLayer(_bounded(data, net.inner, _signal_bound(data, net, scale, delta)), net.outer, net.slope)}


def _signal_bound(data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction) -> float:
    mn = len(data.labels) * (net.width // 2)
    return math.sqrt(2 * math.log(8 * mn / delta) * squared_radii(data.inputs)[1]) * float(scale) * (1 - 1e-9)


def _bounded(data: Dataset, inner: Array, bound: float) -> Array:
    rows = []
    for row in inner:
        turns = patience()
        while max(abs(data.inputs @ row)) > bound:
            next(turns)
            row = row / 2
        rows.append(list(row))
    return exact_array(np.array(rows, dtype=object))


def stretch_a_neuron(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction
) -> dict[str, TwoLayer]:
    """One neuron along an input, sixteen times longer than the bound on its signals allows."""
    inner, chosen = net.inner.copy(), draw(st.integers(0, net.width - 1))
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    inner[chosen] = (
        x * draw(st.sampled_from([-1, 1])) * dyadic_floor(32 * _signal_bound(data, net, scale, delta) / float(x @ x))
    )
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def normalise_rows(draw: DrawFn, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """Rows with |w|^2 outside [sigma_0^2 d/2, 3 sigma_0^2 d/2] keep their signs only: every entry becomes +-sigma_0."""
    d = net.inner.shape[1]
    fair = [scale**2 * d <= 2 * (row @ row) <= 3 * scale**2 * d for row in net.inner]
    rows = [
        list(row) if good else [scale if w >= 0 else -scale for w in row]
        for row, good in zip(net.inner, fair, strict=True)
    ]
    return {"net": TwoLayer(np.array(rows, dtype=object), net.outer, net.slope)}


def stretch_rows(draw: DrawFn, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """One row becomes zero, or every entry of it 2 sigma_0."""
    inner = net.inner.copy()
    inner[draw(st.integers(0, net.width - 1))] = draw(st.sampled_from([Fraction(0), 2 * scale]))
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def activate_half(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """For every sample, as near to half of the neurons of its class as the width allows get a positive entry on its
    axis.
    """
    return {"net": _with_active(draw, data, net, scale, net.width // 4 or 1)}


def activate_none_or_all(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """For every sample, no neuron of its class is active on it (or all of them)."""
    return {"net": _with_active(draw, data, net, scale, draw(st.sampled_from([0, net.width // 2])))}


def _with_active(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, active: int) -> TwoLayer:
    inner, m = net.inner.copy(), net.width // 2
    for i, y in enumerate(data.labels):
        rows = np.arange(m) + (0 if y > 0 else m)
        order = draw(st.permutations(range(m)))
        for rank, r in enumerate(rows[list(order)]):
            wanted = 1 if rank < active else -1
            inner[r, i] = (abs(inner[r, i]) or scale) * wanted * (1 if data.inputs[i, i] > 0 else -1)
            turns = patience()
            while inner[r] @ data.inputs[i] * wanted <= 0:
                next(turns)
                inner[r, i] *= 2
    return TwoLayer(inner, net.outer, net.slope)


def leave_boundaries(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """Weights moved by small multiples of sigma_0 until no <w, x_i> is zero (which has probability zero at a random
    start).
    """
    inner = net.inner.copy()
    for row in inner:
        nudge = scale / 4
        for i, x in enumerate(data.inputs):
            if not row @ x:
                row[i % len(row)] += nudge
        turns = patience()
        while not all(data.inputs @ row):
            next(turns)
            row += np.array([nudge / 2**k for k in range(len(row))], dtype=object)
            nudge = nudge / 3
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def meet_a_boundary(draw: DrawFn, data: Dataset, net: TwoLayer) -> dict[str, TwoLayer]:
    """One neuron is zero."""
    inner = net.inner.copy()
    inner[draw(st.integers(0, net.width - 1))] *= 0
    return {"net": TwoLayer(inner, net.outer, net.slope)}


# Repairs: the width


def widen_beyond_log(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, TwoLayer]:
    """m >= C log(n/delta), with new neurons whose entries are 0 or +-sigma_0."""
    m = net.width // 2
    missing = math.floor(C * math.log(len(data.labels) / delta)) + 1 - m
    if missing <= 0:
        return {"net": net}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    more = rng.integers(-2, 2, size=(2, missing, net.inner.shape[1]), endpoint=True).astype(object) * (scale / 2)
    halves = [np.vstack([net.inner[k * m : (k + 1) * m], more[k]]) for k in range(2)]
    return {"net": signed_halves(halves[0], halves[1], net.slope)}


def narrow_to_one(draw: DrawFn, data: Dataset, net: TwoLayer, delta: Fraction, C: int) -> dict[str, Any]:
    """One neuron of each sign, which is too few whenever C log(n/delta) > 1; delta is lowered where that is needed."""
    m = net.width // 2
    return {"net": signed_halves(net.inner[:1], net.inner[m : m + 1], net.slope), "delta": min(delta, Fraction(1, 10))}
