"""refute: property-based testing for theorems about how neural networks learn.

What a file of claims needs is imported from here; `__init__.pyi` lists the names and where each of them lives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
