"""Recorded games: what they come to is what a match of the same games says, and an agent agrees with itself."""

from dataclasses import replace

import numpy as np
import pytest

from kagiya import Game, Match, Rules, Table, find_agent, play_match
from kagiya.engine.record import GameRecord, RecordError
from kagiya.lab.review.opinions import agreement, analyse

GAMES = 12


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    table = Table(Rules(players=3), [find_agent("iggi")])
    found = []
    for seed in range(GAMES):
        table.play_game(seed)
        found.append(table.record())
    return found


def test_the_figures_are_those_of_the_match(records: list[GameRecord]) -> None:
    (found,) = analyse(records)
    played = play_match(Match.of(Rules(players=3), "iggi", GAMES, 0)).summary
    for name in ("games", "mean", "se", "bomb_rate", "mean_points", "mean_turns", "histogram"):
        assert getattr(found.summary, name) == getattr(played, name), name
    assert found.summary.regret is not None
    assert played.regret is not None
    assert found.summary.regret.seats == played.regret.seats
    assert found.ends == {"finished": GAMES}
    assert found.seats == ("iggi",) * 3
    assert np.isfinite(found.mean("efficiency"))
    assert found.to_json()["lowest_pace"] == found.mean("lowest_pace")


def test_rules_are_told_apart(records: list[GameRecord]) -> None:
    table = Table(Rules(players=2), [find_agent("careful")])
    table.play_game(1)
    found = analyse([*records[:2], table.record(), records[2]])
    assert [(each.rules.players, each.summary.games) for each in found] == [(3, 3), (2, 1)]


def test_no_position_is_copied_for_a_figure(records: list[GameRecord], monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy holds the history: with one for each move, time grew with the square of a game's length."""
    copies = list[Game]()
    monkeypatch.setattr(Game, "copy", copies.append)
    analyse(records)
    assert copies == []


def test_a_record_that_is_wrong_is_refused(records: list[GameRecord]) -> None:
    with pytest.raises(RecordError, match="the record says 26"):
        analyse([replace(records[0], points=26)])


def test_an_agent_agrees_with_itself(records: list[GameRecord]) -> None:
    found = agreement(records[:3], find_agent("iggi"))
    assert (found.games, found.tally().share) == (3, 1.0)
    assert found.tally().asked == sum(record.turns for record in records[:3])
    other = agreement(records[:3], find_agent("smartbot"))
    assert 0 < other.tally().share < 1
    assert other.tally(seat=1).asked == sum((record.turns + 1) // 3 for record in records[:3])
    kinds = [other.tally(kind=kind).asked for kind in ("play", "discard", "hint")]
    assert sum(kinds) == other.tally().asked
    assert other.to_json()["seats"][2]["kinds"]["hint"]["asked"] == other.tally(2, "hint").asked
