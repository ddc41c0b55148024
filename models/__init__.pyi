# The public names, each imported the first time it is asked for. Type checkers read them here, and so does Python.
from .dataset import Dataset, with_bias
from .descent.batch import descend_batch, descend_deep_batch
from .descent.exact import ball_descent, exact_descent
from .descent.exact_deep import ball_deep_descent, exact_deep_descent
from .descent.longtime import long_descent
from .descent.minibatch import minibatches
from .descent.rounding import rounding_bound
from .descent.single import descend, descend_deep
from .flow.batch import gradient_flows
from .flow.deep import deep_gradient_flow
from .flow.solve import FILIPPOV, REGULAR, gradient_flow
from .gradient import deep_descent_direction, descent_direction
from .initialisation import small_deep_gaussian, small_gaussian
from .logpolar.balanced import Balanced
from .logpolar.batch import log_polar_flows
from .logpolar.from_zero import limit_from_zero
from .logpolar.solve import log_polar_flow
from .loss import EXPONENTIAL_SUM, LOGISTIC, LOGISTIC_SUM, SQUARE, Loss, Shape
from .network import DeepNetwork, TwoLayer, as_deep, signed_halves
from .reference.least_squares import least_squares
from .reference.max_margin import exact_max_margin, max_margin
from .reference.minimum_norm import minimum_norm_interpolator
from .training import Stop, Training, finished
from .validated.solve import validated_flow

__all__ = [
    "EXPONENTIAL_SUM",
    "FILIPPOV",
    "LOGISTIC",
    "LOGISTIC_SUM",
    "REGULAR",
    "SQUARE",
    "Balanced",
    "Dataset",
    "DeepNetwork",
    "Loss",
    "Shape",
    "Stop",
    "Training",
    "TwoLayer",
    "as_deep",
    "ball_deep_descent",
    "ball_descent",
    "deep_descent_direction",
    "deep_gradient_flow",
    "descend",
    "descend_batch",
    "descend_deep",
    "descend_deep_batch",
    "descent_direction",
    "exact_deep_descent",
    "exact_descent",
    "exact_max_margin",
    "finished",
    "gradient_flow",
    "gradient_flows",
    "least_squares",
    "limit_from_zero",
    "log_polar_flow",
    "log_polar_flows",
    "long_descent",
    "max_margin",
    "minibatches",
    "minimum_norm_interpolator",
    "rounding_bound",
    "signed_halves",
    "small_deep_gaussian",
    "small_gaussian",
    "validated_flow",
    "with_bias",
]
