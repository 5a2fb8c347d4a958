"""The person at the terminal, as a player like any other: is shown an observation, is asked for a move."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.console import out
from kagiya.cli.drawing.turn import draw_help, draw_history, draw_moves, draw_your_turn
from kagiya.engine.game import LANE, Game
from kagiya.moves import Move, MoveError, parse_move
from kagiya.view.observation import Observation

SHORTEST = re.compile(r"^([pd])(\d)$")  # p1, d2
SHORT = {"u": "undo", "w": "why", "h?": "hint?", "hint": "hint?"}
Service = Callable[[Observation], None]
NO_SERVICES: Mapping[str, Service] = {}


class TakenBack(BaseException):
    """The person takes back a move. No error of an agent, as `Left` is none."""


class Left(BaseException):
    """The person leaves. No error of an agent, so nothing that the table could mistake for one."""

    def __init__(self, view: Observation, is_wanted: bool) -> None:
        super().__init__()
        self.view = view
        self.is_wanted = is_wanted  # said so, rather than the input running dry


class Person:
    """Asks at the terminal. It never sees more than its observations."""

    def __init__(self, seats: Sequence[str], services: Mapping[str, Service] = NO_SERVICES) -> None:
        self.seats = seats  # who sits where, to be drawn beside the names
        self.services = services  # by word, what the host of the table does when asked

    def act(self, observation: Observation) -> Move:
        """The move that the person types, asked for until it is a legal one."""
        self.draw(observation)
        while True:
            text = self.ask(observation)
            if not self.answer(text, observation):
                try:
                    return read_move(text, observation)
                except MoveError as error:
                    out.print(Text.assemble(("No: ", "bold red"), str(error)))

    def draw(self, observation: Observation) -> None:
        """The table before the prompt."""
        out.print(draw_your_turn(observation, self.seats, out))

    def ask(self, observation: Observation) -> str:
        """One line of input; one that nobody typed is written out, so that the dialogue can be read later."""
        try:
            if sys.stdin is None:
                raise EOFError
            if sys.stdin.isatty():
                with suppress(ImportError):  # where there is none, input() works without it
                    import readline  # noqa: F401, line editing and the lines typed before
            text = input(f"{SEAT_NAMES[observation.seat]}, your move (? for help)> ").strip().lower()
        except EOFError:
            raise Left(observation, is_wanted=False) from None
        if not sys.stdin.isatty():
            out.print(Text(text), soft_wrap=True)
        return text

    def answer(self, text: str, observation: Observation) -> bool:
        """Deal with words that are no move; says whether this was one."""
        if text in ("quit", "q", "exit"):
            raise Left(observation, is_wanted=True)
        if text in ("?", "help", ""):
            out.print(draw_help(observation))
        elif text in ("moves", "m"):
            out.print(draw_moves(observation))
        elif text in ("history", "s"):
            out.print(draw_history(observation))
        elif text in ("table", "t"):
            self.draw(observation)
        elif (service := self.services.get(SHORT.get(text, text))) is not None:
            service(observation)
        else:
            return False
        return True


def read_move(text: str, view: Observation) -> Move:
    """What was typed, as a legal move, or a MoveError that says what was expected."""
    move = parse_move(SHORTEST.sub(r"\1 \2", text), view.seat, view.rules.players)
    if reason := Game.from_state(view.rules, view.states, LANE).why_illegal(move):
        raise MoveError(reason)
    return move
