"""Where compiled kernels are kept, under a name that changes with everything they were made from.

Numba drops a cached function only when the function's *own* file changes: after an edit to a callee or
a constant in another module it silently runs the old machine code, and it forgets that
``NUMBA_BOUNDSCHECK`` changes the code as well. So each module's kernels live in a folder named after the
contents of that module, of every project file it imports, and of the flags.
"""

import hashlib
import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path

import numba

PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = tuple({os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix)})
STAMP_LENGTH = 16

# Only imports at the start of a line count: kernels take their callees from module level.
IMPORT = re.compile(r"^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([^\n]+))", re.MULTILINE)


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
    """A hash over the flags, the versions and every project file that `path` imports, itself included."""
    digest = hashlib.sha256(repr((_flags(), numba.__version__, sys.version_info[:2])).encode())
    for file in import_closure(path):
        digest.update(hashlib.sha256(Path(file).read_bytes()).digest())
    return digest.hexdigest()[:STAMP_LENGTH]


def _flags() -> tuple[str, ...]:
    return tuple(f"{name}={getattr(numba.config, name)}" for name in ("BOUNDSCHECK", "OPT", "CPU_NAME"))


def import_closure(path: str) -> list[str]:
    """`path` and every project file it imports, directly or not. Call it once those are in sys.modules."""
    todo, done = [os.path.realpath(path)], set[str]()
    while todo:
        if (file := todo.pop()) not in done:
            done.add(file)
            todo += [found for found in imported_files(file) if _is_project_file(found)]
    return sorted(done)


@cache
def imported_files(path: str) -> tuple[str, ...]:
    """The source files of the modules that `path` imports at module level."""
    names = imported_names(Path(path).read_text(encoding="utf-8"))
    modules = (sys.modules.get(name) for name in names)
    files = (getattr(module, "__file__", None) for module in modules)
    return tuple(sorted({os.path.realpath(file) for file in files if file and file.endswith(".py")}))


def imported_names(source: str) -> set[str]:
    """Every dotted name that an absolute import in `source` may load: the module and module.name."""
    found: set[str] = set()
    for module, names, plain in IMPORT.findall(source):
        listed = [part.split()[0] for part in re.sub(r"#.*|[()\n]", " ", names or plain).split(",") if part.split()]
        found.update(f"{module}.{name}" for name in listed) if module else found.update(listed)
        if module:
            found.add(module)
    return found


def _is_project_file(file: str) -> bool:
    # The package itself may be installed below sys.prefix; it is still ours to stamp.
    return file.startswith(str(PACKAGE)) or not file.startswith(INSTALLED)


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
