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
        "playing: 300 of 1,000 (30.0 %) in 10 s, about 32 s left",  # by the pace after the first chunk
        "playing: 500 of 1,000 (50.0 %) in 30 s, about 36 s left",
    ]


def test_the_first_chunk_says_nothing_of_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    """It is small, and has loaded everything: hours were announced for a minute."""
    now = [0.0]
    log = ProgressLines("playing", 20_000, lambda: now[-1])
    for moment, count in ((13.0, 20), (24.0, 2200)):
        now.append(moment)
        log.advance(count)
    assert capsys.readouterr().err.splitlines() == [
        "playing: 20 of 20,000 (0.1 %) in 13 s",
        "playing: 2,220 of 20,000 (11.1 %) in 24 s, about 1 min 29 s left",
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
