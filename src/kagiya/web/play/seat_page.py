"""The page of a seat while the game is played, and after its end; only what this seat may see goes into it."""

from __future__ import annotations

import re
from typing import Any

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.drawing.canvas import Markup
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, MoveError, parse_move
from kagiya.view.table_view import since_my_last_move
from kagiya.web.move_log import MoveLog, turn_of
from kagiya.web.pages import Address, Message, RefusedError, View, sentence
from kagiya.web.play.end_page import EndPage
from kagiya.web.play.seat_drawing import Coaching, SeatPlayer, SeatState, draw_seat, seat_json
from kagiya.web.play.storage import Setup
from kagiya.web.play.web_tables import OpenTable, WebTables
from kagiya.web.server_state import ServerState

SHORT_MOVE = re.compile(r"^([pd])\s*(\d)$")  # p1, d2


class SeatPage(View):
    """One seat of one table, for the person who has its link."""

    def __init__(self, tables: WebTables, opened: OpenTable, seat: Seat, address: Address, visitor: str) -> None:
        self._tables, self._opened, self._table, self._seat = tables, opened, opened.table, seat
        self._visitor, self._coach = visitor, tables.coach(opened, seat)
        self.address, self.changes = address, opened.table.changes
        self._log, self._has_chances = MoveLog(), False
        self._setup: Setup | None = None
        self._players: tuple[SeatPlayer, ...] = ()
        self._end: EndPage | None = None
        self._turn = self._asked_turn()

    def _asked_turn(self) -> int | None:
        """The earlier turn that the address asks for; None for the game as it stands."""
        if "turn" not in self.address.query or self._ended is not None:
            return None
        turn = self.address.number("turn", 0)
        if turn < 0:
            raise RefusedError("Turns count from 0, the deal.")
        return min(turn, self._table.game.turn)

    @property
    def _ended(self) -> EndPage | None:
        """What is shown once the game is over; if moves are taken back, it is played on."""
        if not self._table.game.is_over:
            self._end = None
        elif self._end is None:
            self._turn, self.address = None, self.address.with_query(turn=None)
            self._end = EndPage(self._tables, self._table, self._seat, self.address)
        return self._end

    @property
    def title(self) -> str:  # type: ignore[override]
        """Says in the browser's tab whose turn it is."""
        if (end := self._ended) is not None:
            return end.title
        seat = self._table.game.turn % len(self.players)
        return "Your turn" if seat == self._seat else f"{self.players[seat].name}'s turn"

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Who sits at the table."""
        setup = self._table.setup
        if setup is not self._setup:  # asked for many times while a page is drawn
            self._setup = setup
            self._players = tuple(self._player(seat, agent) for seat, agent in enumerate(setup.seats))
        return self._players

    def _player(self, seat: int, agent: str) -> SeatPlayer:
        setup = self._table.setup
        if agent == PERSON:
            word = setup.invitations[seat] if self._seat == self._table.persons[0] else ""
            return SeatPlayer(setup.names[seat], "", invitation=f"/join/{self._table.name}/{word}" if word else "")
        return SeatPlayer(setup.names[seat], agent, self._tables.partners.convention(agent))

    @property
    def _shown(self) -> int:
        """The turn that is looked at; a turn that was taken back is no more."""
        live = self._table.game.turn
        return live if self._turn is None else min(self._turn, live)

    @property
    def version(self) -> object:  # type: ignore[override]
        if (end := self._ended) is not None:
            return end.version
        return self._table.changes.number, str(self.address), self._turn, self._has_chances

    def draw(self) -> Markup:
        """The whole page."""
        end = self._ended
        return draw_seat(self.state(), self.address, self._has_chances) if end is None else end.draw()

    def to_json(self) -> dict[str, Any]:
        """What is drawn, as data."""
        end = self._ended
        return seat_json(self.state()) if end is None else end.to_json()

    def state(self) -> SeatState:
        """All that the page is made from."""
        table, shown = self._table, self._shown
        view = table.observation(self._seat, shown)
        since = since_my_last_move(view)
        return SeatState(
            view=view,
            told=tuple(self._log.until(view, [player.name for player in self.players], table.branch)),
            since=since,
            live_turn=table.game.turn,
            branch=table.branch,
            players=self.players,
            trouble=table.trouble,
            waiting=table.waiting,
            remarks=table.setup.remarks,
            is_alone=len(table.persons) == 1,
            notes=table.notes(self._seat),
            coaching=self._coaching(shown),
            tellings=self._coach.tellings(range(since, view.turn), table.branch),
        )

    def _coaching(self, turn: int) -> Coaching:
        table, coach = self._table, self._coach
        made = table.game.moves[turn] if turn < table.game.turn else None
        is_mine = turn % table.rules.players == self._seat
        judges = coach.judges(table.setup.seats, table.rules.players) if is_mine else ()
        return Coaching(turn, table.branch, is_mine, judges, coach.advice(turn, table.branch), made)

    def receive(self, message: Message) -> Address | None:
        """A move, a look at another turn, a question, a note."""
        if (end := self._ended) is not None:
            return end.receive(message)
        match message["do"]:
            case "move" | "type":
                self._move(message)
                return None if self._turn is None else self.address.with_query(turn=None)
            case "back":
                self._go_back(message)
                return self.address.with_query(turn=None)
            case "look":
                self._look(message)
            case "coach":
                self._ask_coach(message)
            case "stop-coach":
                self._coach.stop(number(message, "turn"), self._table.branch)
            case "tell":
                self._ask_meaning(message)
            case "chances":
                self._has_chances = {"on": True, "off": False}.get(message.get("value", ""), not self._has_chances)
            case "note":
                self._note(message)
            case "replace":
                self._replace(message.get("agent", ""))
            case _:
                return super().receive(message)
        return None

    def _move(self, message: Message) -> None:
        move = self._read(message.get("move") or message.get("line", ""))
        branch = number(message, "branch") if "branch" in message else None
        self._table.make(self._seat, move, number(message, "turn"), branch)
        self._opened.agents.wake()

    def _read(self, text: str) -> Move:
        """A move as typed; players may be called by the names that stand on the page."""
        words = SHORT_MOVE.sub(r"\1 \2", text.strip().lower()).split()
        names = {player.name.lower(): SEAT_NAMES[seat] for seat, player in enumerate(self.players)}
        if len(words) == 3:
            words[1] = names.get(words[1], words[1])
        try:
            return parse_move(" ".join(words), self._seat, len(self.players))
        except MoveError as error:
            raise RefusedError(sentence(error)) from None

    def _go_back(self, message: Message) -> None:
        self._table.go_back(self._seat, number(message, "turn"), number(message, "branch"))
        self._opened.agents.stop()
        self._opened.agents.wake()

    def _look(self, message: Message) -> None:
        live, way = self._table.game.turn, message.get("way")
        value = message.get("value", "") if way is None else str(turn_of(way, self._shown, live))
        if value == "live" or (value.isdecimal() and int(value) >= live):
            self._turn, self.address = None, self.address.with_query(turn=None)
        else:
            self.address = self.address.with_query(turn=value[:9])
            self._turn = max(0, self.address.number("turn", 0))

    def _ask_coach(self, message: Message) -> None:
        turn = self._turn_of_branch(message)
        view = self._table.observation(self._seat, turn)
        if turn % view.rules.players != self._seat:
            raise RefusedError("The coach can be asked about your own turns only.")
        self._coach.ask(view, self._table.branch, message.get("judge", ""), self._visitor)

    def _ask_meaning(self, message: Message) -> None:
        turn, players = self._turn_of_branch(message), self._table.rules.players
        if turn >= self._table.game.turn or turn % players == self._seat:
            raise RefusedError("Only what others have done can tell you something.")
        maker = self._table.setup.seats[turn % players]
        after = self._table.observation(self._seat, turn + 1)
        self._coach.explain(after, self._table.branch, "" if maker == PERSON else maker, self._visitor)

    def _turn_of_branch(self, message: Message) -> int:
        if number(message, "branch") != self._table.branch:
            raise RefusedError("Moves have been taken back since; look at the table again.")
        return number(message, "turn")

    def _note(self, message: Message) -> None:
        view, card = self._table.observation(self._seat), number(message, "card")
        if all(hand.order(slot) != card for hand in (view.mine, *view.others) for slot in hand.slots):
            raise RefusedError("This card is no longer in a hand.")
        self._table.note(self._seat, card, message.get("value", ""))

    def _replace(self, agent: str) -> None:
        self._tables.partners.check(agent, self._table.rules)
        self._table.replace(self._table.game.seat, agent)
        self._opened.agents.wake()

    def leave(self) -> None:
        self._tables.leave(self._opened)


def number(message: Message, name: str) -> int:
    """An integer of a message."""
    text = message.get(name, "")
    if not text.isdecimal() or len(text) > 6:
        raise RefusedError(f"The page sent {text!r:.60} as {name}; reload it.")
    return int(text)


def open_seat(state: ServerState, address: Address, visitor: str, table: str, secret: str) -> View:
    """The page of a seat, for the person who has its link."""
    tables = state.tables
    opened = tables.visit(table)
    try:
        return SeatPage(tables, opened, tables.seat_of(opened.table, secret), address, visitor)
    except Exception:
        tables.leave(opened)
        raise
