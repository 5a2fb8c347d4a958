"""What all pages of one server share: limits, tables, games under review, the store of results, background work."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kagiya.rules import Rules
from kagiya.web.notifier import Notifier
from kagiya.web.processes.compiling import Compiling, load_tables
from kagiya.web.processes.players import Players
from kagiya.web.results.reading import StoreReader
from kagiya.web.review.study import Studies
from kagiya.web.server.limits import Limits
from kagiya.web.tables.bots import Workers
from kagiya.web.tables.partners import Partners
from kagiya.web.tables.storage import Storage
from kagiya.web.tables.tables import Tables
from kagiya.web.thinking import Task, Thinking


@dataclass
class ServerState:
    """All that pages work with."""

    limits: Limits = field(default_factory=Limits)
    store: Path | None = None  # of results, opened and closed for each question
    thinking: Thinking = field(default_factory=Thinking)
    compiling: Compiling = field(default_factory=Compiling)
    players: Players = field(init=False)  # in Python, each in a process of its own
    preparing: Task[None] | None = None
    getting_ready: Notifier = field(default_factory=Notifier)
    studies: Studies = field(default_factory=Studies)  # games under review
    data: Path | None = None  # the file of tables; None keeps them in memory
    tables: Tables = field(init=False)
    results: StoreReader = field(init=False)

    def __post_init__(self) -> None:
        limits = self.limits
        self.players = Players(limits.think)
        workers = Workers(self.thinking, self.compiling, self.players, limits.think)
        self.tables = Tables(Storage(self.data), Partners(limits.agents, limits.think), workers, limits.tables)
        self.results = StoreReader(self.store)

    def load(self) -> None:
        """Load all agents, and the table if it was compiled before: to do that for one page would stop all others."""
        self.tables.partners.offers(2)
        if self.compiling.is_ready(Rules(), []):
            load_tables()

    def get_ready(self) -> None:
        """Compile what all pages need, if this machine never did; until then they show how far it is."""
        self.preparing = self.compiling.prepare("the server", Rules(), [], self.getting_ready)

    def close(self) -> None:
        """Stop what is thinking; what was played is on disk already."""
        self.thinking.close()
        self.compiling.close()
        self.players.close()
        self.tables.close()
        self.results.close()
