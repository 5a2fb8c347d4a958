"""A game that a person plays at the terminal: saved at every turn, taken back, asked about, played on later.

The person is a player like any other: is shown an observation, is asked for a move. The words of the command line are
all checked before anything is compiled.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from kagiya import Agent, GameRecord, GameSession, Observation, explain
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli import terminal_game
from kagiya.cli.console import out
from kagiya.cli.options import ChosenSeats
from kagiya.engine.game import LANE, Event, Game
from kagiya.lab.store.store import user_folder
from kagiya.lab.table.session import evaluator_of
from kagiya.lab.table.table import SEATED_PERSON
from kagiya.moves import Move, MoveError, parse_move
from kagiya.runtime.interrupts import at_interrupt

SHORTEST = re.compile(r"^([pd])(\d)$")  # p1, d2
SHORT = {"u": "undo", "w": "why", "h?": "hint?", "hint": "hint?"}
Service = Callable[[Observation], None]
NO_SERVICES: Mapping[str, Service] = {}


class UndoMove(BaseException):
    """The person takes back a move. No error of an agent, as `QuitGame` is none."""


class QuitGame(BaseException):
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
        out.print(terminal_game.draw_your_turn(observation, self.seats, out))

    def ask(self, observation: Observation) -> str:
        """One line of input; if it was not typed, it is echoed, so that the dialogue can be read later."""
        try:
            if sys.stdin is None:
                raise EOFError
            if sys.stdin.isatty():
                with suppress(ImportError):  # where there is none, input() works without it
                    import readline  # noqa: F401, line editing and the lines typed before
            text = input(f"{SEAT_NAMES[observation.seat]}, your move (? for help)> ").strip().lower()
        except EOFError:
            raise QuitGame(observation, is_wanted=False) from None
        if not sys.stdin.isatty():
            out.print(Text(text), soft_wrap=True)
        return text

    def answer(self, text: str, observation: Observation) -> bool:
        """Deal with words that are no move; says whether this was one."""
        if text in ("quit", "q", "exit"):
            raise QuitGame(observation, is_wanted=True)
        if text in ("?", "help", ""):
            out.print(terminal_game.draw_help(observation))
        elif text in ("moves", "m"):
            out.print(terminal_game.draw_legal_moves(observation))
        elif text in ("history", "s"):
            out.print(terminal_game.draw_history(observation))
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


def last_game_file() -> Path:
    """Where the game in progress is kept, for ``kagiya play --resume``."""
    return user_folder() / "last-game.json"


class PlaySession:
    """The table with the person at it. What the person is shown comes from observations and from partners' answers."""

    def __init__(
        self, seating: ChosenSeats, begun: Game, seed: int | None, file: Path, source: Mapping[str, str] | None = None
    ) -> None:
        self.seating, self.file, self.source = seating, file, dict(source or {})
        self.named_seed, self.seed = seed, seed or 0  # of the deck, if it came from one; of the dice
        self.person = Person(seating.names, {"undo": self.take_back, "why": self.say_why, "hint?": self.advise})
        self.session = GameSession.retraced(begun, seating.seated(SEATED_PERSON), self.seed)

    def play(self) -> Game:
        """Play until the game is over; a move taken back goes on from before it."""
        session = self.session
        if session.seat != self.seating.place:
            self.say_who_thinks()
        while not session.is_over:
            if session.is_person_to_move:
                self.ask_person()
            else:
                with at_interrupt(session.close):
                    session.step()
        return session.game

    def ask_person(self) -> None:
        """The game is saved, and the person moves or takes a move back; then partners that think are named."""
        self.save()
        try:
            self.session.make(self.person.act(self.session.observation(self.seating.place)))
        except UndoMove:
            self.session.take_back(self.session.turn - self.my_last_turn())
        else:
            self.say_who_thinks()

    def record(self) -> GameRecord:
        """The game so far, as it is saved."""
        return replace(GameRecord.of(self.session.game, self.seating.names, self.named_seed), source=self.source)

    @property
    def deal(self) -> int | str | None:
        """What the deal is called: by its seed, or by hanab.live's name for it."""
        return self.source.get("seed", self.named_seed)

    def save(self) -> None:
        """Write the game so far."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.record().write(self.file)

    def say_who_thinks(self) -> None:
        """Partners that take their time are named before they do."""
        seats = [seat for seat, agent in enumerate(self.session.seats) if agent and agent.is_search]
        if seats:
            names = " and ".join(SEAT_NAMES[seat] for seat in seats)
            out.print(f"{names} {'is' if len(seats) == 1 else 'are'} thinking ...", style="dim")

    def my_last_turn(self) -> int:
        """When the person last had the choice."""
        return max(event.turn for event in self.session.game.events if event.seat == self.seating.place)

    def take_back(self, view: Observation) -> None:
        """Undo the person's last move, and all that came after it."""
        if all(event.seat != view.seat for event in view.history):
            out.print("You have made no move to take back.")
            return
        raise UndoMove

    def say_why(self, view: Observation) -> None:
        """The partners' reasons for their moves since the person's last one."""
        reasons = []
        for event in view.since_my_last_turn:
            game = self.session.game
            while game.turn > event.turn:
                game.undo()
            partner = self.session.seats[event.seat]
            assert partner is not None
            seated = self.seating.seated(partner)  # in the person's place too, to hear what was meant for it
            reasons.append((event, explain(game, seated, self.seed, view.seat), self.asked_by(partner, event)))
        out.print(terminal_game.draw_reasons(reasons, view))

    def asked_by(self, partner: Agent, event: Event) -> Move | None:
        """What a partner's hint asks the person for: what it would itself play or discard in their place."""
        speaker = evaluator_of(partner) if partner.is_search else partner
        if event.receiver != self.seating.place or speaker is None or speaker.info.mark:
            return None
        move = explain(self.session.game, self.seating.seated(speaker), self.seed).chosen
        return None if move.is_hint else move

    def advise(self, view: Observation) -> None:
        """What the next partner would do in the person's place, who sees no more than the person."""
        adviser = self.seating.partners[self.seating.place % len(self.seating.partners)]
        if adviser.info.mark:
            out.print(f"{adviser.text} {adviser.info.mark}, so its advice would be cheating.")
            return
        found = explain(self.session.game, self.seating.seated(adviser), self.seed)
        out.print(terminal_game.draw_advice(found, adviser.text))


def truncated(record: GameRecord, turn: int | None) -> Game:
    """A saved game up to a turn; as far as it was played if none is named."""
    turns = record.turns if turn is None else turn
    if not 0 <= turns <= record.turns:
        raise ValueError(f"turns of this game are 0 (the deal) to {record.turns}, not {turn}")
    game = record.deal()
    for move in record.moves[:turns]:
        game.make(move)
    if game.is_over:
        raise ValueError("the game is over after this turn; choose an earlier one with --turn")
    return game


def place_of_person(record: GameRecord) -> Seat | None:
    """Where the person of a saved game sat."""
    return Seat(record.seats.index("human")) if "human" in record.seats else None
