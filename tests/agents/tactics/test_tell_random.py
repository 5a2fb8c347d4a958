"""Telling by chance: all hints that the dice may choose."""

from tests.agents.positions import tactic_moves


def test_a_random_card_of_the_next_seat_may_be_told_by_rank_or_color() -> None:
    position = "alice Y4 Y4 G4;  bob R1(R!,1!) W2 G2;  cathy W3 B4 B5"
    hints = {"hint bob 1", "hint bob red", "hint bob 2", "hint bob white", "hint bob green"}
    assert tactic_moves("tell-next-at-random", position) == hints


def test_a_coin_decides_how_a_card_that_fits_is_told_whatever_is_known() -> None:
    position = "alice Y4 Y4 G4;  bob G2 R1(R!,1!) W1;  cathy B1 B4 B5"
    assert tactic_moves("tell-next-playable-at-random", position) == {"hint bob 1", "hint bob red"}
    assert tactic_moves("hle-tell-playable-at-random", position) == {"hint bob 1", "hint bob red"}


def test_only_one_lineage_tells_the_other_seats_by_a_coin() -> None:
    position = "alice Y4 Y4 G4;  bob G2 R2 W3;  cathy B4 B1 B5"
    assert tactic_moves("tell-next-playable-at-random", position) == {"nothing"}
    assert tactic_moves("hle-tell-playable-at-random", position) == {"hint cathy 1", "hint cathy blue"}
