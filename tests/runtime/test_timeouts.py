"""A call with a limit, in any thread; a kernel that does not return is named."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from kagiya.runtime.timeouts import KernelWatch, NoAnswerError, call_after, call_within

LONG = 60.0  # seconds that nothing here takes, unless it fails


def in_this_thread(call: Callable[[], Any]) -> Any:
    return call()


def in_another_thread(call: Callable[[], Any]) -> Any:
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(call())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


THREADS = pytest.mark.parametrize("run", [in_this_thread, in_another_thread])


@THREADS
def test_who_answers_in_time_is_heard(run: Callable[..., Any]) -> None:
    assert run(lambda: call_within(3600, lambda: 5)) == 5
    with pytest.raises(ZeroDivisionError):
        run(lambda: call_within(3600, lambda: 1 // 0))
    with pytest.raises(TimeoutError, match="its own"):
        run(lambda: call_within(3600, raise_timeout))


def raise_timeout() -> None:
    raise TimeoutError("its own")


@THREADS
def test_nothing_rings_after_the_answer(run: Callable[..., Any]) -> None:
    with pytest.raises(NoAnswerError):
        run(lambda: call_within(0.001, lambda: time.sleep(3600)))
    assert run(lambda: call_within(3600, lambda: time.sleep(0.15))) is None


def test_what_is_to_be_called_later_is_not_called_if_the_block_ends_before() -> None:
    rung = threading.Event()
    with call_after(3600, rung.set) as called:
        pass
    assert not called.is_set()
    with call_after(0.001, rung.set) as called:
        assert rung.wait(LONG)
    assert called.is_set()


def test_a_kernel_that_does_not_return_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAGIYA_KERNEL_TIMEOUT", "0.01")
    watch, end = KernelWatch(), threading.Event()

    def play() -> None:
        with watch.calling(2, 7, "act"):
            assert end.wait(LONG)

    with pytest.raises(NoAnswerError, match=r"its kernel act has not returned for 0\.01 s"):
        watch.wait_for(play)
    end.set()
    assert watch.late is not None
    assert (watch.late.seat, watch.late.turn) == (2, 7)


def test_between_kernels_a_call_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAGIYA_KERNEL_TIMEOUT", "0.01")
    assert KernelWatch().wait_for(lambda: time.sleep(0.15)) is None
    with pytest.raises(TimeoutError, match="its own"):
        KernelWatch().wait_for(raise_timeout)
