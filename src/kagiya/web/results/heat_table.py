"""The heat map of cross-play as a real table: shades behind numbers, headers for rows and columns."""

from __future__ import annotations

from kagiya.drawing.axes import Scale, extent
from kagiya.drawing.markup import Markup, element
from kagiya.lab.store.cells import MEASURES, Measure, Members, Sums
from kagiya.lab.store.queries import GameFilter
from kagiya.web.page import link
from kagiya.web.results.addresses import cell_address
from kagiya.web.results.lists import error_text, scrolled, value_text
from kagiya.web.results.overview_question import HeatMap, Overview

SHADES = 9  # as many classes heat-0, heat-1 ... as static/results.css has


def heat_table(overview: Overview) -> Markup:
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


def caption_text(overview: Overview) -> str:
    """What the table shows, in one line."""
    roles = "with each partner" if overview.choice.agent else "of one guest (row) with copies of a host (column)"
    return f"{MEASURES[overview.measure].name} {roles}, ± standard error"


def _cell(shown: HeatMap, place: tuple[str, str], choice: GameFilter, measure: Measure) -> Markup:
    found = shown.cells.get(place)
    if found is None:
        return element("td", element("span", "not played", class_="unseen"), class_="empty")
    members, sums = found
    text = [element("b", value_text(sums, measure)), element("small", error_text(sums, measure))]
    id_ = f"cell-{shown.rows.items.index(place[0])}-{shown.columns.items.index(place[1])}"
    classes = f"heat-{_shade(shown, sums.mean)}" + (" self" if members[0] == members[1] else "")
    return element("td", link(cell_address(choice, members), text, id_, title=_title(members, sums)), class_=classes)


def _title(members: Members, sums: Sums) -> str:
    return f"{members[0]} with {members[1]}, {sums.games:,} games"


def _shade(shown: HeatMap, value: float) -> int:
    """From the least value of the table to the greatest."""
    low, high = extent(sums.mean for _, sums in shown.cells.values())
    return round(Scale(low, high, 0, SHADES - 1)(value)) if value == value else 0
