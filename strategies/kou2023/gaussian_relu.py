"""ReLU networks at a Gaussian start under the conditions of kou2023's Theorem 4.3, all at their bounds: sizes and
shapes of a run.

The width is `wider` times the smallest m >= C log(n/delta); inputs lie in n + `extra` dimensions, every second one
`stretch` times as long.
"""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.language.cases import Cases
from refute.strategies.numbers import is_count

CONSTANTS = {"orthogonal": (10, 100, 1000), "class": (10, 10, 100), "positive": (10,)}
MOST = {10: (1, 2, 4, 8, 16), 100: (1, 2, 4, 8), 1000: (1, 2, 4)}  # samples of one label: m grows with C and n


@st.composite
def _gaussian_relu(draw: DrawFn) -> dict[str, Any]:
    """Overlaps make neurons join late ("class") or switch for ever ("positive"), which takes time: those runs are
    small.
    """
    family = draw(st.sampled_from(["orthogonal", "orthogonal", "class", "positive"]))
    C = draw(st.sampled_from(CONSTANTS[family]))
    counts = st.sampled_from(MOST[C] if family == "orthogonal" else (1, 2, 3) if C == 10 else (1, 2))
    return {
        "positive": draw(counts),
        "negative": draw(counts),
        "C": C,
        "wider": draw(st.sampled_from([1, 2, 4])) if C == 10 or family == "orthogonal" else 1,
        "extra": draw(st.sampled_from([0, 1, 16, 128])),
        "stretch": draw(st.sampled_from([1, 2])),
        "family": family,
    }


def gaussian_relu() -> Cases:
    """positive, negative (samples of each label), C, wider, extra, stretch and the family of the overlaps."""
    return Cases(_gaussian_relu(), _domain)


def _domain(fields: Mapping[str, Any]) -> dict[str, bool]:
    counts = {"positive": 1, "negative": 1, "wider": 1, "extra": 0, "stretch": 1}
    found = {name: is_count(fields.get(name), least) for name, least in counts.items()}
    family: Any = fields.get("family")
    return {**found, "family": family in CONSTANTS, "C": fields.get("C") in CONSTANTS.get(family, ())}
