"""A record for a notebook: who played and what came of it, the table at its end, and where the points went."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from kagiya.cards import SEAT_NAMES
from kagiya.drawing.canvas import standalone
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import ALL_SUITS, SUITS, Suit, suits_named
from kagiya.drawing.timeline import TimelineOptions, Turn, timeline
from kagiya.engine.game import LANE, Game
from kagiya.engine.regret_kernels import attainable_score, pace, reachable_score
from kagiya.engine.table_picture import table_svg

if TYPE_CHECKING:
    from kagiya.engine.record import GameRecord

NAMES = {suit.name for suit in ALL_SUITS}


def record_html(record: GameRecord) -> Markup:
    """The record as HTML; what is wrong with it in place of the pictures, if its moves cannot be played."""
    seed = "" if record.seed is None else f", seed {record.seed}"
    team = " + ".join(dict.fromkeys(record.seats)) + f", {record.rules.players} players, {record.rules.text()}{seed}"
    came = f"{record.score} of {record.rules.perfect_score} points, {record.turns} turns, {record.end}"
    head = element("div", element("b", f"{team}: {came}"))
    try:
        games = [record.deal(), *record.replay()]
    except ValueError as error:
        return element("div", head, element("div", str(error)))
    return element("div", head, _table(record, games[-1]), _timeline(record, games))


def _table(record: GameRecord, last: Game) -> Markup:
    return table_svg(record.rules, last.states[LANE], suits=record_suits(record), notes=record.names or record.seats)


def record_suits(record: GameRecord) -> Sequence[Suit]:
    """The suits as they were called where the game was played, if we can draw them, else our own."""
    names = [name.lower() for name in record.suits]
    return suits_named(names) if names and NAMES.issuperset(names) else SUITS


def _timeline(record: GameRecord, games: Sequence[Game]) -> Markup:
    turns = [_turn(before, after) for before, after in pairwise(games)]
    names = SEAT_NAMES[: record.rules.players]
    return standalone(timeline(turns, TimelineOptions(names, record.rules.perfect_score)))


def _turn(before: Game, after: Game) -> Turn:
    reachable = int(reachable_score(after.states, LANE))
    direct = int(reachable_score(before.states, LANE)) - reachable
    lost = int(attainable_score(before.states, LANE) - attainable_score(after.states, LANE))
    left = None if after.is_over or not after.deck_left else int(pace(after.states, LANE))
    return Turn(before.seat, direct, lost - direct, reachable, left)
