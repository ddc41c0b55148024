"""Where a network without biases is positive, in the plane: f is linear on every sector between two switches, so signs
change on rays.
"""

import math

import numpy as np
from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.marks import Frame
from refute.show.report.scene import Floats, Network

NEGLIGIBLE = 1e-12  # of the largest value: round-off
SAME_RAY = 1e-9  # angles that differ by less are one ray
TURN = 2 * math.pi


def regions(network: Network, frame: Frame) -> tuple[list[Markup], str]:
    """Where f > 0, the rays on which f changes sign, and what they show."""
    rays, far = sign_rays(network), 3 * frame.reach
    ends = [*rays[1:], rays[0] + TURN]
    signs = [_sign(network, (start + end) / 2) for start, end in zip(rays, ends, strict=True)]
    if not any(signs):
        return [], "The network is zero everywhere."
    shaded = [_sector(start, end, far, frame) for start, end, sign in zip(rays, ends, signs, strict=True) if sign > 0]
    changes = [ray for k, ray in enumerate(rays) if signs[k] != signs[k - 1]]
    if not changes:
        return shaded, f"The network is {'positive' if signs[0] > 0 else 'negative'} almost everywhere."
    boundary = [svg.line(*frame.at(np.zeros(2)), *frame.at(far * _unit(ray)), "boundary") for ray in changes]
    return shaded + boundary, "Shaded: f > 0; thick line: the decision boundary."


def _sign(network: Network, angle: float) -> int:
    value = float(network(_unit(angle)))
    round_off = NEGLIGIBLE * float(np.abs(network.outer) @ np.abs(network.inner).sum(axis=1))
    return 0 if abs(value) <= round_off else 1 if value > 0 else -1


def _sector(start: float, end: float, far: float, frame: Frame) -> Markup:
    arc = [frame.at(far * _unit(start + (end - start) * part / 24)) for part in range(25)]
    return svg.path([frame.at(np.zeros(2)), *arc], "region", closed=True)


def switches(network: Network, frame: Frame) -> list[Markup]:
    """The line w.x = 0 of every neuron."""
    lines = []
    for w in network.inner:
        size = float(np.linalg.norm(w))
        if size:
            along = 3 * frame.reach * np.array([-w[1], w[0]]) / size
            lines.append(svg.line(*frame.at(along), *frame.at(-along), "switch"))
    return lines


def sign_rays(network: Network) -> list[float]:
    """Angles in [0, 2 pi) between which f is linear and has one sign, sorted; at least two."""
    across = [math.atan2(w[1], w[0]) for w in network.inner if w.any()]
    edges = _distinct([angle + turn for angle in across for turn in (math.pi / 2, -math.pi / 2)]) or [0.0, math.pi]
    found = list(edges)
    for start, end in zip(edges, [*edges[1:], edges[0] + TURN], strict=True):
        slope = network.gradient(_unit((start + end) / 2))
        if slope.any():
            upwards = math.atan2(slope[1], slope[0])
            rays = [start + (upwards + turn - start) % (TURN) for turn in (math.pi / 2, -math.pi / 2)]
            found += [ray for ray in rays if start < ray < end]
    return _distinct(found)


def _distinct(angles: list[float]) -> list[float]:
    """In [0, 2 pi), sorted, each ray once."""
    kept: list[float] = []
    for angle in sorted(angle % (TURN) for angle in angles):
        if not kept or angle - kept[-1] > SAME_RAY:
            kept.append(angle)
    return kept[:-1] if len(kept) > 1 and kept[0] + TURN - kept[-1] <= SAME_RAY else kept


def _unit(angle: float) -> Floats:
    return np.array([math.cos(angle), math.sin(angle)])
