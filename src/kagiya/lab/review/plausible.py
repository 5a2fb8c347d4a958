"""A whole game that a seat could be in, made from what it knows, for what needs a `Game` but not the true cards."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from kagiya.cards import NO_CARD, Card, Seat
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import States
from kagiya.rules import DrawnCard, Rules
from kagiya.view.observation import Observation


def plausible_game(view: Observation, seed: int = 0) -> Game:
    """A game with the same history in which this seat sees the same; its hand and the deck fit all hints.

    The cards that the seat cannot see are not the true ones, which nothing here knows. They are any that fit; `seed`
    says which, and not all are equally likely.
    """
    dice = random.Random(seed)
    unseen = [card for card, copies in view.unseen.items() for _ in range(copies)]
    dice.shuffle(unseen)
    masks = {slot: int(view.states[LANE]["possible"][view.seat, slot]) for slot in view.mine.slots}
    hand = fitting_hand(sorted(masks.items(), key=lambda item: item[1].bit_count()), unseen)
    for card in hand.values():
        unseen.remove(card)
    if len(view.history) < view.turn:  # set up from a position
        return Game.from_state(view.rules, _completed(view, hand, unseen), LANE)
    game = Game(view.rules, deck=_deck(view, hand, unseen))
    for event in view.history:
        game.make(event.move)
    return game


def fitting_hand(masks: Sequence[tuple[int, int]], cards: Sequence[Card]) -> dict[int, Card]:
    """For each slot a card of its possible kinds; some hand fits, the true one at least."""
    if not masks:
        return {}
    (slot, mask), *others = masks
    for card in dict.fromkeys(card for card in cards if mask >> card & 1):
        left = list(cards)
        left.remove(card)
        rest = fitting_hand(others, left)
        if len(rest) == len(others):
            return {slot: card, **rest}
    return {}


def _deck(view: Observation, hand: dict[int, Card], rest: Sequence[Card]) -> list[Card]:
    """The deck in the order in which it was dealt: cards shown, cards held, and what is left to draw."""
    deck = _shown_cards(view)
    for offset in range(view.rules.players):
        held = view.hand(offset)
        for slot in held.slots:
            deck[held.order(slot)] = hand[slot] if offset == 0 else held.cards[slot]
    return [deck[order] for order in range(len(deck))] + list(rest)


def _shown_cards(view: Observation) -> dict[int, Card]:
    """The cards played and discarded, by their place in the deck."""
    rules, shown = view.rules, dict[int, Card]()
    size = rules.hand_size
    hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(rules.players)]
    drawn = rules.players * size
    for event in view.history:
        if event.card is None or event.move.slot is None:
            continue
        order = _take(hands[event.seat], event.move.slot, drawn if drawn < rules.deck_size else NO_CARD, rules)
        shown[order] = event.card
        drawn += 1
    return shown


def _take(hand: list[int], slot: int, drawn: int, rules: Rules) -> int:
    """Take a card from a hand of deck places and put the one drawn where the rules say; returns the card's place."""
    order = hand[slot]
    if rules.drawn_card == DrawnCard.VACATED:
        hand[slot] = drawn
    else:
        del hand[slot]
        hand.append(drawn)
    return order


def _completed(view: Observation, hand: dict[int, Card], rest: Sequence[Card]) -> States:
    states = view.states.copy()
    write_unseen(states, view.seat, hand, rest)
    return states


def write_unseen(states: States, seat: Seat, hand: Mapping[int, Card], deck: Sequence[Card]) -> None:
    """Write into a position what a seat cannot see: its whole hand, by slot, and the cards left to draw."""
    state = states[LANE]
    for slot, card in hand.items():
        state["hands"][seat, slot] = card
    first = int(state["drawn"])
    state["deck"][first : first + len(deck)] = deck
    state["hand_low"][seat], state["hand_high"][seat] = _planes(list(hand.values()))
    state["deck_low"], state["deck_high"] = _planes(deck)


def _planes(cards: Sequence[Card]) -> tuple[int, int]:
    counts = {card: cards.count(card) for card in set(cards)}
    low = sum((count & 1) << card for card, count in counts.items())
    return low, sum((count >> 1) << card for card, count in counts.items())
