"""A card is not a rank, a slot is not a move, a flag is none of them: mypy says so when kernels call each other."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

ROOT = Path(__file__).parents[2]
AGENTS = "src/kagiya/agents/"

# One mistake in each file: the right line, the wrong one, and what mypy must say about it. Those of tell,
# certainty and beliefs stood in the code unnoticed, because to the compiler all of these are int64.
MUTANTS = {
    AGENTS + "tactics/tell.py": (
        "return hint_rank(vocabulary.NEXT, ONE)",
        "return hint_rank_of(vocabulary.NEXT, vocabulary.FRAMEWORK)",
        '"hint_rank_of" has incompatible type "Mode"; expected "Card"',
    ),
    AGENTS + "certainty.py": (
        "return game.hint_rank(vocabulary.NEXT, rank)",
        "return game.hint_rank_of(vocabulary.NEXT, rank)",
        '"hint_rank_of" has incompatible type "Rank"; expected "Card"',
    ),
    AGENTS + "tactics/play_or_discard.py": (
        'play_move(known_slot(states, i, seat, states[i]["playable"], NAMED))',
        'known_slot(states, i, seat, states[i]["playable"], NAMED)',
        'got "Slot", expected "MoveNumber"',
    ),
    AGENTS + "valuebot.py": (
        "note_by_color(states, i, note, game.named_color(move))",
        "note_by_color(states, i, note, game.named_rank(move))",
        '"note_by_color" has incompatible type "Rank"; expected "Color"',
    ),
    AGENTS + "smartbot.py": (
        "bots.narrow(memory, i, seat, holder, newest, kind_bit(card))",
        "bots.narrow(memory, i, newest, holder, newest, kind_bit(card))",
        '"narrow" has incompatible type "Slot"; expected "Seat"',
    ),
    "src/kagiya/search/deals/past_moves.py": (
        "robbed = kind_bit(shown), NOTHING, NO_SLOT",
        "robbed = kind_bit(shown), NOTHING, NO_CARD",
        'expression has type "Slot", variable has type "Card"',
    ),
    "src/kagiya/view/view_kernels.py": (
        'exact_chance(low, high, occupied, slot, state["useless"], table)',
        "exact_chance(low, high, critical, slot, occupied, table)",
        '"exact_chance" has incompatible type "Kinds"; expected "Slots"',
    ),
}


def paths(lines: list[str]) -> set[str]:
    """The files that some lines of mypy's are about."""
    return {line.split(":")[0] for line in lines}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says about each file with its mistake in it."""
    folder = tmp_path_factory.mktemp("mutants")
    shadows: list[str] = []
    for place, (name, (right, wrong, _)) in enumerate(MUTANTS.items()):
        source = (ROOT / name).read_text(encoding="utf-8")
        assert source.count(right) == 1, f"{name} no longer says {right!r}: choose another line"
        shadow = folder / f"{place}.py"
        shadow.write_text(source.replace(right, wrong), encoding="utf-8")
        shadows += ["--shadow-file", name, str(shadow)]
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *shadows, *MUTANTS]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1, run.stdout + run.stderr
    lines = [line for line in run.stdout.splitlines() if ": error: " in line]
    return {name: [line for line in lines if line.startswith(name + ":")] for name in {*MUTANTS, *paths(lines)}}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_number_of_the_wrong_sort_is_noticed(name: str, complaints: dict[str, list[str]]) -> None:
    expected = MUTANTS[name][2]
    assert any(expected in line for line in complaints[name]), complaints[name]


def test_only_the_mistakes_are_noticed(complaints: dict[str, list[str]]) -> None:
    assert complaints.keys() == MUTANTS.keys()
