"""The coach's panel: every legal move with the score to expect, on request; nothing is said before it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kagiya.drawing.markup import Markup, Value, element
from kagiya.lab.review.judgement import JudgedMove, Judgement
from kagiya.moves import Move, move_name
from kagiya.web.seat.place import Player

SHOWN = 6  # moves, before all are asked for


@dataclass(frozen=True)
class Advice:
    """What a judge says of a turn, or how far it is."""

    judge: str
    progress: float
    is_thinking: bool
    error: str
    found: Judgement | None
    words: str = ""  # what it waits for

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        found = None if self.found is None else self.found.to_json()
        return {"judge": self.judge, "thinking": self.is_thinking, "error": self.error, "judgement": found}


@dataclass(frozen=True)
class Coaching:
    """What the panel shows: the turn it is about, who can be asked, and what was answered."""

    turn: int
    branch: int
    is_mine: bool
    judges: tuple[str, ...]
    advice: tuple[Advice, ...]
    made: Move | None = None  # the move of that turn, if it is an earlier one


def coach_panel(coaching: Coaching, players: Sequence[Player]) -> Markup:
    """The whole panel."""
    if not coaching.is_mine:
        return element("p", "The coach can be asked about your own turns, now or looking back.", class_="soft small")
    turn: dict[str, Value] = {"data_turn": coaching.turn, "data_branch": coaching.branch}
    form = element(
        "form",
        _choice(coaching.judges),
        element("button", "Ask the coach", type="submit", id="ask-coach", data_key="h"),
        data_do="coach",
        id="coaching",
        class_="coaching",
        **turn,
    )
    return element("div", form, [_advice(each, coaching, players, turn) for each in coaching.advice])


@lru_cache(maxsize=64)
def _choice(judges: tuple[str, ...]) -> Markup:
    options = [element("option", judge, value=judge) for judge in judges]
    return element("label", "Judge ", element("select", options, name="judge", id="judge"), for_="judge")


def _advice(advice: Advice, coaching: Coaching, players: Sequence[Player], turn: dict[str, Value]) -> Markup:
    title = element("h3", f"{advice.judge} on turn {coaching.turn + 1}")
    if advice.error:
        return element("div", title, element("p", advice.error, class_="bad small"))
    if advice.found is None:
        percent = round(100 * advice.progress)
        bar = element("progress", f"{percent} %", value=percent, max=100, aria_label="How far the coach is")
        stop = element("button", "Stop", type="button", id="stop-coach", data_do="stop-coach", **turn)
        waits = element("p", advice.words, class_="soft small", role="status") if advice.words else None
        return element("div", title, bar, " ", stop, waits)
    return element("div", title, _table(advice.found, coaching.made, players))


def _table(found: Judgement, made: Move | None, players: Sequence[Player]) -> Markup:
    heads = [
        element("th", "move", scope="col"),
        element("th", "score", scope="col", class_="number", title="expected at the end of the game"),
        element("th", "behind", scope="col", class_="number", title="behind the best move, with its standard error"),
    ]
    rows = [_row(each, found, made, players) for each in found.moves]
    table = element("table", element("thead", element("tr", heads)), element("tbody", rows), class_="advice")
    how = (
        f"Score expected at the end if {found.evaluator} plays on in all seats; {found.deals} samples of the cards "
        "that you cannot see. A mistake is behind by more than half a point and two errors."
    )
    region = {"id": "advice-list", "tabindex": "0", "role": "region", "aria_label": "What every move is worth"}
    return element("div", element("div", table, class_="advice-list", **region), element("p", how, class_="soft small"))


def _row(each: JudgedMove, found: Judgement, made: Move | None, players: Sequence[Player]) -> Markup:
    marks = [
        mark
        for mark, is_set in (
            ("best", each.move == found.best),
            ("yours", each.move == made),
            ("mistake", each.move == made and each.is_mistake),
            (f"{found.evaluator}'s", each.move == found.chosen),
        )
        if is_set
    ]
    behind = "" if each.move == found.best else f"{each.behind:.2f} ± {each.behind_error:.2f}"
    return element(
        "tr",
        element("th", move_words(each.move, found, players), " ", [_mark(mark) for mark in marks], scope="row"),
        element("td", f"{each.value:.2f}", class_="number"),
        element("td", behind, class_="number"),
        class_="made" if each.move == made else None,
    )


def _mark(mark: str) -> Markup:
    return element("small", mark, class_=f"badge{' bad' if mark == 'mistake' else ''}")


def move_words(move: Move, found: Judgement, players: Sequence[Player]) -> str:
    """A move as a person at this table would write it."""
    if move.offset is None:
        return move_name(move)
    name = players[(found.seat + move.offset) % len(players)].name
    return f"hint {name} {move_name(move).split()[-1]}"
