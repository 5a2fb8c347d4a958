"""The page of a cell: its numbers, its scores, who lost the points, its games, and another cell beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kagiya.drawing.distribution import Sample, distribution
from kagiya.drawing.markup import Child, Markup, element
from kagiya.lab.statistics.summary import Summary
from kagiya.lab.store.cells import EVENTS, ORDERS
from kagiya.web.page import link
from kagiya.web.results.addresses import (
    OVERVIEW,
    choice_values,
    members_name,
    read_choice,
    read_members,
    read_name,
    read_page,
)
from kagiya.web.results.cell_question import GAMES_SHOWN, CellAddress, CellAnswer, CellQuestion
from kagiya.web.results.comparison import compare_form, comparison
from kagiya.web.results.lists import games_table, interval_text, pager, percent, scrolled, table
from kagiya.web.results.regret_tables import regret_tables
from kagiya.web.results.store_page import StorePage
from kagiya.web.server.state import ServerState
from kagiya.web.views import Address, Message, RefusedError

ORDER_NAMES = {"seed": "by deck", "worst": "worst first", "median": "nearest the median", "best": "best first"}
SEATINGS_SHOWN = 10
BESIDE = "with_"  # names of the other cell's values


def read_cell(address: Address) -> CellAddress:
    """The cell that an address names."""
    members = read_members(address)
    if members is None:
        raise RefusedError(
            "Whose games? The address of a cell has a guest and a host; the table of results leads there."
        )
    return CellAddress(replace(read_choice(address), agent=None), members)


def read_beside(address: Address, cell: CellAddress) -> CellAddress | None:
    """The other cell, by the same rules; another run or another code only if it is named."""
    members = read_members(address, BESIDE)
    if members is None:
        return None
    other = read_choice(address, BESIDE)
    return CellAddress(replace(other, rules=cell.choice.rules, players=cell.choice.players, agent=None), members)


class CellPage(StorePage[CellAnswer]):
    """`/results/cell`."""

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        self.cell = read_cell(address)
        self.title = members_name(self.cell.members)
        event = read_name(address, "event", (*EVENTS, "all"), "all")
        self.event = None if event == "all" else event
        self.order = read_name(address, "order", tuple(ORDERS), "seed")
        question = CellQuestion(
            self.cell, self.event, self.order, read_page(address, "page"), read_beside(address, self.cell)
        )
        super().__init__(state, address, visitor, question)

    def receive(self, message: Message) -> Address | None:
        """The other cell was chosen."""
        if message["do"] != "compare":
            return super().receive(message)
        chosen = {f"{BESIDE}{name}": message.get(name, "").strip() or None for name in ("guest", "host", "run", "code")}
        address = self.address.with_query(**chosen)
        read_beside(address, self.cell)
        return address

    def draw_answer(self, answer: CellAnswer) -> Markup:
        """From the whole to single games."""
        return element(
            "div",
            self._top(answer),
            element(
                "div",
                element("section", element("h2", "Scores"), _scores(answer)),
                regret_tables(answer),
                class_="pair",
            ),
            element(
                "section",
                element("h2", "Beside another cell"),
                compare_form(answer, self.address, BESIDE),
                comparison(answer.beside, self.title) if answer.beside else None,
            ),
            _extremes(answer),
            self._games(answer),
            class_="panels results cell",
        )

    def plain(self, answer: CellAnswer) -> dict[str, Any]:
        """The same for programs."""
        return {"members": list(self.cell.members), **answer.to_json()}

    def _top(self, answer: CellAnswer) -> Markup:
        team = answer.teams[0]
        back = Address(OVERVIEW, choice_values(replace(self.cell.choice, rules=team.preset, players=team.players)))
        return element(
            "section",
            element("p", link(back, "← All results", "back")),
            element("h1", self.title),
            element("p", f"Rules {team.preset}, {team.players} players.", _mixed(answer), class_="soft"),
            _numbers(answer.summary, answer.perfect),
            _seatings(answer),
        )

    def _games(self, answer: CellAnswer) -> Markup:
        pages = max(1, -(-answer.listed // GAMES_SHOWN))
        name = (
            f"{'All games' if self.event is None else f'Games: {EVENTS[self.event].name}'}, {ORDER_NAMES[self.order]}"
        )
        return element(
            "section",
            element("h2", "Games"),
            _events(answer, self.address, self.event),
            _orders(self.address, self.order),
            games_table(name, answer.games, "game"),
            pager(self.address, "page", answer.page, pages, f"{answer.listed:,} games"),
        )


def _mixed(answer: CellAnswer) -> str:
    codes, terms = ({getattr(team, name) for team in answer.teams} for name in ("code", "terms"))
    by_seats = {team.seats: team for team in answer.teams}
    if len(terms) > 1:
        return f" Games under {len(terms)} different terms are counted together."
    if len(answer.teams) > len(by_seats):
        return f" Games of {len(codes)} versions of the code are counted together."
    if not all(team.is_newest for team in answer.teams):
        return " Played by older code: the same agents may move otherwise now."
    return ""


def _numbers(summary: Summary, perfect: int) -> Markup:
    rows = [
        ("Games", f"{summary.games:,}", ""),
        ("Mean score", f"{summary.mean:.2f} ± {summary.se:.2f}", f"95 %: {interval_text(summary.interval())}"),
        ("Standard deviation", f"{summary.sd:.2f}", f"of scores from 0 to {perfect}"),
        ("Perfect games", percent(summary.perfect_rate), f"95 %: {interval_text(summary.perfect_interval(), True)}"),
        ("Bombed games", percent(summary.bomb_rate), f"95 %: {interval_text(summary.bomb_interval(), True)}"),
        ("Turns", f"{summary.mean_turns:.1f}", f"{summary.mean_points:.2f} cards played, bombed games included"),
    ]
    items = [
        element("div", element("dt", name), element("dd", value, element("small", more, class_="soft")))
        for name, value, more in rows
    ]
    return element("dl", items, class_="numbers")


def _seatings(answer: CellAnswer) -> Markup:
    rows = [
        (
            f"seating {team.seating}",
            " + ".join(team.seats),
            f"{team.games:,}",
            f"{team.seeds[0][0]} to {team.seeds[-1][1] - 1}",
            element("code", team.code[:10], title=team.code),
            "newest" if team.is_newest else "older",
            team.terms or "none",
        )
        for team in answer.teams[:SEATINGS_SHOWN]
    ]
    heads = ("Seating", "Seats", "Games", "Decks", "Code", "Age", "Terms")
    more = len(answer.teams) - SEATINGS_SHOWN
    return element(
        "details",
        element("summary", "Seats, decks and code", id="seatings-shown"),
        scrolled(table("Who sat where", heads, rows, frozenset({2})), "seatings", "Who sat where"),
        element("p", f"And {more:,} more.", class_="soft") if more > 0 else None,
    )


def _scores(answer: CellAnswer) -> Markup:
    second = _sample("the other", answer.beside.summary) if answer.beside else None
    return element("div", distribution(_sample("this cell", answer.summary), second), class_="picture")


def _sample(name: str, summary: Summary) -> Sample:
    return Sample(name, summary.histogram, summary.mean, summary.se if summary.games > 1 else None)


def _extremes(answer: CellAnswer) -> Markup:
    names = {"worst": "Worst", "median": "Median", "best": "Best"}
    lists: list[Child] = [
        element("div", games_table(f"{names[order]} games", games, order, brief=True))
        for order, games in answer.extremes.items()
    ]
    return element("section", element("h2", "Worst, median and best games"), element("div", lists, class_="three"))


def _events(answer: CellAnswer, address: Address, chosen: str | None) -> Markup:
    games = answer.summary.games
    entries = {"all": ("all games", games)} | {key: (event.name, answer.events[key]) for key, event in EVENTS.items()}
    links = [
        link(
            address.with_query(event=None if key == "all" else key, page=None),
            f"{name}: {count:,}" + ("" if key == "all" else f" ({percent(count / games)})"),
            f"event-{key}",
            is_here=key == (chosen or "all"),
        )
        for key, (name, count) in entries.items()
    ]
    return element("nav", links, class_="measures", aria_label="Games by event")


def _orders(address: Address, chosen: str) -> Markup:
    links = [
        link(
            address.with_query(order=None if key == "seed" else key, page=None),
            name,
            f"order-{key}",
            is_here=key == chosen,
        )
        for key, name in ORDER_NAMES.items()
    ]
    return element("nav", links, class_="measures", aria_label="Order of the games")
