"""Sequential tests keep their error level however often they look."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from refute.arithmetic.numbers import balls
from refute.decide.probability import LEVEL, confidence_interval, log_evidence, with_probability
from refute.errors import BadClaim, Inexact
from refute.language.relations import Decision

RUNS = 300
TRIALS = 4000


def coin(chance: float):
    return lambda rng, count: rng.random(count) < chance


def decision(chance: float, wanted: float, seed: int = 0, trials: int = TRIALS) -> Decision:
    return with_probability(wanted, coin(chance), np.random.default_rng(seed), trials).decision


@pytest.mark.parametrize("chance", [0.5, 0.9, 0.99])
def test_a_true_probability_is_never_rejected(chance):
    """With the true probability equal to the claimed one, none of 300 seeded runs refutes, though each looks many
    times.
    """
    assert sum(decision(chance, chance, seed) is Decision.VIOLATED for seed in range(RUNS)) == 0


@pytest.mark.parametrize("chance", [0.02, 0.5, 0.95])
def test_intervals_cover_the_truth_at_every_look(chance):
    """At each of forty looks of each of 300 seeded runs the interval holds the true probability."""
    outcomes = np.random.default_rng(0).random((RUNS, 1000)) < chance
    for looked in range(25, 1001, 25):
        for successes in set(outcomes[:, :looked].sum(axis=1).tolist()):
            low, high = confidence_interval(successes, looked)
            assert low <= chance <= high


def test_a_probability_clearly_below_is_refuted():
    """In every seeded run, and the margin is the certain part of the gap."""
    margins = [with_probability(0.9, coin(0.7), np.random.default_rng(seed), TRIALS) for seed in range(20)]
    assert all(margin.violated for margin in margins)
    assert all(-0.2 < margin.value < 0 and margin.error == 0 for margin in margins)


def test_a_probability_clearly_above_holds():
    """And it stops early."""
    counts: list[int] = []

    def trial(rng, count):
        counts.append(count)
        return rng.random(count) < 0.95

    assert with_probability(0.5, trial, np.random.default_rng(0), TRIALS).decision is Decision.HOLDS
    assert sum(counts) < TRIALS / 4


def test_a_probability_too_near_to_tell_is_undecided():
    """The error swallows the margin, and the whole budget was used, in whole batches."""
    counts: list[int] = []

    def trial(rng, count):
        counts.append(count)
        return rng.random(count) < 0.51

    assert with_probability(0.5, trial, np.random.default_rng(0), TRIALS).decision is Decision.UNDECIDED
    assert TRIALS <= sum(counts) < 2 * TRIALS + counts[0]
    assert counts == [counts[0] * 2**k for k in range(len(counts))]


def test_more_effort_begins_with_the_same_worlds():
    """What a short test decides, a longer one decides with the same numbers."""

    def tested(trials):
        return with_probability(0.5, coin(0.46), np.random.default_rng(1), trials)

    assert tested(TRIALS).decision is Decision.VIOLATED
    assert tested(TRIALS) == tested(TRIALS + 1) == tested(10 * TRIALS)


@pytest.mark.parametrize(
    "trial",
    [
        lambda rng, count: rng.random(count),
        lambda rng, count: np.ones(count, dtype=int),
        lambda rng, count: np.ones(count + 1, dtype=bool),
        lambda rng, count: np.ones((count, 1), dtype=bool),
        lambda rng, count: True,
        lambda rng, count: None,
    ],
    ids=["floats", "integers", "one too many", "a column", "a single bool", "nothing"],
)
def test_a_trial_must_return_one_bool_per_world(trial):
    """The error has the type and the shape."""
    with pytest.raises(BadClaim, match=r"a trial returned .* asked for bool of shape \(250,\)"):
        with_probability(0.5, trial, np.random.default_rng(0), TRIALS)


def test_certain_events():
    """Probability one is refuted by one failure; probability zero is always reached."""
    assert with_probability(1, coin(0.99), np.random.default_rng(0), TRIALS).violated
    assert with_probability(0, coin(0.01), np.random.default_rng(0), TRIALS).decision is Decision.HOLDS
    assert log_evidence(0, 5, 0.0) == 0
    assert log_evidence(1, 5, 0.0) == np.inf
    assert log_evidence(4, 5, 1.0) == np.inf


def test_intervals_shrink_and_nest():
    """More trials give a shorter interval; a larger error level a shorter one still."""
    wide, narrow = confidence_interval(50, 100), confidence_interval(5000, 10_000)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
    loose = confidence_interval(50, 100, level=0.05)
    assert wide[0] < loose[0] < loose[1] < wide[1]
    assert confidence_interval(0, 10)[0] == 0
    assert confidence_interval(10, 10)[1] == 1


def test_the_level_is_kept_by_the_mixture():
    """The mixture likelihood ratio has mean one under the null, so it exceeds 1/LEVEL with
    probability at most LEVEL.
    """
    from scipy.stats import binom

    trials, chance = 60, 0.3
    mean = sum(binom.pmf(k, trials, chance) * np.exp(log_evidence(k, trials, chance)) for k in range(trials + 1))
    assert mean == pytest.approx(1, rel=1e-9)
    assert LEVEL <= 1e-6


def test_the_line_has_the_counts():
    """Successes, trials, what was wanted and the interval."""
    line = with_probability(0.5, coin(0.95), np.random.default_rng(0), TRIALS, "the neuron is active").line
    assert line.startswith("the neuron is active: ")
    assert "of 250 trials, wanted probability 0.5, interval [" in line


@pytest.mark.parametrize(("successes", "trials"), [(0, 250), (101, 250), (250, 250), (3000, 4000)])
def test_intervals_in_balls_reject_with_certainty(successes, trials):
    """They are those of float64 to round-off, and an end inside (0, 1) is rejected by its ball."""
    with ctx.workprec(192):
        found = confidence_interval(successes, trials, arithmetic=balls(192))
        assert found == pytest.approx(confidence_interval(successes, trials), abs=1e-12)
        for end in found:
            if 0 < end < 1:
                evidence = log_evidence(successes, trials, arb(end))
                assert evidence >= arb(1 / LEVEL).log()
                assert float(evidence) == pytest.approx(log_evidence(successes, trials, end))


@pytest.mark.parametrize(("chance", "decision"), [(0.6, Decision.VIOLATED), (0.99, Decision.HOLDS)])
def test_a_test_in_balls_is_that_in_floats(chance, decision):
    """The same counts, margins to round-off, and the radius as the error."""
    with ctx.workprec(192):
        found = [
            with_probability(wanted, coin(chance), np.random.default_rng(3), TRIALS) for wanted in (arb(4) / 5, 0.8)
        ]
    assert [margin.decision for margin in found] == [decision, decision]
    assert found[0].line == found[1].line
    assert abs(found[0].value - found[1].value) < 1e-12
    assert 0 < found[0].error < 1e-50


def test_rationals_ask_for_balls_before_any_trial():
    """The evidence is a logarithm."""
    with pytest.raises(Inexact):
        with_probability(
            fmpq(1, 2), lambda rng, count: pytest.fail("no trial was to be done"), np.random.default_rng(0), TRIALS
        )
