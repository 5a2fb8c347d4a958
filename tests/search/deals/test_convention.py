"""The playable-now convention: what a hint says, who believes it, and which hints are not given."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kagiya import find_agent, parse_rules
from kagiya.agents.playable_now import (
    DISCARDABLE,
    GROUNDED,
    NEXT_SEAT,
    NOBODY,
    PLAYABLE_NOW,
    misleading_hints,
    pointed_order,
    single_playable_hint,
    single_played_hint,
    tell_most_allowed,
)
from kagiya.cards import NO_MOVE, parse_cards
from kagiya.engine.batch import make_move
from kagiya.engine.game import LANE, Game
from kagiya.engine.game_kernels import apply_move, is_over
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import parse_move
from kagiya.rules import MAX_DECK
from kagiya.search.deals.history import HISTORY_MASKS
from kagiya.search.deals.past_moves import hear_move, narrow_possible, restore_possible
from kagiya.search.nodes import begin_search
from kagiya.search.search_layout import TRIAL
from kagiya.search.workspace import SearchWorkspace
from tests.search.deals.convention_by_hand import (
    heard,
    mask_of,
    masks_in,
    misread,
    most_news,
    said_in,
    told_alone,
    told_played,
)
from tests.search.deals.hidden_hands import real_positions, unseen_cards
from tests.strategies import any_choice, any_game, careful_choice, examples

Games = Callable[[int], int]

CONVENTIONS = (PLAYABLE_NOW, NEXT_SEAT, DISCARDABLE)
THREE = "alice Y5 R4 G3; bob Y4 R1 G4; cathy R1 W4 B3; rules goodman(hand_size=3)"
SETTINGS = [("vdb", "goodman", 4), ("smartbot", "standard", 3), ("iggi", "bouzy(hand_size=3)", 3), ("piers", "hle", 2)]

conventions = st.sampled_from(CONVENTIONS)


def after(text: str, *history: str) -> Game:
    game = Game.from_position(text)
    for move in history:
        game.make(move)
    return game


def named(game: Game, words: str) -> int:
    return int(parse_move(words, game.seat, game.rules.players))


def order_of(game: Game, seat: int, slot: int) -> int:
    return int(game.states[LANE]["order"][seat, slot - 1])


def kinds(cards: str) -> int:
    return mask_of(parse_cards(cards))


def real_games(count: int, rng: random.Random) -> list[Game]:
    return [g for agent, rules, n in SETTINGS for g in real_positions(agent, parse_rules(rules, n), count, rng)]


def told_by_search(game: Game, seat: int, work: Any) -> int:
    return int(single_playable_hint(game.states, LANE, seat, work["convention_masks"], work["convention"]))


# What a hint says.


@pytest.mark.parametrize(
    ("words", "seat", "slot", "told_by"),
    [
        ("hint bob red", 1, 2, CONVENTIONS),
        ("hint bob 1", 1, 2, CONVENTIONS),
        ("hint bob yellow", 1, 1, CONVENTIONS),  # false, but said
        ("hint bob 4", 1, 1, ()),  # two cards
        ("hint cathy red", 2, 1, (PLAYABLE_NOW,)),
        ("play 1", 0, 1, ()),
        ("discard 2", 0, 2, ()),
    ],
)
def test_a_hint_that_touches_one_card_points_at_it(words: str, seat: int, slot: int, told_by: tuple[int, ...]) -> None:
    game = after(THREE + "; tokens 4")
    for convention in (GROUNDED, *CONVENTIONS):
        found = pointed_order(game.states, LANE, named(game, words), convention)
        assert found == (order_of(game, seat, slot) if convention in told_by else NOBODY)


def test_a_hint_that_touches_nothing_points_at_nothing() -> None:
    game = after(THREE.replace("goodman", "hle") + "; tokens 4")
    assert pointed_order(game.states, LANE, named(game, "hint bob blue"), PLAYABLE_NOW) == NOBODY


def test_a_play_ends_what_the_next_seat_was_told_and_a_discard_does_not() -> None:
    told = after(THREE + "; tokens 4", "hint bob red")
    said = {order_of(told, 1, 2): kinds("R1 Y1 G1 W1 B1")}
    for move, convention, left in [
        ("discard 1", NEXT_SEAT, said),
        ("play 2", NEXT_SEAT, {}),
        ("play 2", DISCARDABLE, {}),
        ("play 2", PLAYABLE_NOW, said),
    ]:
        game = told.copy()
        game.make(move)
        assert masks_in(heard(game, convention)) == left


def test_what_was_said_stays_as_it_was_true_then() -> None:
    text = THREE.replace("bob Y4 R1 G4", "bob R1 R2 G4") + "; tokens 4; deck W1 ..."
    game = after(text, "hint bob 2", "play 1", "hint alice yellow")
    two, five = order_of(after(text), 1, 2), order_of(game, 0, 1)
    assert masks_in(heard(game, PLAYABLE_NOW)) == {two: kinds("R1 Y1 G1 W1 B1"), five: kinds("R2 Y1 G1 W1 B1")}
    game.make("hint bob 2")  # said twice: what was true both times
    assert masks_in(heard(game, PLAYABLE_NOW)) == {two: kinds("Y1 G1 W1 B1"), five: kinds("R2 Y1 G1 W1 B1")}
    assert masks_in(heard(game, NEXT_SEAT)) == {two: kinds("R2 Y1 G1 W1 B1"), five: kinds("R2 Y1 G1 W1 B1")}


@given(game=any_game(), convention=st.sampled_from([GROUNDED, *CONVENTIONS]))
@examples(200)
def test_what_has_been_said_in_any_game(game: Game, convention: int) -> None:
    assert masks_in(heard(game, convention)) == said_in(game, convention)


@pytest.mark.parametrize("convention", ["playable-now", "next-seat", "discardable"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_search_hears_what_the_table_remembers(
    convention: str, players: int, games: Games, rng: random.Random
) -> None:
    """From a random turn on the moves of the real game are made in the search as well."""
    said = 0
    for rules in ("standard", "goodman", "standard(drawn_card=vacated)"):
        table = Table(parse_rules(rules, players), [find_agent(f"ris-mcts(iterations=1, convention={convention})")])
        for _ in range(games(6)):
            said += follow(table, rng)
    assert said > 0


def follow(table: Table, rng: random.Random) -> int:
    table.start_game(rng.randrange(10**6))
    workspace, start, said = table.workspaces[0], rng.randrange(30), 0
    assert isinstance(workspace, SearchWorkspace)
    lanes, work = workspace.states, workspace.work
    while not is_over(table.states, GAME):
        game = Game.from_state(table.rules, table.states, GAME)
        if game.turn == start:
            begin_search(table.states, GAME, 0, table.memory, work, table.rng)
            lanes[TRIAL] = table.states[GAME]
        move = int(rng.choice([any_choice, careful_choice])(game, rng))
        make_move(table.states, GAME, table.memory, table.params, table.observes, move)
        if game.turn >= start:
            hear_move(lanes, TRIAL, work, move)
            apply_move(lanes, TRIAL, move)
            told = table.memory[GAME, : table.rules.players, HISTORY_MASKS : HISTORY_MASKS + MAX_DECK]
            assert (told == work["convention_masks"]).all()
            said += int(told.any())
    return said


# Who believes it.


def test_a_card_called_playable_is_taken_for_one_that_was() -> None:
    game = after(THREE + "; tokens 4", "hint bob red")
    work = heard(game, NEXT_SEAT)
    grounded = game.states[LANE]["possible"][1].tolist()
    narrow_possible(game.states, LANE, 1, work)
    assert game.states[LANE]["possible"][1].tolist()[:3] == [grounded[0], kinds("R1"), grounded[2]]


def test_what_cannot_be_is_not_believed() -> None:
    """All the other red ones are seen, so a red card that alone is hinted cannot be one."""
    text = "fireworks Y1; discards R1 R1; alice Y5 R4 G3; bob Y4 R3 G4; cathy R1 W4 B3; tokens 4"
    game = after(text + "; rules goodman(hand_size=3)", "hint bob red")
    work = heard(game, PLAYABLE_NOW)
    assert work["convention_masks"][order_of(game, 1, 2)] == kinds("R1 Y2 G1 W1 B1")
    before = game.states.tobytes()
    narrow_possible(game.states, LANE, 1, work)
    assert game.states.tobytes() == before


@given(game=any_game(), convention=conventions)
@examples(200)
def test_every_seat_believes_what_can_be_and_takes_it_back(game: Game, convention: int) -> None:
    work, said = heard(game, convention), said_in(game, convention)
    state = game.states[LANE]
    before, grounded = game.states.tobytes(), state["possible"].tolist()
    for seat in range(game.rules.players):
        unseen = mask_of(unseen_cards(game, seat))
        narrow_possible(game.states, LANE, seat, work)
        for slot in range(game.rules.hand_size):
            narrowed = grounded[seat][slot] & said.get(int(state["order"][seat, slot]), 0)
            believed = narrowed if narrowed & unseen else grounded[seat][slot]
            assert state["possible"][seat, slot] == believed
        restore_possible(game.states, LANE, seat, work)
        assert game.states.tobytes() == before


# Which hints are not given, and which are.


def check_hints(game: Game, convention: int, forbidden: int) -> int:
    work, expected = heard(game, convention), mask_of(misread(game, convention))
    assert misleading_hints(game.states, LANE, game.seat, convention) == expected
    assert told_by_search(game, game.seat, work) == told_alone(game, convention)
    if convention == DISCARDABLE:
        found = single_played_hint(game.states, LANE, game.seat, work["convention_masks"])
        assert found == told_played(game)
    for mask in (0, expected, forbidden):
        assert tell_most_allowed(game.states, LANE, game.seat, mask) == most_news(game, mask)
    return expected


@given(game=any_game(), convention=conventions, forbidden=st.integers(0, (1 << 54) - 1))
@examples(200)
def test_hints_in_any_game_are_those_of_the_slow_twins(game: Game, convention: int, forbidden: int) -> None:
    check_hints(game, convention, forbidden)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_hints_in_real_games_are_those_of_the_slow_twins(convention: int, games: Games, rng: random.Random) -> None:
    played = real_games(games(60) + 1, rng)
    forbidden = [check_hints(game, convention, rng.getrandbits(54)) for game in played]
    assert 0 < sum(map(bool, forbidden)) < len(played)


def test_a_hint_is_only_misread_if_the_card_could_fit() -> None:
    text = "fireworks Y1; discards R1 R1; alice Y5 R4 G3; bob Y4(Y!) R3 G4; cathy R1 W4 B3; tokens 4"
    game = after(text + "; rules goodman(hand_size=3)")
    forbidden = int(misleading_hints(game.states, LANE, 0, NEXT_SEAT))
    assert forbidden >> named(game, "hint bob green") & 1
    assert forbidden >> named(game, "hint bob yellow") & 1  # it could be the two, as before
    assert not forbidden >> named(game, "hint bob red") & 1  # no red one is left to be thought of
    assert not forbidden >> named(game, "hint bob 3") & 1  # no three fits now
    assert not forbidden >> named(game, "hint bob 4") & 1  # two cards
    assert not forbidden >> named(game, "hint cathy white") & 1  # only the next seat believes
    assert misleading_hints(game.states, LANE, 0, PLAYABLE_NOW) >> named(game, "hint cathy white") & 1


def test_a_card_is_called_playable_once() -> None:
    game = after(THREE + "; tokens 4")
    assert told_by_search(game, 0, heard(game, PLAYABLE_NOW)) == named(game, "hint bob 1")
    for move in ("hint bob 1", "discard 1", "hint alice 5"):
        game.make(move)
    assert told_by_search(game, 0, heard(game, PLAYABLE_NOW)) == named(game, "hint cathy 1")
    assert told_by_search(game, 0, heard(game, NEXT_SEAT)) == NO_MOVE


def test_a_card_called_playable_too_early_is_called_so_again() -> None:
    text = THREE.replace("bob Y4 R1 G4", "bob Y4 R2 G4") + "; tokens 4; deck W5 B5 ..."
    game = after(text, "hint bob red", "discard 1", "play 1")
    assert told_by_search(game, 0, heard(game, PLAYABLE_NOW)) == named(game, "hint bob 2")


# The convention for discardable cards.

BEFORE = "fireworks R1; alice Y5 R4 G3; bob R2 W1 G4; cathy R1 W4 B3; tokens 4; rules goodman(hand_size=3)"


def test_a_hint_to_the_seat_before_says_that_a_card_was_played_and_a_play_does_not_end_that() -> None:
    game = after(BEFORE)
    assert single_played_hint(game.states, LANE, 0, heard(game, DISCARDABLE)["convention_masks"]) == named(
        game, "hint cathy 1"
    )
    game.make("hint cathy 1")
    said = {order_of(game, 2, 1): kinds("R1")}
    work = heard(game, DISCARDABLE)
    assert masks_in(work) == said
    narrow_possible(game.states, LANE, 2, work)
    assert game.states[LANE]["possible"][2, 0] == kinds("R1")
    restore_possible(game.states, LANE, 2, work)
    game.make("play 2")
    assert masks_in(heard(game, DISCARDABLE)) == said
    assert single_played_hint(game.states, LANE, 0, heard(game, DISCARDABLE)["convention_masks"]) == NO_MOVE


def test_a_card_of_the_seat_before_is_not_called_played_if_it_could_be_believed_and_is_not() -> None:
    game = after(BEFORE.replace("cathy R1 W4 B3", "cathy R2 W4 B3"))
    forbidden = int(misleading_hints(game.states, LANE, 0, DISCARDABLE))
    assert forbidden >> named(game, "hint cathy red") & 1
    assert not forbidden >> named(game, "hint cathy 2") & 1  # no two was played
    assert not int(misleading_hints(game.states, LANE, 0, NEXT_SEAT)) >> named(game, "hint cathy red") & 1


def test_two_players_have_no_hint_for_discardable_cards() -> None:
    game = after(BEFORE.replace("cathy R1 W4 B3; ", "").replace("bob R2", "bob R1"))
    assert single_played_hint(game.states, LANE, 0, heard(game, DISCARDABLE)["convention_masks"]) == NO_MOVE
    forbidden = [int(misleading_hints(game.states, LANE, 0, each)) for each in (NEXT_SEAT, DISCARDABLE)]
    assert forbidden[0] == forbidden[1] != 0
