"""Compiled functions: the `@kernel` decorator, compilation to one signature, readable errors, and bounds checks.

Types made with NewType cost nothing in a kernel: ``Card(n)`` is n as an int64.
Numba is imported without scipy.linalg until a program multiplies matrices: that import takes a tenth of a short match.
A `KernelError` says in a sentence where the mistake is and what to write instead; numba's whole message is its cause.

For bounds checks a user's kernel is copied together with the kernels that it calls, as far as they are the user's or
are handed an agent's memory. Kagiya's other kernels are taken as they are, so that little is compiled twice, unless all
are wanted. The copies are compiled with every index checked, or run as plain Python for a message with its line.
"""

import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, NewType, TypeVar, cast

import numba
from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import AbstractTemplate, signature
from numba.extending import lower_builtin, typeof_impl
from numba.np import linalg

from kagiya._jit.cache import cache_folder
from kagiya._jit.dispatcher import KernelDispatcher

_KEY = "kagiya.newtype"


class _Same(AbstractTemplate):
    key = _KEY

    def generic(self, args: Any, kws: Any) -> Any:
        is_whole = len(args) == 1 and isinstance(args[0], types.Integer | types.Boolean)
        return signature(types.int64, types.int64) if is_whole else None


def admit_newtypes() -> None:
    """Let kernels call any `typing.NewType`, as they call `int`."""
    same = types.Function(_Same)
    typeof_impl.register(NewType, lambda value, context: same)
    lower_builtin(_KEY, types.int64)(lambda context, builder, called_as, args: args[0])


ASKING = "numba.np.arraymath"  # asks, when it is imported, whether scipy's BLAS is there, and imports scipy.linalg


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


F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config
_unliteral: Callable[[Any], Any] = numba.types.unliteral
JIT_OFF = bool(_CONFIG.DISABLE_JIT)
admit_newtypes()
spare_scipy()


class KernelError(TypeError):
    """A kernel that numba cannot compile, or that does not fit where it is wanted."""


# Rows of parameters are float64, and addresses stand among them: beyond this they would be rounded.
EXACT_IN_A_FLOAT = 1 << 53


def check_address(place: int) -> int:
    """An address that a float64 carries exactly; refuses others."""
    if not 0 <= place < EXACT_IN_A_FLOAT:
        raise KernelError(f"address {place:#x} does not fit into a row of parameters, which is exact below 2**53")
    return place


# Every kernel by "module.name", for `kagiya warm` and for the test that each has a single signature.
kernels: dict[str, Any] = {}


def kernel(function: F) -> F:
    """Compile `function` on first call with our flags; plain Python when NUMBA_DISABLE_JIT=1.

    The GIL is released while it runs, division by zero follows numpy, and the machine code is kept in
    the folder that `kagiya._jit.cache` names after everything it depends on. What was typed at a prompt or in a
    notebook stands in no file that could be followed, and is compiled whenever it is typed.
    """
    module = function.__module__
    path = getattr(sys.modules.get(module), "__file__", None) or ""
    folder = cache_folder(path, module) if os.path.exists(path) else None
    compiled = function if JIT_OFF else make_dispatcher(function, folder)
    kernels[f"{module}.{function.__name__}"] = compiled
    return cast(F, compiled)


def make_dispatcher(function: Callable[..., Any], folder: Path | None, boundscheck: bool | None = None) -> Any:
    """Numba's wrapper of a kernel, which compiles it when needed and keeps the machine code in this folder, if any."""
    # Without numba's memory manager a kernel cannot allocate, and saves the counting of references to the
    # arrays it is given: 320 to 458 thousand random games a second, 69 to 109 thousand of `vdb`.
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "_nrt": False, "boundscheck": boundscheck}
    dispatcher: Any = KernelDispatcher(function, targetoptions=options)
    if folder is not None:
        with suppress(OSError):  # a cache folder that cannot be written: compiled again in every process
            dispatcher.keep_in(folder)
    dispatcher.get_call_template = _without_literals(dispatcher.get_call_template)
    return dispatcher


def _without_literals(template: Callable[..., Any]) -> Callable[..., Any]:
    """Calls from other kernels are compiled for int64, not once more for each number written in the source."""

    def resolve(arguments: Any, named: Any) -> Any:
        return template(tuple(map(_unliteral, arguments)), {key: _unliteral(kind) for key, kind in named.items()})

    return resolve


def compile_kernel(function: Any, signature: Any) -> Any:
    """Compile a kernel to this one signature, or load it from disk, and refuse any other from now on."""
    name = f"{function.__module__}.{function.__name__}"
    if not JIT_OFF and not isinstance(function, KernelDispatcher):
        raise KernelError(f"{name} is not a kernel; write @kernel above its def (from kagiya import kernel)")
    if JIT_OFF:
        return function
    # The compiler's own lock, so that of two threads the second finds the kernel compiled and does not ask for it.
    with global_compiler_lock:
        if not function.is_sealed:
            _compile_once(function, name, signature)
    return function


def _compile_once(function: Any, name: str, signature: Any) -> None:
    arguments = tuple(signature.args)
    try:
        function.compile(arguments)
    except Exception as error:  # mostly numba's own, but a wrong field name is a bare KeyError
        raise KernelError(f"{name} does not compile: {compile_message(error, function)}") from error
    # Compiled from the arguments alone: given the whole signature, numba would cut 0.5 down to move 0.
    returned = _unliteral(function.overloads[arguments].signature.return_type)
    if returned != signature.return_type:
        raise KernelError(f"{name}: {return_message(returned, signature.return_type, function)}")
    function.sealed = arguments


PACKAGE = str(Path(__file__).resolve().parents[1])
PLACE = re.compile(r'(?:File "([^"]+)", line (\d+))|(?: at (\S+) \((\d+)\))')
NO_ROOM = "a kernel cannot make lists, dicts or arrays; keep numbers in masks of bits or in memory[i, seat, word]"
SHAPES = "memory[i, seat, word], params[seat, place], rng[i, 1 + seat, word], states[i]['hands'][seat, slot]"

# For each pattern in the compiler's message what to say about it.
WORDS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
        lambda found: f"{found[1]} is not a kernel; write @kernel above its def",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
        lambda found: f"{found[1]} is of type {found[2]}; kernels know numbers, numpy arrays and other kernels",
    ),
    (r"NRT required but not enabled", lambda found: NO_ROOM),
    (
        r"cannot index .*?\((?:\w+, (\d)d|\w+, \(([\d, ]+)\)).*?\) with (\d+) indices",
        lambda found: f"{found[3]} indices where there are {found[1] or len(found[2].split(','))}: {SHAPES}",
    ),
    (
        r"Field '(\w+)' was not found in record with fields \(([^)]*)\)",
        lambda found: f"a position has no field {found[1]!r}; {_nearest(found[1], found[2])}",
    ),
    (
        r"Signature mismatch: (\d+) argument types given, but function takes (\d+)",
        lambda found: f"it takes {found[2]} parameters, expected {found[1]}",
    ),
    (
        r"(?s)Function\(kagiya\.newtype\).*?float",
        lambda found: "a number that may have a fraction stands where an integer is wanted; divide with //, not with /",
    ),
    (r"NameError: (name '\w+' is not defined)", lambda found: found[1]),
    (r"Function\(<built-in function (?:zeros|empty|array|ones|full)>\)|DictType|reflected list", lambda found: NO_ROOM),
    (
        r"Only accept returning of array passed into the function|\((?:array|nestedarray)\(\w+, ",
        lambda found: f"an array stands where a number is wanted; is an index missing? {SHAPES}",
    ),
)


def compile_message(error: BaseException, function: Any) -> str:
    """The sentence for an error of the compiler's about this kernel."""
    text, own = str(error), function.py_func.__code__
    path, line = _place(text) or (own.co_filename, own.co_firstlineno)
    return f"{_where(path, line)}: {_advice(text) or f'{type(error).__name__}: {_gist(text)}'}"


def return_message(returned: Any, expected: Any, function: Any) -> str:
    """The sentence for a kernel that returns the wrong thing."""
    own = function.py_func.__code__
    where = f"{Path(own.co_filename).name}, line {own.co_firstlineno}"
    wanted = "an integer" if str(expected) == "int64" else str(expected)
    if "Optional" in str(returned) or (str(returned) == "none" and str(expected) != "none"):
        return f"{where}: it does not always return something, expected {wanted} at the end of every path"
    return f"{where}: it returns {returned}, expected {wanted}"


def _place(text: str) -> tuple[str, int] | None:
    """The innermost line that is neither the compiler's nor ours."""
    for in_file, line, at_file, at_line in PLACE.findall(text):
        path = str(Path(in_file or at_file).resolve())  # the compiler writes some relative to where it runs
        if path.endswith(".py") and "numba" not in path and "site-packages" not in path and PACKAGE not in path:
            return path, int(line or at_line)
    return None


def _where(path: str, line: int) -> str:
    code = linecache.getline(path, line).strip()
    return f"{Path(path).name}, line {line}" + (f": `{code}`" if code and not code.startswith("@") else "")


def _advice(text: str) -> str | None:
    for pattern, words in WORDS:
        if found := re.search(pattern, text):
            return words(found)
    return None


def _gist(text: str) -> str:
    """The first line that says something."""
    lines = [line.strip() for line in text.splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in nopython mode")), text.strip())


def _nearest(word: str, listed: str) -> str:
    close = get_close_matches(word, re.findall(r"'(\w+)'", listed), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else "docs/kernels.md lists them"


PACKAGE_NAME = __name__.partition(".")[0]
AGENTS_OWN = {"memory", "params"}  # names of parameters: who is given these may write where it should not


def with_bounds_checks(function: Any, with_ours: bool = False) -> Any:
    """The same kernel, which raises IndexError where the fast one would read or write out of bounds.

    `with_ours`: also in all kernels of Kagiya's that it calls.
    """
    if JIT_OFF:
        return function
    return _Copier(_compile_checked_all if with_ours else _compile_checked, with_ours)(function)


def interpreted(function: Any) -> Any:
    """The same kernel and all that it calls as plain Python, whose errors have a line and an index."""
    return function if JIT_OFF else _Copier(lambda copy, kernel: copy, True)(function)


class _Copier:
    """Copies kernels and those that they call."""

    def __init__(self, make: Callable[[FunctionType, Any], Any], with_ours: bool) -> None:
        self.make, self.with_ours = make, with_ours
        self.made: dict[int, Any] = {}

    def __call__(self, kernel: Any) -> Any:
        if id(kernel) in self.made:
            return self.made[id(kernel)]
        original: FunctionType = kernel.py_func
        names = dict(original.__globals__)
        cells = tuple(CellType(cell.cell_contents) for cell in original.__closure__ or ())
        copy = FunctionType(original.__code__, names, original.__name__, original.__defaults__, cells or None)
        for name in ("__module__", "__qualname__", "__kwdefaults__"):
            setattr(copy, name, getattr(original, name))
        self.made[id(kernel)] = result = self.make(copy, kernel)  # before its callees: one of them may call it back
        for name in set(_names_in(original.__code__)) & names.keys():
            names[name] = self._replaced(names[name])
        for cell in cells:
            cell.cell_contents = self._replaced(cell.cell_contents)
        return result

    def _replaced(self, value: Any) -> Any:
        if self._is_copied(value):
            return self(value)
        if isinstance(value, ModuleType) and any(map(self._is_copied, vars(value).values())):
            stand_in = ModuleType(value.__name__)
            for name, item in vars(value).items():
                vars(stand_in)[name] = self(item) if self._is_copied(item) else item
            return stand_in
        return value

    def _is_copied(self, value: Any) -> bool:
        if not isinstance(value, Dispatcher):
            return False
        if self.with_ours or value.py_func.__module__.partition(".")[0] != PACKAGE_NAME:
            return True
        return bool(AGENTS_OWN & set(inspect.signature(value.py_func).parameters))


def _names_in(code: Any) -> list[str]:
    inner = [name for each in code.co_consts if hasattr(each, "co_names") for name in _names_in(each)]
    return [*code.co_names, *inner]


def _compile_checked(copy: FunctionType, kernel: Any, suffix: str = "checked") -> Any:
    if not hasattr(kernel, "kagiya_folder"):  # numba's own decorator: as its author wrote it, and checked
        return numba.njit(**kernel.targetoptions | {"boundscheck": True})(copy)
    folder = kernel.kagiya_folder
    return make_dispatcher(copy, Path(f"{folder}-{suffix}") if folder else None, boundscheck=True)


def _compile_checked_all(copy: FunctionType, kernel: Any) -> Any:
    return _compile_checked(copy, kernel, "checked-all")
