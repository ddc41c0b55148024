r"""Condition 3 on the data and Assumption 4 on the weights, used by the whole of section 4."""

from refute import Assumption, Margin, all_of, equal
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.symmetry import evenness_defect, oddness_defect, rank_one_defects, sign_imbalance
from refute.strategies import dataset, sized, two_layer
from refute.strategies.zhang2024 import symmetry as repair


def _even(data: Dataset) -> Margin:
    return equal(evenness_defect(data.inputs), 0, "largest |count(x) - count(-x)|")


def _odd(data: Dataset) -> Margin:
    return equal(oddness_defect(data.inputs, data.labels), 0, "largest |y(x) + y(-x)|")


def _rank_one(net: TwoLayer) -> Margin:
    residual, length = rank_one_defects(net.inner, net.outer)
    return all_of(equal(residual, 0, "W1 - W2^T r^T"), equal(length, 0, "|r|^2 - 1"))


def _equal_norms(net: TwoLayer) -> Margin:
    return equal(sign_imbalance(net.outer), 0, "|W2+|^2 - |W2-|^2")


even_inputs = Assumption(
    "zhang2024.condition_3.even_inputs",
    "the empirical input law is even, p(x) = p(-x)",
    _even,
    base=sized(data=dataset),
    satisfy=repair.mirror_inputs,
    violate=repair.unmirror_inputs,
)

odd_target = Assumption(
    "zhang2024.condition_3.odd_target",
    "the target is odd, y(x) = -y(-x)",
    _odd,
    base=sized(data=dataset),
    satisfy=repair.odd_labels,
    violate=repair.unodd_labels,
)

equal_norms = Assumption(
    "zhang2024.assumption_4.equal_norms",
    "positive and negative outer weights have equal norm",
    _equal_norms,
    base=sized(net=two_layer),
    satisfy=repair.balance_signs,
    violate=repair.unbalance_signs,
)

# Applied after `equal_norms`: the rows of W1 follow the outer weights.
rank_one = Assumption(
    "zhang2024.assumption_4.rank_one",
    "W1 = W2^T r^T with a unit vector r",
    _rank_one,
    base=sized(net=two_layer),
    satisfy=repair.make_rank_one,
    violate=repair.break_rank_one,
)

CONDITION_3 = [even_inputs, odd_target]
ASSUMPTION_4 = [equal_norms, rank_one]
