"""What searches say about their moves."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

import kagiya
from kagiya import Game, Rules, find_agent
from kagiya.cards import NO_MOVE
from kagiya.engine.batch import make_move
from kagiya.engine.layout import GAME
from kagiya.lab.table.inspection import thoughts_of
from kagiya.lab.table.session import explain, watch
from kagiya.lab.table.table import Table
from kagiya.moves import Move
from kagiya.search.explanation import Explanation, leading_in_race
from kagiya.search.workspace import SearchWorkspace
from tests.cli.command import run
from tests.searches import SEARCHES, players_for, quick


def opening(players: int = 3) -> Game:
    """Cathy is to move, and knows that two of her cards are ones; of two players it is alice, and bob was told."""
    game = Game(Rules(players=players), seed=7)
    for move in ("hint cathy 1" if players > 2 else "hint bob 1", "discard 3"):
        game.make(move)
    return game


def untimed(found: Explanation) -> Explanation:
    return replace(found, seconds=None)


def consistent(found: Explanation, legal: tuple[Move, ...]) -> None:
    """What holds of every explanation of a search that had a choice."""
    assert found.chosen in legal
    assert found.moves[0].move == found.chosen
    assert {each.move for each in found.moves} <= set(legal)
    assert len({each.move for each in found.moves}) == len(found.moves)
    assert all(each.visits > 0 for each in found.moves)
    assert all((each.standard_error is None) == (each.visits == 1) for each in found.moves)
    assert found.line[0].move == found.chosen
    assert found.line[0].seat == found.seat
    assert len(found.line) <= found.depth
    assert all(each.visits > 1 for each in found.line[1:])  # tried once says nothing
    visits = [each.visits for each in found.line]
    assert visits == sorted(visits, reverse=True)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_explains_itself(name: str) -> None:
    game = opening(players_for(name, 3))
    found = explain(game, quick(name), seed=3)
    assert untimed(found) == untimed(explain(game, quick(name).text, seed=3))
    assert (found.seat, found.players) == (game.seat, game.rules.players)
    consistent(found, game.legal_moves)


def test_a_move_that_won_by_its_head_start_says_so() -> None:
    game = opening()
    found = explain(game, "depth-one(deals=3, margin=25)", seed=3)
    assert found.head_start == 25
    assert "another move had to beat the evaluator's own by 25 points and 3 standard errors" in str(found)
    assert explain(game, "depth-one(deals=3, margin=0)", seed=3).head_start == 0


def leading(*tried: tuple[int, int, float], own: int = NO_MOVE) -> int | None:
    """Of moves with visits and means the one that leads a race in which no head start is given."""
    work = {"evaluator_move": own, "margin": 0.0, "is_exact": 1}
    children = [{"move": move, "visits": visits, "total": visits * mean} for move, visits, mean in tried]
    return leading_in_race(cast(SearchWorkspace, SimpleNamespace(work=work)), children)


def test_a_move_that_was_dropped_does_not_lead_and_a_tie_goes_to_the_evaluator() -> None:
    assert leading((1, 10, 20.0), (2, 50, 18.0), (3, 49, 17.0)) == 2
    assert leading((1, 50, 17.0), (2, 50, 16.0), (3, 49, 18.0)) == 3  # the deal at hand is not counted yet
    assert leading((1, 50, 18.0), (2, 50, 18.0), own=2) == 2
    assert leading((1, 50, 18.5), (2, 50, 18.0), own=2) == 1


@pytest.mark.parametrize("name", ["mo-ismcts", "ris-mcts", "predictor"])
def test_the_numbers_of_a_tree_add_up(name: str) -> None:
    game = opening()
    found = explain(game, f"{name}(iterations=60, rules=goodman, plies=5)", seed=1)
    consistent(found, game.legal_moves)
    assert found.iterations == 60
    assert sum(each.visits for each in found.moves) == 60
    assert found.mean_depth is not None
    assert 1 <= found.mean_depth <= found.depth
    assert (found.true_share is not None) == (name == "ris-mcts")
    best = [each.visits for each in found.moves]
    assert best == sorted(best, reverse=True)
    values = [each.value for each in explain(game, f"{name}(iterations=60, final=mean, plies=5)").moves[1:]]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("partner", ["confidence", "smartbot"])
def test_a_game_is_told_to_the_seats_so_that_memories_and_conventions_know_it(partner: str) -> None:
    """At a table that was only told of the game, with the same dice, a search finds what it finds in the game."""
    settings = f"iterations=6, rollout={partner}, convention=playable-now, rules=goodman, plies=4"
    seated = [find_agent(f"ris-mcts({settings})"), find_agent(partner)]
    real, told = Table(Rules(players=2), seated), Table(Rules(players=2), seated)
    real.start_game(5)
    game = Game(Rules(players=2), seed=5)
    for turn in range(12):
        watch(told, game, seed=5)
        told.rng[GAME] = real.rng[GAME]
        moves = [act(table, turn % 2) for table in (real, told)]
        assert moves[0] == moves[1]
        assert thoughts_of(real, 0) == thoughts_of(told, 0)
        make_move(real.states, GAME, real.memory, real.params, real.observes, moves[0])
        game.make(moves[0])


def act(table: Table, seat: int) -> int:
    kind = table.agents[seat].compiled
    return int(kind.act(table.states, GAME, seat, table.memory, table.params, table.rng))


def test_the_story_matters_to_a_convention() -> None:
    game = Game(Rules(players=3), seed=7)
    game.make("hint cathy blue")
    game.make("discard 3")
    for convention in ("none", "playable-now"):
        text = f"ris-mcts(iterations=30, rules=goodman, convention={convention}, plies=0)"
        told, untold = explain(game, text), explain(game.position(), text)
        assert (told.moves == untold.moves) == (convention == "none")


def test_a_position_alone_can_be_asked_about_too() -> None:
    game = Game(Rules(players=2), seed=3)
    for _ in range(6):
        game.make(game.legal_moves[-1])
    found = explain(game.position(), "mo-ismcts(iterations=12, rollout=smartbot, plies=3)", seed=1)
    consistent(found, game.legal_moves)
    assert kagiya.explain is explain


def test_what_cannot_be_explained_says_so() -> None:
    game = Game(Rules(players=2, lives=1), seed=1)
    while not game.is_over:
        game.make(Move.play(0))
    with pytest.raises(ValueError, match="the game is over"):
        explain(game, "ris-mcts")


def test_why_shows_the_moves_a_search_weighed_and_json_has_all_numbers() -> None:
    words = ("show", "mo-ismcts(iterations=8, rules=goodman, plies=3)", "vdb", "--why", "--seed", "2")
    shown = run(*words).stdout
    assert re.search(r"searched: 8 iterations in [\d,]+ ms; tree depth \d \(mean [\d.]+\)\n", shown)
    assert re.search(r"^  (hint bob|play|discard) .* \d+\.\d\d ± \d\.\d\d +\d visits", shown, re.MULTILINE)
    assert re.search(r"^expects: bob (hint alice|play|discard)", shown, re.MULTILINE)
    assert "because: " in shown  # of the other seat
    assert re.search(r"8 iterations, depth \d: ", run(*words, "--brief").stdout)
    data = json.loads(run(*words, "--json").stdout)
    assert len(data["searches"]) == len(data["reasons"]) == data["turns"]
    assert data["searches"][1] is None
    first = data["searches"][0]
    assert first["chosen"] == first["moves"][0]["move"] == data["moves"][0]
    assert first["iterations"] == sum(move["visits"] for move in first["moves"]) == 8
    assert data["reasons"][0].startswith("8 iterations, depth ")


FLAT = "depth-one(evaluator=smartbot, deals=10)"


def test_a_flat_search_speaks_of_deals_and_gives_the_reason_of_the_move_that_it_keeps() -> None:
    game = Game(Rules(players=3), seed=7)
    found, own = explain(game, FLAT, 7), explain(game, "smartbot", 7)
    assert found.keeps_own
    assert found.chosen == own.chosen
    assert str(found).startswith(f"smartbot's own move: {own.reason}; in 10 deals: ")
    assert "depth" not in str(found)
    assert json.loads(json.dumps(found.to_json()))["own_reason"] == found.own_reason
    assert "own move" not in str(replace(found, own_reason=""))


def test_show_gives_the_evaluators_reason_and_no_visits() -> None:
    shown = run("show", FLAT, "--why", "--seed", "7", "--turn", "1").stdout
    assert re.search(r"^smartbot's own move: (tells|plays|discards)", shown, re.MULTILINE)
    assert re.search(r"^tried its moves in 10 deals in [\d,]+ ms\n", shown, re.MULTILINE)
    assert re.search(r" \d+\.\d\d ± \d\.\d\d +10 deals", shown)
    assert "visit" not in shown
    assert "tree depth" not in shown
