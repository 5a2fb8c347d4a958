import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kagiya import (
    Agent,
    AgentInfo,
    CompiledAgent,
    Game,
    Match,
    PythonAgent,
    Rules,
    Table,
    find_agent,
    kernel,
    play_match,
)
from kagiya._jit import popcount
from kagiya.agents.api import PythonAgentType
from kagiya.engine.layout import GAME
from kagiya.lab.match.match import KEPT_CHUNK
from kagiya.lab.table.table import AgentError, SeatingError
from kagiya.moves import Move
from kagiya.view.observation import Observation

Games = Callable[[int], int]
LABEL = AgentInfo(id="test", summary="for tests", family="tests", paper="none", memory_words=2, kept_words=1)


def test_a_game_of_a_match_is_the_game_of_its_seed(games: Games) -> None:
    agent = find_agent("random")
    result = play_match(Match.of(Rules(players=4), [agent], games(50), seed=100))
    assert result.results["seed"].tolist() == list(range(100, 100 + games(50)))
    table = Table(Rules(players=4), [agent])
    for row in result.results:
        log = table.play_game(int(row["seed"]))
        game = Game(Rules(players=4), seed=int(row["seed"]))
        for move in log.moves[: row["turns"]]:
            game.make(int(move))
        assert game.is_over
        assert (game.score, game.points, game.lives) == (row["score"], row["points"], row["lives"])
        assert game.reachable_points == row["reachable"]
        assert game.events == log.events(0, game.turn)


@pytest.mark.parametrize(
    ("games", "seed", "reason"),
    [(0, 1, "games"), (-5, 1, "games"), (True, 1, "games"), (5, -1, "seed"), (5, 2**63 - 2, "seed")],
)
def test_wrong_numbers_are_refused(games: int, seed: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Match.of(Rules(), [find_agent("random")], games, seed)


def test_wrong_seatings_are_refused() -> None:
    random = find_agent("random")
    with pytest.raises(SeatingError, match="2 agents for 3 players"):
        Table(Rules(players=3), [random, random])
    label = AgentInfo(id="choosy", summary="x", family="x", paper="x", players=(5,))
    with pytest.raises(SeatingError, match="choosy plays with 5 players, not 3"):
        Table(Rules(players=3), [Agent("choosy", CompiledAgent(label, lambda: 0))])


@kernel
def count_games(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    """Plays slot 0 and counts: word 0 is kept from game to game, word 1 within one."""
    if memory[i, seat, 1] == 0:
        memory[i, seat, 0] += 1
    memory[i, seat, 1] += 1
    return np.int64(0)


def test_kept_words_survive_a_game_and_the_others_do_not() -> None:
    table = Table(Rules(), [Agent("counter", CompiledAgent(LABEL, count_games))])
    table.play_chunk(0, 7)
    assert table.memory[GAME, 0].tolist()[0] == 7
    assert 0 < table.memory[GAME, 0, 1] < 10


def test_agents_that_keep_knowledge_play_in_chunks_of_a_fixed_size() -> None:
    match = Match.of(Rules(), [Agent("counter", CompiledAgent(LABEL, count_games))], KEPT_CHUNK + 30)
    assert match.keeps_memory
    one, two = play_match(match, 1), play_match(match, 2)
    assert np.array_equal(one.results, two.results)


class Scripted(PythonAgent):
    """Does what `behave` says."""

    def __init__(self, behave: Callable[[Observation], object]) -> None:
        self.behave = behave

    def act(self, observation: Observation) -> Move:
        return self.behave(observation)  # type: ignore[return-value]


def scripted(behave: Callable[[Observation], object]) -> Agent:
    label = AgentInfo(id="scripted", summary="x", family="tests", paper="none")
    return Agent("scripted", PythonAgentType(label, lambda: Scripted(behave)))


def fail(observation: Observation) -> object:
    raise RuntimeError("my head hurts")


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (fail, r"bob \(seat 2, scripted\), turn 2 of game 3: raised RuntimeError: my head hurts"),
        (lambda o: None, r"returned None, which is not a move; does every path through act return one"),
        (lambda o: "play 1", r"returned 'play 1', which is not a move, like Move.play"),
        (lambda o: True, r"returned True, which is not a move"),
        (lambda o: 99, r"99 is not a move"),
        (lambda o: -1, r"-1 is not a move"),
        (lambda o: Move.hint_rank(4, 0), r"'hint .* 1' is illegal: there are only 2 players"),  # type: ignore[arg-type]
    ],
)
def test_a_bad_python_agent_is_named_with_seat_turn_and_cause(
    behave: Callable[[Observation], object], reason: str
) -> None:
    match = Match.of(Rules(), [find_agent("careful"), scripted(behave)], 5, seed=3)
    result = play_match(match)
    assert isinstance(result.error, AgentError)
    with pytest.raises(AgentError, match=reason):
        raise result.error
    assert len(result.results) == 0


def test_games_before_an_error_are_kept() -> None:
    def tire(observation: Observation) -> object:
        return Move.play(0) if observation.turn or not tired.is_set() else None

    tired = threading.Event()
    table = Table(Rules(), [scripted(tire)])
    assert len(table.play_chunk(0, 3)) == 3
    tired.set()
    with pytest.raises(AgentError):
        table.play_chunk(3, 1)


@kernel
def fails_some_day(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    """Plays blindly; in a game that has three points at turn 5 it returns a number that is not a move."""
    return np.int64(1000) if states[i]["turn"] == 5 and popcount(states[i]["played"]) == 3 else np.int64(0)


def test_a_bad_compiled_agent_is_named_too_and_the_games_before_are_kept() -> None:
    label = AgentInfo(id="bad", summary="x", family="tests", paper="none")
    match = Match.of(Rules(lives=20), [Agent("bad", CompiledAgent(label, fails_some_day))], 2000, seed=0)
    result = play_match(match, workers=1)
    assert result.error is not None
    assert result.error.turn == 5
    assert "1000 is not a move" in str(result.error)
    assert result.error.seed > 0
    assert result.results["seed"].tolist() == list(range(result.error.seed))


def test_an_interrupted_match_keeps_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(games: int) -> None:
        raise KeyboardInterrupt

    result = play_match(Match.of(Rules(), [find_agent("random")], 10**6), workers=1, progress=interrupt)
    assert result.interrupted
    assert 0 < len(result.results) < 10**6


OWN_AGENTS = '''
from kagiya import AgentInfo, CompiledAgent, Move, kernel
from own_constants import SLOT

class Mine:
    """Plays one slot."""
    def act(self, observation):
        return Move.play(SLOT)

@kernel
def act(states, i, seat, memory, params, rng):
    return params[seat, 0] * 0 + SLOT if False else SLOT + 0 * states[i]["turn"]

COMPILED = CompiledAgent(AgentInfo(id="mine", summary="plays one slot", family="mine", paper="mine"), act)
NOTHING = 3
'''


def test_agents_from_a_users_module_play_compiled_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_agents.py").write_text(OWN_AGENTS)
    (tmp_path / "own_constants.py").write_text("SLOT = 2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    results = [play_match(Match.of(Rules(), [find_agent(f"own_agents:{name}")], 20)) for name in ("Mine", "COMPILED")]
    assert np.array_equal(results[0].results, results[1].results)
    for text, reason in (("own_agents:NOTHING", "is not an agent"), ("own_agents:Min", "did you mean Mine")):
        with pytest.raises(ValueError, match=reason):
            find_agent(text)
    for name in ("own_agents", "own_constants"):
        sys.modules.pop(name)
