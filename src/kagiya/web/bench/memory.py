"""How much memory this process has."""

from __future__ import annotations

import resource
from pathlib import Path

STATISTICS = Path("/proc/self/statm")


def resident() -> int:
    """Bytes in memory now; where the system does not say, the most there ever were."""
    if STATISTICS.exists():
        return int(STATISTICS.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
