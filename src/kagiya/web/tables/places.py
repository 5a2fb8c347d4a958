"""A seat of a table for the page that is drawn for it: only what this seat may see goes through here."""

from __future__ import annotations

from typing import Any

from kagiya.cards import Seat
from kagiya.drawing.markup import Markup
from kagiya.lab.table.persons import PERSON
from kagiya.moves import Move
from kagiya.view.observation import Observation
from kagiya.web.seat.advice import Coaching
from kagiya.web.seat.place import Player
from kagiya.web.seat.seated import SeatView
from kagiya.web.seat.tells import Telling
from kagiya.web.server.state import ServerState
from kagiya.web.tables.ending import EndView
from kagiya.web.tables.storage import Setup
from kagiya.web.tables.tables import Open, Tables
from kagiya.web.views import Address, Message, RefusedError, View


class TablePlace:
    """One seat of one table."""

    def __init__(self, tables: Tables, opened: Open, seat: Seat, visitor: str) -> None:
        self._tables, self._opened, self._table, self.seat = tables, opened, opened.table, seat
        self._visitor, self._coach, self._meanings = visitor, tables.coach(opened, seat), tables.meanings(opened, seat)
        self.changes = self._table.changes
        self._setup: Setup | None = None
        self._players: tuple[Player, ...] = ()

    @property
    def players(self) -> tuple[Player, ...]:
        setup = self._table.setup
        if setup is not self._setup:  # asked for many times while a page is drawn
            self._setup = setup
            self._players = tuple(self._player(seat, agent) for seat, agent in enumerate(setup.seats))
        return self._players

    def _player(self, seat: int, agent: str) -> Player:
        setup = self._table.setup
        if agent == PERSON:
            word = setup.invitations[seat] if self.seat == self._table.persons[0] else ""
            return Player(setup.names[seat], "", invitation=f"/join/{self._table.name}/{word}" if word else "")
        return Player(setup.names[seat], agent, self._tables.partners.convention(agent))

    @property
    def turn(self) -> int:
        return self._table.game.turn

    @property
    def branch(self) -> int:
        return self._table.branch

    @property
    def trouble(self) -> str:
        return self._table.trouble

    @property
    def waiting(self) -> str:
        return self._table.waiting

    @property
    def remarks(self) -> tuple[str, ...]:
        return self._table.setup.remarks

    @property
    def is_alone(self) -> bool:
        return len(self._table.persons) == 1

    def view(self, turn: int | None = None) -> Observation:
        return self._table.observation(self.seat, turn)

    def move(self, move: Move, turn: int, branch: int | None) -> None:
        self._table.make(self.seat, move, turn, branch)
        self._opened.bots.wake()

    def go_back(self, turn: int, branch: int | None) -> None:
        self._table.go_back(self.seat, turn, branch)
        self._opened.bots.stop()
        self._opened.bots.wake()

    def replace(self, agent: str) -> None:
        self._tables.partners.check(agent, self._table.rules)
        self._table.replace(self._table.game.seat, agent)
        self._opened.bots.wake()

    def coaching(self, turn: int) -> Coaching:
        table, coach = self._table, self._coach
        made = table.game.moves[turn] if turn < table.game.turn else None
        is_mine = turn % table.rules.players == self.seat
        judges = coach.judges(table.setup.seats, table.rules.players) if is_mine else ()
        return Coaching(turn, table.branch, is_mine, judges, coach.advice(turn, table.branch), made)

    def ask_coach(self, turn: int, judge: str) -> None:
        view = self._table.observation(self.seat, turn)
        if turn % view.rules.players != self.seat:
            raise RefusedError("The coach can be asked about your own turns only.")
        self._coach.ask(view, self._table.branch, judge, self._visitor)

    def stop_coach(self, turn: int) -> None:
        self._coach.stop(turn, self._table.branch)

    def tellings(self, first: int, end: int) -> tuple[Telling, ...]:
        tasks = ((turn, self._meanings.task(turn, self._table.branch)) for turn in range(first, end))
        return tuple(
            Telling(turn, not task.is_over, str(task.error or ""), task.result or ())
            for turn, task in tasks
            if task is not None
        )

    def ask_meaning(self, turn: int) -> None:
        if turn >= self.turn or turn % self._table.rules.players == self.seat:
            raise RefusedError("Only what others have done can tell you something.")
        maker = self._table.setup.seats[turn % self._table.rules.players]
        after = self._table.observation(self.seat, turn + 1)
        self._meanings.ask(after, self._table.branch, "" if maker == PERSON else maker, self._visitor)

    def notes(self) -> dict[int, str]:
        return self._table.notes(self.seat)

    def note(self, card: int, text: str) -> None:
        self._table.note(self.seat, card, text)


class TableView(View):
    """A seat's page while the game is played, and what came of it afterwards."""

    def __init__(self, tables: Tables, opened: Open, seat: Seat, address: Address, visitor: str) -> None:
        self._tables, self._opened, self._seat, self._visitor = tables, opened, seat, visitor
        self.changes = opened.table.changes
        self._view = self._open(address)

    def _open(self, address: Address) -> View:
        if self._opened.table.game.is_over:
            return EndView(self._tables, self._opened.table, self._seat, address.with_query(turn=None))
        return SeatView(TablePlace(self._tables, self._opened, self._seat, self._visitor), address)

    @property
    def _now(self) -> View:
        if self._opened.table.game.is_over != isinstance(self._view, EndView):
            self._view = self._open(self._view.address)
        return self._view

    @property
    def address(self) -> Address:  # type: ignore[override]
        return self._now.address

    @property
    def title(self) -> str:  # type: ignore[override]
        return self._now.title

    @property
    def version(self) -> object:  # type: ignore[override]
        return self._now.version

    def draw(self) -> Markup:
        return self._now.draw()

    def to_json(self) -> dict[str, Any]:
        return self._now.to_json()

    def receive(self, message: Message) -> Address | None:
        return self._now.receive(message)

    def leave(self) -> None:
        self._tables.leave(self._opened)


def open_seat(state: ServerState, address: Address, visitor: str, table: str, secret: str) -> View:
    """The page of a seat, for who has its link."""
    tables = state.tables
    opened = tables.visit(table)
    try:
        return TableView(tables, opened, tables.seat_of(opened.table, secret), address, visitor)
    except Exception:
        tables.leave(opened)
        raise
