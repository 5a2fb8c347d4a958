"""A tree search made step by step, so that tests can look between the steps, or without a search around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kagiya import find_agent
from kagiya.agents.api import CompiledAgent
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.search import search_layout
from kagiya.search.ismcts import back_up, deal_root, descend, final_move, offered_at_root
from kagiya.search.nodes import add_child, begin_search, play_out, reward_of
from kagiya.search.workspace import SearchWorkspace
from tests.agents.positions import read

THREE = "alice Y5 R4 G3; bob Y4 R1 G4; cathy R1 W4 B3; tokens 4; rules goodman(hand_size=3)"


class TreeByHand:
    """The search of the seat to move at a table, begun."""

    def __init__(self, table: Table) -> None:
        self.table, self.seat = table, int(table.states[GAME]["seat"])
        workspace = table.workspaces[self.seat]
        assert isinstance(workspace, SearchWorkspace)
        self.workspace, self.work, self.lanes, self.nodes = workspace, workspace.work, workspace.states, workspace.nodes
        begin_search(table.states, GAME, self.seat, table.memory, self.work, table.rng)
        self.work["root_moves"] = offered_at_root(self.work)

    @property
    def trial(self) -> Any:
        return self.lanes[search_layout.TRIAL]

    def deal(self) -> None:
        deal_root(GAME, self.seat, self.table.memory, self.work)

    def descend(self) -> None:
        descend(self.work)

    def finish(self) -> None:
        """What is left of an iteration after the descent."""
        play_out(self.lanes, self.work, int(self.work["plies"]))
        back_up(self.work, float(reward_of(self.lanes, search_layout.TRIAL, self.work)))
        self.work["iterations_done"] += 1

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self.deal()
            self.descend()
            self.finish()

    def choice(self) -> int:
        return int(final_move(self.work))

    def children(self, parent: int = search_layout.ROOT_NODE) -> Iterator[Any]:
        place = int(self.nodes[parent]["child"])
        while place:
            yield self.nodes[place]
            place = int(self.nodes[place]["sibling"])

    def depths(self) -> dict[int, int]:
        """How deep every node lies, by its place."""
        found = {search_layout.ROOT_NODE: 0}
        for parent in range(int(self.work["nodes_used"])):
            place = int(self.nodes[parent]["child"])
            while place:
                found[place] = found[parent] + 1
                place = int(self.nodes[place]["sibling"])
        return found


def at_position(agent: str, text: str = THREE, seed: int = 1) -> TreeByHand:
    """The search of the seat to move in a position."""
    rules, states = read(text)
    table = Table(rules, [find_agent(agent)])
    table.start_game(seed)
    table.states[GAME] = states[0]
    return TreeByHand(table)


def grow(tree: TreeByHand, moves: Iterable[int], parent: int = search_layout.ROOT_NODE, actor: int = 0) -> list[int]:
    """New children of a node for these moves; their places."""
    return [int(add_child(tree.work, parent, int(move), actor)) for move in moves]


def give_results(tree: TreeByHand, place: int, visits: int, mean: float) -> None:
    node = tree.nodes[place]
    node["visits"], node["total"], node["available"] = visits, visits * mean, max(1, visits)


def held(state: Any, seats: Iterable[int]) -> dict[int, int]:
    """The cards in these seats' hands by their `order`."""
    slots = [(seat, slot) for seat in seats for slot in range(int(state["hand_size"]))]
    return {int(state["order"][place]): int(state["hands"][place]) for place in slots if state["hands"][place] >= 0}


def ask(table: Table) -> tuple[int, SearchWorkspace]:
    """The move of the seat to move, and what its search worked with."""
    seat = int(table.states[GAME]["seat"])
    kind, workspace = table.agents[seat].type, table.workspaces[seat]
    assert isinstance(kind, CompiledAgent)
    assert isinstance(workspace, SearchWorkspace)
    return int(kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)), workspace
