"""Work of many visitors: fair, limited and said, stopped while it waits or runs."""

import threading
from collections.abc import Iterator

import pytest

from kagiya.web.notifier import Notifier
from kagiya.web.thinking import (
    DONE,
    ELSEWHERE,
    FAILED,
    MOST_OF_A_VISITOR,
    MOST_OF_ALL,
    QUICK,
    RUNNING,
    STOPPED,
    WAITING,
    NotWantedError,
    Task,
    Thinking,
)
from kagiya.web.views import RefusedError

LONG = 300  # seconds; no wait here takes nearly as long


class Held:
    """Work that runs until it is let go or stopped."""

    def __init__(self) -> None:
        self.began, self.go = threading.Event(), threading.Event()

    def __call__(self, task: Task[str]) -> str:
        self.began.set()
        task.on_stop = self.go.set
        assert self.go.wait(LONG)
        return "stopped" if task.stopped.is_set() else "let go"


@pytest.fixture
def thinking() -> Iterator[Thinking]:
    thinking = Thinking(threads=1)
    yield thinking
    thinking.close()


def over(thinking: Thinking, tasks: list[Task[None]]) -> None:
    """Wait until these are over: the last of the queue comes after them."""
    for task in tasks:
        end = threading.Event()
        while not task.is_over:
            assert not end.wait(0.002)


def test_work_that_finds_nothing_because_it_was_stopped_has_not_failed(thinking: Thinking) -> None:
    began = threading.Event()

    def work(task: Task[None]) -> None:
        began.set()
        assert task.stopped.wait(LONG)
        raise NotWantedError

    task = thinking.start("somebody", work, Notifier())
    assert began.wait(LONG)
    task.stop()
    over(thinking, [task])
    assert (task.state, task.error, task.came_to_nothing) == (STOPPED, None, True)


def test_visitors_take_turns(thinking: Thinking) -> None:
    held, order = Held(), list[str]()
    first = thinking.start("greedy", held, Notifier())
    assert held.began.wait(LONG)
    names = ["greedy"] * 10 + ["modest", "other", "modest"]
    tasks = [thinking.start(name, lambda task, name=name: order.append(name), Notifier()) for name in names]  # type: ignore[misc]
    held.go.set()
    over(thinking, tasks)
    assert first.result == "let go"
    assert order[:6] == ["greedy", "modest", "other", "greedy", "modest", "greedy"]
    assert len(order) == 13


def test_a_thousand_questions_are_limited_and_said_and_others_get_their_turn(thinking: Thinking) -> None:
    held, refused = Held(), list[str]()
    thinking.start("greedy", held, Notifier())
    assert held.began.wait(LONG)
    for _ in range(1000):
        try:
            thinking.start("greedy", lambda task: None, Notifier())
        except RefusedError as error:
            refused.append(str(error))
    assert len(refused) == 1000 - MOST_OF_A_VISITOR
    assert refused[0] == "20 of your questions are waiting already; stop one, or wait for it."
    modest = thinking.start("modest", lambda task: None, Notifier())
    held.go.set()
    over(thinking, [modest])
    assert modest.state == DONE


def test_a_thousand_visitors_are_limited_and_said(thinking: Thinking) -> None:
    held = Held()
    thinking.start("first", held, Notifier())
    assert held.began.wait(LONG)
    for number in range(MOST_OF_ALL):
        thinking.start(str(number), lambda task: None, Notifier())
    with pytest.raises(RefusedError, match="too much to think about"):
        thinking.start("one more", lambda task: None, Notifier())
    quick = thinking.start("one more", lambda task: None, Notifier(), QUICK)
    over(thinking, [quick])
    held.go.set()


def test_what_waits_can_be_stopped_and_leaves_its_place(thinking: Thinking) -> None:
    held, begun = Held(), list[int]()
    thinking.start("me", held, Notifier())
    assert held.began.wait(LONG)
    tasks = [thinking.start("me", lambda task: begun.append(1), Notifier()) for _ in range(MOST_OF_A_VISITOR)]
    for task in tasks:
        assert task.state == WAITING
        task.stop()
        assert task.state == STOPPED
    assert thinking.waiting == 0
    last = thinking.start("me", lambda task: begun.append(2), Notifier())
    held.go.set()
    over(thinking, [last])
    assert begun == [2]


def test_what_runs_can_be_stopped_and_keeps_what_it_found(thinking: Thinking) -> None:
    held = Held()
    task = thinking.start("me", held, Notifier())
    assert held.began.wait(LONG)
    assert task.state == RUNNING
    task.stop()
    over(thinking, [task])  # type: ignore[list-item]
    assert (task.state, task.result) == (STOPPED, "stopped")


def test_all_threads_are_used() -> None:
    thinking, held = Thinking(threads=3), [Held() for _ in range(4)]
    for each in held:
        thinking.start("me", each, Notifier())
    assert all(each.began.wait(LONG) for each in held[:3])
    assert not held[3].began.is_set()
    thinking.close()


def test_lanes_do_not_wait_for_each_other(thinking: Thinking) -> None:
    held = [Held() for _ in range(8)]
    for each in held:
        thinking.start("me", each, Notifier())
        thinking.start("me", each, Notifier(), ELSEWHERE)
    quick = thinking.start("me", lambda task: None, Notifier(), QUICK)
    over(thinking, [quick])
    assert quick.state == DONE
    for each in held:
        each.go.set()


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), SystemExit(3)])
def test_work_that_fails_is_said_and_the_next_is_done(thinking: Thinking, error: BaseException) -> None:
    def fail(task: Task[None]) -> None:
        raise error

    failed, next_one = thinking.start("me", fail, Notifier()), thinking.start("me", lambda task: None, Notifier())
    over(thinking, [failed, next_one])
    assert (failed.state, failed.error, next_one.state) == (FAILED, error, DONE)


def test_the_end_stops_what_runs_and_what_waits(thinking: Thinking) -> None:
    held = Held()
    running = thinking.start("me", held, Notifier())
    assert held.began.wait(LONG)
    waiting = thinking.start("me", lambda task: None, Notifier())
    thinking.close()
    over(thinking, [running, waiting])  # type: ignore[list-item]
    assert (running.state, waiting.state) == (STOPPED, STOPPED)
    with pytest.raises(RefusedError, match="about to end"):
        thinking.start("me", lambda task: None, Notifier())
