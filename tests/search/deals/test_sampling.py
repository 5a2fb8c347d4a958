"""Dealing hidden cards: consistent always, uniform where it is said to be, and not where it is not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from kagiya.agents.playable_now import DISCARDABLE, GROUNDED, NEXT_SEAT, PLAYABLE_NOW
from kagiya.cards import HIDDEN_CARD, MAX_KINDS, NO_CARD
from kagiya.engine.batch import sorted_deck
from kagiya.engine.game import LANE, Game
from kagiya.rules import DrawnCard, Rules, parse_rules
from kagiya.search import search_layout
from kagiya.search.deals.past_moves import hear_move, narrow_possible, redeal_card
from kagiya.search.deals.sampling import (
    ASSIGNMENT,
    DEALS,
    LEFT_TO_RIGHT,
    SLOT_BY_SLOT,
    UNIFORM,
    hold_hand,
    sample_hand,
    top_deck,
)
from kagiya.view.view_kernels import DEAL_TABLE, count_deals, exact_chance, unseen_planes
from tests.search.deals.hidden_hands import (
    Dealer,
    all_cards,
    can_be_listed,
    listed_hands,
    p_value,
    planes_of,
    real_positions,
    sampled_p_value,
    unseen_cards,
    with_possible,
)
from tests.strategies import any_game, examples

SIGNIFICANCE = 0.001  # of a whole test, shared out among its positions
SAMPLERS = range(len(DEALS))
SETTINGS = [
    ("vdb", "goodman", 4),
    ("smartbot", "hle", 3),
    ("iggi", "bouzy(hand_size=3)", 3),
    ("vdb", "standard(colors=6)", 2),
    ("piers", "standard(hand_size=5)", 4),
    ("careful", "standard(colors=2, copies=2/1/1, hand_size=3)", 2),
    ("random", "standard(colors=1, copies=3/2/1, hand_size=2)", 2),
]
Scale = Callable[[int], int]

seats, samplers, seeds = st.integers(0, 4), st.sampled_from(SAMPLERS), st.integers(0, 2**32)


def real_games(count: int, rng: random.Random) -> list[Game]:
    """Positions of real games by many rules, in which all hands of the seat to move can be listed."""
    games = [g for agent, rules, n in SETTINGS for g in real_positions(agent, parse_rules(rules, n), count, rng)]
    return [game for game in games if can_be_listed(game, game.seat)]


def test_the_uniform_deal_is_uniform_in_real_positions(games: Scale, rng: random.Random) -> None:
    played = real_games(games(20) + 2, rng)
    assert len(played) >= games(40)
    for game in played:
        chance = sampled_p_value(game, game.seat, UNIFORM, games(6000), rng.randrange(2**32))
        assert chance > SIGNIFICANCE / len(played), game.position()


def test_so_is_slot_by_slot_where_hints_alone_speak(games: Scale, rng: random.Random) -> None:
    played = real_games(games(10) + 2, rng)
    for game in played:
        chance = sampled_p_value(game, game.seat, SLOT_BY_SLOT, games(6000), rng.randrange(2**32))
        assert chance > SIGNIFICANCE / len(played), game.position()


# The same test where it must fail: three hands, for which chains of choices give 1/4, 1/4 and 1/2.
FIVE = Rules(colors=1, copies=(1, 1, 1, 1, 1), hand_size=2)


@pytest.mark.parametrize(("sampler", "uniform"), [(UNIFORM, True), (SLOT_BY_SLOT, False), (LEFT_TO_RIGHT, False)])
def test_kinds_that_overlap_tell_the_deals_apart(sampler: int, uniform: bool, games: Scale) -> None:
    game = with_possible(FIVE, [0, 1, 3, 4, 2], (0, 1), (1, 2))
    assert listed_hands(game, 0) == {(0, 1): 1, (0, 2): 1, (1, 2): 1}
    assert (sampled_p_value(game, 0, sampler, max(1000, games(6000)), 7) > SIGNIFICANCE) is uniform


@pytest.mark.parametrize(
    ("sampler", "uniform"), [(UNIFORM, True), (SLOT_BY_SLOT, True), (LEFT_TO_RIGHT, False), (ASSIGNMENT, False)]
)
def test_a_wide_slot_before_a_narrow_one_does_too(sampler: int, uniform: bool, games: Scale) -> None:
    game = with_possible(FIVE, [0, 1, 3, 4, 2], (0, 1, 2), (0, 1))
    # Four hands; from left to right the third card gets 1/3 instead of 1/2.
    assert (sampled_p_value(game, 0, sampler, max(4000, games(20_000)), 7) > SIGNIFICANCE) is uniform


def test_a_vacated_slot_makes_left_to_right_uneven_in_a_real_game(games: Scale) -> None:
    """Alice's card that the hint touched is filled after the new one, or before it if new cards go to the end."""
    chances = []
    for drawn in (DrawnCard.END, DrawnCard.VACATED):
        rules = Rules(players=2, hand_size=3, colors=2, copies=(3, 2), drawn_card=drawn)
        dealt = [1, 1, 0, 0, 5, 6]
        game = Game(rules, deck=dealt + list((Counter(sorted_deck(rules)) - Counter(dealt)).elements()))
        for move in ("hint bob 1", "hint alice 1", "discard 1", "discard 1"):
            game.make(move)
        assert can_be_listed(game, 0)
        chances.append(sampled_p_value(game, 0, LEFT_TO_RIGHT, max(4000, games(20_000)), 7))
    assert chances[0] > SIGNIFICANCE > chances[1]


@given(game=any_game(), convention=st.sampled_from([GROUNDED, PLAYABLE_NOW, NEXT_SEAT, DISCARDABLE]))
@examples(200)
def test_what_an_older_card_can_be_lies_within_or_outside_a_newer_ones(game: Game, convention: int) -> None:
    """Why filling is uniform: of two slots of a hand the kinds never overlap in part, conventions included."""
    work, again = np.zeros(1, search_layout.SEARCH)[0], game.beginning()
    work["convention"] = convention
    for move in game.log.moves[: game.turn]:
        hear_move(again.states, LANE, work, int(move))
        again.make(int(move))
    for seat in range(game.rules.players):
        low, high = unseen_planes(again.states, LANE, seat, seat)
        narrow_possible(again.states, LANE, seat, work)
        state = again.states[LANE]
        held = [slot for slot, card in enumerate(again.hands[seat]) if card != NO_CARD]
        held.sort(key=lambda slot: int(state["order"][seat, slot]))
        kinds = [int(state["possible"][seat, slot]) & int(low | high) for slot in held]
        for place, older in enumerate(kinds):
            assert all(older & newer in (0, older) for newer in kinds[place + 1 :])


@given(game=any_game(), seat=seats, sampler=samplers, seed=seeds)
@examples(300)
def test_hands_respect_hints_and_counts(game: Game, seat: int, sampler: int, seed: int) -> None:
    seat %= game.rules.players
    hand = Dealer(sampler, seed).hand(game, seat)
    possible = game.states[LANE]["possible"][seat].tolist()
    for slot, (card, true_card) in enumerate(zip(hand, game.hands[seat], strict=True)):
        assert (card == NO_CARD) == (true_card == NO_CARD)
        assert card == NO_CARD or possible[slot] >> card & 1
    assert Counter(card for card in hand if card != NO_CARD) <= Counter(unseen_cards(game, seat))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_slot_that_nothing_fits_takes_any_card(sampler: int) -> None:
    game = with_possible(FIVE, [0, 1, 3, 4, 2], (0,), (0,))
    hand = Dealer(sampler, 1).hand(game, 0)
    assert hand[0] == 0
    assert hand[1] in (1, 2)


@given(game=any_game(), seat=seats, sampler=samplers, seed=seeds)
@examples(200)
def test_a_hand_that_is_held_leaves_every_card_in_one_place(game: Game, seat: int, sampler: int, seed: int) -> None:
    seat %= game.rules.players
    dealer, before, others = Dealer(sampler, seed), all_cards(game), [list(hand) for hand in game.hands]
    hand = dealer.hand(game, seat)
    hold_hand(game.states, LANE, seat, dealer.work)
    state = game.states[LANE]
    assert all_cards(game) == before == Counter(sorted_deck(game.rules))
    assert tuple(game.hands[seat]) == hand
    held = [card for card in hand if card != NO_CARD]
    assert (state["hand_low"][seat], state["hand_high"][seat]) == planes_of(held)
    others[seat] = list(game.hands[seat])
    assert [list(cards) for cards in game.hands] == others


def test_the_top_of_the_deck_is_any_of_its_cards(games: Scale, rng: random.Random) -> None:
    played = [game for game in real_games(2, rng) if game.deck_left][: 1 + games(20)]
    assert played
    for game in played:
        state, dealer = game.states[LANE], Dealer(UNIFORM, rng.randrange(2**32))
        place = int(state["drawn"])
        deck: Counter[tuple[int, ...]] = Counter(
            (card,) for card in state["deck"][place : game.rules.deck_size].tolist()
        )
        found: Counter[tuple[int, ...]] = Counter()
        for _ in range(games(4000)):
            state["deck"][place] = HIDDEN_CARD
            top_deck(game.states, LANE, dealer.rng)
            found[(int(state["deck"][place]),)] += 1
        assert p_value(found, deck) > SIGNIFICANCE / len(played), game.position()


# The card that RIS-MCTS resamples.


@given(game=any_game(), seat=seats, choice=st.integers(0, 4), seed=seeds)
@examples(300)
def test_a_card_dealt_anew_follows_the_rule(game: Game, seat: int, choice: int, seed: int) -> None:
    seat %= game.rules.players
    held = [slot for slot, card in enumerate(game.hands[seat]) if card != NO_CARD]
    assume(held)
    slot, before, possible = (
        held[choice % len(held)],
        list(game.hands[seat]),
        game.states[LANE]["possible"][seat].tolist(),
    )
    cards, unseen, dealer = all_cards(game), Counter(unseen_cards(game, seat)), Dealer(UNIFORM, seed)
    was_true = redeal_card(game.states, LANE, seat, slot, dealer.work)
    state, after = game.states[LANE], list(game.hands[seat])
    assert all_cards(game) == cards
    assert (state["hand_low"][seat], state["hand_high"][seat]) == planes_of([c for c in after if c != NO_CARD])
    assert possible[slot] >> after[slot] & 1
    assert was_true == (after[slot] == before[slot])
    changed = [other for other in held if other != slot and after[other] != before[other]]
    if not changed:
        return
    (robbed,) = changed
    kept: Counter[int] = Counter(after[other] for other in held if other != robbed)
    assert before[robbed] == after[slot]
    assert kept[after[slot]] == unseen[after[slot]], "there was another copy to show"
    if any(possible[robbed] >> card & 1 for card in (unseen - kept).elements()):
        assert possible[robbed] >> after[robbed] & 1
        assert state["possible"][seat, robbed] == possible[robbed]
    else:
        assert state["possible"][seat, robbed] == state["kinds"]


def test_the_card_dealt_anew_has_the_chances_of_what_its_owner_knows(games: Scale, rng: random.Random) -> None:
    played = real_games(games(10) + 1, rng)
    for game in played:
        seat, dealer, start = game.seat, Dealer(UNIFORM, rng.randrange(2**32)), game.states.copy()
        low, high = unseen_planes(game.states, LANE, seat, seat)
        table = np.zeros(DEAL_TABLE, np.int64)
        occupied = count_deals(game.states, LANE, seat, low, high, table)
        slot = rng.choice([slot for slot, card in enumerate(game.hands[seat]) if card != NO_CARD])
        total = int(table[DEAL_TABLE // 2 + occupied])
        chances = [exact_chance(low, high, occupied, slot, 1 << kind, table) for kind in range(MAX_KINDS)]
        ways: Counter[tuple[int, ...]] = Counter(
            {(kind,): round(chance * total) for kind, chance in enumerate(chances) if chance}
        )
        found: Counter[tuple[int, ...]] = Counter()
        for _ in range(games(4000)):
            game.states[LANE] = start[LANE]
            redeal_card(game.states, LANE, seat, slot, dealer.work)
            found[(int(game.states[LANE]["hands"][seat, slot]),)] += 1
        game.states[LANE] = start[LANE]
        assert p_value(found, ways) > SIGNIFICANCE / len(played), game.position()


def test_a_sampled_hand_is_written_to_its_table_only() -> None:
    game, dealer = Game(Rules(players=3), seed=2), Dealer(UNIFORM, 3)
    before, record = game.states.tobytes(), dealer.work.copy()
    sample_hand(game.states, LANE, 0, dealer.work, dealer.rng)
    assert game.states.tobytes() == before
    changed = {name for name in search_layout.SEARCH.names or () if (dealer.work[name] != record[name]).any()}
    assert changed == {"hand"}
