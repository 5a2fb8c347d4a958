"""`Game`: every rule of the table, one small position each, and the refusal of what is not allowed."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

from kagiya.cards import NO_CARD, Color, cards_name, parse_card, parse_cards
from kagiya.engine.batch import sorted_deck
from kagiya.engine.game import LANE, MAX_SEED, Event, Game
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.moves import NUM_MOVES, Move, MoveError
from kagiya.rules import Rules

TWO = "alice R1 Y2 G3 W4 B5; bob R2 R1 G1 W2 B3"


def hand(game: Game, seat: int) -> str:
    return cards_name(game.hands[seat])


# The deal.


def test_a_given_deck_is_dealt_seat_by_seat_from_the_top() -> None:
    game = Game(Rules(players=3), deck=sorted_deck(Rules(players=3)))
    assert [hand(game, seat) for seat in range(3)] == ["R1 R1 R1 R2 R2", "R3 R3 R4 R4 R5", "Y1 Y1 Y1 Y2 Y2"]
    assert game.deck == tuple(sorted_deck(game.rules))
    assert (game.turn, game.seat, game.tokens, game.lives, game.score, game.deck_left) == (0, 0, 8, 3, 0, 35)
    assert not game.is_over
    assert (game.moves, game.events) == ((), ())


def test_a_seed_gives_the_same_deal_always_and_other_seeds_others() -> None:
    decks = [Game(Rules(), seed=seed).deck for seed in (0, 0, 1, 2**32, MAX_SEED)]
    assert decks[0] == decks[1]
    assert len(set(decks)) == 4
    assert sorted(decks[-1] or ()) == sorted_deck(Rules())
    assert Game(Rules(), seed=np.int64(1)).deck == decks[2]  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 1.0, "1", True, None])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"a seed is an integer from 0 to 2\*\*63 - 1"):
        Game(Rules(), seed=seed)


@pytest.mark.parametrize("deck", ["", "R1", " ".join(["R1"] * 50)])
def test_a_deck_of_other_cards_is_refused(deck: str) -> None:
    with pytest.raises(ValueError, match="exactly the 50 cards"):
        Game(Rules(), deck=parse_cards(deck))


# Playing.


def test_a_card_that_fits_grows_its_firework_and_is_replaced() -> None:
    game = Game.from_position(f"{TWO}; deck P1 ...".replace("P1", "W1"))
    game.make("play 1")
    assert (game.fireworks, game.points, game.score) == ((1, 0, 0, 0, 0), 1, 1)
    assert hand(game, 0) == "Y2 G3 W4 B5 W1"
    assert (game.lives, game.tokens, game.seat, game.turn, game.deck_left) == (3, 8, 1, 1, 39)
    state = game.states[LANE]
    assert state["playable"] >> parse_card("R2") & 1
    assert not state["playable"] >> parse_card("R1") & 1
    assert state["useless"] == 1 << parse_card("R1")


def test_a_card_that_does_not_fit_costs_a_life_and_is_discarded() -> None:
    game = Game.from_position(f"tokens 3; {TWO}")
    game.make("play 2")
    assert (game.lives, game.points, game.tokens) == (2, 0, 3)
    assert game.states[LANE]["discard_low"] == 1 << parse_card("Y2")
    assert hand(game, 0).startswith("R1 G3 W4 B5")


def test_a_card_played_twice_does_not_fit_again() -> None:
    game = Game.from_position(f"fireworks R1; {TWO}")
    game.make("play 1")
    assert (game.lives, game.fireworks[0]) == (2, 1)


@pytest.mark.parametrize(
    ("rules", "tokens", "after"),
    [("standard", 3, 4), ("standard", 8, 8), ("standard(token_for_five=false)", 3, 3)],
)
def test_a_finished_firework_gives_a_token_if_there_is_one_to_give(rules: str, tokens: int, after: int) -> None:
    game = Game.from_position(f"rules {rules} players=2; tokens {tokens}; fireworks B4; {TWO.replace('B3', 'Y3')}")
    game.make("play 5")
    assert (game.tokens, game.fireworks[4]) == (after, 5)
    assert not game.states[LANE]["playable"] >> 20


def test_the_last_rank_gives_the_token_in_games_of_fewer_ranks() -> None:
    game = Game.from_position(
        "rules standard(colors=2, copies=2/2, hand_size=2); tokens 1; fireworks R1; alice R2 R1; bob Y1 Y2"
    )
    game.make("play 1")
    assert game.tokens == 2


# Discarding.


def test_a_discard_gives_a_token() -> None:
    game = Game.from_position(f"tokens 3; {TWO}; deck W1 ...")
    game.make("discard 5")
    assert (game.tokens, game.lives) == (4, 3)
    assert hand(game, 0) == "R1 Y2 G3 W4 W1"
    assert game.reachable_points == 24


def test_full_tokens_forbid_discards_unless_the_rules_allow_them() -> None:
    game = Game.from_position(TWO)
    with pytest.raises(MoveError, match="turn 1, alice: 'discard 1' is illegal: all 8 hint tokens are there"):
        game.make("discard 1")
    game = Game.from_position(f"rules standard(discard_at_full_tokens=true) players=2; {TWO}")
    game.make("discard 1")
    assert game.tokens == 8


def test_discards_may_need_more_than_one_missing_token() -> None:
    game = Game.from_position(f"rules standard(discard_below=7) players=2; tokens 7; {TWO}")
    assert not any(move.is_discard for move in game.legal_moves)
    with pytest.raises(MoveError, match="'discard 1' is illegal: 7 of 8 hint tokens are there"):
        game.make("discard 1")
    game = Game.from_position(f"rules standard(discard_below=7) players=2; tokens 6; {TWO}")
    game.make("discard 1")
    assert game.tokens == 7
    assert Game.from_position(game.position()).rules.discard_below == 7


# Hands.


def test_where_the_drawn_card_goes() -> None:
    closing = Game.from_position(f"tokens 3; {TWO}; deck W1 ...")
    closing.make("discard 2")
    assert hand(closing, 0) == "R1 G3 W4 B5 W1"
    assert closing.states[LANE]["order"][0].tolist() == [0, 2, 3, 4, 10]
    staying = Game.from_position(f"rules goodman players=2; tokens 3; {TWO}; deck W1 ...")
    staying.make("discard 2")
    assert hand(staying, 0) == "R1 W1 G3 W4 B5"
    assert staying.states[LANE]["order"][0].tolist() == [0, 10, 2, 3, 4]


def test_knowledge_moves_with_its_card_and_new_cards_have_none() -> None:
    game = Game.from_position("tokens 3; alice R1(R!) Y2(2!) G3 W4 B5(B!,5!); bob R2 R1 G1 W2 B3")
    game.make("discard 1")
    state = game.states[LANE]
    assert state["told"][0].tolist() == [TOLD_RANK, 0, 0, TOLD_COLOR | TOLD_RANK, 0]
    assert state["possible"][0, 3] == 1 << parse_card("B5")
    assert state["possible"][0, 4] == state["kinds"]


# Hints.


def test_a_hint_tells_of_every_card_whether_it_is_meant() -> None:
    game = Game.from_position(TWO)
    game.make("hint bob red")
    state = game.states[LANE]
    red = sum(1 << parse_card(f"R{rank}") for rank in range(1, 6))
    assert game.tokens == 7
    assert state["told"][1].tolist() == [TOLD_COLOR, TOLD_COLOR, 0, 0, 0]
    assert state["possible"][1].tolist() == [red, red] + [int(state["kinds"]) & ~red] * 3
    assert game.events[0].touched == (0, 1)
    game.make("hint alice 5")
    assert "alice R1(1234) Y2(1234) G3(1234) W4(1234) B5(5!)" in game.position()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hint bob yellow", "the hint touches no card"),
        ("hint bob 5", "the hint touches no card"),
        ("hint bob purple", "purple|touches no card"),
        ("hint +2 red", "there are only 2 players"),
    ],
)
def test_hints_that_are_not_allowed(text: str, reason: str) -> None:
    game = Game.from_position(TWO)
    before = game.position()
    with pytest.raises(MoveError, match=f"turn 1, alice: .* is illegal: .*({reason})"):
        game.make(text)
    assert game.position() == before


def test_no_token_no_hint() -> None:
    game = Game.from_position(f"tokens 0; {TWO}")
    assert not any(move.is_hint for move in game.legal_moves)
    with pytest.raises(MoveError, match="no hint token is left"):
        game.make("hint bob red")


def test_empty_hints_where_they_are_legal() -> None:
    game = Game.from_position(f"rules bouzy players=2; {TWO}")
    assert sum(move.is_hint for move in game.legal_moves) == 10
    game.make("hint bob yellow")
    assert game.events[0].touched == ()
    assert "bob R2(RGWB) R1(RGWB) G1(RGWB) W2(RGWB) B3(RGWB)" in game.position()
    with pytest.raises(MoveError):
        game.make("hint alice purple")


def test_a_hint_counts_seats_from_the_giver() -> None:
    game = Game.from_position("seat cathy; alice R1 R2 R3 R4 R5; bob G1 G2 G3 G4 G5; cathy B1 B2 B3 B4 B5")
    game.make(Move.hint_color(2, Color(2)))
    assert game.events[0].seat == 2
    assert "bob G1(G!) G2(G!)" in game.position()


# The end.


def test_everyone_moves_once_more_after_the_last_card() -> None:
    game = Game.from_position(
        "rules standard(colors=2, copies=2/1/1, hand_size=2); turn 4; tokens 3;"
        "discards R1 R1 R2; alice Y2 R3; bob Y1 Y1; deck Y3"
    )
    game.make("discard 1")
    assert (game.deck_left, game.states[LANE]["turns_left"]) == (0, 2)
    game.make("hint alice 3")
    assert not game.is_over
    game.make("discard 1")
    assert game.is_over
    assert game.hands[0] == (parse_card("Y3"), NO_CARD)
    assert game.legal_moves == ()
    with pytest.raises(MoveError, match="the game is over"):
        game.make("play 1")


@pytest.mark.parametrize(("rules", "score"), [("standard", 0), ("quuxplusone", 2)])
def test_the_last_life(rules: str, score: int) -> None:
    game = Game.from_position(f"rules {rules} players=2; lives 1; fireworks R1 G1; {TWO}")
    assert (game.score, game.is_over) == (2, False)
    game.make("play 4")
    assert (game.is_over, game.is_bombed, game.points, game.score) == (True, True, 2, score)
    assert hand(game, 0) == "R1 Y2 G3 B5 --"


def test_the_perfect_game_ends_at_once() -> None:
    game = Game.from_position("fireworks R5 Y5 G5 W5 B4; alice B5 R1 R1 R2 R3; bob Y1 Y1 Y2 Y3 Y4; tokens 2")
    game.make("play 1")
    assert (game.is_over, game.is_bombed, game.score, game.tokens) == (True, False, 25, 3)
    assert hand(game, 0) == "R1 R1 R2 R3 --"


def test_a_deck_dealt_out_at_once_leaves_one_turn_each() -> None:
    rules = Rules(players=2, colors=1, copies=(3, 1), hand_size=2)
    game = Game(rules, deck=parse_cards("R1 R1 R1 R2"))
    game.make("play 1")
    game.make("play 2")
    assert (game.is_over, game.score) == (True, 2)


# What is refused, and why.


@pytest.mark.parametrize("move", [-1, NUM_MOVES, 1.0, None, True, (1,)])
def test_what_is_no_move_is_refused(move: Any) -> None:
    game = Game(Rules())
    with pytest.raises(MoveError, match="is not a move; a move is a Move or a number from 0 to 53"):
        game.make(move)
    assert game.turn == 0


def test_moves_may_be_numbers_of_any_kind() -> None:
    for move in (0, np.int64(0), np.uint8(0), Move.play(0), "play 1", "p 1"):
        game = Game(Rules(), seed=3)
        game.make(move)  # type: ignore[arg-type]
        assert game.moves == (Move.play(0),)


ODD = Rules(hand_size=3, colors=3, empty_hints=True, discard_at_full_tokens=True)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move.play(3), "there is no card in that slot"),
        (Move.discard(3), "there is no card in that slot"),
        (Move.hint_color(1, Color(5)), "purple"),
        (Move.hint_color(2, Color(0)), r"hint \+2 red"),
    ],
)
def test_every_reason_fits_its_case(move: Move, reason: str) -> None:
    assert re.search(rf"is illegal: .*{reason}|{reason}.* is illegal: there are only", str(Game(ODD).why_illegal(move)))


# Copies and beginnings.


def test_a_copy_goes_its_own_way() -> None:
    game = Game(Rules(), seed=4)
    game.make("play 1")
    other = game.copy()
    other.make("play 1")
    assert (game.turn, other.turn) == (1, 2)
    game.make("play 2")
    assert (game.moves[1], other.moves[1]) == (Move.play(1), Move.play(0))
    assert other.deck == game.deck
    assert other.beginning().position() == game.beginning().position() == Game(Rules(), seed=4).position()


def test_a_game_from_a_state_knows_only_what_follows() -> None:
    game = Game(Rules(players=3), seed=4)
    for _ in range(5):
        game.make(game.legal_moves[-1])
    later = Game.from_state(game.rules, game.states, LANE)
    assert (later.deck, later.moves, later.events) == (None, (), ())
    later.make("play 1")
    assert game.turn == 5
    assert [event.turn for event in later.events] == [5]
    assert later.moves == (Move.play(0),)
    assert later.beginning().position() == game.position()


def test_events_tell_what_everyone_saw() -> None:
    game = Game.from_position(TWO)
    for move in ("hint bob 1", "discard 1", "play 1"):
        game.make(move)
    hint, discard, play = game.events
    assert (hint.touched, hint.card, hint.seat, hint.turn) == ((1, 2), None, 0, 0)
    assert (discard.touched, discard.card, discard.seat) == ((), parse_card("R2"), 1)
    assert (play.card, play.move, play.turn) == (parse_card("R1"), Move.play(0), 2)


def test_undo_takes_back_one_move_at_a_time_to_the_deal() -> None:
    game, dice = Game(Rules(players=3), seed=5), random.Random(1)
    before: list[tuple[str, tuple[Event, ...]]] = []
    while not game.is_over:
        before.append((game.position(), game.events))
        game.make(dice.choice(game.legal_moves))
    for position, events in reversed(before):
        last = game.moves[-1]
        assert game.undo() == last
        assert (game.position(), game.events) == (position, events)
    assert game.states.tobytes() == Game(Rules(players=3), seed=5).states.tobytes()
    with pytest.raises(MoveError, match="there is no move to take back"):
        game.undo()


def test_undo_goes_back_to_a_position_and_leaves_copies_alone() -> None:
    begun = Game(Rules(players=2), seed=1)
    begun.make(begun.legal_moves[-1])
    game = Game.from_position(begun.position())
    game.make(game.legal_moves[0])
    copy = game.copy()
    game.undo()
    assert game.position() == begun.position()
    assert copy.turn == 2
    with pytest.raises(MoveError, match="no move to take back"):
        game.undo()
    game.make(game.legal_moves[-1])
    assert copy.undo() == Move.play(0)
    assert copy.position() == begun.position()
