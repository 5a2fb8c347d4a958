"""The page of results: which games of the store, what they come to, and the runs they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kagiya.drawing.markup import Child, Markup, element
from kagiya.lab.store.cells import MEASURES
from kagiya.lab.store.queries import GameFilter, StoredRun
from kagiya.web.page import link
from kagiya.web.results.addresses import (
    BETWEEN,
    OVERVIEW,
    cell_address,
    choice_values,
    read_choice,
    read_measure,
    read_page,
)
from kagiya.web.results.heat_table import caption_text, heat_table
from kagiya.web.results.lists import error_text, pager, scrolled, table, value_text
from kagiya.web.results.overview_question import Overview, OverviewQuestion, Pages, Part
from kagiya.web.results.store_page import StorePage
from kagiya.web.server.state import ServerState
from kagiya.web.views import Address, Message

FIELDS = ("rules", "players", "agent", "run", "code", "older")
SHORT = 7  # characters of a hash that people need


class Results(StorePage[Overview]):
    """`/results`."""

    title = "Results"

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        pages = Pages(*(read_page(address, name) for name in ("runs", "selves", "guests", "hosts", "teams")))
        super().__init__(state, address, visitor, OverviewQuestion(read_choice(address), read_measure(address), pages))

    def receive(self, message: Message) -> Address | None:
        """The form of filters was sent: the same page with its values in the address."""
        if message["do"] != "choose":
            return super().receive(message)
        chosen = {name: message[name].strip() for name in FIELDS if message.get(name, "").strip()}
        address = Address(OVERVIEW, {**chosen, **_measured(self.address)})
        read_choice(address)
        return address

    def draw_answer(self, answer: Overview) -> Markup:
        """Filters, self-play, cross-play, other teams, runs."""
        return element(
            "div",
            _top(answer, self.address),
            element("div", _cross_play(answer, self.address), _self_play(answer, self.address), class_="pair"),
            _other_teams(answer, self.address),
            _runs(answer, self.address),
            class_="panels results",
        )

    def plain(self, answer: Overview) -> dict[str, Any]:
        """The same for programs."""
        return answer.to_json()


def _top(answer: Overview, address: Address) -> Markup:
    facts = f"{answer.games:,} games in {answer.runs.all:,} run{'' if answer.runs.all == 1 else 's'}."
    return element(
        "section",
        element("h1", "Results"),
        element("p", facts, [_running(run) for run in answer.running], class_="soft"),
        _filters(answer),
        _measures(answer, address),
        _older(answer, address),
    )


def _running(run: StoredRun) -> str:
    return f" Run {run.run} is being played now, by process {run.process}: load the page again to see more."


def _filters(answer: Overview) -> Markup:
    chosen = dict.fromkeys(FIELDS, "") | choice_values(answer.choice)
    agents = [element("option", value=agent) for agent in answer.offers.agents]
    older = element("input", type="checkbox", name="older", id="choose-older", value="yes", checked=answer.choice.older)
    return element(
        "form",
        _select("rules", "Rules", answer.offers.rules, chosen["rules"]),
        _select("players", "Players", answer.offers.players, chosen["players"]),
        _field("agent", "Agent", chosen["agent"], list="agents", placeholder="any"),
        element("datalist", agents, id="agents"),
        _field("run", "Run", chosen["run"], inputmode="numeric", placeholder="any", size="6"),
        _field("code", "Code", chosen["code"], placeholder="the newest", size="12"),
        element("label", older, " older code too", class_="check"),
        element("button", "Show", type="submit", id="choose", class_="main"),
        element("a", "Show all", href=OVERVIEW, id="choose-all", data_live=True),
        class_="filters",
        data_do="choose",
        id="filters",
        aria_label="Which games",
    )


def _select(name: str, label: str, values: tuple[str, ...] | tuple[int, ...], chosen: str) -> Markup:
    known = list(map(str, values))
    options = [
        element("option", value, value=value, selected=value == chosen)
        for value in (known if chosen in known or not chosen else [chosen, *known])
    ]
    return element("label", label, " ", element("select", options, name=name, id=f"choose-{name}"))


def _field(name: str, label: str, value: str, **attributes: str) -> Markup:
    return element("label", label, " ", element("input", name=name, value=value, id=f"choose-{name}", **attributes))


def _measures(answer: Overview, address: Address) -> Markup:
    links = [
        link(
            address.with_query(measure=None if name == "score" else name),
            measure.name,
            f"measure-{name}",
            is_here=name == answer.measure,
        )
        for name, measure in MEASURES.items()
    ]
    return element("nav", links, class_="measures", aria_label="What is measured")


def _measured(address: Address) -> dict[str, str]:
    """What is measured, to go on with; the mean score goes without saying."""
    measure = read_measure(address)
    return {} if measure == "score" else {"measure": measure}


def _older(answer: Overview, address: Address) -> Markup | None:
    if not answer.older:
        return None
    text = f"Older code played {answer.older:,} of these teams as well; only the newest is counted. "
    return element("p", text, link(address.with_query(older="yes"), "Count all", "count-older"), class_="soft")


def _cross_play(answer: Overview, address: Address) -> Markup:
    shown = answer.heat_map
    body: list[Child] = [element("p", "No cross-play among these games.", class_="soft")]
    if shown.cells:
        body = [
            element("p", f"{caption_text(answer)}. {_reading(answer.choice)}", class_="soft"),
            heat_table(answer),
            pager(address, "guests", shown.rows.page, shown.rows.pages, "guests"),
            pager(address, "hosts", shown.columns.page, shown.columns.pages, "hosts"),
        ]
    return element("section", element("h2", f"Cross-play, {_kind(answer.choice)}"), body)


def _reading(choice: GameFilter) -> str:
    if choice.players == 2:
        return "The stronger the shade, the higher. With two players each is the other's guest: the table is symmetric."
    if choice.agent is not None:
        return f"The stronger the shade, the higher. A guest is one {choice.agent} among copies of the partner."
    return "The stronger the shade, the higher; the framed diagonal is self-play. Each cell leads to its games."


def _kind(choice: GameFilter) -> str:
    return f"{choice.rules}, {choice.players} players" if choice.rules else "nothing chosen"


def _self_play(answer: Overview, address: Address) -> Markup:
    measure = MEASURES[answer.measure]
    first = (answer.selves.page - 1) * len(answer.selves.items)
    rows = [
        (
            link(cell_address(answer.choice, (agent, agent)), agent, f"self-{first + place}"),
            f"{value_text(sums, measure)} {error_text(sums, measure)}",
            f"{sums.games:,}",
        )
        for place, (agent, sums) in enumerate(answer.selves.items)
    ]
    return _list("Self-play", "selves", answer.selves, address, rows, ("Agent", measure.name))


def _other_teams(answer: Overview, address: Address) -> Markup | None:
    if not answer.teams.items:
        return None
    measure = MEASURES[answer.measure]
    rows = [
        (
            link(cell_address(answer.choice, members), BETWEEN.join(members), f"team-{place}"),
            f"{value_text(sums, measure)} {error_text(sums, measure)}",
            f"{sums.games:,}",
        )
        for place, (members, sums) in enumerate(answer.teams.items)
    ]
    return _list("Other teams", "teams", answer.teams, address, rows, ("Seats", measure.name))


def _list(
    title: str, name: str, part: Part, address: Address, rows: Sequence[tuple[Child, ...]], heads: tuple[str, str]
) -> Markup:
    body: Child = element("p", "None among these games.", class_="soft")
    if rows:
        caption = f"{title}, the best first" if name == "selves" else title
        drawn = table(caption, (*heads, "Games"), rows, frozenset({1, 2}), unseen=True)
        body = scrolled(drawn, f"list-{name}", title)
    return element("section", element("h2", title), body, pager(address, name, part.page, part.pages, title.lower()))


def _runs(answer: Overview, address: Address) -> Markup:
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
        link(Address(OVERVIEW, {"run": str(run.run), **_measured(address)}), run.run, f"run-{run.run}"),
        element("code", run.command or "not noted"),
        run.started.replace("T", " ")[:16],
        element("span", run.state, class_="good" if run.state == "complete" else "mark"),
        games,
        [commit, element("br"), element("small", versions, class_="soft")],
    )
