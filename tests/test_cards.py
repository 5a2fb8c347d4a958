"""Cards, colors and ranks: numbers, masks and their text forms."""

from __future__ import annotations

import pytest

from kagiya.cards import (
    COLOR_LETTERS,
    COLOR_NAMES,
    HIDDEN_CARD,
    MAX_KINDS,
    NO_CARD,
    Card,
    Color,
    Rank,
    card_color,
    card_name,
    card_rank,
    cards_name,
    color_mask,
    make_card,
    mask_cards,
    parse_card,
    parse_cards,
    rank_mask,
)

KINDS = [Card(number) for number in range(MAX_KINDS)]


def test_cards_are_numbered_color_by_color() -> None:
    assert [card_name(card) for card in KINDS[:6]] == ["R1", "R2", "R3", "R4", "R5", "Y1"]
    assert card_name(KINDS[-1]) == "P5"
    assert make_card(Color(2), Rank(0)) == 10


@pytest.mark.parametrize("card", KINDS)
def test_color_and_rank_make_the_card_again(card: Card) -> None:
    assert make_card(card_color(card), card_rank(card)) == card


@pytest.mark.parametrize("card", [*KINDS, Card(HIDDEN_CARD), Card(NO_CARD)])
def test_card_names_are_read_back(card: Card) -> None:
    assert parse_card(card_name(card)) == card
    assert parse_card(card_name(card).lower()) == card


@pytest.mark.parametrize("text", ["", "R", "R0", "R6", "X1", "1R", "R1 ", "R11", "R²", "ß1", "RY", "?", "---"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card; expected a color letter of RYGWBP and 1-5"):
        parse_card(text)


def test_several_cards_are_read_back() -> None:
    assert cards_name(parse_cards(" R1\tg3 \n B5 ")) == "R1 G3 B5"
    assert parse_cards(cards_name(KINDS)) == KINDS
    assert cards_name([]) == ""
    assert parse_cards("") == []


def test_letters_are_the_initials_of_the_names() -> None:
    assert "".join(name[0].upper() for name in COLOR_NAMES) == COLOR_LETTERS
    assert len(set(COLOR_LETTERS)) == len(COLOR_LETTERS)


def test_masks_hold_the_cards_of_a_color_or_rank() -> None:
    for color in range(6):
        assert list(mask_cards(color_mask(color))) == [card for card in KINDS if card_color(card) == color]
    for rank in range(5):
        assert list(mask_cards(rank_mask(rank))) == [card for card in KINDS if card_rank(card) == rank]
    assert list(mask_cards(0)) == []
