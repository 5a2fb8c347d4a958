"""Samples of a game: the cards that a seat cannot see are dealt again, as a search over some agent does.

The game may be a recorded one, one in progress, or one set up from a position. The kernels try every legal move on the
same samples and keep each result. Unlike a flat search they drop no move, give none a head start, and can be left and
taken up again between two lines of play, so that a judge can be stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from kagiya._jit import kernel
from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent, find_agent
from kagiya.cards import Seat
from kagiya.engine.batch import NO_KERNEL, make_move
from kagiya.engine.dice import seed_stream
from kagiya.engine.game import LANE, Game, check_seed
from kagiya.engine.layout import GAME, Lane, Memory, Params, States, Streams
from kagiya.engine.record import GameRecord
from kagiya.lab.table.determinization import replay
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import SeatingError, Table
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.search.deals.past_moves import narrow_by_belief
from kagiya.search.depth_one import DEPTH_ONE
from kagiya.search.flat_search import deal_game, deal_hand
from kagiya.search.nodes import begin_search
from kagiya.search.search_layout import DEALT, work_at
from kagiya.search.workspace import SearchWorkspace


@kernel
def begin_sampling(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> None:
    """Settle what a seat, to move or not, may know of its cards, as a flat search does."""
    work = work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    if work["believe_address"] != NO_KERNEL:
        deal_hand(states, i, seat, work)
        narrow_by_belief(i, seat, memory, work)


@kernel
def deal_sample(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> None:
    """Lane DEALT of the search becomes the next sample: the seat's hand, the deck, memories and dice."""
    deal_game(states, i, seat, memory, work_at(int(params[seat, 0])))


ANY_AGENT = "random"  # where no agent is believed, some agent must sit there nevertheless
BY_HINTS = {"believe": "no", "surprise": 1.0}


class Stopping(Protocol):
    """Says when to stop, such as a `threading.Event` that another thread sets."""

    def is_set(self) -> bool:
        """Whether to stop now."""


class Sampler:
    """A table where a game is followed turn by turn and the cards that a seat cannot see are sampled.

    Hands fit all hints. With an agent they also fit what its convention makes of past moves, and those under which it
    would have moved as the others did are more likely, as `depth-one` over this agent samples them.
    """

    def __init__(self, rules: Rules, agent: Agent | None) -> None:
        self.agent = agent or find_agent(ANY_AGENT)
        if reason := self.agent.why_not(rules):
            raise SeatingError(reason)
        values = {"evaluator": self.agent} | ({} if agent else BY_HINTS)
        self.table = Table(rules, [Agent(f"depth-one({self.agent.text})", DEPTH_ONE, values)])

    def watch(self, game: Game) -> None:
        """Go to where a game stands, having heard all moves that led there."""
        watch(self.table, game, 0)

    def hear(self, move: int) -> None:
        """The move that is made next."""
        table = self.table
        make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))

    @property
    def seat_to_move(self) -> Seat:
        return Seat(int(self.table.states[GAME]["seat"]))

    def workspace(self, seat: Seat) -> SearchWorkspace:
        """What a seat samples with."""
        found = self.table.workspaces[seat]
        assert isinstance(found, SearchWorkspace)
        return found

    def begin(self, seat: Seat, seed: int) -> None:
        """Settle what a seat may know; its samples follow from the seed."""
        table = self.table
        seed_stream(table.rng, GAME, 1 + seat, seed)
        begin_sampling(table.states, GAME, seat, table.memory, table.params, table.rng)

    def sample(self, seat: Seat) -> None:
        """Deal the next sample into lane DEALT of the seat's workspace."""
        table = self.table
        deal_sample(table.states, GAME, seat, table.memory, table.params)


def sample_games(game: Game, seat: int, count: int, believing: object | None = None, seed: int = 0) -> Iterator[Game]:
    """Games with the same history that look the same to a seat, with its hand and the deck dealt again.

    Without `believing` all hands that fit the hints are equally likely. With an agent, any that is compiled and does
    not search, hands are sampled as `judge` does with this evaluator; the samples of the seat to move are then the
    same as those of a judge with the same seed.
    """
    check_seed(seed)
    sampler, viewer = Sampler(game.rules, None if believing is None else as_evaluator(believing)), Seat(seat)
    sampler.watch(game)
    sampler.begin(viewer, seed)
    sampler.sample(viewer)  # in which a judge asks what the evaluator would do
    for _ in range(count):
        sampler.sample(viewer)
        yield _with_cards(game, sampler.workspace(viewer))


def _with_cards(game: Game, workspace: SearchWorkspace) -> Game:
    """The game with the cards of a sample."""
    lane = int(DEALT)
    if game.deck is None:
        return Game.from_state(game.rules, workspace.states, lane)
    state, deck = workspace.states[lane], list(game.deck)
    for owner in range(game.rules.players):
        for slot in range(game.rules.hand_size):
            if (order := int(state["order"][owner, slot])) >= 0:
                deck[order] = state["hands"][owner, slot]
    left = int(game.states[LANE]["drawn"])
    deck[left:] = state["deck"][left : game.rules.deck_size].tolist()
    return replay(game.rules, deck, game.moves)


def as_evaluator(evaluator: object) -> Agent:
    """An agent that can play on in samples: compiled, and not a search itself."""
    agent = as_agent(evaluator)
    if not agent.is_compiled:
        raise SeatingError(f"{agent.text} is written in Python; a judge needs a compiled agent")
    if agent.is_search:
        raise SeatingError(f"{agent.text} is a search; a judge needs an agent that answers at once")
    return agent


Reviewed = GameRecord | Game


def beginning_of(source: Reviewed) -> Game:
    """The game where it was dealt or set up."""
    return source.deal() if isinstance(source, GameRecord) else source.beginning()


def seed_of(source: Reviewed) -> int:
    """The seed of the players' dice, as far as it is known."""
    return (source.seed or 0) if isinstance(source, GameRecord) else 0


def games_of(source: Reviewed) -> list[Game]:
    """The game before the first move, and after each."""
    return games_after(beginning_of(source), source.moves)


def games_after(beginning: Game, moves: Iterable[Move]) -> list[Game]:
    """A game, and the same after each of some moves."""
    games = [beginning.copy()]
    for move in moves:
        games.append(games[-1].copy())
        games[-1].make(move)
    return games
