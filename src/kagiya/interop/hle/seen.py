"""What a seat sees, as the Hanabi Learning Environment's objects: made from an `Observation`, which knows no more."""

from __future__ import annotations

import numpy as np

from kagiya.cards import Card, card_color, card_rank
from kagiya.engine.kernels import is_over
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.engine.log import Event
from kagiya.interop.hle.game import HanabiGame, theirs
from kagiya.interop.hle.pieces import HanabiHistoryItem
from kagiya.interop.hle.state import HanabiState
from kagiya.rl.encoding import last_move
from kagiya.rules import Rules
from kagiya.view.observation import Observation


def seen_state(game: HanabiGame, observation: Observation) -> HanabiState:
    """The state that an observation shows: own cards and deck are hidden, the history goes back one round.

    In a game that was set up from a position, plays are counted from empty fireworks.
    """
    state = HanabiState.__new__(HanabiState)
    story = Story(observation.rules)
    items = [story.item(event) for event in observation.history]
    state._game, state._start, state._undealt, state.first_deals = game, 0, 0, 0
    state.states, state._row = observation.states, observation.states.view(np.int64)
    state._read = observation._words
    state._is_over = bool(is_over(observation.states, 0))
    state._score = observation.points if observation.lives else 0
    state._last = last_move(observation)
    state._discards = tuple(story.discards)
    state._history = tuple(_with_deals(items, observation))
    return state


class Story:
    """A game told once more, for what a move meant then: whether it scored, what it told for the first time."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.discards: list[int] = []
        self._heights, self._tokens = [0] * rules.colors, rules.hint_tokens
        self._told = [[0] * rules.hand_size for _ in range(rules.players)]
        self._undealt = rules.deck_size - rules.players * rules.hand_size

    def item(self, event: Event) -> HanabiHistoryItem:
        """The next move as an item of a history."""
        if event.card is not None:
            return self._card_item(event, event.card)
        assert event.receiver is not None
        self._tokens -= 1
        told, hand = TOLD_COLOR if event.move.color is not None else TOLD_RANK, self._told[event.receiver]
        new = tuple(slot for slot in event.touched if not hand[slot] & told)
        for slot in event.touched:
            hand[slot] |= told
        return HanabiHistoryItem(theirs(event.move), event.seat, _revealed=event.touched, _newly_revealed=new)

    def _card_item(self, event: Event, card: Card) -> HanabiHistoryItem:
        scored = event.move.is_play and self._heights[card_color(card)] == card_rank(card)
        before = self._tokens
        if scored:
            self._heights[card_color(card)] += 1
        else:
            self.discards.append(card)
        if event.move.is_discard or (scored and card_rank(card) == self.rules.ranks - 1):
            self._tokens = min(before + 1, self.rules.hint_tokens)
        self._replace(event)
        return HanabiHistoryItem(theirs(event.move), event.seat, scored, self._tokens > before, card)

    def _replace(self, event: Event) -> None:
        assert event.move.slot is not None
        hand = self._told[event.seat]
        hand.pop(event.move.slot)
        if self._undealt:
            self._undealt -= 1
            hand.append(0)


def _with_deals(items: list[HanabiHistoryItem], observation: Observation) -> list[HanabiHistoryItem]:
    """The moves since the own last one, that one first, each play and discard followed by what was drawn."""
    rules = observation.rules
    recent = items[-rules.players :]
    drawn = rules.deck_size - rules.players * rules.hand_size - observation.deck_left
    gone = sum(observation.discards.values()) + observation.points - sum(item._card >= 0 for item in recent)
    found: list[HanabiHistoryItem] = []
    for item in recent:
        found.append(item)
        if item._card >= 0:
            gone += 1
            if gone <= drawn:  # later there was nothing left to draw
                found.append(HanabiHistoryItem.dealt(_newest(observation, item.player()), item.player()))
    return found


def _newest(observation: Observation, seat: int) -> int:
    """The card that a seat drew last, which is still there: it has not moved since. Of the own hand nobody knows."""
    hand = observation.hand((seat - observation.seat) % observation.rules.players)
    return hand.cards[hand.slots[-1]] if hand.offset else -1
