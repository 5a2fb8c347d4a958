"""Where single cards can be put when something else is tried, and what a form says about it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from kagiya.cards import Card, Color, Rank, card_color, card_name, card_rank, make_card, parse_card
from kagiya.lab.table.hidden_cards import PlacedCard, place_cards
from kagiya.view.observation import observe
from kagiya.web.review.look import Look
from kagiya.web.review.story import Story
from kagiya.web.views import Message, RefusedError, sentence

MOST_PLACED = 3  # cards at once
MOST_DRAWS = 5  # next cards of the deck that can be set
SLOT, DRAW = "slot", "draw"


def places_of(story: Story, look: Look) -> list[tuple[str, str]]:
    """The slots of the player to move and the next cards of the deck, with their names."""
    game = story.before(look.turn)
    slots = [PlacedCard(Card(0), slot) for slot in observe(game, game.seat).mine.slots]
    draws = [PlacedCard(Card(0), draw=draw) for draw in range(min(MOST_DRAWS, game.deck_left))]
    return [(_value(each), _place_words(story, look.turn, each)) for each in (*slots, *draws)]


def cards_of(story: Story) -> list[tuple[str, str]]:
    """All cards of the game, with the names they have there."""
    rules = story.rules
    cards = [make_card(Color(color), Rank(rank)) for color in range(rules.colors) for rank in range(rules.ranks)]
    return [(card_name(card), _called(story, card)) for card in cards]


def asked_places(story: Story, look: Look, message: Message) -> tuple[PlacedCard, ...]:
    """The cards that a form puts somewhere, checked."""
    found = []
    for number in range(MOST_PLACED):
        place, card = message.get(f"place{number}", ""), message.get(f"card{number}", "")
        if bool(place) != bool(card):
            raise RefusedError("Choose both: where the card is to be put, and which card it is.")
        if place:
            found.append(_placing(story, place, card))
    try:
        if found:
            place_cards(story.before(look.turn), found, partial(_called, story))
    except ValueError as error:
        raise RefusedError(sentence(error)) from None
    return tuple(found)


def _placing(story: Story, place: str, card: str) -> PlacedCard:
    kind, _, number = place.partition(" ")
    known = dict(cards_of(story))
    if kind not in (SLOT, DRAW) or not number.isdecimal() or len(number) > 2 or card not in known:
        raise RefusedError(f"{card!r:.40} cannot be put at {place!r:.40}; choose a slot or a draw, and a card.")
    index = int(number) - 1
    return PlacedCard(parse_card(card), slot=index) if kind == SLOT else PlacedCard(parse_card(card), draw=index)


def placing_words(story: Story, turn: int, placed: Iterable[PlacedCard]) -> tuple[str, ...]:
    """What was put where: "bob's slot 2 is red 1"."""
    return tuple(f"{_place_words(story, turn, each)} is {_called(story, each.card)}" for each in placed)


def _value(placing: PlacedCard) -> str:
    return f"{DRAW} {placing.draw + 1}" if placing.slot is None else f"{SLOT} {placing.slot + 1}"


def _place_words(story: Story, turn: int, placing: PlacedCard) -> str:
    if placing.slot is not None:
        return f"{story.called[story.before(turn).seat]}'s slot {placing.slot + 1}"
    return f"card {placing.draw + 1} of the deck" if placing.draw else "the next card of the deck"


def _called(story: Story, card: Card) -> str:
    return f"{story.suits[card_color(card)].name} {card_rank(card) + 1}"
