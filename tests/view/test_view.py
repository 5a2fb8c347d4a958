"""What a seat can know: counted the slow way, and the same from a state in which the rest is blacked out."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, strategies as st

from kagiya.cards import HIDDEN_CARD, MAX_HAND, MAX_KINDS, NO_CARD
from kagiya.engine.batch import sorted_deck
from kagiya.engine.game import LANE, Game
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import States, new_states
from kagiya.lab.table.determinization import deal_hidden
from kagiya.rules import Rules
from kagiya.view.view_kernels import (
    DEAL_TABLE,
    censor,
    count_deals,
    critical_kinds,
    exact_chance,
    hand_chances,
    possible_kinds,
    public_planes,
    slot_chance,
    unseen_planes,
)
from tests.strategies import any_game, any_rules, examples

REAL, SEEN = 0, 1
EVERYTHING = (1 << MAX_KINDS) - 1


def real_and_seen(game: Game, viewer: int) -> States:
    """Two lanes: the game, and what the viewer may see of it."""
    states = new_states(2)
    states[REAL] = game.states[LANE]
    censor(states, REAL, SEEN, viewer)
    return states


# Counting the slow way.


def hand_of(game: Game, seat: int) -> list[int]:
    return [card for card in game.hands[seat] if card != NO_CARD]


def unseen_cards(game: Game, viewer: int, owner: int) -> list[int]:
    """Every physical card but those that the owner sees for certain, as far as the viewer can tell."""
    state = game.states[LANE]
    deck: list[int] = state["deck"][int(state["drawn"]) : game.rules.deck_size].tolist()
    return deck + [card for seat in {viewer, owner} for card in hand_of(game, seat)]


def planes_counted(planes: tuple[int, int]) -> Counter[int]:
    low, high = planes
    return +Counter({card: (int(low) >> card & 1) + 2 * (int(high) >> card & 1) for card in range(MAX_KINDS)})


def possible_of(game: Game, owner: int) -> list[int]:
    """What the hints leave open, for the slots that hold a card."""
    state = game.states[LANE]
    return [int(state["possible"][owner, slot]) for slot, card in enumerate(game.hands[owner]) if card != NO_CARD]


def all_hands(unseen: Counter[int], possible: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every hand that fits, by kinds, with the number of ways to deal it from the physical cards."""
    if not possible:
        yield (), 1
        return
    for card, copies in list(unseen.items()):
        if copies and possible[0] >> card & 1:
            unseen[card] -= 1
            for rest, ways in all_hands(unseen, possible[1:]):
                yield (card, *rest), ways * copies
            unseen[card] += 1


def enumerated_chance(hands: list[tuple[tuple[int, ...], int]], place: int, kinds: int) -> float:
    fitting = sum(ways for hand, ways in hands if kinds >> hand[place] & 1)
    return fitting / sum(ways for _, ways in hands)


def any_kinds() -> st.SearchStrategy[int]:
    return st.integers(0, EVERYTHING)


seats = st.integers(0, 4)


# Unseen cards.


@given(game=any_game(), viewer=seats, owner=seats)
@examples(200)
def test_unseen_cards_are_the_deck_and_the_hands_of_viewer_and_owner(game: Game, viewer: int, owner: int) -> None:
    viewer, owner = viewer % game.rules.players, owner % game.rules.players
    states = real_and_seen(game, viewer)
    expected = Counter(unseen_cards(game, viewer, owner))
    assert planes_counted(unseen_planes(states, REAL, viewer, owner)) == expected
    assert planes_counted(unseen_planes(states, SEEN, viewer, owner)) == expected


@given(game=any_game())
@examples(100)
def test_public_cards_are_all_but_played_and_discarded(game: Game) -> None:
    held = sum((Counter(hand_of(game, seat)) for seat in range(game.rules.players)), Counter[int]())
    deck = Counter(game.states[LANE]["deck"][int(game.states[LANE]["drawn"]) : game.rules.deck_size].tolist())
    assert planes_counted(public_planes(game.states, LANE)) == held + deck


@given(game=any_game())
@examples(100)
def test_critical_cards_are_needed_and_the_last_of_their_kind(game: Game) -> None:
    left = Counter(sorted_deck(game.rules))
    state = game.states[LANE]
    left.subtract(planes_counted((state["discard_low"], state["discard_high"])))
    expected = {card for card, copies in left.items() if copies == 1 and is_needed(game, left, card)}
    critical = int(critical_kinds(game.states, LANE))
    assert {card for card in range(MAX_KINDS) if critical >> card & 1} == expected


def is_needed(game: Game, left: Counter[int], card: int) -> bool:
    height = game.fireworks[card // 5]
    return card % 5 >= height and all(left[card - card % 5 + rank] for rank in range(height, card % 5))


# Chances.


@given(game=any_game(), viewer=seats, owner=seats, kinds=any_kinds())
@examples(150)
def test_slot_chance_is_the_share_of_unseen_cards_that_fit(game: Game, viewer: int, owner: int, kinds: int) -> None:
    viewer, owner = viewer % game.rules.players, owner % game.rules.players
    low, high = unseen_planes(game.states, LANE, viewer, owner)
    unseen = unseen_cards(game, viewer, owner)
    for possible in possible_of(game, owner):
        fitting = [card for card in unseen if possible >> card & 1]
        expected = sum(kinds >> card & 1 for card in fitting) / len(fitting)
        assert slot_chance(low, high, possible, kinds) == pytest.approx(expected, abs=1e-15)


@given(game=any_game(any_rules(max_kinds=6)), viewer=seats, owner=seats, kinds=any_kinds())
@examples(150)
def test_exact_chances_are_those_of_all_hands_listed(game: Game, viewer: int, owner: int, kinds: int) -> None:
    check_exact_chances(game, viewer % game.rules.players, owner % game.rules.players, kinds)


@given(game=any_game(any_rules(max_hand=2)), viewer=seats, owner=seats, kinds=any_kinds())
@examples(60)
def test_exact_chances_of_small_hands_from_large_decks(game: Game, viewer: int, owner: int, kinds: int) -> None:
    check_exact_chances(game, viewer % game.rules.players, owner % game.rules.players, kinds)


def check_exact_chances(game: Game, viewer: int, owner: int, kinds: int) -> None:
    """Against the list of all hands: the table of counts, any kinds, and the three chances of the whole hand."""
    states = real_and_seen(game, viewer)
    hands = list(all_hands(Counter(unseen_cards(game, viewer, owner)), possible_of(game, owner)))
    slots = [slot for slot, card in enumerate(game.hands[owner]) if card != NO_CARD]
    low, high = unseen_planes(states, SEEN, viewer, owner)
    table, chances = np.zeros(DEAL_TABLE, np.int64), np.zeros((3, MAX_HAND))
    occupied = count_deals(states, SEEN, owner, low, high, table)
    assert occupied == sum(1 << slot for slot in slots)
    assert table[DEAL_TABLE // 2 + occupied] == sum(ways for _, ways in hands)
    hand_chances(states, SEEN, viewer, owner, table, chances)
    masks = (int(states[REAL]["playable"]), int(states[REAL]["useless"]), int(critical_kinds(states, REAL)))
    for place, slot in enumerate(slots):
        expected = enumerated_chance(hands, place, kinds)
        assert exact_chance(low, high, occupied, slot, kinds, table) == pytest.approx(expected, abs=1e-12)
        for row, mask in enumerate(masks):
            assert chances[row, slot] == pytest.approx(enumerated_chance(hands, place, mask), abs=1e-12)
    empty = [slot for slot in range(MAX_HAND) if slot not in slots]
    assert not chances[:, empty].any()


def test_the_two_chances_differ_when_a_card_can_be_placed() -> None:
    # Bob cannot see R1, R2 and Y2, and his second card is a two: one of the twos is taken.
    game = Game.from_position(
        "rules standard(colors=2, copies=1/1/1, hand_size=2) players=2; discards Y3; alice R3 Y1; bob R1 R2(2!)"
    )
    low, high = unseen_planes(game.states, LANE, 1, 1)
    table = np.zeros(DEAL_TABLE, np.int64)
    occupied = count_deals(game.states, LANE, 1, low, high, table)
    two = 0b00010_00010
    assert slot_chance(low, high, int(game.states[LANE]["possible"][1, 0]), two) == pytest.approx(2 / 3)
    assert exact_chance(low, high, occupied, 0, two, table) == pytest.approx(1 / 2)


def test_an_empty_slot_has_no_chance() -> None:
    assert math.isnan(slot_chance(0b11, 0, 0, 0b1))


# The blacked-out state.


@given(game=any_game(), viewer=seats, owner=seats)
@examples(200)
def test_the_censored_state_answers_as_the_real_one(game: Game, viewer: int, owner: int) -> None:
    viewer, owner = viewer % game.rules.players, owner % game.rules.players
    states = real_and_seen(game, viewer)
    answers = []
    for lane in (REAL, SEEN):
        table, chances = np.zeros(DEAL_TABLE, np.int64), np.zeros((3, MAX_HAND))
        hand_chances(states, lane, viewer, owner, table, chances)
        possible = [int(possible_kinds(states, lane, viewer, owner, slot)) for slot in range(game.rules.hand_size)]
        legal = legal_moves(states, lane) if viewer == game.seat else 0
        answers.append((chances.tolist(), possible, public_planes(states, lane), critical_kinds(states, lane), legal))
    assert answers[REAL] == answers[SEEN]


@given(game=any_game(), viewer=seats)
@examples(200)
def test_the_censored_state_holds_no_hidden_card(game: Game, viewer: int) -> None:
    viewer %= game.rules.players
    state = real_and_seen(game, viewer)[SEEN]
    assert set(state["hands"][viewer].tolist()) <= {HIDDEN_CARD, NO_CARD}
    assert set(state["deck"].tolist()) <= {HIDDEN_CARD, NO_CARD}
    assert (state["hand_low"][viewer], state["hand_high"][viewer]) == (0, 0)
    for seat in set(range(game.rules.players)) - {viewer}:
        assert state["hands"][seat].tolist() == game.states[LANE]["hands"][seat].tolist()


@given(game=any_game(), viewer=seats, seed=st.integers(0, 1000))
@examples(200)
def test_other_hidden_cards_leave_the_same_censored_state(game: Game, viewer: int, seed: int) -> None:
    viewer %= game.rules.players
    states = real_and_seen(game, viewer)
    before = states[SEEN : SEEN + 1].tobytes()
    deal_hidden(states, REAL, viewer, states[REAL]["possible"][viewer].tolist(), random.Random(seed))
    censor(states, REAL, SEEN, viewer)
    assert states[SEEN : SEEN + 1].tobytes() == before


def test_hidden_cards_were_really_changed_and_seen_ones_do_show() -> None:
    game = Game(Rules(players=3), seed=8)
    states = real_and_seen(game, 0)
    seen_by = [real_and_seen(game, seat)[SEEN : SEEN + 1].tobytes() for seat in range(3)]
    deal_hidden(states, REAL, 0, [EVERYTHING] * MAX_HAND, random.Random(1))
    assert states[REAL]["hands"][0].tolist() != game.states[LANE]["hands"][0].tolist()
    changed = Game.from_state(game.rules, states, REAL)
    again = [real_and_seen(changed, seat)[SEEN : SEEN + 1].tobytes() for seat in range(3)]
    assert again[0] == seen_by[0]
    assert again[1] != seen_by[1]
    assert again[2] != seen_by[2]


def test_what_two_seats_share() -> None:
    """Alice thinks about bob's hand: he sees hers, but she does not know what he sees there."""
    game = Game.from_position("alice R1 R2 R3 R4 R5; bob G5(5!) G2 G3 G4 B5; cathy B1 B2 B3 Y5 W5")
    states = real_and_seen(game, 0)
    five = [4, 9, 14, 19, 24]
    for lane in (REAL, SEEN):
        possible = int(possible_kinds(states, lane, 0, 1, 0))
        assert [card for card in five if possible >> card & 1] == [4, 14, 24]
    his_own = int(possible_kinds(states, REAL, 1, 1, 0))
    assert [card for card in five if his_own >> card & 1] == [14, 24]
