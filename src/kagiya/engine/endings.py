"""How a game ended: by the rules, because nothing more could be scored, or because somebody broke it off."""

from __future__ import annotations

from typing import Final

from kagiya.cards import MAX_RANKS, NO_CARD
from kagiya.engine.game import LANE, Game

FINISHED: Final = "finished"  # every firework complete, or the last round over
BOMBED: Final = "bombed"
SETTLED: Final = "settled"  # nothing more could be scored, so the table stopped; hanab.live does that
UNFINISHED: Final = "unfinished"  # the moves stop, and nobody says why
BROKEN_OFF: Final = ("timeout", "terminated", "speedrun", "idle", "vote")
"""Ends that hanab.live counts as 0, whatever had been scored."""

ENDS: Final = (FINISHED, BOMBED, SETTLED, UNFINISHED, *BROKEN_OFF)


def end_of(game: Game) -> str:
    """How the game has ended as far as its own rules say."""
    if game.is_bombed:
        return BOMBED
    return FINISHED if game.is_over else UNFINISHED


def is_settled(game: Game) -> bool:
    """Whether no card can be played any more that would score, by hanab.live's test.

    Of each unfinished color the next card must be in the deck or with a seat that still has a turn. A chain of cards
    that cannot all be played in the turns left is not looked for: their server does not look for it either.
    """
    return not _cards_with_a_turn(game) & {
        color * MAX_RANKS + height for color, height in enumerate(game.fireworks) if height < game.rules.ranks
    }


def _cards_with_a_turn(game: Game) -> set[int]:
    state = game.states[LANE]
    turns = int(state["turns_left"]) if game.deck_left == 0 else game.rules.players
    seats = [(game.seat + k) % game.rules.players for k in range(turns)]
    held = {card for seat in seats for card in game.hands[seat]}
    in_deck = set(state["deck"][: game.rules.deck_size].tolist()) if game.deck_left else set()
    return (held | in_deck) - {NO_CARD}


def why_not_end(game: Game, end: str) -> str | None:
    """Why a game that stands like this cannot have ended so; None if it can."""
    if game.is_over:
        return None if end == end_of(game) else f"its moves lead to a game that is {end_of(game)}"
    if end in (FINISHED, BOMBED):
        return "its moves lead to a game that is not over"
    return "points can still be scored" if end == SETTLED and not is_settled(game) else None
