"""Arrays as addresses: a kernel whose signature is fixed reaches the arrays of its owner through a number.

An address keeps nothing alive: whoever made the array must hold it as long as the number is in use.
"""

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from kagiya._jit.decorator import JIT_OFF, check_address

_arrays: WeakValueDictionary[int, Any] = WeakValueDictionary()


def array_address(array: Any) -> int:
    """The number under which compiled code finds this array, which must be contiguous."""
    assert array.flags.c_contiguous
    place = check_address(int(array.ctypes.data))
    if JIT_OFF:
        _arrays[place] = array
    return place


def record_viewer(dtype: Any) -> Callable[..., Any]:
    """What a kernel writes to have the first record of an array of this type again: ``view(address)``."""
    kind = from_dtype(np.dtype(dtype))

    def view(typingctx: Any, place: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.int64), codegen

    return (lambda place: _find(place)[0]) if JIT_OFF else intrinsic(view)


def stored_array(dtype: Any, address: str, *shape: int | str) -> Callable[..., Any]:
    """The same for an array whose address is a field of a record: ``view(record)``. A length may be a field, too."""
    kind = types.Array(from_dtype(np.dtype(dtype)), len(shape), "C")

    def view(typingctx: Any, record: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def field(name: str) -> Any:
                word = context.get_value_type(types.int64)
                return builder.load(cgutils.get_record_member(builder, args[0], record.offset(name), word))

            lengths = [field(n) if isinstance(n, str) else context.get_constant(types.intp, n) for n in shape]
            return _view(context, builder, kind, field(address), lengths)

        return kind(record), codegen

    return (lambda record: _find(record[address])) if JIT_OFF else intrinsic(view)


def stack_array(dtype: str, length: int) -> Callable[..., Any]:
    """What a kernel writes to have an array of its own: ``array()``. It is not cleared, and ends with the kernel."""
    kind = types.Array(from_dtype(np.dtype(dtype)), 1, "C")

    def make(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = cgutils.alloca_once(builder, context.get_data_type(kind.dtype), size=length)
            place = builder.ptrtoint(data, context.get_value_type(types.intp))
            return _view(context, builder, kind, place, [context.get_constant(types.intp, length)])

        return kind(), codegen

    return (lambda: np.zeros(length, dtype)) if JIT_OFF else intrinsic(make)


def _find(place: int) -> Any:
    return _arrays[int(place)]


def _view(context: Any, builder: Any, kind: Any, place: Any, lengths: list[Any]) -> Any:
    array = context.make_array(kind)(context, builder)
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides: list[Any] = []
    step = itemsize
    for length in reversed(lengths):
        strides.insert(0, step)
        step = builder.mul(step, length)
    data = builder.inttoptr(place, array.data.type)
    shape, steps = cgutils.pack_array(builder, lengths), cgutils.pack_array(builder, strides)
    arrayobj.populate_array(array, data, shape, steps, itemsize, meminfo=None)
    return array._getvalue()
