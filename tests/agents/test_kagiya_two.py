"""What Kagiya's bot for two does otherwise than SmartBot, a position or two for each repair."""

import numpy as np
import pytest

from kagiya.agents import kagiya_two as two
from kagiya.agents.convention_bots import get_kinds, settle_sets
from kagiya.agents.smartbot import chop_by_row, chop_slot
from kagiya.cards import MoveNumber, Seat, Slot
from kagiya.engine.layout import GAME
from kagiya.moves import parse_move
from tests.agents.conventions import choice, set_up

SAVES = "warns {receiver} that {critical}"
PLAYS = "plays {slot}, which must fit"
TELLS = "tells {receiver} that {playable}"
SPENDS = "tells {receiver} that {touched}, for all tokens are there"
PAUSES = "tells {receiver} that {touched}, for turns run out"
TALKS = "tells {receiver} that {touched}, having been warned"
DISCARDS_CHOP = "discards {slot}, the likeliest to be useless"


def test_a_hint_asks_for_the_newest_card_it_touches() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R4 R1 Y3"
    assert choice("kagiya-two", position) == ("hint bob red", TELLS)
    assert choice("kagiya-two", position, "hint bob red") == ("play 2", PLAYS)


def test_with_all_tokens_there_a_hint_still_means_what_it_says() -> None:
    would_ask = "fireworks B3;  tokens 8;  alice G3 W4 Y3;  bob B4 W3 G2"
    assert choice("kagiya-two", would_ask, "hint bob 4") == ("play 1", PLAYS)
    assert choice("kagiya-two(reclaim=yes)", would_ask, "hint bob 4")[1] != PLAYS


def test_with_the_last_life_a_hint_that_had_to_be_given_promises_nothing() -> None:
    position = "fireworks B3;  tokens {tokens};  lives {lives};  alice G3 W4 Y3;  bob B4 W3 G2"
    for tokens, lives, plays in ((8, 1, False), (8, 2, True), (7, 1, True)):
        _, reason = choice("kagiya-two", position.format(tokens=tokens, lives=lives), "hint bob 4")
        assert (reason == PLAYS) == plays, (tokens, lives)


def test_the_token_is_spent_on_a_hint_that_does_not_mislead() -> None:
    position = "tokens 8;  alice G3 W4 B3;  bob R4 R3 Y3"  # any red or 3 or 4 might ask for a one, but for the rank
    move, reason = choice("kagiya-two", position)
    assert (move, reason) in {("hint bob 3", SPENDS), ("hint bob 4", SPENDS)}
    assert choice("kagiya-two", position, move)[1] != PLAYS


def test_a_card_is_saved_by_the_hint_after_which_the_next_discard_is_safe_too() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob G5 W5 Y3"
    assert choice("kagiya-two", position) == ("hint bob 5", SAVES)
    assert choice("kagiya-two(after_warning=100)", position, "hint bob 5") == ("discard 3", DISCARDS_CHOP)


def test_the_last_token_is_kept_for_a_warning_until_the_deck_is_small() -> None:
    position = "tokens 1;  alice G3 W4 B3;  bob R4 R1 Y3"
    assert choice("kagiya-two", position)[1] == DISCARDS_CHOP
    assert choice("kagiya-two(last_token=60)", position) == ("hint bob red", TELLS)
    assert choice("kagiya-two", position.replace("tokens 1", "tokens 2")) == ("hint bob red", TELLS)


def test_who_was_warned_talks_rather_than_discards() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob G5 W4 Y3"
    assert choice("kagiya-two", position, "hint bob 5")[1] == TALKS
    assert choice("kagiya-two", position.replace("tokens 5", "tokens 4"), "hint bob 5")[1] == DISCARDS_CHOP
    assert choice("kagiya-two(after_warning=100)", position, "hint bob 5")[1] == DISCARDS_CHOP


LATE = """
    rules quuxplusone(hand_size=2, colors=2);  tokens 3;  fireworks R2 Y2
    alice R1 Y1;  bob R3(R!,3!) Y3(Y!,3!);  discards R1 Y1 R2 Y2 R3 Y3
"""


def test_nobody_discards_with_no_turn_to_spare() -> None:
    assert choice("kagiya-two", LATE)[1] == DISCARDS_CHOP  # six cards and two turns for six points
    short = LATE.replace("R3 Y3\n", "R3 Y3 R4 Y4\n")
    assert choice("kagiya-two", short)[1] == PAUSES
    assert choice("kagiya-two(pace=no)", short)[1] == DISCARDS_CHOP


def test_it_gambles_at_the_very_end_and_never_with_the_last_life() -> None:
    position = """
        rules quuxplusone(hand_size=2, colors=1);  tokens 0;  fireworks R1;  discards R1 R1 R2 R3
        alice R3 R2;  bob R4 R5;  deck R4
    """
    assert choice("kagiya-two", position)[1] == "plays {slot}, which may fit"
    assert choice("kagiya-two(gamble=0)", position)[1] != "plays {slot}, which may fit"
    assert choice("kagiya-two", position + ";  lives 1")[1] != "plays {slot}, which may fit"


def number_of(move: str) -> MoveNumber:
    return MoveNumber(int(parse_move(move, Seat(0), 2)))


@pytest.mark.parametrize("move", ["hint bob red", "hint bob 5", "hint bob 3"])
def test_a_hint_is_judged_by_what_the_partner_will_make_of_it(move: str) -> None:
    """The sets by which a hint is judged are those that both have after hearing it, and so is the next discard."""
    table, _ = set_up("kagiya-two", "tokens 5;  alice G3 W4 B3;  bob R5 R1 Y3")
    state, alice, bob = (table.states, GAME), Seat(0), Seat(1)
    settle_sets(*state, alice, table.memory)
    number = number_of(move)
    two.worth_of_hint(*state, alice, table.memory, table.params, number)
    judged = [get_kinds(table.memory, GAME, alice, two.NOBODY, Slot(slot)) for slot in range(3)]
    chop = chop_by_row(*state, alice, table.memory, bob, two.NOBODY)
    two.take_hint(*state, alice, table.memory, table.params, number)
    assert judged == [get_kinds(table.memory, GAME, alice, bob, Slot(slot)) for slot in range(3)]
    assert chop == chop_slot(*state, alice, table.memory, bob)


def test_a_hint_that_misleads_is_worth_least() -> None:
    table, _ = set_up("kagiya-two", "tokens 5;  alice G3 W4 B3;  bob R1 R4 Y3")
    alice = Seat(0)
    settle_sets(table.states, GAME, alice, table.memory)
    worth = {
        move: two.worth_of_hint(table.states, GAME, alice, table.memory, table.params, number_of(move))
        for move in ("hint bob red", "hint bob 1", "hint bob yellow")
    }
    assert worth["hint bob red"] < two.NOT_MISLEADING < worth["hint bob 1"]
    assert np.isfinite(list(worth.values())).all()
