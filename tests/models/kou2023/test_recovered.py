"""Coefficients that are solved from the weights of descent."""

from fractions import Fraction

import numpy as np
from flint import ctx

from refute.arithmetic.numbers import balls
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.kou2023.decomposition import unroll
from refute.models.kou2023.recovered import recovered
from refute.models.network import signed_halves


def test_recovered_coefficients_are_those_of_the_recursion():
    """Two overlapping inputs of different labels, two neurons of each sign: three steps in balls."""
    inner = np.array([["1/8", "-1/16"], ["-1/8", "1/4"], ["1/16", "1/16"], ["-1/4", "-1/8"]], dtype=object)
    data = Dataset(np.array([["1", "1/16"], ["0", "-3/2"]], dtype=object), np.array([1, -1], dtype=object))
    with ctx.workprec(192):
        net, data = (lift(part, balls(192)) for part in (signed_halves(inner[:2], inner[2:], Fraction(1, 4)), data))
        rate = balls(192).scalar(Fraction(1, 2))
        found, course = recovered(net, data, rate=rate, steps=3), unroll(net, data, rate=rate, steps=3)
        assert np.abs((found.rho - course.rho.reshape(4, 4, 2)).astype(float)).max() < 1e-40
        assert (found.own + found.other == 1).all()
        assert found.push.shape == (3, 4, 2)
