from collections.abc import Callable

import numpy as np
import pytest

from kagiya import (
    Agent,
    AgentInfo,
    CompiledAgent,
    Match,
    Move,
    Observation,
    PythonAgent,
    Rules,
    find_agent,
    kernel,
    play_match,
)
from kagiya.agents.api import PythonAgentType
from kagiya.lab.comparison import FIRST_ROUND, Comparison, ComparisonError, ComparisonRound, play_comparison
from kagiya.lab.match.chunk import Chunk, play_chunk
from kagiya.lab.match.match import Progress
from kagiya.lab.match.runner import local_runner

Games = Callable[[int], int]


def comparison(games: int, *names: str, confidence: float = 0.95) -> Comparison:
    agents = tuple(find_agent(name) for name in names or ("careful", "random"))
    return Comparison(Rules(players=2), agents, games, 5, confidence)


def play(found: Comparison, until_sure: bool = False, progress: Progress = lambda games: None) -> None:
    with local_runner(progress=progress) as runner:
        play_comparison(found, runner, until_sure)


def test_teams_play_the_games_that_a_match_would_play(games: Games) -> None:
    count = games(300) + 30
    found = comparison(count)
    played: list[int] = []
    play(found, progress=played.append)
    assert sum(played) == 2 * count
    assert found.decks == count
    for name, scores in found.scores().items():
        match = play_match(Match.of(Rules(players=2), [find_agent(name)], count, 5))
        assert np.array_equal(match.results["score"], scores)
        assert found.summaries()[name] == match.summary


class Remembers(PythonAgent):
    """Plays slot 1 in its first games and another one later: what it does depends on where its memory begins."""

    def __init__(self) -> None:
        self.games = 0

    def start(self, *_: object) -> None:
        self.games += 1

    def act(self, observation: Observation) -> Move:
        return observation.legal_moves[self.games % len(observation.legal_moves)]


def test_agents_that_remember_play_the_games_that_a_match_would_play() -> None:
    label = AgentInfo(id="remembers", summary="x", family="tests", paper="none")
    agent = Agent("remembers", PythonAgentType(label, Remembers))
    found = Comparison(Rules(players=2), (agent, find_agent("random")), 150, 3)
    play(found)
    match = play_match(Match.of(Rules(players=2), [agent], 150, 3))
    assert found.scores()["remembers"].tolist() == match.results["score"].tolist()


def test_the_better_team_is_found_early_if_that_is_wanted() -> None:
    found = comparison(100_000)
    play(found, until_sure=True)
    assert found.decks < 200
    (pair,) = found.evidence()
    assert pair.verdict().startswith("careful is better than random by ")


def test_an_interruption_leaves_a_comparison_of_what_was_played() -> None:
    def interrupt(games: int) -> None:
        played.append(games)
        if sum(played) >= 2 * FIRST_ROUND:
            raise KeyboardInterrupt

    played: list[int] = []
    found = comparison(1000)
    play(found, progress=interrupt)
    assert found.interrupted
    assert FIRST_ROUND <= found.decks < 1000
    assert found.differences()[0].decks == found.decks


def test_only_decks_that_all_have_played_count() -> None:
    match = Match.of(Rules(players=2), [find_agent("random")], 50)
    sink = ComparisonRound((10, 40))
    assert sink.missing([match, match]) == [[(10, 40)]] * 2
    for team, first, count in ((0, 10, 20), (1, 13, 7), (0, 35, 5), (1, 38, 2)):
        sink.add(team, play_chunk(Chunk(match, first, count, with_moves=False)))
    one, two = sink.common(2)
    assert one["seed"].tolist() == two["seed"].tolist() == [*range(13, 20), 38, 39]


@kernel
def act_badly(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return np.int64(1000)


def test_a_bad_agent_ends_the_comparison_and_is_named() -> None:
    label = AgentInfo(id="bad", summary="x", family="tests", paper="none", kept_words=1, memory_words=1)
    found = Comparison(Rules(), (find_agent("random"), Agent("bad", CompiledAgent(label, act_badly))), 2000)
    play(found)
    assert found.error is not None
    assert found.decks == 0
    assert found.differences()[0].verdict() == "random and bad cannot be compared on 0 common decks"


def test_what_cannot_be_compared_is_refused() -> None:
    for names, reason in (
        (["careful"], "two agents or more"),
        (["careful", "random", "careful"], "careful is there twice"),
    ):
        with pytest.raises(ComparisonError, match=reason):
            comparison(10, *names)
    with pytest.raises(ValueError, match="between 0 and 1"):
        comparison(10, confidence=95)
    with pytest.raises(ValueError, match="number of games"):
        comparison(0)
