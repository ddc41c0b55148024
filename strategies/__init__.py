"""Hypothesis strategies that draw exact cases, and repairs that make a drawn case satisfy or violate an assumption.

`__init__.pyi` lists the public names and where each of them lives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
