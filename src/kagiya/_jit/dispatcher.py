"""How one kernel is compiled: inlined if small, called by symbol if large, wrapped only if Python calls it.

Numba links all that a function calls, directly or not, into it and optimizes it again, makes machine code of each, and
wraps each for calls from Python. Here a kernel is machine code under a symbol that is the same in every process; its
callers are given its own code to inline, unless it is large, and else call the symbol. The smallest are only inlined.
The wrapper is made at the first call from Python, and kept apart.

This leans on internals of numba, whose version pyproject.toml bounds; besides it only `cache` and `arrays` do.
"""

import hashlib
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core import event, sigutils, types
from numba.core.caching import CompileResultCacheImpl
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import OmittedArg, _FunctionCompiler
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

from kagiya._jit.cache import KernelCache, only_compiler

# In LLVM's instructions. A call passes an array as seven numbers or more, so that LLVM inlines kernels of some hundred
# (its limit of 225 is about 45, and the call it saves counts): with MAX_INLINED = 80 games took up to 40 % longer.
ENVIRONMENT = "_ZN08NumbaEnv"  # numba's variables for what a kernel needs of Python
MAX_SMALL = 40  # always inlined: no machine code of its own
MAX_INLINED = 400  # callers see the code and may inline it; of larger kernels they know the symbol only

_named: dict[str, "KernelDispatcher"] = {}  # every kernel that may be called by symbol
_defined: dict[str, tuple[str, Any]] = {}  # the name in that table and the arguments, by symbol


class _Compiler(_FunctionCompiler):
    """Stops before machine code and wrappers."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        return flags


class KernelDispatcher(CPUDispatcher):
    """Numba's object for a function that is compiled when it is first needed, with the differences told above."""

    def __init__(
        self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = Compiler
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        self._compiler = _Compiler(py_func, self.targetdescr, self.targetoptions, self.locals, pipeline_class)
        self.kagiya_folder: Path | None = None
        self.sealed: tuple[Any, ...] | None = None  # the one signature that it was compiled to, if it takes no other
        self._addresses: dict[Any, int] = {}
        self._wrappers: dict[Any, Any] = {}  # numba's table of them only borrows
        self._name = ""  # without one it is linked into its callers, however large

    @property
    def is_sealed(self) -> bool:
        return self.sealed is not None

    def keep_in(self, folder: Path) -> None:
        """Keep compiled code in this folder, whose name says all that it was made from."""
        self._cache = KernelCache(self.py_func, folder, _KernelFile)
        self.kagiya_folder = folder
        if self.py_func.__closure__ is None:  # what a function encloses has no name to tell it by
            self._name = f"{folder.name}.{self._place}.{_code_hash(self.py_func.__code__)}"
            _named[self._name] = self

    @property
    def _place(self) -> str:
        return f"{self.py_func.__qualname__}.{self.py_func.__code__.co_firstlineno}"

    def compile(self, sig: Any) -> None:
        """Load or compile the code for these arguments, for calls from other kernels."""
        arguments, _ = sigutils.normalize_signature(sig)
        with global_compiler_lock:
            if arguments in self.overloads or self.is_sealed:
                return
            found = self._load(sig) or self._compile_alone(sig, arguments)
            if found.metadata["is_machine_code"]:
                _defined[found.fndesc.llvm_func_name] = self._name, arguments
            self.overloads[arguments] = found
            libraries = (found.library,) if found.metadata["bitcode"] else ()
            self.targetctx.insert_user_function(found.library, found.fndesc, libraries)

    def _load(self, sig: Any) -> Any:
        found = self._cache.load_overload(sig, self.targetctx)
        if found is not None:
            self._cache_hits[sig] += 1
        return found

    def _compile_alone(self, sig: Any, arguments: Any) -> Any:
        with only_compiler(self.kagiya_folder, self._place):
            found = self._load(sig)  # another process may just have compiled it
            if found is None:
                self._cache_misses[sig] += 1
                found = self._compile_anew(arguments)
                with suppress(OSError):  # a full disk: compiled again in every process
                    self._cache.save_overload(sig, found)
            return found

    def _compile_anew(self, arguments: Any) -> Any:
        data = {"dispatcher": self, "args": arguments, "return_type": None}
        with self._compiling_counter, event.trigger_event("numba:compile", data=data):
            result = self._compiler.compile(arguments, None)
            _optimize(result.library)
            return self._finish(result, arguments)

    def _finish(self, result: Any, arguments: Any) -> Any:
        library, function = result.library, result.library.get_function(result.fndesc.llvm_func_name)
        size, code = _instructions(function), b""
        # By its size alone, never by who asks first: processes that fill one cache must come to the same answer.
        prints = ENVIRONMENT in str(function)  # or does else what needs Python: its code stays where that is bound
        by_symbol = bool(self._name) and (size > MAX_SMALL or prints)
        if by_symbol:
            result.fndesc.mangled_name = function.name = _symbol(self._name, arguments)
            library._shared_module = library._final_module.clone()
            library._shared_module.get_function(function.name).linkage = "available_externally"
            code = library.codegen._tm.emit_object(library._final_module)
            _hand_over(library, code)
            if prints:
                _bind_environments(library)
        else:
            # Numba's name may be that of another kernel in another process, and of two with one name the first is run.
            result.fndesc.mangled_name = function.name = _symbol(uuid.uuid4().hex, arguments)
            library._finalize_dynamic_globals()  # a kernel that has some cannot be kept on disk
            library._finalized = True
        is_shared = not by_symbol or (size <= MAX_INLINED and not prints)
        bitcode = library._get_module_for_linking().as_bitcode() if is_shared else b""
        known = {"is_machine_code": by_symbol, "code": code, "bitcode": bitcode, "prints": prints}
        return result._replace(metadata=known)

    def get_overload(self, sig: Any) -> Any:
        """What numba finds the code of a callee by."""
        return self.overloads[tuple(sigutils.normalize_signature(sig)[0])].library

    def address(self, arguments: tuple[Any, ...]) -> int:
        """Where the machine code for these arguments begins."""
        # Under the lock, and once: two threads that add the same library to the engine leave it locked for ever.
        with global_compiler_lock:
            if arguments not in self._addresses:
                result = self.overloads[arguments]
                if not result.metadata["is_machine_code"]:
                    _make_machine_code(result.library)
                engine, name = result.library.codegen._engine, result.fndesc.llvm_func_name
                engine.finalize_object()
                self._addresses[arguments] = int(engine.get_function_address(name))
            return self._addresses[arguments]

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """The wrapper for a call from Python with arguments of these types, which numba asks for the first time."""
        super()._compile_for_args(*args, **kws)  # compiles, and explains an argument that numba does not know
        given = tuple(types.Omitted(a.value) if isinstance(a, OmittedArg) else self.typeof_pyval(a) for a in args)
        with global_compiler_lock:
            arguments = self._sealed_arguments(given) if self.is_sealed else given
            if arguments not in self._wrappers:  # else another thread has made it, and two would be ambiguous
                self._wrappers[arguments] = wrapper = self._find_wrapper(arguments)
                self._insert([kind._code for kind in arguments], wrapper.entry_point, False)
                if self.is_sealed:
                    self.disable_compile()
            return self._wrappers[arguments].entry_point

    def _find_wrapper(self, arguments: tuple[Any, ...]) -> Any:
        """The wrapper from disk, or a new one."""
        kept = None
        if self.kagiya_folder is not None:
            with suppress(OSError):
                kept = KernelCache(self.py_func, self.kagiya_folder / "wrappers", _WrapperFile)
        return (kept and kept.load_overload(arguments, self.targetctx)) or self._wrap_alone(arguments, kept)

    def _wrap_alone(self, arguments: tuple[Any, ...], kept: KernelCache | None) -> Any:
        # Under a lock: of two processes that save a wrapper at once, one would lose it from the file that lists them.
        with only_compiler(self.kagiya_folder, f"wrapper.{self._place}"):
            wrapper = kept and kept.load_overload(arguments, self.targetctx)
            if not wrapper:
                wrapper = self._wrap(self.overloads[arguments])
                if kept:
                    with suppress(OSError):
                        kept.save_overload(arguments, wrapper)
            return wrapper

    def _sealed_arguments(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        wanted = self.sealed
        assert wanted is not None
        if any(self.typingctx.can_convert(*pair) is None for pair in zip(given, wanted, strict=True)):
            raise TypeError(f"{self.__name__} takes {wanted}, not {given}")
        return wanted

    def _wrap(self, result: Any) -> Any:
        library = self.targetctx.codegen().create_library(f"{result.fndesc.qualname}.wrapper")
        library.enable_object_caching()
        self.targetctx.create_cpython_wrapper(library, result.fndesc, result.environment, None, release_gil=True)
        if not result.metadata["is_machine_code"]:
            library.add_linking_library(result.library)
        entry_point = self.targetctx.get_executable(library, result.fndesc, result.environment)
        _bind_environments(library)
        return result._replace(library=library, entry_point=entry_point)


class _KernelFile(CompileResultCacheImpl):
    """What lies on disk of a kernel: machine code or bitcode, and the kernels it calls by symbol."""

    def reduce(self, result: Any) -> Any:
        library, fndesc, is_machine_code = result.library, result.fndesc, result.metadata["is_machine_code"]
        needs = _symbols_called(library)
        code = result.metadata.pop("code")
        fndesc.typemap = fndesc.calltypes = None  # of no use any more, and not always possible to write
        environments = result._find_referenced_environments() if result.metadata["prints"] else []
        bitcode, environment = result.metadata["bitcode"], result.environment
        return is_machine_code, code, bitcode, needs, fndesc, environment, result.signature, environments

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        is_machine_code, code, bitcode, needs, fndesc, environment, signature, environments = payload
        if not all(_has_symbol(*need) for need in needs):
            return None
        library = target_context.codegen().create_library(fndesc.qualname)
        library.enable_object_caching()
        if is_machine_code:
            _hand_over(library, code)
            for each in environments:
                _bind(library.codegen, each)
        if bitcode:
            library._get_module_for_linking = cache(lambda: llvm.parse_bitcode(bitcode))
        library._finalized = True
        known = {
            "target_context": target_context,
            "typing_context": target_context.typing_context,
            "library": library,
            "environment": environment,
            "fndesc": fndesc,
            "signature": signature,
            "metadata": {"is_machine_code": is_machine_code, "bitcode": bitcode, "prints": bool(environments)},
        }
        others = {"objectmode": False, "lifted": (), "reload_init": [], "referenced_envs": tuple(environments)}
        return CompileResult(**dict.fromkeys(CompileResult._fields) | known | others)


class _WrapperFile(CompileResultCacheImpl):
    """What lies on disk of a wrapper: numba's file, and the kernels it calls by symbol."""

    def reduce(self, result: Any) -> Any:
        return _symbols_called(result.library), super().reduce(result)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        needs, usual = payload
        return super().rebuild(target_context, usual) if all(_has_symbol(*need) for need in needs) else None


def _symbols_called(library: Any) -> list[tuple[str, Any]]:
    called = (function.name for function in library._final_module.functions if function.is_declaration)
    return [_defined[name] for name in called if name in _defined]


def _has_symbol(name: str, arguments: Any) -> bool:
    """Load or compile a kernel that machine code calls; whether it has the symbol that is called.

    Whoever filled the cache may have counted a few instructions more. Without the symbol the process would crash.
    """
    if name not in _named:  # its module is not loaded in this process
        return False
    _named[name].compile(arguments)
    found = _named[name].overloads.get(arguments)  # none if it has been sealed to other arguments
    return found is not None and bool(found.metadata["is_machine_code"])


def _optimize(library: Any) -> None:
    """All that numba does to a library, but for machine code."""
    library._finalize_final_module = lambda: None
    library.finalize()
    del library._finalize_final_module


def _hand_over(library: Any, code: bytes) -> None:
    """Give machine code to the engine, which puts all that waits in its place when an address is asked for.

    What is put there alone begins a page of its own: games took up to a sixth longer when every kernel did, since the
    first lines of all of them compete for one set of the processor's cache.
    """
    library._set_compiled_object(code)
    library._finalize_specific = lambda: library.codegen._scan_and_fix_unresolved_refs(library._final_module)
    library._finalize_final_module()


def _make_machine_code(library: Any) -> None:
    library._final_module = library._get_module_for_linking().clone()
    library._finalize_final_module()
    _bind_environments(library)


def _bind_environments(library: Any) -> None:
    """Tell machine code where its constants are that are Python's, such as what it prints; else it would hang."""
    for variable in library._final_module.global_variables:
        if variable.name.startswith(ENVIRONMENT):
            found = lookup_environment(variable.name)
            if found is not None:
                _bind(library.codegen, found)


def _bind(codegen: Any, environment: Any) -> None:
    codegen._engine.finalize_object()
    if codegen._engine.get_global_value_address(environment.env_name):  # else nothing was left that asks for it
        codegen.set_env(environment.env_name, environment)


def _code_hash(code: Any) -> str:
    """Tells functions apart that stand on one line of a module, or are made by `exec`."""
    plain = [each for each in code.co_consts if isinstance(each, int | float | str | tuple | None)]
    return hashlib.sha256(repr((code.co_code, code.co_names, plain)).encode()).hexdigest()[:16]


def _instructions(function: Any) -> int:
    return sum(1 for block in function.blocks for _ in block.instructions)


def _symbol(name: str, arguments: Any) -> str:
    """A mangled name that is the same in every process: kernel::k...()."""
    identifier = f"k{hashlib.sha256(repr((name, arguments)).encode()).hexdigest()[:32]}"
    return f"_ZN6kernel{len(identifier)}{identifier}Ev"
