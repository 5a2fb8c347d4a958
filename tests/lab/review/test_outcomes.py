"""Agents play a position to its end many times, with the same cards or with unseen cards dealt again."""

import json
import math
import random
from collections.abc import Callable

import pytest

from kagiya import Game, Observation, Rules, Seat, judge, observe, play_from, play_on
from kagiya._jit import JIT_OFF
from kagiya.lab.review.outcomes import Outcomes, continuations, finish_each, shuffled
from kagiya.lab.review.samples import sample_games
from kagiya.lab.table.table import as_agents
from kagiya.moves import Move
from kagiya.runtime.interrupts import Stop
from tests.lab.review.games import THREE, game_at, played

pytestmark = pytest.mark.skipif(JIT_OFF, reason="games by the thousand take minutes without the compiler")

DEALS = 40
MIXED = ("smartbot", "vdb", "careful")


class Last:
    """A player in Python that makes the last of its legal moves."""

    def act(self, observation: Observation) -> Move:
        assert len(observation.history) == observation.turn
        return observation.legal_moves[-1]


@pytest.mark.parametrize("agents", [MIXED, ("random",), ("vdb", Last, "careful-python")])
def test_with_the_same_cards_each_game_is_one_that_is_played_from_here(agents: tuple[object, ...]) -> None:
    game = game_at(played(agents=MIXED), 12)
    before = game.position()
    found = play_on(game, agents, games=4, seed=7)
    assert found.scores == tuple(play_from(game, agents, 7 + number).score for number in range(4))
    assert game.position() == before


def test_with_the_deck_dealt_anew_nothing_else_changes() -> None:
    game = game_at(played(agents=MIXED), 12)
    finished = list(continuations(game, "random", 10, "again", seed=2))
    decks = {each.deck for each in finished}
    assert len(decks) == 10
    for each in finished:
        assert each.is_over
        again = Game(game.rules, deck=each.deck)
        for move in game.moves:
            again.make(move)
        assert again.hands == game.hands
    assert [each.score for each in finished] == list(play_on(game, "random", 10, "again", seed=2).scores)


@pytest.mark.parametrize("believing", [None, "smartbot", "hat-information"])
@pytest.mark.parametrize("is_set_up", [False, True])
def test_samples_look_the_same_to_the_seat(believing: str | None, is_set_up: bool) -> None:
    game = game_at(played(), 25)
    if is_set_up:
        game = Game.from_position(game.position())
    for seat in range(3):
        view, hands = observe(game, Seat(seat)), set()
        for sample in sample_games(game, seat, 20, believing, seed=seat):
            seen = observe(sample, Seat(seat))
            assert (seen.states == view.states).all()
            assert seen.history == view.history
            hands.add(sample.hands[seat])
        assert len(hands) > 1


@pytest.mark.parametrize("evaluator", ["smartbot", "vdb", "confidence"])
def test_a_judge_and_those_who_play_on_agree_on_the_same_deals(evaluator: str) -> None:
    for turn in (3, 31):
        game = game_at(played(), turn)
        found = judge(game, evaluator, DEALS, seed=turn)
        for move in game.legal_moves:
            begun = list(sample_games(game, game.seat, DEALS, evaluator, seed=turn))
            for sample in begun:
                sample.make(move)
            scores = [each.score for each in finish_each(begun, as_agents([evaluator] * 3))]
            mean = sum(scores) / DEALS
            if evaluator == "smartbot":  # which rolls no dice
                assert mean == pytest.approx(found.of(move).value)
            spread = math.sqrt(sum((score - mean) ** 2 for score in scores) / (DEALS - 1) / DEALS)
            assert abs(mean - found.of(move).value) <= 3 * max(spread, 0.1), f"turn {turn}, {move}"


def test_an_agent_takes_a_seat_at_a_turn() -> None:
    game = game_at(played(agents=("random",), rules=Rules(players=3, lives=20)), 9)
    better = play_on(game, ["smartbot", "smartbot", "random"], DEALS, "again", eyes=0, seed=1)
    worse = play_on(game, "random", DEALS, "again", eyes=0, seed=1)
    lead, error = better.ahead_of(worse)
    assert lead > 2 * error > 0


def test_outcomes_are_a_distribution_with_an_error() -> None:
    found = Outcomes((3, 25, 5, 5, 0), bombs=1, perfect_score=25)
    assert found.distribution == {0: 1, 3: 1, 5: 2, 25: 1}
    assert found.mean == 7.6
    assert found.error == pytest.approx(math.sqrt(395.2 / 4 / 5))
    assert str(found) == "7.60 ± 4.45 points in 5 games"
    data = json.loads(json.dumps(found.to_json()))
    assert data["perfect"] == data["bombs"] == 1
    assert found.ahead_of(found) == (0.0, 0.0)
    assert Outcomes((3,), 0, 25).to_json()["error"] is None
    with pytest.raises(ValueError, match="5 and 1 games cannot be paired"):
        found.ahead_of(Outcomes((3,), 0, 25))


def test_playing_on_can_be_stopped() -> None:
    game, stop = game_at(played(), 5), Stop()
    stop.set()
    assert play_on(game, "vdb", 5, stop=stop).games == 0
    assert list(shuffled(game, random.Random(1)).moves) == list(game.moves)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda game: play_on(game, "vdb", games=0), "games must be an integer of at least 1, not 0"),
        (lambda game: play_on(game, "vdb", deal="other"), "deal must be 'same' or 'again', not 'other'"),
        (lambda game: play_on(game, "vdb", eyes=0), "needs deal='again'"),
        (lambda game: play_on(game, "vdb", deal="again", eyes=3), "the seats of this game are 0 to 2, not 3"),
        (lambda game: play_on(game, ["vdb", "vdb"]), "2 agents for 3 players"),
        (lambda game: play_on(play_from(game, "vdb"), "vdb"), "the game is over"),
    ],
)
def test_what_cannot_be_played_on_is_refused(call: Callable[[Game], object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        call(Game(THREE, 1))
