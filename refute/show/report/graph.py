"""The graph of proofs of one paper as one SVG: what is used stands left of what uses it, coloured by verdict, each node
a link.
"""

from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.layout import Edge, Layout, layout
from refute.show.report.quantity import short
from refute.show.report.standing import Node, Proofs
from refute.show.report.words import SYMBOLS, slug

BOX, TALL, PITCH, ROW, EDGE = 196.0, 44.0, 268.0, 56.0, 12.0
MOST_LETTERS = 25


def graph(proofs: Proofs, name: str) -> Markup | None:
    """None when no proof is recorded."""
    found = layout(proofs.uses)
    if not found.places:
        return None
    width = (found.layers - 1) * PITCH + BOX + 2 * EDGE
    height = found.height * ROW + 2 * EDGE
    edges = [_edge(edge, found, proofs) for edge in sorted(found.routes)]
    nodes = [
        _node(proofs.nodes[id], proofs, *_corner(found.places[id]))
        for id in sorted(found.places, key=lambda id: (found.places[id], id))
    ]
    size = f"0 0 {width:g} {height:g}"
    label = (
        f"Graph of proofs of {name}: {len(nodes)} statements, {len(edges)} uses. A list with the same content follows."
    )
    return svg.element(
        "svg", *edges, *nodes, class_="graph", viewBox=size, width=width, height=height, role="group", aria_label=label
    )


def _corner(place: tuple[int, float]) -> tuple[float, float]:
    layer, middle = place
    return EDGE + layer * PITCH, EDGE + middle * ROW - TALL / 2


def _edge(edge: Edge, found: Layout, proofs: Proofs) -> Markup:
    """From the right side of what is used to the left side of what uses it, level while it passes a layer."""
    corners = [_corner(place) for place in found.routes[edge]]
    x, y = corners[0][0] + BOX, corners[0][1] + TALL / 2
    drawn = [f"M{x:g} {y:.1f}"]
    for k, (left, top) in enumerate(corners[1:], 1):
        middle, half = top + TALL / 2, (left - x) / 2
        drawn.append(f"C{x + half:g} {y:.1f} {x + half:g} {middle:.1f} {left:g} {middle:.1f}")
        x, y = left, middle
        if k < len(corners) - 1:
            x += BOX
            drawn.append(f"H{x:g}")
    used, user = edge
    shaken = " shaken" if used in proofs.nodes and proofs.nodes[used].verdict == "refuted" else ""
    return svg.element("path", d=" ".join(drawn), class_=f"edge{shaken}", data_from=used, data_to=user)


def _node(node: Node, proofs: Proofs, x: float, y: float) -> Markup:
    frame, words = standing(node, proofs)
    first, _, second = node.label.partition(".")
    marks = svg.text(x + 14, y + TALL / 2 + 5, SYMBOLS[node.verdict], "mark")
    lines = [svg.text(x + 28, y + (19 if second else 27), short(first, MOST_LETTERS), "name", "start")]
    lines += [svg.text(x + 28, y + 35, short(second, MOST_LETTERS), "part", "start")] if second else []
    box = svg.element("rect", x=x, y=y, width=BOX, height=TALL, rx=5, class_="box")
    class_ = f"node {slug(node.verdict)}{frame}"
    label = f"{node.id}: {node.verdict}{words}"
    inside = (svg.element("title", label), box, marks, *lines)
    if node.target is None:
        return svg.element("g", *inside, class_=class_, data_id=node.id)
    return svg.element(
        "a", *inside, class_=class_, href=f"../claim/{node.target.page}", aria_label=label, data_id=node.id
    )


def standing(node: Node, proofs: Proofs) -> tuple[str, str]:
    """Class and words for what a statement stands on: nothing refuted, or refuted statements of which some form holds,
    or does not.
    """
    fallen = proofs.refuted_below(node.id)
    if not fallen:
        return "", ""
    if all(each.stands for each in fallen):
        return " mended", "; stands on a refuted statement, another form of which holds"
    return " shaken", "; stands on a refuted statement of which no form is known to hold"
