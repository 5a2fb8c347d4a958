"""HolmesBot's deductions, a position for each."""

from tests.agents.conventions import choice

WARNS = "warns {receiver} that {critical}"
PLAYS = "plays {slot}, which must fit"
TELLS = "tells {receiver} that {playable}"
GAMBLES = "plays {slot}, not knowing what it is"
RECLAIMS = "spends a token, for nothing may be discarded"
DISCARDS_USELESS = "discards {slot}, which is useless"
DISCARDS_CHOP = "discards {slot}, the oldest not known to be valuable"
DULL = ";  deck Y2 W2 G2 ..."  # nothing that comes from the deck fits


def test_a_color_names_the_next_card_of_that_color() -> None:
    position = "fireworks R1;  tokens 5;  alice G3 W4 B3;  bob R2 W4 Y3;  cathy G4 W3 B4"
    assert choice("holmesbot", position) == ("hint bob red", TELLS)
    assert choice("holmesbot", position, "hint bob red") == ("play 1", PLAYS)


def test_it_warns_and_the_next_card_is_discarded() -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob G5 W4 Y3;  cathy G4 W3 B4"
    assert choice("holmesbot", position) == ("hint bob 5", WARNS)
    assert choice("holmesbot", position, "hint bob 5") == ("discard 2", DISCARDS_CHOP)


def test_a_rank_does_not_warn_if_the_next_discard_cannot_be_the_last_copy() -> None:
    # The last yellow four is the only valuable one, and bob's first card is not yellow.
    position = "fireworks W3;  discards Y4;  tokens 5;  alice G3 W3 B3;  bob W4(RGWB) G3 Y3;  cathy R3 W2 B4"
    assert choice("holmesbot", position, "hint bob 4") == ("play 1", PLAYS)
    position = position.replace("(RGWB)", "")
    assert choice("holmesbot", position, "hint bob 4") == ("discard 2", DISCARDS_CHOP)


def test_what_a_hint_leaves_out_counts() -> None:
    position = "fireworks R1;  tokens 5;  alice G3 W4 B3;  bob W1(W!,12) R2 Y3;  cathy G4 W3 B4"
    assert choice("holmesbot", position, "hint bob 2") == ("play 1", PLAYS)  # no two, so the white one


def test_what_is_known_of_some_cards_settles_others() -> None:
    # Both red twos are known elsewhere, so bob's two is the yellow one.
    position = """
        fireworks Y1;  tokens 5;  seat bob
        alice R2(R!,2!) W4 B3;  bob Y2(RY,2!) W3 Y3;  cathy R2(R!,2!) W3 Y4
    """
    assert choice("holmesbot", position) == ("play 1", PLAYS)


def test_a_card_that_can_only_be_played_already_is_useless() -> None:
    position = "fireworks R2;  tokens 0;  alice G3 R1(R!,12) B3;  bob R4 W4 Y3;  cathy G4 W3 B4"
    assert choice("holmesbot", position) == ("discard 2", DISCARDS_USELESS)


def test_a_hint_may_touch_a_card_that_does_not_fit_if_its_owner_will_know() -> None:
    position = "fireworks R1;  tokens 5;  alice G3 W4 B3;  bob R5(5!) R2 Y3;  cathy G4 W3 B4"
    assert choice("holmesbot", position) == ("hint bob red", TELLS)
    assert choice("holmesbot", position, "hint bob red") == ("play 2", PLAYS)


NEARLY_OVER = """
    rules quuxplusone(hand_size=2, colors=1);  tokens 0;  fireworks R1
    alice R3 R2;  bob R4 R5
"""


def test_with_one_card_left_in_the_deck_it_plays_its_newest_unknown_card() -> None:
    two_left = NEARLY_OVER + ";  discards R1 R1 R2;  deck R3 R4"
    assert choice("holmesbot", two_left) == ("discard 1", DISCARDS_CHOP)
    one_left = NEARLY_OVER + ";  discards R1 R1 R2 R3;  deck R4"
    assert choice("holmesbot", one_left) == ("play 2", GAMBLES)
    assert choice("holmesbot", one_left.replace("R3 R2", "R2 R3(3!)")) == ("play 1", GAMBLES)


def test_only_the_safe_variant_keeps_its_last_life() -> None:
    one_left = NEARLY_OVER + ";  discards R1 R1 R2 R3;  deck R4;  lives 1"
    assert choice("holmesbot", one_left) == ("play 2", GAMBLES)
    assert choice("holmesbot(safe=yes)", one_left) == ("discard 1", DISCARDS_CHOP)


def test_all_tokens_there_it_tells_the_right_neighbor_a_rank_that_means_nothing() -> None:
    position = "tokens 8;  alice G3 W4 B3;  bob W4 Y3 Y3;  cathy G4 W3 B4"
    assert choice("holmesbot", position) == ("hint cathy 4", RECLAIMS)
    assert choice("holmesbot", position, "hint cathy 4", "discard 1")[1] != PLAYS
