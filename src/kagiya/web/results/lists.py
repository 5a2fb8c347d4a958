"""Tables and pagers of the results: numbers with their errors, games that lead to their review."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from kagiya.drawing.markup import Child, Markup, element
from kagiya.lab.store.cells import Measure, StoredOutcome, Sums
from kagiya.web.page import link
from kagiya.web.results.addresses import review_address
from kagiya.web.views import Address


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
    """From, to; what nobody knows is said."""
    if math.isnan(interval[0]):
        return "too few games to say"
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %" if is_share else f"{low:.2f} to {high:.2f}"


def scrolled(table: Markup, id_: str, name: str) -> Markup:
    """What may be wider than the page scrolls by itself, by keys too."""
    return element("div", table, class_="scroll", id=id_, tabindex="0", role="region", aria_label=name)


def table(
    name: str, heads: Sequence[str], rows: Iterable[Sequence[Child]], numbers: frozenset[int], unseen: bool = False
) -> Markup:
    """A table with a caption, unseen where a heading says the same; columns with these places hold numbers, the first
    cell of a row is its header."""
    kinds = ["number" if place in numbers else None for place in range(len(heads))]
    head = element(
        "tr", [element("th", each, scope="col", class_=kind) for each, kind in zip(heads, kinds, strict=True)]
    )
    body = [
        element(
            "tr",
            element("th", row[0], scope="row", class_=kinds[0]),
            [element("td", each, class_=kind) for each, kind in zip(row[1:], kinds[1:], strict=True)],
        )
        for row in rows
    ]
    return element(
        "table",
        element("caption", element("span", name, class_="unseen") if unseen else name),
        element("thead", head),
        element("tbody", body),
    )


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


BRIEF_HEADS = ("Game", "Score", "Lives left", "Lost")
GAME_HEADS = (
    "Game",
    "Score",
    "Cards played",
    "Lives left",
    "Turns",
    "Lost directly",
    "Lost by lack of turns",
    "Seating",
)


def games_table(name: str, games: Sequence[StoredOutcome], prefix: str, brief: bool = False) -> Markup:
    """Games with a link to the review of each."""
    if not games:
        return element("p", "None.", class_="soft")
    rows = [_brief(game, prefix) if brief else _whole(game, prefix) for game in games]
    heads = BRIEF_HEADS if brief else GAME_HEADS
    return scrolled(table(name, heads, rows, frozenset(range(1, len(heads)))), f"{prefix}-games", name)


def _brief(game: StoredOutcome, prefix: str) -> tuple[Child, ...]:
    return _review(game, prefix), game.score, _lives(game), game.direct + game.indirect


def _whole(game: StoredOutcome, prefix: str) -> tuple[Child, ...]:
    return (
        _review(game, prefix),
        game.score,
        game.points,
        _lives(game),
        game.turns,
        game.direct,
        game.indirect,
        game.seating,
    )


def _review(game: StoredOutcome, prefix: str) -> Markup:
    address, id_ = review_address(game.seating, game.seed), f"{prefix}-{game.seating}-{game.seed}"
    return element("a", f"deck {game.seed}", href=str(address), id=id_, title=f"seating {game.seating}")


def _lives(game: StoredOutcome) -> Child:
    return game.lives or element("span", "0, bombed", class_="bad")
