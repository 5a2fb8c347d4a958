"""Cards of a hand, drawn once for everything that looks the same."""

from __future__ import annotations

import re
from functools import lru_cache

from kagiya.cards import COLOR_LETTERS
from kagiya.drawing.card import Marks, Possible, card_back, card_face, knowledge, suit_mark
from kagiya.drawing.chances import chance_bars
from kagiya.drawing.markup import Markup
from kagiya.drawing.palette import SUITS, Suit
from kagiya.web.seat.sight import CardSight

EMPTY = re.compile(r"></(?:rect|path|circle)>")


def for_page(drawing: Markup) -> Markup:
    """The same drawing in fewer bytes."""
    return Markup(EMPTY.sub("/>", drawing).replace("<g></g>", ""))


@lru_cache(maxsize=1024)
def face(suit: Suit, rank: int, marked: Marks) -> Markup:
    """A card from the front."""
    return for_page(card_face(suit, rank, marked))


@lru_cache(maxsize=2048)
def back(possible: Possible, marked: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    """A card from behind."""
    return for_page(card_back(possible, marked, suits, ranks))


@lru_cache(maxsize=2048)
def known(possible: Possible, marked: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    """What the owner of a card knows."""
    return for_page(knowledge(possible, marked, suits, ranks))


@lru_cache(maxsize=16)
def suit_sign(color: int) -> Markup:
    """A suit's shape, for a button that says its name itself."""
    return for_page(suit_mark(SUITS[color], ""))


def open_card(card: CardSight) -> Markup:
    """A card that this seat sees."""
    assert card.card is not None
    return face(SUITS[COLOR_LETTERS.index(card.card[0])], int(card.card[1]) - 1, marks(card))


def hidden_card(card: CardSight, colors: int, ranks: int) -> Markup:
    """A card as its owner sees it."""
    return back(possible(card.possible), marks(card), SUITS[:colors], ranks)


def owner_knows(card: CardSight, colors: int, ranks: int) -> Markup:
    """What the owner of an open card knows, to stand below it."""
    return known(possible(card.possible), marks(card), SUITS[:colors], ranks)


@lru_cache(maxsize=1024)
def bars(fits: float, useless: float, critical: float) -> Markup:
    """The chances of a hidden card."""
    return for_page(chance_bars(fits, useless, critical))


@lru_cache(maxsize=2048)
def possible(names: tuple[str, ...]) -> Possible:
    """The colors and the ranks that are possible, each by itself."""
    colors = {COLOR_LETTERS.index(name[0]) for name in names}
    ranks = {int(name[1]) - 1 for name in names}
    return Possible(tuple(sorted(colors)), tuple(sorted(ranks)))


def marks(card: CardSight) -> Marks:
    """What is marked on a card: of a hidden one only what is certain."""
    return Marks(
        touched=card.color_told or card.rank_told,
        told_color=card.color_told,
        told_rank=card.rank_told,
        critical=card.critical == 1,
        useless=card.useless == 1,
        playable=card.fits == 1,
        moved=card.is_touched_lately,
    )
