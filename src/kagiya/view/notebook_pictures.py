"""Tables and records as pictures that stand alone, for notebooks and documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kagiya.cards import NO_CARD, SEAT_NAMES, Seat, card_color, card_rank
from kagiya.drawing.canvas import ALL_SUITS, SUITS, Markup, Suit, element, standalone, suits_named
from kagiya.drawing.table_drawing import Middle, ShownCard, ShownHand, table
from kagiya.drawing.timeline import TimelineOptions, Turn, timeline
from kagiya.engine.game import LANE, Game
from kagiya.engine.regret_kernels import attainable_score, pace, reachable_score
from kagiya.view.observation import Observation
from kagiya.view.table_view import Labels, TableCard, TableHand, TableView

if TYPE_CHECKING:
    from kagiya.engine.record import GameRecord

NAMES = {suit.name for suit in ALL_SUITS}


def game_svg(game: Game, eyes: Seat | None = None) -> Markup:
    """The table of a game with all cards open, or as a seat sees it."""
    return table_svg(TableView.of_game(game, eyes))


def observation_svg(view: Observation) -> Markup:
    """The table as the observing seat sees it."""
    return table_svg(TableView.of_observation(view))


def table_svg(view: TableView, suits: Sequence[Suit] = SUITS) -> Markup:
    """The table as a picture. Of what is marked on cards it shows what hints have told."""
    rules = view.rules
    middle = Middle(
        fireworks=view.fireworks,
        copies=rules.copies,
        lost=view.discards,
        tokens=(view.tokens, rules.hint_tokens),
        lives=(view.lives, rules.lives),
        deck_left=view.deck_left,
    )
    return standalone(table(_heading(view), [_hand(hand) for hand in view.hands], middle, suits[: rules.colors]))


def _heading(view: TableView) -> str:
    points = f"{view.points} of {view.rules.perfect_score} points"
    if view.is_over:
        return f"over after {view.turn} turns: {points}"
    left = "" if view.turns_left is None else f", {view.turns_left} turns left"
    return f"turn {view.turn + 1}, {SEAT_NAMES[view.to_move]} to move: {points}{left}"


def _hand(hand: TableHand) -> ShownHand:
    note = hand.player or ("you" if hand.is_mine else "")
    return ShownHand(hand.name, tuple(map(_card, hand.cards)), note, hand.is_to_move)


def _card(card: TableCard) -> ShownCard | None:
    if card.card == NO_CARD:
        return None
    shown = None if card.card < 0 else (card_color(card.card), card_rank(card.card))
    marks = replace(card.marks, playable=False, useless=False, critical=False, moved=False)
    return ShownCard(card.possible, shown, marks)


def record_html(record: GameRecord) -> Markup:
    """Who played and the result, the table at the end, and where the points went; what is wrong with the record in
    place of the pictures, if its moves cannot be played."""
    seed = "" if record.seed is None else f", seed {record.seed}"
    team = " + ".join(dict.fromkeys(record.seats)) + f", {record.rules.players} players, {record.rules.text()}{seed}"
    result = f"{record.score} of {record.rules.perfect_score} points, {record.turns} turns, {record.end}"
    head = element("div", element("b", f"{team}: {result}"))
    try:
        games = [record.deal(), *record.replay()]
    except ValueError as error:
        return element("div", head, element("div", str(error)))
    last = TableView.of_game(games[-1], labels=Labels(players=record.names or record.seats))
    return element("div", head, table_svg(last, record_suits(record)), _timeline(record, games))


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
