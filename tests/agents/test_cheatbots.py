"""The players that see their own hand: their turns, a position for each."""

import pytest

from tests.agents.conventions import choice

OTHERS = ";  bob G3 W4 Y3;  cathy G4 W3 B4"


def test_cheatbot_plays_the_lowest_card_but_first_what_its_partners_wait_for() -> None:
    position = "fireworks R1;  tokens 5;  alice R2 G1 B3"
    assert choice("cheatbot", position + OTHERS)[0] == "play 2"
    assert choice("cheatbot", position + OTHERS.replace("B4", "R3"))[0] == "play 1"


def test_cheatbot_spends_a_life_where_it_may_not_discard() -> None:
    position = "fireworks R1;  tokens 8;  alice G3 R1 B3" + OTHERS
    assert choice("cheatbot", position) == ("play 2", "discards {slot}, which is useless")
    assert choice("cheatbot", position + ";  lives 1") == ("hint bob 3", "spends a token")
    assert choice("cheatbot", position.replace("tokens 8", "tokens 3")) == (
        "discard 2",
        "discards {slot}, which is useless",
    )


def test_cheatbot_discards_what_others_hold_too() -> None:
    position = "tokens 3;  alice G2 Y4 B3;  bob G3 Y4 R1;  cathy G4 W3 B4"
    assert choice("cheatbot", position) == ("discard 2", "discards {slot}, seen elsewhere")


def test_cheatbot_waits_while_a_partner_can_play() -> None:
    position = "tokens 3;  alice G2 Y4 B3;  bob G3 W4 R1;  cathy G4 W3 B4"
    assert choice("cheatbot", position) == ("hint bob 3", "spends a token")
    assert choice("cheatbot", position.replace("R1", "R4")) == ("discard 2", "discards {slot}, needed late")


def test_hanabirs_cheat_leaves_a_card_to_a_partner_with_less_to_do() -> None:
    position = "fireworks R1;  tokens 5;  alice R2 G1 G5;  bob G3 W4 Y3;  cathy G4 W3 G1"
    assert choice("hanabirs-cheat", position) == ("play 1", "plays {slot}")
    busy = position.replace("G4 W3 G1", "R5 W3 G1")  # cathy has a five to think of, as alice has
    assert choice("hanabirs-cheat", busy) == ("play 2", "plays {slot}")
    assert choice("hanabirs-cheat", position.replace("G4 W3 G1", "G4 W3 B4"))[0] == "play 2"


@pytest.mark.parametrize(
    ("change", "move", "reason"),
    [
        ("tokens 8", "hint bob 3", "spends a token, for nothing may be discarded"),
        ("tokens 3", "discard 2", "discards {slot}, which is useless, while there is time"),
    ],
)
def test_hanabirs_cheat_on_its_own_spare_cards(change: str, move: str, reason: str) -> None:
    position = f"{change};  fireworks R1;  alice G4 G4 B3;  bob G3 W4 Y3;  cathy R4 W3 G1"
    assert choice("hanabirs-cheat", position) == (move, reason)


def test_hanabirs_cheat_waits_while_a_partner_can_play_and_then_discards_what_is_least_missed() -> None:
    position = "tokens 3;  alice G2 Y4 B5;  bob G3 Y4 {};  cathy R4 W3 B4"
    assert choice("hanabirs-cheat", position.format("R1")) == ("hint bob 3", "spends a token, for a partner can play")
    assert choice("hanabirs-cheat", position.format("R3")) == ("discard 2", "discards {slot}, which is least missed")
