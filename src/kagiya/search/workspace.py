"""The arrays that a search works with: made when it sits down at a table, held by the table, used by its kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya._jit import address, array_address
from kagiya.agents.api import Agent
from kagiya.cards import MAX_PLAYERS, NO_MOVE
from kagiya.engine.batch import ACT, NO_KERNEL, OBSERVE, finish_game, write_template
from kagiya.engine.game_kernels import deal
from kagiya.engine.layout import new_states, new_streams
from kagiya.engine.memory import Memories, clear_memory
from kagiya.moves import NUM_MOVES
from kagiya.rules import Rules
from kagiya.search import search_layout as layout
from kagiya.search.ally_likelihood import Allies, Policies
from kagiya.search.deals.hand_list import HandList, ListSetup
from kagiya.search.explanation import Explanation, explain_search
from kagiya.search.search_layout import NODE, SEARCH, SEARCH_LANES, WEIGHED_HAND
from kagiya.spec import SpecError

GAMES_WATCHED = 3  # to see whether a blueprint rolls dice


@dataclass(frozen=True)
class SearchSetup:
    """What a search is told when it sits down: its settings, by field of the record, its rules and its models."""

    settings: Mapping[str, float]
    rule_row: Sequence[float] = (0.0,)  # as `list_row` writes it
    nodes: int = 1
    models: Sequence[Agent] = ()  # one for every seat
    judges: Sequence[Agent] = ()  # who is asked what past moves say, one for every seat; none: the models
    believer: Agent | None = None  # whose conclusions the deals respect
    leaf_row: Sequence[float] = (0.0,)  # the parameters of the agent whose network values leaves
    draws: bool = False  # whether nodes draw a random number
    policies: Policies | None = None  # that other seats may follow, in the place of their models
    own_hand: ListSetup | None = None  # of the list of hands that the seat may hold


@dataclass
class SearchWorkspace:
    """The memory of one search at one table: its record `work`, and the arrays that the record has addresses of."""

    rules: Rules
    setup: SearchSetup

    def __post_init__(self) -> None:
        self._record = np.zeros(1, SEARCH)
        self.work: Any = self._record[0]
        self.states = new_states(SEARCH_LANES)
        write_template(self.rules, self.states, int(layout.UNDEALT))
        self.rng = new_streams(SEARCH_LANES)
        self.tree_rules = np.array([self.setup.rule_row], np.float64)
        self.leaf = np.array([self.setup.leaf_row], np.float64)
        self.nodes = np.empty(self.setup.nodes, NODE)
        self.draws = np.zeros(self.setup.nodes if self.setup.draws else 1, np.int64)
        self.products = np.zeros((NUM_MOVES, NUM_MOVES))
        self.allies = Allies(self.rules, self.setup.policies) if self.setup.policies else None
        self.hands = np.zeros(int(self.setup.settings.get("hands_weighed", 0)) or 1, WEIGHED_HAND)
        self._seat_models()
        self._seat_judges()
        own_hand = self.setup.own_hand
        if own_hand and self._roll_dice():
            text = self.setup.models[0].text
            raise SpecError(f"{text} rolls dice, so that its moves cannot be foreseen; give a blueprint that does not")
        self.own_hand = HandList(self.rules, own_hand, self.setup.models) if own_hand else None
        self._write_settings()
        self._write_addresses()

    @property
    def address(self) -> int:
        """What the search's row of parameters begins with."""
        return array_address(self._record)

    def stop(self) -> None:
        """Let the search in progress, and all later ones, answer at once."""
        self.work["stop"] = 1

    def resume(self) -> None:
        """Let the next search use its whole budget again."""
        self.work["stop"] = 0

    def damage(self) -> str | None:
        """What a model wrote beyond its memory, or into its parameters."""
        if found := self.memories.damage():
            texts = dict.fromkeys(model.text for model in (*self.setup.models, *self.setup.judges))
            return f"its model {' or '.join(texts)} wrote where it may not: {found}"
        return None if self._fixed == self._fixed_rows() else "one of its models changed its row of parameters"

    def explain(self, seconds: float | None = None) -> Explanation:
        """Why the last move was made; as text, a sentence."""
        return explain_search(self, seconds)

    def _seat_models(self) -> None:
        models, judges = self.setup.models, self.setup.judges
        most_words, longest_row = (self.allies.memory_words, self.allies.rows.shape[1]) if self.allies else (0, 1)
        most_words = max([most_words, *(judge.memory_words for judge in judges)])
        self.memories = Memories(SEARCH_LANES, [max(model.memory_words, most_words) for model in models])
        self.memory, self.extents = self.memories.rows, self.memories.extents
        self.acts, self.observes, self.params = self._seated(models, longest_row)

    def _seat_judges(self) -> None:
        """Those who are asked about past moves; the models are so in their own arrays, where policies are seated."""
        self.judge_acts, self.judge_observes, self.judge_params = self.acts, self.observes, self.params
        if self.setup.judges:
            self.judge_acts, self.judge_observes, self.judge_params = self._seated(self.setup.judges, 1)
        self._fixed = self._fixed_rows()

    def _seated(self, agents: Sequence[Agent], longest_row: int) -> tuple[Any, Any, Any]:
        """The addresses of the agents' `act` and `observe`, and their parameters, by seat."""
        acts, observes = np.full(MAX_PLAYERS, NO_KERNEL, np.int64), np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        params = np.zeros((MAX_PLAYERS, max([longest_row, *(len(agent.parameters) for agent in agents)])))
        for seat, agent in enumerate(agents):
            kind, row = agent.compiled, agent.parameters
            if reason := agent.why_not(self.rules):
                raise SpecError(f"a search cannot think with {agent.text} here: {reason}")
            params[seat, : len(row)] = row
            acts[seat] = address(kind.act, ACT)
            if kind.observe is not None:
                observes[seat] = address(kind.observe, OBSERVE)
        return acts, observes, params

    def _roll_dice(self) -> bool:
        """Whether the models touch the dice in a few games."""
        lane, fresh = int(layout.TRIAL), new_streams(1)
        for seed in range(GAMES_WATCHED):
            deal(self.states, layout.UNDEALT, layout.TRIAL, self.rng, seed)
            fresh[0] = self.rng[lane]
            clear_memory(self.memory, layout.TRIAL, self.extents)
            finish_game(self.states, layout.TRIAL, self.memory, self.params, self.rng, self.acts, self.observes)
            if (fresh[0] != self.rng[lane]).any():
                return True
        return False

    def _fixed_rows(self) -> bytes:
        """The parameters that must not change; policies are seated by the search, by copies of theirs."""
        models = self.params if self.allies is None else self.allies.rows
        return bytes(models.tobytes() + (self.judge_params.tobytes() if self.setup.judges else b""))

    def _write_settings(self) -> None:
        self.work["scale"] = self.rules.perfect_score
        self.work["listening"] = any(self.observes != NO_KERNEL)
        self.work["remembering"] = any(model.info.memory_words for model in self.setup.models)
        if self.allies is not None:
            self.work["remembering"] |= self.allies.record["remembering"]
            self.work["allies_address"] = self.allies.address
        self.work["own_hand_address"] = self.own_hand.address if self.own_hand else 0
        believe = self.setup.believer.hooks.believe if self.setup.believer else None
        self.work["believe_address"] = address(believe, OBSERVE) if believe else NO_KERNEL
        self.work["evaluator_move"] = NO_MOVE
        for name, value in self.setup.settings.items():
            self.work[name] = value

    def _write_addresses(self) -> None:
        for name in layout.ARRAYS:
            self.work[f"{name}_address"] = array_address(getattr(self, name))
        self.work["memory_words"] = self.memory.shape[2]
        self.work["params_words"] = self.params.shape[1]
        self.work["judge_params_words"] = self.judge_params.shape[1]
        self.work["tree_rules_words"] = self.tree_rules.shape[1]
        self.work["leaf_words"] = self.leaf.shape[1]
        self.work["node_capacity"] = len(self.nodes)
