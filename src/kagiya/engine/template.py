"""From `Rules` to state records: the template that `deal` copies, and a game dealt from a given deck."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from kagiya.cards import MAX_RANKS, NO_CARD
from kagiya.engine.layout import STATE, States
from kagiya.rules import BombScore, DrawnCard, Rules


def sorted_deck(rules: Rules) -> list[int]:
    """All cards of the game, color by color, lowest rank first."""
    return [
        color * MAX_RANKS + rank
        for color in range(rules.colors)
        for rank, copies in enumerate(rules.copies)
        for _ in range(copies)
    ]


@lru_cache(maxsize=64)
def _template(rules: Rules) -> States:
    states = np.zeros(1, STATE)
    state = states[0]
    cards = sorted_deck(rules)
    for name in ("players", "hand_size", "colors", "ranks", "empty_hints", "discard_at_full_tokens"):
        state[name] = getattr(rules, name)
    state["max_tokens"] = state["tokens"] = rules.hint_tokens
    state["max_lives"] = state["lives"] = rules.lives
    state["token_for_five"] = rules.token_for_five
    state["bomb_keeps_score"] = rules.bomb_score is BombScore.KEEP
    state["draw_into_vacated"] = rules.drawn_card is DrawnCard.VACATED
    state["deck_size"], state["turns_left"] = len(cards), rules.players
    state["kinds"] = sum(1 << card for card in set(cards))
    state["playable"] = sum(1 << MAX_RANKS * color for color in range(rules.colors))
    for card in set(cards):
        low, high = cards.count(card) & 1, cards.count(card) >> 1
        state["copies_low"] |= low << card
        state["copies_high"] |= high << card
    state["deck_low"], state["deck_high"] = state["copies_low"], state["copies_high"]
    state["deck"] = NO_CARD
    state["deck"][: len(cards)] = cards
    state["hands"] = state["order"] = NO_CARD
    return states


def write_template(rules: Rules, states: States, i: int) -> None:
    """Put an undealt game with these rules into lane `i`: full tokens, sorted deck, empty hands."""
    states[i] = _template(rules)[0]


def write_deck(rules: Rules, states: States, i: int, deck: Sequence[int]) -> None:
    """The same with the deck in a given order, top card first; hands still to be dealt."""
    if sorted(deck) != sorted_deck(rules):
        raise ValueError(f"the deck must hold exactly the {rules.deck_size} cards of these rules")
    write_template(rules, states, i)
    states[i]["deck"][: len(deck)] = deck
