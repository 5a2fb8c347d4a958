import re
import xml.etree.ElementTree as ElementTree

from kagiya import Game, Rules, Seat
from kagiya.lab.documents.table_picture import WIDTH, example_game, table_svg


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def test_own_cards_show_their_backs_and_others_their_faces() -> None:
    found = words(table_svg(example_game(), Seat(0)))
    assert found.count("?") == 5
    assert "alice (you)" in found


def test_the_hint_to_alice_stands_below_her_cards() -> None:
    game = example_game()
    found = words(table_svg(game, Seat(0)))
    first = found.index("alice (you)")
    assert found[first + 2 : first + 11 : 2] == ["B", "", "", "", "B"]


def test_nothing_lies_outside_the_picture() -> None:
    for players in (2, 3, 4, 5):
        svg = table_svg(Game(Rules(players=players), seed=1), Seat(1))
        height = int(re.search(r'viewBox="0 0 \d+ (\d+)"', svg)[1])  # type: ignore[index]
        for left, top, width, high in re.findall(r'x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', svg):
            assert int(left) + int(width) <= WIDTH
            assert int(top) + int(high) <= height
