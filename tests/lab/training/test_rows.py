"""Training data: the games are the usual ones, and every row is what the tree and the twin of the features say."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import numpy as np
import pytest

from kagiya import find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.lab.table.table import Table
from kagiya.lab.training.data import (
    DEPTH,
    MOVE,
    NODE_VISITS,
    TARGET,
    VISITS,
    DataError,
    DataFolder,
    DataOrder,
    GameRows,
    Harvester,
    HarvestTerms,
    make_data,
)
from kagiya.learn.features import FEATURE_NAMES, STATE_FEATURES
from kagiya.moves import FIRST_DISCARD, FIRST_HINT
from kagiya.spec import SpecError
from tests.learn.by_hand import state_features

SEARCH = "ris-mcts(rollout=random, convention=playable-now, iterations=300)"
RULES = parse_rules("goodman", 3)

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of a search take minutes without the compiler")


def order(games: int, search: str = SEARCH, seed: int = 5) -> DataOrder:
    return DataOrder(RULES, find_agent(search), games, seed, HarvestTerms(least_visits=20))


def test_recording_changes_nothing_about_the_game(rng: random.Random) -> None:
    seed = rng.randrange(10**6)
    game = Harvester(RULES, find_agent(SEARCH), HarvestTerms(20)).play(seed)
    table = Table(RULES, [find_agent(SEARCH)])
    table.play_game(seed)
    assert len(game.rules) == len(table.game().moves)
    assert game.score == table.game().score


def test_rows_are_of_moves_tried_often_enough_and_agree_with_the_twin(rng: random.Random) -> None:
    seed = rng.randrange(10**6)
    game = Harvester(RULES, find_agent(SEARCH), HarvestTerms(20)).play(seed)
    table = Table(RULES, [find_agent(SEARCH)])
    table.play_game(seed)
    again = table.game().beginning()
    for turn, move in enumerate(table.game().moves):
        assert game.positions[turn] == pytest.approx(state_features(again), abs=1e-6)
        rows = (game.turns == turn) & (game.numbers[:, DEPTH] == 0)
        hints = game.numbers[:, MOVE] >= FIRST_HINT
        for row in game.features[rows & ~hints]:  # what is seen before a play or a discard
            assert row[:STATE_FEATURES] == pytest.approx(state_features(again), abs=1e-6)
        again.make(move)
    assert game.numbers[:, VISITS].min() >= 20
    assert (game.numbers[:, NODE_VISITS] >= game.numbers[:, VISITS]).all()
    assert set(np.unique(game.numbers[:, DEPTH])) >= {0, 1}
    assert (np.abs(game.numbers[:, TARGET]) <= 1).all()
    plays, discards = game.features[:, FEATURE_NAMES.index("play")], game.features[:, FEATURE_NAMES.index("discard")]
    assert np.array_equal(plays == 1, game.numbers[:, MOVE] < FIRST_DISCARD)
    assert np.array_equal(
        discards == 1, (game.numbers[:, MOVE] >= FIRST_DISCARD) & (game.numbers[:, MOVE] < FIRST_HINT)
    )


def test_the_move_made_is_proposed_by_a_rule(rng: random.Random) -> None:
    game = Harvester(RULES, find_agent(SEARCH), HarvestTerms(20)).play(rng.randrange(10**6))
    assert (game.rules > 0).mean() > 0.9


def test_only_the_root_on_demand() -> None:
    game = Harvester(RULES, find_agent(SEARCH), HarvestTerms(20, deepest=0)).play(1)
    assert set(np.unique(game.numbers[:, DEPTH])) == {0}


def test_an_agent_without_a_tree_is_refused() -> None:
    with pytest.raises(SpecError, match="vdb has no tree to learn from"):
        Harvester(RULES, find_agent("vdb"), HarvestTerms())


def test_a_folder_goes_on_where_it_was_and_the_workers_do_not_matter(tmp_path: Path) -> None:
    first = make_data(order(1), tmp_path / "a", workers=1)
    assert (first.played, first.there_before) == (1, 0)
    more = make_data(order(3), tmp_path / "a", workers=2)
    assert (more.played, more.there_before) == (2, 1)
    make_data(order(3), tmp_path / "b", workers=1)
    columns = ("seed", "turn", "depth", "move", "target", *FEATURE_NAMES)
    a, b = (DataFolder(tmp_path / name).read("moves", columns) for name in "ab")
    assert sorted(zip(*(a[name] for name in columns), strict=True)) == sorted(
        zip(*(b[name] for name in columns), strict=True)
    )
    assert set(a["seed"]) == {5, 6, 7}


def test_other_settings_do_not_mix(tmp_path: Path) -> None:
    make_data(order(1), tmp_path, workers=1)
    with pytest.raises(DataError, match=r"was made with agent .* choose another folder"):
        make_data(order(2, SEARCH.replace("300", "30")), tmp_path, workers=1)


def test_an_interruption_keeps_the_games_that_are_finished(tmp_path: Path) -> None:
    def stop_after_two(games: int) -> None:
        if len(DataFolder(tmp_path).seeds()) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_data(order(50), tmp_path, 1, stop_after_two)
    assert len(DataFolder(tmp_path).seeds()) == 2
    assert make_data(order(3), tmp_path, workers=1).there_before == 2


def test_ctrl_c_while_a_game_is_written_takes_effect_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = DataFolder.write

    def interrupted(folder: DataFolder, game: GameRows) -> None:
        signal.raise_signal(signal.SIGINT)
        write(folder, game)

    monkeypatch.setattr(DataFolder, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make_data(order(2), tmp_path, workers=1)
    assert len(DataFolder(tmp_path).seeds()) == 1
