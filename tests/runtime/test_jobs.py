"""Work of many visitors: fair, limited and said, stopped while it waits or runs."""

import threading
from collections.abc import Iterator

import pytest

from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.jobs import (
    DONE,
    FAILED,
    MAX_WAITING,
    MAX_WAITING_PER_VISITOR,
    QUICK,
    RUNNING,
    STOPPED,
    SUBPROCESS,
    WAITING,
    JobQueue,
    QueueFullError,
    Remembered,
    Task,
)

LONG = 300  # seconds; no wait here takes nearly as long


def nothing() -> None:
    """Announces to no page."""


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
def jobs() -> Iterator[JobQueue]:
    jobs = JobQueue(threads=1)
    yield jobs
    jobs.close()


def over(jobs: JobQueue, tasks: list[Task[None]]) -> None:
    """Wait until these are over: the last of the queue comes after them."""
    for task in tasks:
        end = threading.Event()
        while not task.is_over:
            assert not end.wait(0.002)


def test_work_that_finds_nothing_because_it_was_stopped_has_not_failed(jobs: JobQueue) -> None:
    began = threading.Event()

    def work(task: Task[None]) -> None:
        began.set()
        assert task.stopped.wait(LONG)
        raise StoppedError

    task = jobs.start("somebody", work, nothing)
    assert began.wait(LONG)
    task.stop()
    over(jobs, [task])
    assert (task.state, task.error, task.has_no_result) == (STOPPED, None, True)


def test_visitors_take_turns(jobs: JobQueue) -> None:
    held, order = Held(), list[str]()
    first = jobs.start("greedy", held, nothing)
    assert held.began.wait(LONG)
    names = ["greedy"] * 10 + ["modest", "other", "modest"]
    tasks = [jobs.start(name, lambda task, name=name: order.append(name), nothing) for name in names]  # type: ignore[misc]
    held.go.set()
    over(jobs, tasks)
    assert first.result == "let go"
    assert order[:6] == ["greedy", "modest", "other", "greedy", "modest", "greedy"]
    assert len(order) == 13


def test_a_thousand_questions_are_limited_and_said_and_others_get_their_turn(jobs: JobQueue) -> None:
    held, refused = Held(), list[str]()
    jobs.start("greedy", held, nothing)
    assert held.began.wait(LONG)
    for _ in range(1000):
        try:
            jobs.start("greedy", lambda task: None, nothing)
        except QueueFullError as error:
            refused.append(str(error))
    assert len(refused) == 1000 - MAX_WAITING_PER_VISITOR
    assert refused[0] == "20 of your questions are waiting already; stop one, or wait for it."
    modest = jobs.start("modest", lambda task: None, nothing)
    held.go.set()
    over(jobs, [modest])
    assert modest.state == DONE


def test_a_thousand_visitors_are_limited_and_said(jobs: JobQueue) -> None:
    held = Held()
    jobs.start("first", held, nothing)
    assert held.began.wait(LONG)
    for number in range(MAX_WAITING):
        jobs.start(str(number), lambda task: None, nothing)
    with pytest.raises(QueueFullError, match="too much to think about"):
        jobs.start("one more", lambda task: None, nothing)
    quick = jobs.start("one more", lambda task: None, nothing, QUICK)
    over(jobs, [quick])
    held.go.set()


def test_what_waits_can_be_stopped_and_leaves_its_place(jobs: JobQueue) -> None:
    held, begun = Held(), list[int]()
    jobs.start("me", held, nothing)
    assert held.began.wait(LONG)
    tasks = [jobs.start("me", lambda task: begun.append(1), nothing) for _ in range(MAX_WAITING_PER_VISITOR)]
    for task in tasks:
        assert task.state == WAITING
        task.stop()
        assert task.state == STOPPED
    assert jobs.waiting == 0
    last = jobs.start("me", lambda task: begun.append(2), nothing)
    held.go.set()
    over(jobs, [last])
    assert begun == [2]


def test_what_runs_can_be_stopped_and_keeps_what_it_found(jobs: JobQueue) -> None:
    held = Held()
    task = jobs.start("me", held, nothing)
    assert held.began.wait(LONG)
    assert task.state == RUNNING
    task.stop()
    over(jobs, [task])  # type: ignore[list-item]
    assert (task.state, task.result) == (STOPPED, "stopped")


def test_all_threads_are_used() -> None:
    jobs, held = JobQueue(threads=3), [Held() for _ in range(4)]
    for each in held:
        jobs.start("me", each, nothing)
    assert all(each.began.wait(LONG) for each in held[:3])
    assert not held[3].began.is_set()
    jobs.close()


def test_lanes_do_not_wait_for_each_other(jobs: JobQueue) -> None:
    held = [Held() for _ in range(8)]
    for each in held:
        jobs.start("me", each, nothing)
        jobs.start("me", each, nothing, SUBPROCESS)
    quick = jobs.start("me", lambda task: None, nothing, QUICK)
    over(jobs, [quick])
    assert quick.state == DONE
    for each in held:
        each.go.set()


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), SystemExit(3)])
def test_work_that_fails_is_said_and_the_next_is_done(jobs: JobQueue, error: BaseException) -> None:
    def fail(task: Task[None]) -> None:
        raise error

    failed, next_one = jobs.start("me", fail, nothing), jobs.start("me", lambda task: None, nothing)
    over(jobs, [failed, next_one])
    assert (failed.state, failed.error, next_one.state) == (FAILED, error, DONE)


def test_the_end_stops_what_runs_and_what_waits(jobs: JobQueue) -> None:
    held = Held()
    running = jobs.start("me", held, nothing)
    assert held.began.wait(LONG)
    waiting = jobs.start("me", lambda task: None, nothing)
    jobs.close()
    over(jobs, [running, waiting])  # type: ignore[list-item]
    assert (running.state, waiting.state) == (STOPPED, STOPPED)
    with pytest.raises(QueueFullError, match="about to end"):
        jobs.start("me", lambda task: None, nothing)


def test_a_question_is_asked_once_until_it_has_no_answer(jobs: JobQueue) -> None:
    held, remembered = Held(), Remembered[str, str](jobs)
    task = remembered.ask("why", "me", held)
    assert held.began.wait(LONG)
    assert remembered.is_busy("why")
    assert remembered.ask("why", "you", held) is task is remembered.ask_again("why", "you", held)
    held.go.set()
    task.over.result(LONG)
    assert remembered.ask("why", "you", held) is task is remembered.get("why")
    assert remembered.get("what") is None
    again = remembered.ask_again("why", "you", lambda task: "because")
    again.over.result(LONG)
    assert again is not task
    assert [(key, each.result) for key, each in remembered.items()] == [("why", "because")]


def test_a_question_that_failed_or_was_stopped_is_asked_again(jobs: JobQueue) -> None:
    def fail(task: Task[str]) -> str:
        raise ZeroDivisionError

    held, remembered = Held(), Remembered[int, str](jobs)
    failed = remembered.ask(0, "me", fail)
    failed.over.result(LONG)
    blocking = jobs.start("me", held, nothing)
    stopped = remembered.ask(1, "me", lambda task: "late")
    remembered.stop(lambda key: key == 1)
    assert (stopped.state, stopped.over.done()) == (STOPPED, True)
    held.go.set()
    for number in (0, 1):
        task = remembered.ask(number, "me", lambda task: "found")
        task.over.result(LONG)
        assert task.result == "found"
    assert blocking.result == "let go"


def test_the_questions_asked_longest_ago_are_forgotten(jobs: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.runtime.jobs.MAX_KEPT", 2)
    held, announced = Held(), list[int]()
    remembered = Remembered[int, str](jobs, lambda: announced.append(1))
    tasks = [remembered.ask(number, "me", held) for number in range(3)]
    assert [key for key, _ in remembered.items()] == [2, 1]
    assert tasks[0].stopped.is_set()
    assert not tasks[1].stopped.is_set()
    assert announced
    held.go.set()
