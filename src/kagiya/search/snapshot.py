"""A look at a search while it thinks, from another thread: what it has found so far.

Nothing is locked: the search goes on while its arrays are read, so a move may be shown with one visit more than its
mean accounts for. Whatever is read is checked before it is used as an index.
"""

from __future__ import annotations

import math
from typing import Any

from kagiya.cards import Seat
from kagiya.search import search_layout
from kagiya.search.explanation import Explanation, children_of, explain_search
from kagiya.search.search_layout import ROOT_NODE
from kagiya.search.workspace import SearchWorkspace

ENOUGH_VISITS = 2  # for a mean to count where the best mean is chosen


def look_at(workspace: SearchWorkspace, seat: Seat, turn: int, seconds: float) -> Explanation | None:
    """What a search has found for this move in so many seconds; None before its first iteration is done.

    `chosen` is the move that it would make now. What it knows of its own hand is told when it is done, and so are the
    values of a search that weighs replies.
    """
    work = workspace.work
    if work["seat"] != seat or work["turns"] != turn or not work["iterations_done"]:
        return None
    leading = leading_move(workspace)
    return None if leading is None else explain_search(workspace, seconds, leading)


def share_of_budget(workspace: SearchWorkspace, seconds: float) -> float:
    """How much of its budget a search has used for its move, from 0 to 1."""
    work = workspace.work
    shares = [work["iterations_done"] / max(int(work["iterations"]), 1)]
    if work["steps"]:
        shares.append(work["steps_done"] / int(work["steps"]))
    if work["nanoseconds"]:
        shares.append(1e9 * seconds / int(work["nanoseconds"]))
    return min(1.0, max(map(float, shares)))


def leading_move(workspace: SearchWorkspace) -> int | None:
    """The move that the search would make if it were stopped now; None if it has tried none."""
    work, nodes = workspace.work, workspace.nodes
    children = [nodes[child].copy() for child in children_of(nodes, ROOT_NODE)]
    tried = [child for child in children if child["visits"] > 0]
    if work["algorithm"] == search_layout.FLAT:
        return leading_in_race(workspace, tried)
    best = max(tried, key=lambda child: standing_in_tree(child, work), default=None)
    return None if best is None else int(best["move"])


def standing_in_tree(child: Any, work: Any) -> tuple[float, ...]:
    """What a tree search chooses its move by: visits, or the mean of those that were visited often enough."""
    visits, total = int(child["visits"]), float(child["total"])
    if work["final"] == search_layout.BEST_MEAN:
        return float(visits >= ENOUGH_VISITS), total / visits
    return (visits + total / 1000,)


def leading_in_race(workspace: SearchWorkspace, tried: list[Any]) -> int | None:
    """The best mean of the moves still in the race; the evaluator's own has a head start."""
    work = workspace.work
    most = max((int(child["visits"]) for child in tried), default=0)
    still_in = [child for child in tried if child["visits"] >= most - 1]  # the deal at hand may not be counted yet
    own = next((child for child in still_in if child["move"] == work["evaluator_move"]), None)
    best = max(still_in, key=lambda child: mean_of(child) - head_start(workspace, child, own), default=None)
    if own is not None and best is not None and mean_of(best) - head_start(workspace, best, own) <= mean_of(own):
        best = own
    return None if best is None else int(best["move"])


def mean_of(child: Any) -> float:
    """The mean reward of a move that was tried."""
    return float(child["total"]) / int(child["visits"])


def head_start(workspace: SearchWorkspace, child: Any, own: Any) -> float:
    """The points by which a move must beat the evaluator's own."""
    work = workspace.work
    if own is None or child["move"] == own["move"]:
        return 0.0
    return float(work["margin"]) + (
        0.0 if work["is_exact"] else float(work["caution"]) * error_of(workspace, child, own)
    )


def error_of(workspace: SearchWorkspace, child: Any, own: Any) -> float:
    """The standard error of the difference between two moves' means in the same deals."""
    one, other, deals = int(child["move"]), int(own["move"]), float(max(workspace.work["iterations_done"], 1))
    ahead = (float(child["total"]) - float(own["total"])) / deals
    products = workspace.products
    squares = products[one, one] + products[other, other] - 2 * products[min(one, other), max(one, other)]
    return math.sqrt(max(float(squares) / deals - ahead * ahead, 0.0) / max(deals - 1, 1.0))
