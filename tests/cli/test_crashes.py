"""A user's machine code that crashes or never returns: a sentence that names it, and an end."""

import signal

import pytest

from kagiya._jit import JIT_OFF
from tests.children import finish, read_until
from tests.cli.command import start

pytestmark = pytest.mark.skipif(JIT_OFF, reason="there is no machine code")

TRESPASSERS, PEEKERS = "tests.lab.table.trespassers", "tests.lab.table.peekers"

# Seated without inspection, which would name it, and announced before the kernel is called.
UNINSPECTED = """
import kagiya.lab.table.inspection as inspection, kagiya.lab.table.table as table
inspection.needs_inspection = lambda *words: False
advance = table.advance
def announce(*words):
    print("playing", file=sys.stderr, flush=True)
    return advance(*words)
table.advance = announce
"""


def test_a_crash_ends_with_a_sentence() -> None:
    code, _, errors = finish(start("match", f"{TRESPASSERS}:RECURSIVE", "--games", "10"))
    assert code == -signal.SIGSEGV
    said = [line for line in errors.splitlines() if line and not line.startswith("compiling")]
    assert len(said) == 1
    assert said[0].startswith("kagiya: crashed in machine code (")
    assert f"`kagiya check {TRESPASSERS}:RECURSIVE` finds out" in said[0]


def test_an_endless_kernel_of_the_main_thread_can_be_interrupted() -> None:
    process = start("show", f"{PEEKERS}:ENDLESS", before=UNINSPECTED)
    read_until(process, "playing")
    process.send_signal(signal.SIGINT)
    code, _, errors = finish(process)
    assert code == 128 + signal.SIGINT
    assert "kagiya: interrupted" in errors
