"""A layered layout of a graph without cycles: layers by the longest path, order within a layer by barycentres, long
edges through bends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

SWEEPS = 12
Edge = tuple[str, str]
_Vertex = tuple[str, ...]  # (node,) or (source, target, layer) for a bend


@dataclass(frozen=True, slots=True)
class Layout:
    """`places`: layer and height of every node's centre; `routes`: the layers and heights that each edge (used, user)
    passes.

    A node is one high; its centre is at least half from the top.
    """

    places: Mapping[str, tuple[int, float]]
    routes: Mapping[Edge, Sequence[tuple[int, float]]]

    @property
    def layers(self) -> int:
        return 1 + max((layer for layer, _ in self.places.values()), default=-1)

    @property
    def height(self) -> float:
        return 0.5 + max(
            (height for route in [self.places.values(), *self.routes.values()] for _, height in route), default=-0.5
        )


def layout(uses: Mapping[str, Sequence[str]]) -> Layout:
    """`uses` maps a node to those below it. Edges that close a circle are left out."""
    edges = _acyclic(uses)
    nodes = sorted({node for edge in edges for node in edge})
    layer = _longest_paths(nodes, edges)
    columns, links = _columns(nodes, edges, layer)
    _order(columns, links)
    height = _heights(columns, links)
    places = {node: (layer[node], height[node,]) for node in nodes}
    routes = {
        (a, b): [
            (layer[a], height[a,]),
            *((k, height[a, b, str(k)]) for k in range(layer[a] + 1, layer[b])),
            (layer[b], height[b,]),
        ]
        for a, b in edges
    }
    return Layout(places, routes)


def _acyclic(uses: Mapping[str, Sequence[str]]) -> list[Edge]:
    kept: dict[str, set[str]] = {}
    for node in sorted(uses):
        for used in sorted(set(uses[node]) - {node}):
            try:
                TopologicalSorter(kept | {node: kept.get(node, set()) | {used}}).prepare()
            except CycleError:
                continue
            kept.setdefault(node, set()).add(used)
    return sorted((used, node) for node, below in kept.items() for used in below)


def _longest_paths(nodes: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    below: dict[str, list[str]] = {node: [] for node in nodes}
    for used, user in edges:
        below[user].append(used)
    layer: dict[str, int] = {}
    for node in TopologicalSorter(below).static_order():
        layer[node] = 1 + max((layer[used] for used in below[node]), default=-1)
    above: dict[str, list[str]] = {node: [] for node in nodes}
    for used, user in edges:
        above[used].append(user)
    for node in sorted(
        nodes, key=lambda node: -layer[node]
    ):  # a node stands next to the first that uses it: shorter edges
        if above[node]:
            layer[node] = min(layer[user] for user in above[node]) - 1
    return layer


def _columns(
    nodes: Sequence[str], edges: Sequence[Edge], layer: Mapping[str, int]
) -> tuple[list[list[_Vertex]], dict[_Vertex, list[list[_Vertex]]]]:
    """The vertices of each layer, bends included; and for each vertex its neighbours in the layer before and in the one
    after.
    """
    columns: list[list[_Vertex]] = [[] for _ in range(1 + max(layer.values(), default=-1))]
    links: dict[_Vertex, list[list[_Vertex]]] = {}
    for node in nodes:
        columns[layer[node]].append((node,))
        links[node,] = [[], []]
    for a, b in edges:
        chain: list[_Vertex] = [(a,), *((a, b, str(k)) for k in range(layer[a] + 1, layer[b])), (b,)]
        for k, bend in enumerate(chain[1:-1], layer[a] + 1):
            columns[k].append(bend)
            links[bend] = [[], []]
        for before, after in pairwise(chain):
            links[before][1].append(after)
            links[after][0].append(before)
    return columns, links


def _order(columns: list[list[_Vertex]], links: Mapping[_Vertex, list[list[_Vertex]]]) -> None:
    """Sweep to and fro: every vertex goes to the mean place of its neighbours in the layer just passed."""
    for sweep in range(SWEEPS):
        side = sweep % 2
        for column in columns[1:] if side == 0 else columns[-2::-1]:
            place = {vertex: k for each in columns for k, vertex in enumerate(each)}
            middle = {
                vertex: _mean([place[other] for other in links[vertex][side]], place[vertex]) for vertex in column
            }
            column.sort(key=lambda vertex: (middle[vertex], place[vertex]))


def _heights(columns: list[list[_Vertex]], links: Mapping[_Vertex, list[list[_Vertex]]]) -> dict[_Vertex, float]:
    """In the order found, each vertex as near to its neighbours as those above it allow."""
    tallest = max(map(_thickness, columns), default=0.0)
    height: dict[_Vertex, float] = {}
    for column in columns:
        top = (tallest - _thickness(column)) / 2
        for vertex in column:
            height[vertex] = top + _size(vertex) / 2
            top += _size(vertex)
    for sweep in range(SWEEPS):
        side = sweep % 2
        for column in columns[1:] if side == 0 else columns[-2::-1]:
            wished = [_mean([height[other] for other in links[vertex][side]], height[vertex]) for vertex in column]
            for vertex, place in zip(column, _spread(column, wished), strict=True):
                height[vertex] = place
    least = min((place - _size(vertex) / 2 for vertex, place in height.items()), default=0.0)
    return {vertex: place - least for vertex, place in height.items()}


def _spread(column: Sequence[_Vertex], wished: Sequence[float]) -> list[float]:
    """Least squares under the order: neighbours that come too near share their mean (pool adjacent violators)."""
    offsets, total = [], 0.0
    for vertex in column:
        offsets.append(total + _size(vertex) / 2)
        total += _size(vertex)
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wished, offsets, strict=True):
        mean, count = wish - offset, 1
        while pools and pools[-1][0] > mean:
            other, many = pools.pop()
            mean, count = (mean * count + other * many) / (count + many), count + many
        pools.append((mean, count))
    bases = [mean for mean, count in pools for _ in range(count)]
    return [base + offset for base, offset in zip(bases, offsets, strict=True)]


def _size(vertex: _Vertex) -> float:
    return 1.0 if len(vertex) == 1 else 0.3  # bends need less room than nodes


def _thickness(column: Sequence[_Vertex]) -> float:
    return sum(map(_size, column))


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
