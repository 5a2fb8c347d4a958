"""Holds the engine against its slow twin: the twin predicts every word of the state record."""
# mypy: allow-untyped-calls

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

import numpy as np

from kagiya.cards import MAX_COLORS, MAX_HAND, MAX_PLAYERS, NO_CARD, cards_name, mask_cards
from kagiya.engine import game_kernels
from kagiya.engine.batch import sorted_deck, write_deck
from kagiya.engine.layout import STATE, States, new_states
from kagiya.engine.reference import ReferenceCard, ReferenceGame
from kagiya.moves import NUM_MOVES, move_name
from kagiya.rules import MAX_DECK, BombScore, DrawnCard, Rules

MASKS = {"kinds", "played", "playable", "useless", "possible"} | {name for name in STATE.names or () if "_low" in name}


class DisagreementError(AssertionError):
    """The engine and its twin differ."""


class Pair:
    """One game twice: in lane 0 of `states` and as `twin`. Moves go to both, and `check` compares them."""

    def __init__(self, rules: Rules, deck: list[int]) -> None:
        self.rules, self.deck = rules, deck
        self.moves: list[int] = []
        self.states = new_states(1)
        self.words = self.states.view(np.int64)
        write_deck(rules, self.states, 0, deck)
        game_kernels.deal_hands(self.states, 0)
        self.twin = ReferenceGame(rules, deck)

    def apply(self, move: int) -> None:
        self.moves.append(move)
        game_kernels.apply_move(self.states, 0, move)
        self.twin.apply(move)

    def check(self, legal: set[int]) -> None:
        """Compare the record, the legal moves (the twin's are given), the end and the score."""
        if self.words.tolist() != predicted_words(self.twin):
            raise self.disagreement("; ".join(differences(self.states, 0, self.twin)))
        if mask_of(legal) != (mask := game_kernels.legal_moves(self.states, 0)):
            engine = set(numbers_of(mask))
            raise self.disagreement(f"legal for one only: engine {names(engine - legal)}, twin {names(legal - engine)}")
        self._check_answers("is_over", "points", "score")

    def check_closely(self, legal: set[int]) -> None:
        """Ask about every move by itself, about numbers that are no moves, and what else takes longer."""
        for move in range(-3, NUM_MOVES + 12):
            if bool(game_kernels.is_legal(self.states, 0, move)) != (move in legal):
                raise self.disagreement(f"is_legal({move}): the twin says {move in legal}")
        self._check_answers("reachable_points")

    def _check_answers(self, *questions: str) -> None:
        for name in questions:
            engine, twin = getattr(game_kernels, name)(self.states, 0), getattr(self.twin, name)()
            if engine != twin:
                raise self.disagreement(f"{name}: engine {engine}, twin {twin}")

    def disagreement(self, what: str) -> DisagreementError:
        return DisagreementError(f"{what}\nrules {self.rules}\ndeck {cards_name(self.deck)}\nmoves {names(self.moves)}")


# What the twin predicts.


def differences(states: States, i: int, twin: ReferenceGame) -> list[str]:
    """Every field of the record that is not what the twin says, in words; an empty list if all agree."""
    expected = predicted(twin)
    found = []
    for name in STATE.names or ():
        actual = np.atleast_1d(states[i][name])
        wanted = np.reshape(expected[name], actual.shape)
        for place in zip(*np.nonzero(actual != wanted), strict=True):
            index = "" if states[i][name].shape == () else str([int(axis) for axis in place])
            found.append(f"{name}{index}: engine {show(name, actual[place])}, twin {show(name, wanted[place])}")
    return found


def show(field: str, value: int) -> str:
    """A word of the record for people: masks of kinds as cards."""
    if field in MASKS or field.endswith("_high"):
        return f"{{{cards_name(mask_cards(int(value)))}}}" if value >= 0 else str(value)
    return str(value)


def names(moves: Iterable[int]) -> list[str]:
    return [move_name(move) for move in moves]


def predicted_words(twin: ReferenceGame) -> list[int]:
    """The whole record as it should be, word by word."""
    fields = predicted(twin)
    return [word for name in STATE.names or () for word in fields[name]]


def predicted(twin: ReferenceGame) -> dict[str, list[int]]:
    """The fields of the record as they should be, each as a flat list."""
    deck = list(twin.deck)
    drawn = twin.rules.deck_size - len(deck)
    played = {card for card in twin.kinds() if card % 5 < twin.fireworks[card // 5]}
    return {
        **_rules_fields(twin.rules),
        **_hand_fields(twin),
        **_plane_fields("deck", [planes_of(deck)]),
        **_plane_fields("discard", [planes_of(twin.discards)]),
        "turn": [twin.turn],
        "seat": [twin.seat],
        "tokens": [twin.tokens],
        "lives": [twin.lives],
        "turns_left": [twin.turns_left],
        "drawn": [drawn],
        "fireworks": twin.fireworks + [0] * (MAX_COLORS - len(twin.fireworks)),
        "played": [mask_of(played)],
        "playable": [mask_of(twin.playable())],
        "useless": [mask_of(twin.useless())],
        "deck": [int(NO_CARD)] * drawn + deck + [NO_CARD] * (MAX_DECK - drawn - len(deck)),
    }


def discard_limit(rules: Rules) -> int:
    """The least number of tokens with which nothing may be discarded."""
    most = rules.hint_tokens + rules.discard_at_full_tokens
    return rules.discard_below if 0 < rules.discard_below < most else most


@cache
def _rules_fields(rules: Rules) -> dict[str, list[int]]:
    """The part of the record that is fixed by the rules."""
    named = ("players", "hand_size", "colors", "ranks", "empty_hints", "token_for_five")
    return {
        **{name: [int(getattr(rules, name))] for name in (*named, "deck_size")},
        **_plane_fields("copies", [planes_of(sorted_deck(rules))]),
        "max_tokens": [rules.hint_tokens],
        "discard_limit": [discard_limit(rules)],
        "max_lives": [rules.lives],
        "bomb_keeps_score": [int(rules.bomb_score is BombScore.KEEP)],
        "draw_into_vacated": [int(rules.drawn_card is DrawnCard.VACATED)],
        "kinds": [mask_of(set(sorted_deck(rules)))],
    }


def _hand_fields(twin: ReferenceGame) -> dict[str, list[int]]:
    slots: list[tuple[int, int, int, int]] = []
    planes = [(0, 0)] * MAX_PLAYERS
    for seat, hand in enumerate(twin.hands):
        slots += [_slot_words(held) for held in hand] + [_slot_words(None)] * (MAX_HAND - len(hand))
        planes[seat] = planes_of(held.card for held in hand if held is not None)
    slots += [_slot_words(None)] * (MAX_PLAYERS * MAX_HAND - len(slots))
    columns = zip(("hands", "possible", "told", "order"), zip(*slots, strict=True), strict=True)
    return {**{name: list(words) for name, words in columns}, **_plane_fields("hand", planes)}


def _slot_words(held: ReferenceCard | None) -> tuple[int, int, int, int]:
    if held is None:
        return NO_CARD, 0, 0, NO_CARD
    possible = possible_mask(held.possible_colors, held.possible_ranks)
    return held.card, possible, held.told_color + 2 * held.told_rank, held.order


@cache
def possible_mask(colors: frozenset[int], ranks: frozenset[int]) -> int:
    return mask_of({5 * color + rank for color in colors for rank in ranks})


def _plane_fields(name: str, planes: list[tuple[int, int]]) -> dict[str, list[int]]:
    return {f"{name}_low": [low for low, _ in planes], f"{name}_high": [high for _, high in planes]}


def planes_of(cards: Iterable[int]) -> tuple[int, int]:
    """A multiset of cards as two masks, the low and the high bit of each kind's count."""
    counts = Counter(cards).items()
    return sum(1 << card for card, count in counts if count & 1), sum(1 << card for card, count in counts if count & 2)


def mask_of(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def numbers_of(mask: int) -> list[int]:
    return [number for number in range(64) if mask >> number & 1]
