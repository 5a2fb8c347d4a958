"""Rallabhandi's model agent: each of its six steps, each variant's difference, and how near the report it comes."""

from collections.abc import Callable

import pytest

from kagiya import Match, find_agent, play_match, published_figures
from kagiya.cards import Seat
from kagiya.engine.layout import GAME
from kagiya.moves import move_name
from tests.agents.conventions import choice, make, set_up
from tests.agents.positions import agent_move, agent_moves

Enough = Callable[..., int]

RULES = "; rules rallabhandi(hand_size=3)"
IDLE = "alice Y5 R4 G3;  bob Y4 Y4 G4" + RULES  # nothing to play, to tell or to throw away


def test_step_1_plays_a_card_if_all_that_is_left_fits() -> None:
    position = "fireworks R1;  discards R1 R1;  alice Y5 Y1(1!) G3;  bob Y4 Y4 G4" + RULES
    assert choice("model", position) == ("play 2", "plays {slot}, deduced to fit")


def test_cards_in_other_hands_are_not_counted() -> None:
    # With both in the discards, alice knows that her three is not red; seeing one of them with bob does not help.
    told = "fireworks Y2 G2 W2 B2 R1;  alice W5 Y3(3!) G1" + RULES
    assert agent_move("model", told + ";  discards R3 R3;  bob Y4 Y5 G4") == "play 2"
    assert agent_move("model", told + ";  discards R3;  bob Y4 R3 G4") != "play 2"


def test_step_2_discards_a_card_only_if_it_is_identified() -> None:
    known = "fireworks R1;  tokens 4;  alice Y5 R1(R!,1!) G3;  bob Y4 Y4 G4" + RULES
    assert choice("model", known) == ("discard 2", "discards {slot}, deduced to be useless")
    one_of_two = "fireworks R1 Y1;  tokens 4;  alice Y5 R1(RY,1!) G3;  bob Y4 Y4 G4" + RULES
    assert choice("model", one_of_two)[1] == "discards {slot}"


HINT_TO_BOB = "fireworks R1;  alice Y5 R4 G3;  bob Y4 R2 G4" + RULES


def test_step_3_plays_a_card_just_hinted_at() -> None:
    assert choice("model", HINT_TO_BOB, "hint bob 2") == ("play 2", "plays {slot}, just hinted at")


def test_step_3_does_not_risk_the_last_life() -> None:
    assert choice("model", HINT_TO_BOB + "; lives 1", "hint bob 2")[1] != "plays {slot}, just hinted at"


def test_step_3_forgets_a_hint_after_its_turn() -> None:
    story = ("hint bob 2", "discard 1", "discard 1")
    assert choice("model", HINT_TO_BOB + "; tokens 4", *story)[1] != "plays {slot}, just hinted at"


def test_step_4_tells_the_value_of_the_first_card_that_fits_then_its_color() -> None:
    assert agent_move("model", "alice Y5 R4 G3;  bob Y4 W1 R1" + RULES) == "hint bob 1"
    assert agent_move("model", "alice Y5 R4 G3;  bob Y4 W1(1!) R1(1!)" + RULES) == "hint bob white"
    assert agent_move("model", "alice Y5 R4 G3;  bob Y4 W1(W!,1!) R1(1!)" + RULES) == "hint bob red"


def test_step_5_tells_of_useless_cards() -> None:
    position = "fireworks R1;  alice Y5 R4 G3;  bob Y4 R1 G4" + RULES
    assert choice("model", position) == ("hint bob 1", "tells {receiver} that {useless}, which is useless")


def test_step_6_hints_at_random_with_more_than_four_tokens() -> None:
    assert choice("model", IDLE + "; tokens 5")[1] == "tells {receiver} at random that {touched}, for there are tokens"
    assert len(agent_moves("model", IDLE + "; tokens 5")) == 10
    assert choice("model", IDLE + "; tokens 4")[1] == "discards {slot}"


def test_step_6_discards_the_card_it_knows_least() -> None:
    position = "tokens 4;  alice Y5(Y!) R4(RG) G3;  bob Y4 Y4 G4" + RULES
    assert agent_move("model", position) == "discard 3"
    assert agent_moves("model(discard=random)", position) == {"discard 1", "discard 2", "discard 3"}
    assert agent_moves("model(discard=first)", position) == {"discard 1"}
    likely = "tokens 4;  fireworks R3;  alice Y5(Y!) R4(RG) G3;  bob Y4 Y4 G4" + RULES
    assert agent_move("model(discard=least-useful)", likely) == "discard 2"
    # The yellow card may be five kinds, all of use, the second ten less the three played: fewer are left of the first.
    assert agent_move("model(discard=fewest-useful)", likely) == "discard 1"


def test_model_sure_takes_no_risk() -> None:
    assert choice("model-sure", HINT_TO_BOB, "hint bob 2")[1] != "plays {slot}, just hinted at"
    assert choice("model(risk=no)", HINT_TO_BOB, "hint bob 2") == choice("model-sure", HINT_TO_BOB, "hint bob 2")


@pytest.mark.parametrize(
    ("deck", "risks"),
    [(44, "early early-late"), (30, "early early-late"), (29, "middle"), (15, "middle"), (14, "late early-late")],
)
def test_step_3_can_be_confined_to_a_phase_of_the_game(deck: int, risks: str) -> None:
    # Two hands of three leave forty-four cards in the deck.
    for risk in ("early", "late", "early-late", "middle"):
        table, kind = set_up(f"model(risk={risk})", HINT_TO_BOB)
        make(table, kind, "hint bob 2")
        table.states[GAME]["drawn"] = table.rules.deck_size - deck
        move = kind.act(table.states, GAME, Seat(1), table.memory, table.params, table.rng)
        assert (move_name(int(move), Seat(1), 2) == "play 2") == (risk in risks.split())


def test_model_first_takes_the_first_slot_that_is_certain_either_way() -> None:
    position = "fireworks R1;  tokens 4;  alice R1(R!,1!) R2(R!,2!) G3;  bob Y4 Y4 G4" + RULES
    assert agent_move("model", position) == "play 2"
    assert agent_move("model-first", position) == "discard 1"
    assert agent_move("model-first", position.replace("tokens 4", "tokens 8")) == "play 2"


def test_model_blunt_tells_of_whatever_comes_first() -> None:
    position = "fireworks R1;  alice Y5 R4 G3;  bob Y4 R1 R2" + RULES
    assert agent_move("model", position) == "hint bob 2"
    assert agent_move("model-blunt", position) == "hint bob 1"


def test_model_daring_takes_its_risk_first() -> None:
    position = "fireworks R1;  tokens 4;  alice Y5 R4 G3;  bob R1(R!,1!) R2 G4" + RULES
    assert choice("model", position, "hint bob 2")[0] == "discard 1"
    assert choice("model-daring", position, "hint bob 2")[0] == "play 2"


@pytest.mark.parametrize("agent", ["model", "model-sure", "model-first", "model-blunt", "model-daring"])
def test_the_report_s_scores_are_near(agent: str, enough_games: Enough) -> None:
    count = enough_games(4000, least=1000)
    figures = [figure for figure in published_figures(agent) if figure.agent == agent]
    assert figures
    for published in figures:
        match = Match.of(published.rules, [find_agent(agent)], count, 1)
        summary = play_match(match).summary
        assert abs(summary.mean - published.figure.value) < 0.2 + 3 * summary.se, published
