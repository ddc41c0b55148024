"""A case drawn: in its plane with neurons as arrows, where they switch and where the network changes sign; on its line;
or projected.
"""

import numpy as np
from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.marks import SIZE, Figure, Frame, arrow, grid, point_mark, points
from refute.show.report.quantity import counted, shown_number
from refute.show.report.scene import Floats, Scene
from refute.show.report.sectors import regions, switches


def drawn(scene: Scene) -> Figure | None:
    """The case, in its plane, on its line, or in the first two of its coordinates."""
    if scene.dimension < 1:
        return None
    return _on_a_line(scene) if scene.dimension == 1 else _in_the_plane(scene)


def _in_the_plane(scene: Scene) -> Figure:
    flat, notes = (
        scene.dimension == 2,
        [] if scene.dimension == 2 else [f"The first two of {scene.dimension} coordinates."],
    )
    inputs = scene.inputs[:, :2] if scene.inputs is not None else np.zeros((0, 2))
    arrows = scene.network.inner[:, :2] if scene.network is not None else np.zeros((0, 2))
    longest = float(np.abs(arrows).max(initial=0.0))
    reach = float(np.abs(inputs).max(initial=0.0)) or longest or 1.0
    stretch = 1.0 if not longest or reach / 4 <= longest <= reach else 0.75 * reach / longest
    frame = Frame(reach)
    layers = [grid()]
    if flat and scene.network is not None:
        shaded, words = regions(scene.network, frame)
        layers += [*shaded, *switches(scene.network, frame)]
        notes.append(words)
    layers += _arrows(arrows * stretch, scene, frame)
    layers += [_vector(name, vector[:2], frame) for name, vector in scene.vectors.items()]
    layers += points(inputs, scene.labels, frame)
    caption = " ".join([*notes, *_words(scene, stretch, flat)])
    return Figure(svg.picture(SIZE, SIZE, f"Drawing of the case. {caption}", *layers, class_="picture plane"), caption)


def _arrows(tips: Floats, scene: Scene, frame: Frame) -> list[Markup]:
    outer = scene.network.outer if scene.network is not None else np.zeros(0)
    return [
        arrow(tip, frame, f"neuron {'positive' if sign > 0 else 'negative' if sign < 0 else 'zero'}")
        for tip, sign in zip(tips, outer, strict=True)
    ]


def _vector(name: str, vector: Floats, frame: Frame) -> Markup:
    length = float(np.linalg.norm(vector))
    tip = vector if 0 < length <= frame.reach else vector / length * frame.reach * 0.9 if length else vector
    x, y = frame.at(tip)
    room = 4 + 4 * len(name)  # half the width of the word
    return arrow(tip, frame, "given") + svg.text(min(max(x, room), SIZE - room), max(y - 9, 12), name, "label given")


def _words(scene: Scene, stretch: float, flat: bool) -> list[str]:
    words = []
    if scene.inputs is not None:
        marks = (
            ": disc for a positive label, square for a negative one, ring for zero" if scene.labels is not None else ""
        )
        words.append(f"{counted(len(scene.inputs), 'data point')}{marks}.")
    if scene.network is not None:
        size = "" if stretch == 1 else f", drawn {shown_number(stretch, 3)} times as long"
        sort = "Directions of neurons" if scene.directions else "Neurons"
        words.append(f"{sort} as arrows (dashed where the outer weight is negative){size}.")
        words += ["Thin lines: where a neuron switches."] if flat else []
    words += [f"Also drawn: {', '.join(scene.vectors)}."] if scene.vectors else []
    return words


def _on_a_line(scene: Scene) -> Figure:
    """One-dimensional data: the label, and the network, over the input."""
    inputs = scene.inputs[:, 0] if scene.inputs is not None else np.array([-1.0, 1.0])
    labels = scene.labels if scene.labels is not None else np.zeros(len(inputs))
    across = float(np.abs(inputs).max()) or 1.0
    ends = np.array([[-1.2 * across], [0.0], [1.2 * across]])
    values = scene.network(ends) if scene.network is not None else np.zeros(3)
    up = (
        max(float(np.abs(labels).max(initial=0.0)), float(np.abs(values).max()) if scene.network is not None else 0.0)
        or 1.0
    )
    frame = Frame(1.2)

    def at(x: float, y: float) -> tuple[float, float]:
        return frame.at(np.array([x / across, y / up]))

    layers = [grid()]
    if scene.network is not None:
        layers.append(svg.path([at(float(x), float(y)) for x, y in zip(ends[:, 0], values, strict=True)], "boundary"))
    if scene.inputs is not None:
        layers += [
            point_mark(*at(float(x), float(y)), float(np.sign(y)), scene.labels is not None)
            for x, y in zip(inputs, labels, strict=True)
        ]
    words = ["Label (upwards) over the input (to the right)."] if scene.inputs is not None else []
    words += ["Line: the output of the network."] if scene.network is not None else []
    words += [
        f"The window reaches from {shown_number(-1.2 * across)} to {shown_number(1.2 * across)} and to "
        f"±{shown_number(1.2 * up)}."
    ]
    caption = " ".join([*words, *(_words(scene, 1.0, False)[:1] if scene.inputs is not None else [])])
    return Figure(svg.picture(SIZE, SIZE, f"Drawing of the case. {caption}", *layers, class_="picture plane"), caption)
