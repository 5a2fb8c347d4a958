"""The cache of compiled kernels: which files a module is made from, and the folder named after their contents.

Numba drops a cached function only when the function's *own* file changes: after an edit to a callee or
a constant in another module it silently runs the old machine code, and it forgets that
``NUMBA_BOUNDSCHECK`` changes the code as well. So each module's kernels live in a folder named after the
contents of that module, of all it imports, directly or not (`import_closure`), and of the flags. Nothing in the name
depends on where the files lie, so that two installations of one version share their machine code.

Stored games are named after the same list of files: a file that it misses means old results for new code.
"""

import ast
import hashlib
import os
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock

try:
    import fcntl
except ImportError:  # Windows: two processes may compile one kernel, and write the same
    fcntl = None  # type: ignore[assignment]

PACKAGE = str(Path(__file__).resolve().parents[1])
LIBRARY = tuple({os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")})
INSTALLED = tuple({os.path.realpath(sysconfig.get_path(name)) for name in ("purelib", "platlib")})
PACKAGE_FOLDERS = ("site-packages", "dist-packages")
DATA_FILES = "DATA_FILES"  # where a user's module lists the files that its play depends on
# What Kagiya itself stands on; the compiler's version counts wherever it matters.
OUR_OWN_NEEDS = frozenset({"numba", "llvmlite", "numpy", "scipy", "matplotlib", "duckdb", "rich", "typer"})

# How this package imports, by its own rules: absolutely, at the start of a line. A test compares with
# the parser, which would take twenty times as long.
IMPORT = re.compile(r"^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([^\n]+))", re.MULTILINE)


def import_closure(path: str) -> list[str]:
    """`path` and every file it imports, directly or not, but for the standard library and what Kagiya stands on.

    Call it once those are in sys.modules. An installed package counts by its record of all its files.
    """
    todo, done = [os.path.realpath(path)], set[str]()
    while todo:
        if (file := todo.pop()) not in done:
            done.add(file)
            if file.endswith(".py"):
                todo += imported_files(file)
    return sorted(done)


@cache
def imported_files(path: str) -> tuple[str, ...]:
    """The files that stand for what the module at `path` imports, and the data files that it declares."""
    source = Path(path).read_text(encoding="utf-8")
    if _is_ours(path):
        return _standing_files(imported_names(source))
    found = _standing_files(parsed_names(source, _package_of(path)))
    return (*found, *declared_files(source, path))


def _standing_files(names: Iterable[str]) -> tuple[str, ...]:
    files = (_file_of(name) for name in set(names) if name.partition(".")[0] not in OUR_OWN_NEEDS)
    found = (_standing_for(os.path.realpath(file)) for file in files if file)
    return tuple(sorted({file for file in found if file}))


def _file_of(name: str) -> str | None:
    """Where a module is, loaded or not, without loading it."""
    if module := sys.modules.get(name):
        return getattr(module, "__file__", None)
    found = _spec_of(name)
    return found.origin if found and found.has_location else None


def _spec_of(name: str) -> ModuleSpec | None:
    """Where the import system would find a module, whatever is loaded: the same list of files in every process."""
    if not all(name.split(".")):  # a relative import in a file that belongs to no package
        return None
    parent = name.rpartition(".")[0]
    if not parent:
        return PathFinder.find_spec(name)
    if loaded := sys.modules.get(parent):
        places = getattr(loaded, "__path__", None)
    else:
        above = _spec_of(parent)
        places = above.submodule_search_locations if above else None
    return PathFinder.find_spec(name, places) if places is not None else None


def parse(source: str | bytes) -> ast.Module:
    """The syntax tree. Under the lock that numba parses under: of two threads at once Python lets one fail.

    "AST constructor recursion depth mismatch", up to Python 3.12: python/cpython#106905.
    """
    with global_compiler_lock:
        return ast.parse(source)


def declared_files(source: str, path: str) -> list[str]:
    """The files in a list of texts ``DATA_FILES = ["weights.npy"]``, from the folder of the module."""
    found = []
    for node in parse(source).body:
        is_list = isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [DATA_FILES]
        if is_list and isinstance(node, ast.Assign):
            found += [os.path.join(os.path.dirname(path), name) for name in ast.literal_eval(node.value)]
    for file in found:
        if not os.path.isfile(file):
            raise ValueError(f"{path} lists {file} in {DATA_FILES}, but there is no such file")
    return found


def imported_names(source: str) -> set[str]:
    """Every dotted name that an import of this package's own style may load: the module and module.name."""
    found: set[str] = set()
    for module, names, plain in IMPORT.findall(source):
        listed = [part.split()[0] for part in re.sub(r"#.*|[()\n]", " ", names or plain).split(",") if part.split()]
        found.update(f"{module}.{name}" for name in listed) if module else found.update(listed)
        if module:
            found.add(module)
    return found


def parsed_names(source: str, package: str) -> Iterator[str]:
    """The same for any source, wherever in it the import stands; relative ones start from `package`."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".") if node.level else []
            start = base[: len(base) - node.level + 1] + ([node.module] if node.module else [])
            module = ".".join(start)
            yield from _with_parents(module)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])


def _package_of(path: str) -> str:
    """The package that the module loaded from `path` belongs to; empty for one that stands alone."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and os.path.realpath(file) == path:
            return getattr(module, "__package__", None) or ""
    return ""


def _is_ours(file: str) -> bool:
    return file.startswith(PACKAGE + os.sep)


def _standing_for(file: str) -> str | None:
    """The file whose content says which code this is: itself, or the record of the package it was installed with."""
    if _is_ours(file):
        return file if file.endswith(".py") else None
    root = _installed_in(file)
    if root is None:
        return None if file.startswith(tuple(library + os.sep for library in LIBRARY)) else file
    top = Path(file).relative_to(root).parts[0].removesuffix(".py")
    return None if top in OUR_OWN_NEEDS else _record_of(top) or file


def _installed_in(file: str) -> str | None:
    """The folder of packages that a file is in, of this environment or of one that lends it packages."""
    ours = (root for root in INSTALLED if file.startswith(root + os.sep))
    lent = (str(folder) for folder in Path(file).parents if folder.name in PACKAGE_FOLDERS)
    return next(ours, None) or next(lent, None)


@cache
def _record_of(package: str) -> str | None:
    for name in metadata.packages_distributions().get(package, ()):
        for entry in metadata.files(name) or ():
            if entry.name == "RECORD":
                return str(entry.locate())
    return None


@cache
def content_hash(file: str) -> bytes:
    """A hash of what a file holds."""
    return hashlib.sha256(Path(file).read_bytes()).digest()


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

    def __init__(self, function: Callable[..., Any], folder: Path, kind: type[CompileResultCacheImpl]) -> None:
        self._impl_class = _implementation(folder, kind)
        super().__init__(function)


def _implementation(folder: Path, kind: type[CompileResultCacheImpl]) -> type[CompileResultCacheImpl]:
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

    class Implementation(kind):  # type: ignore[misc, valid-type]
        _locator_classes = [Locator]  # noqa: RUF012

    return Implementation


LOCK_FILE = "compiling.lock"  # each kernel locks a byte of its own
MAX_WAIT = 300.0  # seconds for a process that was stopped while it compiles; then no other is waited for any more
_given_up: set[int] = set()  # lock files


@contextmanager
def only_compiler(folder: Path | None, name: str) -> Iterator[None]:
    """No other process compiles this kernel meanwhile: it waits, and then finds the kernel on disk.

    The lock ends with its process. A kernel waits for its callees alone, and those never for it.
    """
    file = None if folder is None else _lock_file(str(folder.parent))
    if folder is None or file is None:
        yield
        return
    place = int.from_bytes(hashlib.sha256(f"{folder.name}.{name}".encode()).digest()[:4]) >> 1
    until = time.monotonic() + MAX_WAIT
    try:
        while file not in _given_up and not _is_locked(file, place):
            if time.monotonic() > until:
                _given_up.add(file)
            time.sleep(0.01)
        yield
    finally:
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


def can_share_compiling() -> bool:
    """Whether processes can compile for one cache without compiling anything twice."""
    with suppress(OSError):
        cache_root().mkdir(parents=True, exist_ok=True)
    return _lock_file(str(cache_root())) is not None


def _is_locked(file: int, place: int) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


@cache
def _lock_file(folder: str) -> int | None:
    """Open as long as the process lives, for closing it would end all locks."""
    if fcntl is None:
        return None
    with suppress(OSError):
        return os.open(Path(folder, LOCK_FILE), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    return None


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
