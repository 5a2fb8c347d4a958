"""Osawa's strategies: their turns, the inference against plain enumeration, and the published scores."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kagiya import Match, find_agent, play_match, published_figures
from kagiya.agents.osawa_self import MEMORY_WORDS, TALLY, tally_hands
from kagiya.cards import MAX_KINDS, Card, Seat, card_color, card_rank, mask_cards
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.engine.position import parse_position
from kagiya.moves import Move, parse_move
from tests.agents.conventions import choice
from tests.agents.positions import agent_move, agent_moves

Games = Callable[[int], int]
Enough = Callable[..., int]

LANE, BOB = np.int64(0), np.int64(1)
TOLD = "alice Y5 W4 G3;  bob R1(R!,1!) Y4 G4"  # bob knows all of the only card that fits


@pytest.mark.parametrize("agent", ["osawa-internal", "osawa-outer", "osawa-self"])
def test_what_is_sure_comes_before_hints(agent: str) -> None:
    assert agent_move(agent, "alice Y5 G1(1!) G3;  bob R1 Y4 G4") == "play 2"
    assert agent_move(agent, "fireworks R1;  alice Y5 R1(R!,1!) G3;  bob R2 Y4 G4") == "discard 2"
    # The other copy of the red two lies among the discards and bob has a red five: only the red three is left.
    assert agent_move(agent, "fireworks R2;  discards R1 R1 R2 R4 R4;  alice Y5 R3(R!) G3;  bob R5 Y4 G4") == "play 2"


def test_internal_tells_of_a_card_that_fits_whether_known_or_not() -> None:
    assert agent_moves("osawa-internal", TOLD) == {"hint bob red", "hint bob 1"}


def test_internal_tells_anything_when_nothing_fits() -> None:
    assert len(agent_moves("osawa-internal", "alice Y5 W4 G3;  bob R2 Y4 G3")) == 6


def test_outer_tells_only_what_is_new() -> None:
    assert agent_moves("osawa-outer", "alice Y5 W4 G3;  bob Y4 R1 G4") == {"hint bob red", "hint bob 1"}
    assert agent_move("osawa-outer", "alice Y5 W4 G3;  bob Y4 R1(1!) G4") == "hint bob red"
    assert agent_move("osawa-outer", TOLD) == "hint bob 4"
    assert agent_move("osawa-outer", "alice Y5 W4 G3;  bob R1(R!,1!) Y4(4!) G4") == "hint bob yellow"


def test_without_a_token_any_card_is_discarded() -> None:
    for agent in ("osawa-internal", "osawa-outer", "osawa-self"):
        assert agent_moves(agent, TOLD + "; tokens 0") == {"discard 1", "discard 2", "discard 3"}


@pytest.mark.parametrize(
    ("position", "move", "reason"),
    [
        ("alice Y5 R1 G3;  bob G1 Y4 G4", "play 2", "plays {slot}, which fits"),
        ("alice Y5 R2 G3;  bob G1 Y4 G4", "hint bob 1", "passes, for another can play"),
        ("fireworks R1;  alice Y5 R1 G3;  bob W3 Y4 G4", "discard 2", "discards {slot}, which is useless"),
        ("discards W4;  alice Y5 W4 G3;  bob W3 Y4 G4", "discard 3", "discards {slot}, of which a copy is left"),
        ("discards G3;  alice G3 Y5 W5;  bob W3 Y4 G4", "discard 2", "discards {slot}, its highest card"),
    ],
)
def test_ideal_looks_at_its_hand(position: str, move: str, reason: str) -> None:
    assert choice("osawa-ideal", position + "; tokens 4") == (move, reason)


def test_ideal_passes_when_it_may_not_discard() -> None:
    assert choice("osawa-ideal", "alice Y5 R2 G3;  bob W3 Y4 G4")[1] == "passes, for all tokens are there"


SECOND = "fireworks R1;  tokens 1;  alice Y5 W4 G3;  bob Y4 R2 G4"


def test_self_infers_that_a_hint_to_its_second_card_must_mean_the_one_that_fits() -> None:
    assert choice("osawa-self", SECOND, "hint bob 2") == (
        "play 2",
        "plays {slot}, which its partner's hint must have meant",
    )


def test_a_hint_that_would_have_been_given_anyway_means_less() -> None:
    # With nothing that fits, the partner names the rank of the first card: any of eight twos, only one of which fits.
    first = "fireworks R1;  tokens 1;  alice Y5 W4 G3;  bob R2 Y4 G4"
    assert choice("osawa-self", first, "hint bob 2")[1] == "discards {slot}, as good as any"


def test_the_ratio_decides_how_much_is_enough() -> None:
    # One of the two cards touched is the red two; each is so in four hands for every one in which it is another two.
    both = "fireworks R1;  tokens 1;  alice Y5 W4 G3;  bob Y4 R2 W2"
    assert choice("osawa-self", both, "hint bob 2")[0] == "play 2"
    assert choice("osawa-self(ratio=5)", both, "hint bob 2")[1] == "discards {slot}, as good as any"


def test_only_the_last_move_is_reasoned_about() -> None:
    assert choice("osawa-self", SECOND, "hint bob 2", "play 3", "play 1")[1] == "discards {slot}, as good as any"


@pytest.mark.parametrize(
    ("position", "hint"),
    [
        (SECOND, "hint bob 2"),
        ("fireworks R1 W2;  alice Y5 W4 G3;  bob R2(2!) W3 R4", "hint bob red"),
        ("fireworks R1 W2;  discards W3 Y2 Y2;  alice Y5 W4 G3;  bob Y4 W3(W!) R3(RG)", "hint bob 3"),
        ("alice Y5 W4 G3;  bob R5(R!,5!) W1 R1", "hint bob 1"),
    ],
)
def test_hands_are_weighed_as_by_plain_enumeration(position: str, hint: str) -> None:
    _, states = parse_position(position + "; rules standard(hand_size=3)")
    move = parse_move(hint, Seat(0), 2)
    memory = np.zeros((1, 5, MEMORY_WORDS), np.int64)
    tally_hands(states, LANE, BOB, memory, int(move))
    assert memory[0, BOB, TALLY:].tolist() == plain_tally(states[0], move)


def plain_tally(state: Any, hint: Move) -> list[int]:
    """Every hand of three different cards that bob may hold, and how readily alice would have given him this hint."""

    def named(card: int) -> bool:
        return card_color(Card(card)) == hint.color or card_rank(Card(card)) == hint.rank

    part = TOLD_RANK if hint.color is None else TOLD_COLOR
    unseen = {int(card) for card in state["deck"] if card >= 0} | {int(card) for card in state["hands"][1][:3]}
    tally = [0] * (5 * MAX_KINDS)
    choices = [[card for card in mask_cards(int(state["possible"][1, slot])) if card in unseen] for slot in range(3)]
    for hand in itertools.product(*choices):
        if len(set(hand)) < 3 or any(named(card) != named(int(state["hands"][1, s])) for s, card in enumerate(hand)):
            continue
        for slot, card in enumerate(hand):
            tally[slot * MAX_KINDS + card] += readiness(state, hand, part, named)
    return tally


def readiness(state: Any, hand: tuple[int, ...], part: int, named: Callable[[int], bool]) -> int:
    """2 for a hint that alice gives, 1 for one that her coin decides on, 0 for one that she does not give."""
    told = [int(state["told"][1, slot]) for slot in range(3)]
    open_slots = [slot for slot in range(3) if told[slot] != 3]
    fitting = [slot for slot in open_slots if int(state["playable"]) >> hand[slot] & 1]
    if fitting:
        slot = fitting[0]
        return 0 if not named(hand[slot]) or told[slot] & part else 2 if told[slot] else 1
    if not open_slots or not named(hand[open_slots[0]]):
        return 0
    return 2 if part == (TOLD_COLOR if told[open_slots[0]] & TOLD_RANK else TOLD_RANK) else 0


@pytest.mark.parametrize("agent", ["osawa-internal", "osawa-outer", "osawa-self", "osawa-ideal"])
def test_the_published_score_is_within_three_standard_errors(agent: str, enough_games: Enough) -> None:
    (published,) = published_figures(agent)
    assert published.error is not None
    count = enough_games(4000, least=1000)
    summary = play_match(Match.of(published.rules, [find_agent(agent)], count, 1)).summary
    assert abs(summary.mean - published.figure.value) < 3 * math.hypot(published.error, summary.se)
