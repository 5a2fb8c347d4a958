"""Kernels of a user's agent with every index checked: compiled so, or as plain Python for a message with its line.

A kernel is copied together with the kernels that it calls, as far as they are the user's or are handed an agent's
memory; the rest of Kagiya's are taken as they are, so that little is compiled twice, unless all are wanted.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher

from kagiya._jit.decorator import JIT_OFF, make_dispatcher

HOUSE = __name__.partition(".")[0]
AGENTS_OWN = {"memory", "params"}  # names of parameters: who is given these may write where it should not


def with_bounds_checks(function: Any, with_ours: bool = False) -> Any:
    """The same kernel, which raises IndexError where the fast one would read or write out of bounds.

    `with_ours`: also in all kernels of Kagiya's that it calls.
    """
    return (
        function if JIT_OFF else _Copier(_compile_checked_all if with_ours else _compile_checked, with_ours)(function)
    )


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
        copy.__module__, copy.__qualname__, copy.__kwdefaults__ = (
            original.__module__,
            original.__qualname__,
            original.__kwdefaults__,
        )
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
        if self.with_ours or value.py_func.__module__.partition(".")[0] != HOUSE:
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
