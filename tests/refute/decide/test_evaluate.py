"""Evaluation: rationals first, then balls of doubling precision; floats are asked twice before they refute."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from refute import Case, Kind, Margin, Run, at_least, at_most, equal, less
from refute.decide import confirmation
from refute.decide.evaluate import (
    CONFIRMING_TOLERANCE,
    FIRST_BITS,
    MOST_BITS,
    TOLERANCE,
    Setting,
    Unmet,
    evaluate_assumption,
    evaluate_conclusion,
    evaluate_exactly,
    judge,
)
from refute.errors import BadClaim, BadInput, SignUnknown
from refute.functions import exp, sign, sqrt
from refute.language.relations import ROUNDING, Decision
from tests.planted import IMPOSSIBLE, POSITIVE, planted


def exactly(function, **fields):
    return evaluate_exactly(function, Case.of(**fields), Setting({}), "f()")


def test_rational_conclusions_stay_rational():
    """Every number is an fmpq, and the margin has no error."""
    seen = []

    def square(x, w):
        seen.extend([type(x), type(w[0])])
        return x * x - w[0]

    margin, arithmetic = exactly(square, x=Fraction(1, 3), w=[Fraction(1, 9)])
    assert (margin.value, margin.error, arithmetic) == (0, 0, "rationals")
    assert seen == [fmpq, fmpq]


def test_irrational_conclusions_are_evaluated_in_balls():
    """The first irrational step sends the evaluation to balls; the ball encloses the truth."""
    margin, arithmetic = exactly(lambda x: sqrt(x) - 1, x=Fraction(2))
    assert arithmetic == f"balls, {FIRST_BITS} bits"
    assert margin.decision is Decision.HOLDS
    assert abs((margin.value + 1) ** 2 - 2) < Fraction(1, 10**50)
    assert 0 < margin.error < Fraction(1, 10**50)


@pytest.mark.parametrize("compare", [less, at_most])
@pytest.mark.parametrize(("sign_of_x", "decision"), [(1, Decision.HOLDS), (-1, Decision.VIOLATED)])
def test_a_margin_of_1e_400_is_decided(compare, sign_of_x, decision):
    """Precision doubles until the ball leaves zero: 1 + x + x^2/2 and exp(x) differ by x^3/6."""
    margin, arithmetic = exactly(lambda x: compare(1 + x + x * x / 2, exp(x)), x=Fraction(sign_of_x, 10**133))
    assert margin.decision is decision
    assert Fraction(1, 10**401) < abs(margin.value) < Fraction(1, 10**398)
    assert arithmetic == "balls, 1536 bits"


def test_precision_doubles():
    """From the first to the largest number of bits, and no further."""
    seen = []

    def equality(x):
        seen.append(ctx.prec)
        return less(sqrt(x) * sqrt(x), x)

    margin, arithmetic = exactly(equality, x=Fraction(2))
    assert margin.decision is Decision.UNDECIDED
    assert arithmetic == f"balls, {MOST_BITS} bits"
    assert seen[1:] == [192, 384, 768, 1536, 3072]


def test_a_thin_ball_around_zero_is_an_equality():
    """sqrt(2)^2 = 2 is met to within the error, once that is very small."""
    margin, arithmetic = exactly(lambda x: equal(sqrt(x) * sqrt(x), x), x=Fraction(2))
    assert margin.decision is Decision.HOLDS
    assert margin.error < Fraction(1, 10**420)
    assert arithmetic == "balls, 1536 bits"


def test_the_precision_is_given_back():
    """Evaluation leaves the global precision as it was."""
    before = ctx.prec
    exactly(lambda x: less(1 + x, exp(x)), x=Fraction(1, 10**100))
    assert ctx.prec == before


def test_an_unknown_sign_asks_for_more_bits():
    """exp(x) - 1 - x is positive, but at 192 bits its ball straddles zero for tiny x."""

    def positive(x):
        return sign(exp(x) - 1 - x)

    margin, arithmetic = exactly(positive, x=Fraction(1, 10**60))
    assert margin.decision is Decision.HOLDS
    assert arithmetic == "balls, 768 bits"


def test_a_sign_that_stays_unknown_is_undecided():
    """No precision separates an equality from zero; the line says so."""
    margin, _ = exactly(lambda x: sign(sqrt(x) * sqrt(x) - x), x=Fraction(2))
    assert margin.decision is Decision.UNDECIDED
    assert "sign is unknown" in margin.line


def test_a_predicate_that_raises_is_located():
    """The error has the name of the predicate, the exception, the file and the line."""

    def divide(x):
        return 1 / (x - x)

    with pytest.raises(BadClaim, match=r"f\(\) raised ZeroDivisionError: .* \(at .*test_evaluate\.py:\d+\)") as caught:
        exactly(divide, x=Fraction(1))
    assert "assumption that excludes the case" in caught.value.hint


def test_our_own_errors_pass():
    """A predicate may refuse a case with a message of its own."""

    def refuse(x):
        raise BadInput("the half space is empty")

    with pytest.raises(BadInput, match="the half space is empty"):
        exactly(refuse, x=1)


def test_a_parameter_that_is_no_field_is_named():
    """With the fields that there are."""
    with pytest.raises(BadClaim, match=r"needs 'z', but the case has \['x'\]"):
        exactly(lambda z: z, x=1)


def float_claim(conclusion, **rest):
    return planted(conclusion, kind=Kind.DYNAMICS, **rest)


def test_dynamics_compute_in_floats():
    """Arrays are float64, fractions floats, and so are constants."""

    def conclusion(x, *, c=Fraction(1, 2)):
        return float(isinstance(x, float) and isinstance(c, float)) - 0.5

    margin, level, arithmetic = evaluate_conclusion(float_claim(conclusion), Case.of(x=Fraction(1)), Run())
    assert (margin.decision, level, arithmetic) == (Decision.HOLDS, "repeated", "float64")


def asked(slack_at):
    """A claim whose slack depends on the tolerance, with the list of tolerances that were asked."""
    tolerances = []

    def conclusion(x, tolerance):
        tolerances.append(tolerance)
        return Margin(Fraction(slack_at(tolerance)), Fraction(1, 100))

    return float_claim(conclusion), tolerances


def test_a_violation_that_a_finer_tolerance_removes_does_not_count():
    """It was integration error: the finer run decides."""
    claim, tolerances = asked(lambda tolerance: -1 if tolerance > CONFIRMING_TOLERANCE else 1)
    margin, *_ = evaluate_conclusion(claim, Case.of(x=1), Run())
    assert margin.decision is Decision.HOLDS
    assert tolerances == [TOLERANCE, CONFIRMING_TOLERANCE]


def test_a_violation_that_stays_counts():
    """The finer run confirms it."""
    claim, tolerances = asked(lambda tolerance: -1)
    assert evaluate_conclusion(claim, Case.of(x=1), Run())[0].violated
    assert len(tolerances) == 2


def test_what_holds_is_computed_once():
    """Only a failure is worth a second run."""
    claim, tolerances = asked(lambda tolerance: 1)
    assert not evaluate_conclusion(claim, Case.of(x=1), Run())[0].violated
    assert tolerances == [TOLERANCE]


@pytest.mark.filterwarnings("error")
def test_overflow_is_an_error_not_a_warning():
    """A predicate that overflows is reported with the value that it returned."""
    with pytest.raises(BadClaim, match="returned inf"):
        evaluate_conclusion(float_claim(lambda x: np.exp(x * 1e4)), Case.of(x=1.0), Run())


def test_randomness_depends_on_the_case_alone():
    """The same case gives the same draws in every order and in every run; another case gives others."""

    def draw(x, rng):
        return rng.random()

    def value(x, seed=0):
        return evaluate_conclusion(float_claim(draw), Case.of(x=x), Run(seed=seed))[0].value

    assert value(1) == value(1) == value(1, seed=1)
    assert value(1) != value(2)


def test_the_engine_supplies_what_a_conclusion_names():
    """Trials of the profile and the device of the run."""
    seen = {}

    def conclusion(x, trials, device):
        seen.update(trials=trials, device=device)
        return x

    evaluate_conclusion(float_claim(conclusion), Case.of(x=1), Run(device="cuda"))
    assert seen == {"trials": Run().profile.trials, "device": "cuda"}


def test_constants_are_lifted_and_moved():
    """Fractions among the constants are numbers of the arithmetic; a mutant's value replaces the default."""
    seen = []

    def conclusion(x, *, c=Fraction(1, 2), n=3, word="one"):
        seen.append((c, n, word))
        return at_least(c * x, 0)

    claim = planted(conclusion)
    evaluate_conclusion(claim, Case.of(x=Fraction(1)), Run())
    evaluate_conclusion(replace(claim, constants={"c": Fraction(-1)}), Case.of(x=Fraction(1)), Run())
    assert seen == [(fmpq(1, 2), 3, "one"), (fmpq(-1), 3, "one")]
    assert type(seen[0][0]) is fmpq


def test_assumptions_are_checked_exactly():
    """0 < 10^-400 is met, 0 < 0 is not."""
    assert evaluate_assumption(POSITIVE, Case.of(x=Fraction(1, 10**400))).decision is Decision.HOLDS
    assert evaluate_assumption(POSITIVE, Case.of(x=Fraction(0))).decision is Decision.VIOLATED


def test_judging_stops_at_the_first_unmet_assumption():
    """Neither later assumptions nor the conclusion are evaluated."""

    def conclusion(x):
        raise AssertionError("not to be called")

    judgement = judge(planted(conclusion, assumes=(POSITIVE, IMPOSSIBLE)), Case.of(x=Fraction(1)), Run())
    assert isinstance(judgement, Unmet)
    assert judgement.assumption is IMPOSSIBLE
    assert judgement.slack.value == -9
    assert [assumption for assumption, _ in judgement.assumptions] == [POSITIVE]


def test_a_judgement_says_how_it_was_reached():
    """Exact in rationals, certified in balls."""
    case = Case.of(x=Fraction(2))
    assert judge(planted(lambda x: x), case, Run()).level == "exact"
    assert judge(planted(lambda x: sqrt(x)), case, Run()).level == "certified"


def test_sign_unknown_is_not_an_error_of_the_predicate():
    """It is for the engine to handle, as `Inexact` is."""
    with pytest.raises(SignUnknown):
        sign(arb(0, 1))


@pytest.mark.parametrize(
    ("grades", "level"),
    [
        ([], "repeated"),
        (["confirmed", "certified"], "confirmed"),
        (["confirmed", "repeated"], "repeated"),
        (["certified"], "certified"),
    ],
)
def test_a_violation_in_floats_has_the_level_of_the_weakest_answer(grades, level):
    """Nobody is asked before there is something to certify."""
    seen = []

    def conclusion(x, tolerance):
        seen.append(confirmation.asked())
        for grade in grades:
            confirmation.answered(grade)
        return -1.0

    claim, case = float_claim(conclusion), Case.of(x=Fraction(1))
    assert evaluate_conclusion(claim, case, Run())[1] == "repeated"
    margin, found, _ = evaluate_conclusion(claim, case, Run(), certify=True)
    assert margin.violated
    assert found == level
    assert seen == [False, False, False, True]


@pytest.mark.parametrize("value", [-1.0, 1.0, 0.0])
def test_methods_that_contradict_each_other_decide_nothing(value):
    """Whatever the margin, and whatever others answer; the line names the two methods and says by
    how much they differ.
    """

    def conclusion(x, tolerance):
        if not confirmation.asked():
            return -1.0
        confirmation.answered("confirmed")
        confirmation.answered("contradicted", "one method and another", 0.5, 1e-6)
        return at_least(value, 0, "x")

    margin, level, _ = evaluate_conclusion(float_claim(conclusion), Case.of(x=Fraction(1)), Run(), certify=True)
    assert margin.decision is Decision.UNDECIDED
    assert level == "contradicted"
    assert margin.line.startswith("one method and another differ by 0.5, and their errors allow 1e-06; x")


def test_a_case_that_floats_round_is_not_certified():
    """The enclosure is one of the rounded case."""

    def conclusion(x, tolerance):
        confirmation.answered("certified")
        return -1.0

    assert (
        evaluate_conclusion(float_claim(conclusion), Case.of(x=Fraction(1, 3)), Run(), certify=True)[1] == "confirmed"
    )


@pytest.mark.parametrize(
    ("grades", "level"), [([], "repeated"), (["confirmed"], "confirmed"), (["confirmed", "repeated"], "repeated")]
)
def test_a_conclusion_without_a_tolerance_is_asked_too(grades, level):
    """Once more, inside `confirming`, and only when it is violated and to be certified."""
    seen = []

    def conclusion(x):
        seen.append(confirmation.asked())
        for grade in grades:
            confirmation.answered(grade)
        return x

    claim, violated = float_claim(conclusion), Case.of(x=Fraction(-1))
    assert evaluate_conclusion(claim, violated, Run())[1] == "repeated"
    assert evaluate_conclusion(claim, Case.of(x=Fraction(1)), Run(), certify=True)[1] == "repeated"
    assert seen == [False, False]
    margin, found, _ = evaluate_conclusion(claim, violated, Run(), certify=True)
    assert margin.violated
    assert found == level
    assert seen[2:] == [False, True]


def test_what_a_second_method_widens_counts():
    """A violation that does not survive the wider error is none."""
    claim = float_claim(lambda x: at_least(x, 0, error=2.0 if confirmation.asked() else 0.0))
    case = Case.of(x=Fraction(-1))
    assert evaluate_conclusion(claim, case, Run())[0].violated
    assert not evaluate_conclusion(claim, case, Run(), certify=True)[0].violated


def _in_balls(conclusion):
    return replace(float_claim(conclusion), in_balls=True)


def test_a_conclusion_that_works_in_balls_certifies_its_violation():
    """The margin is then that of the balls, and no integrator is asked; who wants no certificate gets floats."""
    seen = []

    def conclusion(x):
        seen.append(type(x))
        assert not confirmation.asked()
        return at_least(sqrt(x), 2)

    margin, level, arithmetic = evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(3)), Run(), certify=True)
    assert (margin.violated, level, arithmetic) == (True, "certified", "balls, 192 bits")
    assert margin.error > 0
    assert evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(1)), Run(), certify=True)[1:] == (
        "exact",
        "rationals",
    )
    seen.clear()
    evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(5)), Run())
    evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(3)), Run())
    assert seen == [float, float]


def test_what_balls_refute_does_not_hold_in_floats():
    """A violation too small for floats is one."""
    claim = _in_balls(lambda x: at_least(1, x))
    case = Case.of(x=1 + Fraction(1, 10**30))
    assert evaluate_conclusion(claim, case, Run())[0].decision is Decision.HOLDS
    margin, level, _ = evaluate_conclusion(claim, case, Run(), certify=True)
    assert (margin.decision, level) == (Decision.VIOLATED, "exact")


@pytest.mark.parametrize("in_balls", ["undecided", "cannot"])
def test_where_balls_do_not_show_the_violation_the_integrators_are_asked(in_balls):
    def conclusion(x):
        if isinstance(x, float):
            confirmation.answered("confirmed")
            return -1.0
        if in_balls == "cannot":
            raise BadInput("too long for balls")
        return at_least(0, arb(0, 1))

    margin, level, arithmetic = evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(1)), Run(), certify=True)
    assert (margin.violated, level, arithmetic) == (True, "confirmed", "float64")


def test_what_holds_in_balls_is_not_refuted_in_floats():
    """A rigorous answer wins in both directions, and no integrator is asked."""

    def conclusion(x):
        assert not confirmation.asked()
        return -1.0 if isinstance(x, float) else at_least(sqrt(x), 1)

    margin, level, _ = evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(3)), Run(), certify=True)
    assert (margin.decision, level) == (Decision.HOLDS, "certified")


def test_every_arithmetic_draws_the_same_numbers():
    """The random stream starts anew in floats, in rationals and at every precision of the balls."""
    drawn = []

    def conclusion(x, *, rng):
        drawn.append(float(rng.random()))
        return at_least(sqrt(x), 2)

    evaluate_conclusion(_in_balls(conclusion), Case.of(x=Fraction(3)), Run(), certify=True)
    assert len(drawn) == 3
    assert len(set(drawn)) == 1


@pytest.mark.parametrize(("left", "error"), [(-0.25, Fraction(1, 10**9)), (-3.0, 3 * ROUNDING)])
def test_an_experiment_is_trusted_to_a_billionth(left, error):
    """Processors differ in the last digits of what training ends in; a count only has the rounding of floats."""
    claim = planted(lambda x: at_least(left, 0.0, "what was trained"), kind=Kind.EXPERIMENT)
    margin = judge(claim, Case.of(x=Fraction(0)), Run()).margin
    assert (margin.value, margin.error) == (Fraction(left), error)
