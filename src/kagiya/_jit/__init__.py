"""The compiler, and the only place that imports numba: kernels, their cache, bit counts, calls by address."""

from kagiya._jit.arrays import (
    HAS_CLOCK,
    address,
    array_address,
    kernel_caller,
    kernel_signatures,
    lowest_bit,
    now,
    popcount,
    record_viewer,
    stack_array,
    stored_array,
)
from kagiya._jit.cache import cache_root, can_share_compiling, is_cached, prune_cache
from kagiya._jit.kernel import JIT_OFF, KernelError, compile_kernel, interpreted, kernel, kernels, with_bounds_checks

__all__ = [
    "HAS_CLOCK",
    "JIT_OFF",
    "KernelError",
    "address",
    "array_address",
    "cache_root",
    "can_share_compiling",
    "compile_kernel",
    "interpreted",
    "is_cached",
    "kernel",
    "kernel_caller",
    "kernel_signatures",
    "kernels",
    "lowest_bit",
    "now",
    "popcount",
    "prune_cache",
    "record_viewer",
    "stack_array",
    "stored_array",
    "with_bounds_checks",
]
