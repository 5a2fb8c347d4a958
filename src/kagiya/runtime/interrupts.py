"""How work is broken off: Ctrl-C, SIGTERM, a word to stop from another thread, a crash in machine code.

Python raises KeyboardInterrupt only between its own instructions, so the main thread hears nothing while it is in a
kernel. The byte that a signal writes at once to the wake-up descriptor is read by another thread.
"""

from __future__ import annotations

import atexit
import ctypes
import faulthandler
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn, Protocol

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
INTERRUPTED, TERMINATED = (128 + number for number in INTERRUPTS)  # exit codes
PARENT_DEATH_SIGNAL = 1  # Linux's name for what prctl sets
STUCK_SECONDS = 1.5, 0.5  # after a signal, until the main thread is looked at, and looked at again

_was_terminated = False


class Cancelled(BaseException):
    """Raised inside a call, in its own thread, once its answer is not wanted any more.

    Not an Exception, so that an agent that catches those does not catch this.
    """


class StoppedError(Exception):
    """Work was told to stop before it had anything to show."""


def cancel_thread(thread: int) -> None:
    """Raise Cancelled in another thread as soon as it runs Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Cancelled))


def is_importing() -> bool:
    """Whether this thread is importing some module, by what its import system notes about each module.

    Other threads cannot import that module, nor compile its kernels: if it plays a match at its top level and waits for
    them, it waits for itself.
    """
    frame = sys._getframe()
    while frame is not None:
        spec = frame.f_globals.get("__spec__") if frame.f_code.co_name == "<module>" else None
        if getattr(spec, "_initializing", False):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


class Stoppable(Protocol):
    """Something that another thread can stop, such as a table."""

    def stop(self) -> None: ...


class Stop:
    """A word to everything that listens, from any thread: what is in progress does not count any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listening: list[Stoppable] = []
        self._given = False

    def is_set(self) -> bool:
        return self._given

    def set(self) -> None:
        """Stop everything that listens, and whatever begins to."""
        with self._lock:
            self._given = True
            for each in self._listening:
                each.stop()

    @contextmanager
    def heard_by(self, listener: Stoppable) -> Iterator[None]:
        """While the block runs, a table or whatever it is listens."""
        with self._lock:
            self._listening.append(listener)
            if self._given:
                listener.stop()
        try:
            yield
        finally:
            with self._lock:
                self._listening.remove(listener)


@contextmanager
def at_interrupt(call: Callable[[], None]) -> Iterator[None]:
    """Call this as soon as Ctrl-C or SIGTERM comes in the block, even while the main thread is busy in a kernel.

    Only the main thread is ever interrupted; in others this does nothing.
    """
    end = _listen(call)
    try:
        yield
    finally:
        end()


def _listen(call: Callable[[], None]) -> Callable[[], None]:
    """From now on call this at an interrupt; what is returned ends that."""
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    here, there = socket.socketpair()
    there.setblocking(False)
    before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)

    def watch() -> None:
        while word := here.recv(1):
            if word[0] in INTERRUPTS:
                call()

    def end() -> None:
        signal.set_wakeup_fd(before)
        there.close()  # which the watcher reads as the end
        watcher.join()
        here.close()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    return end


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C and SIGTERM take effect at the end of the block, which must be done whole."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    for number in INTERRUPTS:
        signal.signal(number, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    for each in received:
        signal.raise_signal(each)


def end_with_parent() -> None:
    """End as soon as the thread that started this process does, even if an agent holds Python's lock; on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)


def treat_sigterm_as_ctrl_c() -> None:
    """From now on SIGTERM raises KeyboardInterrupt; the exit code says which of the two it was. For the main thread."""

    def interrupt(*_: object) -> NoReturn:
        global _was_terminated
        _was_terminated = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


def interruption_code() -> int:
    """The exit code of a command that was interrupted."""
    return TERMINATED if _was_terminated else INTERRUPTED


def exit_at_once(code: int) -> NoReturn:
    """End the process, for a command that has closed all it opened.

    To take the interpreter apart takes one to three seconds once kernels are loaded, and gains nothing.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


# A crash is explained by another process, since this one has no time left. Python's faulthandler writes it down as it
# happens, but neither in words for people nor when a thread has used up its stack. So the other process speaks if this
# one ends without a goodbye. The faulthandler also writes that a signal came, whoever holds Python's lock; if this
# process does not write that it has heard it, the other one ends it.
_GOODBYE, _HEARD = b"goodbye\n", b"heard\n"
_EXPLAIN = f"""
import os, select, signal, sys
report, words = b"", b"begin"
while words:
    is_deaf = report.rfind(b"most recent call first") > max(report.rfind({_HEARD!r}), report.find(b"Fatal"))
    if is_deaf and not select.select([0], [], [], float(sys.argv[4]))[0]:
        sys.stderr.write(sys.argv[2])
        os.kill(int(sys.argv[3]), signal.SIGKILL)
        sys.exit()
    words = os.read(0, 65536)
    report += words
if not report.endswith({_GOODBYE!r}):
    head = report.partition(b"Fatal Python error: ")[2].partition(b"\\n")[0].decode("ascii", "replace")
    sys.stderr.write(sys.argv[1].replace("CAUSE", head or "no more stack, or ended from inside or outside"))
"""


class _Explainer:
    """The process that waits for a crash; one is enough."""

    process: subprocess.Popen[bytes] | None = None
    end: Callable[[], None]  # of the listening, which never ends; kept because it holds the socket


def explain_crashes(compiled: Sequence[str], others: Sequence[str], callers: str) -> None:
    """If code of these agents ends the process, a sentence says so; if it never returns, Ctrl-C ends the process.

    `callers` is the folder of the modules that call kernels: the main thread hangs if it stays there after a signal.
    """
    names = [*compiled, *others]
    if not names or _Explainer.process is not None or faulthandler.is_enabled():
        return
    text = f"kagiya: the process ended (CAUSE) while {', '.join(names)} played\n"
    if compiled:
        text = (
            f"kagiya: crashed in machine code (CAUSE) while {', '.join(names)} played, probably by an index outside an "
            f"array or by a kernel that calls itself for ever; `kagiya check {compiled[0]}` finds out\n"
        )
    deaf = f"kagiya: interrupted; {' or '.join(names)} holds Python's lock and does not return\n"
    words = [sys.executable, "-I", "-S", "-c", _EXPLAIN, text, deaf, str(os.getpid()), str(2 * sum(STUCK_SECONDS))]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    assert process.stdin is not None
    _Explainer.process = process
    faulthandler.enable(process.stdin, all_threads=False)
    atexit.register(_say_goodbye)
    _Explainer.end = _listen(lambda: _end_if_stuck(compiled, callers))
    for number in INTERRUPTS if hasattr(faulthandler, "register") else ():
        _report_signal(number, process.stdin.fileno())


def _report_signal(number: signal.Signals, report: int) -> None:
    """From now on it is written down when this signal comes, and when Python hears it."""
    handler = signal.getsignal(number)
    if not callable(handler):  # ignored
        return

    def hear(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            os.write(report, _HEARD)
        handler(number, frame)

    signal.signal(number, hear)
    faulthandler.register(number, report, all_threads=False, chain=True)


def _say_goodbye() -> None:
    """This process is about to end as it should."""
    process = _Explainer.process
    if process is not None and process.stdin is not None:
        faulthandler.disable()
        with suppress(OSError):  # if the process that waits was killed
            os.write(process.stdin.fileno(), _GOODBYE)


def _end_if_stuck(names: Sequence[str], callers: str) -> None:
    first, second = STUCK_SECONDS
    time.sleep(first)
    place = _main_place(callers)
    time.sleep(second)
    if names and place is not None and place == _main_place(callers):
        sys.stderr.write(f"kagiya: interrupted; a kernel does not return, perhaps of {' or '.join(names)}\n")
        sys.stderr.flush()
        _say_goodbye()
        os._exit(INTERRUPTED)


def _main_place(folder: str) -> tuple[int, int] | None:
    """Where the main thread is, if in a module of this folder: the frame, and the instruction in it."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    if frame is None or folder not in frame.f_code.co_filename:
        return None
    return id(frame), frame.f_lasti
