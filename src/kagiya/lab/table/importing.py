"""Whether this thread is in the middle of an import: then no other may be waited for.

Other threads cannot import a module that is still being imported, nor compile its kernels, which is why a module that
plays a match at its top level would wait for itself.
"""

from __future__ import annotations

import sys


def is_importing() -> bool:
    """Whether some module is being imported by this thread, by what its import system notes about each module."""
    frame = sys._getframe()
    while frame is not None:
        spec = frame.f_globals.get("__spec__") if frame.f_code.co_name == "<module>" else None
        if getattr(spec, "_initializing", False):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False
