"""Arrays as addresses: a kernel whose signature is fixed reaches the arrays of its owner through a number.

An address keeps nothing alive: whoever made the array must hold it as long as the number is in use.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from kagiya._jit.decorator import JIT_OFF, check_address

_arrays: WeakValueDictionary[int, Any] = WeakValueDictionary()


class Word(NamedTuple):
    """A length that stands in a vector of words, at this place."""

    place: int


def array_address(array: Any) -> int:
    """The number under which compiled code finds this array, which must be contiguous."""
    assert array.flags.c_contiguous
    place = check_address(int(array.ctypes.data))
    if JIT_OFF:
        _arrays[place] = array
    return place


def array_viewer(dtype: Any, length: int) -> Callable[..., Any]:
    """What a kernel writes to have a vector of this type and length again: ``view(address)``."""
    kind = types.Array(from_dtype(np.dtype(dtype)), 1, "C")

    def view(typingctx: Any, place: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _view(context, builder, kind, args[0], [context.get_constant(types.intp, length)])

        return kind(types.int64), codegen

    return _find if JIT_OFF else intrinsic(view)


def stored_array(dtype: Any, place: int, *shape: int | Word) -> Callable[..., Any]:
    """The same for an array whose address is word `place` of a vector of words: ``view(vector)``."""
    kind = types.Array(from_dtype(np.dtype(dtype)), len(shape), "C")

    def view(typingctx: Any, vector: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = context.make_array(signature.args[0])(context, builder, args[0]).data

            def word(index: int) -> Any:
                return builder.load(builder.gep(words, [context.get_constant(types.intp, index)]))

            lengths = [word(n.place) if isinstance(n, Word) else context.get_constant(types.intp, n) for n in shape]
            return _view(context, builder, kind, word(place), lengths)

        return kind(vector), codegen

    return (lambda vector: _find(vector[place])) if JIT_OFF else intrinsic(view)


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
