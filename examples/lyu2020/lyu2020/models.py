"""Training as the theorems speak of it: sizes, speeds and margins of all weights together."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from refute import Enclosed
from refute.functions import exp, norm, sqrt, squared_norm
from refute.models import Dataset, Loss, TwoLayer, descent_direction
from refute.models.flow import Trajectory


@dataclass(frozen=True)
class Motion:
    """One instant of the flow: |theta|^2, |theta'|^2 and <theta, theta'>."""

    size: Any
    speed: Any
    outward: Any


def motion(net: TwoLayer, data: Dataset, loss: Loss, at_zero: Any) -> Motion:
    inner, outer = descent_direction(net, data, loss, at_zero)
    return Motion(
        squared_norm(net.inner) + squared_norm(net.outer),
        squared_norm(inner) + squared_norm(outer),
        (net.inner * inner).sum() + (net.outer * outer).sum(),
    )


@dataclass(frozen=True)
class Late:
    """Every recorded time of a flow of the exponential loss; margins are those of the direction theta / |theta|."""

    apart: Enclosed  # the distance of theta / |theta| from theta' / |theta'|
    slack: Enclosed  # how far the samples that pull lie above the smallest margin, on the average
    margin: Enclosed  # the smallest one


def total(layers: Iterable[Enclosed]) -> Enclosed:
    """The sum over all weights, at every time."""
    return sum((each.reshape(len(each), -1).sum(axis=1) for each in layers), Enclosed(0.0))


def at_each(values: Enclosed, weights: Enclosed) -> Enclosed:
    """One value per time, for every weight."""
    return values.reshape(len(values), *[1] * (weights.ndim - 1))


def late(run: Trajectory, data: Dataset) -> Late:
    inner, outer = run.inners, run.outers
    signals = inner @ data.inputs.T
    gates = np.where(signals.value > 0, 1.0, run.slope)
    margins = (outer[:, :, None] * signals * gates).sum(axis=1) * data.labels
    pulls = exp(margins.min(axis=1)[:, None] - margins)
    pulls = pulls / pulls.sum(axis=1)[:, None]
    felt = (pulls * data.labels)[:, None, :] * gates
    moves = ((inner, outer[:, :, None] * (felt @ data.inputs)), (outer, (felt * signals).sum(axis=2)))
    size, speed = (total(w * w for w in layers) for layers in zip(*moves, strict=True))
    apart = (w / at_each(sqrt(size), w) - v / at_each(sqrt(speed), v) for w, v in moves)
    above = (pulls * (margins - margins.min(axis=1)[:, None])).sum(axis=1)
    return Late(sqrt(total(gap * gap for gap in apart)), above / size, margins.min(axis=1) / size)


def one_neuron_each(data: Dataset) -> float:
    """The normalised margin of the network that has one neuron for each sample, aligned with it."""
    directions = data.inputs / np.array([[norm(x)] for x in data.inputs])
    shares = 1 / np.array([norm(x) for x in data.inputs])
    outputs = np.maximum(data.inputs @ directions.T, 0) @ (shares * data.labels)
    return float((data.labels * outputs).min() / (2 * shares.sum()))
