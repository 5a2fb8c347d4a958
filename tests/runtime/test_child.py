"""A child answers line by line; whatever else it does, its parent learns of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kagiya.runtime.child import Child, ChildEndedError
from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.timeouts import NoAnswerError

LONG = 600.0  # seconds that nothing here takes, unless it fails


@pytest.fixture
def child() -> Iterator[Child]:
    child = Child("tests.runtime.answers", "a", "b", keep_errors=True)
    assert child.receive(LONG) == {"words": ["a", "b"]}
    yield child
    child.kill()


def test_what_is_printed_is_not_an_answer_and_who_reads_gets_no_question(child: Child) -> None:
    for question in ("print", "read", [1, None]):
        child.send(question)
        assert child.receive(LONG) == {"question": question}
    assert child.is_alive


def test_one_that_does_not_answer_in_time_is_killed(child: Child) -> None:
    child.send("wait")
    with pytest.raises(NoAnswerError):
        child.receive(0.01)
    assert not child.is_alive


def test_one_whose_answer_is_not_wanted_any_more_is_killed(child: Child) -> None:
    child.send("wait")
    with pytest.raises(StoppedError):
        child.receive(LONG, lambda: False)
    assert not child.is_alive


def test_how_it_ended_is_said(child: Child) -> None:
    child.send("die")
    with pytest.raises(ChildEndedError, match="its process ended with code 3") as ended:
        child.receive(LONG)
    assert (ended.value.code, ended.value.complaint) == (3, "oh no\n")
    with pytest.raises((ChildEndedError, ValueError)):
        child.send("again")


@pytest.mark.parametrize("place", ["", "."])
def test_files_beside_an_agent_are_not_taken_for_modules_of_python(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "queue.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(place and str(tmp_path))  # when Python's own were imported already
    child = Child("tests.runtime.answers", keep_errors=True)
    try:
        assert child.receive(LONG) == {"words": []}
    finally:
        child.kill()
