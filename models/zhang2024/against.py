r"""Networks that point against the correlation: in one dimension, training keeps them so."""

from refute.functions import sign
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer


def points_against(net: TwoLayer, data: Dataset) -> bool:
    r"""In one dimension: $w_j=-\operatorname{sign}(\beta)a_j$ for every neuron. Training keeps it so.

    Both losses give $\tau\dot w_j=a_jG_j$ and $\tau\dot a_j=w_jG_j$ with one factor $G_j$, and so, with
    $b=\operatorname{sign}(\beta)$, $\tau\frac d{dt}(w_j+ba_j)=b(w_j+ba_j)G_j$. Then
    $bx\,f(x)=\sum_jbx\,a_j\sigma(-ba_jx)\le0$ for every x and all times.
    """
    wrong = net.inner[:, 0] + sign(data.correlation[0]) * net.outer
    return not any(wrong)
