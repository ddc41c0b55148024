"""Hostile cases against every integrator: does the true error stay below the stated one, and does nothing raise, hang
or return NaN?

    python -m benchmarks attacks --cases 200 --seed 0 [--only gradient_flow,long_descent] [--limit 60]

A case is held when the reference lies within the stated error. An error of 10^9 or infinity, or an end that is not the
horizon, decides nothing; BadInput and Diverged are refusals. Where the reference cannot decide a sign either, or the
solution is not unique, there is none.
"""

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.attacks.cases import Drawn, Floats, Rng, deep_weights, draw, power, quarters, signs
from benchmarks.attacks.recursions import Unknown, distance, layers_after, signals_and_coefficients, size
from refute.errors import BadInput, Diverged, SignUnknown
from refute.models.dataset import Dataset
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE, Loss
from refute.models.network import DeepNetwork, TwoLayer, signed_halves

HELD, NOTHING, REFUSED, NO_REFERENCE = "held", "decides nothing", "refused", "no reference"
UNDERSTATED, RAISED, NAN, SLOW = "UNDERSTATED", "RAISED", "NAN", "SLOW"
BAD = (UNDERSTATED, RAISED, NAN, SLOW)
SECONDS = 60.0  # a case that takes longer hangs
DECIDES_NOTHING = 1e8
FARTHEST = 300.0  # a norm may change by this power of e before no reference knows it


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case."""

    kind: str
    detail: str = ""
    bound: float = 0.0


class NoReference(Exception):
    """The reference does not decide the case."""


class Slow(Exception):
    """The case takes longer than `SECONDS`."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A drawn case: what the integrator says (values, the error of them, whether it went to the end), and the largest
    miss of it.
    """

    words: str
    run: Callable[[], tuple[list[Floats], float, bool]]
    miss: Callable[[list[Floats]], float]


Draw = Callable[[Rng], Attack]


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `Slow` in Python code after so many seconds of the processor, and again each second: one may be lost in a
    callback.
    """

    def stop(*_: object) -> None:
        raise Slow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def attacked(attack: Attack, seconds: float = SECONDS) -> Outcome:
    """Run the integrator, then the reference."""
    try:
        with limited(seconds), np.errstate(all="ignore"):
            values, error, finished = attack.run()
    except (BadInput, Diverged) as refusal:
        return Outcome(REFUSED, refusal.message)
    except Slow:
        return Outcome(SLOW, attack.words)
    except Exception as failure:
        return Outcome(RAISED, f"{type(failure).__name__}: {failure}; {attack.words}")
    if not finished or error >= DECIDES_NOTHING:
        return Outcome(NOTHING)
    if not (all(np.isfinite(value).all() for value in values) and np.isfinite(error)):
        return Outcome(NAN, f"error {error}; {attack.words}")
    try:
        with limited(seconds):
            miss = attack.miss(values)
    except (NoReference, Unknown, SignUnknown, Slow):
        return Outcome(NO_REFERENCE)
    if miss > error:
        miss = _told_again(attack, values, miss, seconds)
    if miss is None:
        return Outcome(NO_REFERENCE)
    return Outcome(HELD if miss <= error else UNDERSTATED, f"miss {miss:.3g}, error {error:.3g}; {attack.words}", error)


def _told_again(attack: Attack, values: list[Floats], miss: float, seconds: float) -> float | None:
    """The miss by references of four times as many digits, if it is the same or vanishes; None where they tell another.

    Next to a saddle the rounding of a reference grows as fast as anything else.
    """
    try:
        with limited(seconds), _more_digits():
            again = attack.miss(values)
    except (NoReference, Unknown, SignUnknown, Slow):
        return None
    return again if again < miss / 10 or abs(again - miss) <= miss / 10 else None


@contextmanager
def _more_digits() -> Iterator[None]:
    from tests.models.flow import fifty_digits, fifty_digits_deep

    bits = 4 * fifty_digits.BITS
    changed = {"BITS": bits, "ONE": 1 << bits, "SMALL": 1 << bits - 4 * 120}
    with patch.multiple(fifty_digits, **changed), patch.multiple(fifty_digits_deep, **changed):
        yield


def _loss(rng: Rng) -> tuple[Loss, str]:
    return ((SQUARE, "square"), (LOGISTIC, "logistic"), (EXPONENTIAL_SUM, "exponential"))[int(rng.integers(3))]


def _tolerance(rng: Rng) -> float:
    return float(10.0 ** -int(rng.integers(5, 12)))


def descent(rng: Rng) -> Attack:
    """`descend` and `descend_deep`, full batch or with picks: the stated error is `rounding_bound` (full batch), else
    10^-9.
    """
    from refute.models.descent.minibatch import minibatches
    from refute.models.descent.rounding import rounding_bound
    from refute.models.descent.single import descend, descend_deep

    case, (loss, name), steps = (
        draw(rng),
        ((SQUARE, "square"), (LOGISTIC, "logistic"))[int(rng.integers(2))],
        int(rng.integers(1, 40)),
    )
    at_zero, rate = float(rng.choice([case.slope, 0.5, 1.0])), float(rng.choice([0.01, 0.1, 1.0]))
    scale = power(rng, 30) if rng.random() < 0.3 else 1.0
    inputs, data = case.inputs, Dataset(case.inputs, case.labels * scale)
    deep = rng.random() < 0.4
    shape = deep_weights(rng, inputs.shape[1], int(rng.integers(2, 5))) if deep else [case.inner, case.outer[None]]
    weights = [w * scale ** (1 / 2) for w in shape] if not deep else shape
    net = DeepNetwork(tuple(weights), case.slope) if deep else TwoLayer(weights[0], weights[1][0], case.slope)
    size_of_batch = int(rng.integers(1, len(inputs) + 1))
    picks = minibatches(rng, len(inputs), size_of_batch, steps) if rng.random() < 0.3 else None

    def run() -> tuple[list[Floats], float, bool]:
        options: dict[str, Any] = {"rate": rate, "steps": steps, "slope_at_zero": at_zero}
        if isinstance(net, DeepNetwork):
            found = [layer[-1] for layer in descend_deep(net, data, loss, picks=picks, **options).weights]
        else:
            end = descend(net, data, loss, picks=picks, **options)
            found = [end.inner[-1], end.outer[-1][None]]
        bound = rounding_bound(net, data, loss, reached=found, **options)
        largest = max(float(np.abs(w).max()) for w in (*found, *weights))
        return found, 1e-9 * largest if picks is not None else bound, bool(np.isfinite(bound))

    def miss(values: list[Floats]) -> float:
        exact = layers_after(weights, case.slope, at_zero, inputs, case.labels * scale, name, rate, steps, picks)
        return max(distance(a, b) for a, b in zip(values, exact, strict=True))

    return Attack(
        f"{case}, weights {[w.tolist() for w in weights]}, {name}, rate {rate}, {steps} steps, sigma'(0) = {at_zero}",
        run,
        miss,
    )


def long_descent(rng: Rng) -> Attack:
    """Labels +-1 or 0, fixed second layer: signals and coefficients, relative to the largest at their time."""
    from refute.models.descent.kernel_space import start
    from refute.models.descent.longtime import long_descent as follow
    from refute.models.training import Stop

    case, (loss, name) = (
        draw(rng, width=2),
        ((LOGISTIC, "logistic"), (EXPONENTIAL_SUM, "exponential"))[int(rng.random() < 0.2)],
    )
    labels = signs(rng, len(case.labels)) * (rng.random(len(case.labels)) > 0.1)
    half, dim = len(case.inner), case.inputs.shape[1]
    scale = power(rng, 4)
    minus = scale * (quarters(rng, half, dim) if rng.random() < 0.5 else rng.standard_normal((half, dim)))
    net, times = signed_halves(scale * case.inner, minus, case.slope), [20, int(rng.integers(100, 800))]
    rate = float(rng.choice([0.05, 0.25, 1.0])) / max(
        1.0, float((case.inputs**2).sum(axis=1).max()) ** float(rng.integers(2))
    )
    inner, outer = np.vstack([scale * case.inner, minus]), np.repeat([1.0, -1.0], half) / half
    factor = len(labels) if name == "exponential" else 1  # a sum
    tolerance = float(10.0 ** -int(rng.integers(6, 12)))

    def run() -> tuple[list[Floats], float, bool]:
        problem, state = start(net, Dataset(case.inputs, labels), rate=rate, loss=loss, slope_at_zero=1.0)
        found = follow(problem, state, np.array(times, dtype=float), freeze=15, tolerance=tolerance)
        return [found.signals, found.coefficients], found.error, found.stop is Stop.HORIZON and len(found.time) == 2

    def miss(values: list[Floats]) -> float:
        exact = signals_and_coefficients(inner, outer, case.slope, case.inputs, labels, name, rate * factor, times)
        pairs = [(values[k][t], exact[t][k]) for t in range(2) for k in range(2)]
        return max(distance(a, b) / max(size(b), 1e-300) for a, b in pairs)

    return Attack(
        f"{case}, minus {minus.tolist()}, labels {labels.tolist()}, {name}, rate {rate}, times {times}, {tolerance}",
        run,
        miss,
    )


def _fifty_digits(case: Drawn, loss: Loss, name: str, horizon: float, train_outer: bool = True) -> Any:
    from tests.models.flow.fifty_digits import Reference

    try:
        found = Reference(
            case.inner,
            case.outer,
            case.slope,
            case.inputs,
            case.labels,
            name,
            averaged=loss.averaged,
            train_outer=train_outer,
        )
        inner, outer = found.run(horizon)
    except (AssertionError, ArithmeticError):
        raise NoReference from None
    rests = case.outer**2 >= (case.inner**2).sum(
        axis=1
    )  # such a neuron keeps the sign of its outer weight, see models.flow
    if train_outer and (rests & (np.sign(outer) * np.sign(case.outer) < 0)).any():
        raise NoReference  # fifty digits have passed a saddle
    return found, (inner, outer)


def gradient_flow(rng: Rng) -> Attack:
    """Weights times a and inputs times b, labels times a^2 b: the flow at t / (a b)^2 is the same,
    times a (square loss).
    """
    from refute.models.flow import gradient_flow as follow
    from refute.models.training import Stop

    case, (loss, name), tolerance = (
        draw(rng, dim=2),
        _loss(rng) if rng.random() < 0.2 else (SQUARE, "square"),
        _tolerance(rng),
    )
    a, b = (power(rng, 25), power(rng, 25)) if name == "square" and rng.random() < 0.4 else (1.0, 1.0)
    horizon, train_outer = float(rng.choice([0.25, 0.5, 1.0])), bool(rng.random() < 0.9)
    net = TwoLayer(a * case.inner, a * case.outer, case.slope)
    data = Dataset(b * case.inputs, a * a * b * case.labels)

    def run() -> tuple[list[Floats], float, bool]:
        times = np.array([horizon / (a * b) ** 2])
        found = follow(net, data, loss, times, tolerance=tolerance, train_outer=train_outer)
        return [found.inner[-1], found.outer[-1]], found.error, found.stop is Stop.HORIZON

    def miss(values: list[Floats]) -> float:
        inner, outer = _fifty_digits(case, loss, name, horizon, train_outer)[1]
        return max(float(np.abs(values[0] - a * inner).max()), float(np.abs(values[1] - a * outer).max()))

    return Attack(
        f"{case}, {name}, a = {a}, b = {b}, t = {horizon}, tolerance {tolerance}, train outer {train_outer}", run, miss
    )


def _deep(weights: list[Floats], case: Drawn, horizon: float) -> Any:
    from tests.models.flow.fifty_digits_deep import Ambiguous, DeepReference

    try:
        found = DeepReference(weights, case.slope, case.inputs, case.labels)
        return found, found.run(horizon)
    except (Ambiguous, AssertionError, ArithmeticError):
        raise NoReference from None


def deep_gradient_flow(rng: Rng) -> Attack:
    """Depth two to four; scaled as the shallow flow is, by a in all layers."""
    from refute.models.flow.deep import deep_gradient_flow as follow
    from refute.models.training import Stop

    case, horizon = draw(rng, samples=3, dim=2), 0.25
    weights, tolerance = (
        deep_weights(rng, case.inputs.shape[1], int(rng.integers(2, 5))),
        float(10.0 ** -int(rng.integers(5, 10))),
    )
    a = power(rng, 3) if rng.random() < 0.2 else 1.0
    depth = len(weights)
    net = DeepNetwork(tuple(a * w for w in weights), case.slope)
    data = Dataset(case.inputs, a**depth * case.labels)

    def run() -> tuple[list[Floats], float, bool]:
        found = follow(net, data, SQUARE, np.array([horizon / a ** (2 * depth - 2)]), tolerance=tolerance)
        return [layer[-1] for layer in found.weights], found.error, found.stop is Stop.HORIZON

    def miss(values: list[Floats]) -> float:
        exact = _deep(weights, case, horizon)[1]
        return max(float(np.abs(v - a * w).max()) for v, w in zip(values, exact, strict=True))

    return Attack(f"{case}, weights {[w.tolist() for w in weights]}, a = {a}, tolerance {tolerance}", run, miss)


def fixed_slope_flow(rng: Rng) -> Attack:
    """Cases that cross, but do not slide and do not end on a boundary: there sigma'(0) does not
    matter after the start.
    """
    from refute.models.zhang2024.fixed_slope import fixed_slope_flow as follow

    case, horizon = draw(rng, samples=3, dim=2), 0.25
    depth, tolerance = int(rng.integers(2, 4)), float(10.0 ** -int(rng.integers(5, 10)))
    weights, at_zero = deep_weights(rng, case.inputs.shape[1], depth), float(rng.choice([case.slope, 0.5, 1.0]))
    a = power(rng, 3) if rng.random() < 0.2 else 1.0

    def run() -> tuple[list[Floats], float, bool]:
        data, times = Dataset(case.inputs, a**depth * case.labels), np.array([horizon / a ** (2 * depth - 2)])
        found = follow([a * w for w in weights], data, times, slope=case.slope, at_zero=at_zero, tolerance=tolerance)
        return [layer[-1] for layer in found.weights], found.error, True

    def miss(values: list[Floats]) -> float:
        reference, exact = _deep(weights, case, horizon)
        if reference.slides or any((v == 0).any() for layer in reference._signals() for v in layer):
            raise NoReference
        return max(float(np.abs(v - a * w).max()) for v, w in zip(values, exact, strict=True))

    return Attack(
        f"{case}, weights {[w.tolist() for w in weights]}, a = {a}, sigma'(0) = {at_zero}, tolerance {tolerance}",
        run,
        miss,
    )


def residual(rng: Rng) -> Attack:
    """Without slides the solution is one in the sense of Caratheodory: its residual is zero up to the error."""
    from refute.models.flow import Change
    from refute.models.min2024.residual import caratheodory_residual
    from refute.models.training import Stop

    case = draw(rng, dim=2)
    net, data, found = TwoLayer(case.inner, case.outer, case.slope), Dataset(case.inputs, case.labels), []

    def run() -> tuple[list[Floats], float, bool]:
        result = caratheodory_residual(net, data, SQUARE, 0.5, concept="filippov", at_zero=case.slope)
        found.append(result)
        return [np.array([result.value])], result.error, result.run.stop is Stop.HORIZON

    def miss(values: list[Floats]) -> float:
        signals = found[0].run.inner[:, found[0].run.inner[0].any(axis=1)] @ case.inputs[case.inputs.any(axis=1)].T
        if any(event.kind is Change.SLIDES for event in found[0].run.events) or (np.abs(signals) <= 1e-9).any():
            raise NoReference
        return float(values[0][0])

    return Attack(str(case), run, miss)


def early_flow(rng: Rng) -> Attack:
    """What the flow adds to the linear solution, to 10^-4 of itself, against fifty digits from
    weights of 10^-3 and 10^-5.
    """
    from refute.models.zhang2024.early import early_flow as follow
    from refute.models.zhang2024.early import growth_share

    dim, width = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    half = quarters(rng, 2, dim) + 0.125
    inputs, target = np.vstack([half, -half]), rng.standard_normal(dim)
    case = Drawn(
        "even",
        rng.standard_normal((width, dim)),
        rng.standard_normal(width),
        float(rng.choice([0.0, 0.25])),
        inputs,
        inputs @ target,
    )
    scale = float(rng.choice([6.0, 10.0]))  # what the cubic terms add is e^(-2 scale), and must be seen beside 10^-16
    data, net = Dataset(inputs, inputs @ target), TwoLayer(case.inner, case.outer, case.slope)

    def run() -> tuple[list[Floats], float, bool]:
        growth = growth_share(data, case.slope) * scale * 0.5
        found = follow(net, data, np.array([scale]), np.array([growth]), np.array([1.0]))
        return (
            [found.change[0, 0], found.growing[0, 0] + found.rest[0, 0]],
            1e-4 * float(np.abs(found.change).max()),
            True,
        )

    def miss(values: list[Floats]) -> float:
        w = float(np.exp(-scale))
        rate = (1 + case.slope) * float(np.linalg.norm(inputs.T @ case.labels / len(inputs))) / 2
        horizon = growth_share(data, case.slope) * scale * 0.5 / rate
        small = Drawn("even", w * case.inner, w * case.outer, case.slope, inputs, case.labels)
        reference, _ = _fifty_digits(small, SQUARE, "square", horizon)
        from tests.models.flow.fifty_digits import fixed, floats

        exact = np.column_stack([reference.w, reference.v])
        linear = fixed(w) * fixed(values[1]) >> 210
        change = floats(exact - linear) / w
        return float(np.abs(change - values[0]).max()) - 1e-15 * float(np.abs(values[1]).max())

    return Attack(f"{case}, scale {scale}", run, miss)


def log_polar_flow(rng: Rng) -> Attack:
    """Balanced starts at ordinary scales against fifty digits, relative to each norm; at scales down to 10^-10000 only
    what it says.
    """
    from refute.models.logpolar import log_polar_flow as follow
    from refute.models.logpolar.balanced import Balanced
    from refute.models.training import Stop

    case = draw(rng, dim=2)
    sides, tiny = signs(rng, len(case.inner)), rng.random() < 0.3
    scale = 10.0 ** -float(rng.integers(10, 10_000)) if tiny else float(10.0 ** -rng.integers(0, 4))
    log_scale = -float(rng.integers(20, 20_000)) if tiny else float(np.log(scale))
    factor, ends = float(np.exp(log_scale)), []

    def run() -> tuple[list[Floats], float, bool]:
        start, data = Balanced(case.inner, sides, log_scale, case.slope), Dataset(case.inputs, case.labels)
        found = follow(start, data, SQUARE, horizon=None if tiny else 0.4, tolerance=1e-7, steps=3000)
        ends.append(float(found.time[-1]))
        norm = np.where(np.isfinite(found.log_norm[-1]), found.log_norm[-1], 0.0)
        return (
            [norm, found.direction[-1], found.output],
            found.error,
            found.stop in (Stop.HORIZON, Stop.AT_REST, Stop.FITTED),
        )

    def miss(values: list[Floats]) -> float:
        rows, points = (values[values.any(axis=1)] for values in (case.inner, case.inputs))
        if tiny or not (rows @ points.T).all():
            # on a hyperplane there may be two solutions, of which the log-polar flow takes the regular one
            raise NoReference
        outer = sides * np.linalg.norm(factor * case.inner, axis=1)
        residual = case.labels - TwoLayer(factor * case.inner, outer, case.slope)(case.inputs)
        if 2 * ends[0] * np.linalg.norm(residual) * np.linalg.norm(case.inputs) / len(residual) > FARTHEST:
            raise NoReference
        truth = Drawn(case.family, factor * case.inner, outer, case.slope, case.inputs, case.labels)
        inner, outer = _fifty_digits(truth, SQUARE, "square", ends[0])[1]
        norms = np.linalg.norm(inner, axis=1)
        live = norms > 1e-30  # the reference knows 10^-50
        if (np.abs(np.abs(outer) - norms)[live] > 1e-13 * norms[live]).any():
            raise NoReference  # its own rounding has grown: a neuron that dies leaves the balance exponentially
        logs = np.abs(np.log(norms[live]) - values[0][live]).max(initial=0.0)
        return float(max(logs, np.abs(inner[live] / norms[live, None] - values[1][live]).max(initial=0.0))) - 1e-14

    return Attack(f"{case}, signs {sides.tolist()}, log scale {log_scale}", run, miss)


def validated_flow(rng: Rng) -> Attack:
    """The weights of fifty digits lie in the balls."""
    from fractions import Fraction

    from refute.models.validated import validated_flow as enclose

    case = draw(rng, dim=2, samples=3, width=2)
    net, data = TwoLayer(case.inner, case.outer, case.slope), Dataset(case.inputs, case.labels)

    def run() -> tuple[list[Floats], float, bool]:
        tube = enclose(net, data, SQUARE, [Fraction(1, 4)], radius=Fraction(1, 10**12), most_steps=100)
        if not tube.time:
            return [], 0.0, False
        middle = [
            np.array([float(b.mid()) for b in layer.reshape(-1)]).reshape(layer[0].shape)
            for layer in (tube.inner, tube.outer)
        ]
        return middle, tube.radius() + 4e-16 * max(float(np.abs(m).max(initial=0.0)) for m in middle), True

    def miss(values: list[Floats]) -> float:
        exact = _fifty_digits(case, SQUARE, "square", 0.25)[1]
        return max(float(np.abs(a - b).max()) for a, b in zip(values, exact, strict=True))

    return Attack(str(case), run, miss)


ATTACKS: dict[str, Draw] = {
    one.__name__: one
    for one in (
        descent, long_descent, fixed_slope_flow, gradient_flow, deep_gradient_flow, residual, early_flow,
        log_polar_flow,
        validated_flow,
    )
}  # fmt: skip


def attack(name: str, seed: int, case: int, seconds: float = SECONDS) -> Outcome:
    """The case of this number."""
    return attacked(ATTACKS[name](np.random.default_rng([seed, sorted(ATTACKS).index(name), case])), seconds)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks attacks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=200, help="of each integrator")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default=",".join(ATTACKS), help="names, separated by commas")
    parser.add_argument(
        "--limit", type=float, default=float("inf"), help="seconds for each integrator, after which it stops"
    )
    options, bad = parser.parse_args(arguments), 0
    for name in options.only.split(","):
        counts, begin, sharp = Counter[str](), time.perf_counter(), 0
        for case in range(options.first, options.first + options.cases):
            if time.perf_counter() - begin > options.limit:
                break
            outcome = attack(name, options.seed, case)
            counts[outcome.kind] += 1
            sharp += outcome.kind == HELD and outcome.bound < 1e-3
            if outcome.kind in BAD:
                bad += 1
                sys.stdout.write(f"  {name} {case}: {outcome.kind} {outcome.detail}\n")
                sys.stdout.flush()
        words = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        sys.stdout.write(f"{name}: {sum(counts.values())} cases, {words} ({sharp} of them to 10^-3)\n")
        sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
