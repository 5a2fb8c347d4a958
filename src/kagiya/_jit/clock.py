"""The time of day in compiled code, for searches that think for so long and no longer."""

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kagiya._jit.decorator import JIT_OFF

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
