"""Low-level tools for kernels: arrays and agents' kernels as addresses, bit counts, and the time of day.

A kernel whose signature is fixed reaches its owner's arrays, and compiled play any agent's kernels, through a number.
That costs nothing to pass from Python and lets each agent be compiled and cached by itself; a tuple of functions costs
a millisecond per call, a function argument is never cached. An address is not checked and keeps nothing alive: whoever
made an array must hold it as long as the number is in use; kernels' addresses are made here only, and the kernels are
remembered. Bits are counted by LLVM, since numba has neither int.bit_count nor a bit scan.
"""

import time
from collections.abc import Callable
from typing import Any, cast
from weakref import WeakValueDictionary

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from kagiya._jit.kernel import JIT_OFF, check_address, compile_kernel

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


@intrinsic
def _popcount(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _lowest_bit(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


def _popcount_twin(mask: int) -> int:
    assert mask >= 0, "masks are never negative: write ALL & ~mask"
    return int(mask).bit_count()


def _lowest_bit_twin(mask: int) -> int:
    return (int(mask) & -int(mask)).bit_length() - 1 if mask else 64


# The number of set bits, and the index of the lowest one (64 when there is none): a card, a slot, a move.
popcount: Callable[[int], int] = _popcount_twin if JIT_OFF else cast(Any, _popcount)
lowest_bit: Callable[[int], Any] = _lowest_bit_twin if JIT_OFF else cast(Any, _lowest_bit)


_memory = types.Array(types.int64, 3, "C")
_params = types.Array(types.float64, 2, "C")
_rng = types.Array(types.int64, 3, "C")

_known: list[Callable[..., Any]] = []


def kernel_signatures(state: np.dtype[Any]) -> tuple[Any, ...]:
    """The kernels that are called by address, in this order:

    act(states, i, seat, memory, params, rng) -> move
    observe(states, i, seat, memory, params, move), before the move takes effect
    tactic(states, i, seat, rng, value) -> move or NO_MOVE
    part(states, i, seat, memory, params, subject) -> number
    converse(states, i, seat, memory, params, owner, modulus, number) -> number
    """
    number, states = types.int64, types.Array(from_dtype(state), 1, "C")
    place, notes = (states, number, number), (_memory, _params)
    return (
        number(*place, *notes, _rng),
        types.none(*place, *notes, number),
        number(*place, _rng, types.float64),
        number(*place, *notes, number),
        number(*place, *notes, number, number, number),
    )


def address(function: Callable[..., Any], signature: Any) -> int:
    """The number under which compiled code can call this kernel; compiles it on first use."""
    compiled = compile_kernel(function, signature)
    _known.append(compiled)
    if JIT_OFF:
        return len(_known) - 1
    return check_address(compiled.address(tuple(signature.args)))


def _through(signature: Any) -> Any:
    def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(signature.return_type, signature.args).as_pointer()
        pointer = builder.inttoptr(args[0], kind)
        status, result = convention.call_function(builder, pointer, signature.return_type, signature.args, args[1:])
        with builder.if_then(status.is_error, likely=False):
            convention.return_status_propagate(builder, status)
        return result

    return signature.return_type(types.int64, *signature.args), codegen


def kernel_caller(signature: Any) -> Callable[..., Any]:
    """What a kernel writes to call one with this signature: ``call(address, states, i, seat, ...)``."""

    # The arguments are written out: passing them as a tuple halves the speed (reference counts).
    def call_five(typingctx: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        return _through(signature)

    def call_six(typingctx: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
        return _through(signature)

    def call_eight(
        typingctx: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any
    ) -> Any:
        return _through(signature)

    calls: dict[int, Any] = {5: call_five, 6: call_six, 8: call_eight}
    return _call_twin if JIT_OFF else intrinsic(calls[len(signature.args)])


def _call_twin(function: int, *arguments: Any) -> Any:
    return _known[function](*arguments)


_CLOCK = getattr(time, "CLOCK_MONOTONIC", None)  # Windows has neither this nor clock_gettime
HAS_CLOCK = _CLOCK is not None or JIT_OFF


@intrinsic
def _now(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        if _CLOCK is None:
            return ir.Constant(word, 0)
        pair = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), pair.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [ir.Constant(ir.IntType(32), _CLOCK), pair])
        seconds, nanoseconds = (builder.extract_value(builder.load(pair), place) for place in (0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(word, 1_000_000_000)), nanoseconds)

    return types.int64(), codegen


# Nanoseconds on a clock that only ever moves forward.
now: Any = time.monotonic_ns if JIT_OFF else _now
