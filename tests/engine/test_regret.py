"""Regret is what a slow and independent reading of Brooks's definition says, and explains every missing point."""
# mypy: allow-untyped-calls

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Game, Match, Rules, find_agent, play_match
from kagiya.cards import Color, Rank, make_card, parse_cards
from kagiya.engine.batch import sorted_deck
from kagiya.engine.reference import ReferenceGame
from kagiya.engine.regret_kernels import attainable_score, pace, reachable_score
from kagiya.lab.regret import SOURCES, move_costs, team_regret
from kagiya.lab.table.table import Table
from kagiya.moves import FIRST_HINT
from kagiya.rules import BombScore, DrawnCard
from tests.engine.compare import Pair
from tests.engine.policies import careful_move, random_move
from tests.regret_identities import remaining_potential, unexplained

Games = Callable[[int], int]

DISCARD, PLAY, END = SOURCES
TEAMS = [
    (["random", "careful"], "standard"),
    (["vdb", "flawed", "iggi"], "brooks"),
    (["random", "vdb", "careful"], "goodman"),
    (["piers", "outer", "random", "iggi"], "bouzy"),
    (["vdb", "iggi", "careful", "flawed", "piers"], "quuxplusone"),
    (["careful", "vdb"], "hle-small"),
]


# Brooks's definition, read slowly.


def theoretical_maximum(twin: ReferenceGame) -> int:
    """For each color the ranks below the lowest whose copies all lie in the discards."""
    lost, total = Counter(twin.discards), 0
    for color in range(twin.rules.colors):
        gone = [r for r in range(twin.rules.ranks) if lost[make_card(Color(color), Rank(r))] == twin.rules.copies[r]]
        total += min(gone, default=twin.rules.ranks)
    return total


def slow_attainable(twin: ReferenceGame) -> int:
    """The theoretical maximum, or one point for each turn that is left and can be used, if that is less."""
    if twin.lives == 0:
        return twin.score()
    if twin.deck:
        return min(theoretical_maximum(twin), twin.points() + len(twin.deck) + twin.rules.players)
    to_come = [(twin.seat + turn) % twin.rules.players for turn in range(twin.turns_left)]
    useful = [any(held and held.card not in twin.useless() for held in twin.hands[seat]) for seat in to_come]
    return min(theoretical_maximum(twin), twin.points() + sum(useful))


def slow_regret(twin: ReferenceGame, moves: list[int]) -> tuple[Counter[tuple[int, str]], Counter[int]]:
    """Play the moves; direct regret by seat and source, and indirect regret by seat."""
    direct: Counter[tuple[int, str]] = Counter()
    indirect: Counter[int] = Counter()
    for move in moves:
        seat, before, allowed, lives = twin.seat, theoretical_maximum(twin), slow_attainable(twin), twin.lives
        twin.apply(move)
        if twin.lives == 0:
            source, lost = END, before - twin.score()
        else:
            source, lost = PLAY if twin.lives < lives else DISCARD, before - theoretical_maximum(twin)
        direct[seat, source] += lost
        indirect[seat] += allowed - slow_attainable(twin) - lost
    return direct, indirect


@pytest.mark.parametrize(("team", "rules"), TEAMS, ids=lambda value: "-".join(value) if isinstance(value, list) else "")
def test_the_regret_of_a_match_is_what_the_slow_reading_says(team: list[str], rules: str, games: Games) -> None:
    agreed = Rules.preset(rules, len(team))
    table = Table(agreed, [find_agent(name) for name in team])
    for row in table.play_chunk(1, games(60)):
        moves = [int(move) for move in table.play_game(int(row["seed"])).moves[: row["turns"]]]
        deck = Game(agreed, seed=int(row["seed"])).deck
        assert deck is not None
        direct, indirect = slow_regret(ReferenceGame(agreed, deck), moves)
        for seat in range(len(team)):
            assert [direct[seat, source] for source in SOURCES] == row["regret"][seat].tolist()
            assert indirect[seat] == row["indirect"][seat]
        assert not row["regret"][len(team) :].any()


@pytest.mark.parametrize(("team", "rules"), TEAMS, ids=lambda value: "-".join(value) if isinstance(value, list) else "")
def test_the_identities_hold_in_every_game_of_mixed_teams(team: list[str], rules: str, games: Games) -> None:
    """With KAGIYA_TEST_SCALE=34 these are more than a million games."""
    agreed = Rules.preset(rules, len(team))
    results = play_match(Match.of(agreed, [find_agent(name) for name in team], games(5000))).results
    assert len(unexplained(results, agreed)) == 0
    bombed = results["lives"] == 0
    kept = results["score"] if agreed.bomb_score is BombScore.KEEP else 0
    assert np.array_equal(team_regret(results)[bombed], (agreed.perfect_score - np.zeros_like(bombed) - kept)[bombed])
    assert not remaining_potential(results)[bombed].any()


def test_a_row_that_breaks_an_identity_is_found() -> None:
    results = play_match(Match.of(Rules(), [find_agent("careful")], 3)).results
    results["regret"][1, 0, 0] += 1
    assert unexplained(results, Rules())["seed"].tolist() == [2]
    results["regret"][1, 0, 0] -= 1
    results["indirect"][2, 0] += 1
    assert unexplained(results, Rules())["seed"].tolist() == [3]


# What a bound on the rest of the game must be: sound.


def best_score(twin: ReferenceGame, known: dict[object, int]) -> int:
    """The most that any continuation scores, all cards open. Hints differ in nothing that counts here."""
    legal = twin.legal_moves()
    if not legal:
        return twin.score()
    hands = tuple(tuple(held.card if held else -1 for held in hand) for hand in twin.hands)
    lost = tuple(sorted(twin.discards))
    key = (hands, tuple(twin.fireworks), lost, twin.tokens, twin.lives, twin.turns_left, twin.seat)
    if key not in known:
        cards = [move for move in legal if move < FIRST_HINT]
        known[key] = max(best_after(twin, move, known) for move in [*cards, *sorted(legal - set(cards))[:1]])
    return known[key]


def best_after(twin: ReferenceGame, move: int, known: dict[object, int]) -> int:
    other = twin.copy()
    other.apply(move)
    return best_score(other, known)


SMALL_RULES = [
    Rules(players=2, colors=1, copies=(2, 1, 1), hand_size=1, hint_tokens=1, lives=1),
    Rules(players=2, colors=2, copies=(1, 1), hand_size=1, hint_tokens=2, lives=2, bomb_score=BombScore.KEEP),
    Rules(players=2, colors=2, copies=(2, 1), hand_size=2, hint_tokens=1, lives=1),
    Rules(players=3, colors=1, copies=(2, 2, 1), hand_size=1, hint_tokens=1, lives=1, drawn_card=DrawnCard.VACATED),
    Rules(players=2, colors=1, copies=(1, 1, 1, 1), hand_size=2, hint_tokens=1, lives=2),
    Rules(players=3, colors=2, copies=(1, 1), hand_size=1, hint_tokens=1, lives=1, discard_at_full_tokens=True),
]


@pytest.mark.parametrize("rules", SMALL_RULES, ids=lambda rules: rules.text())
def test_nothing_scores_more_than_what_was_called_attainable(rules: Rules, games: Games, rng: random.Random) -> None:
    for game in range(games(12)):
        deck = sorted_deck(rules)
        rng.shuffle(deck)
        pair = Pair(rules, deck)
        known: dict[object, int] = {}
        policy = careful_move if game % 2 else random_move
        while legal := pair.twin.legal_moves():
            check_bound(pair, best_score(pair.twin, known))
            pair.apply(policy(pair.twin, legal, rng))
        check_bound(pair, pair.twin.score())
        assert attainable_score(pair.states, 0) == pair.twin.score()


def check_bound(pair: Pair, best: int) -> None:
    assert best <= attainable_score(pair.states, 0) == slow_attainable(pair.twin)
    assert attainable_score(pair.states, 0) <= reachable_score(pair.states, 0)


# Known answers.


def one_color(deck: str, **changes: int) -> Game:
    return Game(Rules(players=2, colors=1, hand_size=2, **changes), deck=parse_cards(deck))  # type: ignore[arg-type]


def costs_of(game: Game, *moves: str) -> list[tuple[int, str | None, int]]:
    games = [game.copy()]
    for move in moves:
        game.make(move)
        games.append(game.copy())
    return [(cost.direct, cost.source, cost.indirect) for cost in move_costs(games)]


def test_a_discarded_five_costs_a_point_and_a_discarded_pair_of_twos_four() -> None:
    game = one_color("R5 R2 R2 R1 R1 R1 R3 R3 R4 R4")
    story = "hint bob 1, play 2, discard 1, hint alice 2, discard 1, hint alice 1, hint bob 1, discard 1"
    costs = costs_of(game, *story.split(", "))
    assert costs[2] == (1, DISCARD, 0)
    assert costs[7] == (3, DISCARD, 0)
    assert {cost for turn, cost in enumerate(costs) if turn not in (2, 7)} == {(0, None, 0)}


def test_the_last_life_costs_all_that_was_left_and_a_life_what_the_card_was_worth() -> None:
    game = one_color("R5 R2 R2 R1 R1 R1 R3 R3 R4 R4", lives=2)
    assert costs_of(game, "play 1", "play 1") == [(1, PLAY, 0), (4, END, 0)]
    kept = Game(Rules(players=2, colors=1, hand_size=2, lives=1, bomb_score=BombScore.KEEP), deck=game.deck)
    assert costs_of(kept, "hint bob 1", "play 2", "play 1") == [(0, None, 0), (0, None, 0), (4, END, 0)]


def test_a_hint_in_the_last_round_costs_the_point_that_could_have_been_played() -> None:
    game = Game(Rules(players=2, colors=1, hand_size=2, copies=(1, 1, 1, 1)), deck=parse_cards("R1 R2 R3 R4"))
    assert attainable_score(game.states, 0) == 2  # two turns are left, and no more
    assert costs_of(game, "hint bob 3", "hint alice 1") == [(0, None, 1), (0, None, 1)]


@pytest.mark.parametrize(("players", "start"), [(2, 17), (3, 13), (4, 13), (5, 10)])
def test_the_pace_at_the_start_is_that_of_hanab_live(players: int, start: int) -> None:
    assert pace(Game(Rules(players=players)).states, 0) == start
