"""The one decorator for compiled code, and compilation to exactly one signature."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.compiler_lock import global_compiler_lock

from kagiya._jit.blas import spare_scipy
from kagiya._jit.cache import KernelCache, cache_folder
from kagiya._jit.newtypes import admit_newtypes

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
    """Compile `function` on first call with the house flags; plain Python when NUMBA_DISABLE_JIT=1.

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
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    dispatcher: Any = numba.njit(**options, boundscheck=boundscheck)(function)
    if folder is not None:
        with suppress(OSError):  # a cache folder that cannot be written: compiled again in every process
            dispatcher._cache = KernelCache(function, folder)
    dispatcher.kagiya_folder = folder
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
    if not JIT_OFF and not hasattr(function, "_can_compile"):
        raise KernelError(f"{name} is not a kernel; write @kernel above its def (from kagiya import kernel)")
    if JIT_OFF:
        return function
    # The compiler's own lock, so that of two threads the second finds the kernel compiled and does not ask for it.
    with global_compiler_lock:
        if function._can_compile:
            _compile_once(function, name, signature)
    return function


def _compile_once(function: Any, name: str, signature: Any) -> None:
    arguments = tuple(signature.args)
    try:
        function.compile(arguments)
    except Exception as error:  # mostly numba's own, but a wrong field name is a bare KeyError
        from kagiya._jit.messages import compile_message  # here, so that its wording compiles nothing again

        raise KernelError(f"{name} does not compile: {compile_message(error, function)}") from error
    # Compiled from the arguments alone: given the whole signature, numba would cut 0.5 down to move 0.
    returned = _unliteral(function.overloads[arguments].signature.return_type)
    if returned != signature.return_type:
        from kagiya._jit.messages import return_message

        raise KernelError(f"{name}: {return_message(returned, signature.return_type, function)}")
    function.disable_compile()
