"""Reasons name their objects: the receiver, the slots and the cards that a move is about."""

import pytest

from kagiya import AgentInfo, CompiledAgent, Game, Rules, Table, agent_types, explain, find_agent, kernel
from kagiya.agents.careful import act as careful_move
from kagiya.agents.register import prompt_agents
from kagiya.cards import Seat
from kagiya.engine.layout import GAME
from kagiya.lab.table.decision import FIELDS, ReasonError, fill, purpose
from kagiya.lab.table.table import AccessError
from kagiya.moves import parse_move
from tests.searches import quick

POSITION = (
    "fireworks R4 G1; tokens 5; discards G3; alice R1 Y2(Y!,2!) W3 W4 B4; bob R5 G2 G3 R1 B1; cathy Y1 Y1 Y2 Y3 B5"
)


def filled(template: str, move: str, memory: tuple[int, ...] = ()) -> str:
    game = Game.from_position(POSITION)
    return fill(template, game.states, 0, int(parse_move(move, game.seat, 3)), memory)


@pytest.mark.parametrize(
    ("template", "move", "words"),
    [
        ("tells {receiver} that {playable}", "hint bob 5", "tells bob that slot 1 is R5"),
        ("tells {receiver} that {playable}", "hint bob red", "tells bob that slot 1 is R5"),
        ("tells {receiver} that {useless}", "hint bob red", "tells bob that slot 4 is R1"),
        ("tells {receiver} that {touched}", "hint bob red", "tells bob that slot 1 is R5 and slot 4 is R1"),
        ("warns {receiver} that {critical}", "hint bob green", "warns bob that slot 3 is G3"),
        ("tells {receiver} that {playable}", "hint cathy 5", "tells cathy that slot 5 is B5"),
        ("tells {receiver} that {touched}", "hint cathy yellow", "tells cathy that slots 1, 2, 3 and 4 are yellow"),
        ("tells {receiver} that {playable}", "hint cathy yellow", "tells cathy that slot 1 is Y1 and slot 2 is Y1"),
        ("plays {slot}, which must fit", "play 2", "plays slot 2 (Y2), which must fit"),
        ("plays {slot}, which must fit", "play 1", "plays slot 1, which must fit"),
        ("{does}, at random", "discard 3", "discards slot 3, at random"),
        ("", "hint bob 5", "tells bob that slot 1 is R5"),
        ("tell-playable", "hint bob red", "tell-playable: tells bob that slot 1 is R5"),
        ("tell-dispensable(tokens=3)", "hint bob red", "tell-dispensable(tokens=3): tells bob that slot 4 is R1"),
        ("tell-most-new", "hint bob red", "tell-most-new: tells bob that slot 1 is R5 and slot 4 is R1"),
        ("play-probably-safe(0.6, lives=2)", "play 2", "play-probably-safe(0.6, lives=2): plays slot 2 (Y2)"),
        ("has nothing better to do", "play 2", "has nothing better to do"),
        ("tells {receiver} of {slot}: {touched}", "play 2", "tells nobody of slot 2 (Y2): nothing"),
    ],
)
def test_a_template_is_filled_from_the_move_and_the_position(template: str, move: str, words: str) -> None:
    assert filled(template, move) == words


def test_a_template_is_filled_from_words_of_memory() -> None:
    template = "hopes that {seat[1]} plays {card[2]} from {place[3]} within {number[0]} turns"
    assert filled(template, "play 1", (2, 1, 4, 0)) == "hopes that bob plays R5 from slot 1 within 2 turns"
    assert filled("{card[0]} {seat[0]}", "play 1", (99,)) == "card 99 seat 99"


@pytest.mark.parametrize(
    ("template", "move", "words"),
    [
        ("tells {receiver} that {playable}", "hint bob red", "tells bob that slots 1 and 4 are red"),
        ("warns {receiver} that {critical}", "hint bob 5", "warns bob that slot 1 is a 5"),
        ("tell-playable", "hint bob 2", "tell-playable: tells bob that slot 2 is a 2"),
        ("tells {receiver} that {playable}", "hint cathy 5", "tells cathy that slot 5 is B5"),
        ("plays {slot}", "play 2", "plays slot 2 (Y2)"),
        ("plays {card[0]}", "play 2", ""),
    ],
)
def test_for_eyes_a_template_names_nothing_that_they_may_not_see(template: str, move: str, words: str) -> None:
    """Bob asks alice why: the same words whatever he holds, as long as the hint would touch the same slots."""
    game = Game.from_position(POSITION)
    chosen = int(parse_move(move, game.seat, 3))
    assert fill(template, game.states, 0, chosen, (4,), Seat(1)) == words


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("tells {reciever}", "there is no field 'reciever'; did you mean receiver?"),
        ("saw {card[7]}", "there is no word 7 in a memory of 1"),
        ("tells {", "cannot be filled"),
    ],
)
def test_a_template_that_cannot_be_filled_says_why(template: str, reason: str) -> None:
    with pytest.raises(ReasonError, match=r"its reason .* cannot be filled") as caught:
        filled(template, "play 1", (0,))
    assert reason in str(caught.value)


def test_a_users_agent_with_such_a_template_is_refused_by_name() -> None:
    label = AgentInfo("mine", "for tests", "tests", "none", reasons=("tells {reciever}",))
    with pytest.raises(AccessError, match=r"mine.*turn 1 .*there is no field 'reciever'"):
        explain(Game(), CompiledAgent(label, careful_move))


@kernel
def remember_bobs_first_card(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    memory[i, seat, 1] = states[i]["hands"][(seat + 1) % states[i]["players"], 0]
    return careful_move(states, i, seat, memory, params, rng)


def test_a_compiled_agent_fills_its_reason_from_its_memory() -> None:
    label = AgentInfo("mine", "for tests", "tests", "none", memory_words=2, reasons=("sees {card[1]}",))
    found = explain(Game.from_position(POSITION), CompiledAgent(label, remember_bobs_first_card))
    assert found.reason == "sees R5"


@pytest.mark.parametrize("name", prompt_agents())
def test_every_agent_of_ours_says_why_and_names_what_it_touches(name: str) -> None:
    agent = quick(name)
    table = Table(Rules(players=agent.info.players[-1]), [agent])
    reasons = table.play_explained(3)
    assert len(reasons) == table.states[GAME]["turn"]
    assert all(reasons), reasons
    assert not any("{" in reason for reason in reasons)
    assert any("slot " in reason for reason in reasons) or "hat" in agent.info.family


def test_every_template_of_ours_can_be_filled() -> None:
    for name in agent_types():
        for template in find_agent(name).reasons:
            for move in ("play 1", "discard 2", "hint bob red"):
                assert "{" not in filled(template, move, (0,) * 10), (name, template)


def test_the_fields_are_those_of_the_page() -> None:
    from tests.children import PROJECT

    page = (PROJECT / "docs/reasons.md").read_text(encoding="utf-8")
    for field in FIELDS:
        assert f"| `{{{field}}}` |" in page


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("hint bob 5", ", to be played"),
        ("hint bob red", ", to be played"),
        ("hint bob 3", ", to be kept"),  # the last G3
        ("hint bob blue", ", to be played"),
        ("hint cathy 3", ", to pass the turn"),
        ("play 2", ""),
    ],
)
def test_a_hint_is_followed_by_what_it_is_for(move: str, said: str) -> None:
    game = Game.from_position(POSITION)
    number = int(parse_move(move, game.seat, 3))
    assert purpose("", game.states, 0, number) == purpose("tells {receiver} that {touched}", game.states, 0, number)
    assert purpose("tell-most-new", game.states, 0, number) == said
    assert purpose("tells {receiver} that {touched}, for want of anything better", game.states, 0, number) == ""


def test_a_hint_that_stops_a_wrong_play_says_so() -> None:
    game = Game.from_position("fireworks R1; alice Y2 W3; bob R1(R!) G3; rules standard(hand_size=2)")
    assert purpose("", game.states, 0, int(parse_move("hint bob 1", game.seat, 2))) == ", not to be played"
    known = Game.from_position("fireworks R1; alice Y2 W3; bob R1(R!,1!) G4; rules standard(hand_size=2)")
    assert purpose("", known.states, 0, int(parse_move("hint bob 1", known.seat, 2))) == ", to pass the turn"


def test_what_a_hint_is_for_is_not_told_to_its_receiver() -> None:
    """It would tell of cards that the receiver does not see."""
    game = Game.from_position(POSITION)
    number = int(parse_move("hint bob 5", game.seat, 3))
    assert purpose("", game.states, 0, number, Seat(1)) == ""
    assert purpose("", game.states, 0, number, Seat(2)) == ", to be played"


def test_the_hints_of_hat_players_are_for_nothing_that_they_name() -> None:
    said = explain(Game(Rules(players=4), seed=2), "hat-recommendation").reason
    assert not said.endswith((", to be played", ", to be kept", ", to pass the turn"))
