"""What every kernel is compiled for, found by type inference alone, which takes a fraction of the time.

A kernel that is loaded from disk does not show what its callees were compiled for. So the types are inferred once more
from the kernels that were called, without making machine code.
For a process of its own: nothing runs in it any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder, compile_result
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import signature


@register_pass(mutates_CFG=False, analysis_only=True)
class KeepSignature(FunctionPass):
    """The end of a compilation that goes no further than the types."""

    _name = "keep_signature"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        found = signature(state.return_type, *state.args)
        contexts = {"typing_context": state.typingctx, "target_context": state.targetctx}
        state.cr = compile_result(signature=found, objectmode=False, typing_error=None, **contexts)
        return True


class TypesOnly(CompilerBase):
    """Numba's compiler up to type inference, which compiles every callee for the types that it is called with."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("types only")
        passes.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        passes.add_pass(NopythonTypeInference, "infer types")
        passes.add_pass(KeepSignature, "keep the signature")
        passes.finalize()
        return [passes]


def infer_signatures(kernels: Iterable[Any]) -> None:
    """Leave in each kernel the signatures for which those called so far, and all that they call, are compiled."""
    called = {kernel: list(kernel.overloads) for kernel in kernels}
    for kernel in called:
        kernel.overloads.clear()
        kernel._can_compile = True
        kernel._compiler.pipeline_class = TypesOnly
        kernel.compile = _inferring(kernel)
    for kernel, found in called.items():
        for arguments in found:
            kernel.compile(arguments)


def _inferring(kernel: Any) -> Callable[[Any], None]:
    def infer(arguments: Any) -> None:
        if tuple(arguments) not in kernel.overloads:
            kernel.overloads[tuple(arguments)] = kernel._compiler.compile(tuple(arguments), None)

    return infer
