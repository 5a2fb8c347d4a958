"""Numba without scipy.linalg until somebody multiplies matrices: importing it takes a tenth of a short match."""

import sys
from importlib import import_module
from typing import Any

from numba.np import linalg

ASKING = (
    "numba.np.arraymath"  # asks, when it is imported, whether scipy's BLAS is there, and imports scipy.linalg for it
)


def spare_scipy() -> None:
    """Answer that BLAS is there, since scipy is installed with Kagiya; whoever needs it imports it then."""
    if ASKING in sys.modules:
        return
    module: Any = linalg
    usual, module.ensure_blas = module.ensure_blas, lambda: None
    try:
        import_module(ASKING)
    finally:
        module.ensure_blas = usual
