"""Bouzy's certainty player, turn by turn, and how far from his table it stays."""

from collections.abc import Callable

from kagiya import Match, find_agent, play_match, published_figures
from tests.agents.conventions import choice

Enough = Callable[..., int]

RULES = "; rules bouzy(hand_size=3)"
IDLE = "alice Y5 R4 G3;  bob Y4 W4 G3" + RULES


def test_it_plays_what_the_hints_leave_no_doubt_of() -> None:
    assert choice("certainty", "alice Y5 G1(1!) R3;  bob W1 Y4 G4" + RULES) == (
        "play 2",
        "plays {slot}, which can only fit",
    )
    # One white one is played, two lie among the discards: to count them would make the one certain.
    counted = "fireworks W1;  discards W1 W1;  alice Y5 G1(1!) R3;  bob R1 Y4 G4" + RULES
    assert choice("certainty", counted) == ("hint bob 1", "tells {receiver} that {playable}")


def test_it_discards_what_can_only_be_useless() -> None:
    position = "fireworks R1;  tokens 4;  alice Y5 R1(R!,1!) R3;  bob W1 Y4 G4" + RULES
    assert choice("certainty", position) == ("discard 2", "discards {slot}, which can only be useless")


def test_it_tells_a_seat_the_rank_of_its_newest_card_to_play_then_colors() -> None:
    assert choice("certainty", "fireworks R1;  alice Y5 R4 G3;  bob W1 Y4 R2" + RULES)[0] == "hint bob 2"
    assert choice("certainty", "fireworks R1;  alice Y5 R4 G3;  bob W1 Y4 R2(2!)" + RULES)[0] == "hint bob 1"
    assert choice("certainty", "fireworks R1;  alice Y5 R4 G3;  bob W1(1!) Y4 R2(2!)" + RULES)[0] == "hint bob red"


def test_seats_are_told_by_number() -> None:
    position = "seat bob;  alice Y5 W1 G3;  bob R4 Y4 G4;  cathy R1 Y4 G4" + RULES
    assert choice("certainty", position)[0] == "hint alice 1"


def test_a_card_is_passed_over_if_another_seat_knows_its_copy() -> None:
    position = "alice Y5 R4 G3;  bob W4 Y4 R1;  cathy R1(R!,1!) Y4 G4" + RULES
    assert choice("certainty", position)[1] == "passes: there is nothing to tell"


def test_useless_cards_are_told_of_last() -> None:
    position = "fireworks R1;  alice Y5 R4 G3;  bob R1 Y4 G4" + RULES
    assert choice("certainty", position) == ("hint bob 1", "tells {receiver} that {useless}, which is useless")


def test_with_nothing_to_tell_it_passes_until_no_token_is_left() -> None:
    assert choice("certainty", IDLE + "; tokens 1") == ("hint bob 1", "passes: there is nothing to tell")
    assert choice("certainty", IDLE + "; tokens 0") == (
        "discard 1",
        "discards {slot}, its oldest card, for no token is left",
    )
    legal = IDLE.replace("bouzy", "quuxplusone") + "; tokens 1"  # where a hint must touch a card
    assert choice("certainty", legal) == ("hint bob yellow", "passes: there is nothing to tell")


def test_scores_rise_with_the_number_of_players_and_stay_within_1_6_of_the_table(enough_games: Enough) -> None:
    count = enough_games(1000, least=500)
    means = {}
    for published in published_figures("certainty"):
        rules = published.rules
        summary = play_match(Match.of(rules, [find_agent("certainty")], count, 1)).summary
        means[rules.players, rules.hand_size] = summary.mean
        assert abs(summary.mean - published.figure.value) < 1.6
    assert means[2, 3] < means[3, 3] < means[4, 3]
