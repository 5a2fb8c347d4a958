"""`Observation`: what a Python agent is told, in words, and that nothing else is in its memory."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

import kagiya
from kagiya.cards import HIDDEN_CARD, NO_CARD, Card, Color, Rank, Seat, parse_card, parse_cards
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import new_states
from kagiya.lab.table.determinization import deal_hidden
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.view.observation import HandView, Observation
from kagiya.view.view_kernels import DEAL_TABLE, censor, critical_kinds, hand_chances, possible_kinds, unseen_planes
from tests.strategies import any_game, examples

THREE = (
    "tokens 4; lives 2; fireworks R1 G2; discards R1 W5 B1 B1;"
    "alice R2 Y1(1!) G1 W4(W!,4!) B5(B!); bob R3 Y2 G3 W2 B2; cathy R4 Y3 G4 W1 B1"
)


def observe(game: Game, seat: int) -> Observation:
    """What a seat may see of a game."""
    return kagiya.observe(game, Seat(seat))


@given(game=any_game(), seat=st.integers(0, 4))
@examples(50)
def test_the_record_is_the_censored_state(game: Game, seat: int) -> None:
    seat %= game.rules.players
    states = new_states(2)
    states[0] = game.states[LANE]
    censor(states, 0, 1, seat)
    assert observe(game, seat).states.tobytes() == states[1:].tobytes()


def test_the_table() -> None:
    game = Game.from_position(f"{THREE}; turn 6")
    seen = observe(game, 0)
    assert (seen.turn, seen.tokens, seen.lives, seen.points, seen.seat) == (6, 4, 2, 3, 0)
    assert (seen.deck_left, seen.turns_left) == (game.deck_left, None)
    assert seen.fireworks == (1, 0, 2, 0, 0)
    assert seen.discards == {parse_card("R1"): 1, parse_card("W5"): 1, parse_card("B1"): 2}
    assert seen.legal_moves == game.legal_moves


def test_cards_and_what_they_are_worth() -> None:
    seen = observe(Game.from_position(THREE), 0)
    playable, useless, critical = (
        {card for card in map(Card, range(25)) if question(card)}
        for question in (seen.is_playable, seen.is_useless, seen.is_critical)
    )
    assert playable == set(parse_cards("R2 Y1 G3 W1 B1"))
    assert useless == set(parse_cards("R1 G1 G2 W5"))
    assert critical == set(parse_cards("R5 Y5 G5 B1 B5"))


def test_the_hands() -> None:
    seen = observe(Game.from_position(THREE), 1)
    assert list(seen.mine.cards) == [HIDDEN_CARD] * 5
    assert [hand.seat for hand in seen.others] == [2, 0]
    assert [list(hand.cards) for hand in seen.others] == [parse_cards("R4 Y3 G4 W1 B1"), parse_cards("R2 Y1 G1 W4 B5")]
    assert seen.hand(2).playable_slots == [0, 1]
    assert seen.hand(2).useless_slots == [2]
    assert seen.mine.slots == [0, 1, 2, 3, 4]


def test_hands_and_slots_that_do_not_exist_are_refused() -> None:
    """The record goes on behind a hand, with the next seat's."""
    seen = observe(Game.from_position(THREE), 1)
    assert seen.others[1] is seen.hand(2)
    for offset in (-1, 3, 7):
        with pytest.raises(IndexError, match=f"offsets of hands are 0 .* to 2, not {offset}"):
            seen.hand(offset)
    for ask in (seen.mine.order, seen.mine.is_color_told, seen.hand(2).is_rank_told):
        for slot in (-1, 5):
            with pytest.raises(IndexError, match=f"slots are 0 to 4, not {slot}"):
                ask(slot)


def test_what_hints_have_told() -> None:
    mine = observe(Game.from_position(THREE), 0).mine
    assert [mine.is_color_told(slot) for slot in range(5)] == [False, False, False, True, True]
    assert [mine.is_rank_told(slot) for slot in range(5)] == [False, True, False, True, False]
    assert (mine.known_color(3), mine.known_rank(3)) == (Color(3), Rank(3))
    assert (mine.known_color(4), mine.known_rank(4)) == (Color(4), None)
    assert (mine.known_color(1), mine.known_rank(1)) == (None, Rank(0))
    assert mine.possible_cards(3) == (parse_card("W4"),)


def test_cards_seen_elsewhere_are_ruled_out() -> None:
    mine = observe(Game.from_position(THREE), 0).mine
    assert mine.possible_cards(1) == tuple(parse_cards("R1 Y1 G1 W1"))  # all three B1 lie in the open
    assert mine.possible_cards(4) == tuple(parse_cards("B2 B3 B4 B5"))


def test_sure_and_unsure_slots_of_the_own_hand() -> None:
    game = Game.from_position("fireworks R1 Y1 G1 W1 B1; alice R2(2!) R1(1!) R3 G4 B4; bob Y3 G3 W3 B3 R3; tokens 5")
    mine = observe(game, 0).mine
    assert (mine.playable_slots, mine.useless_slots) == ([0], [1])
    assert (mine.playable_chance(0), mine.useless_chance(1)) == (1.0, 1.0)
    assert 0 < mine.playable_chance(2) < 1


def test_the_oldest_card() -> None:
    game = Game.from_position("rules goodman players=2; tokens 3; alice R1 R2 R3 R4 R5; bob G1 G2 G3 G4 G5")
    assert observe(game, 0).mine.oldest_slot == 0
    game.make("discard 1")
    assert observe(game, 0).mine.oldest_slot == 1
    assert observe(game, 1).hand(1).oldest_slot == 1
    assert (observe(game, 1).mine.oldest_slot, observe(game, 0).hand(1).oldest_slot) == (0, 0)  # bob drew no card


def test_only_the_seat_to_move_has_legal_moves() -> None:
    game = Game(Rules(players=3), seed=1)
    assert [observe(game, seat).legal_moves for seat in range(3)] == [game.legal_moves, (), ()]


def test_an_empty_slot_is_no_card() -> None:
    game = Game.from_position(
        "rules standard(colors=2, copies=2/1/1, hand_size=2); turn 5; fireworks R2; discards Y1 Y2 R1;"
        "alice R3 --; bob Y1 Y3; deck; left 1"
    )
    seen = observe(game, 1)
    assert (list(seen.hand(1).cards), seen.hand(1).slots) == ([parse_card("R3"), NO_CARD], [0])
    assert seen.turns_left == 1
    assert seen.hand(1).possible_cards(1) == ()
    assert seen.hand(1).playable_chance(1) == 0
    assert (seen.hand(1).known_color(1), seen.hand(1).oldest_slot) == (None, 0)


def test_the_story_so_far() -> None:
    game = Game(Rules(players=3), seed=2)
    assert observe(game, 0).history == ()
    for _ in range(7):
        game.make(game.legal_moves[-1])
    seen = observe(game, game.seat)
    game.make(game.legal_moves[0])
    assert [event.turn for event in seen.history] == [0, 1, 2, 3, 4, 5, 6]
    assert [event.seat for event in seen.since_my_last_turn] == [2, 0]
    assert seen.history[0].move == game.moves[0]
    later = Game.from_position(game.position())
    later.make(later.legal_moves[0])
    assert len(observe(later, later.seat).since_my_last_turn) == 1


# Against the kernels and the real state, in any game.

seats = st.integers(0, 4)


@given(game=any_game(), seat=seats)
@examples(200)
def test_words_and_kernels_agree(game: Game, seat: int) -> None:
    seat %= game.rules.players
    seen = observe(game, seat)
    low, high = unseen_planes(game.states, LANE, seat, seat)
    expected = {Card(card): (int(low) >> card & 1) + 2 * (int(high) >> card & 1) for card in range(30)}
    assert seen.unseen == +Counter(expected)
    assert seen.fireworks == game.fireworks
    assert (seen.points, seen.deck_left) == (game.points, game.deck_left)
    critical = int(critical_kinds(game.states, LANE))
    assert all(seen.is_critical(Card(card)) == bool(critical >> card & 1) for card in range(30))
    for hand in (seen.mine, *seen.others):
        check_hand(game, seat, hand)


@pytest.mark.parametrize("question", ["is_playable", "is_useless", "is_critical"])
def test_whether_a_hidden_card_fits_is_refused_and_not_denied(question: str) -> None:
    seen = observe(Game(Rules(players=2), 1), Seat(0))
    with pytest.raises(ValueError, match="your own cards are hidden; ask"):
        getattr(seen, question)(seen.mine.cards[0])
    assert not getattr(seen, question)(NO_CARD)


def check_hand(game: Game, viewer: int, hand: HandView) -> None:
    chances = np.zeros((3, 5))
    hand_chances(game.states, LANE, viewer, int(hand.seat), np.zeros(DEAL_TABLE, np.int64), chances)
    real = game.hands[hand.seat]
    assert [card == NO_CARD for card in hand.cards] == [card == NO_CARD for card in real]
    for slot in hand.slots:
        possible = int(possible_kinds(game.states, LANE, viewer, int(hand.seat), int(slot)))
        assert [card for card in range(30) if possible >> card & 1] == list(hand.possible_cards(slot))
        assert real[slot] in hand.possible_cards(slot)
        told = int(game.states[LANE]["told"][hand.seat, slot])
        assert (hand.is_color_told(slot), hand.is_rank_told(slot)) == (bool(told & 1), bool(told & 2))
        measured = (hand.playable_chance(slot), hand.useless_chance(slot), hand.critical_chance(slot))
        assert measured == pytest.approx(tuple(chances[:, slot]))


@given(game=any_game())
@examples(100)
def test_the_seat_to_move_sees_its_legal_moves(game: Game) -> None:
    assert observe(game, game.seat).legal_moves == game.legal_moves


@given(game=any_game(), seat=seats, seed=st.integers(0, 1000))
@examples(100)
def test_hidden_cards_are_nowhere_in_memory(game: Game, seat: int, seed: int) -> None:
    """Deal the hidden cards anew: the record that the observation keeps does not change."""
    seat %= game.rules.players
    other = game.copy()
    deal_hidden(other.states, LANE, seat, game.states[LANE]["possible"][seat].tolist(), random.Random(seed))
    assert observe(game, seat).states.tobytes() == observe(other, seat).states.tobytes()


def test_an_observation_keeps_still_while_the_game_goes_on() -> None:
    game = Game(Rules(players=2), seed=3)
    seen = observe(game, 0)
    before = (seen.states.tobytes(), seen.legal_moves, seen.history)
    game.make(Move.play(0))
    game.make(Move.play(0))
    assert (seen.states.tobytes(), seen.legal_moves, seen.history) == before
    assert observe(game, 0).states.tobytes() != before[0]


@pytest.mark.parametrize("seat", [2, 5, -1])
def test_only_seats_of_the_game_can_observe(seat: int) -> None:
    with pytest.raises(ValueError, match=f"the seats of this game are 0 to 1, not {seat}"):
        kagiya.observe(Game(Rules(players=2)), Seat(seat))
