"""Where compiled kernels are kept, under a name that changes with everything they were made from.

Numba drops a cached function only when the function's *own* file changes: after an edit to a callee or
a constant in another module it silently runs the old machine code, and it forgets that
``NUMBA_BOUNDSCHECK`` changes the code as well. So each module's kernels live in a folder named after the
contents of that module, of all it imports (`imports.py`), and of the flags. Nothing in the name depends on where the
files lie, so that two installations of one version share their machine code.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from kagiya._jit.imports import content_hash, import_closure

STAMP_LENGTH = 16


def cache_root() -> Path:
    """The folder of all compiled code: ``KAGIYA_CACHE_DIR``, else under the user's cache folder."""
    if chosen := os.environ.get("KAGIYA_CACHE_DIR"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "kagiya"


def cache_folder(path: str, module: str) -> Path:
    """The folder for the kernels of one module: its name, and the stamp of all it depends on."""
    return cache_root() / f"{module}-{stamp(path)}"


@cache
def stamp(path: str) -> str:
    """A hash over the flags, the versions and every file that `path` imports, itself included."""
    digest = hashlib.sha256(repr((_flags(), numba.__version__, sys.version_info[:2])).encode())
    for content in sorted(content_hash(file) for file in import_closure(path)):
        digest.update(content)
    return digest.hexdigest()[:STAMP_LENGTH]


def _flags() -> tuple[str, ...]:
    return tuple(f"{name}={getattr(numba.config, name)}" for name in ("BOUNDSCHECK", "OPT", "CPU_NAME"))


class KernelCache(FunctionCache):
    """Numba's cache of one function, in the folder of its module, whose name says all that must match."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._impl_class = _implementation(folder)
        super().__init__(function)


def _implementation(folder: Path) -> type[CompileResultCacheImpl]:
    class Locator(_CacheLocator):
        def __init__(self, line: int, path: str) -> None:
            self.line = line
            self._py_file = path  # named in numba's warning about a function that it cannot keep

        @classmethod
        def from_function(cls, function: Any, path: str) -> "Locator":
            found = cls(function.__code__.co_firstlineno, path)
            found.ensure_cache_path()
            return found

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return folder.name

        def get_disambiguator(self) -> str:
            return str(self.line)

    class Implementation(CompileResultCacheImpl):
        _locator_classes = [Locator]  # noqa: RUF012

    return Implementation


def is_cached(function: object) -> bool:
    """Whether some compiled version of this kernel lies on disk already."""
    folder = getattr(function, "kagiya_folder", None)
    name = getattr(function, "__qualname__", "")
    return folder is not None and any(Path(folder).rglob(f"*.{name}-*.nbi"))


def prune_cache(folders: set[Path]) -> int:
    """Delete compiled code that belongs to an older version of the given folders' modules."""
    removed = 0
    for folder in folders:
        module = folder.name[: -STAMP_LENGTH - 1]
        for other in folder.parent.glob(f"{module}-*"):
            if other != folder and len(other.name) == len(folder.name):
                shutil.rmtree(other, ignore_errors=True)
                removed += 1
    return removed
