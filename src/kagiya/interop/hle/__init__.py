"""The Hanabi Learning Environment: its settings and numbers of moves, and a drop-in for its two Python modules.

from kagiya.interop.hle import pyhanabi, rl_env
"""

from importlib import import_module
from typing import Any

from kagiya.rl.vectors import config, move_to_uid, num_uids, their_copies, uid_to_move, why_not

__all__ = ["config", "move_to_uid", "num_uids", "pyhanabi", "rl_env", "their_copies", "uid_to_move", "why_not"]


def __getattr__(name: str) -> Any:
    if name in ("pyhanabi", "rl_env"):  # loaded when first used: the numbers alone need no game
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
