"""The agent interface carries the hardest things to come: proved by two sketches, a hat player and a search."""

from collections.abc import Callable

import numpy as np

from kagiya import Agent, Match, Rules, find_agent, play_match
from kagiya.agents.api import PythonAgentType
from kagiya.engine.batch import write_template
from kagiya.engine.game_kernels import apply_move, is_over
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from tests.sketches.hat import CODES, HAT, observe, recommendation
from tests.sketches.search import ROOT, FlatSearch

Games = Callable[[int], int]

FIVE = Rules(players=5)
HAT_AGENT = Agent("tests.sketches.hat:HAT", HAT)


def test_every_receiver_of_a_hat_hint_decodes_its_own_recommendation(games: Games) -> None:
    table = Table(FIVE, [HAT_AGENT])
    decoded = 0
    for seed in range(games(40)):
        table.start_game(seed)
        while not is_over(table.states, GAME):
            giver = int(table.states[GAME]["seat"])
            move = HAT.act(table.states, GAME, giver, table.memory, table.params, table.rng)
            truth = [recommendation(table.states, GAME, seat) for seat in range(5)]
            for seat in range(5):
                observe(table.states, GAME, seat, table.memory, table.params, move)
                if move >= 10 and seat != giver:
                    assert table.memory[GAME, seat, 0] - 1 == truth[seat] % CODES
                    decoded += 1
            apply_move(table.states, GAME, move)
    assert decoded > 20 * games(40)


def test_the_hat_sketch_plays_as_strongly_as_cox_et_al_would_lead_one_to_expect(games: Games) -> None:
    rules = Rules.preset("quuxplusone", 5)
    result = play_match(Match.of(rules, [HAT_AGENT], games(4000), 1))
    assert result.error is None
    # Cox et al. print 23.0 for a program with one life more; three lives cost it about 0.6.
    assert result.summary.mean + 3 * result.summary.se > 21.5


def search_agent(model: Agent, guesses: int) -> Agent:
    return Agent("sketch-search", PythonAgentType(FlatSearch.info, lambda: FlatSearch(model, guesses)))


def test_a_search_rebuilds_state_and_every_memory_from_what_its_seat_may_know(games: Games) -> None:
    table = Table(FIVE, [HAT_AGENT] * 4 + [search_agent(HAT_AGENT, 1)])
    searcher = table.players[4]
    assert isinstance(searcher, FlatSearch)
    for seed in range(games(10)):
        log = table.start_game(seed)
        write_template(FIVE, searcher.table.states, 0)
        stopped = table.advance(log, -1, seed)
        while stopped == 1:
            observation = table.observation(log)
            state = table.states[GAME]
            truth = {int(slot): int(state["hands"][4, slot]) for slot in observation.mine.slots}
            searcher.set_up(observation, truth)
            rebuilt = searcher.table.states[ROOT]
            for name in ("hands", "possible", "told", "order", "played", "useless", "tokens", "lives", "turn", "seat"):
                assert np.array_equal(rebuilt[name], state[name]), name
            assert np.array_equal(searcher.table.memory[ROOT, :4], table.memory[GAME, :4])
            move = HAT.act(
                searcher.table.states, ROOT, 4, searcher.table.memory, searcher.table.params, searcher.table.rng
            )
            stopped = table.advance(log, int(move), seed)


def test_a_search_over_an_agent_beats_the_agent(games: Games) -> None:
    rules = Rules.preset("quuxplusone", 3)
    model = find_agent("random")
    alone = play_match(Match.of(rules, [model], max(games(1000), 20), 1))
    searching = play_match(Match.of(rules, [search_agent(model, 20)], max(games(20), 3), 1))
    assert searching.error is None
    assert searching.summary.mean > alone.summary.mean + 1
