"""The page of a finished game: the score, all hands open, who lost which points when, and what to do next."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any

from kagiya.cards import Seat, card_name
from kagiya.drawing.canvas import SUITS, Markup, element
from kagiya.drawing.card import card_face
from kagiya.engine.game import Game
from kagiya.engine.sentences import Sentence, describe
from kagiya.lab.regret import MoveCost, move_costs
from kagiya.lab.review.samples import games_of
from kagiya.view.table_view import TableView
from kagiya.web.move_log import sentence_html, tab_panel
from kagiya.web.pages import Address, Message, View
from kagiya.web.play.web_table import WebTable
from kagiya.web.play.web_tables import TablePlan, WebTables
from kagiya.web.table_html import discards, played_cards

WORST = 3
CAUSES = {"discard": "a needed card is gone", "play": "a needed card is gone", "bomb": "the last life is lost"}


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
            element("button", "Same deal again", type="button", id="again", data_do="again"),
            element("a", "New game", href="/", class_="button", id="to-lobby"),
            element("button", "Copy the link", type="button", id="copy-review", data_copy=f"/review/table/{name}"),
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
        heads = ["seat", "discard", "play", "bomb", "late", "all"]
        rows = [self._losses_of(seat, name) for seat, name in enumerate(self._table.setup.names)]
        body = [
            element("tr", element("th", name, scope="row"), [element("td", value, class_="number") for value in values])
            for name, values in rows
        ]
        classes = [None, *["number"] * (len(heads) - 1)]
        cells = [element("th", text, scope="col", class_=each) for text, each in zip(heads, classes, strict=True)]
        head = element("tr", cells)
        how = (
            "Points that moves made impossible, all cards known: a needed card discarded or misplayed, the last life "
            "lost, or too few turns left (late)."
        )
        return element(
            "div",
            element("table", element("thead", head), element("tbody", body)),
            element("p", how, class_="soft small"),
            class_="scroll",
            tabindex="0",
            role="region",
            aria_label="Points lost by seat",
            id="losses-table",
        )

    def _losses_of(self, seat: int, name: str) -> tuple[str, list[int]]:
        costs = self._costs[seat :: self._game.rules.players]
        direct = [sum(cost.direct for cost in costs if cost.source == source) for source in ("discard", "play", "bomb")]
        late = sum(cost.indirect for cost in costs)
        return ("You" if seat == self._seat else name), [*direct, late, sum(direct) + late]

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
        owner = self._tables.owner_of(self._table.name)
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
