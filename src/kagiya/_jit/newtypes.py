"""Types that exist for mypy alone, in compiled code: ``Card(n)`` is n as an int64, and costs nothing."""

from typing import Any, NewType

from numba import types
from numba.core.typing.templates import AbstractTemplate, signature
from numba.extending import lower_builtin, typeof_impl

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
