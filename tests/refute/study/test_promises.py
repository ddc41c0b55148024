"""Assumptions of an author are held to what their repairs promise."""

from fractions import Fraction
from pathlib import Path

from refute import assumption, at_least, at_most, broken_promises, equal
from refute.models import Dataset, TwoLayer
from refute.strategies import dataset, sized, two_layer
from tests.refute.conftest import Refute

DATA = sized(data=dataset)
NETS = sized(net=two_layer)


def labels(sign: int):
    return lambda draw, data: {"data": Dataset(data.inputs, sign * abs(data.labels))}


def lower(draw, data):
    return {"data": Dataset(data.inputs, [-1, *data.labels[1:]])}


def nonnegative(satisfy, violate):
    """The condition with these repairs."""

    @assumption("label.nonnegative", base=DATA, satisfy=satisfy, violate=violate)
    def condition(data):
        """no label is negative"""
        return at_least(data.labels, 0)

    return condition


def test_good_repairs_are_passed_over_in_silence():
    """Nothing is said where all is well."""
    assert broken_promises(nonnegative(labels(1), lower)) == []


def test_a_satisfy_that_does_not_satisfy_is_named_with_a_case():
    """It would leave a theorem untested."""
    [breach] = broken_promises(nonnegative(labels(-1), lower))
    assert "`satisfy` makes a case in which it does not hold" in str(breach)
    assert breach.case is not None


def test_a_violate_that_does_not_violate_is_named():
    """It would make an assumption look superfluous."""
    [breach] = broken_promises(nonnegative(labels(1), labels(1)))
    assert "`violate` makes a case in which it still holds" in str(breach)


def test_a_satisfy_that_only_knows_the_smallest_case_is_named():
    """A theorem about one sample is another theorem."""
    breaches = broken_promises(nonnegative(lambda draw, data: {"data": Dataset([[1]], [1])}, lower))
    assert any("more than one of samples of data" in str(breach) for breach in breaches)


def small(violate):
    """An assumption of small outputs."""

    @assumption("net.positive", base=NETS, violate=violate)
    def positive(net):
        """the first outer weight is positive"""
        return at_least(net.outer[0], Fraction(1, 100))

    return positive


def test_a_violate_that_makes_everything_zero_is_named():
    """Of a network of zeros nothing can be seen."""
    [breach] = broken_promises(small(lambda draw, net: {"net": TwoLayer(net.inner, 0 * net.outer, net.slope)}))
    assert "`violate` makes net.outer zero in every case" in str(breach)


def test_a_violate_that_breaks_another_assumption_is_named(monkeypatch):
    """Dropping one would drop the other as well."""
    from refute import claim
    from refute.language import registry

    monkeypatch.setattr(registry, "_claims", {})
    first = nonnegative(labels(1), lambda draw, data: {"data": Dataset(data.inputs, [-3, *data.labels[1:]])})

    @assumption(
        "label.bounded", base=DATA, satisfy=lambda draw, data: {"data": Dataset(data.inputs, data.labels / 400)}
    )
    def bounded(data):
        """labels are at most one in size"""
        return at_most(abs(data.labels), 1)

    @claim("probe.both", given=DATA, assumes=[bounded, first])
    def both(data):
        """0 = 0"""
        return equal(data.labels, data.labels)

    [breach] = broken_promises(first, [both])
    assert "`violate` breaks another assumption of probe.both" in str(breach)


POOR = """
from refute import assumption, at_least, claim, equal
from refute.strategies import dataset, sized

@assumption("label.nonnegative", base=sized(data=dataset), satisfy=lambda draw, data: {})
def nonnegative(data):
    "no label is negative"
    return at_least(data.labels, 0)

@claim("poor.labels", given=sized(data=dataset), assumes=[nonnegative], recorded="supported")
def same(data):
    "y = y"
    return equal(data.labels, data.labels)
"""


def test_check_says_so(refute: Refute, tmp_path: Path, monkeypatch):
    """And its exit code is that of a claim that did not earn its verdict."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "poor.py").write_text(POOR)
    done = refute("check", "poor.py")
    assert 'assumption "no label is negative": `satisfy` makes a case in which it does not hold' in done.stdout
    assert done.exit_code == 1
