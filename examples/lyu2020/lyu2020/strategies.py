"""Networks that classify: labels are the signs of the outputs, and the weights are long enough."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from refute.models import Dataset, TwoLayer
from refute.strategies import drawn, signed, signed_data, sized, slopes, two_layer
from refute.strategies.datasets import unscaled_dataset

SETTING = sized(net=two_layer, data=signed_data)
INSTANTS = sized(net=two_layer, data=signed_data, at_zero=slopes())
FLOWS = sized(net=two_layer, data=signed(unscaled_dataset), samples=drawn(2, 4), dimension=drawn(1, 2))
PAIRS = sized(
    net=two_layer, data=signed(unscaled_dataset), samples=drawn(1, 2), width=drawn(1, 2), dimension=drawn(1, 2)
)


def classify(draw, net: TwoLayer, data: Dataset) -> dict[str, Any]:
    """Samples with an output keep its sign as label; both layers are multiplied until every margin exceeds log n."""
    outputs = np.asarray(net(data.inputs))
    kept = outputs != 0
    if not kept.any():
        net, outputs, kept = _one_neuron(data), np.ones(1, dtype=object), [True]
        data = Dataset(net.inner, [1])
    labels = [Fraction(1 if f > 0 else -1) for f in outputs[kept]]
    wanted = math.log(len(labels)) + draw(st.sampled_from([0.5, 1.0, 3.0]))
    factor = Fraction(math.ceil(8 * math.sqrt(wanted / float(min(abs(outputs[kept]))))), 8)
    return {
        "net": TwoLayer(factor * net.inner, factor * net.outer, net.slope),
        "data": Dataset(data.inputs[kept], labels),
    }


def _one_neuron(data: Dataset) -> TwoLayer:
    return TwoLayer([[int(k == 0) for k in range(data.inputs.shape[1])]], [1], 0)


def mistake(draw, net: TwoLayer, data: Dataset) -> dict[str, Dataset]:
    """The first sample is there twice, with the label that the network does not give it."""
    label = Fraction(-1 if net(data.inputs[0]) > 0 else 1)
    return {"data": Dataset([*data.inputs, data.inputs[0]], [label, *data.labels[1:], label])}
