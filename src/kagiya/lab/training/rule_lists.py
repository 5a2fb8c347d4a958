"""Rule lists to evolve: what they may be made of, how good each is in self-play, and how it behaves.

Canaan et al. 2018 evolve an order of 50 rules of the competition framework, or of 72 with their own. Here they are as
our tactics. Not built: the framework's three finesse rules. Contained in others: PlayUniquePossibleCard in play-safe,
DiscardIfCertain in discard-known-useless, DiscardOldestNoInfoFirst, which by a slip does what discard-unidentified
does, and OsawaDiscard, which is discard-known-useless and discard-cut-off in a row. LegalRandom ends every list.

An arena plays any list without compiling anything and without Python in the loop; each thread has one. A race plays
few games of the bad lists and many of the good ones: all on the same decks, half dropped at each stage.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from kagiya._jit import address, kernel
from kagiya.agents.rule_list import WORDS_PER_USE
from kagiya.agents.tactics.noted import PLACES, WORDS, act_by_noted_list, observe_hints
from kagiya.agents.tactics.vocabulary import FRAMEWORK, Tactic, TacticUse, known_slots, parse_use, tactics, use
from kagiya.cards import MAX_PLAYERS, MoveNumber, Seat
from kagiya.engine.batch import ACT, NO_KERNEL, OBSERVE, TACTIC, Addresses, call_act, make_move, write_template
from kagiya.engine.game_kernels import deal, is_hint, is_legal, is_over, is_play, points, score, slot_of
from kagiya.engine.layout import GAME, LANES, TEMPLATE, Lane, Memory, Params, States, Streams, new_states, new_streams
from kagiya.engine.memory import Memories, Words, clear_memory
from kagiya.rules import Rules
from kagiya.runtime.interrupts import Stop
from kagiya.runtime.workers import LocalWorkers, ThreadCache, WorkItem
from kagiya.spec import SpecError, parse_spec
from kagiya.view.view_kernels import slot_chance, unseen_planes

CHANCES = ("0", "0.2", "0.4", "0.6", "0.8")
HINTED = ("play-just-hinted", "play-just-hinted-alone", "play-newest-just-hinted", "play-newest-just-hinted-alone")

CANAAN_OLD = (
    "play-known",
    *(f"play-probably-safe({chance})" for chance in (*CHANCES, "0.25")),
    *(f"play-probably-safe({chance}, lives=2)" for chance in CHANCES),
    *(f"play-probably-safe({chance}, lives=2, deck=0)" for chance in ("0", "0.1")),
    "play-safe",
    "tell-rest-of-playable",
    "tell-next-one",
    "tell-last-playable",
    "tell-playable",
    "tell-useless",
    "tell-dispensable",
    "tell-dispensable(tokens=3)",
    "tell-five",
    "tell-playable-or-useless",
    "tell-most-new",
    "tell-next-playable-at-random",
    "tell-next-playable",
    "tell-next-at-random",
    "tell-next-unknown",
    "discard-highest",
    "discard-least-necessary",
    "discard-oldest",
    *(f"discard-probably-useless({chance})" for chance in CHANCES),
    "discard-random",
    "discard-known-useless",
    "discard-unidentified",
    "discard-cut-off",
    "unblock",
)
# The life that just-hinted cards may cost: the paper says 0 or 1, the program published later 2.
CANAAN_NEW = (
    "play-just-hinted(0)",
    *(f"{name}({chance}, lives=2)" for chance in ("0", "0.6", "0.8", "1") for name in HINTED),
    "tell-most-playable",
    "tell-least-unplayable",
    *(f"tell-clearest({weight})" for weight in ("0", "0.1", "0.5")),
)
RULES = {"canaan-old": CANAAN_OLD, "canaan": CANAAN_OLD + CANAAN_NEW}
ALL_TACTICS = "all"
RULE_SETS = (*RULES, ALL_TACTICS)

Uses = tuple[TacticUse, ...]


def rules_of(name: str) -> Uses:
    """The rules of a set in which each has a fixed threshold."""
    return tuple(use(text) for text in RULES[name])


def list_text(uses: Uses) -> str:
    """A list as it is written inside ``rules(...)``."""
    return ", ".join(map(str, uses))


def read_list(text: str) -> Uses:
    """The inverse of `list_text`."""
    spec = parse_spec(f"rules({text})")
    if spec.named or not spec.values:
        raise SpecError(f"a list of tactics was expected, not {text!r}")
    return tuple(parse_use(item) for item in spec.values)


@cache
def tactic_kinds() -> dict[str, list[str]]:
    """The names of all tactics by what they do: play, tell or discard; what gives a token back counts as a discard."""
    kinds: dict[str, list[str]] = {"play": [], "tell": [], "discard": []}
    for name in tactics():
        first = name.removeprefix("hle-").partition("-")[0]
        kinds[first if first in kinds else "discard"].append(name)
    return kinds


Sums = npt.NDArray[np.float64]

# What is added up over all games.
GAMES, SCORE, SQUARES, POINTS, UNBOMBED, BOMBS, HINTS, COULD_HINT, PLAYS, CHANCE, KNOWN, TURNS, SUMS = range(13)


@kernel
def add_behaviour(states: States, i: Lane, seat: Seat, move: MoveNumber, sums: Sums) -> None:
    """Count a move that is about to be made."""
    state = states[i]
    sums[TURNS] += 1
    if state["tokens"] > 0:
        sums[COULD_HINT] += 1
    if is_hint(move):
        sums[HINTS] += 1
    elif is_play(move):
        slot = slot_of(move)
        low, high = unseen_planes(states, i, seat, seat)
        colors, ranks = known_slots(states, i, seat, FRAMEWORK)
        sums[PLAYS] += 1
        sums[CHANCE] += slot_chance(low, high, state["possible"][seat, slot], state["playable"])
        sums[KNOWN] += ((colors >> slot & 1) + (ranks >> slot & 1)) / 2


@kernel
def add_outcome(states: States, i: Lane, sums: Sums) -> None:
    """Count a game that is over."""
    result, is_bombed = score(states, i), states[i]["lives"] == 0
    sums[GAMES] += 1
    sums[SCORE] += result
    sums[SQUARES] += result * result
    sums[POINTS] += points(states, i)
    sums[UNBOMBED] += 0 if is_bombed else points(states, i)
    sums[BOMBS] += is_bombed


@kernel
def play_list(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    extents: Words,
    sums: Sums,
    seed: int,
    games: int,
) -> bool:
    """Play games with seeds counting up from `seed` and add up what came of them; False after an illegal move."""
    state = states[GAME]
    for game in range(games):
        deal(states, TEMPLATE, GAME, rng, seed + game)
        clear_memory(memory, GAME, extents)
        while not is_over(states, GAME):
            seat = state["seat"]
            move = call_act(acts[seat], states, GAME, seat, memory, params, rng)
            if not is_legal(states, GAME, move):
                return False
            add_behaviour(states, GAME, seat, move, sums)
            make_move(states, GAME, memory, params, observes, move)
        add_outcome(states, GAME, sums)
    return True


_compiling = threading.Lock()  # two threads must not compile the same kernel


@dataclass(frozen=True)
class FitnessSum:
    """What games of a list add up to."""

    sums: tuple[float, ...] = (0.0,) * SUMS

    def __add__(self, other: FitnessSum) -> FitnessSum:
        return FitnessSum(tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)))

    @property
    def games(self) -> int:
        return int(self.sums[GAMES])

    @property
    def mean(self) -> float:
        """The mean score by the rules played."""
        return self._share(SCORE, GAMES)

    @property
    def se(self) -> float:
        """The standard error of the mean."""
        if self.games < 2:
            return math.nan
        spread = self.sums[SQUARES] - self.sums[SCORE] ** 2 / self.games
        return math.sqrt(max(spread, 0.0) / (self.games - 1) / self.games)

    @property
    def mean_if_bombs_are_zero(self) -> float:
        return self._share(UNBOMBED, GAMES)

    @property
    def bomb_rate(self) -> float:
        return self._share(BOMBS, GAMES)

    @property
    def communication(self) -> float:
        """Hints given, as a share of the turns on which a token was there."""
        return self._share(HINTS, COULD_HINT)

    @property
    def caution(self) -> float:
        """The mean chance that a card fitted, in its player's eyes, when it was played; 1 if none ever was."""
        return self._share(CHANCE, PLAYS, 1.0)

    @property
    def knowledge(self) -> float:
        """The parts, of two, that the player knew of a card it played, as a mean share."""
        return self._share(KNOWN, PLAYS, 1.0)

    def _share(self, part: int, whole: int, otherwise: float = 0.0) -> float:
        return self.sums[part] / self.sums[whole] if self.sums[whole] else otherwise


def tactic_number(tactic: Tactic) -> float:
    """What stands for a tactic in a row; each address is made once, since it is kept for good."""
    with _compiling:
        return _tactic_number(tactic)


@cache
def _tactic_number(tactic: Tactic) -> float:
    return float(tactic.stand_in or address(tactic.kernel, TACTIC))


class Arena:
    """A table of one worker for lists by some rules."""

    def __init__(self, rules: Rules, longest: int) -> None:
        self.rules = rules
        self.states, self.rng = new_states(LANES), new_streams(LANES)
        write_template(rules, self.states, TEMPLATE)
        self.memories = Memories(LANES, [WORDS] * rules.players)
        self.params = np.zeros((MAX_PLAYERS, PLACES + 2 + WORDS_PER_USE * longest))
        self.observes = np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        with _compiling:
            self.acts = np.full(MAX_PLAYERS, address(act_by_noted_list, ACT), np.int64)
            self.observe = address(observe_hints, OBSERVE)
            self.play((), 0, 0)  # compiles what plays

    def play(self, uses: Sequence[TacticUse], seed: int, games: int) -> FitnessSum:
        """Games of this list in all seats, with seeds counting up from `seed`."""
        self._seat(uses)
        sums: Sums = np.zeros(SUMS)
        extents = self.memories.extents
        everything = (self.states, self.memories.rows, self.params, self.rng, self.acts, self.observes, extents, sums)
        if not play_list(*everything, seed, games):
            raise RuntimeError(f"an illegal move in a game from seed {seed} on of: {', '.join(map(str, uses))}")
        return FitnessSum(tuple(float(value) for value in sums))

    def _seat(self, uses: Sequence[TacticUse]) -> None:
        row = [float(PLACES)] * PLACES + [0.0, float(len(uses))]
        for item in uses:
            row += [tactic_number(item.tactic), item.value, item.lives, item.tokens, item.deck]
        self.params[:, : len(row)] = row
        self.observes[:] = self.observe if any(item.tactic.is_noted for item in uses) else NO_KERNEL


STAGES = 5  # the first of which all lists play
FEWEST = 4  # lists that play to the end
MAX_GAMES = 2_000  # in one call of a kernel, which nothing interrupts


@dataclass(frozen=True)
class Job:
    """Games of a list to be played."""

    uses: Uses
    seed: int
    games: int


@dataclass(frozen=True)
class RacedList:
    """A list and what its games of this generation came to."""

    uses: Uses
    tally: FitnessSum


Play = Callable[[Sequence[Job]], list[FitnessSum]]
ARENAS: ThreadCache[Arena] = ThreadCache()


@dataclass(frozen=True)
class ListGames(WorkItem[FitnessSum]):
    """A job in some rules, short enough to be waited for."""

    rules: Rules
    longest: int  # list that the arena must hold
    job: Job

    def run(self, stop: Stop) -> FitnessSum:
        arena = ARENAS.get((self.rules, self.longest), lambda: Arena(self.rules, self.longest))
        return arena.play(self.job.uses, self.job.seed, self.job.games)


class ListWorkers(LocalWorkers):
    """Threads that play lists by some rules."""

    def __init__(self, rules: Rules, longest: int, workers: int | None = None) -> None:
        super().__init__(workers)
        self.rules, self.longest = rules, longest

    def play(self, jobs: Sequence[Job]) -> list[FitnessSum]:
        """What each job's games add up to, in the order of the jobs."""
        pieces = [[self.submit(ListGames(self.rules, self.longest, piece)) for piece in cut(job)] for job in jobs]
        return [sum((future.result() for future in futures), FitnessSum()) for futures in pieces]


def cut(job: Job) -> list[Job]:
    """A job in calls that are short enough to be waited for."""
    ends = range(0, job.games, MAX_GAMES)
    return [Job(job.uses, job.seed + done, min(MAX_GAMES, job.games - done)) for done in ends]


def stage_games(games: int) -> list[int]:
    """After how many games each stage ends, for `games` in all: each has twice as many as the one before."""
    return sorted({max(2, games >> stage) for stage in range(STAGES)})


def race(groups: Sequence[Sequence[Uses]], games: int, seed: int, play: Play) -> list[list[RacedList]]:
    """Rank each group of lists, best first, on decks from `seed` on; who was dropped earlier stands further back."""
    alive = [[RacedList(uses, FitnessSum()) for uses in group] for group in groups]
    dropped: list[list[RacedList]] = [[] for _ in groups]
    done = 0
    stages = stage_games(games)
    for end in stages:
        tallies = iter(play([Job(entry.uses, seed + done, end - done) for group in alive for entry in group]))
        alive = [ranked([RacedList(entry.uses, entry.tally + next(tallies)) for entry in group]) for group in alive]
        done = end
        if end < stages[-1]:
            for place, group in enumerate(alive):
                kept = max(FEWEST, (len(group) + 1) // 2)
                dropped[place] = group[kept:] + dropped[place]
                alive[place] = group[:kept]
    return [first + rest for first, rest in zip(alive, dropped, strict=True)]


def ranked(entries: Sequence[RacedList]) -> list[RacedList]:
    """Best first; ties go to the shorter list, then to the alphabet, so that the order never depends on chance."""
    return sorted(entries, key=lambda entry: (-entry.tally.mean, len(entry.uses), list_text(entry.uses)))
