"""The network of a case trains before the reader's eyes, or not at all."""

import numpy as np
import pytest

from refute import Case
from refute.claims.drawings import gradient_flow_from_the_network as flow
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.show.report.motion import motion

pytestmark = pytest.mark.slow

NET = TwoLayer(inner=[["1/10", 0], [0, "1/10"]], outer=["1/10", "-1/10"], slope="1/2")
DATA = Dataset(inputs=[[1, 0], [0, 1]], labels=[1, -1])


@pytest.mark.parametrize(
    ("id", "loss"), [("zhang2024.x", "square"), ("kou2023.x", "logistic"), ("min2024.x", "exponential")]
)
def test_the_loss_of_the_paper_falls(id: str, loss: str):
    """From the weights of the case on, at increasing times."""
    found = flow(id, Case.of(net=NET, data=DATA))
    assert found is not None
    assert loss in found.words
    assert np.array_equal(found.inner[0], np.array(NET.inner, dtype=float))
    assert (np.diff(found.time) > 0).all()
    assert (np.diff(found.loss) <= 1e-9).all()
    assert found.loss[-1] < found.loss[0] / 2


def test_a_case_may_name_its_loss():
    """It goes before that of the paper."""
    found = flow("min2024.x", Case.of(net=NET, data=DATA, loss="logistic"))
    assert found is not None
    assert "logistic" in found.words


def test_without_one_network_and_one_dataset_nothing_is_drawn():
    """Nor for large ones, nor where nothing moves."""
    assert flow("p.x", Case.of(net=NET)) is None
    assert flow("p.x", Case.of(net=NET, other=NET, data=DATA)) is None
    wide = TwoLayer(inner=[[1, 0]] * 40, outer=[1] * 40, slope=0)
    assert flow("p.x", Case.of(net=wide, data=DATA)) is None
    dead = TwoLayer(inner=[[-1, -1]], outer=[1], slope=0)
    assert motion("p.x", Case.of(net=dead, data=DATA)) is None
