"""SimpleBot's turns, a position for each."""

from tests.agents.conventions import choice

PLAYS = "plays {slot}, told to be playable"
TELLS = "tells {receiver} that {playable}"
RECLAIMS = "spends a token, for nothing may be discarded"
DISCARDS = "discards {slot}, its oldest card"
DULL = ";  deck Y2 W2 G2 ..."  # nothing that comes from the deck fits


def test_the_hint_that_makes_most_cards_known_is_given_and_a_color_if_equal() -> None:
    assert choice("simplebot", "tokens 5;  alice G3 W4 B3;  bob R1 Y1 Y3;  cathy G4 W3 B4") == ("hint bob 1", TELLS)
    assert choice("simplebot", "tokens 5;  alice G3 W4 B3;  bob R1 R1 Y3;  cathy G4 W3 B4") == ("hint bob red", TELLS)


def test_no_hint_may_touch_a_card_that_does_not_fit() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R1 R4 W1;  cathy G4 W3 B4"
    assert choice("simplebot", position) == ("hint bob 1", TELLS)
    position = "fireworks W1;  tokens 5;  alice G3 W4 B3;  bob R1 R4 W1;  cathy G4 W3 B4"
    assert choice("simplebot", position) == ("discard 1", DISCARDS)


def test_of_the_cards_told_it_plays_the_lowest() -> None:
    position = "fireworks R1;  tokens 5;  alice G3 W4 B3;  bob G4 W3 B4;  cathy R2 Y1 Y3"
    assert choice("simplebot", position, "hint cathy red", "hint cathy 1") == ("play 2", PLAYS)


def test_once_a_card_is_played_those_that_may_be_the_same_are_not_played() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R1 Y1 Y3;  cathy G4 W3 B4" + DULL
    assert choice("simplebot", position, "hint bob 1") == ("play 1", PLAYS)
    later = ("hint bob 1", "play 1", "discard 1", "discard 1")
    assert choice("simplebot", position, *later)[1] != PLAYS


def test_a_five_stays_playable_for_there_is_only_one_of_each() -> None:
    position = "fireworks R4 Y4;  tokens 5;  alice G3 W4 B3;  bob R5 Y5 Y3;  cathy G4 W3 B4" + DULL
    assert choice("simplebot", position, "hint bob 5", "play 1", "discard 1", "discard 1") == ("play 1", PLAYS)


def test_nothing_protects_a_five_from_being_discarded() -> None:
    position = "tokens 0;  alice G5 W4 B3;  bob R3 W3 Y3;  cathy G2 G4 B4"
    assert choice("simplebot", position) == ("discard 1", DISCARDS)


def test_the_oldest_card_is_the_one_drawn_first_wherever_it_is() -> None:
    position = "rules goodman(hand_size=3);  tokens 0;  discards Y4 Y4 W4;  alice G5#8 W4 B3;  bob R3 W3 Y3"
    assert choice("simplebot", position) == ("discard 2", DISCARDS)


def test_all_tokens_there_it_tells_the_right_neighbor_a_rank_that_means_nothing() -> None:
    position = "tokens 8;  alice G3 W4 B3;  bob W4 Y3 Y3;  cathy G4 W3 B4"
    assert choice("simplebot", position) == ("hint cathy 4", RECLAIMS)
    assert choice("simplebot", position, "hint cathy 4", "discard 1")[1] != PLAYS
    fits = "fireworks G3;  tokens 7;  alice G3 W4 B3;  bob W4 Y3 Y3;  cathy G4 W3 B3"
    assert choice("simplebot", fits, "hint cathy 4", "discard 1") == ("play 1", PLAYS)
