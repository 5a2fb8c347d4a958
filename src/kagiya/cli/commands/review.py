"""`kagiya review`: a walk through the turns of a saved game that cost points."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.records import GameNumber, Games, read_one
from kagiya.cli.seating import read_viewer

if TYPE_CHECKING:
    from kagiya.agents.api import Agent
    from kagiya.engine.record import GameRecord
    from kagiya.lab.table.reviewing import CostlyTurn
    from kagiya.moves import Move

DEFAULT_ADVISER = "smartbot"
PROMPT = "your move here (Enter: show what was played; q: stop)> "


def review(
    file: Games,
    adviser: Annotated[
        str, typer.Option("--adviser", help="Who gives advice. Default: the partners of the game, else smartbot.")
    ] = "",
    seat: Annotated[
        str, typer.Option("--seat", help="Whose moves: a seat, or all. Default: the person's, if one played.")
    ] = "",
    number: GameNumber = None,
) -> None:
    """Go through the moves of a saved game that cost points: what was known, what the adviser would do, try again.

    At each of them you see the table as the player saw it, and may type a move of your own: it is played out from
    there, and so is the one that was made. Without a terminal the answers are just printed.

    [bold]Examples[/]
      kagiya review game.json
      kagiya review game.json --adviser smartbot --seat all
    """
    record = read_one(file, number)
    from kagiya.lab.table.persons import PERSON
    from kagiya.lab.table.reviewing import costly_turns

    advising = find_adviser(record, adviser, file)
    make_ready([advising])
    usual = str(record.seats.index(PERSON) + 1) if record.seats.count(PERSON) == 1 else "all"
    walk(record, list(costly_turns(record, read_viewer(seat or usual, record.rules.players))), advising)


def find_adviser(record: GameRecord, text: str, file: str) -> Agent:
    """The agent asked for; else a partner that plays by what it may see; else the default."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.table.persons import PERSON
    from kagiya.lab.table.reviewing import recorded_agents

    if text:
        return find_agent(text)
    agents = recorded_agents(record, file)
    fair = [agent for agent, name in zip(agents, record.seats, strict=True) if name != PERSON and not agent.info.mark]
    return fair[0] if fair else find_agent(DEFAULT_ADVISER)


def walk(record: GameRecord, turns: list[CostlyTurn], adviser: Agent) -> None:
    """Turn by turn: the question, what the person would do, the answer."""
    from kagiya.cli.drawing.review import draw_answer, draw_question, draw_summary
    from kagiya.lab.table.explaining import explain

    out.print(draw_summary(len(turns), sum(turn.cost.total for turn in turns)))
    for turn in turns:
        out.print(draw_question(turn, record.seats, out))
        move = ask_move(turn)
        out.print(draw_answer(turn, explain(turn.before, adviser, record.seed or 0), adviser.text))
        if move is not None:
            try_move(turn, move, adviser)


def ask_move(turn: CostlyTurn) -> Move | None:
    """The move that the person would make, asked for until it is legal; none if there is nobody to ask."""
    from kagiya.cli.person import read_move
    from kagiya.moves import MoveError
    from kagiya.view.observation import observe

    view = observe(turn.before, turn.before.seat)
    while True:
        try:
            text = input(PROMPT).strip().lower()
        except EOFError:
            out.print()
            return None
        if not sys.stdin.isatty():
            out.print(text, markup=False)
        if text in ("q", "quit"):
            raise typer.Exit
        if not text:
            return None
        try:
            return read_move(text, view)
        except MoveError as error:
            out.print(f"No: {error}", markup=False)


def try_move(turn: CostlyTurn, move: Move, adviser: Agent) -> None:
    """Play on from the person's move and from the one that was made, with the same cards to come."""
    from kagiya.cli.drawing.review import draw_trial
    from kagiya.lab.table.continuing import play_from
    from kagiya.moves import move_name

    tried = turn.before.copy()
    tried.make(move)
    ends = [game if game.is_over else play_from(game, adviser) for game in (tried, turn.after)]
    name = move_name(move, turn.before.seat, turn.before.rules.players)
    out.print(draw_trial(name, ends[0].points, ends[1].points, adviser.text))
