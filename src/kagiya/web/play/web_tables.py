"""All tables of a server: set up, found again by their names, and closed when no page shows them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from kagiya import GameRecord, Rules
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.lab.table.table import PERSON
from kagiya.web.pages import Address, NotHereError, RefusedError
from kagiya.web.play.coach import Coach
from kagiya.web.play.storage import Setup, Storage
from kagiya.web.play.table_agents import AgentCatalog, AgentRunner, TableAgents
from kagiya.web.play.web_table import WebTable

MAX_PAUSE = 2.0
MAX_NAME = 24


@dataclass(frozen=True)
class TablePlan:
    """What a table shall be."""

    rules: Rules
    seats: tuple[str, ...]  # agents as written; "human" for a person
    names: tuple[str, ...]
    pause: float = 1.0
    seed: int | None = None  # None draws one
    deck: str = ""


@dataclass
class OpenTable:
    """A table that a page shows, or at which agents are moving."""

    table: WebTable
    agents: TableAgents
    coaches: dict[Seat, Coach] = field(default_factory=dict)


class WebTables:
    """The tables of one server. Their names and secrets are random: nothing about the deal can be read from them."""

    def __init__(self, storage: Storage, partners: AgentCatalog, runner: AgentRunner, most: int) -> None:
        self.storage, self.partners, self._runner, self._most = storage, partners, runner, most
        self._open: dict[str, OpenTable] = {}
        self.new_word: Callable[[], str] = lambda: secrets.token_urlsafe(9)

    def __len__(self) -> int:
        return len(self._open)

    def set_up(self, owner: str, plan: TablePlan) -> Address:
        """A new table; returns the address of its first person's seat."""
        if self.storage.running() >= self._most:
            raise RefusedError(
                f"There is no room for more than {self._most} unfinished games here; finish one, or throw one away."
            )
        for seat in plan.seats:
            if seat != PERSON:
                self.partners.check(seat, plan.rules)
        if PERSON not in plan.seats:
            raise RefusedError("One seat at least must be a person's.")
        mine = plan.seats.index(PERSON)
        setup = Setup(
            rules=plan.rules.to_json(),
            seats=plan.seats,
            names=tuple(checked_names(plan.names)),
            secrets=tuple(self.new_word() for _ in plan.seats),
            invitations=tuple(
                self.new_word() if seat == PERSON and place != mine else "" for place, seat in enumerate(plan.seats)
            ),
            seed=secrets.randbelow(2**31) if plan.seed is None else plan.seed,
            deck=plan.deck,
            pause=min(max(plan.pause, 0.0), MAX_PAUSE),
        )
        name = self.new_word()
        self.storage.add(name, owner, mine, setup)
        return seat_address(name, setup.secrets[mine])

    def join(self, name: str, word: str, visitor: str) -> Address:
        """Sit down where one was invited to; the invitation is used up."""
        with self.visiting(name) as table:
            return seat_address(name, table.join(self.invited(table, word), visitor))

    def invited(self, table: WebTable, word: str) -> Seat:
        """The seat that an invitation is for."""
        for seat, invitation in enumerate(table.setup.invitations):
            if invitation and secrets_match(invitation, word):
                return Seat(seat)
        raise NotHereError("This invitation has been used already, or there never was one.")

    def record_for(self, name: str, secret: str) -> GameRecord:
        """The record of a finished game, for who has the link of a seat; refused while it is played."""
        with self.visiting(name) as table:
            self.seat_of(table, secret)
            return table.record()

    @contextmanager
    def visiting(self, name: str) -> Iterator[WebTable]:
        """The table of this name, left when the block ends."""
        opened = self.visit(name)
        try:
            yield opened.table
        finally:
            self.leave(opened)

    def visit(self, name: str) -> OpenTable:
        """Open the table of this name; the caller must `leave` it."""
        found = self._open.get(name)
        if found is None:
            setup = self.storage.setup(name)
            if setup is None:
                raise NotHereError("There is no table of this name; it may have been put away.")
            table = WebTable(name, setup, self.storage)
            found = OpenTable(table, TableAgents(table, self.partners, self._runner))
            self._open[name] = found
        found.table.visits += 1
        found.agents.wake()
        return found

    def leave(self, opened: OpenTable) -> None:
        """Close tables that no page shows any more; they are on disk."""
        opened.table.visits -= 1
        for name in [name for name, each in self._open.items() if each.table.visits <= 0 and not each.agents.is_busy]:
            del self._open[name]

    def coach(self, opened: OpenTable, seat: Seat) -> Coach:
        """The coach of a seat, which remembers what it was asked."""
        if seat not in opened.coaches:
            opened.coaches[seat] = Coach(self.partners, self._runner, opened.table.changes)
        return opened.coaches[seat]

    def seat_of(self, table: WebTable, secret: str) -> Seat:
        """Whose link this is."""
        for seat in table.persons:
            if secrets_match(table.setup.secrets[seat], secret):
                return seat
        raise NotHereError("This link opens no seat of this table.")

    def remove(self, owner: str, name: str) -> None:
        """Throw a table away; only who set it up may."""
        if self.storage.owner_of(name) != owner:
            raise RefusedError("Only who set up a table can throw it away.")
        self.storage.remove(name)
        if (opened := self._open.pop(name, None)) is not None:
            opened.agents.leave()

    def close(self) -> None:
        """Let go of the file."""
        self.storage.close()


def seat_address(name: str, secret: str) -> Address:
    """The link of a seat."""
    return Address(f"/table/{name}/{secret}")


def secrets_match(word: str, other: str) -> bool:
    """Whether two secrets are the same, without telling by the time it takes how much of them is."""
    return secrets.compare_digest(word.encode(), other.encode())


def checked_names(names: Sequence[str]) -> list[str]:
    """What the players are called; without a name, by the seat. Two of the same name could not be told apart."""
    found = [" ".join(name.split())[:MAX_NAME] or SEAT_NAMES[seat] for seat, name in enumerate(names)]
    for seat, name in enumerate(found):
        others = [other.lower() for other in found[:seat]]
        if name.lower() in others:
            raise RefusedError(f"Two players cannot both be called {name}.")
    return found
