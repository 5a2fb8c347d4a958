"""The signature covers every agent, sees the smallest change of behaviour and names whose it is."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from kagiya import Agent, Observation, PythonAgent, Rules, agent_types, find_agent
from kagiya._jit import JIT_OFF
from kagiya.agents.register import as_agent
from kagiya.agents.tactics.vocabulary import tactics
from kagiya.engine.game import Game
from kagiya.lab.signature import (
    Change,
    Signature,
    SignatureSeating,
    all_seatings,
    changes,
    read_signature,
    sign,
    thought,
    write_signature,
)
from kagiya.lab.table.session import explain
from kagiya.moves import Move
from tests.children import run_python
from tests.cli.command import MAIN, complaint, run

FILE = Path(__file__).parents[2] / "results/signature.json"
QUICK = ("careful", "careful-python", "iggi", "smartbot")  # those that the interpreter can play, too


class Discards(PythonAgent):
    """Discards its first card, or hints if it may not; `late` makes it choose another card on its tenth turn."""

    late = False

    def act(self, observation: Observation) -> Move:
        discards = [move for move in observation.legal_moves if str(move).startswith("discard")]
        if not discards:
            return observation.legal_moves[-1]
        return discards[1 if self.late and observation.turn >= 10 and len(discards) > 1 else 0]


class DiscardsLate(Discards):
    late = True


def seating(agent: Agent, name: str = "mine") -> SignatureSeating:
    return SignatureSeating(name, (replace(agent, text=name),), (Rules(players=2),), games=1)


@pytest.mark.quick
@pytest.mark.skipif(JIT_OFF, reason="the games of all agents take minutes without the compiler")
@pytest.mark.skipif("KAGIYA_SIGNATURE_CHECKED" in os.environ, reason="CI has just run kagiya dev signature --check")
def test_all_agents_play_as_written_down() -> None:
    found = changes(read_signature(FILE), sign(all_seatings()))
    assert not found, "; ".join(f"{each.kind}: {each.seating}" for each in found)


def test_some_agents_play_as_written_down_with_and_without_the_compiler() -> None:
    played = sign(each for each in all_seatings() if each.group in QUICK)
    assert set(played.agents) == set(QUICK)
    assert changes(read_signature(FILE).only(QUICK), played) == []


def test_every_agent_every_choice_and_every_tactic_is_covered() -> None:
    texts = {each.text for each in all_seatings()}
    assert {each.group for each in all_seatings()} > set(agent_types())
    for name, kind in agent_types().items():
        for parameter in kind.info.parameters:
            for choice in parameter.choices:
                wanted = f"{parameter.name}={choice}"
                is_tried = any(name in text and wanted in text for text in texts)
                assert is_tried or choice in (parameter.default, "none"), f"{name}({wanted}) is never played"
    for name in tactics():
        assert any(text.startswith(f"rules({name}") for text in texts), name


def test_no_hash_is_one_of_no_games() -> None:
    """Variants of the recommendation players can sit at none of the tables that other variants play at."""
    assert [seating.text for seating in all_seatings() if not seating.tables or not seating.games] == []


def test_a_single_other_move_changes_the_hash_even_if_the_score_stays() -> None:
    first, second = sign([seating(as_agent(Discards))]), sign([seating(as_agent(DiscardsLate))])
    assert changes(first, first) == []
    assert changes(first, second) == [Change("changed", "mine", "mine")]


def test_a_visit_more_or_a_point_more_changes_what_a_search_thought() -> None:
    found = explain(Game(Rules(players=2), 3), find_agent("ris-mcts(iterations=10, plies=5, rules=all)"))
    first = found.moves[0]
    for other in (replace(first, visits=first.visits + 1), replace(first, value=first.value + 1 / first.visits)):
        assert thought(replace(found, moves=(other, *found.moves[1:]))) != thought(found)
    assert thought(replace(found, seconds=99.0)) == thought(found)


def test_what_was_added_and_what_was_removed_is_said() -> None:
    written, played = Signature({"a": {"a": "1", "a(x=1)": "2"}}), Signature({"a": {"a": "1"}, "b": {"b": "3"}})
    assert changes(written, played) == [Change("gone", "a", "a(x=1)")]
    assert changes(played, written) == [Change("new", "a", "a(x=1)"), Change("gone", "b", "b")]


def test_an_agent_with_more_seatings_has_still_played_the_same(tmp_path: Path) -> None:
    path = tmp_path / "signature.json"
    first, second, other = ({"a": "1"}, {"a": "1", "a(x=1)": "2"}, {"a": "9", "a(x=1)": "2"})
    old = Signature({"a": first}).of("a")
    for hashes in (first, second, second):
        write_signature(path, Signature({"a": hashes}))
        found = read_signature(path)
        assert found.has_played("a", old)
        assert found.has_played("a", found.of("a"))
        assert not found.has_played("b", old)
    write_signature(path, Signature({"a": other}))
    assert not read_signature(path).has_played("a", old)


def test_a_parameter_that_is_gone_leaves_the_rest_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "signature.json"
    before, after = {"vdb": "1", "vdb(no_such=1)": "2"}, {"vdb": "1"}
    write_signature(path, Signature({"vdb": before}))
    write_signature(path, Signature({"vdb": after}))
    assert read_signature(path).has_played("vdb", Signature({"vdb": before}).of("vdb"))
    path.unlink()
    write_signature(path, Signature({"vdb": {"vdb": "1", "vdb(forgets_own=yes)": "2"}}))
    write_signature(path, Signature({"vdb": after}))  # a seating that could still be played is missing
    assert not read_signature(path).earlier


def test_an_edited_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "signature.json"
    write_signature(path, Signature({"a": {"a": "1"}}))
    assert read_signature(path) == Signature({"a": {"a": "1"}})
    path.write_text(path.read_text().replace('"1"', '"2"'))
    with pytest.raises(ValueError, match="its total is not that of its agents"):
        read_signature(path)


def test_the_command_names_the_agent_that_differs_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "signature.json"
    hashes = read_signature(FILE).only(["careful", "iggi"]).agents
    write_signature(path, Signature(hashes | {"careful": {"careful": "000000000000"}}))
    result = run("dev", "signature", "careful", "iggi", "--check", "--file", str(path))
    assert "1 of 2 agents differ" in complaint(result)
    assert result.stdout.split() == ["changed", "careful:", "careful"]
    as_json = json.loads(run("dev", "signature", "careful", "--check", "--json", "--file", str(path)).stdout)
    assert as_json["changes"] == [{"kind": "changed", "agent": "careful", "seating": "careful"}]


def test_an_agent_that_is_not_in_the_file_is_named_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "signature.json"
    write_signature(path, read_signature(FILE).only(["iggi"]))
    result = run("dev", "signature", "careful", "iggi", "--check", "--file", str(path))
    assert f"not in {path} yet: careful" in result.stdout
    assert result.exit_code == 0


def test_without_a_file_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    assert "run kagiya dev signature --write" in complaint(
        run("dev", "signature", "--check", "--file", str(tmp_path / "no"))
    )
    assert "did you mean" in complaint(run("dev", "signature", "carful"))


def test_another_process_with_other_hashes_of_strings_finds_the_same() -> None:
    words = ("dev", "signature", "careful", "careful-python", "--json")
    found = run_python(MAIN, *words, environment={"PYTHONHASHSEED": "7"})
    assert Signature(json.loads(found)["agents"]) == read_signature(FILE).only(["careful", "careful-python"])
