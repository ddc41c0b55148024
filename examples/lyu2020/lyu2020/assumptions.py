"""The loss has fallen below a threshold: from then on the network separates the data."""

from refute import Margin, assumption, less
from refute.functions import log
from refute.models import EXPONENTIAL_SUM, LOGISTIC_SUM, Dataset, TwoLayer

from .strategies import SETTING, classify, mistake


@assumption("loss.below_one", base=SETTING, satisfy=classify, violate=mistake)
def below_one(net: TwoLayer, data: Dataset) -> Margin:
    """the exponential loss is below one"""
    return less(EXPONENTIAL_SUM.value(data.labels, net(data.inputs)), 1, "loss")


@assumption("loss.below_log_2", base=SETTING, satisfy=classify, violate=mistake)
def below_log_2(net: TwoLayer, data: Dataset) -> Margin:
    """the logistic loss is below log 2"""
    return less(LOGISTIC_SUM.value(data.labels, net(data.inputs)), log(2 + 0 * net.slope), "loss")
