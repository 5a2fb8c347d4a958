"""Kernels read and write moves as `Move` does, and cards as `kagiya.cards` does."""

import pytest

from kagiya import kinds as kind_kernels
from kagiya.cards import (
    MAX_COLORS,
    MAX_HAND,
    MAX_KINDS,
    NO_MOVE,
    Card,
    Color,
    Kinds,
    MoveNumber,
    Offset,
    Rank,
    Slot,
    card_color,
    card_rank,
    color_mask,
    make_card,
    rank_mask,
)
from kagiya.engine import game_kernels as kernels
from kagiya.moves import MOVES, Move


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_a_move_is_taken_apart_and_put_together_again(move: Move) -> None:
    number = MoveNumber(int(move))
    kinds = (kernels.is_play(number), kernels.is_discard(number), kernels.is_hint(number))
    assert kinds == (move.is_play, move.is_discard, move.is_hint)
    if move.slot is not None:
        slot = kernels.slot_of(number)
        assert slot == move.slot
        assert (kernels.play_move if move.is_play else kernels.discard_move)(slot) == number
    else:
        offset, value = kernels.hint_offset(number), kernels.hint_value(number)
        assert offset == move.offset
        assert kernels.hint_move(offset, value) == number
        assert kernels.is_color_hint(number) == (move.color is not None)
        check_what_a_hint_names(number, move)


def check_what_a_hint_names(number: MoveNumber, move: Move) -> None:
    offset = kernels.hint_offset(number)
    kinds = kernels.value_kinds(kernels.hint_value(number))
    if move.color is not None:
        assert kernels.named_color(number) == move.color
        assert kernels.hint_color(offset, move.color) == number
        assert kernels.hint_color_of(offset, make_card(move.color, Rank(3))) == number
        assert kinds == color_mask(move.color)
    else:
        assert move.rank is not None
        assert kernels.named_rank(number) == move.rank
        assert kernels.hint_rank(offset, move.rank) == number
        assert kernels.hint_rank_of(offset, make_card(Color(2), move.rank)) == number
        assert kinds == rank_mask(move.rank)


def test_no_slot_makes_no_move_and_no_move_is_nothing() -> None:
    assert kernels.play_move(kernels.NO_SLOT) == NO_MOVE
    assert kernels.discard_move(kernels.NO_SLOT) == NO_MOVE
    assert not kernels.is_play(NO_MOVE)
    assert not kernels.is_discard(NO_MOVE)
    assert not kernels.is_hint(NO_MOVE)
    assert int(kernels.discard_move(Slot(0))) == Move.discard(0) == MAX_HAND
    assert int(kernels.hint_move(Offset(1), MAX_COLORS)) == Move.hint_rank(1, Rank(0))


@pytest.mark.parametrize("card", [Card(number) for number in range(MAX_KINDS)])
def test_cards_and_sets_of_kinds(card: Card) -> None:
    color, rank = card_color(card), card_rank(card)
    assert (kind_kernels.color_of(card), kind_kernels.rank_of(card)) == (color, rank)
    bit = kind_kernels.kind_bit(card)
    assert kind_kernels.color_kinds(color) & kind_kernels.rank_kinds(rank) == bit == 1 << card
    assert kind_kernels.is_single(bit)
    assert (kind_kernels.only_color(bit), kind_kernels.only_rank(bit)) == (color, rank)
    of_color, of_rank = kind_kernels.color_kinds(color), kind_kernels.rank_kinds(rank)
    assert (kind_kernels.only_color(of_color), kind_kernels.only_rank(of_color)) == (color, kind_kernels.UNKNOWN_RANK)
    assert (kind_kernels.only_color(of_rank), kind_kernels.only_rank(of_rank)) == (kind_kernels.UNKNOWN_COLOR, rank)
    assert kind_kernels.within(bit, of_color)
    assert not kind_kernels.within(of_color, bit)
    assert not kind_kernels.within(Kinds(0), of_color)
    assert kind_kernels.undecided(of_color, of_rank)
    assert not kind_kernels.undecided(bit, of_rank)
