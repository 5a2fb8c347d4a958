"""Why a move was made: the moves that a search weighed and what it expects next, or what a convention says by it.

`look_at` reads a search that is still thinking, from another thread. Nothing is locked, so a move may be shown with one
visit more than its mean accounts for; whatever is read is checked before it is used as an index.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kagiya.agents.convention_reader import Heard, message_text
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.engine.layout import MAX_TURNS
from kagiya.moves import MOVES, NUM_MOVES, Move, move_name
from kagiya.search import search_layout as layout
from kagiya.search.ally_likelihood import AllyBelief
from kagiya.search.deals.hand_list import HandBelief
from kagiya.search.search_layout import ROOT_NODE

if TYPE_CHECKING:
    from kagiya.search.workspace import SearchWorkspace

SHORT = 3  # moves that a sentence names
ENOUGH_VISITS = 2  # for a mean to count where the best mean is chosen
MAX_CHILDREN = 2 * NUM_MOVES  # of a node: one for each move, and those of Brooks's search that stand for none


@dataclass(frozen=True)
class MoveEstimate:
    """A move that was tried: its mean reward, how often, and how sure that mean is (None below two trials)."""

    move: Move
    value: float
    visits: int
    standard_error: float | None

    def worth(self) -> str:
        """``17.32 ± 0.08``."""
        return f"{self.value:.2f}" + ("" if self.standard_error is None else f" ± {self.standard_error:.2f}")


@dataclass(frozen=True)
class ExpectedMove:
    """A move of the line that the search expects."""

    seat: Seat
    move: Move
    visits: int


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a move was made. Values are in points: the score that a search expects, or with `reward=regret` the points
    that it expects to be gained less those lost. Of an agent that does not search there are its reason and `heard`.
    """

    seat: Seat
    players: int
    chosen: Move
    moves: tuple[MoveEstimate, ...]  # best first; none if there was only one move to choose from
    iterations: int
    depth: int  # of the deepest node
    mean_depth: float | None  # of the iterations; unknown where not every node counts every iteration
    seconds: float | None  # None if not measured
    line: tuple[ExpectedMove, ...]  # the chosen move, then the most visited child after child, while visited twice
    true_share: float | None  # of the iterations in which every card shown was the one dealt; of RIS-MCTS alone
    head_start: float  # points by which others had to beat the choice, the evaluator's own move; of depth-one alone
    caution: float  # the standard errors by which they had to do so besides
    allies: tuple[AllyBelief, ...] = ()  # who the other players are taken for, by searches that infer it
    own_hand: HandBelief | None = None  # what the seat knows of its hand, by searches that list it
    reason: str = ""  # in words, of an agent that does not search
    heard: tuple[Heard, ...] = ()  # what the other seats hear in the move by their conventions
    is_by_value: bool = False  # whether the search chose the highest value; else the most visited move
    is_flat: bool = False  # whether it grew no tree: an iteration tries every move in one deal
    keeps_own: bool = False  # whether a flat search made the move that its evaluator would make anyway
    own_reason: str = ""  # then whose move that is, and why in its words, where they were asked for

    def name(self, move: int, seat: Seat | None = None) -> str:
        """A move in words: ``play 1``, ``hint bob red``."""
        return move_name(int(move), self.seat if seat is None else seat, self.players)

    def line_words(self) -> str:
        """The expected line in words, without the chosen move itself."""
        return ", ".join(f"{SEAT_NAMES[each.seat]} {self.name(each.move, each.seat)}" for each in self.line[1:])

    def __str__(self) -> str:
        if self.reason:
            return "; ".join(filter(None, (self.reason, message_text(self.heard), *map(str, self.heard))))
        if not self.moves:
            return "the only move considered"
        best = "; ".join(map(self._tried, self.moves[:SHORT]))
        beat = f"{self.head_start:g} points and {self.caution:g} standard errors"
        started = f"; another move had to beat the evaluator's own by {beat}" if self.head_start or self.caution else ""
        taken = f"; {self.ally_words()}" if self.allies else ""
        held = f"; {self.own_hand}" if self.own_hand else ""
        own = f"{self.own_reason}; " if self.own_reason else ""
        effort = (
            f"in {self.iterations:,} deals" if self.is_flat else f"{self.iterations:,} iterations, depth {self.depth}"
        )
        return f"{own}{effort}: {best}{started}{taken}{held}"

    def _tried(self, each: MoveEstimate) -> str:
        """A move with its worth, and how often it was tried where that may differ."""
        often = "" if self.is_flat and each.visits == self.iterations else f" ({each.visits:,})"
        return f"{self.name(each.move)} {each.worth()}{often}"

    def __repr__(self) -> str:
        return f"<Explanation: {SEAT_NAMES[self.seat]} would {self.name(self.chosen)}: {self}>"

    def _repr_html_(self) -> str:
        # Imported here: compiled code depends on all that is imported above, and on no drawing.
        from kagiya.drawing.charts import ShownEstimate, estimates_html

        estimates = [
            ShownEstimate(self.name(each.move), each.value, each.standard_error, each.visits, each.move == self.chosen)
            for each in self.moves
        ]
        return estimates_html(f"{SEAT_NAMES[self.seat]}: {self.name(self.chosen)}", estimates, str(self))

    def ally_words(self) -> str:
        """Who each other player most likely is: ``bob is vdb (98 %)``."""
        return ", ".join(f"{SEAT_NAMES[each.seat]} is {each.likely(1)}" for each in self.allies)

    def to_json(self) -> dict[str, Any]:
        """All the numbers as plain data; moves are written as in the record of a game."""
        return {
            "seat": int(self.seat),
            "chosen": str(self.chosen),
            "moves": [
                {
                    "move": str(each.move),
                    "value": each.value,
                    "visits": each.visits,
                    "standard_error": each.standard_error,
                }
                for each in self.moves
            ],
            "iterations": self.iterations,
            "depth": self.depth,
            "mean_depth": self.mean_depth,
            "seconds": self.seconds,
            "line": [{"seat": int(each.seat), "move": str(each.move), "visits": each.visits} for each in self.line],
            "true_share": self.true_share,
            "head_start": self.head_start,
            "caution": self.caution,
            "allies": [each.to_json() for each in self.allies],
            "own_hand": self.own_hand.to_json() if self.own_hand else None,
            "reason": self.reason,
            "heard": [each.to_json() for each in self.heard],
            "is_by_value": self.is_by_value,
            "is_flat": self.is_flat,
            "own_reason": self.own_reason,
        }


def explain_search(workspace: SearchWorkspace, seconds: float | None = None, leading: int | None = None) -> Explanation:
    """Read from its arrays what the search last found; valid until it searches again.

    For a search that is still thinking, `leading` is the move that it would make now; its hand is not looked at.
    """
    work, nodes = workspace.work, workspace.nodes
    chosen, done = int(work["chosen"]) if leading is None else leading, int(work["iterations_done"])
    children = list(children_of(nodes, ROOT_NODE)) if done else []
    by_mean = work["final"] == layout.BEST_MEAN
    estimates = [estimate(nodes[child], work["is_exact"]) for child in children if nodes[child]["visits"]]
    estimates.sort(key=lambda e: (e.move != chosen, -e.value if by_mean else -e.visits, -e.visits, -e.value))
    counts_all = work["backup"] == layout.TO_ALL and work["algorithm"] != layout.FLAT and not work["leaf"]
    visits = int(nodes["visits"][1 : work["nodes_used"]].sum()) if done else 0
    return Explanation(
        seat=Seat(int(work["seat"])),
        players=workspace.rules.players,
        chosen=MOVES[chosen],
        moves=tuple(estimates),
        iterations=done,
        depth=int(work["deepest_seen"]),
        mean_depth=visits / done if done and counts_all else None,
        seconds=seconds,
        line=tuple(expected_line(nodes, chosen)) if done else (),
        true_share=int(work["true_iterations"]) / done
        if done and work["algorithm"] == layout.REDETERMINIZING
        else None,
        head_start=head_start_of(workspace, chosen, "margin") if done else 0.0,
        caution=head_start_of(workspace, chosen, "caution") if done else 0.0,
        allies=workspace.allies.beliefs(Seat(int(work["seat"]))) if workspace.allies else (),
        own_hand=workspace.own_hand.belief() if workspace.own_hand and leading is None else None,
        is_by_value=bool(by_mean or work["algorithm"] == layout.FLAT),
        is_flat=bool(work["algorithm"] == layout.FLAT),
        keeps_own=bool(done and work["algorithm"] == layout.FLAT and work["evaluator_move"] == chosen),
    )


def explain_plainly(seat: Seat, players: int, chosen: Move, reason: str, heard: tuple[Heard, ...]) -> Explanation:
    """The explanation of an agent that does not search: its reason, and what the others hear."""
    return Explanation(seat, players, chosen, (), 0, 0, None, None, (), None, 0.0, 0.0, reason=reason, heard=heard)


def head_start_of(workspace: SearchWorkspace, chosen: int, part: str) -> float:
    """What a flat search asked of the others if its choice is the evaluator's own move."""
    is_own = workspace.work["algorithm"] == layout.FLAT and workspace.work["evaluator_move"] == chosen
    return float(workspace.work[part]) if is_own else 0.0


def children_of(nodes: Any, parent: int) -> Iterator[int]:
    """The places of a node's children; those that stand for no move are passed over.

    Bounded, for a tree that grows while it is read: a node may be reached before its fields are written.
    """
    child, left = int(nodes[parent]["child"]), MAX_CHILDREN
    while 0 < child < len(nodes) and left:  # Brooks's search writes a negative number for a node never reached
        if 0 <= nodes[child]["move"] < NUM_MOVES:
            yield child
        child, left = int(nodes[child]["sibling"]), left - 1


def estimate(node: Any, is_exact: bool) -> MoveEstimate:
    """What a child of the root says of its move; there is no error if every deal was tried."""
    visits, total = int(node["visits"]), float(node["total"])
    mean = total / visits
    spread = max(float(node["squares"]) - total * mean, 0.0)
    error = math.sqrt(spread / (visits - 1) / visits) if visits > 1 else None
    error = 0.0 if is_exact else error
    return MoveEstimate(MOVES[node["move"]], mean, visits, error)


def expected_line(nodes: Any, chosen: int) -> Iterator[ExpectedMove]:
    """The chosen move, then from child to child the most visited one, as long as it was tried twice."""
    node = next((child for child in children_of(nodes, ROOT_NODE) if nodes[child]["move"] == chosen), 0)
    for _ in range(MAX_TURNS):
        if not node:
            return
        row = nodes[node].copy()
        yield ExpectedMove(Seat(int(row["actor"])), MOVES[row["move"]], int(row["visits"]))
        tried = [child for child in children_of(nodes, node) if nodes[child]["visits"] > 1]
        node = max(tried, key=lambda child: int(nodes[child]["visits"]), default=0)


def look_at(workspace: SearchWorkspace, seat: Seat, turn: int, seconds: float) -> Explanation | None:
    """What a search has found for this move by now; None before its first iteration is done.

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
    if work["algorithm"] == layout.FLAT:
        return leading_in_race(workspace, tried)
    best = max(tried, key=lambda child: standing_in_tree(child, work), default=None)
    return None if best is None else int(best["move"])


def standing_in_tree(child: Any, work: Any) -> tuple[float, ...]:
    """What a tree search chooses its move by: visits, or the mean of those that were visited often enough."""
    visits, total = int(child["visits"]), float(child["total"])
    if work["final"] == layout.BEST_MEAN:
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
    noise = 0.0 if work["is_exact"] else float(work["caution"]) * error_of(workspace, child, own)
    return float(work["margin"]) + noise


def error_of(workspace: SearchWorkspace, child: Any, own: Any) -> float:
    """The standard error of the difference between two moves' means in the same deals."""
    one, other, deals = int(child["move"]), int(own["move"]), float(max(workspace.work["iterations_done"], 1))
    ahead = (float(child["total"]) - float(own["total"])) / deals
    products = workspace.products
    squares = products[one, one] + products[other, other] - 2 * products[min(one, other), max(one, other)]
    return math.sqrt(max(float(squares) / deals - ahead * ahead, 0.0) / max(deals - 1, 1.0))
