import re

import pytest

from kagiya.cli import run_options
from kagiya.cli.run_options import LINE_SECONDS, ProgressLines, duration


def test_without_a_terminal_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    log = ProgressLines("playing", 1000, lambda: now[-1])
    for moment in (1.0, LINE_SECONDS - 0.1, LINE_SECONDS, LINE_SECONDS + 1, 3 * LINE_SECONDS):
        now.append(moment)
        log.advance(100)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "playing: 300 of 1,000 (30.0 %) in 10 s, about 23 s left",
        "playing: 500 of 1,000 (50.0 %) in 30 s, about 30 s left",
    ]


def test_what_has_no_end_is_counted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_options, "LINE_SECONDS", 0.0)
    with run_options.late_bar("playing until sure", None) as advance:
        advance(1234)
    assert re.fullmatch(r"playing until sure: 1,234 done in \d+ s\n", capsys.readouterr().err)


def test_durations_are_for_people() -> None:
    assert [duration(seconds) for seconds in (0.4, 59, 60, 3599, 7260)] == [
        "0 s",
        "59 s",
        "1 min 0 s",
        "59 min 59 s",
        "2 h 1 min",
    ]


def test_more_than_was_planned_has_no_share_and_no_time_left() -> None:
    log = ProgressLines("playing", 10, iter([0.0, 5.0]).__next__)
    log.done = 12
    assert log.line() == "playing: 12 done in 5 s"
