"""The course's basic agent, turn by turn, and beside Rallabhandi's agent as in his report."""

from collections.abc import Callable

import pytest

from kagiya import Match, find_agent, parse_rules, play_match
from tests.agents.positions import agent_move, agent_moves

Enough = Callable[..., int]

RULES = "rallabhandi"


def test_it_plays_what_it_was_told_in_full_and_nothing_less() -> None:
    assert agent_move("basic", "alice Y5 R1(R!,1!) G3;  bob W1 Y4 G4") == "play 2"
    assert agent_moves("basic", "alice Y5 R1(1!) G3;  bob W1 Y4 G4") == {"hint bob white", "hint bob 1"}


def test_it_discards_a_card_known_to_be_played_but_not_of_a_finished_color() -> None:
    assert agent_move("basic", "fireworks R1;  alice Y5 R1(R!,1!) G3;  bob W1 Y4 G4") == "discard 2"
    finished = "fireworks R5;  alice Y5 R1(R!,1!) G3;  bob W1 Y4 G4"
    assert agent_moves("basic", finished) == {"hint bob white", "hint bob 1"}


def test_now_and_then_it_plays_any_card() -> None:
    nothing_to_tell = "alice Y5 R4 G3;  bob W3 Y4 G4"
    moves = [agent_move("basic", nothing_to_tell, seed) for seed in range(400)]
    plays = sum(move.startswith("play") for move in moves)
    assert 30 < plays < 90  # three lives, a chance of one in twenty for each: 57 expected
    assert all(move.startswith(("play", "discard")) for move in moves)


def test_all_tokens_there_it_tells_the_next_seat_anything() -> None:
    moves = agent_moves("basic", "tokens 8;  alice Y5 R4 G3;  bob W3 Y4 G4;  cathy W4 B4 G4")
    assert {move for move in moves if "hint" in move} <= {
        f"hint bob {what}" for what in ("3", "4", "white", "yellow", "green")
    }
    assert not any(move.startswith("discard") for move in moves)


@pytest.mark.parametrize(
    ("model", "scores"),
    [("model", (11.116, 10.540, 9.754, 8.765)), ("model(risk=no)", (12.635, 11.098, 9.702, 8.597))],
)
def test_beside_it_the_model_agent_scores_about_as_in_the_report(
    model: str, scores: tuple[float, ...], enough_games: Enough
) -> None:
    count = enough_games(4000, least=1000)
    for players, score in zip((2, 3, 4, 5), scores, strict=True):
        seats = [find_agent(model)] + [find_agent("basic")] * (players - 1)
        summary = play_match(Match.of(parse_rules(RULES, players), seats, count, 1)).summary
        assert abs(summary.mean - score) < 0.5 + 3 * summary.se
