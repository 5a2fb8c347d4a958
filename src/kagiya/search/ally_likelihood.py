"""What a search takes the other seats for: the policies it knows, how well each explains the moves, and the posterior.

In a sample every other seat plays a policy drawn from its posterior. The exact likelihood asks every policy what it
would have done, and a move speaks for those that agree with it. What another seat saw is public, or one of the hands
that this seat sees, or this seat's own hand. That one is sampled from what is known of it now, several times, and
answers are averaged over the samples; a policy that rolls dice is asked several times with each. With a small
probability, the noise, any legal move may come of any policy, so that a player that is like a policy most of the time
is still recognised.

The likelihood of Goodman's report is a network instead: it guesses who made a move, from the features of the position
and the move.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NewType

import numpy as np

from kagiya._jit import address, array_address, kernel, popcount, record_viewer, stack_array, stored_array
from kagiya.agents.api import Agent, Parameter
from kagiya.agents.playable_now import GROUNDED
from kagiya.agents.register import agent_types, prompt_agents, rebuild_agent
from kagiya.cards import MAX_PLAYERS, MoveNumber, Seat, each_seat
from kagiya.engine import batch
from kagiya.engine.dice import STREAM_WORDS
from kagiya.engine.game_kernels import apply_move, legal_moves
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, States, Streams
from kagiya.engine.memory import clear_memory
from kagiya.learn.features import FEATURES, write_move_features, write_state_features
from kagiya.learn.values import MAX_WIDTH, finish_network, start_layer
from kagiya.rules import Rules
from kagiya.search import search_layout as layout
from kagiya.search.deals import history, sampling
from kagiya.search.search_layout import DEALT, KNOWN, TRIAL, SearchRecord
from kagiya.spec import Spec, SpecError, near

MAX_POLICIES = 64

_SETTINGS = [
    ("policies", np.int64),  # how many there are
    ("hands", np.int64),  # own hands sampled for each look at the others' moves
    ("draws", np.int64),  # times that a policy is asked with each of them, if it rolls dice
    ("noise", np.float64),  # how likely a seat makes any legal move instead of its policy's
    ("cap", np.float64),  # nats that one move can cost a policy, at most
    ("by_network", np.int64),  # whether a network guesses the policy, instead of asking every one
    ("listening", np.int64),  # whether some policy observes moves
    ("remembering", np.int64),  # whether some policy has a memory
]
_TABLES = [
    ("prior", np.float64, (MAX_POLICIES,)),  # by policy: log weight before any move
    ("is_uniform", np.int64, (MAX_POLICIES,)),  # whether it makes every legal move with the same probability
    ("acts", np.int64, (MAX_POLICIES,)),  # the policies' kernels
    ("observes", np.int64, (MAX_POLICIES,)),
    ("posterior", np.float64, (MAX_PLAYERS, MAX_POLICIES)),  # by seat
    ("drawn", np.int64, (MAX_PLAYERS,)),  # by seat: the policy that plays it in the sample at hand
    ("matches", np.float64, (MAX_TURNS, MAX_POLICIES)),  # by turn: answers of a policy that were the move made
    ("choices", np.float64, (MAX_TURNS,)),  # by turn: legal moves, summed over the sampled hands
    ("actors", np.int64, (MAX_TURNS,)),  # by turn: who moved
]
_ARRAYS = [(name, np.int64) for name in ("rows_address", "rows_words", "network_address", "network_words")]
AlliesRecord = NewType("AlliesRecord", np.void)  # of ALLIES
ALLIES = np.dtype([*_SETTINGS, *_TABLES, *_ARRAYS], align=True)

allies_at = record_viewer(ALLIES)
network_of = stored_array(np.float64, "network_address", 1, "network_words")  # as `network_row` writes it
rows_of = stored_array(np.float64, "rows_address", MAX_POLICIES, "rows_words")  # the policies' parameters

# Words of the seat's own memory at the real table, behind its history.
STUDIED = history.HISTORY_WORDS  # moves of the game that have been weighed
WEIGHTS = STUDIED + 1  # by seat and policy: its log likelihood, the best of the seat's being 0
ALLY_WORDS = WEIGHTS + MAX_PLAYERS * MAX_POLICIES
NATS = 2.0**-32  # a word of memory in nats


NETWORK = 0  # the only row
FIRST = 0  # place of it

features_seen = stack_array("float64", FEATURES)
units_seen = stack_array("float64", MAX_WIDTH)


@kernel
def guess_policy(work: SearchRecord, allies: AlliesRecord, actor: Seat, turn: int, move: MoveNumber) -> None:
    """Add the network's probabilities of the policies, those of the search alone, to what was counted for the turn."""
    lanes, features, units = layout.states_of(work), features_seen(), units_seen()
    masks = work["convention_masks"][:]  # nothing has been said by any convention
    write_state_features(lanes, TRIAL, actor, masks, features)
    write_move_features(lanes, TRIAL, actor, masks, GROUNDED, move, features)
    start_layer(network_of(allies), NETWORK, FIRST, features, FEATURES, units)
    finish_network(network_of(allies), NETWORK, FIRST, units)
    highest, total = units[0], 0.0
    for policy in range(allies["policies"]):
        highest = max(highest, units[policy])
    for policy in range(allies["policies"]):
        units[policy] = math.exp(units[policy] - highest)
        total += units[policy]
    for policy in range(allies["policies"]):
        allies["matches"][turn, policy] += units[policy] / total


@kernel
def draw_allies(work: SearchRecord) -> None:
    """Seat a policy for every other player, each drawn by itself; nothing if the search has fixed models."""
    if work["allies_address"] == 0:
        return
    allies = allies_at(work["allies_address"])
    for other in each_seat(layout.states_of(work)[KNOWN]["players"]):
        if other != work["seat"]:
            allies["drawn"][other] = draw_policy(work, allies, other)
            seat_policy(work, allies, other, allies["drawn"][other])
    note_listeners(work)
    if allies["remembering"]:
        clear_memory(layout.memory_of(work), DEALT, layout.extents_of(work))


@kernel
def draw_policy(work: SearchRecord, allies: AlliesRecord, seat: Seat) -> int:
    """A policy by its posterior probability; if rounding leaves none, the last that is possible."""
    left, last = sampling.roll(work), 0
    for policy in range(allies["policies"]):
        chance = allies["posterior"][seat, policy]
        if chance > 0.0:
            last = policy
            if left < chance:
                return policy
            left -= chance
    return last


@kernel
def seat_policy(work: SearchRecord, allies: AlliesRecord, seat: Seat, policy: int) -> None:
    """Let a policy play a seat in the search."""
    layout.acts_of(work)[seat] = allies["acts"][policy]
    layout.observes_of(work)[seat] = allies["observes"][policy]
    params, rows = layout.params_of(work), rows_of(allies)
    for word in range(allies["rows_words"]):
        params[seat, word] = rows[policy, word]


@kernel
def note_listeners(work: SearchRecord) -> None:
    """Whether one of those who play the sample observes moves, so that their memories must be rebuilt."""
    observes = layout.observes_of(work)
    work["listening"] = 0
    for seat in range(len(observes)):
        if observes[seat] != batch.NO_KERNEL:
            work["listening"] = 1


MAX_NATS_BELOW = 200.0  # nats below the best policy at which a weight stays
SILENT = -1  # in the place of a policy: all those that do not listen, which need one replay together


@kernel
def begin_game(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Before the first move of a game: forget the history of the last one, if memory is kept. The weights stay."""
    if states[i]["turn"] > 0:
        return
    for word in range(history.HISTORY_WORDS):
        memory[i, seat, word] = 0
    memory[i, seat, STUDIED] = 0


@kernel
def study_allies(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Weigh the policies by the moves made since the last look, and write the posterior; with fixed models, nothing."""
    if work["allies_address"] == 0:
        return
    allies = allies_at(work["allies_address"])
    first = memory[i, seat, STUDIED]
    if work["whole_history"] and first < work["turns"]:
        clear_matches(allies, first, work["turns"])
        for _ in range(allies["hands"]):
            sample_own_hand(seat, work)
            ask_all(i, seat, memory, work, first)
        for turn in range(first, work["turns"]):
            if allies["actors"][turn] != seat:
                weigh_move(i, seat, memory, work, turn)
        memory[i, seat, STUDIED] = work["turns"]
    for other in each_seat(layout.states_of(work)[KNOWN]["players"]):
        write_posterior(i, seat, memory, work, other)
    work["listening"] = allies["listening"]


@kernel
def clear_matches(allies: AlliesRecord, first: int, end: int) -> None:
    """Nothing counted yet for the moves of these turns."""
    for turn in range(first, end):
        allies["choices"][turn] = 0.0
        for policy in range(allies["policies"]):
            allies["matches"][turn, policy] = 0.0


@kernel
def sample_own_hand(seat: Seat, work: SearchRecord) -> None:
    """Lane DEALT becomes the known game with a hand for the seat that fits the hints."""
    lanes = layout.states_of(work)
    sampling.sample_hand(lanes, KNOWN, seat, work, layout.rng_of(work))
    lanes[DEALT] = lanes[KNOWN]
    sampling.hold_hand(lanes, DEALT, seat, work)


@kernel
def ask_all(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, first: int) -> None:
    """Count the moves from turn `first` on that each policy would have made with the hand in lane DEALT."""
    allies = allies_at(work["allies_address"])
    replay(i, seat, memory, work, first, SILENT)
    if allies["by_network"]:
        return
    for policy in range(allies["policies"]):
        if allies["observes"][policy] != batch.NO_KERNEL:
            for other in each_seat(layout.states_of(work)[KNOWN]["players"]):
                if other != seat:
                    seat_policy(work, allies, other, policy)
            replay(i, seat, memory, work, first, policy)


@kernel
def replay(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, first: int, asked: int) -> None:
    """Play the game again from its deal and ask one policy, or all SILENT ones, at the others' moves."""
    lanes, allies = layout.states_of(work), allies_at(work["allies_address"])
    history.restart_game(i, seat, memory, work)
    for turn in range(work["turns"]):
        move, actor = memory[i, seat, history.HISTORY_MOVES + turn], lanes[TRIAL]["seat"]
        if turn >= first:
            allies["actors"][turn] = actor
            if asked == SILENT:
                allies["choices"][turn] += popcount(legal_moves(lanes, TRIAL))
            if actor != seat:
                if allies["by_network"]:
                    guess_policy(work, allies, actor, turn, move)
                elif asked != SILENT:
                    allies["matches"][turn, asked] += count_matches(work, allies, actor, move)
                else:
                    ask_silent(work, allies, actor, turn, move)
        if asked == SILENT:
            apply_move(lanes, TRIAL, move)
        else:
            memories, params = layout.memory_of(work), layout.params_of(work)
            batch.make_move(lanes, TRIAL, memories, params, layout.observes_of(work), move)


@kernel
def ask_silent(work: SearchRecord, allies: AlliesRecord, actor: Seat, turn: int, move: MoveNumber) -> None:
    """Ask all policies that do not listen to moves, one after the other."""
    for policy in range(allies["policies"]):
        if allies["observes"][policy] == batch.NO_KERNEL and not allies["is_uniform"][policy]:
            seat_policy(work, allies, actor, policy)
            allies["matches"][turn, policy] += count_matches(work, allies, actor, move)


@kernel
def count_matches(work: SearchRecord, allies: AlliesRecord, actor: Seat, move: MoveNumber) -> float:
    """How many answers of the policy in the actor's seat are this move; one that rolls no dice is asked only once."""
    dice, found = layout.rng_of(work), 0
    for draw in range(allies["draws"]):
        before = fold_stream(dice, actor)
        found += history.ask_model(work, actor) == move
        if draw == 0 and fold_stream(dice, actor) == before:
            return float(found * allies["draws"])
    return float(found)


@kernel
def fold_stream(dice: Streams, seat: Seat) -> int:
    """A number that changes when the seat's stream does."""
    folded = 0
    for word in range(STREAM_WORDS):
        folded = (folded * 31 + dice[TRIAL, 1 + seat, word]) & 0xFFFFFFFFFFFF
    return folded


@kernel
def likelihood(allies: AlliesRecord, turn: int, policy: int) -> float:
    """How likely the policy makes the move that was made at this turn."""
    if allies["by_network"]:
        return allies["matches"][turn, policy] / float(allies["hands"])
    share = explained_share(allies, turn, policy)
    if allies["is_uniform"][policy]:
        return share
    return (1.0 - allies["noise"]) * share + allies["noise"] * chance_of_any_move(allies, turn)


@kernel
def explained_share(allies: AlliesRecord, turn: int, policy: int) -> float:
    """How many of the policy's answers were the move that was made at this turn."""
    if allies["is_uniform"][policy]:
        return chance_of_any_move(allies, turn)
    return allies["matches"][turn, policy] / float(allies["hands"] * allies["draws"])


@kernel
def chance_of_any_move(allies: AlliesRecord, turn: int) -> float:
    """The chance of each legal move if one was drawn."""
    return allies["hands"] / allies["choices"][turn]


@kernel
def weigh_move(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, turn: int) -> None:
    """Multiply the weights of the actor's policies by their likelihoods; one move costs a policy `cap` nats at most."""
    allies = allies_at(work["allies_address"])
    best = highest_likelihood(allies, turn)
    if best <= 0.0:
        return
    first = WEIGHTS + allies["actors"][turn] * MAX_POLICIES
    for policy in range(allies["policies"]):
        memory[i, seat, first + policy] -= int(lost_nats(allies, turn, policy, best) / NATS)
    keep_in_range(i, seat, memory, work, first)


@kernel
def highest_likelihood(allies: AlliesRecord, turn: int) -> float:
    """That of the policy which explains the move of this turn best."""
    best = 0.0
    for policy in range(allies["policies"]):
        best = max(best, likelihood(allies, turn, policy))
    return best


@kernel
def lost_nats(allies: AlliesRecord, turn: int, policy: int, best: float) -> float:
    """What the move of this turn costs a policy; `best` is the highest likelihood."""
    lost = allies["cap"]
    if likelihood(allies, turn, policy) > 0.0:
        lost = min(lost, math.log(best / likelihood(allies, turn, policy)))
    return lost


@kernel
def keep_in_range(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, first: int) -> None:
    """The best weight of a seat becomes 0; none falls so low that a changed partner could not be recognised again."""
    allies = allies_at(work["allies_address"])
    highest = memory[i, seat, first]
    for policy in range(allies["policies"]):
        highest = max(highest, memory[i, seat, first + policy])
    lowest = int(-MAX_NATS_BELOW / NATS)
    for policy in range(allies["policies"]):
        memory[i, seat, first + policy] = max(memory[i, seat, first + policy] - highest, lowest)


@kernel
def write_posterior(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, other: Seat) -> None:
    """The posterior of one seat: prior times likelihood, made to sum to one."""
    allies = allies_at(work["allies_address"])
    first, highest, total = WEIGHTS + other * MAX_POLICIES, -1e300, 0.0
    for policy in range(allies["policies"]):
        weight = allies["prior"][policy]
        if work["whole_history"]:
            weight += memory[i, seat, first + policy] * NATS
        allies["posterior"][other, policy] = weight
        highest = max(highest, weight)
    for policy in range(allies["policies"]):
        allies["posterior"][other, policy] = math.exp(allies["posterior"][other, policy] - highest)
        total += allies["posterior"][other, policy]
    for policy in range(allies["policies"]):
        allies["posterior"][other, policy] /= total


# Goodman 2019, Table VII of the report: eight of the competition framework, and two by his evaluation function.
FRAMEWORK = ("random", "cautious", "iggi", "flawed", "piers", "risky(threshold=0.6)", "outer", "vdb")
LISTS = {"framework": FRAMEWORK, "goodman": (*FRAMEWORK, "evalfn", "evalfn(convention=playable-now)")}
ZOO, LIST = "zoo", "list"
WORTH_NAMING = 0.01  # a posterior below this is not shown


@dataclass(frozen=True, slots=True)
class PoliciesParameter(Parameter):
    """The agents that other players may be: a named list, ``list(agent, ...)``, or the whole zoo.

    The zoo grows with the register, so it is not among the choices, of which each has its games in the signature.
    """

    def parse(self, value: Spec, agent: str) -> Any:
        if value.name == LIST and value.values:
            return tuple(checked_policy(str(item), agent) for item in value.values)
        if value.name not in (*self.choices, ZOO) or value.values:
            known = near(value.name, (*self.choices, ZOO))
            raise SpecError(f"{agent}: {self.name}={value} is not known; {known} (or list(agent, ...))")
        return value.name

    def range_text(self) -> str:
        return " or ".join((*self.choices, ZOO, "list(agent, ...)"))


def checked_policy(text: str, search: str) -> Agent:
    """An agent that can be asked in the middle of a search; a sentence says why another cannot."""
    found = rebuild_agent(text)
    if not found.is_compiled:
        raise SpecError(f"{search}: the policy {text} is written in Python; a search needs compiled agents")
    if found.is_search:
        raise SpecError(f"{search}: the policy {text} is a search itself; give agents that answer at once")
    if found.info.mark:
        raise SpecError(f"{search}: the policy {text} {found.info.mark}, which nobody at the table does")
    return found


def named_policies(value: Any, rules: Rules | None = None) -> list[Agent]:
    """The agents of a list; of a named list those that can play by the rules."""
    if not isinstance(value, str):
        return list(value)
    texts = zoo() if value == ZOO else LISTS[value]
    return [agent for agent in map(rebuild_agent, texts) if rules is None or agent.why_not(rules) is None]


def zoo() -> list[str]:
    """Every compiled agent of the register that answers at once and sees no more than a player does."""
    kinds = agent_types()
    prompt = [kinds[name] for name in prompt_agents()]
    able = [kind.info for kind in prompt if kind.is_compiled and not kind.info.mark]
    return [info.id for info in able if info.id != "rules"]  # which is nothing without its tactics


@dataclass(frozen=True)
class Policies:
    """What a search is told of the others when it sits down: the policies, their prior and how they are weighed."""

    agents: Sequence[Agent]
    prior: Sequence[float]  # log weights
    settings: Mapping[str, float]  # by field of the record
    network: Sequence[float] = (0.0,)  # as `network_row` writes it, if one guesses the policy


@dataclass(frozen=True)
class AllyBelief:
    """Who a search takes another player for: policies and their probabilities, the likeliest first."""

    seat: Seat
    policies: tuple[tuple[str, float], ...]

    def likely(self, most: int) -> str:
        """The likeliest policies in words, as far as they count: ``vdb (92 %), iggi (7 %)``."""
        named = [pair for pair in self.policies[:most] if pair[1] >= WORTH_NAMING] or self.policies[:1]
        return ", ".join(f"{text} ({100 * chance:.0f} %)" for text, chance in named)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"seat": int(self.seat), "policies": dict(self.policies)}


class Allies:
    """The policies of a search at one table: their kernels and parameters, and the posterior of every seat."""

    def __init__(self, rules: Rules, policies: Policies) -> None:
        self.players, self.agents = rules.players, list(policies.agents)
        if not 1 <= len(self.agents) <= MAX_POLICIES:
            raise SpecError(f"a search can tell 1 to {MAX_POLICIES} policies apart, not {len(self.agents)}")
        self._array = np.zeros(1, ALLIES)
        self.record: Any = self._array[0]
        rows = [agent.parameters for agent in self.agents]
        self.rows = np.zeros((MAX_POLICIES, max(1, *map(len, rows))))
        for place, (agent, row) in enumerate(zip(self.agents, rows, strict=True)):
            self._write_policy(place, agent, row, rules)
        self.network = np.array([policies.network], np.float64)
        self._write_settings(policies)

    @property
    def address(self) -> int:
        """Where the kernels find the record."""
        return array_address(self._array)

    @property
    def memory_words(self) -> int:
        """The most words that a policy needs."""
        return max(agent.memory_words for agent in self.agents)

    def beliefs(self, seat: Seat) -> tuple[AllyBelief, ...]:
        """The posterior of every other seat, as the last search of this seat left it."""
        others = [Seat(other) for other in range(self.players) if other != seat]
        return tuple(AllyBelief(other, self._posterior(other)) for other in others)

    def _posterior(self, seat: Seat) -> tuple[tuple[str, float], ...]:
        chances = [float(chance) for chance in self.record["posterior"][seat, : len(self.agents)]]
        pairs = zip((agent.text for agent in self.agents), chances, strict=True)
        return tuple(sorted(pairs, key=lambda pair: -pair[1]))

    def _write_policy(self, place: int, agent: Agent, row: Sequence[float], rules: Rules) -> None:
        if reason := agent.why_not(rules):
            raise SpecError(f"a search cannot take others for {agent.text} here: {reason}")
        kind = agent.compiled
        self.rows[place, : len(row)] = row
        self.record["acts"][place] = address(kind.act, batch.ACT)
        observe = kind.observe
        self.record["observes"][place] = batch.NO_KERNEL if observe is None else address(observe, batch.OBSERVE)
        self.record["is_uniform"][place] = agent.info.id == "random"

    def _write_settings(self, policies: Policies) -> None:
        count = len(self.agents)
        self.record["policies"] = count
        self.record["prior"][:count] = policies.prior
        self.record["listening"] = any(self.record["observes"][:count] != batch.NO_KERNEL)
        self.record["remembering"] = any(agent.info.memory_words for agent in self.agents)
        self.record["rows_address"], self.record["rows_words"] = array_address(self.rows), self.rows.shape[1]
        self.record["network_address"] = array_address(self.network)
        self.record["network_words"] = self.network.shape[1]
        for name, value in policies.settings.items():
            self.record[name] = value
