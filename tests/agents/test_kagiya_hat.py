"""The Kagiya hat player: what it makes of its own cards, the deals it imagines, and what it does near the end."""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from kagiya import Rules, find_agent
from kagiya.agents.hats.codes import count_four, hint_of_four, message_of_four
from kagiya.agents.hats.decisions import settle, study_hand
from kagiya.agents.hats.public_table import OWN, SETS
from kagiya.agents.kagiya_hat import NO_SEAT, deal_hidden_cards, hear, look_ahead
from kagiya.cards import MAX_HAND, NO_MOVE, Card, Kinds, MoveNumber, Seat, card_name, mask_cards
from kagiya.engine.game_kernels import apply_move, is_discard, is_legal, is_over
from kagiya.engine.layout import GAME, Lane, Memory, States, Streams, new_states
from kagiya.kinds import add_planes, within
from kagiya.lab.table.table import Table
from kagiya.rules import MAX_DECK
from kagiya.view.hand_sampling import fill_hand, give_hand
from kagiya.view.view_kernels import unseen_planes
from tests.agents.conventions import choice, set_up

RANKS = range(1, 6)
MUST_FIT = "plays {slot}, which must fit"
ANSWERS = "answers everybody's questions with a hint"
LEAST_NEEDED = "discards {slot}, the card least needed"
FOUND_BEST = "finds this best on samples of the hidden cards"


def play_by_hand(name: str, rules: Rules, seed: int) -> Iterator[tuple[Table, MoveNumber]]:
    """The table before every move of a game, and the move."""
    table = Table(rules, [find_agent(name)])
    kind = table.agents[0].compiled
    assert kind.observe is not None
    table.start_game(seed)
    while not is_over(table.states, GAME):
        seat = table.states[GAME]["seat"]
        move = kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)
        yield table, move
        for other in range(rules.players):
            kind.observe(table.states, GAME, other, table.memory, table.params, move)
        apply_move(table.states, GAME, move)


def without_the_rest(fireworks: str, hands: str, deck: str = "") -> str:
    """A position in which all cards that are not named lie in the discards."""
    left = Counter({f"{color}{rank}": 3 if rank == 1 else 1 if rank == 5 else 2 for color in "RYGWB" for rank in RANKS})
    for top in fireworks.split():
        left.subtract(f"{top[0]}{rank}" for rank in range(1, int(top[1]) + 1))
    left.subtract(re.findall("[RYGWB][1-5]", f"{hands} {deck}"))
    return f"fireworks {fireworks}; {hands}; deck {deck}; discards {' '.join(left.elements())}"


def own_kinds(position: str) -> list[str]:
    """What alice's cards can be, as she sees it."""
    table, _ = set_up("kagiya-hat", position)
    study_hand(table.states, GAME, Seat(0), table.memory)
    masks = [int(table.memory[GAME, 0, OWN + slot]) for slot in range(table.rules.hand_size)]
    return [" ".join(map(card_name, mask_cards(Kinds(mask)))) for mask in masks]


def test_a_card_identified_leaves_a_copy_fewer_to_the_rest_of_the_hand() -> None:
    """Bob holds three of the reds that are low; the five that is known leaves a four or a three to the other card."""
    position = "fireworks R2;  discards R3 R4;  alice R5(R!,5!) R4(R!) B3;  bob R3 W4 Y3"
    assert own_kinds(position)[:2] == ["R5", "R1 R2 R4"]
    both_fours = "fireworks R2;  discards R1 R1 R2 R3 R4;  alice R5(R!,5!) R4(R!) B3;  bob R3 W4 Y3"
    assert own_kinds(both_fours)[:2] == ["R5", "R4"]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_known_of_the_hand_is_true_and_within_what_everybody_knows(players: int) -> None:
    for seed in range(3):
        for table, _ in play_by_hand("kagiya-hat(deals=0)", Rules(players=players), seed):
            seat = table.states[GAME]["seat"]
            study_hand(table.states, GAME, seat, table.memory)
            for slot in range(table.rules.hand_size):
                card, order = table.states[GAME]["hands"][seat, slot], table.states[GAME]["order"][seat, slot]
                kinds = int(table.memory[GAME, seat, OWN + slot])
                assert (kinds == 0) == (card < 0), f"seed {seed}"
                assert card < 0 or kinds >> card & 1, f"seed {seed}"
                concluded = int(table.memory[GAME, seat, SETS + order]) if card >= 0 else 0
                assert concluded == 0 or within(Kinds(kinds), Kinds(concluded)), f"seed {seed}"


def test_deals_are_as_likely_as_each_other() -> None:
    """Alice's four, the other blue four and the five are hidden: (four, four), twice, or (four, five), twice."""
    position = without_the_rest("R5 Y5 G5 W5 B3", "alice B4(4!) B5 B1(1!);  bob W3 G4 R1", "B4")
    table, _ = set_up("kagiya-hat", position)
    study_hand(table.states, GAME, Seat(0), table.memory)
    dealt, seen = new_states(2), Counter[str]()
    for _ in range(2000):
        deal_hidden_cards(table.states, GAME, Seat(0), table.memory, table.rng, dealt)
        seen[" ".join(card_name(Card(int(card))) for card in dealt[1]["hands"][0, :2])] += 1
    assert abs(seen["B4 B4"] - seen["B4 B5"]) < 6 * 45, seen  # the standard deviation is 45


def deal_slot_by_slot(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams, dealt: States) -> None:
    """What is left of a deal if no uniform one is found."""
    kinds, hand = memory[i, seat, OWN : OWN + MAX_HAND], dealt[1]["hands"][seat]
    fill_hand(states, i, seat, kinds, hand, rng, i, 1 + seat)
    give_hand(dealt, 1, seat, hand)


@pytest.mark.parametrize("deal", [deal_hidden_cards, deal_slot_by_slot], ids=["uniform", "slot by slot"])
def test_a_deal_keeps_every_hidden_card_and_fits_what_is_known(deal: object) -> None:
    dealt = new_states(2)
    for table, _ in play_by_hand("kagiya-hat(deals=0)", Rules(players=3), 5):
        states, memory, seat = table.states, table.memory, table.states[GAME]["seat"]
        dealt[1] = states[GAME]
        deal(states, GAME, seat, memory, table.rng, dealt)  # type: ignore[operator]
        assert unseen_planes(dealt, 1, seat, seat) == unseen_planes(states, GAME, seat, seat)
        hand = [int(card) for card in dealt[1]["hands"][seat] if card >= 0]
        low, high = 0, 0
        for card in hand:
            low, high = add_planes(Kinds(low), Kinds(high), Kinds(1 << card), Kinds(0))
        assert (low, high) == (dealt[1]["hand_low"][seat], dealt[1]["hand_high"][seat])
        if deal is deal_hidden_cards:
            assert all(int(memory[GAME, seat, OWN + slot]) >> card & 1 for slot, card in enumerate(hand))
            deck = sorted(int(card) for card in dealt[1]["deck"] if card >= 0)
            assert deck == [
                card
                for card in range(30)
                for _ in range((dealt[1]["deck_low"] >> card & 1) + 2 * (dealt[1]["deck_high"] >> card & 1))
            ]


@pytest.mark.parametrize("players", [2, 4])
def test_who_knows_all_cards_concludes_what_every_seat_does(players: int) -> None:
    """So one copy of the table serves all seats of a simulated game."""
    for seed in range(3):
        expected = None
        for table, move in play_by_hand("kagiya-hat", Rules(players=players), seed):
            memory, seat = table.memory, Seat(0)
            waiting = (table.states[GAME]["seat"] + 1) % players  # who is to move has settled its copy since
            if expected is not None:
                assert (memory[GAME, waiting, SETS : SETS + MAX_DECK] == expected).all(), f"seed {seed}"
            kept = memory.copy()
            settle(table.states, GAME, seat, memory)
            hear(table.states, GAME, seat, memory, table.params, NO_SEAT, move)
            expected = memory[GAME, 0, SETS : SETS + MAX_DECK].copy()
            memory[:] = kept


def test_looking_ahead_leaves_position_and_table_as_they_were() -> None:
    looked = 0
    for table, move in play_by_hand("kagiya-hat(deals=0)", Rules(players=4), 7):
        seat = table.states[GAME]["seat"]
        table.params[:, 1:3] = 4, 0
        position, sets = table.states[GAME].copy(), table.memory[GAME, :, SETS : SETS + MAX_DECK].copy()
        look_ahead(table.states, GAME, seat, table.memory, table.params, table.rng, move)
        assert table.states[GAME] == position
        assert np.array_equal(table.memory[GAME, :, SETS : SETS + MAX_DECK], sets)
        looked += 1
    assert looked > 30


def test_no_card_that_may_be_the_last_of_its_kind_is_discarded_while_there_is_a_token() -> None:
    position = "tokens 2;  discards R3 Y4;  alice G3 W4 B3;  bob W3 R4 Y3;  cathy G4 W4 G4"
    assert choice("hanabirs-info", position)[1] == LEAST_NEEDED
    assert choice("kagiya-hat", position)[1] == ANSWERS
    assert choice("kagiya-hat", position.replace("tokens 2", "tokens 0"))[1] == LEAST_NEEDED


def test_near_the_end_a_card_is_played_that_lets_a_partner_play() -> None:
    """The book plays the lower card, but there is one turn for each, and bob's five waits for the four."""
    position = without_the_rest("R3 Y5 G5 W2 B5", "alice W3(W!,3!) R4(R!,4!) Y1(1!);  bob R5(R!,5!) Y3(3!) G3(3!)")
    position += ";  tokens 0"
    assert choice("kagiya-hat(deals=0)", position) == ("play 1", MUST_FIT)
    assert choice("kagiya-hat", position) == ("play 2", FOUND_BEST)


def test_the_table_stays_true_when_a_discard_is_no_answer() -> None:
    """Only while everybody goes by the book does a discard say that nobody needed a hint."""
    discards = 0
    for seed in range(4):
        for table, move in play_by_hand("kagiya-hat(deck=60, deals=3, first=0)", Rules(players=3), seed):
            discards += is_discard(move)
            for owner in range(3):
                for slot in range(5):
                    card, order = table.states[GAME]["hands"][owner, slot], table.states[GAME]["order"][owner, slot]
                    kinds = int(table.memory[GAME, 0, SETS + order]) if card >= 0 else 0
                    assert kinds == 0 or kinds >> card & 1, f"seed {seed}"
    assert discards > 0


@pytest.mark.parametrize("lives", [1, 3])
def test_a_message_comes_back_from_its_hint_by_four_messages(lives: int) -> None:
    missing = 0
    for table, _ in play_by_hand("kagiya-hat(deals=0)", Rules(players=4, lives=lives), 3):
        states, memory, params, seat = table.states, table.memory, table.params, table.states[GAME]["seat"]
        other = Seat((seat + 1) % 4)  # reads the hint in its own copy of the table
        settle(states, GAME, other, memory)
        for message in range(count_four(states, GAME, other, memory, params)):
            hint = hint_of_four(states, GAME, seat, memory, params, message)
            missing += hint == NO_MOVE
            if hint != NO_MOVE and states[GAME]["tokens"] > 0:
                assert is_legal(states, GAME, hint)
                assert message_of_four(states, GAME, other, memory, params, hint) == message
    assert missing == 0 or lives > 1


def test_who_owes_a_hint_that_the_hand_does_not_have_does_not_mislead_by_a_discard() -> None:
    """Bob's one is the second of his cards, so the message is one that misses his first card; but all are ones."""
    position = "tokens 5;  alice G3 W4 B3;  bob R1(1!) Y1(1!) W1(1!);  fireworks R1"
    assert choice("kagiya-hat", position) == ("play 1", "has nothing better to do")
    assert choice("kagiya-hat", position + ";  lives 1")[1] == ANSWERS
