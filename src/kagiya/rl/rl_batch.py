"""Many games at once for a learner: numbers of moves in, vectors, masks, rewards and ends out, in numpy arrays.

Arrays that a caller hands over to be written are checked once, so that compiled code may trust them. With the learner
sits a team drawn for every episode from a weighted pool (`Partners`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.cards import MAX_PLAYERS, SEAT_NAMES
from kagiya.engine.batch import NO_KERNEL, write_template
from kagiya.engine.game import Game, check_seed
from kagiya.engine.layout import STREAMS, States, new_states
from kagiya.engine.memory import Memories
from kagiya.lab.table.table import Table
from kagiya.rl import rl_kernels as kernels
from kagiya.rl.bits_kernels import LAST_FIELDS
from kagiya.rl.encoding import Encoding, straight_colors
from kagiya.rl.vectors import uid_to_move
from kagiya.rules import Rules, parse_rules
from kagiya.spec import near


def check_given(name: str, given: object, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The caller's array in place of one like this; one that compiled code could not write is refused."""
    if not isinstance(given, np.ndarray):
        raise ValueError(f"{name}: a numpy array is written, not {type(given).__name__}")
    if given.shape != like.shape or given.dtype != like.dtype:
        expected, found = f"{like.dtype} of shape {like.shape}", f"{given.dtype} of shape {given.shape}"
        raise ValueError(f"{name}: the array must be {expected}, not {found}")
    if not given.flags.writeable:
        raise ValueError(f"{name}: the array is read-only")
    if not (given.flags.c_contiguous and given.flags.aligned):
        raise ValueError(f"{name}: the array must be contiguous (C order); this one skips or reorders entries")
    return given.view(np.ndarray)


def check_apart(arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Refuse arrays of which one would overwrite another."""
    for one, other in combinations(arrays, 2):
        if np.may_share_memory(arrays[one], arrays[other]):
            raise ValueError(f"{one} and {other} lie in the same memory; each needs its own")


Team = str | Agent | Sequence[str | Agent]
Pool = Mapping[Any, float] | Sequence[Team] | str | Agent


@dataclass(frozen=True)
class Partners:
    """The teams that a learner meets, with their weights: an agent in all other seats, or a list of agents in the seats
    after the learner's.

    >>> Partners({"smartbot": 3, "iggi": 1}, seat=0)
    >>> Partners([["smartbot", "iggi"], "vdb"])  # two teams for three players, of which the first is mixed
    """

    pool: Pool
    seat: int | None = None  # the learner's; None draws it for every episode

    def teams(self) -> list[tuple[tuple[Agent, ...], float]]:
        """The agents of each team with its weight, which are 1 together."""
        pool = self.pool
        if isinstance(pool, str | Agent):
            pool = [pool]
        if not isinstance(pool, Mapping | Sequence):
            raise ValueError(f"partners are an agent, a list of agents or a dict of agents and weights, not {pool!r}")
        weighted = dict(pool) if isinstance(pool, Mapping) else {_as_team(team): 1.0 for team in pool}
        if any(isinstance(weight, bool) or not isinstance(weight, Real) for weight in weighted.values()):
            raise ValueError(f"the weights of partners are numbers, not {list(weighted.values())}")
        total = float(sum(weighted.values()))
        if not weighted or total <= 0 or min(weighted.values()) < 0 or not np.isfinite(total):
            raise ValueError(f"partners need weights that are not negative and not all 0, not {self.pool!r}")
        return [(tuple(map(as_agent, _as_team(team))), weight / total) for team, weight in weighted.items()]

    def check_seat(self, rules: Rules) -> None:
        """Refuse a learner's seat that is not at the table."""
        seat = self.seat
        is_number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat is not None and not (is_number and 0 <= seat < rules.players):
            raise ValueError(f"seat {seat!r} is not at a table of {rules.players}")


def _as_team(team: Team) -> tuple[str | Agent, ...]:
    if not isinstance(team, str | Agent | Sequence):
        raise ValueError(f"a team of partners is an agent or a list of agents, not {team!r}")
    return (team,) if isinstance(team, str | Agent) else tuple(team)


def _around(team: Sequence[Agent], learner: int, players: int) -> list[Agent]:
    """A team in the seats after the learner's, who is given an agent that will not be asked."""
    if len(team) not in (1, players - 1):
        names = ", ".join(agent.text for agent in team)
        raise ValueError(f"a learner at a table of {players} has {players - 1} partners, not {len(team)}: {names}")
    return [team[(seat - learner - 1) % players % len(team)] for seat in range(players)]


@dataclass
class SeatedPartners:
    """A pool as kernels know it; the tables keep alive what the addresses stand for."""

    acts: npt.NDArray[np.int64]
    observes: npt.NDArray[np.int64]
    params: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    memory_words: int
    names: list[list[str]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    @classmethod
    def nobody(cls) -> SeatedPartners:
        """No partners: the learner moves for every seat."""
        nobody = np.full((1, MAX_PLAYERS), NO_KERNEL, np.int64)
        return cls(nobody, nobody.copy(), np.zeros((1, MAX_PLAYERS, 1)), np.ones(1), 1)

    @classmethod
    def of(cls, partners: Partners, rules: Rules) -> SeatedPartners:
        """Every team seated; one that cannot play these rules, or not in a batch, is refused."""
        teams, tables = partners.teams(), list[Table]()
        for team, _ in teams:
            alike = len(team) == 1 or partners.seat is not None
            seats = [partners.seat or 0] if alike else range(rules.players)
            seated = [Table(rules, _around(team, seat, rules.players)) for seat in seats]
            for table in seated:
                _check(table)
            tables += seated * (rules.players if alike else 1)
        width = max(table.params.shape[1] for table in tables)
        params = np.zeros((len(tables), MAX_PLAYERS, width))
        for row, table in enumerate(tables):
            params[row, :, : table.params.shape[1]] = table.params
        acts, observes = (np.array([getattr(table, name) for table in tables]) for name in ("acts", "observes"))
        rows = np.arange(len(tables))
        acts[rows, rows % rules.players] = observes[rows, rows % rules.players] = NO_KERNEL  # the learner's seat
        return cls(
            acts,
            observes,
            params,
            np.array([weight for _, weight in teams]),
            max(agent.memory_words for team, _ in teams for agent in team),
            [[agent.text for agent in team] for team, _ in teams],
            tables,
        )

    def memories(self, lanes: int) -> Memories:
        """Room for what the partners remember in `lanes` games."""
        return Memories(lanes, [self.memory_words] * MAX_PLAYERS)


def _check(table: Table) -> None:
    for agent, player, workspace in zip(table.agents, table.players, table.workspaces, strict=True):
        if player is not None:
            raise ValueError(f"{agent.text} is a Python agent; partners move inside the step, so they must be compiled")
        if workspace is not None:
            raise ValueError(
                f"{agent.text} searches, which takes a table of its own; partners in a batch answer at once"
            )
    table.play_chunk(0, 1)  # compiled, and inspected if it is a user's


MAX_SEED = 2**62  # of the sequences of games that environments draw
REWARDS = {"score": kernels.BY_SCORE, "points": kernels.BY_POINTS, "end": kernels.AT_THE_END}
NEXT_GAMES = {"at once": kernels.AT_ONCE, "next step": kernels.BY_NEXT_STEP, "reset": kernels.BY_RESET}


GIVEN_ARRAYS = {
    "vectors": "_rows",
    "masks": "_masks",
    "rewards": "rewards",
    "ended": "_ended",
    "seats": "seats",
    "final_vectors": "_final_rows",
    "final_scores": "final_scores",
}  # arrays that a caller may provide, and what a batch calls them


class ActionError(ValueError):
    """An action that cannot be made; no game has moved."""


def as_rules(rules: Rules | str | None, players: int | None) -> Rules:
    """Rules, or their text, for this number of players; two unless it is given."""
    if not isinstance(rules, Rules | str | None):
        raise ValueError(f"expected Rules(...) or the name of rules, not {rules!r}")
    if not isinstance(rules, Rules):
        return parse_rules(rules or "standard", 2 if players is None else players)
    if players not in (None, rules.players):
        raise ValueError(f"players={players}, but the rules are for {rules.players}")
    return rules


@dataclass(frozen=True)
class Episodes:
    """How episodes are played and counted.

    `reward` is "score" (what the score grows by; a bomb takes it back), "points" (cards played, which a bomb leaves) or
    "end" (the score, when the game is over); `permuted` gives every episode an order of colors of its own, in vectors,
    masks and actions alike (Other-Play); `every_seat` writes the vectors of all seats, not only of the one to move;
    `next_game` says when a game that ended is followed by another: "at once", in the "next step" (whose action for that
    lane is ignored), or by `reset` alone; `illegal` what becomes of an illegal action: it is refused ("raise") and no
    game moves, or a legal one is drawn and made in its place ("replace").
    """

    reward: str = "score"
    permuted: bool = False
    every_seat: bool = False
    next_game: str = "at once"
    illegal: str = "raise"

    def __post_init__(self) -> None:
        if self.reward not in REWARDS:
            raise ValueError(f"{self.reward!r} is not a way to count rewards; there are {', '.join(REWARDS)}")
        if self.next_game not in NEXT_GAMES:
            raise ValueError(f"the next game begins {', '.join(map(repr, NEXT_GAMES))}, not {self.next_game!r}")
        if self.illegal not in ("raise", "replace"):
            raise ValueError(f"illegal is 'raise' or 'replace', not {self.illegal!r}")


def episodes_with(episodes: Episodes | None, next_game: str, illegal: str) -> Episodes:
    """The same episodes but for what an environment settles itself."""
    if not isinstance(episodes, Episodes | None):
        raise ValueError(f"expected Episodes(...), not {episodes!r}")
    return replace(episodes or Episodes(), next_game=next_game, illegal=illegal)


class Batch:
    """Games in lanes, one in each. After `reset` and every `step` its arrays hold what a learner needs:

    `vectors` [lane, entry] (or [lane, seat, entry]), `masks` [lane, move] (or [lane, seat, move]), `rewards` [lane],
    `ended` [lane], `seats` [lane] (whose vector it is), `final_vectors` and `final_scores` of the games that ended;
    besides `replaced` [lane] (whether a legal action was drawn in the last step) and `teams` [lane] (which one of
    `pool` sits with the learner).
    They are the same arrays every time, the caller's where `write_into` was given some; copy what must outlast a step.
    Lane n plays the seeds seed + n, seed + n + lanes, and so on, after the games that `reset` was given.
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        lanes: int = 1,
        encoding: Encoding | None = None,
        episodes: Episodes | None = None,
        partners: Partners | Pool | None = None,
        players: int | None = None,
    ) -> None:
        if isinstance(lanes, bool) or not isinstance(lanes, int | np.integer) or lanes < 1:
            raise ValueError(f"a batch has at least one lane, not {lanes!r}")
        for given, kind in ((encoding, Encoding), (episodes, Episodes)):
            if given is not None and not isinstance(given, kind):
                raise ValueError(f"expected {kind.__name__}(...), not {given!r}")
        self.rules, self.lanes = as_rules(rules, players), int(lanes)
        self.encoding, self.episodes = encoding or Encoding(), episodes or Episodes()
        self.partners = partners if partners is None or isinstance(partners, Partners) else Partners(partners)
        self._make_rows()
        self._make_games()
        self._seat_partners()

    def _make_rows(self) -> None:
        """What a learner sees."""
        rows = self.lanes * (self.rules.players if self.episodes.every_seat else 1)
        self._rows, self._final_rows = (self.encoding.rows(self.rules, rows) for _ in range(2))
        self._masks = np.zeros((rows, self.encoding.moves(self.rules)), np.int8)
        self._ended = np.zeros((self.lanes, 1), np.int8)
        self.rewards = np.zeros(self.lanes, np.float32)
        self.seats, self.final_scores = np.zeros(self.lanes, np.int64), np.zeros(self.lanes, np.int64)
        self.replaced = np.zeros(self.lanes, np.bool_)

    def _make_games(self) -> None:
        """What the games are."""
        self._states = self._room_for(())
        self._rng = np.zeros((self.lanes + 1, STREAMS + 1, 4), np.int64)
        self._last = np.zeros((self.lanes, LAST_FIELDS), np.int64)
        self._colors = straight_colors(self.lanes)
        self._facts = np.zeros((self.lanes, kernels.LANE_FACTS), np.int64)
        self._bits = self.encoding.bits(self.rules)
        self._is_ready = False

    def _seat_partners(self) -> None:
        seat = kernels.ALL_SEATS if self.partners is None else self.partners.seat
        if self.partners is not None:
            self.partners.check_seat(self.rules)
        seated = self._taken_seats()
        self._seated, self._memories = seated, seated.memories(self.lanes + 1)
        numbers = [self.lanes, self.episodes.permuted, kernels.DRAWN if seat is None else seat]
        counted = [REWARDS[self.episodes.reward], self.episodes.every_seat, NEXT_GAMES[self.episodes.next_game]]
        replaces = self.episodes.illegal == "replace"
        self._style = np.array([*self.encoding.style(), *numbers, *counted, replaces, 0, 0], np.int64)  # none given

    def _taken_seats(self) -> SeatedPartners:
        return SeatedPartners.nobody() if self.partners is None else SeatedPartners.of(self.partners, self.rules)

    @property
    def vectors(self) -> npt.NDArray[Any]:
        """What each game looks like to the seat to move, or to all seats."""
        return self._by_seat(self._rows)

    @property
    def final_vectors(self) -> npt.NDArray[Any]:
        """The same at the end of the games that ended in the last step; other rows are of earlier ends."""
        return self._by_seat(self._final_rows)

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """Which moves are legal."""
        return self._by_seat(self._masks).view(np.bool_)

    @property
    def masks_to_move(self) -> npt.NDArray[np.bool_]:
        """The masks of the seats in `seats`, whether or not all seats' are written."""
        return self.masks[np.arange(self.lanes), self.seats] if self.episodes.every_seat else self.masks

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """Whether the game that was stepped ended; the lane holds a new one then."""
        return self._ended[:, 0].view(np.bool_)

    @property
    def seeds(self) -> npt.NDArray[np.int64]:
        """The seed of every lane's present game; -1 for one that was begun from a deck or position."""
        return self._facts[:, kernels.SEED]

    @property
    def pool(self) -> list[list[str]]:
        """The teams of partners by the names of their agents, in the order of `teams`."""
        return self._seated.names

    @property
    def teams(self) -> npt.NDArray[np.int64]:
        """Which team of the pool sits in every lane."""
        return self._facts[:, kernels.TEAM]

    def partners_in(self, lane: int) -> list[str | None]:
        """Who sits where in a lane, by seat; None where the learner moves."""
        self.check_begun()
        learner, players = int(self._facts[lane, kernels.LEARNER]), self.rules.players
        if self.partners is None:
            return [None] * players
        team = self.pool[self.teams[lane]]
        offsets = [(seat - learner - 1) % players for seat in range(players)]
        return [None if seat == learner else team[offset % len(team)] for seat, offset in enumerate(offsets)]

    def write_into(self, **arrays: npt.NDArray[Any]) -> None:
        """Write into the caller's arrays from now on: `vectors`, `masks`, `rewards`, `ended`, `seats`, `final_vectors`
        or `final_scores`, each of the shape and type that the batch's own has. What stands in that is copied."""
        for name in arrays:
            if name not in GIVEN_ARRAYS:
                raise ValueError(f"{name!r} is not an array of a batch: {near(name, GIVEN_ARRAYS)}")
        checked = {name: check_given(name, array, getattr(self, name)) for name, array in arrays.items()}
        check_apart({name: checked.get(name, getattr(self, name)) for name in GIVEN_ARRAYS})
        for name, array in checked.items():
            array[:] = getattr(self, name)
            own = getattr(self, GIVEN_ARRAYS[name])
            setattr(self, GIVEN_ARRAYS[name], array.view(own.dtype).reshape(own.shape))

    def _by_seat(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return rows.reshape(self.lanes, self.rules.players, -1) if self.episodes.every_seat else rows

    def reset(
        self,
        seed: int | Sequence[int] = 0,
        decks: Iterable[Sequence[int] | str] | None = None,
        positions: Iterable[Game | str] | None = None,
        again: bool = False,
    ) -> npt.NDArray[Any]:
        """Begin a game in every lane: by seeds, from given decks (top card first), or from positions.

        Instead of one seed, there may be a list with one for each lane, which plays seeds[n], seeds[n] + lanes, ...
        Of given games, as many as you like, lane n plays number n, counted from 0, number n + lanes, and so on. When
        they are used up it goes on with its seeds, of which given games take none; with `again` the list begins
        again after its last game. Partners know nothing of what happened before a position.
        """
        seeds = self._first_seeds(seed)
        games = self._games(decks, positions)
        self._states = self._room_for(games)
        self._style[kernels.GIVEN], self._style[kernels.AGAIN] = len(games), again
        self._facts[:, kernels.NEXT_SEED] = seeds
        places = np.arange(self.lanes)
        self._facts[:, kernels.NEXT_GIVEN] = places % len(games) if again and games else places
        self._facts[:, kernels.DICE] = 0
        self._is_ready = True
        return self.begin(np.ones(self.lanes, np.bool_))

    def _first_seeds(self, seed: int | Sequence[int]) -> list[int]:
        """The first seed of every lane."""
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            seeds = list(seed)
            if len(seeds) != self.lanes:
                raise ValueError(
                    f"there are {len(seeds)} seeds for {self.lanes} lanes; give one for each, or a single one"
                )
        else:
            check_seed(seed)
            seeds = [int(seed) + lane for lane in range(self.lanes)]
        for each in seeds:
            check_seed(each)
        return [int(each) for each in seeds]

    def _room_for(self, games: Sequence[Game]) -> States:
        """Room for the lanes' games, the template, and the games that were given."""
        states = new_states(self.lanes + 1 + len(games))
        write_template(self.rules, states, self.lanes)
        for place, game in enumerate(games, start=self.lanes + 1):
            states[place] = game.states[0]
        return states

    def check_begun(self) -> None:
        """Refuse to go on where no games have begun."""
        if not self._is_ready:
            raise ActionError("no games have begun: call reset first")

    def game(self, lane: int) -> Game:
        """The game of a lane as it stands, all cards open."""
        self.check_begun()
        return Game.from_state(self.rules, self._states, lane)

    def begin(self, which: npt.ArrayLike) -> npt.NDArray[Any]:
        """Begin the next game in the lanes that are marked, whether theirs is over or not."""
        which = np.asarray(which)
        if which.shape != (self.lanes,) or which.dtype != np.bool_:
            raise ValueError(f"to begin games takes a truth value for each of {self.lanes} lanes")
        self.check_begun()
        kernels.begin_all(self._arrays(), self._outputs(), np.ascontiguousarray(which).view(np.int8)[:, None])
        self.rewards[:], self._ended[:], self.replaced[:] = 0, 0, False
        self._check_partners()
        return self.vectors

    def _games(
        self, decks: Iterable[Sequence[int] | str] | None, positions: Iterable[Game | str] | None
    ) -> Sequence[Game]:
        if decks is not None and positions is not None:
            raise ValueError("a game begins from a deck or from a position, not from both")
        if decks is None and positions is None:
            return ()
        if decks is not None:
            games = [
                Game(self.rules, deck=deck if isinstance(deck, str) else np.asarray(deck).tolist()) for deck in decks
            ]
        else:
            games = [each if isinstance(each, Game) else Game.from_position(each) for each in positions or ()]
        if not games:
            raise ValueError(f"no games were given: there are no {'positions' if decks is None else 'decks'}")
        for number, game in enumerate(games):
            if game.rules != self.rules or game.is_over:
                raise ValueError(f"game {number}: it {'is over' if game.is_over else 'has other rules'}")
        return games

    def step(self, actions: npt.ArrayLike) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Make one move in every game: vectors, rewards and ends. An illegal action is refused before any is made."""
        given = self._checked(actions)
        chosen = given.copy() if self.episodes.illegal == "replace" else given
        final_rows = self.encoding.as_kernels_want(self._final_rows)
        stepped = (chosen, self.rewards, self._ended, *final_rows, self.final_scores)
        illegal = kernels.step_all(self._arrays(), self._outputs(), stepped)
        if illegal >= 0:
            raise ActionError(self._why_not(illegal, int(chosen[illegal])))
        self.replaced[:] = chosen != given
        self._check_partners()
        return self.vectors, self.rewards, self.ended

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        self.check_begun()
        chosen = np.asarray(actions)
        if chosen.shape != (self.lanes,):
            raise ActionError(f"a step takes one action for each of {self.lanes} lanes, not an array of {chosen.shape}")
        if not np.issubdtype(chosen.dtype, np.integer):
            raise ActionError(f"actions must be integers, not {chosen.dtype}")
        return np.ascontiguousarray(chosen, np.int64)

    def _why_not(self, lane: int, action: int) -> str:
        game, moves = self.game(lane), self.encoding.moves(self.rules)
        if self._facts[lane, kernels.IS_OVER]:
            return f"lane {lane}: the game is over; begin the next one first"
        if not 0 <= action < moves - self.encoding.no_op:
            return f"lane {lane}: actions are 0-{moves - self.encoding.no_op - 1}, not {action}"
        number = uid_to_move(action, self.rules)
        if self.episodes.permuted and number.color is not None:
            return f"lane {lane}: action {action} is not legal; masks[{lane}] has those that are"
        return f"lane {lane}: action {action} ({number}): {game.why_illegal(number)}"

    def _check_partners(self) -> None:
        faults = self._facts[:, kernels.FAULT]
        if (faults != kernels.NO_FAULT).any():
            lane = int(np.argmax(faults != kernels.NO_FAULT))
            team, seed = ", ".join(self.pool[self.teams[lane]]), self._facts[lane, kernels.SEED]
            self._is_ready = False
            if faults[lane] == kernels.NO_TURN:
                raise RuntimeError(f"lane {lane}: {team} ends every game before the learner's first turn")
            name, seat = self.partners_in(lane)[faults[lane]], SEAT_NAMES[faults[lane]]
            raise RuntimeError(f"lane {lane}, seed {seed}: {name} ({seat}) made an illegal move")

    def _arrays(self) -> tuple[Any, ...]:
        seated = self._seated
        teams = (seated.params, self._rng, seated.acts, seated.observes, self._memories.extents)
        games = (self._last, self._colors, self._facts, self._style, seated.weights)
        return self._states, self._memories.rows, *teams, *games

    def _outputs(self) -> tuple[Any, ...]:
        return self._bits, *self.encoding.as_kernels_want(self._rows), self._masks, self.seats

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the addresses of compiled partners, which another process has elsewhere."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_seated",)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._seated = self._taken_seats()

    def copy(self) -> Batch:
        """A batch that goes on from here by itself."""
        return deepcopy(self)
