"""The usual mistakes in a Python agent and in how it is named: a sentence that says where and what to do."""

from pathlib import Path

import pytest

from kagiya import Move
from kagiya.moves import MoveError
from kagiya.spec import near
from tests.cli.command import complaint, run

MINE = """
from kagiya import Move, card_rank

class Half:
    def act(self, observation):
        return Move.play(4 / 2)

class Fails:
    def act(self, observation):
        return self.choose(observation)

    def choose(self, observation):
        return Move.play(observation.mine.playable_slots[0])

class Unseen:
    def act(self, observation):
        return Move.hint_rank(1, card_rank(observation.mine.cards[0]))

class Fresh:
    def start(self, rules, seat, dice):
        self.rounds = 1 // 0

    def act(self, observation):
        return observation.legal_moves[0]
"""
SAID = {
    "Half": "raised MoveError: slots are integers from 0 to 4, not 2.0; divide with // "
    "(mistaken.py, line 6: `return Move.play(4 / 2)`)",
    "Fails": "raised IndexError: list index out of range "
    "(mistaken.py, line 13: `return Move.play(observation.mine.playable_slots[0])`)",
    "Unseen": "raised ValueError: the rank of a hidden card is not known; "
    "for your own hand ask known_rank(slot) or possible_cards(slot) (mistaken.py, line 17: ",
    "Fresh": "raised ZeroDivisionError: integer division or modulo by zero "
    "(mistaken.py, line 21: `self.rounds = 1 // 0`) (in start)",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a user's, which is the current one."""
    (tmp_path / "mistaken.py").write_text(MINE)
    (tmp_path / "random.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", SAID)
def test_an_exception_is_told_with_file_and_line(folder: Path, name: str) -> None:
    said = complaint(run("match", f"mistaken:{name}", "--games", "1"))
    assert f"alice (seat 1, mistaken:{name}), turn 1 of game 1: {SAID[name]}" in said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mistaken.py:Half", "'mistaken.py' is a path, not a module; write mistaken:Half"),
        ("mistaken.py", "no agent named 'mistaken.py'; an agent of the file mistaken.py is written mistaken:NAME"),
        ("mistaken", "no agent named 'mistaken'; an agent of the file mistaken.py is written mistaken:NAME"),
        ("random:Half", "random:Half: Python has a module 'random' of its own, which hides random.py; rename the file"),
        ("vbd", "no agent named 'vbd'; did you mean vdb? see `kagiya agents`; your own agent is written module:name"),
    ],
)
def test_a_name_that_is_no_agent_is_answered_with_what_to_write(folder: Path, text: str, reason: str) -> None:
    assert reason in complaint(run("match", text))


def test_a_module_that_fails_is_told_with_file_and_line(folder: Path) -> None:
    (folder / "unfinished.py").write_text("LIMIT = 3\nimport nowhere\n")
    said = complaint(run("match", "unfinished:Mine"))
    assert "unfinished:Mine cannot be imported: raised ModuleNotFoundError: No module named 'nowhere'" in said
    assert "(unfinished.py, line 2: `import nowhere`)" in said
    (folder / "broken.py").write_text("LIMIT = limit\n")
    assert "raised NameError: name 'limit' is not defined (broken.py, line 1: " in complaint(
        run("match", "broken:Mine")
    )


def test_names_are_suggested_only_when_they_are_near() -> None:
    said = complaint(run("match", "zzqqxx"))
    assert "did you mean" not in said
    assert "see `kagiya agents`" in said
    assert len(said) < 160


def test_few_names_are_all_listed() -> None:
    assert near("x", ["b", "a"]) == "there are a, b"
    assert near("x", [f"name-{n}" for n in range(26)]) == "none of the 26 names is like it"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Move.play("1"), r"slots are integers from 0 to 4, not '1'"),  # type: ignore[arg-type]
        (lambda: Move.discard(None), r"slots are integers from 0 to 4, not None"),  # type: ignore[arg-type]
        (lambda: Move.play(5), r"slots are 0-4, not 5"),
        (lambda: Move.hint_rank(1, 2.0), r"ranks \(0 is the one\) are integers from 0 to 4, not 2.0; divide with //"),  # type: ignore[arg-type]
        (lambda: Move.hint_color(1, 2.5), r"colors are integers from 0 to 5, not 2.5$"),  # type: ignore[arg-type]
        (lambda: Move.hint_rank(0, 2), r"offsets of the receiver of a hint are 1-4, not 0"),  # type: ignore[arg-type]
    ],
)
def test_a_move_of_something_else_than_integers_says_so(make: object, reason: str) -> None:
    with pytest.raises(MoveError, match=reason):
        make()  # type: ignore[operator]


def test_the_number_of_players_in_words_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text('agents = ["careful"]\nplayers = "four"\n')
    assert "players must be a number or a list of numbers from 2 to 5, not 'four'" in complaint(run("run", str(file)))
