"""The arrays that a search works with: made when it sits down at a table, held by the table, used by its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import address, array_address
from kagiya.agents._base import Agent, CompiledAgent
from kagiya.engine.calls import ACT, NO_KERNEL, OBSERVE
from kagiya.engine.layout import new_states, new_streams
from kagiya.engine.memory import Memories
from kagiya.engine.template import write_template
from kagiya.moves import NO_MOVE, NUM_MOVES
from kagiya.rules import MAX_PLAYERS, Rules
from kagiya.search import layout
from kagiya.search.explanation import Explanation, explain_search
from kagiya.search.layout import NODE, RULE_LIST, SEARCH_LANES, WORDS
from kagiya.spec import SpecError


@dataclass(frozen=True)
class SearchSetup:
    """What a search is told when it sits down: whole numbers by their word, the rest, the rules, the models."""

    words: dict[int, int]
    exploration: float = 0.1
    confidence: float = 3.0
    margin: float = 0.0
    surprise: float = 1.0
    indifference: float = 0.0
    rule_row: Sequence[float] = (0.0,)
    nodes: int = 1
    models: Sequence[Agent] = ()  # one for every seat
    believer: Agent | None = None  # whose conclusions the deals respect


@dataclass
class Workspace:
    """The memory of one search at one table."""

    rules: Rules
    setup: SearchSetup
    work: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.work = np.zeros(WORDS, np.int64)
        self.states = new_states(SEARCH_LANES)
        write_template(self.rules, self.states, int(layout.UNDEALT))
        self.rng = new_streams(SEARCH_LANES)
        self.nodes = np.empty(self.setup.nodes, NODE)
        self.products = np.zeros((NUM_MOVES + 1, NUM_MOVES))
        self.settings = np.array([0.0] * RULE_LIST + list(self.setup.rule_row))
        self.settings[layout.EXPLORATION] = self.setup.exploration
        self.settings[layout.CONFIDENCE] = self.setup.confidence
        self.settings[layout.MARGIN] = self.setup.margin
        self.settings[layout.SURPRISE] = self.setup.surprise
        self.settings[layout.INDIFFERENCE] = self.setup.indifference
        self.settings[layout.SCALE] = self.rules.perfect_score
        self._seat_models()
        self._write_words()

    @property
    def address(self) -> int:
        """What the search's row of parameters begins with."""
        return array_address(self.work)

    def stop(self) -> None:
        """Let the search in progress, and all later ones, answer at once."""
        self.work[layout.STOP] = 1

    def damage(self) -> str | None:
        """What a model wrote beyond its memory, or into its parameters."""
        if found := self.memories.damage():
            texts = dict.fromkeys(model.text for model in self.setup.models)
            return f"its model {' or '.join(texts)} wrote where it may not: {found}"
        return None if self._fixed == self.params.tobytes() else "one of its models changed its row of parameters"

    def explain(self, seconds: float | None = None) -> Explanation:
        """Why the last move was made; as text, a sentence."""
        return explain_search(self, seconds)

    def _seat_models(self) -> None:
        models = list(self.setup.models)
        kinds = [model.type for model in models]
        rows = [model.parameters for model in models]
        self.acts = np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        self.observes = np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        self.memories = Memories(SEARCH_LANES, [model.memory_words for model in models])
        self.memory = self.memories.rows
        self.params = np.zeros((MAX_PLAYERS, max(1, *map(len, rows))))
        for seat, (kind, row) in enumerate(zip(kinds, rows, strict=True)):
            assert isinstance(kind, CompiledAgent)
            if reason := models[seat].why_not(self.rules):
                raise SpecError(f"a search cannot think with {models[seat].text} here: {reason}")
            self.params[seat, : len(row)] = row
            self.acts[seat] = address(kind.act, ACT)
            if kind.observe is not None:
                self.observes[seat] = address(kind.observe, OBSERVE)
        self._fixed = self.params.tobytes()

    def _believes(self) -> int:
        kind = self.setup.believer.type if self.setup.believer else None
        return address(kind.believe, OBSERVE) if isinstance(kind, CompiledAgent) and kind.believe else NO_KERNEL

    def _write_words(self) -> None:
        arrays: dict[int, Any] = {
            layout.STATES: self.states,
            layout.MEMORY: self.memory,
            layout.PARAMS: self.params,
            layout.RNG: self.rng,
            layout.NODES: self.nodes,
            layout.PRODUCTS: self.products,
            layout.SETTINGS: self.settings,
            layout.ACTS: self.acts,
            layout.OBSERVES: self.observes,
            layout.EXTENTS: self.memories.extents,
        }
        for word, array in arrays.items():
            self.work[word] = array_address(array)
        self.work[layout.MEMORY_WORDS] = self.memory.shape[2]
        self.work[layout.PARAMS_WIDTH] = self.params.shape[1]
        self.work[layout.CAPACITY] = len(self.nodes)
        self.work[layout.SETTINGS_SIZE] = len(self.settings)
        self.work[layout.LISTENING] = any(self.observes != NO_KERNEL)
        self.work[layout.REMEMBERING] = any(model.info.memory_words for model in self.setup.models)
        self.work[layout.BELIEVES] = self._believes()
        self.work[layout.USUAL] = NO_MOVE
        for word, value in self.setup.words.items():
            self.work[word] = value
