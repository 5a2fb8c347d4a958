"""The battery: what every agent of the register promises. Agents are found by themselves, never listed."""

import copy
import pickle
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kagiya import (
    Agent,
    AgentInfo,
    CompiledAgent,
    Match,
    Rules,
    agent_types,
    find_agent,
    kernel,
    parse_rules,
    play_match,
)
from kagiya.agents.register import agent_modules, types_in
from kagiya.engine.batch_kernels import GAME_OVER, PYTHON_TO_MOVE
from kagiya.engine.kernels import apply_move, is_over
from kagiya.engine.layout import GAME, SEEN
from kagiya.lab.table import Table
from kagiya.spec import Spec
from kagiya.view.kernels import censor
from tests.hidden import deal_hidden
from tests.sketches.hat import HAT

Games = Callable[[int], int]

IDS = list(agent_types())
RULES = (
    *("standard", "goodman", "bouzy", "bouzy(hand_size=3)"),
    *("standard(colors=6)", "standard(hand_size=1)", "quuxplusone(lives=1)"),
)
HEADINGS = ("Source", "Published", "Where the source is silent")


def test_the_zoo_is_not_empty() -> None:
    assert len(IDS) >= 3
    assert len(list(agent_modules())) >= 3


@pytest.mark.parametrize("module", [m.__name__ for m in agent_modules()])
def test_a_module_says_where_its_agents_come_from(module: str) -> None:
    text = sys.modules[module].__doc__ or ""
    for heading in HEADINGS:
        assert re.search(rf"^{heading}$", text, re.MULTILINE), f"{module} lacks the heading {heading!r}"
    assert list(types_in(sys.modules[module])), f"{module} holds no agent"


@pytest.mark.parametrize("name", IDS)
def test_the_label_is_complete(name: str) -> None:
    info = find_agent(name).info
    assert info.id == name
    assert info.summary
    assert info.family
    assert info.paper
    for published in info.published:
        parse_rules(published.rules, published.players)
    for parameter in info.parameters:
        assert parameter.parse(Spec(str(parameter.default)), name) == parameter.default
        assert parameter.meaning


@pytest.mark.parametrize("name", IDS)
def test_the_source_stands_in_the_bibliography(name: str) -> None:
    page = Path(__file__).parents[2] / "docs/bibliography.md"
    assert f"| {find_agent(name).info.paper} |" in page.read_text(encoding="utf-8")


def playable_rules(agent: Agent) -> list[Rules]:
    found = [parse_rules(text, players) for text in RULES for players in (2, 3, 4, 5)]
    return [rules for rules in found if agent.why_not(rules) is None]


@pytest.mark.parametrize("name", IDS)
def test_every_move_is_legal_by_all_rules_and_for_every_number_of_players(name: str, games: Games) -> None:
    agent = find_agent(name)
    count = games(200) if agent.is_compiled else games(20)
    for rules in playable_rules(agent):
        result = play_match(Match.of(rules, [agent], count, seed=11), workers=1)
        assert result.error is None, f"{rules.text()}: {result.error}"
        assert len(result.results) == count


@pytest.mark.parametrize("name", IDS)
def test_the_same_seed_gives_the_same_games_for_any_number_of_workers(name: str, games: Games) -> None:
    match = Match.of(Rules(players=find_agent(name).info.players[0]), [find_agent(name)], max(games(100), 3), seed=5)
    one, again, two = play_match(match, 1), play_match(match, 1), play_match(match, 2)
    assert np.array_equal(one.results, again.results)
    assert np.array_equal(one.results, two.results)


@pytest.mark.parametrize("name", IDS)
def test_an_agent_can_be_copied_and_pickled(name: str) -> None:
    agent = find_agent(name)
    assert pickle.loads(pickle.dumps(agent)) == agent
    assert copy.deepcopy(agent).text == agent.text


@pytest.mark.parametrize("name", IDS)
def test_a_player_that_was_copied_in_the_middle_of_a_game_goes_on_alike(name: str) -> None:
    agent = find_agent(name)
    if agent.is_compiled:
        return  # all that a compiled agent remembers is its row of memory, which the next test copies
    table = Table(Rules(players=agent.info.players[0]), [agent])
    log = table.start_game(3)
    table.advance(log, -1, 3)
    for _ in range(10):
        player = table.players[int(table.states[GAME]["seat"])]
        assert player is not None
        twins = copy.deepcopy(player), pickle.loads(pickle.dumps(player))
        observation = table.observation(log)
        moves = {int(twin.act(observation)) for twin in twins}
        move = int(player.act(observation))
        assert moves == {move}
        if table.advance(log, move, 3) == GAME_OVER:
            break


@pytest.mark.parametrize("name", IDS)
def test_a_move_does_not_depend_on_cards_that_the_seat_cannot_see(name: str, games: Games) -> None:
    agent = find_agent(name)
    info = agent.info
    if info.sees_own_hand or info.sees_deck:
        return  # it says so itself, and is marked wherever its scores stand
    for players in info.players:
        check_blindness(agent, Rules(players=players), games(10))
    check_blindness(agent, parse_rules("goodman", info.players[-1]), games(10))


def check_blindness(agent: Agent, rules: Rules, count: int) -> None:
    table, dice = Table(rules, [agent]), random.Random(8)
    for seed in range(count):
        if isinstance(agent.type, CompiledAgent):
            compiled_game_is_blind(table, seed, dice)
        else:
            python_game_is_blind(table, seed, dice)


def compiled_game_is_blind(table: Table, seed: int, dice: random.Random) -> None:
    """At every turn ask again with the hidden cards dealt anew, and with the hidden cards taken away."""
    table.start_game(seed)
    states = table.states
    while not is_over(states, GAME):
        seat = int(states[GAME]["seat"])
        kind = table.agents[seat].type
        assert isinstance(kind, CompiledAgent)
        masks = states[GAME]["possible"][seat].tolist()
        streams, memory = table.rng[GAME].copy(), table.memory[GAME].copy()
        move = kind.act(states, GAME, seat, table.memory, table.params, table.rng)
        after = table.memory[GAME].copy(), table.rng[GAME].copy()
        for taken_away in (False, True):
            states[SEEN] = states[GAME]
            censor(states, GAME, SEEN, seat) if taken_away else deal_hidden(states, SEEN, seat, masks, dice)
            table.rng[SEEN], table.memory[SEEN] = streams, memory
            assert kind.act(states, SEEN, seat, table.memory, table.params, table.rng) == move
            assert np.array_equal(table.memory[SEEN], after[0])
        observers_are_blind(table, int(move), dice)
        apply_move(states, GAME, move)


def observers_are_blind(table: Table, move: int, dice: random.Random) -> None:
    """What each seat remembers of a move is the same when the cards it cannot see are dealt anew."""
    states, actor = table.states, int(table.states[GAME]["seat"])
    states[SEEN] = states[GAME]
    apply_move(states, SEEN, move)
    masks_after = states[SEEN]["possible"].copy()
    for seat, agent in enumerate(table.agents):
        kind = agent.type
        if not isinstance(kind, CompiledAgent) or kind.observe is None:
            continue
        states[SEEN] = states[GAME]
        table.memory[SEEN] = table.memory[GAME]
        kept = move % 5 if seat == actor and move < 10 else -1
        masks = states[GAME]["possible"][seat] if seat == actor else masks_after[seat]
        deal_hidden(states, SEEN, seat, masks.tolist(), dice, kept)
        kind.observe(states, SEEN, seat, table.memory, table.params, move)
        kind.observe(states, GAME, seat, table.memory, table.params, move)
        assert np.array_equal(table.memory[SEEN, seat], table.memory[GAME, seat])
        table.memory[SEEN] = table.memory[GAME]


def python_game_is_blind(table: Table, seed: int, dice: random.Random) -> None:
    """An observation of the hidden cards dealt anew is the same observation, word for word."""
    log = table.start_game(seed)
    stopped = table.advance(log, -1, seed)
    while stopped == PYTHON_TO_MOVE:
        observation = table.observation(log)
        seat = int(observation.seat)
        states = table.states.copy()
        deal_hidden(states, GAME, seat, states[GAME]["possible"][seat].tolist(), dice)
        censor(states, GAME, SEEN, seat)
        assert states[SEEN].tobytes() == observation.states[0].tobytes()
        stopped = table.advance(log, table.ask_python_seat(log, seed), seed)


@kernel
def peek_act(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    """A cheat: plays the first of its cards that fits."""
    for slot in range(states[i]["hand_size"]):
        card = states[i]["hands"][seat, slot]
        if card >= 0 and states[i]["playable"] >> card & 1:
            return slot
    return 0


@kernel
def peek_observe(states, i, seat, memory, params, move):  # type: ignore[no-untyped-def]
    """A subtler cheat: remembers its own first card."""
    memory[i, seat, 0] = states[i]["hands"][seat, 0]


@kernel
def honest_act(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return 0


LABEL = AgentInfo(id="cheat", summary="looks at its hand", family="tests", paper="none", memory_words=1)


@pytest.mark.parametrize(
    "cheat", [CompiledAgent(LABEL, peek_act), CompiledAgent(LABEL, honest_act, peek_observe)], ids=["acts", "remembers"]
)
def test_the_battery_catches_a_cheat(cheat: CompiledAgent) -> None:
    with pytest.raises(AssertionError):
        check_blindness(Agent("cheat", cheat), Rules(players=3), 20)


def test_the_battery_accepts_an_honest_agent_with_memory(games: Games) -> None:
    check_blindness(Agent("hat", HAT), Rules(players=5), max(games(10), 1))


def test_careful_and_its_python_twin_make_the_same_moves(games: Games) -> None:
    for rules in playable_rules(find_agent("careful")):
        results = [
            play_match(Match.of(rules, [find_agent(name)], games(20), seed=2)) for name in ("careful", "careful-python")
        ]
        assert np.array_equal(results[0].results, results[1].results)
