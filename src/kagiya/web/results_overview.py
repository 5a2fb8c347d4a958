"""The page of results: which games of the store, what they come to, and the runs they come from.

Also the parts it shares with the page of a cell: tables and pagers, and `StorePage`, which says so while the store has
not answered or if it cannot. The heat map of cross-play is a real table, with headers for rows and columns.
"""

from __future__ import annotations

import math
import shlex
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from kagiya.drawing.canvas import Child, Markup, element, joined
from kagiya.drawing.charts import Scale, extent
from kagiya.lab.store.cells import MEASURES, Measure, Members, StoredOutcome, Sums
from kagiya.lab.store.queries import GameFilter, StoredRun
from kagiya.lab.store.store import default_store
from kagiya.web import results_queries as queries
from kagiya.web.pages import Address, Message, Notifier, View, link, scrolled, select, table
from kagiya.web.server_state import ServerState


def value_text(sums: Sums, measure: Measure) -> str:
    """The mean: "17.32" or "3.4 %"."""
    if not sums.games:
        return "none"
    return percent(sums.mean) if measure.is_share else f"{sums.mean:.2f}"


def error_text(sums: Sums, measure: Measure) -> str:
    """Its standard error: "± 0.05"."""
    error = sums.error(measure)
    if math.isnan(error):
        return ""
    return f"± {100 * error:.1f}" if measure.is_share else f"± {error:.2f}"


def percent(share: float) -> str:
    """A share of games; few of many do not become none."""
    return f"{100 * share:.1f} %" if share == 0 or share >= 0.0005 else f"{100 * share:.2g} %"


def interval_text(interval: tuple[float, float], is_share: bool = False) -> str:
    """From, to; or that there are too few games."""
    if math.isnan(interval[0]):
        return "too few games to say"
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %" if is_share else f"{low:.2f} to {high:.2f}"


def pager(address: Address, name: str, page: int, pages: int, what: str) -> Markup | None:
    """Links to the page before and after; nothing where one page holds all."""
    if pages <= 1:
        return None
    before, after = (
        link(address.with_query(**{name: page + step}), text, f"{name}-{text.split()[0].lower()}", class_="button")
        if 1 <= page + step <= pages
        else element("span", text, class_="button off", aria_disabled="true")
        for step, text in ((-1, "Previous"), (1, "Next"))
    )
    where = element("span", f"{what}, page {page} of {pages}", class_="soft")
    return element("nav", before, where, after, class_="pager", aria_label=f"Pages of {what}")


GAME_COLUMNS: dict[str, Callable[[StoredOutcome], Child]] = {
    "Score": lambda game: game.score,
    "Cards played": lambda game: game.points,
    "Lives left": lambda game: game.lives or element("span", "0, bombed", class_="bad"),
    "Turns": lambda game: game.turns,
    "Lost directly": lambda game: game.direct,
    "Lost by lack of turns": lambda game: game.indirect,
    "Seating": lambda game: game.seating,
}
BRIEF_COLUMNS = {
    **{head: GAME_COLUMNS[head] for head in ("Score", "Lives left")},
    "Lost": lambda game: game.direct + game.indirect,
}


def games_table(name: str, games: Sequence[StoredOutcome], prefix: str, brief: bool = False) -> Markup:
    """Games with a link to the review of each."""
    if not games:
        return element("p", "None.", class_="soft")
    columns = BRIEF_COLUMNS if brief else GAME_COLUMNS
    rows = [(_review(game, prefix), *(column(game) for column in columns.values())) for game in games]
    drawn = table(name, ("Game", *columns), rows, frozenset(range(1, 1 + len(columns))))
    return scrolled(drawn, f"{prefix}-games", name)


def _review(game: StoredOutcome, prefix: str) -> Markup:
    address, id_ = queries.review_address(game.seating, game.seed), f"{prefix}-{game.seating}-{game.seed}"
    return element("a", f"deck {game.seed}", href=str(address), id=id_, title=f"seating {game.seating}")


SHADES = 9  # as many classes heat-0, heat-1 ... as static/results.css has


def heat_table(overview: queries.Overview) -> Markup:
    """Guests in rows, hosts in columns; each cell leads to its games."""
    shown, measure = overview.heat_map, MEASURES[overview.measure]
    by_role = overview.choice.agent is not None
    corner = "partner" if by_role else "guest ↓  host →"
    heads = [element("th", element("span", name), scope="col", title=name) for name in shown.columns.items]
    rows = [
        element(
            "tr",
            element("th", element("span", name), scope="row", title=name),
            [_cell(shown, (name, column), overview.choice, measure) for column in shown.columns.items],
        )
        for name in shown.rows.items
    ]
    caption = element("caption", element("span", caption_text(overview), class_="unseen"))
    head = element("thead", element("tr", element("th", corner, scope="col", class_="corner"), heads))
    return scrolled(
        element("table", caption, head, element("tbody", rows), class_="heat"), "cross-play", caption_text(overview)
    )


def caption_text(overview: queries.Overview) -> str:
    """What the table shows, in one line."""
    roles = "with each partner" if overview.choice.agent else "of one guest (row) with copies of a host (column)"
    return f"{MEASURES[overview.measure].name} {roles}, ± standard error"


def _cell(shown: queries.HeatMap, place: tuple[str, str], choice: GameFilter, measure: Measure) -> Markup:
    found = shown.measured.get(place)
    if found is None:
        return element("td", element("span", "not played", class_="unseen"), class_="empty")
    members, sums = found
    text = [element("b", value_text(sums, measure)), element("small", error_text(sums, measure))]
    id_ = f"cell-{shown.rows.items.index(place[0])}-{shown.columns.items.index(place[1])}"
    classes = f"heat-{_shade(shown, sums.mean)}" + (" self" if members[0] == members[1] else "")
    title = f"{members[0]} with {members[1]}, {sums.games:,} games"
    return element("td", link(queries.cell_address(choice, members), text, id_, title=title), class_=classes)


def _shade(shown: queries.HeatMap, value: float) -> int:
    """From the least value of the table to the greatest."""
    low, high = extent(sums.mean for _, sums in shown.measured.values())
    return round(Scale(low, high, 0, SHADES - 1)(value)) if value == value else 0


T = TypeVar("T")
EXAMPLE = "kagiya crossplay careful vdb piers"


class StorePage(View, Generic[T]):
    """What the pages of results share."""

    def __init__(self, state: ServerState, address: Address, visitor: str, question: queries.StoreQuestion[T]) -> None:
        self.address, self.changes, self._store = address, Notifier(), state.results.path
        self.answer = state.results.ask(question, visitor)
        self.answer.when_there(self.changes.announce)

    async def ready(self, patience: float) -> None:
        """The store is read by a thread."""
        await self.answer.wait(patience)

    def draw(self) -> Markup:
        """The answer, or why there is none."""
        if not self.answer.is_there:
            return element("section", element("h1", self.title), element("p", "Reading the store …"), class_="notice")
        if self.answer.problem is not None:
            missing = self._store if self.answer.is_store_missing else None
            return no_answer(self.title, self.answer.problem, missing)
        return self.draw_answer(self.answer.value)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; `error` if there is none."""
        if not self.answer.is_there:
            return {"error": "The store is still being read; ask again."}
        if self.answer.problem is not None:
            return {"error": self.answer.problem}
        return self.plain(self.answer.value)

    @abstractmethod
    def draw_answer(self, answer: T) -> Markup:
        """What stands in the page's <main>."""

    @abstractmethod
    def plain(self, answer: T) -> dict[str, Any]:
        """The same for programs."""


def no_answer(title: str, problem: str, missing: Path | None) -> Markup:
    """What is wrong, and how one gets a store where there is none."""
    return element(
        "section",
        element("h1", title),
        element("p", problem, class_="bad", id="problem"),
        element("p", element("a", "All results", href=queries.OVERVIEW, id="to-results"))
        if missing is None
        else how_to_begin(missing),
        class_="notice",
    )


def how_to_begin(store: Path) -> Markup:
    """A first command for a visitor without a store; it makes the one that this server looks for."""
    option = "" if store == default_store() else f" --store {shlex.quote(str(store))}"
    return joined(
        element("p", "This command plays some games and stores them there; then load this page again:"),
        element("pre", element("code", f"{EXAMPLE}{option}")),
    )


FIELDS = ("rules", "players", "agent", "run", "code", "older")
SHORT = 7  # characters of a hash that people need


class Results(StorePage[queries.Overview]):
    """`/results`."""

    title = "Results"

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        pages = queries.Pages(
            *(queries.read_page(address, name) for name in ("runs", "selves", "guests", "hosts", "teams"))
        )
        question = queries.OverviewQuestion(queries.read_choice(address), queries.read_measure(address), pages)
        super().__init__(state, address, visitor, question)

    def receive(self, message: Message) -> Address | None:
        """The form of filters was sent: the same page with its values in the address."""
        if message["do"] != "choose":
            return super().receive(message)
        chosen = {name: message[name].strip() for name in FIELDS if message.get(name, "").strip()}
        address = Address(queries.OVERVIEW, {**chosen, **_measured(self.address)})
        queries.read_choice(address)
        return address

    def draw_answer(self, answer: queries.Overview) -> Markup:
        """Filters, self-play, cross-play, other teams, runs."""
        return element(
            "div",
            _top(answer, self.address),
            element("div", _cross_play(answer, self.address), _self_play(answer, self.address), class_="pair"),
            _other_teams(answer, self.address),
            _runs(answer, self.address),
            class_="panels results",
        )

    def plain(self, answer: queries.Overview) -> dict[str, Any]:
        """The same for programs."""
        return answer.to_json()


def _top(answer: queries.Overview, address: Address) -> Markup:
    facts = f"{answer.games:,} games in {answer.runs.all:,} run{'' if answer.runs.all == 1 else 's'}."
    running = [
        f" Run {run.run} is being played now, by process {run.process}: load the page again to see more."
        for run in answer.running
    ]
    return element(
        "section",
        element("h1", "Results"),
        element("p", facts, running, class_="soft"),
        _filters(answer),
        choice_links(
            address, "measure", {key: each.name for key, each in MEASURES.items()}, answer.measure, "What is measured"
        ),
        _older(answer, address),
    )


def _filters(answer: queries.Overview) -> Markup:
    chosen = dict.fromkeys(FIELDS, "") | queries.choice_values(answer.choice)
    agents = [element("option", value=agent) for agent in answer.offers.agents]
    older = element("input", type="checkbox", name="older", id="choose-older", value="yes", checked=answer.choice.older)
    return element(
        "form",
        choice_of("rules", "Rules", answer.offers.rules, chosen["rules"]),
        choice_of("players", "Players", answer.offers.players, chosen["players"]),
        field_of("agent", "Agent", chosen["agent"], list="agents", placeholder="any"),
        element("datalist", agents, id="agents"),
        field_of("run", "Run", chosen["run"], inputmode="numeric", placeholder="any", size="6"),
        field_of("code", "Code", chosen["code"], placeholder="the newest", size="12"),
        element("label", older, " older code too", class_="check"),
        element("button", "Show", type="submit", id="choose", class_="main"),
        element("a", "Show all", href=queries.OVERVIEW, id="choose-all", data_live=True),
        class_="filters",
        data_do="choose",
        id="filters",
        aria_label="Which games",
    )


def choice_of(name: str, label: str, values: Sequence[object], chosen: str, prefix: str = "choose") -> Markup:
    """A list of values with its label; what was chosen is among them even if the store does not have it."""
    known = list(map(str, values))
    listed = known if chosen in known or not chosen else [chosen, *known]
    field = select([(each, each) for each in listed], chosen, name=name, id=f"{prefix}-{name}")
    return element("label", f"{label} ", field)


def field_of(name: str, label: str, value: str, prefix: str = "choose", **attributes: str) -> Markup:
    """A line to type a value in, with its label."""
    return element("label", f"{label} ", element("input", name=name, value=value, id=f"{prefix}-{name}", **attributes))


def choice_links(address: Address, name: str, words: Mapping[str, str], chosen: str, label: str) -> Markup:
    """A link for each choice; the first one goes without saying."""
    usual = next(iter(words))
    links = [
        link(
            address.with_query(**{name: None if key == usual else key}, page=None),
            text,
            f"{name}-{key}",
            is_here=key == chosen,
        )
        for key, text in words.items()
    ]
    return element("nav", links, class_="measures", aria_label=label)


def _measured(address: Address) -> dict[str, str]:
    """What is measured, to go on with; the mean score goes without saying."""
    measure = queries.read_measure(address)
    return {} if measure == "score" else {"measure": measure}


def _older(answer: queries.Overview, address: Address) -> Markup | None:
    if not answer.older:
        return None
    text = f"Older code played {answer.older:,} of these teams as well; only the newest is counted. "
    return element("p", text, link(address.with_query(older="yes"), "Count all", "count-older"), class_="soft")


def _cross_play(answer: queries.Overview, address: Address) -> Markup:
    shown = answer.heat_map
    body: list[Child] = [element("p", "No cross-play among these games.", class_="soft")]
    if shown.measured:
        body = [
            element("p", f"{caption_text(answer)}. {_reading(answer.choice)}", class_="soft"),
            heat_table(answer),
            pager(address, "guests", shown.rows.page, shown.rows.pages, "guests"),
            pager(address, "hosts", shown.columns.page, shown.columns.pages, "hosts"),
        ]
    which = f"{answer.choice.rules}, {answer.choice.players} players" if answer.choice.rules else "nothing chosen"
    return element("section", element("h2", f"Cross-play, {which}"), body)


def _reading(choice: GameFilter) -> str:
    if choice.players == 2:
        return "The stronger the shade, the higher. With two players each is the other's guest: the table is symmetric."
    if choice.agent is not None:
        return f"The stronger the shade, the higher. A guest is one {choice.agent} among copies of the partner."
    return "The stronger the shade, the higher; the framed diagonal is self-play. Each cell leads to its games."


def _self_play(answer: queries.Overview, address: Address) -> Markup:
    first = (answer.selves.page - 1) * len(answer.selves.items)
    rows = [
        _measured_row(answer, (agent, agent), agent, f"self-{first + place}", sums)
        for place, (agent, sums) in enumerate(answer.selves.items)
    ]
    return _list("Self-play", "selves", answer.selves, address, rows, ("Agent", MEASURES[answer.measure].name))


def _other_teams(answer: queries.Overview, address: Address) -> Markup | None:
    if not answer.teams.items:
        return None
    rows = [
        _measured_row(answer, members, queries.BETWEEN.join(members), f"team-{place}", sums)
        for place, (members, sums) in enumerate(answer.teams.items)
    ]
    return _list("Other teams", "teams", answer.teams, address, rows, ("Seats", MEASURES[answer.measure].name))


def _measured_row(answer: queries.Overview, members: Members, name: str, id_: str, sums: Sums) -> tuple[Child, ...]:
    measure = MEASURES[answer.measure]
    to_cell = link(queries.cell_address(answer.choice, members), name, id_)
    return to_cell, f"{value_text(sums, measure)} {error_text(sums, measure)}", f"{sums.games:,}"


def _list(
    title: str,
    name: str,
    part: queries.GamePart,
    address: Address,
    rows: Sequence[tuple[Child, ...]],
    heads: tuple[str, str],
) -> Markup:
    body: Child = element("p", "None among these games.", class_="soft")
    if rows:
        caption = f"{title}, the best first" if name == "selves" else title
        drawn = table(caption, (*heads, "Games"), rows, frozenset({1, 2}), unseen=True)
        body = scrolled(drawn, f"list-{name}", title)
    return element("section", element("h2", title), body, pager(address, name, part.page, part.pages, title.lower()))


def _runs(answer: queries.Overview, address: Address) -> Markup:
    rows = [_run(run, address) for run in answer.runs.items]
    heads = ("Run", "Command", "Started (UTC)", "Outcome", "Games", "Played by")
    drawn = table("Runs, the last one first", heads, rows, frozenset({4}), unseen=True)
    return element(
        "section",
        element("h2", "Runs"),
        scrolled(drawn, "list-runs", "Runs") if rows else element("p", "None yet.", class_="soft"),
        pager(address, "runs", answer.runs.page, answer.runs.pages, "runs"),
    )


def _run(run: StoredRun, address: Address) -> tuple[Child, ...]:
    games = f"{run.games:,}" + (f" ({run.games - run.computed:,} stored before)" if run.computed < run.games else "")
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items() if version)
    commit = f"commit {run.commit[:10]}" if run.commit else "no commit"
    return (
        link(Address(queries.OVERVIEW, {"run": str(run.run), **_measured(address)}), run.run, f"run-{run.run}"),
        element("code", run.command or "not noted"),
        run.started.replace("T", " ")[:16],
        element("span", run.state, class_="good" if run.state == "complete" else "mark"),
        games,
        [commit, element("br"), element("small", versions, class_="soft")],
    )
