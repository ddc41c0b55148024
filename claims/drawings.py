"""How the network of a counterexample trains, for pictures: gradient flow of the loss that its paper studies."""

import numpy as np

from refute import Case
from refute.arithmetic.numbers import FLOAT
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.flow import gradient_flow
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE
from refute.models.network import TwoLayer
from refute.models.training import Stop
from refute.show.report.motion import Motion, drawer

LOSSES = {"kou2023": LOGISTIC, "min2024": EXPONENTIAL_SUM}  # the others study the square loss
NAMED = {"square": SQUARE, "logistic": LOGISTIC, "exponential": EXPONENTIAL_SUM}
WORDS = {SQUARE: "square", LOGISTIC: "logistic", EXPONENTIAL_SUM: "exponential"}
MOST_WEIGHTS, MOST_SAMPLES, POINTS = 64, 32, 121
BUDGET = 20_000  # evaluations of the field: a picture is worth no more


@drawer
def gradient_flow_from_the_network(id: str, case: Case) -> Motion | None:
    """From the network of the case, on its data; None where there are none, or where the flow could not be followed to
    its end.
    """
    nets, sets = ([value for value in case.values() if isinstance(value, kind)] for kind in (TwoLayer, Dataset))
    if len(nets) != 1 or len(sets) != 1:
        return None
    net, data = lift(nets[0], FLOAT), lift(sets[0], FLOAT)
    if (
        net.inner.size > MOST_WEIGHTS
        or len(data.labels) > MOST_SAMPLES
        or net.inner.shape[1] != data.inputs.shape[1]
        or not net.inner.any()
    ):
        return None
    loss = NAMED.get(str(case.get("loss")), LOSSES.get(id.split(".")[0], SQUARE))
    time = np.linspace(0, _horizon(net, data), POINTS)
    run = gradient_flow(net, data, loss, time[1:], tolerance=1e-6, budget=BUDGET)
    if run.stop is not Stop.HORIZON:
        return None
    outputs = np.concatenate([[net(data.inputs)], run.outputs(data.inputs)])
    losses = np.array([float(loss.value(data.labels, each)) for each in outputs])
    words = (
        f"Gradient flow of the {WORDS[loss]} loss from the network of this case, drawn for illustration: no part "
        f"of the verdict."
    )
    return Motion(time, np.concatenate([[net.inner], run.inner]), losses, words)


def _horizon(net: TwoLayer, data: Dataset) -> float:
    """Long enough to leave a small start and to settle: the correlation of data and labels sets the pace."""
    pull = float(np.abs(data.labels) @ np.linalg.norm(data.inputs, axis=1)) / len(data.labels)
    size = float(np.linalg.norm(net.inner))
    return (10 + 2 * max(0.0, -float(np.log(size)))) / max(pull, 0.05)
