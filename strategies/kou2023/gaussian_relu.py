"""ReLU networks at a Gaussian start under the conditions of kou2023's Theorem 4.3, all at their bounds: sizes and
shapes of a run.

The width is `wider` times the smallest m >= C log(n/delta); inputs lie in n + `extra` dimensions, every second one
`stretch` times as long.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.language.cases import Cases
from refute.strategies.numbers import is_count

FREEZING = ("orthogonal", "orthogonal", "class")  # families of overlaps whose patterns freeze
SLIDING = ("positive", "negative", "anti")  # and those where neurons may switch for ever
CONSTANTS = {"orthogonal": (10, 100, 1000), "class": (10, 10, 100)}
MOST = {10: (1, 2, 4, 8, 20), 100: (1, 2, 4, 8), 1000: (1, 2, 4)}  # samples of one label: m grows with C and n


@st.composite
def _gaussian_relu(draw: DrawFn, families: Sequence[str]) -> dict[str, Any]:
    """Overlaps make neurons join late ("class") or switch for ever, which takes time: those runs are small."""
    family = draw(st.sampled_from(families))
    C = draw(st.sampled_from(CONSTANTS.get(family, (10,))))
    counts = st.sampled_from(MOST[C] if family == "orthogonal" else (1, 2, 3) if C == 10 else (1, 2))
    return {
        "positive": draw(counts),
        "negative": draw(counts),
        "C": C,
        "wider": draw(st.sampled_from([1, 2, 4, 8])) if C == 10 else draw(st.sampled_from([1, 1, 2])),
        "extra": draw(st.sampled_from([0, 1, 16, 128])),
        "stretch": draw(st.sampled_from([1, 2])),
        "family": family,
        "start": draw(st.integers(0, 2**20)),
    }


def gaussian_relu(families: Sequence[str] = FREEZING) -> Cases:
    """positive, negative (samples of each label), C, wider, extra, stretch, the family of the overlaps and the number
    of the start.
    """
    return Cases(_gaussian_relu(families), partial(_domain, tuple(families)))


def _domain(families: Sequence[str], fields: Mapping[str, Any]) -> dict[str, bool]:
    counts = {"positive": 1, "negative": 1, "wider": 1, "extra": 0, "stretch": 1, "start": 0}
    found = {name: is_count(fields.get(name), least) for name, least in counts.items()}
    family: Any = fields.get("family")
    return {**found, "family": family in families, "C": fields.get("C") in CONSTANTS.get(family, (10,))}
