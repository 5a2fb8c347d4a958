"""Which agents the players of recorded games play like, by the exact likelihood of `ally_likelihood.py`.

A record shows all hands, so what every seat saw is known and no hand is sampled: the game is told to a seat beside the
table, which asks every agent about every move. The posterior begins with all agents alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
from kagiya.agents.api import Agent, Parameter
from kagiya.cards import MAX_PLAYERS, SEAT_NAMES, Seat
from kagiya.engine.game import LANE
from kagiya.engine.layout import Memory
from kagiya.engine.record import GameRecord, RecordError
from kagiya.rules import Rules
from kagiya.search import search_layout as layout
from kagiya.search.ally_likelihood import (
    ALLY_WORDS,
    Policies,
    allies_at,
    ask_all,
    chance_of_any_move,
    clear_matches,
    explained_share,
    highest_likelihood,
    lost_nats,
)
from kagiya.search.deals.history import HISTORY_MOVES
from kagiya.search.nodes import seed_all
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.spec import Spec, SpecError

Numbers = npt.NDArray[np.float64]
SPECTATOR = Seat(MAX_PLAYERS)  # nobody's seat: every move is another's
USUAL = {"hands": 8, "draws": 4, "noise": 0.1, "cap": round(math.log(1e6), 2)}  # of `ally`, which explains them
MIN_EXPLAINED = 0.5  # share of moves below which a player is like nobody
HALVINGS, DIGITS = 20, 4  # of the interval in which that share lies, and of the share itself
TOGETHER = "all"  # the players of all games, taken for one


class WeighedGame(NamedTuple):
    """What agents have to say of one game."""

    shares: Numbers  # by turn and agent: of its answers, those that were the move made
    nats: Numbers  # by turn and agent: what the move costs it
    chances: Numbers  # by turn: of the move, if any legal one was drawn


@kernel
def weigh_record(address: int, memory: Memory, seed: int, shares: Numbers, nats: Numbers, chances: Numbers) -> None:
    """Ask every policy about every move of the game in lane DEALT."""
    work = layout.work_at(address)
    allies = allies_at(work["allies_address"])
    seed_all(work, seed)
    clear_matches(allies, 0, work["turns"])
    ask_all(0, SPECTATOR, memory, work, 0)
    for turn in range(work["turns"]):
        best = highest_likelihood(allies, turn)
        chances[turn] = chance_of_any_move(allies, turn)
        for policy in range(allies["policies"]):
            shares[turn, policy] = explained_share(allies, turn, policy)
            nats[turn, policy] = lost_nats(allies, turn, policy, best)


def weigh_games(
    records: Iterable[GameRecord], agents: Sequence[Agent], settings: Mapping[str, float]
) -> Iterator[WeighedGame]:
    """Ask agents that can play by the rules of the games about every move; `settings` are those of `ally`.

    An agent that rolls dice is asked as often as a search asks it, which has several hands to ask with.
    """
    asked = {**settings, "hands": 1, "draws": settings["hands"] * settings["draws"]}
    spectators: dict[Rules, SearchWorkspace] = {}
    for number, record in enumerate(records):
        if record.rules not in spectators:
            policies = Policies(agents, [0.0] * len(agents), asked)
            setup = SearchSetup({}, models=[agents[0]] * record.rules.players, policies=policies)
            spectators[record.rules] = SearchWorkspace(record.rules, setup)
        yield _weigh_game(spectators[record.rules], record, number, len(agents))


def _weigh_game(spectator: SearchWorkspace, record: GameRecord, number: int, agents: int) -> WeighedGame:
    turns = len(record.moves)
    memory = np.zeros((1, MAX_PLAYERS + 1, ALLY_WORDS), np.int64)
    memory[0, SPECTATOR, HISTORY_MOVES : HISTORY_MOVES + turns] = record.moves
    spectator.states[layout.KNOWN] = spectator.states[layout.DEALT] = record.deal().states[LANE]
    spectator.work["turns"] = turns
    found = WeighedGame(np.zeros((turns, agents)), np.zeros((turns, agents)), np.zeros(turns))
    weigh_record(spectator.address, memory, number, *found)
    if damage := spectator.damage():
        raise SpecError(damage)
    return found


@dataclass(frozen=True)
class AgentFit:
    """How well one agent explains what a player did."""

    agent: str
    posterior: float
    explained: float  # share of the moves, by `explained_moves`
    behind: float  # nats per move that it is less likely than the best


@dataclass(frozen=True)
class PlayerStyle:
    """Which agents a player plays like, the likeliest first."""

    player: str
    games: int
    moves: int
    fits: tuple[AgentFit, ...]

    @property
    def is_known(self) -> bool:
        """Whether the likeliest agent explains half of the moves."""
        return self.fits[0].explained >= MIN_EXPLAINED

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "is_known": self.is_known}


def player_styles(
    records: Sequence[GameRecord], agents: Sequence[Agent], advance: Callable[[int], None] = lambda games: None
) -> list[PlayerStyle]:
    """The style of every player, by name, or by seat where a record has no names; of several, that of all together."""
    seen: dict[str, list[WeighedGame]] = {}
    for record, game in zip(records, weigh_games(records, agents, USUAL), strict=True):
        for seat, name in enumerate(record.names or SEAT_NAMES[: record.rules.players]):
            own = slice(seat, None, record.rules.players)
            seen.setdefault(name, []).append(WeighedGame(*(numbers[own] for numbers in game)))
        advance(1)
    styles = [_style(name, len(games), agents, games) for name, games in seen.items()]
    if len(seen) > 1:
        styles.append(_style(TOGETHER, len(records), agents, [*chain.from_iterable(seen.values())]))
    return styles


def _style(name: str, count: int, agents: Sequence[Agent], games: Sequence[WeighedGame]) -> PlayerStyle:
    shares, nats, chances = (np.concatenate(numbers) for numbers in zip(*games, strict=True))
    lost = nats.sum(axis=0) - nats.sum(axis=0).min()
    weights, explained = np.exp(-lost), explained_moves(shares, chances)
    posterior, behind = weights / weights.sum(), lost / max(len(shares), 1)
    order = np.lexsort((-explained, lost))
    fits = [AgentFit(agents[k].text, float(posterior[k]), float(explained[k]), float(behind[k])) for k in order]
    return PlayerStyle(name, count, len(shares), tuple(fits))


def explained_moves(shares: Numbers, chances: Numbers) -> Numbers:
    """By agent: for which share of the moves it is most likely that they were its own, and the rest any legal ones.

    How often its answer was the move made would not do: an agent that rolls dice does not often answer the same twice.
    """
    gain = shares - chances[:, None]
    low, high = np.zeros(shares.shape[1]), np.ones(shares.shape[1])
    for _ in range(HALVINGS):  # where the likelihood, which is concave, no longer rises
        middle = (low + high) / 2
        rises = (gain / (chances[:, None] + middle * gain)).sum(axis=0) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return np.round(low, DIGITS)


@dataclass(frozen=True, slots=True)
class SeenParameter(Parameter):
    """A file of games in our own JSON; the other players are expected to be like those of its games."""

    def parse(self, value: Spec, agent: str) -> Any:
        if str(value) not in self.choices:
            try:
                read_seen(str(value), stamp_of(str(value)))
            except RecordError as error:
                told = f"{error}; it takes our own JSON, which `kagiya convert {value} games.json` writes"
                raise SpecError(f"{agent}: {self.name}: {told}") from None
            except OSError as error:
                raise SpecError(f"{agent}: {self.name}: {value} cannot be read: {error.strerror}") from None
        return str(value)

    def range_text(self) -> str:
        return " or ".join((*self.choices, "a file of games"))


def stamp_of(path: str) -> tuple[int, int]:
    """What changes with a file."""
    status = Path(path).stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=16)
def read_seen(path: str, stamp: tuple[int, int]) -> tuple[GameRecord, ...]:
    """The games of a file, read once as long as it stays the same."""
    records = GameRecord.read_all(path)
    if not any(record.moves for record in records):
        raise RecordError(f"{path}: no move is made in it")
    return tuple(records)


@lru_cache(maxsize=64)
def seen_prior(
    records: tuple[GameRecord, ...], agents: tuple[Agent, ...], settings: tuple[tuple[str, float], ...], lead: float
) -> list[float]:
    """Log weights by what all players of these games did, as if they were one; none is more than `lead` nats behind.

    An agent that cannot play by the rules of the games was none of them.
    """
    able = [agent for agent in agents if not any(agent.why_not(record.rules) for record in records)]
    if not able:
        return [0.0] * len(agents)
    lost = sum(game.nats.sum(axis=0) for game in weigh_games(records, able, dict(settings)))
    behind = dict(zip(able, np.minimum(lost - np.min(lost), lead).tolist(), strict=True))
    return [-behind.get(agent, lead) for agent in agents]
