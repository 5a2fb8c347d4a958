"""Moves: numbers, words, and the text form of both."""

from __future__ import annotations

import copy
import pickle

import pytest

from kagiya.cards import COLOR_NAMES, SEAT_NAMES, Color, Rank, Seat
from kagiya.moves import MOVES, NUM_MOVES, Move, MoveError, move_name, parse_move


def test_moves_are_numbered_plays_discards_hints() -> None:
    names = [move_name(number) for number in range(NUM_MOVES)]
    assert names[:10] == [f"{verb} {slot}" for verb in ("play", "discard") for slot in range(1, 6)]
    assert names[10:21] == [f"hint +1 {value}" for value in (*COLOR_NAMES, 1, 2, 3, 4, 5)]
    assert names[-1] == "hint +4 5"
    assert len(set(names)) == NUM_MOVES == 54


def test_makers_and_properties_mirror_each_other() -> None:
    for move in MOVES:
        assert [move.is_play, move.is_discard, move.is_hint].count(True) == 1
        if move.slot is not None:
            assert move == (Move.play(move.slot) if move.is_play else Move.discard(move.slot))
            assert (move.offset, move.color, move.rank) == (None, None, None)
        else:
            assert move.offset is not None
            assert (move.color is None) != (move.rank is None)
            by_color = move.color is not None and Move.hint_color(move.offset, move.color)
            assert move == (by_color or Move.hint_rank(move.offset, Rank(move.rank or 0)))


def test_moves_are_their_numbers_and_survive_copying() -> None:
    move = Move.hint_color(1, Color(0))
    assert move == 10
    assert isinstance(copy.deepcopy(move), Move)
    assert pickle.loads(pickle.dumps(move)) == move
    assert (str(move), repr(move)) == ("hint +1 red", "<Move hint +1 red>")


@pytest.mark.parametrize("move", MOVES)
def test_names_are_read_back(move: Move) -> None:
    assert parse_move(move_name(move)) is move
    assert parse_move(move_name(move).upper()) is move


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_names_with_receivers_are_read_back(players: int) -> None:
    for actor in map(Seat, range(players)):
        for move in MOVES:
            if move.offset is None or move.offset < players:
                assert parse_move(move_name(move, actor, players), actor, players) is move


def test_a_named_receiver_is_counted_from_the_giver() -> None:
    assert move_name(Move.hint_rank(1, Rank(2)), Seat(2), players=3) == "hint alice 3"
    assert parse_move("hint alice 3", Seat(2), players=3) == Move.hint_rank(1, Rank(2))
    assert parse_move("h c r", Seat(0), players=3) == Move.hint_color(2, Color(0))
    assert parse_move("p 1") == Move.play(0)
    assert parse_move(" D  5 ") == Move.discard(4)


@pytest.mark.parametrize(
    "text",
    [
        *("", "play", "play 0", "play 6", "play x", "play 1 2", "play -1", "discard", "discard 6", "draw 1"),
        *("hint", "hint +1", "hint +1 6", "hint +1 0", "hint +1 orange", "hint +0 red", "hint +5 red", "hint + red"),
        *("hint bob red", "hint +1 red 1", "play ²", "hint +1 ²", "hint +1 -1"),
    ],
)
def test_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move"):
        parse_move(text)


def test_a_counted_receiver_who_is_not_there_is_a_move_but_never_a_legal_one() -> None:
    assert parse_move("hint +2 red", Seat(0), players=2).offset == 2


@pytest.mark.parametrize("receiver", ["alice", "cathy", "a", "", "zoe"])
def test_receivers_who_are_not_there_are_refused(receiver: str) -> None:
    with pytest.raises(MoveError, match="is not a move"):
        parse_move(f"hint {receiver} red", Seat(0), players=2)


def test_messages_count_as_the_text_does() -> None:
    with pytest.raises(MoveError, match=r"'play 6' is not a move: .*1-5"):
        parse_move("play 6")
    with pytest.raises(MoveError, match=r"'hint \+1 6' is not a move: .*1-5"):
        parse_move("hint +1 6")
    for words in ("play {}", "hint bob {}", "hint +{} 1"):  # of more digits than Python reads
        with pytest.raises(MoveError, match=r"is not a move: .* are 1-[45], not 9999"):
            parse_move(words.format("9" * 5000), Seat(0))


def test_numbers_out_of_range_are_refused() -> None:
    for make, number in ((Move.play, 5), (Move.play, -1), (Move.discard, 5)):
        with pytest.raises(MoveError, match="slots are"):
            make(number)
    for offset in (0, 5, -1):
        with pytest.raises(MoveError, match="the receiver of a hint"):
            Move.hint_color(offset, Color(0))
    with pytest.raises(MoveError, match="colors are"):
        Move.hint_color(1, Color(6))
    with pytest.raises(MoveError, match=r"ranks .* are"):
        Move.hint_rank(1, Rank(5))
    assert len(SEAT_NAMES) == 5
