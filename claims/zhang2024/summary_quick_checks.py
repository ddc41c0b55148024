r"""The digest, foundational learning: its questions for a quick check.

The first asks which condition data meet that hold $(-x,-y)$ with each $(x,y)$. The second is `section_3`, the third a
statement about training in `section_4_1`. None is printed in the paper.
"""

import numpy as np

from refute import Fault, Margin, all_of, assumption, changed, equal, section, without
from refute.functions import absolute
from refute.models import Dataset
from refute.models.zhang2024.symmetry import evenness_defect, oddness_defect
from refute.strategies import sized
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.reflections import break_closure, close_under_reflection, contradict
from refute.strategies.zhang2024.symmetry import odd_labels

DATA = sized(data=unscaled_dataset)


@assumption("data.closed_under_reflection", base=DATA, satisfy=close_under_reflection, violate=break_closure)
def closed_data(data: Dataset) -> Margin:
    """with each sample (x, y) the data contain (-x, -y), as often"""
    samples = [(*row, label) for row, label in zip(data.inputs, data.labels, strict=True)]
    mirrored = [tuple(-value for value in sample) for sample in samples]
    return equal(max(abs(samples.count(s) - mirrored.count(s)) for s in samples), 0, "samples without an opposite one")


@assumption("label.function_of_input", base=DATA, satisfy=odd_labels, violate=contradict)
def function_labels(data: Dataset) -> Margin:
    """the label is a function of the input"""
    labels = {tuple(row): label for row, label in zip(data.inputs, data.labels, strict=True)}
    gaps = [absolute(label - labels[tuple(row)]) for row, label in zip(data.inputs, data.labels, strict=True)]
    return equal(np.array(gaps, dtype=object), 0, "labels that differ at one input")


checks = section("zhang2024", "summary", "digest, foundational learning", given=DATA, printed=False)


@checks.claim("quick_checks", assumes=[closed_data], recorded="refuted", fault=Fault.MISSING_HYPOTHESIS)
def reflected_data_satisfy_condition_3(data: Dataset) -> Margin:
    r"""Data closed under $(x,y)\mapsto(-x,-y)$ satisfy Condition 3.

    Fails when one input carries two labels: (0, 1) and its mirror image (0, -1) leave y(0) undefined.

    Convention: (i), read as: such data satisfy Condition 3; (ii) is zhang2024.sec_3.not_universal and (iii) a
    statement about training.
    """
    return all_of(
        equal(evenness_defect(data.inputs), 0, "largest |count(x) - count(-x)|"),
        equal(oddness_defect(data.inputs, data.labels), 0, "largest |y(x) + y(-x)|"),
    )


reflected_data_satisfy_condition_3.amended(
    "Amended: when the label is a function of the input, as Condition 3 supposes by writing y(x).",
    assumes=[closed_data, function_labels],
    recorded="supported",
    mutants=[
        without(closed_data),
        without(function_labels),
        changed("for the sizes of the labels", data=lambda data: Dataset(data.inputs, absolute(data.labels))),
    ],
)
