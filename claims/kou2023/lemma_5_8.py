"""Lemma 5.8: neurons of a ReLU network that start active stay active on samples of their class; so says Lemma E.1."""

from refute import Kind, Margin, all_of, changed, derived, less, mutants, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, near_orthogonal
from refute.claims.kou2023.relu_runs import GIVEN, RUN
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import unroll

OF_OTHERS = changed("of the other class", active=Active.of_the_other_class, first=Active.of_the_other_class)


@derived
def first(data: Dataset, net: TwoLayer, rate: Number) -> Active:
    """The first 200 steps, one by one."""
    return Active(unroll(net, data, rate=rate, steps=200))


main = section(
    "kou2023",
    "lemma_5_8",
    "Lemma 5.8",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_APPENDIX,
    derived=[*RUN, first],
    recorded="supported",
)


@main.claim("relu_activation")
@mutants(OF_OTHERS, without(near_orthogonal))
def neurons_active_at_the_start_stay_active(active: Active, first: Active) -> Margin:
    r"""For $r\in S_i^{(0)}$ the sign of $\langle w^{(t)}_{y_i,r},x_i\rangle$ is 1 for all $t\ge0$, as at the start."""
    return all_of(less(0, first.signals, "first <w, x_i>"), less(0, active.signals, "<w, x_i>"))
