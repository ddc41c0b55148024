"""Claims: what the decorator accepts, and the wrong statements that mutants make of them."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import find, settings

from refute import Claim, Kind, Mutant, at_least, claim, moved, without
from refute.errors import BadClaim
from refute.language.claim import default_id, liftable, place_of
from refute.language.registry import claims, find_claim
from tests.planted import POSITIVE, RATIONALS, planted

pytestmark = pytest.mark.usefixtures("fresh_registry")


def square_is_larger(x, *, power=2, shift=Fraction(0)):
    """x^2 >= x."""
    return at_least(x**power + shift, x)


def as_claim(function: Callable, id: str = "notes.a", **rest) -> Claim:
    return claim(id, **rest)(function)


def test_a_claim_is_registered_under_its_id():
    """The decorator returns the claim, and the registry knows it."""
    made = as_claim(square_is_larger, reference="Lemma 1", given=RATIONALS, recorded="refuted", convention="x real")
    assert find_claim("notes.a") is made
    assert claims() == [made]
    assert (made.paper, made.name, made.statement) == ("notes", "square_is_larger", "x^2 >= x.")
    assert (made.reference, made.recorded, made.convention, made.kind) == (
        "Lemma 1",
        "refuted",
        "x real",
        Kind.ALGEBRAIC,
    )
    assert made.place == place_of(square_is_larger)


def test_the_id_defaults_to_module_and_function():
    """Ten lines suffice for a conjecture."""
    assert claim()(square_is_larger).id == "test_claim.square_is_larger" == default_id(square_is_larger)


def test_a_second_claim_with_the_same_id_names_both_places():
    """Ids are unique; registering the same function again is not a second claim."""
    as_claim(square_is_larger)
    as_claim(square_is_larger)

    def other(x):
        """Another statement."""
        return x

    with pytest.raises(BadClaim) as caught:
        as_claim(other)
    assert "two claims are called 'notes.a'" in caught.value.message
    assert place_of(square_is_larger) in caught.value.message
    assert place_of(other) in caught.value.message


@pytest.mark.parametrize("word", ["true", "Refuted", "broken", ""])
def test_only_a_verdict_can_be_recorded(word):
    """The error lists the verdicts."""
    with pytest.raises(BadClaim, match=f"recorded='{word}' is not a verdict") as caught:
        as_claim(square_is_larger, recorded=word)
    assert "proved, supported, refuted" in caught.value.hint


def test_a_constant_needs_a_default():
    """A keyword-only parameter is a constant of the statement, which has a value."""

    def without_default(x, *, factor):
        return x * factor

    with pytest.raises(BadClaim, match="the constant 'factor' has no default value"):
        as_claim(without_default)


def test_injected_names_need_no_default():
    """The engine supplies them."""

    def random_statement(x, *, rng, tolerance, trials, device):
        return x

    assert as_claim(random_statement).name == "random_statement"


@pytest.mark.parametrize("function", [lambda *values: 1, lambda **values: 1], ids=["positional", "keyword"])
def test_fields_must_be_named(function):
    """*args and **kwargs do not say which fields the conclusion uses."""
    with pytest.raises(BadClaim, match=r"takes \*values"):
        as_claim(function)


def test_a_mutant_moves_constants_that_exist():
    """A misspelt constant would be a mutant that changes nothing."""
    with pytest.raises(BadClaim, match=r"has no constant called \['powr'\]"):
        as_claim(square_is_larger, mutants=[moved("cube", powr=3)])


def test_a_mutant_may_bring_its_own_conclusion():
    """Its constants are then those of that conclusion."""

    def cube(x, *, degree=3):
        return x**degree

    assert (
        as_claim(square_is_larger, mutants=[Mutant("cube", {"degree": 5}, conclusion=cube)]).mutants[0].conclusion
        is cube
    )
    with pytest.raises(BadClaim, match=r"no constant called \['power'\]"):
        as_claim(square_is_larger, id="notes.b", mutants=[Mutant("cube", {"power": 5}, conclusion=cube)])


def test_wrong_arguments_are_named():
    """Forgotten parentheses, a kind that is none, a strategy that is none, an id that is none."""
    with pytest.raises(BadClaim, match="has no parentheses"):
        claim(square_is_larger)  # type: ignore[arg-type]
    with pytest.raises(BadClaim, match="kind='algebraic' is not a kind"):
        claim("notes.a", kind="algebraic")  # type: ignore[arg-type]
    with pytest.raises(BadClaim, match="is not a strategy"):
        as_claim(square_is_larger, given={"x": 1})
    with pytest.raises(BadClaim, match="the id of a claim is a string, got 7"):
        claim(7)  # type: ignore[arg-type]


def test_a_moved_constant_is_a_claim_of_its_own():
    """The mutant keeps the cases and drops what is recorded, proved and pinned to the right statement."""
    right = planted(
        square_is_larger,
        assumes=(POSITIVE,),
        recorded="proved",
        proof=lambda: "by hand",
        mutants=(moved("cube", power=3),),
    )
    wrong = right.mutated(right.mutants[0])
    assert wrong.id == "planted.square_is_larger[cube]"
    assert wrong.constants == {"power": 3}
    assert (wrong.recorded, wrong.proof, wrong.mutants) == (None, None, ())
    assert wrong.assumes == (POSITIVE,)
    assert wrong.broken == ()
    assert right.constants == {}


def test_a_dropped_assumption_is_violated():
    """It leaves the assumptions and its violating repair is applied."""
    wrong = planted(square_is_larger, assumes=(POSITIVE,)).mutated(without(POSITIVE))
    assert wrong.assumes == ()
    assert wrong.broken == (POSITIVE,)
    assert wrong.id == 'planted.square_is_larger[without "x is positive"]'


def test_mutations_add_up():
    """A mutant of a mutant keeps the constants that were moved before."""
    once = planted(square_is_larger).mutated(moved("cube", power=3))
    assert once.mutated(moved("shifted", shift=Fraction(1))).constants == {"power": 3, "shift": 1}


def test_the_strategy_draws_the_fields():
    """Of `given`, repaired; a claim about explicit instances has none."""
    strategy = planted(square_is_larger).strategy()
    assert strategy is not None
    assert set(find(strategy, lambda fields: True, settings=settings(database=None))) == {"x"}
    assert planted(square_is_larger, instances=()).strategy() is None


def test_instances_are_made_exact():
    """Explicit cases are cases."""
    made = as_claim(square_is_larger, instances=[{"x": 0.5}])
    assert made.instances[0]["x"] == 0.5
    assert made.instances[0].digest()


def test_only_fractions_among_the_constants_are_lifted():
    """Counts, words and floats are handed over as they are."""
    assert liftable(Fraction(1, 2))
    assert not any(liftable(value) for value in (1, 0.5, "word", (1, 2)))


def test_kinds_have_markers_and_arithmetic():
    """Seven kinds, each with a marker of one word; three of them are decided exactly."""
    assert len(Kind) == 7
    assert all(kind.marker.isidentifier() for kind in Kind)
    assert {kind for kind in Kind if kind.exact} == {Kind.SYMBOLIC, Kind.ALGEBRAIC, Kind.EXISTENCE}
