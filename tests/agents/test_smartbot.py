"""SmartBot's conventions, a position or two for each."""

import pytest

from tests.agents.conventions import choice

WARNS = "warns {receiver} that {critical}"
FINESSES = "discards {slot}, which a partner will play instead"
PLAYS = "plays {slot}, which must fit"
TELLS = "tells {receiver} that {playable}"
GAMBLES = "plays {slot}, not knowing what it is"
RECLAIMS = "spends a token, for nothing may be discarded"
DISCARDS_USELESS = "discards {slot}, which is useless"
DISCARDS_CHOP = "discards {slot}, the likeliest to be useless"
DISCARDS_VALUABLE = "discards {slot}, the highest of valuable cards"
DULL = ";  deck Y2 W2 G2 ..."  # nothing that comes from the deck fits


def test_a_hint_asks_for_the_newest_card_it_touches() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R4 R1 Y3;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("hint bob red", TELLS)
    assert choice("smartbot", position, "hint bob red") == ("play 2", PLAYS)


def test_the_newest_card_is_the_one_drawn_last_wherever_it_went() -> None:
    position = """
        rules goodman(hand_size=3);  tokens 5;  discards Y4 Y4 W4
        alice G3 W4 B3;  bob R1#9 R4 Y3;  cathy G4 W3 B4
    """
    assert choice("smartbot", position) == ("hint bob red", TELLS)
    assert choice("smartbot", position, "hint bob red") == ("play 1", PLAYS)


def test_a_hint_that_would_ask_for_a_wrong_card_is_not_given() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R1 R4 Y3;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("hint bob 1", TELLS)  # red would ask for the four


def test_a_hint_that_settles_a_card_by_itself_asks_for_no_other() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R1(1!) R4(2345) Y3(2345);  cathy G4 W3 B4"
    assert choice("smartbot", position, "hint bob red") == ("play 1", PLAYS)
    later = choice("smartbot", position + DULL, "hint bob red", "play 1", "discard 1", "discard 1")
    assert later[1] == DISCARDS_CHOP


def test_the_hint_that_strikes_most_kinds_is_given_and_a_color_if_equal() -> None:
    nothing_known = "tokens 5;  alice G3 W4 B3;  bob R1 W3 Y3;  cathy G4 W3 B4"
    assert choice("smartbot", nothing_known) == ("hint bob red", TELLS)
    color_known = "tokens 5;  alice G3 W4 B3;  bob R1(R!) W3(YGWB) Y3(YGWB);  cathy G4 W3 B4"
    assert choice("smartbot", color_known) == ("hint bob 1", TELLS)


def test_it_warns_before_it_plays() -> None:
    position = "tokens 5;  alice R1(R!,1!) W4 B3;  bob G5 W4 Y3;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("hint bob 5", WARNS)
    assert choice("smartbot", position, "hint bob 5") == ("discard 2", DISCARDS_CHOP)


def test_without_a_token_it_cannot_warn() -> None:
    position = "tokens 0;  alice R1(R!,1!) W4 B3;  bob G5 W4 Y3;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("play 1", PLAYS)


def test_rather_than_warn_it_gives_the_next_seat_something_to_play() -> None:
    position = "tokens 5;  alice B1(B!,1!) W4 B3;  bob G5 W4 R1;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("hint bob red", WARNS)
    assert choice("smartbot", position, "hint bob red") == ("play 3", PLAYS)


def test_no_one_is_warned_but_the_next_seat_of_its_next_discard() -> None:
    position = "tokens 5;  alice R1(R!,1!) W4 B3;  bob W4 G5 Y3;  cathy R5 W3 B4"
    assert choice("smartbot", position) == ("play 1", PLAYS)


def test_a_rank_that_would_be_taken_for_a_warning_does_not_ask_for_a_card() -> None:
    position = "fireworks Y1;  tokens 5;  alice G3 W4 B3;  bob G2 Y2 Y4;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("hint bob 2", TELLS)
    last_two = position + ";  discards R2"  # the next discard might be the other red two
    assert choice("smartbot", last_two)[1] == DISCARDS_CHOP


def test_a_card_of_which_no_one_warned_is_not_valuable() -> None:
    position = "fireworks Y3;  tokens 5;  alice G3 W4 B3;  bob Y4(Y!,45) R5(R!,5!) G5(G!,5!);  cathy G4 W3 B4"
    assert choice("smartbot", position + ";  seat bob") == ("discard 1", DISCARDS_CHOP)
    assert choice("smartbot", position, "discard 1") == ("play 1", PLAYS)  # not the five, so the four


def test_the_missing_warning_says_nothing_if_there_was_no_token() -> None:
    position = "fireworks Y3;  tokens 0;  alice G3 W4 B3;  bob Y4(Y!,45) R5(R!,5!) G5(G!,5!);  cathy G4 W3 B4"
    assert choice("smartbot", position + DULL, "discard 1") == ("discard 1", DISCARDS_CHOP)


def test_it_discards_what_a_partner_can_play_instead() -> None:
    position = "tokens 5;  alice R1(R!,1!) W4 B3;  bob B2 W3 Y3;  cathy G4 W3 R1"
    assert choice("smartbot", position) == ("discard 1", FINESSES)
    assert choice("smartbot", position + DULL, "discard 1", "discard 1") == ("play 3", PLAYS)


@pytest.mark.parametrize(
    "others",
    [
        "tokens 5;  bob W4 W3 R1;  cathy G4 W3 R1",  # each would think of the other
        "tokens 5;  bob W4 W3 Y3;  cathy G4 R1(R!) W3(YGWB)",  # it is not the newest card
        "tokens 8;  bob W4 W3 Y3;  cathy G4 W3 R1",  # nothing may be discarded
    ],
)
def test_it_plays_what_it_cannot_leave_to_a_partner(others: str) -> None:
    assert choice("smartbot", "alice R1(R!,1!) W4 B3;  " + others) == ("play 1", PLAYS)


def test_it_first_plays_what_the_others_do_not_know_to_fit() -> None:
    # One red one is played and two lie in sight: alice's second card is yellow.
    position = "fireworks R1;  tokens 5;  alice G1(G!,1!) Y1(RY,1!) B3;  bob W4 W3 R1;  cathy G4 R1 Y3"
    assert choice("smartbot", position) == ("play 2", PLAYS)


def test_of_cards_that_all_know_to_fit_it_plays_the_lowest() -> None:
    position = "fireworks R1;  tokens 5;  alice R2(R!,2!) G1(G!,1!) B3;  bob W4 W3 Y3;  cathy G4 W3 Y4"
    assert choice("smartbot", position) == ("play 2", PLAYS)


def test_all_tokens_there_it_tells_the_right_neighbor_a_rank_that_asks_for_nothing() -> None:
    position = "tokens 8;  alice G3 W4 B3;  bob W4 Y3 Y3;  cathy G4 W3 B4"
    assert choice("smartbot", position) == ("hint cathy 4", RECLAIMS)
    would_ask = "fireworks B3;  alice G3 W4 Y3;  bob W4 Y3 Y4;  cathy B4 W3 G2" + DULL
    assert choice("smartbot", would_ask + ";  tokens 8", "hint cathy 4", "discard 1")[1] != PLAYS
    assert choice("smartbot", would_ask + ";  tokens 7", "hint cathy 4", "discard 1") == ("play 1", PLAYS)


NEARLY_OVER = """
    rules quuxplusone(hand_size=2, colors=1);  tokens 0;  fireworks R1
    alice R3 R2;  bob R4 R5
"""


def test_near_the_end_of_the_deck_it_plays_the_card_likeliest_to_fit() -> None:
    two_left = NEARLY_OVER + ";  discards R1 R1 R2;  deck R3 R4"
    assert choice("smartbot", two_left) == ("play 2", GAMBLES)  # the newest of equals
    assert choice("smartbot", two_left.replace("R3 R2", "R2(23) R3")) == ("play 1", GAMBLES)
    assert choice("smartbot", two_left + ";  lives 2") == ("discard 1", DISCARDS_CHOP)


def test_only_the_safe_variant_keeps_its_last_life() -> None:
    one_left = NEARLY_OVER + ";  discards R1 R1 R2 R3;  deck R4;  lives 1"
    assert choice("smartbot", one_left) == ("play 2", GAMBLES)
    assert choice("smartbot(safe=yes)", one_left) == ("discard 1", DISCARDS_CHOP)
    assert choice("smartbot(safe=yes)", one_left.replace("lives 1", "lives 2")) == ("play 2", GAMBLES)


def test_in_the_last_round_playing_comes_before_warning() -> None:
    position = "rules quuxplusone(hand_size=2, colors=1);  tokens 2;  fireworks R1;  alice R3 R2(2!);  bob R5 R4"
    assert choice("smartbot", position + ";  discards R1 R1 R2 R3;  deck R4") == ("hint bob 5", WARNS)
    assert choice("smartbot", position + ";  discards R1 R1 R2 R3 R4;  deck") == ("play 2", PLAYS)


def test_of_useless_cards_it_first_discards_the_one_that_others_do_not_know() -> None:
    # All green ones lie in sight, so alice's second card is the red one.
    position = "fireworks R1;  tokens 0;  alice R1(R!,1!) R1(RG,1!) B3;  bob G1 G1 W4;  cathy G1 W3 Y4"
    assert choice("smartbot", position) == ("discard 2", DISCARDS_USELESS)


def test_it_discards_the_card_likeliest_to_be_useless_even_if_it_is_newer() -> None:
    position = "fireworks R1 Y1 G1;  tokens 0;  alice B3(345) W1(12) R4(345);  bob W4 W3 Y3;  cathy G4 W3 Y4"
    assert choice("smartbot", position) == ("discard 2", DISCARDS_CHOP)


def test_of_valuable_cards_it_discards_the_highest() -> None:
    position = """
        tokens 0;  discards G4
        alice G4(G!,4!) R5(R!,5!) B5(B!,5!);  bob W4 W3 Y3;  cathy Y1 W3 Y4
    """
    assert choice("smartbot", position) == ("discard 2", DISCARDS_VALUABLE)


def test_what_is_known_of_some_cards_settles_others() -> None:
    # Both red twos are known elsewhere, so bob's two is the yellow one.
    position = """
        fireworks Y1;  tokens 5;  seat bob
        alice R2(R!,2!) W4 B3;  bob Y2(RY,2!) W3 Y3;  cathy R2(R!,2!) W3 Y4
    """
    assert choice("smartbot", position) == ("play 1", PLAYS)
