"""The page of a seat while the game is played, made from what this seat may see; after the end, with all hands open."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate
from typing import Any

from kagiya import Game
from kagiya.cards import SEAT_NAMES, Seat, card_name
from kagiya.drawing.canvas import SUITS, Markup, element, joined
from kagiya.drawing.card import card_face
from kagiya.engine.sentences import Sentence, describe
from kagiya.lab.regret import MoveCost, move_costs
from kagiya.lab.review.samples import games_of
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, MoveError, parse_move
from kagiya.view.table_view import TableView, since_my_last_move
from kagiya.web.pages import Address, Message, RefusedError, View, button, scrolled, sentence, table
from kagiya.web.play.seat_drawing import Coaching, SeatPlayer, SeatState, draw_seat, seat_json
from kagiya.web.play.storage import Setup
from kagiya.web.play.web_table import WebTable
from kagiya.web.play.web_tables import OpenTable, TablePlan, WebTables
from kagiya.web.server_state import ServerState
from kagiya.web.table_html import MoveLog, discards, played_cards, sentence_html, tab_panel, turn_of

WORST = 3
CAUSES = {"discard": "a needed card is gone", "play": "a needed card is gone", "bomb": "the last life is lost"}
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


class EndPage(View):
    """The end of a game, for one of its players; nothing is hidden any more."""

    def __init__(self, tables: WebTables, table: WebTable, seat: Seat, address: Address) -> None:
        self._tables, self._table, self._seat, self.address = tables, table, seat, address
        self.changes = table.changes
        self.title = f"{table.game.score} points"

    @property
    def _game(self) -> Game:
        return self._table.game

    @cached_property
    def _costs(self) -> list[MoveCost]:
        return move_costs(games_of(self._game))

    @cached_property
    def _told(self) -> list[Sentence]:
        return list(describe(self._game.events, self._game.rules, self._seat, names=self._table.setup.names))

    def draw(self) -> Markup:
        """The whole page."""
        game = self._game
        return element(
            "div",
            element(
                "section",
                element("h1", f"{game.score} of {game.rules.perfect_score} points", id="score"),
                element("p", verdict(game)),
                element("div", played_cards(game.fireworks), class_="fireworks"),
                self._buttons(),
                class_="board",
                id="board",
            ),
            element("div", self._panels(), class_="ending-panels"),
            class_="ending",
            id="ending",
        )

    def _panels(self) -> list[Markup | None]:
        view = TableView.of_game(self._game)
        return [
            tab_panel("worst", "The costliest moves", "", self._worst()),
            tab_panel("losses", "Points lost", "", self._losses()),
            tab_panel("discards", "Discards", "", discards(view)),
            tab_panel("hands", "All hands", "", self._hands()),
            self._remarks(),
        ]

    def _buttons(self) -> Markup:
        name = self._table.name
        return element(
            "div",
            element("a", "Review this game", href=f"/review/table/{name}", class_="button main", id="to-review"),
            button("Same deal again", "again", "again"),
            element("a", "New game", href="/", class_="button", id="to-lobby"),
            button("Copy the link", "copy-review", data_copy=f"/review/table/{name}"),
            element(
                "a", "Save as JSON", href=f"{self.address.path}/game.json", download=True, class_="button", id="save"
            ),
            class_="buttons",
        )

    def _worst(self) -> Markup:
        order = sorted(range(len(self._costs)), key=lambda turn: (-self._costs[turn].total, turn))
        lines = [self._cost_line(turn) for turn in order[:WORST] if self._costs[turn].total > 0]
        if not lines:
            return element("p", "No move made a point impossible.")
        return element("ol", lines, class_="worst")

    def _cost_line(self, turn: int) -> Markup:
        cost = self._costs[turn]
        parts = [f"costs {points(cost.direct)}: {CAUSES[cost.source or 'bomb']}"] if cost.direct else []
        parts += [f"leaves no turn for {points(cost.indirect)}"] if cost.indirect > 0 else []
        review = f"/review/table/{self._table.name}?turn={turn + 1}"
        link = element("a", f"turn {turn + 1}", href=review, id=f"worst-{turn + 1}")
        return element("li", link, " ", sentence_html(self._told[turn]), ": ", ", ".join(parts), ".", value=turn + 1)

    def _losses(self) -> Markup:
        """A row for each seat, a column for each way to lose points."""
        name, heads = "Points lost by seat", ("seat", "discard", "play", "bomb", "late", "all")
        rows = [self._losses_of(seat, player) for seat, player in enumerate(self._table.setup.names)]
        drawn = table(name, heads, rows, frozenset(range(1, len(heads))), unseen=True)
        how = (
            "Points that moves made impossible, all cards known: a needed card discarded or misplayed, the last life "
            "lost, or too few turns left (late)."
        )
        return scrolled(joined(drawn, element("p", how, class_="soft small")), "losses-table", name)

    def _losses_of(self, seat: int, name: str) -> tuple[str | int, ...]:
        costs = self._costs[seat :: self._game.rules.players]
        direct = [sum(cost.direct for cost in costs if cost.source == source) for source in ("discard", "play", "bomb")]
        late = sum(cost.indirect for cost in costs)
        return "You" if seat == self._seat else name, *direct, late, sum(direct) + late

    def _hands(self) -> Markup:
        rows = []
        for seat, hand in enumerate(self._game.hands):
            cards = [card_face(SUITS[card // 5], card % 5) for card in hand if card >= 0]
            name = "You" if seat == self._seat else self._table.setup.names[seat]
            rows.append(
                element(
                    "div",
                    element("h3", name),
                    element("div", [element("div", card, class_="face") for card in cards], class_="cards"),
                    class_="hand",
                )
            )
        return element("div", rows, class_="open-hands")

    def _remarks(self) -> Markup | None:
        remarks = [element("li", f"{remark}.") for remark in self._table.setup.remarks]
        return tab_panel("remarks", "Noted in the record", "", element("ul", remarks)) if remarks else None

    def to_json(self) -> dict[str, Any]:
        """The same as data, with the record."""
        setup = self._table.setup
        return {
            "score": self._game.score,
            "names": list(setup.names),
            "hands": [[card_name(card) for card in hand if card >= 0] for hand in self._game.hands],
            "costs": [cost.to_json() for cost in self._costs],
            "reachable": list(
                accumulate((-cost.direct for cost in self._costs), initial=self._game.rules.perfect_score)
            ),
            "remarks": list(setup.remarks),
            "record": self._table.record().to_json(),
        }

    def receive(self, message: Message) -> Address | None:
        """Play the same deal once more."""
        if message["do"] == "move":  # sent again after the last move had been made
            return None
        if message["do"] != "again":
            return super().receive(message)
        setup = self._table.setup
        owner = self._tables.storage.owner_of(self._table.name)
        return self._tables.set_up(
            owner, TablePlan(self._game.rules, setup.seats, setup.names, setup.pause, setup.seed, setup.deck)
        )


def verdict(game: Game) -> str:
    """How it ended."""
    if game.is_bombed:
        return f"The last life is lost after {game.turn} turns, with {points(game.points)} on the table."
    if game.points == game.rules.perfect_score:
        return f"Perfect, in {game.turn} turns."
    return f"The game is over after {game.turn} turns; {game.lives} {'life' if game.lives == 1 else 'lives'} left."


def points(number: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} point{'' if number == 1 else 's'}"
