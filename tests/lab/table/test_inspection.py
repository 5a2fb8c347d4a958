"""A user's compiled agent that sees too much or never answers is refused by name; one that passed plays at once."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kagiya import Agent, Match, Rules, Table, find_agent, play_match
from kagiya._jit import JIT_OFF
from kagiya.lab.table import inspection, inspection as acceptance
from kagiya.lab.table.table import PeekError
from tests.children import finish
from tests.cli.command import complaint, run, start

HERE = "tests.lab.table.peekers"
THREE = Rules(players=3)


@pytest.fixture(autouse=True)
def nobody_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceptance, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(inspection, "_inspected", {})


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "PEEK",
            r"it looks at cards that its seat cannot see: '.+', but '.+' with them dealt again; .*sees_own_hand",
        ),
        ("DECK", r"it looks at cards in the deck: '.+', but '.+' with them dealt again; .* declare sees_deck=True"),
    ],
)
def test_who_sees_too_much_is_refused_by_name_seat_turn_and_seed(name: str, reason: str) -> None:
    for agents in ([f"{HERE}:{name}"], ["careful", f"{HERE}:{name}", "careful"]):
        result = play_match(Match.of(THREE, agents, 50, seed=7))
        assert isinstance(result.error, PeekError)
        assert not len(result.results)
        where = rf"(alice|bob|cathy) \(seat \d, {HERE}:{name}\), turn \d+ of game [123]: "
        assert re.search(where + reason, str(result.error)), result.error


@pytest.mark.parametrize("name", ["SEER", "ORACLE", "HONEST"])
def test_who_declares_what_it_sees_may_play(name: str) -> None:
    assert play_match(Match.of(THREE, f"{HERE}:{name}", 5)).error is None


def test_match_and_compare_refuse_a_peeking_agent() -> None:
    said = complaint(run("match", f"{HERE}:PEEK", "--games", "20"))
    assert "it looks at cards that its seat cannot see" in said
    said = complaint(run("compare", "careful", f"{HERE}:PEEK", "--games", "20"))
    assert f"seat 1, {HERE}:PEEK" in said
    assert "it looks at cards that its seat cannot see" in said


@pytest.mark.skipif(JIT_OFF, reason="code that is not compiled has no hash")
def test_only_new_code_is_inspected(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, inspect = find_agent(f"{HERE}:HONEST"), inspection.inspect_agent
    asked: list[Rules] = []

    def inspect_and_count(rules: Rules, agent: Agent, sit_down: Callable[[Agent], Table]) -> inspection.Fault | None:
        asked.append(rules)
        return inspect(rules, agent, sit_down)

    monkeypatch.setattr(inspection, "inspect_agent", inspect_and_count)

    def sit_down_afresh(rules: Rules) -> None:
        inspection._inspected.clear()  # as another process would begin
        Table(rules, [agent]).play_chunk(1, 2)

    sit_down_afresh(THREE)
    sit_down_afresh(THREE)
    assert len(asked) == 1
    sit_down_afresh(Rules(players=2))
    assert len(asked) == 2
    monkeypatch.setattr(acceptance, "stamp", lambda path: "edited")
    sit_down_afresh(THREE)
    assert len(asked) == 3


@pytest.mark.skipif(JIT_OFF, reason="there is no kernel without the compiler")
def test_a_kernel_that_does_not_return_is_named() -> None:
    code, _, errors = finish(start("match", f"{HERE}:ENDLESS", environment={"KAGIYA_KERNEL_TIMEOUT": "1"}))
    assert code == 1
    assert f"seat 3, {HERE}:ENDLESS), turn 3 of game 1: its kernel loop_in_the_third_turn has not returned" in errors
