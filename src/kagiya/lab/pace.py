"""Pace and efficiency of a position, as hanab.live defines them: what a team can still afford.

`missing` stands for the points to come if the best that the discards allow is reached.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any

from kagiya.cards import Seat
from kagiya.engine.game import LANE, Game
from kagiya.engine.regret_kernels import pace as pace_of
from kagiya.view.observation import Observation, observe


class Risk(StrEnum):
    """How near the pace is to costing points."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    ZERO = "zero"


def pace(game: Game) -> int | None:
    """Discards that can still be afforded if all that is reachable shall be played; None once the deck is empty."""
    return None if game.is_over or not game.deck_left else int(pace_of(game.states, LANE))


def view_required_efficiency(view: Observation) -> Fraction | None:
    """What `required_efficiency` says, asked by one seat, by what it can see."""
    return required_efficiency(Game.from_state(view.rules, view.states, LANE)) if view.lives else None


def pace_risk(pace: int, players: int) -> Risk:
    """The color in which hanab.live shows the pace."""
    if pace <= 0:
        return Risk.ZERO
    if pace - players + players // 2 < 0:
        return Risk.HIGH
    return Risk.MEDIUM if pace < players else Risk.LOW


def cards_gotten(game: Game) -> int:
    """Cards played, and cards in hands that a hint has touched and whose holder cannot know to be useless."""
    touched = sum(_touched(game, Seat(seat)) for seat in range(game.rules.players))
    return min(game.points + touched, game.reachable_points)


def _touched(game: Game, seat: Seat) -> int:
    hand = observe(game, seat).mine
    useless = hand.useless_slots
    told = [slot for slot in hand.slots if hand.is_color_told(slot) or hand.is_rank_told(slot)]
    return sum(slot not in useless for slot in told)


def tokens_spent(game: Game) -> int:
    """Hints given, and hints forgone: one for each life lost and each firework finished with all tokens there.

    A token comes back for each discard and each firework. So what is missing now and what came back is what
    was given; a lost life's card lies in the discards too, and counts as the discard it might have been.
    """
    came_back = _lost_cards(game) + game.rules.token_for_five * game.fireworks.count(game.rules.ranks)
    return game.rules.hint_tokens - game.tokens + came_back


def _lost_cards(game: Game) -> int:
    state = game.states[LANE]
    return int(state["discard_low"]).bit_count() + 2 * int(state["discard_high"]).bit_count()


def efficiency(game: Game) -> Fraction | None:
    """Cards gotten for each hint given or forgone; None while there is none."""
    spent = tokens_spent(game)
    return Fraction(cards_gotten(game), spent) if spent else None


def tokens_usable(game: Game) -> int | None:
    """Hints that can still be given if all that is reachable shall be played; None once the deck is empty."""
    if not game.deck_left:
        return None
    missing = game.reachable_points - game.points
    return _discards(game, missing) + _fireworks_paid(game, missing) + game.tokens


def _discards(game: Game, missing: int) -> int:
    deck, last_round = game.deck_left, game.rules.players
    if missing <= last_round + 1:
        return deck - 1
    return max(last_round + deck - missing, 0)


def _fireworks_paid(game: Game, missing: int) -> int:
    """Fireworks that can be finished early enough for their token to be of use."""
    last_round = game.rules.players
    plays = min(missing, last_round + game.deck_left) - min(missing, last_round + 1)
    paid = 0
    for height in sorted(_unfinished(game), reverse=True):
        plays -= game.rules.ranks - height
        paid += plays >= 0
    return paid * game.rules.token_for_five


def _unfinished(game: Game) -> list[int]:
    """The heights of the fireworks that are not finished and still can be."""
    useless, ranks = int(game.states[LANE]["useless"]), game.rules.ranks
    lasts = ((height, 5 * color + ranks - 1) for color, height in enumerate(game.fireworks))
    return [height for height, last in lasts if not useless >> last & 1]


def required_efficiency(game: Game) -> Fraction | None:
    """Cards that each hint to come must get, on average, for all that is reachable; below 1 it is easy."""
    usable = tokens_usable(game)
    return Fraction(game.reachable_points - cards_gotten(game), usable) if usable else None


def position_metrics(game: Game) -> dict[str, Any]:
    """All of them as plain data."""
    numbers = {"efficiency": efficiency(game), "required_efficiency": required_efficiency(game)}
    return {
        "pace": pace(game),
        "cards_gotten": cards_gotten(game),
        "tokens_usable": tokens_usable(game),
        **{name: None if value is None else float(value) for name, value in numbers.items()},
    }
