"""The competition framework's agents as they were in January 2017: own cards that are gone stay among the unseen."""

from collections.abc import Callable

import pytest

from kagiya import Match, agent_types, find_agent, parse_rules, play_match
from kagiya.agents.api import CompiledAgent
from kagiya.cards import Seat
from kagiya.engine.game_kernels import apply_move
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import move_name
from tests.agents.positions import read
from tests.blindness import check_blindness

FRAMEWORK = [name for name, kind in agent_types().items() if "forgets_own" in [p.name for p in kind.info.parameters]]

# Whoever has seen all three red ones knows that the card told to be a one fits.
TWO_COLORS = """
    rules goodman(colors=2, hand_size=3);  tokens 0;  fireworks R1;  deck R2 R3 R4 Y2 ...
    alice R1 R1 Y1(1!);  bob Y4 Y5 Y2;  discards R5 R4 R3 R2 Y1 Y1
"""
DISCARD_1, DISCARD_2 = 5, 6


def move_after(agent: str, moves: tuple[int, ...]) -> str:
    """What the agent does after these moves from TWO_COLORS, all seats having watched them."""
    rules, states = read(TWO_COLORS)
    table = Table(rules, [find_agent(agent)])
    table.start_game(1)
    table.states[GAME] = states[0]
    kind = table.agents[0].compiled
    for move in moves:
        for seat in range(rules.players):
            if kind.observe is not None:
                kind.observe(table.states, GAME, seat, table.memory, table.params, move)
        apply_move(table.states, GAME, move)
    before, seat = table.states[GAME].copy(), Seat(int(table.states[GAME]["seat"]))
    move = kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)
    assert table.states[GAME] == before
    return move_name(int(move), seat, rules.players)


def test_a_card_that_the_agent_discarded_itself_stays_possible() -> None:
    moves = (DISCARD_1, DISCARD_1, DISCARD_2, DISCARD_1)  # alice's red ones, and two of bob's cards
    assert move_after("iggi", moves) == "play 3"
    assert move_after("iggi(forgets_own=yes)", moves) != "play 3"
    assert move_after("risky(threshold=0.3)", moves) == "play 3"
    assert move_after("risky(threshold=0.3, forgets_own=yes)", moves) == "play 3"  # one in three: Y1, not R1 or R1
    assert move_after("risky(threshold=0.4, forgets_own=yes)", moves) != "play 3"


def test_all_agents_of_the_framework_have_the_option() -> None:
    family = [name for name, kind in agent_types().items() if kind.info.family == "competition framework"]
    assert len(FRAMEWORK) >= 10
    assert set(FRAMEWORK) == set(family)


@pytest.mark.parametrize("name", FRAMEWORK)
def test_without_the_option_nothing_is_observed_and_the_games_are_the_same(name: str) -> None:
    usual, written, forgetful = (
        find_agent(text) for text in (name, f"{name}(forgets_own=no)", f"{name}(forgets_own=yes)")
    )
    assert isinstance(usual.type, CompiledAgent)
    assert isinstance(forgetful.type, CompiledAgent)
    assert usual.type is written.type
    assert usual.type.observe is None
    assert forgetful.type.observe is not None
    assert forgetful.reasons == usual.reasons


@pytest.mark.parametrize("name", ["iggi", "vdb", "flawed"])
def test_the_option_reads_no_hidden_card(name: str, games: Callable[[int], int]) -> None:
    agent = find_agent(f"{name}(forgets_own=yes)")
    for players in (2, 4):
        check_blindness(agent, parse_rules("goodman", players), games(10))


@pytest.mark.parametrize(("name", "players"), [("internal", 2), ("outer", 2), ("vdb", 3)])
def test_forgetting_own_cards_costs_points(name: str, players: int) -> None:
    usual, forgetful = (
        play_match(Match.of(parse_rules("goodman", players), [find_agent(text)], 2000, seed=1)).summary
        for text in (name, f"{name}(forgets_own=yes)")
    )
    assert 0.4 < usual.mean - forgetful.mean < 1.5
