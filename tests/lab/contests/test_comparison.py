from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Agent, AgentInfo, CompiledAgent, Match, Rules, find_agent, kernel, play_match
from kagiya.lab.contests import comparison as comparison_module
from kagiya.lab.contests.comparison import Comparison, ComparisonError, play_comparison
from kagiya.lab.match.match import KEPT_CHUNK, MatchResult

Games = Callable[[int], int]


def comparison(games: int, *names: str, confidence: float = 0.95) -> Comparison:
    agents = tuple(find_agent(name) for name in names or ("careful", "random"))
    return Comparison(Rules(players=2), agents, games, 5, confidence)


def test_teams_play_the_games_that_a_match_would_play(games: Games) -> None:
    count = games(300) + 30
    found = comparison(count)
    played: list[int] = []
    play_comparison(found, progress=played.append)
    assert sum(played) == 2 * count
    assert found.decks == count
    for name, scores in found.scores().items():
        match = play_match(Match.of(Rules(players=2), [find_agent(name)], count, 5))
        assert np.array_equal(match.results["score"], scores)
        assert found.summaries()[name] == match.summary


def test_the_better_team_is_found_early_if_that_is_wanted() -> None:
    found = comparison(100_000)
    play_comparison(found, until_sure=True)
    assert found.decks < 200
    (pair,) = found.evidence()
    assert pair.verdict().startswith("careful is better than random by ")


def test_an_interruption_leaves_the_decks_that_all_have_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(match: Match, *_: object) -> MatchResult:
        result = play_match(match)
        is_third = match.agents[0].text == "random" and match.seed > 5
        return MatchResult(match, result.results[3:10] if is_third else result.results, 0.1, interrupted=is_third)

    monkeypatch.setattr(comparison_module, "play_match", interrupted)
    found = comparison(1000)
    play_comparison(found)
    assert found.interrupted
    assert found.decks == 27
    careful, random = found.common()
    assert careful["seed"].tolist() == random["seed"].tolist()
    assert found.differences()[0].decks == 27


@kernel
def act_badly(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return np.int64(1000)


def test_a_bad_agent_ends_the_comparison_and_is_named() -> None:
    label = AgentInfo(id="bad", summary="x", family="tests", paper="none", kept_words=1, memory_words=1)
    found = Comparison(Rules(), (find_agent("random"), Agent("bad", CompiledAgent(label, act_badly))), 2000)
    play_comparison(found)
    assert found.error is not None
    assert found.decks == 0
    assert len(found.played["random"][0]) == KEPT_CHUNK
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
