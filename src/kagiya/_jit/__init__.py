"""The compiler, and the only place that imports numba: kernels, their cache, bit counts, calls by address."""

from kagiya._jit.bits import lowest_bit, popcount
from kagiya._jit.cache import cache_root, is_cached, prune_cache
from kagiya._jit.calls import (
    act_caller,
    act_signature,
    address,
    observe_caller,
    observe_signature,
    tactic_caller,
    tactic_signature,
)
from kagiya._jit.decorator import JIT_OFF, KernelError, compile_kernel, kernel, kernels

__all__ = [
    "JIT_OFF",
    "KernelError",
    "act_caller",
    "act_signature",
    "address",
    "cache_root",
    "compile_kernel",
    "is_cached",
    "kernel",
    "kernels",
    "lowest_bit",
    "observe_caller",
    "observe_signature",
    "popcount",
    "prune_cache",
    "tactic_caller",
    "tactic_signature",
]
