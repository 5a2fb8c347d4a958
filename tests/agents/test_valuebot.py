"""ValueBot's turns, a position for each."""

from tests.agents.conventions import choice

WARNS = "warns {receiver} that {critical}"
PLAYS = "plays {slot}, told to be playable"
TELLS = "tells {receiver} that {playable}"
RECLAIMS = "spends a token, for nothing may be discarded"
DISCARDS_USELESS = "discards {slot}, which is useless"
DISCARDS_CHOP = "discards {slot}, the oldest not known to be valuable"
DISCARDS_VALUABLE = "discards {slot}, the highest of valuable cards"
DULL = ";  deck Y2 W2 G2 ..."  # nothing that comes from the deck fits


def test_it_warns_of_a_last_copy_and_the_next_card_is_discarded() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob G5 W4 Y3;  cathy G4 W3 B4"
    assert choice("valuebot", position) == ("hint bob 5", WARNS)
    assert choice("valuebot", position, "hint bob 5") == ("discard 2", DISCARDS_CHOP)


def test_rather_than_warn_it_gives_the_next_seat_something_to_play() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob G5 W4 R1;  cathy G4 W3 B4"
    assert choice("valuebot", position) == ("hint bob red", WARNS)
    assert choice("valuebot", position, "hint bob red") == ("play 3", PLAYS)


def test_a_warning_with_the_lowest_rank_asks_to_play() -> None:
    position = "discards Y1 Y1;  tokens 5;  alice G3 W4 B3;  bob Y1 W4 Y3;  cathy G4 W3 B4"
    assert choice("valuebot", position, "hint bob 1") == ("play 1", PLAYS)


def test_a_rank_of_which_some_color_is_a_last_copy_warns_only_of_the_next_discard() -> None:
    position = "discards Y4;  tokens 5;  alice G3 W4 B3;  bob G4 W4 Y3;  cathy G3 W3 B4"
    assert choice("valuebot", position, "hint bob 4") == ("discard 2", DISCARDS_CHOP)
    position = "fireworks W3;  discards Y1;  tokens 5;  alice G3 W4 B3;  bob G4 W4 Y3;  cathy G3 W2 B4"
    assert choice("valuebot", position, "hint bob 4") == ("play 1", PLAYS)  # all fours: none is a last copy


def test_a_rank_that_would_be_taken_for_a_warning_does_not_tell_of_cards() -> None:
    position = "fireworks G1 Y1;  tokens 5;  alice G3 W4 B3;  bob G2 Y2 Y4;  cathy G4 W3 B4"
    assert choice("valuebot", position) == ("hint bob 2", TELLS)
    assert choice("valuebot", position + ";  discards R2") == ("hint bob green", TELLS)


def test_a_color_hint_may_touch_a_card_whose_rank_is_known() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R5 R1 Y3;  cathy G4 W3 B4" + DULL
    assert choice("valuebot", position) == ("hint bob 1", WARNS)
    assert choice("valuebot", position, "hint bob 5", "discard 3") == ("hint bob red", TELLS)
    assert choice("valuebot", position, "hint bob 5", "discard 3", "hint bob red", "discard 1") == ("play 2", PLAYS)


def test_a_rank_played_in_all_colors_is_useless() -> None:
    position = """
        rules quuxplusone(hand_size=3, colors=2);  fireworks R1;  tokens 1;  deck Y4 Y3 R1 ...
        alice Y3 R4 R3;  bob Y1 Y1 R4;  cathy R3 R1 Y4
    """
    story = ("hint bob yellow", "play 1", "discard 1", "discard 1")
    assert choice("valuebot", position, *story) == ("discard 1", DISCARDS_USELESS)


def test_of_valuable_cards_it_discards_the_highest() -> None:
    position = "discards G3 G4;  tokens 5;  alice W3 W4 B3;  bob G3 G4 R5;  cathy Y4 W3 B4"
    story = ("hint bob 3", "hint cathy 3", "discard 1", "hint bob 4", "hint cathy 4", "discard 1", "hint bob 5")
    assert choice("valuebot", position + DULL, *story) == ("discard 3", DISCARDS_VALUABLE)


def test_all_tokens_there_it_tells_the_right_neighbor_a_rank_that_means_nothing() -> None:
    position = "tokens 8;  alice G3 W4 B3;  bob W4 Y3 Y3;  cathy G4 W3 B4"
    assert choice("valuebot", position) == ("hint cathy 4", RECLAIMS)
    assert choice("valuebot", position, "hint cathy 4", "discard 1")[1] != PLAYS
