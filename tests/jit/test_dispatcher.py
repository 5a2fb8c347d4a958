"""Kernels that are compiled apart: linked, called by symbol or wrapped, from a full cache or one with holes."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kagiya._jit import JIT_OFF, address, compile_kernel, kernel
from kagiya._jit.dispatcher import MAX_SMALL
from kagiya.engine.batch import ACT
from tests.children import run_python

pytestmark = pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")

# `large` is unrolled far beyond what is inlined, `small` is always inlined, `top` calls both.
MODULE = """
from kagiya import kernel

@kernel
def small(x: int) -> int:
    return x + OFFSET

@kernel
def large(x: int) -> int:
    total = 0
    {steps}
    return total

@kernel
def top(x: int) -> int:
    return small(x) + large(x) + large(x + 1)

OFFSET = 1000
"""
STEPS = "\n    ".join(f"total = (total ^ (x >> {n % 7})) * {2 * n + 3} % (x + {n + 5})" for n in range(60))
QUESTION = """
from kagiya.lab.table.compilation import compile_counts
from made import top, large
print(top(7), *compile_counts())
"""


def expected(x: int) -> int:
    space: dict[str, object] = {}
    exec(MODULE.format(steps=STEPS).replace("@kernel", "").replace("from kagiya import kernel", ""), space)
    return int(space["top"](x))  # type: ignore[operator]


def ask(folder: Path) -> tuple[int, int, int]:
    """The answer of `top` in a fresh process, and how many kernels it compiled and loaded."""
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    answer, compiled, loaded = map(int, run_python(QUESTION, environment=variables).split())
    return answer, compiled, loaded


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "made.py").write_text(MODULE.format(steps=STEPS))
    return tmp_path


def files_of(folder: Path, name: str) -> list[Path]:
    return [file for file in (folder / "cache").rglob(f"*.{name}-*") if "wrappers" not in file.parts]


def test_a_second_process_loads_what_is_called_by_symbol_and_not_what_was_inlined(folder: Path) -> None:
    assert ask(folder) == (expected(7), 3, 0)
    assert ask(folder) == (expected(7), 0, 2)  # top and large


@pytest.mark.parametrize("name", ["small", "large", "top"])
def test_what_is_missing_in_the_cache_is_compiled_again(folder: Path, name: str) -> None:
    ask(folder)
    for file in files_of(folder, name):
        file.unlink()
    answer, compiled, _ = ask(folder)
    assert (answer, compiled) == (expected(7), int(name != "small"))


def test_only_what_python_calls_is_wrapped(folder: Path) -> None:
    ask(folder)
    wrapped = {file.name.split("-")[0] for file in (folder / "cache").rglob("wrappers/*.nbi")}
    assert wrapped == {"made.top"}
    for wrappers in (folder / "cache").rglob("wrappers"):
        shutil.rmtree(wrappers)
    assert ask(folder) == (expected(7), 0, 2)


PLACES = """
from made import top, large
print(top(7), *(place.address(place.nopython_signatures[0].args) for place in (top, large)))
"""


def test_kernels_stand_close_together_and_not_each_on_a_page_of_its_own(folder: Path) -> None:
    ask(folder)
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    answer, top, large = map(int, run_python(PLACES, environment=variables).split())
    assert answer == expected(7)
    assert top % 4096 or large % 4096
    assert abs(top - large) < 1 << 16


@kernel
def tiny(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return seat + 1


@kernel
def caller_of_tiny(seat: int, x: int) -> int:
    return seat + x


@kernel
def outer(x: int) -> int:
    return caller_of_tiny(x, 2)


def test_a_kernel_may_be_inlined_first_and_have_an_address_later() -> None:
    assert outer(1) == 3
    (found,) = caller_of_tiny.overloads.values()  # type: ignore[attr-defined]
    assert not found.metadata["is_machine_code"], f"it has at most {MAX_SMALL} instructions"
    assert address(caller_of_tiny, found.signature) > 0
    assert caller_of_tiny(1, 2) == 3


def test_a_sealed_kernel_converts_what_fits_and_refuses_the_rest() -> None:
    compile_kernel(tiny, ACT)
    with pytest.raises(TypeError, match="tiny takes"):
        tiny(1, 2, 3, 4, 5, 6)
    assert len(tiny.overloads) == 1  # type: ignore[attr-defined]


# Kernels that have a name in common: closures, two on different lines, two on one line; and one that prints.
NAMESAKES = """
from kagiya import kernel

def times(n):
    @kernel
    def f(x: int) -> int:
        return x * n
    return f

@kernel
def _(x: int) -> int:
    return x + 10
first = _

@kernel
def _(x: int) -> int:
    return x + 20
second = _

three, five = times(3), times(5)
space = {"kernel": kernel, "__name__": __name__}
exec("@kernel\\ndef g(x: int) -> int:\\n    " + LONG.replace("?", "+"), space); plus = space["g"]
exec("@kernel\\ndef g(x: int) -> int:\\n    " + LONG.replace("?", "-"), space); minus = space["g"]

@kernel
def says(x: int) -> int:
    print("seen", x)
    return x + first(x)

@kernel
def asks(x: int) -> int:
    return says(x) + 1
"""
ASK_ONE = """
import sys, made
from numba import types
from kagiya._jit import address
for name in sys.argv[1].split():
    address(getattr(made, name), types.int64(types.int64))
print(*[getattr(made, name)(7) for name in sys.argv[1].split()])
"""


def test_kernels_of_one_name_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Each compiled in a process of its own, where numba gives the same name to another; then all in one."""
    long = "return " + " ? ".join(f"(x * {n} % {n + 2})" for n in range(3, 60))
    (tmp_path / "made.py").write_text(f"LONG = {long!r}\n" + NAMESAKES)
    answers = {"three": 21, "five": 35, "first": 17, "second": 27}
    answers |= {name: eval(long[7:].replace("?", sign), {"x": 7}) for name, sign in (("plus", "+"), ("minus", "-"))}
    variables = {"PYTHONPATH": str(tmp_path), "KAGIYA_CACHE_DIR": str(tmp_path / "cache")}
    for names in ([each] for each in answers):
        assert run_python(ASK_ONE, *names, environment=variables).split() == [str(answers[names[0]])]
    for _ in range(2):
        found = run_python(ASK_ONE, " ".join(answers), environment=variables).split()
        assert found == [str(each) for each in answers.values()]


@pytest.mark.parametrize("name", ["says", "asks"])
def test_a_kernel_may_print_whoever_calls_it(tmp_path: Path, name: str) -> None:
    """What it prints is Python's; where nobody said where that is, it held the interpreter for ever."""
    (tmp_path / "made.py").write_text("LONG = 'return x'\n" + NAMESAKES)
    variables = {"PYTHONPATH": str(tmp_path), "KAGIYA_CACHE_DIR": str(tmp_path / "cache")}
    result = 7 + 17 + (name == "asks")
    for _ in range(2):
        assert run_python(ASK_ONE, name, environment=variables).split() == ["seen", "7", str(result)]


SEALED_LATER = """
from numba import types
from kagiya._jit import compile_kernel
from made import small
import numpy as np
small(np.float64(1.5))
compile_kernel(small, types.int64(types.int64))
print(small(7))
"""


def test_a_kernel_may_be_sealed_after_it_was_called_with_something_else(folder: Path) -> None:
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    assert run_python(SEALED_LATER, environment=variables).split() == ["1007"]


def test_processes_that_fill_one_cache_compile_every_kernel_once(folder: Path) -> None:
    pytest.importorskip("fcntl")
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: run_python(QUESTION, environment=variables).split(), range(4)))
    assert {answer[0] for answer in answers} == {str(expected(7))}
    assert sum(int(compiled) for _, compiled, _ in answers) == 3


# What locks are held when a wrapper is written to disk.
SAVED_UNDER = """
from contextlib import contextmanager
from kagiya._jit import dispatcher
held, lock, reduce = [], dispatcher.only_compiler, dispatcher._WrapperFile.reduce
@contextmanager
def noted(folder, name):
    with lock(folder, name):
        held.append(name)
        yield
        held.remove(name)
def saved(self, result):
    print(*held)
    return reduce(self, result)
dispatcher.only_compiler, dispatcher._WrapperFile.reduce = noted, saved
from made import small
small(7)
"""


def test_a_wrapper_is_saved_under_a_lock_of_its_own(folder: Path) -> None:
    """Processes that saved two of one kernel at once lost one of them from the file that lists both."""
    variables = {"KAGIYA_CACHE_DIR": str(folder / "cache")}
    assert run_python(SAVED_UNDER, folder=folder, environment=variables).startswith("wrapper.small.")


# Holds the lock of every kernel for a moment, as if it were compiling them.
HOLD = """
import fcntl, sys, time
from pathlib import Path
file = open(Path(sys.argv[1], "compiling.lock"), "w")
fcntl.lockf(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)
"""


def test_a_lock_that_is_never_released_costs_time_and_no_answer(folder: Path) -> None:
    """Nor does it outlive its process."""
    pytest.importorskip("fcntl")
    (folder / "cache").mkdir()
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-c", HOLD, str(folder / "cache")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            impatient = "from kagiya._jit import cache\ncache.MAX_WAIT = 0.1\n" + QUESTION
            assert run_python(impatient, environment=variables).split()[0] == str(expected(7))
            shutil.rmtree(next((folder / "cache").glob("made-*")))
        finally:
            holder.kill()
    assert ask(folder) == (expected(7), 3, 0)


# As a process might that counted a few more instructions: every kernel is called by symbol.
ALL_BY_SYMBOL = """
from kagiya._jit import dispatcher
dispatcher.MAX_SMALL = 0
from made import small, top
print(small(7), top(7))
"""
BOTH = "from made import small, top; print(small(7), top(7))"


def test_code_that_calls_a_symbol_is_not_loaded_where_the_kernel_has_none(folder: Path) -> None:
    """Two processes that fill one cache may disagree about a kernel; what crashed was a wrapper for the other kind."""
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    both = f"{7 + 1000} {expected(7)}"
    assert run_python(ALL_BY_SYMBOL, environment=variables).strip() == both
    for file in files_of(folder, "small"):
        file.unlink()
    for _ in range(2):
        assert run_python(BOTH, environment=variables).strip() == both


KIND = """
from numba import types
from kagiya._jit import address
from made import small, top
if {first}:
    address(small, types.int64(types.int64))
top(7)
print(small.overloads[(types.int64,)].metadata["is_machine_code"])
"""


@pytest.mark.parametrize("first", [True, False])
def test_what_a_kernel_is_on_disk_does_not_depend_on_who_asks_first(folder: Path, first: bool) -> None:
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    assert run_python(KIND.format(first=first), environment=variables).split() == ["False"]


# Kernels that were inlined before and lie on disk as such; then four threads want the address of each at once.
ADDRESSES = """
import threading
from kagiya._jit import address
from made import small, top
top(7)
small.compile(tuple(top.overloads)[0])
(result,) = small.overloads.values()
found, start = set(), threading.Barrier(4)
def ask():
    start.wait()
    for _ in range(200):
        found.add(address(small, result.signature))
threads = [threading.Thread(target=ask) for _ in range(4)]
[each.start() for each in threads]
[each.join() for each in threads]
print(len(found))
"""


# A first call takes long enough for the others to find no wrapper either; each must then get the same.
FIRST_CALLS = """
import threading
from numba import types
from kagiya._jit import compile_kernel
from made import {name} as kernel
{prepare}
found, start, inserted, insert = [], threading.Barrier(8), [], kernel._insert
kernel._insert = lambda *words: (inserted.append(words), insert(*words))
def ask():
    start.wait()
    found.append(kernel(7))
threads = [threading.Thread(target=ask) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
print(len(found), *set(found + [kernel(7)]), len(inserted))
"""


@pytest.mark.parametrize("prepare", ["", "compile_kernel(kernel, types.int64(types.int64))"])
@pytest.mark.parametrize("name", ["small", "top"])
def test_threads_that_call_a_kernel_for_the_first_time_at_once_share_a_wrapper(
    folder: Path, name: str, prepare: str
) -> None:
    """With a second one numba's table is ambiguous, each call makes another, and the last is freed while it runs."""
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    result = expected(7) if name == "top" else 7 + 1000
    for _ in range(2):  # compiled, then loaded
        answer = run_python(FIRST_CALLS.format(name=name, prepare=prepare), environment=variables)
        assert answer.split() == ["8", str(result), "1"]


def test_threads_that_want_the_address_of_a_small_kernel_get_the_same_one(folder: Path) -> None:
    ask(folder)
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache")}
    assert run_python(ADDRESSES, environment=variables).split() == ["1"]
