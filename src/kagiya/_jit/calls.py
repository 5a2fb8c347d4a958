"""Agents as addresses: compiled play calls any agent's kernels through a number in an int64 array.

An address costs nothing to pass from Python and lets each agent be compiled and cached by itself; a
tuple of functions costs a millisecond per call, a function argument is never cached. An address is not
checked and keeps nothing alive, so it is made here only, and the kernels it stands for are remembered.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.extending import intrinsic

from kagiya._jit.decorator import JIT_OFF, check_address, compile_kernel

_memory = types.Array(types.int64, 3, "C")
_params = types.Array(types.float64, 2, "C")
_rng = types.Array(types.int64, 3, "C")

_known: list[Callable[..., Any]] = []


def act_signature(state: np.dtype[Any]) -> Any:
    """act(states, i, seat, memory, params, rng) -> move"""
    states = types.Array(from_dtype(state), 1, "C")
    return types.int64(states, types.int64, types.int64, _memory, _params, _rng)


def observe_signature(state: np.dtype[Any]) -> Any:
    """observe(states, i, seat, memory, params, move), before the move takes effect"""
    states = types.Array(from_dtype(state), 1, "C")
    return types.none(states, types.int64, types.int64, _memory, _params, types.int64)


def tactic_signature(state: np.dtype[Any]) -> Any:
    """tactic(states, i, seat, rng, value) -> move or NO_MOVE"""
    states = types.Array(from_dtype(state), 1, "C")
    return types.int64(states, types.int64, types.int64, _rng, types.float64)


def part_signature(state: np.dtype[Any]) -> Any:
    """part(states, i, seat, memory, params, subject) -> number"""
    states = types.Array(from_dtype(state), 1, "C")
    return types.int64(states, types.int64, types.int64, _memory, _params, types.int64)


def dialogue_signature(state: np.dtype[Any]) -> Any:
    """converse(states, i, seat, memory, params, owner, modulus, number) -> number"""
    states, one = types.Array(from_dtype(state), 1, "C"), types.int64
    return types.int64(states, one, one, _memory, _params, one, one, one)


def address(function: Callable[..., Any], signature: Any) -> int:
    """The number under which compiled code can call this kernel; compiles it on first use."""
    compiled = compile_kernel(function, signature)
    _known.append(compiled)
    if JIT_OFF:
        return len(_known) - 1
    result = compiled.overloads[tuple(signature.args)]
    return check_address(int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name)))


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


def act_caller(signature: Any) -> Callable[..., Any]:
    """What a kernel writes to call an act kernel: ``call(address, states, i, seat, memory, params, rng)``."""

    # The arguments are written out: passing them as a tuple halves the speed (reference counts).
    def call(typingctx: Any, function: Any, states: Any, i: Any, seat: Any, memory: Any, params: Any, rng: Any) -> Any:
        return _through(signature)

    return _call_twin if JIT_OFF else intrinsic(call)


def observe_caller(signature: Any) -> Callable[..., Any]:
    """The same for an observe kernel: ``call(address, states, i, seat, memory, params, move)``."""

    def call(typingctx: Any, function: Any, states: Any, i: Any, seat: Any, memory: Any, params: Any, move: Any) -> Any:
        return _through(signature)

    return _call_twin if JIT_OFF else intrinsic(call)


def tactic_caller(signature: Any) -> Callable[..., Any]:
    """The same for a tactic: ``call(address, states, i, seat, rng, value)``."""

    def call(typingctx: Any, function: Any, states: Any, i: Any, seat: Any, rng: Any, value: Any) -> Any:
        return _through(signature)

    return _call_twin if JIT_OFF else intrinsic(call)


def part_caller(signature: Any) -> Callable[..., Any]:
    """The same for a part of an agent: ``call(address, states, i, seat, memory, params, subject)``."""

    def call(typingctx: Any, function: Any, states: Any, i: Any, seat: Any, memory: Any, params: Any, sub: Any) -> Any:
        return _through(signature)

    return _call_twin if JIT_OFF else intrinsic(call)


def dialogue_caller(signature: Any) -> Callable[..., Any]:
    """The same for questions: ``call(address, states, i, seat, memory, params, owner, modulus, number)``."""

    def call(
        typingctx: Any,
        function: Any,
        states: Any,
        i: Any,
        seat: Any,
        memory: Any,
        params: Any,
        owner: Any,
        modulus: Any,
        number: Any,
    ) -> Any:
        return _through(signature)

    return _call_twin if JIT_OFF else intrinsic(call)


def _call_twin(function: int, *arguments: Any) -> Any:
    return _known[function](*arguments)
