"""What games, views, records and results look like as the last line of a notebook's cell."""

import re
from itertools import product
from xml.etree import ElementTree

import pytest

from kagiya import Game, GameRecord, Match, Rules, Seat, explain, observe, play_match
from kagiya.cards import each_seat
from kagiya.moves import MOVES
from kagiya.search.explanation import Explanation, MoveEstimate
from tests.engine.test_picture import POSITION

SVG = "{http://www.w3.org/2000/svg}"
PLACES = re.compile(r"translate\(([\d.]+) ([\d.]+)\)")


def said(picture: str) -> str:
    """What a screen reader says of it."""
    return ElementTree.fromstring(picture).findtext(f"{SVG}title") or ""


def test_a_game_shows_all_hands() -> None:
    words = said(Game.from_position(POSITION)._repr_svg_())
    assert words == (
        "turn 2, bob to move: 1 of 25 points; fireworks: red 1, yellow 0, green 0, white 0, blue 0; "
        "7 hint tokens, 2 lives, 37 cards in the deck; "
        "alice: red 2, yellow 2, green 3, white 4, blue 5; bob: red 3, red 4, green 1, white 2, blue 3"
    )


def test_an_observation_shows_what_its_seat_knows_of_its_own() -> None:
    words = said(observe(Game.from_position(POSITION), Seat(1))._repr_svg_())
    assert "alice: red 2, yellow 2, green 3, white 4, blue 5" in words
    assert words.endswith("bob: unknown, unknown: any color, 4, unknown, unknown, unknown")


def dealt_again(players: int, seed: int, seat: Seat) -> tuple[Game, Game]:
    """Two games that differ in the cards of one hand, which the other has at the bottom of its deck."""
    game = Game(Rules(players=players), seed=seed)
    assert game.deck is not None
    deck, mine = list(game.deck), observe(game, seat).mine
    for slot in mine.slots:
        here, there = mine.order(slot), len(deck) - 1 - slot
        deck[here], deck[there] = deck[there], deck[here]
    return game, Game(Rules(players=players), deck=deck)


def test_an_observation_does_not_change_when_its_hand_is_dealt_again() -> None:
    changed = 0
    for players, seed in product((2, 3, 4, 5), range(3)):
        for seat in each_seat(players):
            one, other = dealt_again(players, seed, seat)
            assert observe(one, seat)._repr_svg_() == observe(other, seat)._repr_svg_(), (players, seed, seat)
            changed += one._repr_svg_() != other._repr_svg_()
    assert changed, "a game shows the hand: this test could fail"


def test_equal_positions_give_equal_pictures_that_need_nothing_else() -> None:
    picture = Game.from_position(POSITION)._repr_svg_()
    assert picture == Game.from_position(POSITION)._repr_svg_()
    assert not re.search(r"var\(|href|url\(|@import", picture)
    assert "prefers-color-scheme: dark" in picture


@pytest.mark.parametrize("rules", [Rules(players=5), Rules(players=2, colors=6), Rules.preset("hle-very-small")])
def test_nothing_lies_outside_the_picture(rules: Rules) -> None:
    root = ElementTree.fromstring(Game(rules, seed=1)._repr_svg_())
    width, height = (float(part) for part in root.get("viewBox", "").split()[2:])
    for group in root.iter(f"{SVG}g"):
        for x, y in PLACES.findall(group.get("transform", "")):
            assert 0 <= float(x) < width
            assert 0 <= float(y) < height


def finished(seed: int) -> Game:
    game = Game(Rules(players=2), seed=seed)
    while not game.is_over:
        game.make(game.legal_moves[0])
    return game


def test_a_finished_game_says_so() -> None:
    words = said(finished(3)._repr_svg_())
    assert "to move" not in words
    assert re.match(r"over after \d+ turns: \d+ of 25 points;", words)


def test_a_record_shows_its_last_table_and_where_the_points_went() -> None:
    record = GameRecord.of(finished(3), ("<b>careful</b>", "random"), seed=3)
    page = ElementTree.fromstring(record._repr_html_())
    heading = page.findtext("div/b") or ""
    assert heading.startswith("<b>careful</b> + random, 2 players, standard, seed 3: 0 of 25 points, ")
    table, timeline = page.findall(f"{SVG}svg")
    assert (table.findtext(f"{SVG}title") or "").startswith("over after ")
    assert (timeline.findtext(f"{SVG}title") or "").startswith(f"timeline of {record.turns} turns; points lost: alice ")
    turns = [part for part in timeline.iter(f"{SVG}rect") if part.get("data-turn")]
    assert len(turns) == record.turns


def test_a_record_that_cannot_be_played_says_why() -> None:
    record = GameRecord.of(finished(3), ("careful", "random"))
    broken = GameRecord(**{name: getattr(record, name) for name in record.__slots__} | {"moves": (MOVES[0],) * 99})
    assert "move " in broken._repr_html_()
    assert "<svg" not in broken._repr_html_()


def test_imported_suits_keep_their_names() -> None:
    record = GameRecord.of(finished(3), ("careful", "random"))
    live = ("Red", "Yellow", "Green", "Blue", "Purple")
    told = GameRecord(**{name: getattr(record, name) for name in record.__slots__} | {"suits": live})
    assert "purple" in told._repr_html_()
    assert "white" not in told._repr_html_()
    assert "purple" not in record._repr_html_()


def test_an_explanation_shows_the_moves_that_were_weighed() -> None:
    estimates = (MoveEstimate(MOVES[0], 17.3, 90, 0.1), MoveEstimate(MOVES[1], 16.0, 10, None))
    found = Explanation(Seat(0), 2, MOVES[0], estimates, 100, 3, None, None, (), None, 0.0, 0.0)
    page = ElementTree.fromstring(found._repr_html_())
    rows = [[cell.text or cell.findtext("b") for cell in row] for row in page.iter("tr")][1:]
    assert [(row[0], *row[2:]) for row in rows] == [("play 1", "17.30 ± 0.10", "90"), ("play 2", "16.00", "10")]
    assert len(page.findall(f".//{SVG}svg")) == 2
    plain = explain(Game(Rules(players=3), seed=7), "iggi")._repr_html_()
    assert plain.startswith("<div><div><b>alice: ")
    assert "<table>" not in plain


def test_a_result_shows_the_distribution_of_its_scores() -> None:
    result = play_match(Match.of(Rules(players=3), "careful", 50, seed=3))
    page = ElementTree.fromstring(result._repr_html_())
    assert (page.findtext("div/b") or "").startswith("careful, 3 players, standard: ")
    (picture,) = page.findall(f"{SVG}svg")
    assert "50 games" in (picture.findtext(f"{SVG}title") or "")
    facts = {row[0].text: row[1].text for row in page.iter("tr")}
    assert facts["mean"] == f"{result.summary.mean:.3f} ± {result.summary.se:.3f}"
    assert "<svg" in result.summary._repr_html_()
    failed = play_match(Match.of(Rules(players=3), "tests.cli.players:Illegal", 5))
    assert "no of 5 games; alice (seat 1, " in failed._repr_html_()
    assert "<svg" not in failed._repr_html_()
