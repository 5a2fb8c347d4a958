"""Bouzy's confidence player, turn by turn, and how near his table it comes."""

from collections.abc import Callable

import pytest

from kagiya import Match, find_agent, play_match, published_figures
from tests.agents.conventions import choice

Enough = Callable[..., int]

RULES = "; rules bouzy(hand_size=3)"


def test_a_card_hinted_at_is_played_with_confidence() -> None:
    position = "fireworks R1;  alice Y5 R4 G3;  bob Y4 R2 G4" + RULES
    assert choice("confidence", position, "hint bob 2") == ("play 2", "plays {slot}, hinted at, with confidence")


def test_what_can_only_fit_is_played_first() -> None:
    position = "fireworks R1;  alice Y3(Y!) R2(R!,2!) G3;  bob Y4 W4 G4" + RULES
    assert choice("confidence", position) == ("play 2", "plays {slot}, which can only fit")


def test_a_card_hinted_at_that_cannot_fit_is_discarded() -> None:
    position = "fireworks R1 Y1 G1 W1 B1;  tokens 7;  alice Y5 R4 G3;  bob Y4 R1 G4" + RULES
    assert choice("confidence", position, "hint bob 1") == (
        "discard 2",
        "discards {slot}, which is useless, or was hinted at and cannot fit",
    )


@pytest.mark.parametrize(
    ("bob", "hint"),
    [
        ("Y4 W1 R2", "hint bob 1"),  # ranks before colors, the lowest first
        ("W1 Y4 W1", "hint bob discards"),  # never two copies of a card
        ("R2 Y2 G4", "hint bob red"),  # the rank would touch the yellow two as well
        ("R2 R4 Y2", "hint bob discards"),  # both the rank and the color touch a card that does not fit
    ],
)
def test_a_hint_never_touches_a_card_that_its_holder_would_play_in_vain(bob: str, hint: str) -> None:
    move, reason = choice("confidence", f"fireworks R1;  tokens 4;  alice Y5 R4 G3;  bob {bob}{RULES}")
    if hint.endswith("discards"):
        assert reason == "discards {slot}, its oldest card"
    else:
        assert (move, reason) == (hint, "tells {receiver} that {playable}")


def test_no_card_is_told_of_twice() -> None:
    position = "fireworks R1;  tokens 4;  alice Y5 R4 G3;  bob Y4 R2 G4;  cathy R2(2!) Y4 G4" + RULES
    assert choice("confidence", position)[1] == "discards {slot}, its oldest card"


def test_useless_cards_may_be_touched_if_their_holder_will_know() -> None:
    # All ones are played, so bob will see that his cannot fit.
    position = "fireworks R1 Y1 G1 W1 B1;  alice Y5 R4 G3;  bob Y4 R1 G4" + RULES
    assert choice("confidence", position) == ("hint bob 1", "tells {receiver} that {useless}, which is useless")
    # With the blue one missing he would play it.
    doubtful = "fireworks R1 Y1 G1 W1;  tokens 4;  alice Y5 R4 G3;  bob Y4 R1 G4" + RULES
    assert choice("confidence", doubtful)[1] == "discards {slot}, its oldest card"


def test_with_nothing_else_to_do_it_discards_its_oldest_card() -> None:
    position = "tokens 4;  alice W5#2 W3#0 G3#1;  bob Y4 W4 G4;  rules bouzy(hand_size=3, drawn_card=vacated)"
    assert choice("confidence", position) == ("discard 2", "discards {slot}, its oldest card")


def test_all_tokens_there_it_spends_one_on_a_hint_that_promises_nothing() -> None:
    position = "alice Y5 R4 G3;  bob Y4 W4 G4" + RULES
    assert choice("confidence", position) == ("hint bob red", "spends a token, for nothing may be discarded")
    known = "alice Y5 R4 G3;  bob Y4(4!) W4(4!) G4(4!); rules quuxplusone(hand_size=3)"
    assert choice("confidence", known)[0] == "hint bob yellow"


def test_where_a_hint_must_touch_a_card_it_gives_the_one_that_costs_least() -> None:
    # Colors would make bob play in vain. Fives he would throw away, and fours too, but of those another copy is left.
    position = "alice Y5 R4 G3;  bob W5 Y4 G5;  rules quuxplusone(hand_size=3)"
    assert choice("confidence", position) == ("hint bob 4", "spends a token, for nothing may be discarded")


def test_the_table_is_met_within_0_7_everywhere(enough_games: Enough) -> None:
    count, figures = enough_games(1000, least=500), published_figures("confidence")
    assert figures
    for published in figures:
        summary = play_match(Match.of(published.rules, [find_agent("confidence")], count, 1)).summary
        assert abs(summary.mean - published.figure.value) < 0.7
