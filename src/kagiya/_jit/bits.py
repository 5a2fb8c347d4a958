"""Counting bits in compiled code: numba has neither int.bit_count nor a bit scan, LLVM has both."""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kagiya._jit.decorator import JIT_OFF


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
