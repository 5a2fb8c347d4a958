"""What hypothesis draws: any rules, and games at any point of play by them; failing seeds print themselves."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, assume, settings, strategies as st

from kagiya.cards import MAX_COPIES, MAX_HAND, MAX_PLAYERS, MAX_RANKS
from kagiya.engine.game import LANE, Game
from kagiya.moves import Move
from kagiya.rules import MAX_DECK, BombScore, DrawnCard, Rules

BLUNDER = 0.1  # how often the careful player of test games makes any legal move
JIT_OFF_SCALE = 0.1


def examples(count: int) -> Callable[[Any], Any]:
    """Settings for a test with so many examples at full scale; the same ones in every run."""
    scale = JIT_OFF_SCALE if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1.0
    return settings(
        max_examples=max(5, round(count * float(os.environ.get("KAGIYA_TEST_SCALE") or scale))),
        derandomize=True,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )


@st.composite
def any_rules(draw: st.DrawFn, max_kinds: int = 30, max_hand: int = MAX_HAND) -> Rules:
    """Rules with every option drawn, as far as the deck suffices."""
    colors = draw(st.integers(1, 6))
    ranks = draw(st.integers(1, min(MAX_RANKS, max(1, max_kinds // colors))))
    copies = draw(st.tuples(*[st.integers(1, MAX_COPIES)] * ranks))
    players, hand_size = draw(st.integers(2, MAX_PLAYERS)), draw(st.integers(1, max_hand))
    assume(players * hand_size <= colors * sum(copies) <= MAX_DECK)
    at_full_tokens = draw(st.booleans())
    return Rules(
        players=players,
        hand_size=hand_size,
        colors=colors,
        copies=copies,
        hint_tokens=draw(st.sampled_from([1, 2, 8, 20])),
        lives=draw(st.sampled_from([1, 3, 20])),
        empty_hints=draw(st.booleans()),
        discard_at_full_tokens=at_full_tokens,
        discard_below=0 if at_full_tokens else draw(st.sampled_from([0, 1, 7])),
        bomb_score=draw(st.sampled_from(BombScore)),
        token_for_five=draw(st.booleans()),
        drawn_card=draw(st.sampled_from(DrawnCard)),
    )


@st.composite
def any_game(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None) -> Game:
    """A game at any point: dealt, under way or over; half of them played carefully, which makes them long."""
    game = Game(draw(any_rules() if rules is None else rules), seed=draw(st.integers(0, 2**63 - 1)))
    chooser = random.Random(draw(st.integers(0, 2**32)))
    choose = draw(st.sampled_from([any_choice, careful_choice]))
    for _ in range(draw(st.integers(0, 160))):
        if game.is_over:
            break
        game.make(choose(game, chooser))
    return game


def any_choice(game: Game, chooser: random.Random) -> Move:
    return chooser.choice(game.legal_moves)


def careful_choice(game: Game, chooser: random.Random) -> Move:
    """A move that loses no life, if there is one; it looks at its own cards."""
    moves = game.legal_moves
    playable = int(game.states[LANE]["playable"])
    hand = game.hands[game.seat]
    fits = [move for move in moves if move.is_play and move.slot is not None and playable >> hand[move.slot] & 1]
    if fits and chooser.random() > BLUNDER:
        return chooser.choice(fits)
    return chooser.choice([move for move in moves if not move.is_play] or list(moves))
