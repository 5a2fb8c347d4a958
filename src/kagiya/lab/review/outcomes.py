"""What could come of a position: agents play it to its end many times, with the same cards or with others."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from statistics import stdev
from typing import Any

from kagiya.agents.api import Agent
from kagiya.engine.game import LANE, Game, check_seed
from kagiya.engine.layout import GAME
from kagiya.lab.review.samples import Stopping, sample_games
from kagiya.lab.table.determinization import unseen_cards, with_unseen
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import Agents, Table, as_agents, seat_agents
from kagiya.moves import MOVES
from kagiya.runtime.interrupts import Stop
from kagiya.search.search_options import sees_too_much

SAME, AGAIN = "same", "again"


@dataclass(frozen=True)
class Outcomes:
    """The final scores of continuations, in the order in which they were played."""

    scores: tuple[int, ...]
    bombs: int  # continuations that lost the last life
    perfect_score: int

    @property
    def games(self) -> int:
        """How many continuations were played."""
        return len(self.scores)

    @property
    def mean(self) -> float:
        """The mean final score; not a number if none was played."""
        return sum(self.scores) / self.games if self.scores else math.nan

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite for fewer than two games."""
        return _standard_error(self.scores)

    @property
    def distribution(self) -> dict[int, int]:
        """How many continuations came to each score, lowest first."""
        return dict(sorted(Counter(self.scores).items()))

    def ahead_of(self, other: Outcomes) -> tuple[float, float]:
        """How many more points than others, game by game, and the standard error: for the same deals and seeds."""
        if self.games != other.games:
            raise ValueError(f"{self.games} and {other.games} games cannot be paired; play as many of both")
        leads = [mine - theirs for mine, theirs in zip(self.scores, other.scores, strict=True)]
        return sum(leads) / len(leads) if leads else math.nan, _standard_error(leads)

    def __str__(self) -> str:
        error = "" if math.isinf(self.error) else f" ± {self.error:.2f}"
        return f"{self.mean:.2f}{error} points in {self.games} games"

    def to_json(self) -> dict[str, Any]:
        """Plain data; what cannot be known from so few games is null."""
        return {
            "games": self.games,
            "mean": self.mean if self.games else None,
            "error": self.error if self.games > 1 else None,
            "distribution": {str(score): count for score, count in self.distribution.items()},
            "bombs": self.bombs,
            "perfect": self.scores.count(self.perfect_score),
            "scores": list(self.scores),
        }


def _standard_error(values: Sequence[int]) -> float:
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def play_on(
    game: Game | str,
    agents: Agents,
    games: int = 200,
    deal: str = SAME,
    *,
    eyes: int | None = None,
    seed: int = 0,
    stop: Stopping | None = None,
) -> Outcomes:
    """Let agents, one for all seats or one for each, play a game to its end many times from where it stands.

    >>> play_on(game, ["vdb", "smartbot", "vdb"], games=200, deal="again").mean

    With `deal="same"` the cards stay where they are and only the agents' dice differ. With `deal="again"` the deck is
    shuffled, which no seat has seen; with `eyes`, a seat, that seat's hand is dealt again too, as it could be by what
    this seat knows. Continuation k rolls the dice of `seed + k`. Agents are told the moves so far, as in `play_from`;
    Python agents and searches may play. Once `stop.is_set()`, what has been played counts.
    """
    finished = list(continuations(game, agents, games, deal, eyes=eyes, seed=seed, stop=stop))
    perfect = (Game.from_position(game) if isinstance(game, str) else game).rules.perfect_score
    return Outcomes(tuple(each.score for each in finished), sum(each.is_bombed for each in finished), perfect)


def continuations(
    game: Game | str,
    agents: Agents,
    games: int = 200,
    deal: str = SAME,
    *,
    eyes: int | None = None,
    seed: int = 0,
    stop: Stopping | None = None,
) -> Iterator[Game]:
    """The finished games themselves, each as soon as it is over; the arguments are those of `play_on`."""
    begun = Game.from_position(game) if isinstance(game, str) else game
    check_request(begun, games, deal, eyes)
    check_seed(seed)
    seated = seat_agents(begun.rules, as_agents(agents))
    return finish_each(deals_of(begun, seated, games, deal, eyes, seed), seated, seed, stop)


def finish_each(
    begun: Iterable[Game], agents: Sequence[Agent], seed: int = 0, stop: Stopping | None = None
) -> Iterator[Game]:
    """Play each of some games by the same rules to its end; game k with the dice of `seed + k`."""
    table: Table | None = None
    for number, game in enumerate(begun):
        table = table or Table(game.rules, agents)
        with stop.heard_by(table) if isinstance(stop, Stop) else nullcontext():
            if stop is not None and stop.is_set():
                return
            watch(table, game, seed + number)
            table.play_on(seed + number)
            if table.stopped:
                return
        yield _finished(game, table)


def _finished(game: Game, table: Table) -> Game:
    finished = game.copy()
    for turn in range(game.turn, int(table.states[GAME]["turn"])):
        finished.make(MOVES[table.log.moves[turn]])
    return finished


def deals_of(game: Game, agents: Sequence[Agent], count: int, deal: str, eyes: int | None, seed: int) -> Iterator[Game]:
    """The game as often as asked: as it is, with the deck shuffled, or as one seat could face it."""
    if deal == SAME:
        yield from (game for _ in range(count))
    elif eyes is not None:
        yield from sample_games(game, eyes, count, believed(agents[eyes]), seed)
    else:
        dice = random.Random(seed)
        yield from (shuffled(game, dice) for _ in range(count))


def believed(agent: Agent) -> Agent | None:
    """The agent whose convention a seat may believe when its cards are dealt again: its own, if that is possible."""
    is_usable = agent.is_compiled and not agent.is_search and not sees_too_much(agent)
    return agent if is_usable else None


def shuffled(game: Game, dice: random.Random) -> Game:
    """The same game with the cards of the deck in another order."""
    hand, left = unseen_cards(game.states, LANE, game.seat)
    dice.shuffle(left)
    return with_unseen(game, hand, left)


def check_request(game: Game, games: int, deal: str, eyes: int | None) -> None:
    """Refuse what cannot be played on."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"games must be an integer of at least 1, not {games!r}")
    if deal not in (SAME, AGAIN):
        raise ValueError(f"deal must be {SAME!r} or {AGAIN!r}, not {deal!r}")
    if eyes is not None and deal != AGAIN:
        raise ValueError(f"eyes say whose unseen cards are dealt again; that needs deal={AGAIN!r}")
    if eyes is not None and not 0 <= eyes < game.rules.players:
        raise ValueError(f"the seats of this game are 0 to {game.rules.players - 1}, not {eyes}")
    if game.is_over:
        raise ValueError("the game is over, so there is nothing to play on")
