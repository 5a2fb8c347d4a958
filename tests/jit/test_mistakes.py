"""The usual mistakes in a compiled agent: a sentence with the line, what is wrong, and what to write instead."""

import re
from pathlib import Path

import pytest

from kagiya import AgentInfo, Game, Rules, Table, explain, find_agent
from kagiya._jit import JIT_OFF
from tests.cli.command import complaint, run
from tests.jit import mistakes

HERE = "tests.jit.mistakes"
SHAPES = "memory[i, seat, word], params[seat, place], rng[i, 1 + seat, word], states[i]['hands'][seat, slot]"
NO_ROOM = "a kernel cannot make lists, dicts or arrays; keep numbers in masks of bits or in memory[i, seat, word]"

MISTAKES = {
    "PLAIN": "act_undecorated is not a kernel; write @kernel above its def (from kagiya import kernel)",
    "HELPER": "`return helper(0)`: helper is not a kernel; write @kernel above its def",
    "LIST": f"`moves = [1, 2, 3]`: {NO_ROOM}",
    "ARRAY": f"`counts = np.zeros(5)`: {NO_ROOM}",
    "TOO_MANY": f"`return memory[i, seat, 0, 0]`: 4 indices where there are 3: {SHAPES}",
    "TOO_FEW": f"an array stands where a number is wanted; is an index missing? {SHAPES}",
    "FIELD": "a position has no field 'hand'; did you mean 'hands' or",
    "FIVE": "it takes 5 parameters, expected 6",
    "FORGETFUL": "it does not always return something, expected an integer at the end of every path",
    "HALF": "it returns float64, expected an integer",
    "FRACTION": "arg-type]`: a number that may have a fraction stands where an integer is wanted; divide with //",
}


@pytest.mark.skipif(JIT_OFF, reason="these are mistakes for the compiler only")
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_for_the_compiler_is_explained_in_one_line(name: str) -> None:
    said = complaint(run("match", f"{HERE}:{name}", "--games", "1"))
    assert MISTAKES[name] in said
    assert "nopython" not in said
    if place := re.search(r"mistakes.py, line (\d+): `(.*?)`: ", said):
        assert Path(mistakes.__file__).read_text().splitlines()[int(place[1]) - 1].strip() == place[2]


def test_a_reason_that_is_not_declared_is_refused() -> None:
    said = complaint(run("match", f"{HERE}:REASONS", "--games", "5"))
    expected = "left 5 in memory[i, seat, 0] as its reason, but declares 2, 0 to 1"
    assert expected in said
    assert expected in complaint(run("show", f"{HERE}:REASONS", "--why"))
    table = Table(Rules(), [find_agent(f"{HERE}:REASONS")], is_inspected=True)
    with pytest.raises(RuntimeError, match="declares 2, 0 to 1"):
        table.play_explained(1)
    with pytest.raises(RuntimeError, match="declares 2, 0 to 1"):
        explain(Game(), f"{HERE}:REASONS")


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ({"players": "four"}, r"mine: players must be a tuple of numbers from 2 to 5, like \(2, 3\), not 'four'"),
        ({"players": 4}, "mine: players must be a tuple"),
        ({"players": ()}, "mine: players must be a tuple"),
        ({"reasons": "plays"}, r"mine: reasons must be a tuple of texts, like \('plays',\)"),
        ({"memory_words": 2.0}, "mine: memory_words must be an integer of at least 0, not 2.0"),
    ],
)
def test_a_wrong_label_says_what_was_expected(label: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        AgentInfo("mine", "for tests", "tests", "none", **label)  # type: ignore[arg-type]
