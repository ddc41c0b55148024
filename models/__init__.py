"""Networks, data, losses and training: what the claims are about. Pure functions; no claim and no strategy lives here.

The public names are listed in `__init__.pyi`, each with the module where it lives, and loaded when they are asked for.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
