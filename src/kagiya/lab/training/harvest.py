"""One searched game as training data: it is played as any other, and after each move the tree is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.engine.batch_kernels import PYTHON_TO_MOVE
from kagiya.engine.calls import NO_KERNEL
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.lab.training.tree_row_kernels import NUMBERS, write_root_row, write_tree_rows
from kagiya.learn.feature_kernels import FEATURES, STATE_FEATURES
from kagiya.moves import NO_MOVE
from kagiya.rules import MAX_PLAYERS, Rules
from kagiya.search.workspace import Workspace
from kagiya.spec import SpecError

TREES = ("ris-mcts", "mo-ismcts", "predictor")
MOST_ROWS = 20_000  # of one move


@dataclass(frozen=True)
class HarvestTerms:
    """Which moves of a tree become rows."""

    least_visits: int = 50
    deepest: int = 12  # moves below the root; 0 for the root alone

    def __post_init__(self) -> None:
        if self.least_visits < 1 or self.deepest < 0:
            raise ValueError("the least number of visits must be at least 1, and the greatest depth at least 0")


@dataclass(frozen=True)
class GameRows:
    """The rows of one game: of the trees' moves, and of the positions that were played."""

    seed: int
    score: int
    turns: npt.NDArray[np.int16]  # [row]
    features: npt.NDArray[np.float32]  # [row, feature]
    numbers: npt.NDArray[np.float32]  # [row, column of tree_row_kernels]
    positions: npt.NDArray[np.float32]  # [turn, state feature]
    rules: npt.NDArray[np.int32]  # [turn]: the rules that propose the move made, as a mask


class Harvester:
    """A table of searches whose trees are read after each move."""

    def __init__(self, rules: Rules, agent: Agent, terms: HarvestTerms) -> None:
        if agent.info.id not in TREES:
            raise SpecError(f"{agent.text} has no tree to learn from; give {', '.join(TREES)}")
        self.table, self.terms = Table(rules, [agent]), terms
        self._acts = np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        self._features = np.zeros((MOST_ROWS, FEATURES))
        self._numbers = np.zeros((MOST_ROWS, NUMBERS))

    def play(self, seed: int) -> GameRows:
        """Play one game and return its rows; the game is the one that a match plays with this seed."""
        table = self.table
        table.acts = self._acts
        rows: list[tuple[Any, Any]] = []
        positions: list[Any] = []
        proposing: list[int] = []
        stopped = table.advance(table.start_game(seed), NO_MOVE, seed)
        while stopped == PYTHON_TO_MOVE and not table.stopped:
            move = self._think()
            features, numbers, position, rules = self._read_tree(move)
            rows.append((features, numbers))
            positions.append(position)
            proposing.append(rules)
            stopped = table.advance(table.log, move, seed)
        table.write_result(seed)
        lengths = [len(features) for features, _ in rows]
        return GameRows(
            seed,
            int(table.result[0]["score"]),
            np.repeat(np.arange(len(rows), dtype=np.int16), lengths),
            np.concatenate([features for features, _ in rows]),
            np.concatenate([numbers for _, numbers in rows]),
            np.array(positions, np.float32),
            np.array(proposing, np.int32),
        )

    def _think(self) -> int:
        table = self.table
        seat = int(table.states[GAME]["seat"])
        return int(table.agents[seat].compiled.act(table.states, GAME, seat, table.memory, table.params, table.rng))

    def _read_tree(self, move: int) -> tuple[Any, Any, Any, int]:
        table, terms = self.table, self.terms
        workspace = table.workspaces[int(table.states[GAME]["seat"])]
        assert isinstance(workspace, Workspace)
        place, position = workspace.address, np.zeros(STATE_FEATURES)
        rules = int(write_root_row(place, move, position))
        count = 0
        if workspace.work["iterations_done"]:
            count = int(
                write_tree_rows(
                    place, GAME, table.memory, terms.least_visits, terms.deepest, self._features, self._numbers
                )
            )
        features, numbers = self._features[:count].astype(np.float32), self._numbers[:count].astype(np.float32)
        return features, numbers, position, rules
