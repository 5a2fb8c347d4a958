"""What a search found, as a table."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.drawing.cards import QUIET
from kagiya.search.explanation import Explanation

SHOWN = 5  # moves


def draw_search(found: Explanation) -> RenderableType:
    """How much was searched, the best moves with their values, and the line that is expected."""
    parts: list[RenderableType] = [Text(effort(found), "italic dim"), Padding(draw_moves(found), (0, 0, 0, 2))]
    parts += [Text(f"takes {SEAT_NAMES[each.seat]} for: {each.likely(SHOWN)}", "italic dim") for each in found.allies]
    if found.own_hand:
        parts.append(Text(f"its own hand: {found.own_hand}", "italic dim"))
    if words := found.line_words():
        parts.append(Text(f"expects: {words}", "italic dim"))
    return Group(*parts)


def effort(found: Explanation) -> str:
    """How long and how deep the search looked."""
    time = "" if found.seconds is None else f" in {1000 * found.seconds:,.0f} ms"
    mean = "" if found.mean_depth is None else f" (mean {found.mean_depth:.1f})"
    true = "" if found.true_share is None else f"; in {found.true_share:.0%} no partner's card was swapped for another"
    return f"searched: {found.iterations:,} iterations{time}; tree depth {found.depth}{mean}{true}"


def draw_moves(found: Explanation) -> Table:
    """The best moves: what each is worth, and how often it was tried."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for estimate in found.moves[:SHOWN]:
        style = "bold" if estimate.move == found.chosen else ""
        tried = f"{estimate.visits:,} visit{'' if estimate.visits == 1 else 's'}"
        given = f"+ {found.head_start:g}: the evaluator's own move" if style and found.head_start else ""
        row = [Text(tried, QUIET, justify="right"), Text(given, QUIET)]
        table.add_row(Text(found.name(estimate.move), style), estimate.worth(), *row)
    if len(found.moves) > SHOWN:
        table.add_row(Text(f"and {len(found.moves) - SHOWN} more", QUIET))
    return table
