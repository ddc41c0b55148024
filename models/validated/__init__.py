"""Guaranteed enclosures of gradient flow: a Taylor method over balls, every crossing proved."""

from refute.models.validated.solve import Tube, validated_flow

__all__ = ["Tube", "validated_flow"]
