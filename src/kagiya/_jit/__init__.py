"""The compiler, and the only place that imports numba: kernels, their cache, bit counts, calls by address."""

from kagiya._jit.bits import lowest_bit, popcount
from kagiya._jit.cache import cache_root, is_cached, prune_cache
from kagiya._jit.calls import (
    act_caller,
    act_signature,
    address,
    dialogue_caller,
    dialogue_signature,
    observe_caller,
    observe_signature,
    part_caller,
    part_signature,
    tactic_caller,
    tactic_signature,
)
from kagiya._jit.checked import interpreted, with_bounds_checks
from kagiya._jit.clock import HAS_CLOCK, now
from kagiya._jit.decorator import JIT_OFF, KernelError, compile_kernel, kernel, kernels
from kagiya._jit.views import array_address, record_viewer, stack_array, stored_array

__all__ = [
    "HAS_CLOCK",
    "JIT_OFF",
    "KernelError",
    "act_caller",
    "act_signature",
    "address",
    "array_address",
    "cache_root",
    "compile_kernel",
    "dialogue_caller",
    "dialogue_signature",
    "interpreted",
    "is_cached",
    "kernel",
    "kernels",
    "lowest_bit",
    "now",
    "observe_caller",
    "observe_signature",
    "part_caller",
    "part_signature",
    "popcount",
    "prune_cache",
    "record_viewer",
    "stack_array",
    "stored_array",
    "tactic_caller",
    "tactic_signature",
    "with_bounds_checks",
]
