"""What is minimised: a number that torch can differentiate, of weights by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call

from refute.models.general.run import Floats

Weights = dict[str, Tensor]
Outputs = Callable[[Weights, Tensor], Tensor]
Objective = Callable[[Weights], Tensor]


def tensor(values: Any) -> Tensor:
    return torch.tensor(np.asarray(values, dtype=np.float64))


def mean_square(targets: Tensor, outputs: Tensor) -> Tensor:
    """<|y - f|^2> / 2 over the samples."""
    return ((targets - outputs) ** 2).reshape(len(targets), -1).sum(dim=1).mean() / 2


def risk(
    outputs: Outputs, inputs: Any, targets: Any, loss: Callable[[Tensor, Tensor], Tensor] = mean_square
) -> Objective:
    """The loss of a network on samples: rows of inputs, and one target, or a row of them, for each."""
    x, y = tensor(inputs), tensor(targets)

    def objective(weights: Weights) -> Tensor:
        kind = next(iter(weights.values())).dtype
        return loss(y.to(kind), outputs(weights, x.to(kind)))

    return objective


def batches(
    outputs: Outputs,
    inputs: Any,
    targets: Any,
    picks: Sequence[Any],
    loss: Callable[[Tensor, Tensor], Tensor] = mean_square,
) -> list[Objective]:
    """One objective for each step of stochastic descent, from the rows that it sees (`minibatches`)."""
    x, y = np.asarray(inputs), np.asarray(targets)
    return [risk(outputs, x[rows], y[rows], loss) for rows in picks]


def decayed(objective: Objective, strength: float) -> Objective:
    """With weight decay: plus strength |theta|^2 / 2."""

    def penalised(weights: Weights) -> Tensor:
        size: Tensor = sum((weight**2).sum() for weight in weights.values())  # type: ignore[assignment]
        return objective(weights) + strength / 2 * size

    return penalised


def of_module(module: torch.nn.Module) -> tuple[Outputs, dict[str, Floats]]:
    """A torch module as a function of its weights, and the weights that it has."""
    start = {name: weight.detach().double().numpy().copy() for name, weight in module.named_parameters()}

    def outputs(weights: Weights, inputs: Tensor) -> Tensor:
        found: Tensor = functional_call(module, weights, (inputs,))
        return found

    return outputs, start


class Field:
    """Minus the gradient of an objective, as a function of all weights in one vector."""

    def __init__(self, start: Mapping[str, Any], kind: torch.dtype = torch.float64) -> None:
        self.shapes = {name: np.shape(weight) for name, weight in start.items()}
        self.start = np.concatenate([np.asarray(weight, dtype=np.float64).reshape(-1) for weight in start.values()])
        self.kind = kind
        self.evaluations = 0

    def named(self, vector: Any) -> dict[str, Any]:
        """The weights by name, of an array or a tensor whose last axis runs over all of them."""
        found, begin = {}, 0
        for name, shape in self.shapes.items():
            end = begin + int(np.prod(shape))
            found[name] = vector[..., begin:end].reshape(*vector.shape[:-1], *shape)
            begin = end
        return found

    def __call__(self, objective: Objective, vector: Floats) -> Floats:
        self.evaluations += 1
        point = torch.tensor(vector, dtype=self.kind, requires_grad=True)
        (gradient,) = torch.autograd.grad(objective(self.named(point)), point)
        return np.asarray(-gradient.double().numpy())
