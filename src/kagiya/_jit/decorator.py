"""The one decorator for compiled code, and compilation to exactly one signature."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from kagiya._jit.cache import cache_folder

F = TypeVar("F", bound=Callable[..., Any])

JIT_OFF = bool(numba.config.DISABLE_JIT)

# Every kernel by "module.name", for `kagiya warm` and for the test that each has a single signature.
kernels: dict[str, Any] = {}


def kernel(function: F) -> F:
    """Compile `function` on first call with the house flags; plain Python when NUMBA_DISABLE_JIT=1.

    The GIL is released while it runs, division by zero follows numpy, and the machine code is kept in
    the folder that `kagiya._jit.cache` names after everything it depends on.
    """
    module = function.__module__
    path = sys.modules[module].__file__ or ""
    folder = cache_folder(path, module)
    compiled = function if JIT_OFF else _dispatcher(function, folder)
    kernels[f"{module}.{function.__name__}"] = compiled
    return cast(F, compiled)


def _dispatcher(function: Callable[..., Any], folder: Path) -> Any:
    saved, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        dispatcher = numba.njit(cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = saved
    dispatcher.kagiya_folder = folder
    return dispatcher


def compile_kernel(function: Any, signature: Any) -> Any:
    """Compile a kernel to this one signature, or load it from disk, and refuse any other from now on."""
    if JIT_OFF or not function._can_compile:
        return function
    arguments = tuple(signature.args)
    function.compile(arguments)
    function.disable_compile()
    returned = function.overloads[arguments].signature.return_type
    if returned != signature.return_type:
        raise TypeError(f"{function.__name__} returns {returned}, expected {signature.return_type}")
    return function
