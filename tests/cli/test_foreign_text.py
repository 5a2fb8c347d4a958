"""Other people's text is shown and never obeyed: records, errors of agents, files, answers of the store."""

import json
from pathlib import Path

import pytest
from rich.text import Text

from kagiya.cli.console import out, visible
from tests.cli.command import run

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202e"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202e"


def is_harmless(text: str) -> bool:
    return not any(char in text for char in EVIL if char not in "]0;owned[2J31m")


def test_what_would_control_the_terminal_is_escaped() -> None:
    assert visible(EVIL) == SHOWN
    assert visible("tab\tline\nümläut ♥ 漢字") == "tab\tline\nümläut ♥ 漢字"
    assert visible("half \ud800") == r"half \ud800"


def test_the_console_lets_nothing_through() -> None:
    for thing in (EVIL, Text(EVIL), Text(EVIL, "bold")):
        with out.capture() as capture:
            out.print(thing, markup=False)
        assert is_harmless(capture.get())
        assert r"\x1b]0;owned" in capture.get()


def test_a_record_with_a_name_that_controls_the_terminal(tmp_path: Path) -> None:
    record = json.loads(run("show", "random", "--players", "2", "--seed", "3", "--json").stdout)
    record["agents"] = [f"bot{EVIL}", "random"]
    (tmp_path / "game.json").write_text(json.dumps(record))
    shown = run("replay", str(tmp_path / "game.json"), "--brief")
    assert is_harmless(shown.output)


def test_an_agents_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"class Bot:\n    def act(self, observation):\n        raise RuntimeError({EVIL!r})\n"
    (tmp_path / "angry_bots.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    result = run("match", "angry_bots:Bot", "--games", "1", "--players", "2")
    assert result.exit_code == 1
    assert is_harmless(result.output)
    assert SHOWN in result.stderr.replace("\n", "")


@pytest.mark.parametrize("text", ['agents = ["random', 'agents = ["random{}"]', '{} = 1\nagents = "random"'])
def test_a_file_with_an_experiment(tmp_path: Path, text: str) -> None:
    (tmp_path / "e.toml").write_bytes(text.replace("{}", EVIL.replace("\ud800", "")).encode())
    result = run("run", str(tmp_path / "e.toml"), "--store", str(tmp_path / "store"))
    assert result.exit_code == 1
    assert is_harmless(result.output)


def test_an_answer_of_the_store(tmp_path: Path) -> None:
    run("match", "random", "--games", "2", "--players", "2", "--store", str(tmp_path / "store"))
    query = "SELECT chr(27) || '[2J' AS a, 1 AS \"b\x1b[2J\""
    shown = run("sql", query, "--store", str(tmp_path / "store"))
    assert shown.exit_code == 0, shown.output
    assert is_harmless(shown.output)
    assert r"\x1b[2J" in shown.stdout
    wrong = run("sql", "SELECT \x1b[2J", "--store", str(tmp_path / "store"))
    assert wrong.exit_code == 1
    assert is_harmless(wrong.output)
