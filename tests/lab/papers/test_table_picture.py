"""The picture of docs/rules.md shows what the page says."""

from xml.etree import ElementTree

from kagiya.lab.papers.pictures import example_game, example_picture

SVG = "{http://www.w3.org/2000/svg}"


def test_it_is_the_table_as_alice_sees_it() -> None:
    said = ElementTree.fromstring(example_picture()).findtext(f"{SVG}title") or ""
    heading, *_, alice, bob, cathy = said.split("; ")
    assert heading == "turn 7, alice to move: 1 of 25 points"
    assert alice.count("unknown: ") == 5
    assert alice.startswith("alice: unknown: blue, any rank, unknown: red or yellow or green or white, any rank, ")
    assert bob == "bob: white 2, red 5, blue 2, green 1, white 4"
    assert cathy == "cathy: green 2, blue 4, green 1, red 2, red 3"


def test_bobs_hint_was_the_last_but_one_move() -> None:
    assert [str(move) for move in example_game().moves[-2:]] == ["hint +2 blue", "discard 5"]
