"""One table: the game as it stands, who may move, and what is on disk before it is shown."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace

from kagiya import Game, GameRecord, Observation, Rules, observe
from kagiya.cards import Seat
from kagiya.lab.replayed_decisions import stamped
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, MoveError
from kagiya.web.pages import Notifier, RefusedError
from kagiya.web.play.storage import Setup, Storage

MIXED = "mixed"
MAX_NOTE = 200


class WebTable:
    """A game between persons and agents. Everything that changes it is written down first."""

    def __init__(self, name: str, setup: Setup, storage: Storage) -> None:
        self.name, self.setup, self._storage = name, setup, storage
        self.changes = Notifier()
        self.lock = threading.RLock()
        self.branch = len(setup.remarks)  # grows whenever moves are taken back: what was meant for another is refused
        self.trouble = ""  # why the agent to move does not
        self.waiting = ""  # what the agent to move is waiting for
        self.visits = 0
        self._notes: dict[Seat, dict[int, str]] = {}  # as on disk
        self.game = self._read()

    def _read(self) -> Game:
        """The game as it is on disk."""
        game = self._dealt()
        for move in self._storage.moves(self.name):
            game.make(move)
        return game

    def _dealt(self) -> Game:
        rules = Rules.from_json(self.setup.rules)
        return Game(rules, deck=self.setup.deck) if self.setup.deck else Game(rules, self.setup.seed)

    @property
    def rules(self) -> Rules:
        """By which it is played."""
        return self.game.rules

    @property
    def persons(self) -> tuple[Seat, ...]:
        """The seats of persons."""
        return tuple(Seat(seat) for seat, agent in enumerate(self.setup.seats) if agent == PERSON)

    @property
    def is_agent_to_move(self) -> bool:
        """Whether an agent is to move next."""
        return not self.game.is_over and self.setup.seats[self.game.seat] != PERSON

    def observation(self, seat: Seat, turn: int | None = None) -> Observation:
        """What a seat knows now, or knew after `turn` moves."""
        with self.lock:
            return observe(self.game_at(turn), seat)

    def game_at(self, turn: int | None) -> Game:
        """The game after `turn` moves, a copy."""
        with self.lock:
            if turn is None or turn == self.game.turn:
                return self.game.copy()
            if not 0 <= turn < self.game.turn:
                raise RefusedError(f"Turns of this game are 1 to {self.game.turn + 1}, not {turn + 1}.")
            game = self.game.beginning()
            for move in self.game.moves[:turn]:
                game.make(move)
            return game

    def make(self, seat: Seat, move: Move, turn: int, branch: int | None = None) -> None:
        """A seat's move of a turn. The same move of a turn already played is done already: the page sends what was not
        answered again."""
        with self.lock:
            self._check_branch(branch)
            if turn < self.game.turn and turn % self.rules.players == seat:
                if self.game.moves[turn] == move:
                    return
                raise RefusedError(f"Your move of turn {turn + 1} has been made already; this is another one.")
            self._check_turn(seat, turn)
            self._make(move)
        self.changes.announce()

    def _check_branch(self, branch: int | None) -> None:
        if branch is not None and branch != self.branch:
            raise RefusedError("Moves have been taken back since; look at the table again.")

    def _check_turn(self, seat: Seat, turn: int) -> None:
        if self.game.is_over:
            raise RefusedError("The game is over.")
        if seat != self.game.seat:
            raise RefusedError(f"It is {self.setup.names[self.game.seat]}'s turn, not yours.")
        if turn != self.game.turn:
            raise RefusedError(f"This is turn {self.game.turn + 1}, and the move was meant for turn {turn + 1}.")

    def _make(self, move: Move) -> None:
        after = self.game.copy()
        try:
            after.make(move)
        except MoveError:
            reason = self.game.why_illegal(move) or ""
            raise RefusedError(f"{reason[:1].upper()}{reason[1:]}.") from None
        try:
            self._storage.append(self.name, self.game.turn, int(move), after.score if after.is_over else None)
        except sqlite3.IntegrityError:  # another server has the same file, and was faster
            self.game = self._read()
            raise RefusedError("The table has moved on in another window; look at it again.") from None
        self.game, self.trouble, self.waiting = after, "", ""

    def go_back(self, seat: Seat, turn: int, branch: int | None = None) -> None:
        """Take back all moves from this turn on; only who sits alone with agents may do that."""
        with self.lock:
            self._check_branch(branch)
            if len(self.persons) > 1:
                raise RefusedError("Moves can be taken back only by a person who is alone with agents.")
            if not 0 <= turn < self.game.turn:
                raise RefusedError("There is no move to take back.")
            name = self.setup.names[seat]
            setup = self.setup.remarked(f"{name} took back turns {turn + 1} to {self.game.turn}")
            self._storage.take_back(self.name, turn, setup)
            self.setup, self.game, self.trouble = setup, self.game_at(turn), ""
            self.branch += 1
        self.changes.announce()

    def replace(self, seat: Seat, agent: str) -> None:
        """Another agent takes the seat of one that failed."""
        with self.lock:
            if not self.trouble or seat != self.game.seat:
                raise RefusedError("Only an agent that does not move can be replaced.")
            seats = list(self.setup.seats)
            left, seats[seat] = seats[seat], agent
            remark = f"{agent} took the place of {left} before turn {self.game.turn + 1}"
            setup = replace(self.setup, seats=tuple(seats)).remarked(remark)
            self._storage.change(self.name, setup)
            self.setup, self.trouble = setup, ""
            self.branch += 1
        self.changes.announce()

    def join(self, seat: Seat, visitor: str) -> str:
        """An invited visitor takes a seat; returns its secret."""
        with self.lock:
            invitations = tuple("" if place == seat else word for place, word in enumerate(self.setup.invitations))
            setup = replace(self.setup, invitations=invitations)
            self._storage.join(self.name, visitor, seat, setup)
            self.setup = setup
        self.changes.announce()
        return setup.secrets[seat]

    def record(self) -> GameRecord:
        """The finished game; there is none before, for it would show all cards."""
        if not self.game.is_over:
            raise RefusedError("The record of a game shows all cards, so there is none before its end.")
        setup = self.setup
        record = GameRecord.of(self.game, setup.seats, None if setup.deck else setup.seed)
        source = {"remarks": "; ".join(setup.remarks)} if setup.remarks else {}
        record = replace(record, names=setup.names, source=source)
        return record if setup.code in ("", MIXED) else stamped(record, setup.code)

    def played_by(self, code: str) -> None:
        """The code of the agents that sat down, for the record: with the same they can tell their reasons again."""
        with self.lock:
            if self.setup.code != code:
                is_first = not self.setup.code and not self._has_agent_moved()
                setup = replace(self.setup, code=code if is_first else MIXED)
                self._storage.change(self.name, setup)
                self.setup = setup

    def _has_agent_moved(self) -> bool:
        return any(self.setup.seats[turn % self.rules.players] != PERSON for turn in range(self.game.turn))

    def notes(self, seat: Seat) -> dict[int, str]:
        """By card what this seat wrote on it."""
        if seat not in self._notes:
            self._notes[seat] = self._storage.notes(self.name, seat)
        return self._notes[seat]

    def note(self, seat: Seat, card: int, text: str) -> None:
        """Write on a card."""
        self._storage.note(self.name, seat, card, text.strip()[:MAX_NOTE])
        self._notes.pop(seat, None)
        self.changes.announce()
