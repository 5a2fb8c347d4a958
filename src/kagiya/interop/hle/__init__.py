"""The Hanabi Learning Environment: its settings and numbers of moves, and a drop-in for its two Python modules.

from kagiya.interop.hle import pyhanabi, rl_env
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from typing import Any

from kagiya.rl.vectors import config, move_to_uid, num_uids, their_copies, uid_to_move, why_not

__all__ = [
    "config",
    "move_to_uid",
    "num_uids",
    "pyhanabi",
    "replace_hle",
    "rl_env",
    "their_copies",
    "uid_to_move",
    "why_not",
]
HLE = "hanabi_learning_environment"
MODULES = ("pyhanabi", "rl_env")


def replace_hle() -> None:
    """From now on `import hanabi_learning_environment` finds the drop-in, and so do `import rl_env` and `pyhanabi` of
    HLE's older checkouts. HLE's agents and whatever else its folder holds, installed or not built, stay as they are."""
    theirs = find_spec(HLE)
    spec = ModuleSpec(HLE, None, is_package=True)
    spec.submodule_search_locations = list(theirs.submodule_search_locations or ()) if theirs else []
    package = module_from_spec(spec)
    for name in [name for name in sys.modules if name.split(".")[0] == HLE]:
        del sys.modules[name]
    sys.modules[HLE] = package
    for name in MODULES:
        module = import_module(f"{__name__}.{name}")
        sys.modules[name] = sys.modules[f"{HLE}.{name}"] = module
        setattr(package, name, module)


def __getattr__(name: str) -> Any:
    if name in MODULES:  # loaded when first used: the numbers alone need no game
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
