"""The compiled features beside their slow twin, in games by any rules."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from kagiya.agents.playable_now import DISCARDABLE, GROUNDED, NEXT_SEAT, PLAYABLE_NOW
from kagiya.engine.game import LANE, Game
from kagiya.learn.features import (
    FEATURE_NAMES,
    FEATURES,
    STATE_FEATURES,
    write_move_features,
    write_state_features,
)
from tests.learn.by_hand import all_features, state_features
from tests.search.deals.convention_by_hand import heard
from tests.strategies import any_game, examples

CONVENTIONS = st.sampled_from([GROUNDED, PLAYABLE_NOW, NEXT_SEAT, DISCARDABLE])


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


def test_a_hint_at_one_card_makes_it_playable_for_its_owner_by_the_convention() -> None:
    game = Game.from_position("alice Y5 R4 G3; bob Y4 R1 G4; rules goodman(hand_size=3); tokens 4")
    red = next(int(move) for move in game.legal_moves if move.offset == 1 and move.color == 0)
    place = FEATURE_NAMES.index("max_playable_1")
    assert compiled(game, red, PLAYABLE_NOW)[place] == 1.0
    assert compiled(game, red, GROUNDED)[place] < 1.0
