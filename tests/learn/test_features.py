"""The compiled features beside their slow twin, in games by any rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kagiya.agents.conventions.playable_now import GROUNDED, NEXT_SEAT, PLAYABLE_NOW
from kagiya.engine.game import LANE, Game
from kagiya.learn.feature_kernels import (
    FEATURE_NAMES,
    FEATURES,
    STATE_FEATURES,
    write_move_features,
    write_state_features,
)
from kagiya.learn.rich_feature_kernels import RICH_FEATURES, RICH_NAMES, write_rich_move, write_rich_state
from tests.learn.by_hand import all_features, state_features
from tests.learn.rich_by_hand import rich_features
from tests.search.deals.convention_by_hand import heard
from tests.strategies import any_game, examples

CONVENTIONS = st.sampled_from([GROUNDED, PLAYABLE_NOW, NEXT_SEAT])


def compiled(game: Game, move: int, convention: int) -> list[float]:
    masks, out = heard(game, convention)["convention_masks"].copy(), np.full(FEATURES, np.nan)
    write_state_features(game.states, LANE, game.seat, masks, out)
    write_move_features(game.states, LANE, game.seat, masks, convention, move, out)
    return [float(number) for number in out]


def test_every_feature_has_a_name() -> None:
    assert len(FEATURE_NAMES) == len(set(FEATURE_NAMES)) == FEATURES == 38
    assert STATE_FEATURES == 31


@given(game=any_game(), convention=CONVENTIONS)
@examples(300)
def test_positions(game: Game, convention: int) -> None:
    masks, out = heard(game, convention)["convention_masks"].copy(), np.full(FEATURES, np.nan)
    write_state_features(game.states, LANE, game.seat, masks, out)
    expected = state_features(game, convention)
    assert dict(zip(FEATURE_NAMES, out[:STATE_FEATURES], strict=False)) == dict(
        zip(FEATURE_NAMES, expected, strict=False)
    )


@given(game=any_game(), convention=CONVENTIONS, choice=st.integers(0, 10**6))
@examples(300)
def test_moves(game: Game, convention: int, choice: int) -> None:
    """For a hint: the position after it, seen by the seat that gives it."""
    if game.is_over:
        return
    move = game.legal_moves[choice % len(game.legal_moves)]
    found = dict(zip(FEATURE_NAMES, compiled(game, int(move), convention), strict=True))
    assert found == dict(zip(FEATURE_NAMES, all_features(game, move, convention), strict=True))


def rich(game: Game, move: int, convention: int) -> list[float]:
    masks, out = heard(game, convention)["convention_masks"].copy(), np.full(RICH_FEATURES, np.nan)
    out[:FEATURES] = compiled(game, move, convention)
    write_rich_state(game.states, LANE, game.seat, masks, out)
    write_rich_move(game.states, LANE, game.seat, masks, convention, move, out)
    return [float(number) for number in out]


@given(game=any_game(), convention=CONVENTIONS, choice=st.integers(0, 10**6))
@examples(300)
def test_rich_features(game: Game, convention: int, choice: int) -> None:
    if game.is_over:
        return
    move = game.legal_moves[choice % len(game.legal_moves)]
    found = dict(zip(RICH_NAMES, rich(game, int(move), convention), strict=True))
    assert found == pytest.approx(dict(zip(RICH_NAMES, rich_features(game, move, convention), strict=True)))


def test_rich_features_know_the_card_that_its_owner_would_discard() -> None:
    """Bob knows nothing of his cards, so he would discard the last of them: a five."""
    game = Game.from_position("alice Y4 R4 G3; bob R1 G4 Y5; rules goodman(hand_size=3); tokens 4")
    play = next(int(move) for move in game.legal_moves if move.is_play)
    assert rich(game, play, GROUNDED)[RICH_NAMES.index("chop_critical_1")] == 1.0
    assert rich(game, play, GROUNDED)[RICH_NAMES.index("fitting_1")] == pytest.approx(1 / 3)


def test_a_hint_at_one_card_makes_it_playable_for_its_owner_by_the_convention() -> None:
    game = Game.from_position("alice Y5 R4 G3; bob Y4 R1 G4; rules goodman(hand_size=3); tokens 4")
    red = next(int(move) for move in game.legal_moves if move.offset == 1 and move.color == 0)
    place = FEATURE_NAMES.index("max_playable_1")
    assert compiled(game, red, PLAYABLE_NOW)[place] == 1.0
    assert compiled(game, red, GROUNDED)[place] < 1.0
