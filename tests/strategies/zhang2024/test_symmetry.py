"""Repairs of symmetry change what they name and leave the rest."""

from hypothesis import given
from hypothesis import strategies as st

from refute.models.zhang2024.symmetry import evenness_defect, oddness_defect, rank_one_defects, sign_imbalance
from refute.strategies import dataset, sized, two_layer
from refute.strategies.zhang2024 import symmetry as repair

datasets = sized(data=dataset).strategy.map(lambda fields: fields["data"])
networks = sized(net=two_layer).strategy.map(lambda fields: fields["net"])
draws = st.data()


def rows(data):
    return [(*x, y) for x, y in zip(data.inputs, data.labels, strict=True)]


@given(draws, datasets)
def test_mirrored_inputs_are_even(draws, data):
    """The drawn samples are all kept."""
    mirrored = repair.mirror_inputs(draws.draw, data)["data"]
    assert evenness_defect(mirrored.inputs) == 0
    assert rows(mirrored)[: len(data.labels)] == rows(data)


@given(draws, datasets)
def test_unmirroring_keeps_labels_odd(draws, data):
    """Inputs are no longer even, while odd labels stay odd: the assumption is dropped alone."""
    odd = repair.odd_labels(draws.draw, repair.mirror_inputs(draws.draw, data)["data"])["data"]
    broken = repair.unmirror_inputs(draws.draw, odd)["data"]
    assert evenness_defect(broken.inputs) > 0
    assert oddness_defect(broken.inputs, broken.labels) == 0


@given(draws, datasets)
def test_odd_labels_are_odd(draws, data):
    """The inputs stay as they are, repeated ones included."""
    odd = repair.odd_labels(draws.draw, data)["data"]
    assert oddness_defect(odd.inputs, odd.labels) == 0
    assert (odd.inputs == data.inputs).all()


@given(draws, datasets)
def test_breaking_oddness_keeps_inputs_even(draws, data):
    """The label of a pair is no longer odd."""
    even = repair.mirror_inputs(draws.draw, data)["data"]
    broken = repair.unodd_labels(draws.draw, even)["data"]
    assert oddness_defect(broken.inputs, broken.labels) > 0
    assert evenness_defect(broken.inputs) == 0


@given(draws, datasets)
def test_sign_labels_are_signs(draws, data):
    """And doubled ones are not, while odd labels stay odd."""
    signed = repair.sign_labels(draws.draw, data)["data"]
    assert {abs(y) for y in signed.labels} == {1}
    odd = repair.odd_labels(draws.draw, signed)["data"]
    doubled = repair.double_labels(draws.draw, odd)["data"]
    assert oddness_defect(doubled.inputs, doubled.labels) == 0
    assert all(abs(y) != 1 for y in doubled.labels)


@given(draws, networks)
def test_balanced_signs_are_balanced(draws, net):
    """Positive and negative outer weights have the same norm; the size and slope are kept."""
    balanced = repair.balance_signs(draws.draw, net)["net"]
    assert sign_imbalance(balanced.outer) == 0
    assert balanced.inner.shape == net.inner.shape
    assert balanced.slope == net.slope
    if net.width > 1:
        assert balanced.outer.any()


@given(draws, networks)
def test_unbalancing_keeps_rank_one(draws, net):
    """The imbalance is the only thing that changes."""
    ranked = repair.make_rank_one(draws.draw, repair.balance_signs(draws.draw, net)["net"])["net"]
    broken = repair.unbalance_signs(draws.draw, ranked)["net"]
    assert sign_imbalance(broken.outer) != 0
    assert rank_one_defects(broken.inner, broken.outer) == (0, 0)


@given(draws, networks)
def test_rank_one_networks_have_rank_one(draws, net):
    """With a unit direction; the outer weights are kept, so balanced signs stay balanced."""
    ranked = repair.make_rank_one(draws.draw, net)["net"]
    assert rank_one_defects(ranked.inner, ranked.outer) == (0, 0)
    assert (ranked.outer == net.outer).all()


@given(draws, networks)
def test_breaking_rank_one_keeps_the_outer_weights(draws, net):
    """A rank-one network is one no longer."""
    ranked = repair.make_rank_one(draws.draw, net)["net"]
    broken = repair.break_rank_one(draws.draw, ranked)["net"]
    assert any(rank_one_defects(broken.inner, broken.outer))
    assert (broken.outer == net.outer).all()
