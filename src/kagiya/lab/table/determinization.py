"""Determinization: a hand that fits what is known of it, positions and games with other hidden cards.

What hides cards from a seat is `censor` in view/view_kernels.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kagiya.cards import NO_CARD, Card, card_name
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import States
from kagiya.engine.position import planes_of
from kagiya.rules import DrawnCard, Rules
from kagiya.view.observation import Observation


def fitting_hand(masks: Mapping[int, int], cards: Sequence[int]) -> dict[int, Card] | None:
    """For each slot one of these cards, of its possible kinds, no card twice; None if no hand fits.

    The slot with the fewest kinds chooses first, and earlier cards are tried before later ones.
    """
    return _fill(sorted(masks, key=lambda slot: masks[slot].bit_count()), masks, cards)


def _fill(slots: Sequence[int], masks: Mapping[int, int], cards: Sequence[int]) -> dict[int, Card] | None:
    if not slots:
        return {}
    slot, *others = slots
    for card in dict.fromkeys(card for card in cards if masks[slot] >> card & 1):
        left = list(cards)
        left.remove(card)
        rest = _fill(others, masks, left)
        if rest is not None:
            return {slot: Card(card), **rest}
    return None


def unseen_cards(states: States, i: int, seat: int) -> tuple[dict[int, Card], list[Card]]:
    """What a seat cannot see: its hand, by slot, and what is left of the deck, the next card first."""
    state = states[i]
    held = state["hands"][seat].tolist()[: int(state["hand_size"])]
    deck = state["deck"][int(state["drawn"]) : int(state["deck_size"])].tolist()
    return {slot: Card(card) for slot, card in enumerate(held) if card != NO_CARD}, [Card(card) for card in deck]


def write_unseen(states: States, i: int, seat: int, hand: Mapping[int, int], deck: Sequence[int]) -> None:
    """Write into a position what a seat cannot see: its whole hand, by slot, and the cards left to draw."""
    state = states[i]
    for slot, card in hand.items():
        state["hands"][seat, slot] = card
    first = int(state["drawn"])
    state["deck"][first : first + len(deck)] = deck
    state["hand_low"][seat], state["hand_high"][seat] = planes_of(hand.values())
    state["deck_low"], state["deck_high"] = planes_of(deck)


def deal_hidden(states: States, i: int, seat: int, masks: Sequence[int], dice: random.Random, keep: int = -1) -> None:
    """Permute the hand of `seat` and the deck in lane `i`; slot s gets a kind of masks[s], slot `keep` its own.

    With `masks` the possible kinds after a hint, the hint would touch the same slots again, and nothing that the seat
    knows could tell the difference.
    """
    held, deck = unseen_cards(states, i, seat)
    slots = [slot for slot in held if slot != keep]
    cards = [held[slot] for slot in slots] + deck
    dice.shuffle(cards)
    hand = fitting_hand({slot: masks[slot] for slot in slots}, cards)
    assert hand is not None, "the hand itself fits"
    for card in hand.values():
        cards.remove(card)
    dice.shuffle(cards)  # the hand has taken the first that fit
    write_unseen(states, i, seat, held | hand, cards)


def own_kinds(states: States, i: int, seat: int) -> list[int]:
    """Masks for `deal_hidden` that leave the hand of `seat` as it is, so that only the deck is dealt again."""
    return [1 << int(card) if card >= 0 else 0 for card in states[i]["hands"][seat]]


def replay(rules: Rules, deck: Sequence[int], moves: Iterable[int]) -> Game:
    """A game from this deck, with these moves."""
    game = Game(rules, deck=deck)
    for move in moves:
        game.make(move)
    return game


def with_unseen(game: Game, hand: Mapping[int, Card], deck: Sequence[Card]) -> Game:
    """The same game with other cards where the player to move cannot see them: in its whole hand, and in the deck."""
    state = game.states[LANE]
    if game.deck is not None:
        dealt = list(game.deck[: int(state["drawn"])])
        for slot, card in hand.items():
            dealt[int(state["order"][game.seat, slot])] = card
        return replay(game.rules, [*dealt, *deck], game.moves)
    states = game.states.copy()
    write_unseen(states, LANE, game.seat, hand, deck)
    return Game.from_state(game.rules, states, LANE)


def plausible_game(view: Observation, seed: int = 0) -> Game:
    """A game with the same history in which this seat sees the same; its hand and the deck fit all hints.

    The cards that the seat cannot see are not the true ones, which nothing here knows. They are any that fit; `seed`
    says which, and not all are equally likely.
    """
    unseen = [card for card, copies in view.unseen.items() for _ in range(copies)]
    random.Random(seed).shuffle(unseen)
    masks = {int(slot): int(view.states[LANE]["possible"][view.seat, slot]) for slot in view.mine.slots}
    hand = fitting_hand(masks, unseen)
    assert hand is not None, "the true hand fits"
    for card in hand.values():
        unseen.remove(card)
    if len(view.history) < view.turn:  # set up from a position
        states = view.states.copy()
        write_unseen(states, LANE, view.seat, hand, unseen)
        return Game.from_state(view.rules, states, LANE)
    return replay(view.rules, _deck(view, hand, unseen), (event.move for event in view.history))


def _deck(view: Observation, hand: Mapping[int, Card], rest: Sequence[Card]) -> list[Card]:
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


@dataclass(frozen=True)
class PlacedCard:
    """A card for a slot of the player to move, or for a place in the deck."""

    card: Card
    slot: int | None = None
    draw: int = 0  # without a slot: how many cards are drawn before it


def place_cards(game: Game, placed: Iterable[PlacedCard], called: Callable[[Card], str] = card_name) -> Game:
    """The game with these cards in these places. All others stay where they are, as far as that is possible.

    The card that was there changes places with one in the deck or in the hand that it cannot see; hands fit all hints.
    What cannot be is a ValueError, in which cards are called as asked.
    """
    wanted = list(placed)
    hand, deck = unseen_cards(game.states, LANE, game.seat)
    masks = {slot: int(game.states[LANE]["possible"][game.seat, slot]) for slot in hand}
    slots = _by_place(((each.slot, each.card) for each in wanted if each.slot is not None), masks, "slot")
    draws = _by_place(
        ((each.draw, each.card) for each in wanted if each.slot is None), range(len(deck)), "card to draw"
    )
    for slot, card in slots.items():
        if not masks[slot] >> card & 1:
            raise ValueError(f"slot {slot + 1} cannot be {called(card)}, by the hints that were given")
    pool = Counter(deck) + Counter(hand.values())
    for card, copies in Counter([*slots.values(), *draws.values()]).items():
        if copies > pool[card]:
            raise ValueError(f"{pool[card]} of {called(card)} can be placed, not {copies}: the others can be seen")
        pool[card] -= copies
    fitted = _fitted(hand, masks, slots, pool)
    pool -= Counter(card for slot, card in fitted.items() if slot not in slots)
    return with_unseen(game, fitted, _filled(deck, draws, pool))


def _by_place(wanted: Iterable[tuple[int, Card]], there: Iterable[int], what: str) -> dict[int, Card]:
    """By place the card that it gets; a place that is not there, or is given twice, is refused."""
    places, found = set(there), dict[int, Card]()
    for place, card in wanted:
        if place not in places:
            raise ValueError(f"there is no {what} {place + 1}")
        if place in found:
            raise ValueError(f"{what} {place + 1} is given two cards")
        found[place] = card
    return found


def _fitted(
    hand: Mapping[int, Card], masks: Mapping[int, int], fixed: Mapping[int, Card], pool: Counter[Card]
) -> dict[int, Card]:
    """The whole hand: cards that are still to be had stay, others are replaced by some that fit the hints."""
    kept, left = dict(fixed), pool.copy()
    for slot, card in hand.items():
        if slot not in fixed and left[card] > 0:
            kept[slot] = card
            left[card] -= 1
    for stays, cards in ((kept, left), (dict(fixed), pool)):
        free = {slot: mask for slot, mask in masks.items() if slot not in stays}
        found = fitting_hand(free, list(cards.elements()))
        if found is not None:
            return {**stays, **found}
    raise ValueError("with these cards no hand fits the hints that were given")


def _filled(deck: Sequence[Card], fixed: Mapping[int, Card], pool: Counter[Card]) -> list[Card]:
    """The deck in the order it has; only what went elsewhere is replaced."""
    filled: list[Card | None] = []
    for place, card in enumerate(deck):
        stays = place not in fixed and pool[card] > 0
        pool[card] -= stays
        filled.append(fixed.get(place, card if stays else None))
    rest = list(pool.elements())
    return [rest.pop() if card is None else card for card in filled]
