"""An agent that writes outside its memory is named, and none of its games counts."""

import os
import pickle

import pytest

from kagiya import AgentError, Match, Rules, Table, explain, find_agent, play_match
from kagiya._jit import JIT_OFF, KernelError
from kagiya._jit.kernel import check_address
from kagiya.agents.register import prompt_agents
from kagiya.lab.table import table as table_module
from kagiya.lab.table.inspection import can_be_inspected, inspect_game
from kagiya.lab.table.table import AccessError
from tests.cli.command import complaint, run

# What the guard words find happens only where no index is checked.
without_checked_indices = pytest.mark.skipif(
    JIT_OFF or os.environ.get("NUMBA_BOUNDSCHECK") == "1", reason="indices are checked in every game here"
)

HERE = "tests.lab.table.trespassers"
THREE = Rules(players=3)
FAULTS = {
    "FORGETFUL": 'memory[i, seat, 0] == states[i]["turn"] else 0`: index 0 is out of bounds for axis 2 with size 0; '
    "it declares memory_words=0; declare memory_words=1 or more in its AgentInfo",
    "GREEDY": "`memory[i, seat, word] += 1`: index 1 is out of bounds for axis 2 with size 1; "
    "it declares memory_words=1; declare memory_words=2 or more",
    "FAR": "`memory[i, seat, 20_000_000] = move`: index 20000000 is out of bounds",
    "BEFORE": "`memory[i, seat, -50] = move`: index -50 is out of bounds",
    "NEIGHBOUR": "to memory[1, 1, 0], which belongs to bob; its own is memory[i, seat]",
    "BY_HELPER": "`memory[i, seat, word] = value`: index 5 is out of bounds for axis 2 with size 2",
    "PARAMS": "changed params, which are fixed",
    "DICE": "rolled dice that are not its own",
    "CHEAT": "changed the game itself: states[i]['tokens']",
    "BELIEVER": "`memory[i, seat, 3] = move`: index 3 is out of bounds for axis 2 with size 1",
    "LAST": "stands in memory[i, 0, 16], where alice has memory_words=1",
}


def play(*agents: str, games: int = 30) -> AgentError | None:
    result = play_match(Match.of(THREE, [find_agent(text) for text in agents], games, 1), workers=1)
    assert result.error is not None or len(result.results) == games
    assert result.error is None or not len(result.results)
    return result.error


@pytest.mark.parametrize("name", FAULTS)
def test_a_trespasser_is_named_before_its_first_game_counts(name: str) -> None:
    error = play(f"{HERE}:{name}")
    assert isinstance(error, AccessError)
    assert FAULTS[name] in str(error)
    assert f"{HERE}:{name}" in str(error)


def test_an_index_of_another_array_is_not_a_matter_of_memory() -> None:
    said = str(play(f"{HERE}:SIXTH"))
    assert "index 5 is out of bounds for axis 1 with size 5" in said
    assert "memory_words" not in said


@without_checked_indices
@pytest.mark.parametrize("name", ["FORGETFUL", "GREEDY", "BY_HELPER"])
def test_the_guard_words_find_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "inspect_newcomers", lambda *_: None)
    error = play(f"{HERE}:{name}")
    assert isinstance(error, AccessError)
    assert FAULTS[name] in str(error)
    assert play("smartbot", f"{HERE}:{name}", "smartbot") is not None


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
def test_a_fault_of_a_later_game_names_that_game_and_keeps_those_before() -> None:
    result = play_match(Match.of(THREE, [find_agent(f"{HERE}:LATE")], 3000, 1), workers=1)
    assert isinstance(result.error, AccessError)
    assert result.error.seed > 1
    assert len(result.results) == result.error.seed - 1
    assert "index 2 is out of bounds for axis 2 with size 1" in str(result.error)
    unspoiled = play_match(Match.of(THREE, [find_agent("careful")], len(result.results), 1))
    assert (result.results["score"] == unspoiled.results["score"]).all()


def test_who_declares_enough_plays_undisturbed() -> None:
    honest = play_match(Match.of(THREE, [find_agent(f"{HERE}:HONEST")], 30, 1))
    careful = play_match(Match.of(THREE, [find_agent("careful")], 30, 1))
    assert honest.error is None
    assert honest.results.tobytes() == careful.results.tobytes()


def test_a_list_of_tactics_may_leave_its_reason() -> None:
    assert play(f"{HERE}:RULES") is None


@pytest.mark.parametrize("name", prompt_agents())
def test_every_agent_of_ours_writes_only_where_it_may(name: str) -> None:
    agent = find_agent(name)
    if not can_be_inspected(agent):
        pytest.skip("an agent in Python has no memory at the table")
    for players in agent.info.players[:1] if JIT_OFF else agent.info.players:
        assert inspect_game(Rules(players=players), [agent] * players, seed=7) is None


@pytest.mark.skipif(JIT_OFF, reason="too slow for the interpreter")
@pytest.mark.parametrize("name", ["FORGETFUL", "NEIGHBOUR", "LAST"])
def test_a_model_in_a_search_is_named_as_well(name: str) -> None:
    error = play(f"depth-one(deals=20, evaluator={HERE}:{name})", games=1)
    assert isinstance(error, AccessError)
    assert f"{HERE}:{name}" in str(error)
    assert FAULTS[name].partition(":")[0] in str(error)


@without_checked_indices
def test_the_guard_words_of_a_search_find_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "inspect_newcomers", lambda *_: None)
    search = f"depth-one(deals=20, evaluator={HERE}:GREEDY)"
    error = play(search, games=1)
    assert isinstance(error, AccessError)
    assert f"its model {HERE}:GREEDY wrote where it may not" in str(error)
    with pytest.raises(AccessError, match="its model"):
        explain(Table(THREE, [find_agent("careful")]).game(), search)


def test_the_command_says_so_and_fails() -> None:
    result = run("match", f"{HERE}:FORGETFUL", "--games", "100")
    said = complaint(result)
    assert "declare memory_words=1 or more" in said
    assert result.stdout == ""  # no game, no result


def test_the_error_travels_between_processes() -> None:
    error = AccessError("mine:AGENT", 1, 2, 3, "wrote too far")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is AccessError
    assert str(copy) == str(error)


def test_addresses_that_a_row_of_parameters_would_round_are_refused() -> None:
    assert check_address((1 << 53) - 1) == (1 << 53) - 1
    with pytest.raises(KernelError, match="does not fit into a row of parameters"):
        check_address(1 << 53)
