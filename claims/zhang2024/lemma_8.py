"""Lemma 8: the second moments of the hidden layer."""

from refute import Margin, all_of, at_most, equal, mutants, scaled, section, strict
from refute.claims.zhang2024.norms import second_moments
from refute.functions import mean, squared_norm
from refute.models import Dataset, TwoLayer
from refute.strategies import dataset, sized, two_layer

NETWORKS = sized(net=two_layer, data=dataset)
lemma = section("zhang2024", "lemma_8", "Lemma 8")


@lemma.claim("second_moment_bound", "and its proof", given=NETWORKS, proof=second_moments, recorded="proved")
@mutants(strict("first"), *(scaled("99/100", line) for line in ("first", "second", "third", "fourth")))
def second_moments_of_the_hidden_layer_are_bounded(net: TwoLayer, data: Dataset) -> Margin:
    r"""Every link of $\|\langle\sigma\sigma^\top\rangle\|\le\langle\|\sigma\|^2\rangle\le\langle\|W_1x\|^2\rangle
    \le\langle\|W_1\|^2\|x\|^2\rangle=\|W_1\|^2\,\mathrm{Tr}\,\Sigma$, with $\sigma=\sigma(W_1x)$.

    The first link compares squares, so that the Frobenius norm stays rational. It is attained by a single point.
    """
    hidden, inner = net.hidden(data.inputs), squared_norm(net.inner)
    of_hidden, of_pre = (mean((rows**2).sum(axis=1)) for rows in (hidden, data.inputs @ net.inner.T))
    of_product = mean(inner * (data.inputs**2).sum(axis=1))
    return all_of(
        at_most(squared_norm(hidden.T @ hidden / len(hidden)), of_hidden**2, "first link, squared"),
        at_most(of_hidden, of_pre, "second link"),
        at_most(of_pre, of_product, "third link"),
        equal(of_product, inner * data.covariance.trace(), "fourth link"),
    )
