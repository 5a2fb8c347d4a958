"""Agents that are lists of tactics: the turns that set each apart, and the scores that were published of them."""

from collections.abc import Callable

import pytest

from kagiya import Match, PublishedFigure, agent_types, find_agent, play_match, published_figures
from kagiya.lab.papers.paper_tables import Estimate
from kagiya.lab.papers.verdicts import Distance
from tests.agents.positions import agent_move, agent_moves

FAMILIES = ("competition framework", "HLE lineage", "van den Bergh")

LIKELY = "fireworks R1 Y1;  alice Y5 R1(1!) G3;  bob Y4 Y4 G4"  # slot 2 fits with a chance of 9 in 13
NOTHING_TO_TELL = "alice Y5 R4 G3;  bob Y4 Y4 G4"


@pytest.mark.parametrize(
    ("agent", "move"),
    [
        ("cautious", "discard"),
        ("iggi", "discard"),
        ("iggi2", "play 2"),
        ("flawed", "play 2"),
        ("piers", "play 2"),
        ("risky", "discard"),
        ("risky(threshold=0.6)", "play 2"),
        ("internal", "hint"),
        ("outer", "hint"),
        ("vdb", "play 2"),
        ("clivej", "hint"),
        ("brooks-vdb", "play 2"),
        ("brooks-mute", "play 2"),
        ("vdbergh", "play 2"),
        ("vdbergh(play=0.7)", "hint"),
    ],
)
def test_who_plays_a_card_that_fits_with_a_chance_of_nine_in_thirteen(agent: str, move: str) -> None:
    assert agent_move(agent, LIKELY).startswith(move)


@pytest.mark.parametrize("agent", ["iggi2", "piers", "vdb", "brooks-piers", "brooks-vdb", "vdbergh"])
def test_who_dares_nothing_on_the_last_life(agent: str) -> None:
    assert agent_move(agent, LIKELY + "; lives 2") == "play 2"
    assert not agent_move(agent, LIKELY + "; lives 1").startswith("play")


@pytest.mark.parametrize("agent", ["flawed", "risky(threshold=0.6)", "brooks-flawed", "vdbergh(safety=0)"])
def test_who_does_not_care_for_lives(agent: str) -> None:
    assert agent_move(agent, LIKELY + "; lives 1") == "play 2"


def test_piers_tells_what_is_dispensable_when_few_tokens_are_left() -> None:
    position = "fireworks R1;  alice Y5 W4 G3;  bob R1(1!) Y4 G4"
    assert agent_move("piers", position + "; tokens 3") == "hint bob red"
    assert agent_move("piers", position + "; tokens 4") == "discard 1"
    assert agent_move("brooks-piers", position + "; tokens 2") == "hint bob red"
    assert agent_move("brooks-piers", position + "; tokens 3") == "discard 1"


def test_only_brooks_piers_plays_anything_once_the_deck_is_empty() -> None:
    last_round = """
        rules standard(colors=1, hand_size=2);  tokens 4;  deck;  left 2
        fireworks R1;  discards R1 R1 R2 R3 R4;  alice R3 R5;  bob R4 R2
    """
    assert agent_move("brooks-piers", last_round + "; lives 2") == "play 1"
    assert agent_move("brooks-piers", last_round + "; lives 1") == "hint bob 2"
    assert agent_move("piers", last_round + "; lives 2") == "hint bob 2"


def test_internal_and_outer_speak_to_the_next_seat_only() -> None:
    position = "alice Y5 W4 G3;  bob Y2 Y4 G4;  cathy B1 B2 B3"
    for agent in ("internal", "outer"):
        assert all(move.startswith("hint bob") for move in agent_moves(agent, position))
    assert agent_move("brooks-outer", position) == "hint cathy 1"


def test_internal_repeats_itself_and_outer_does_not() -> None:
    position = "alice Y5 W4 G3;  bob R1(R!,1!) Y4 G4"
    assert agent_moves("internal", position) == {"hint bob 1", "hint bob red"}
    assert agent_moves("outer", position) == {"hint bob yellow"}


def test_vdb_tells_most_news_where_vdb_useless_tells_of_a_useless_card() -> None:
    position = "fireworks R1;  alice Y5 W4 G3;  bob R1 Y4 Y3"
    assert agent_move("vdb", position) == "hint bob yellow"
    assert agent_move("vdb-useless", position) == "hint bob 1"
    assert agent_move("brooks-vdb", position) == "hint bob red"


def test_vdb_discards_the_likeliest_useless_card_when_no_token_is_left() -> None:
    assert agent_move("vdb", "tokens 0;  fireworks R1;  alice Y5(5!) R1(R!) G4(4!);  bob Y4 Y4 G4") == "discard 2"


def test_where_the_framework_gives_up_the_game_risky_makes_any_legal_move() -> None:
    moves = agent_moves("risky", NOTHING_TO_TELL + "; tokens 8")
    assert any(move.startswith("play") for move in moves)
    assert any(move.startswith("hint") for move in moves)


def test_mute_would_rather_play_blindly_than_tell() -> None:
    assert agent_move("brooks-mute", NOTHING_TO_TELL + "; tokens 8").startswith("play")
    assert agent_move("brooks-mute", NOTHING_TO_TELL + "; tokens 7").startswith("discard")


VAN_DEN_BERGHS_HINTS = "fireworks R1 Y3;  alice Y5 W4 G3;  bob Y4 Y1(1!) R2;  cathy W1 B4 B3"


@pytest.mark.parametrize(
    ("rule", "move"),
    [(2, "hint bob yellow"), (3, "hint bob 2"), (4, "hint bob 2")],
    ids=["largest", "playable", "both"],
)
def test_van_den_berghs_hint_rules(rule: int, move: str) -> None:
    assert agent_moves(f"vdbergh(hint_rule={rule})", VAN_DEN_BERGHS_HINTS) == {move}


def test_van_den_berghs_first_hint_rule_gives_any_hint_to_anybody() -> None:
    bob = {"hint bob 1", "hint bob 2", "hint bob 4", "hint bob red", "hint bob yellow"}
    cathy = {"hint cathy 1", "hint cathy 3", "hint cathy 4", "hint cathy white", "hint cathy blue"}
    assert agent_moves("vdbergh(hint_rule=1)", VAN_DEN_BERGHS_HINTS) == bob | cathy
    assert agent_moves("vdbergh(hint_rule=1, receivers=next)", VAN_DEN_BERGHS_HINTS) == bob


def test_van_den_bergh_tells_all_seats_in_turn_order() -> None:
    position = "alice Y5 W4 G3;  bob Y4 Y3 R2;  cathy W1 B4 B3"
    assert agent_move("vdbergh", position) == "hint cathy 1"
    assert agent_move("vdbergh(receivers=next)", position) == "hint bob yellow"


def test_van_den_bergh_tells_the_rank_of_a_card_that_fits_and_never_its_color() -> None:
    position = "alice Y5 W4 G3;  bob W1(1!) W4 B4;  cathy R2 R3 R4"
    assert agent_move("vdbergh", position) == "hint cathy red"  # the largest news; bob knows that he has a one
    assert agent_move("vdbergh(parts=both)", position) == "hint bob white"


def test_van_den_bergh_counts_only_the_cards_that_a_hint_is_news_for() -> None:
    position = "alice Y5 W4 G3;  bob Y4(Y!) Y3(Y!) Y2(Y!);  cathy R4 G3 B3"
    assert agent_move("vdbergh(hint_rule=2)", position) == "hint cathy 3"
    assert agent_move("vdbergh(hint_rule=2, counts=all)", position) == "hint bob yellow"


def test_van_den_berghs_fourth_hint_rule_tells_of_a_useless_card_when_none_fits() -> None:
    position = "fireworks R1;  alice Y5 W4 G3;  bob Y4 R1 Y3"
    assert agent_move("vdbergh(hint_rule=3)", position) == "hint bob yellow"
    assert agent_move("vdbergh(hint_rule=4)", position) == "hint bob 1"


@pytest.mark.parametrize(
    ("rule", "moves"),
    [(1, {"discard 1", "discard 2", "discard 3"}), (2, {"discard 2"}), (3, {"discard 3"}), (4, {"discard 1"})],
)
def test_van_den_berghs_discard_rules(rule: int, moves: set[str]) -> None:
    position = """
        tokens 0;  fireworks R1;  discards W1 W3 W4 G3
        alice B2(2!)#9 R1(R!)#8 G3(G!)#6;  bob Y4 Y4 G4
    """
    assert agent_moves(f"vdbergh(discard_rule={rule})", position) == moves


def test_van_den_bergh_hints_with_the_probability_given() -> None:
    assert agent_move("vdbergh(hint=0)", NOTHING_TO_TELL).startswith("discard")
    assert agent_move("vdbergh(hint=0)", NOTHING_TO_TELL + "; tokens 8").startswith("hint")
    kinds = {move.split()[0] for move in agent_moves("vdbergh(hint=0.5)", NOTHING_TO_TELL)}
    assert kinds == {"hint", "discard"}


def printed_scores() -> list[PublishedFigure]:
    ids = [name for name, kind in agent_types().items() if kind.info.family in FAMILIES]
    return [figure for name in ids for figure in published_figures(name)]


@pytest.mark.parametrize("printed", printed_scores(), ids=lambda each: f"{each.agent}-{each.figure.text}")
def test_an_agent_scores_what_was_printed_of_it(printed: PublishedFigure, games: Callable[[int], int]) -> None:
    match = Match.of(printed.rules, [find_agent(printed.agent)], max(games(10_000), 50), seed=1)
    measured = play_match(match).summary
    distance = Distance(printed.figure, Estimate(measured.mean, measured.sd, match.games))
    assert distance.is_close, f"{distance.difference:+.3f}, {distance.in_errors:+.1f} standard errors"
