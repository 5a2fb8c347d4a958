"""The state that all pages of one server share: limits, tables, reviewed games, the store, background work."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kagiya import Rules
from kagiya.lab.table.players import Players
from kagiya.runtime.jobs import JobQueue, Task
from kagiya.web.compile_jobs import Compiling, load_tables
from kagiya.web.pages import Notifier, RefusedError
from kagiya.web.play.storage import Storage
from kagiya.web.play.table_agents import AgentCatalog, AgentRunner
from kagiya.web.play.web_tables import WebTables
from kagiya.web.results_queries import StoreReader
from kagiya.web.review.review_session import ReviewSessions
from kagiya.web.review.reviewed_game import ReviewFolder


@dataclass(frozen=True)
class Limits:
    """What the owner of a server sets."""

    think: float = 2.0  # seconds that an agent may think about a move
    tables: int = 200
    agents: tuple[str, ...] = ()  # of the user's own modules, "mine:Mine"; no other module is ever imported


@dataclass
class ServerState:
    """All that pages work with."""

    limits: Limits = field(default_factory=Limits)
    store: Path | None = None  # of results, opened and closed for each question
    jobs: JobQueue = field(default_factory=lambda: JobQueue(refusal=RefusedError))
    compiling: Compiling = field(default_factory=Compiling)
    players: Players = field(init=False)  # in Python, each in a process of its own
    preparing: Task[None] | None = None
    getting_ready: Notifier = field(default_factory=Notifier)
    data: Path | None = None  # the file of tables; None keeps them in memory
    review_folder: Path | None = None  # of games under review; None is the user's
    tables: WebTables = field(init=False)
    reviews: ReviewSessions = field(init=False)
    results: StoreReader = field(init=False)

    def __post_init__(self) -> None:
        limits = self.limits
        self.players = Players(limits.think)
        runner = AgentRunner(self.jobs, self.compiling, self.players, limits.think)
        partners = AgentCatalog(limits.agents, limits.think)
        self.tables = WebTables(Storage(self.data), partners, runner, limits.tables)
        self.reviews = ReviewSessions(ReviewFolder(self.review_folder), partners, runner)
        self.results = StoreReader(self.store, self.jobs)

    def load(self) -> None:
        """Load all agents, and the table if it was compiled before: to do that for one page would stop all others."""
        self.tables.partners.offers(2)
        if self.compiling.is_ready(Rules(), []):
            load_tables()

    def get_ready(self) -> None:
        """Compile what all pages need, if this machine never did; until then they show how far it is."""
        self.preparing = self.compiling.prepare("the server", Rules(), [], self.getting_ready)

    def close(self) -> None:
        """Stop all work; what was played is on disk already."""
        self.jobs.close()
        self.compiling.close()
        self.players.close()
        self.tables.close()
