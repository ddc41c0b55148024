"""Claims that assume the same share their cases, and see those that Hypothesis would hand to each of them alone."""

from fractions import Fraction

import pytest
from hypothesis import reject
from hypothesis import strategies as st

from refute import Assumption, Case, Claim, Run, at_least, less
from refute.decide.evaluate import admissible
from refute.language.mutants import without
from refute.search import stream
from refute.search.draw import hunt
from refute.search.stream import FEW, Stream, cases_for, generated
from tests.planted import POSITIVE, RATIONALS, planted


@pytest.fixture(autouse=True)
def nothing_is_kept():
    """Each test begins with no streams."""
    stream.forget()


def holds(x):
    """x = x."""
    return at_least(x, x)


def holds_too(x):
    """2 x = 2 x."""
    return at_least(2 * x, 2 * x)


def small(x):
    """x <= 3."""
    return at_least(3, x)


def read(claim: Claim, run: Run) -> list[Case]:
    strategy = claim.strategy()
    assert strategy is not None
    return list(Stream.of(claim, strategy, run).read())


# No repair: of what is drawn, half is rejected.
FILTER = Assumption("above", "x is above minus one", lambda x: less(-1 + 0 * x, x), RATIONALS)


@pytest.mark.parametrize("assumes", [(), (POSITIVE,), (FILTER,)], ids=["nothing", "with a repair", "by rejection"])
def test_the_cases_are_those_of_a_search_by_itself(assumes):
    """The same ones in the same order, though the first few were drawn before the others."""
    claim, run = planted(holds, assumes=assumes), Run()
    alone: list[Case] = []

    def test(fields):
        alone.append(Case.of(**fields))
        if not admissible(claim, alone[-1]):
            reject()

    strategy = claim.strategy()
    assert strategy is not None
    generated(claim, strategy, run, test)
    found = read(claim, run)
    assert len(found) > FEW
    assert sum(admissible(claim, case) for case in found) == cases_for(claim, run)
    assert found == alone


def test_claims_of_a_section_share_their_cases():
    """Not equal ones, the same ones, also those of a mutant; other assumptions or another seed have others."""
    one, other = planted(holds, stream="section"), planted(holds_too, stream="section")
    first = read(one, Run())
    assert all(mine is yours for mine, yours in zip(first, read(other, Run()), strict=True))
    assert read(planted(holds, stream="elsewhere"), Run()) != first
    assert read(one, Run(seed=1)) != first
    narrower = planted(holds, stream="section", assumes=(POSITIVE,))
    assert read(narrower, Run()) != first
    assert read(narrower.mutated(without(POSITIVE)), Run())[0] is not first[0]


def test_an_assumption_is_examined_once_for_every_case():
    """However many claims are judged on it."""
    asked: list[Fraction] = []

    def margin(x):
        asked.append(x)
        return less(0 * x - 9, x)

    assumed = (Assumption("counted", "x is above minus nine", margin, RATIONALS),)
    for conclusion in (holds, holds_too):
        hunt(planted(conclusion, stream="section", assumes=assumed), Run())
    assert len(asked) == len(set(read(planted(holds, stream="section", assumes=assumed), Run())))


def test_what_falls_at_once_has_few_cases_drawn():
    """The others would not be judged."""
    drawn: list[Fraction] = []
    counted = st.fixed_dictionaries({"x": st.integers(4, 999).map(lambda x: drawn.append(Fraction(x)) or Fraction(x))})
    assert hunt(planted(small, given=counted), Run(shrink=False)).tried == 1
    assert len(drawn) < 2 * FEW


def test_an_error_comes_after_the_cases_before_it():
    """A claim that falls at the first case does so, whatever the strategy would raise later; one that holds is told."""

    def cases():
        calls: list[int] = []

        def breaking(x):
            calls.append(x)
            if len(calls) > 2 * FEW:
                raise ZeroDivisionError("at a later case")
            return Fraction(x)

        return st.fixed_dictionaries({"x": st.integers(0, 999).map(breaking)})

    assert hunt(planted(lambda x: less(x, x), given=cases()), Run(shrink=False)).tried == 1
    with pytest.raises(ZeroDivisionError, match="at a later case"):
        hunt(planted(holds, given=cases()), Run())
