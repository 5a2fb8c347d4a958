"""A game that a person plays: saved at every turn, taken back, asked about, played on from where it stands."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from kagiya.agents._base import Agent
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli.console import out
from kagiya.cli.drawing.asking import draw_advice, draw_reasons
from kagiya.cli.person import Person, Service, TakenBack, person_agent
from kagiya.cli.seating import Company
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME
from kagiya.engine.record import GameRecord
from kagiya.lab.table.continuing import watch
from kagiya.lab.table.explaining import explain
from kagiya.lab.table.stopping import at_interrupt
from kagiya.lab.table.table import Table
from kagiya.moves import Move
from kagiya.search.explanation import Explanation
from kagiya.view.observation import Observation


def last_game_file() -> Path:
    """Where the game in progress is kept, for ``kagiya play --resume``."""
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "kagiya" / "last-game.json"


class Guest(Person):
    """The person at a table with a host, who saves the game before each turn and says who thinks after it."""

    def __init__(self, host: Evening, services: Mapping[str, Service]) -> None:
        super().__init__(host.company.names, services)
        self.host = host

    def act(self, observation: Observation) -> Move:
        """The move that the person types."""
        self.host.save()
        move = super().act(observation)
        self.host.say_who_thinks()
        return move


class Evening:
    """The table with the person at it. What the person is shown comes from observations and from partners' answers."""

    def __init__(self, company: Company, begun: Game, seed: int | None, file: Path) -> None:
        self.company, self.begun, self.file = company, begun, file
        self.named_seed, self.seed = seed, seed or 0  # of the deck, if it came from one; of the dice
        services = {"undo": self.take_back, "why": self.say_why, "hint?": self.advise}
        self.agents = company.seated(person_agent(Guest(self, services)))
        self.table = Table(company.rules, self.agents)

    def play(self) -> Game:
        """Play until the game is over; a move taken back goes on from before it."""
        while True:
            watch(self.table, self.begun, self.seed)
            if self.begun.seat != self.company.place:
                self.say_who_thinks()
            try:
                with at_interrupt(self.table.stop) if self.table.has_searches else nullcontext():
                    self.table.play_on(self.seed)
                return self.game()
            except TakenBack:
                self.begun = self.before_my_last_move()

    def game(self) -> Game:
        """The game as far as it has come, without the hasty moves after an interrupt."""
        game, table = self.begun.beginning(), self.table
        turns = int(table.states[GAME]["turn"]) if table.stopped_at is None else table.stopped_at
        for move in table.log.moves[:turns]:
            game.make(int(move))
        return game

    def record(self) -> GameRecord:
        """The game so far, as it is saved."""
        return GameRecord.of(self.game(), self.company.names, self.named_seed)

    def save(self) -> None:
        """Write the game so far."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.record().write(self.file)

    def say_who_thinks(self) -> None:
        """Partners that take their time are named before they do."""
        seats = [seat for seat, agent in enumerate(self.agents) if agent.is_search]
        if seats:
            names = " and ".join(SEAT_NAMES[seat] for seat in seats)
            out.print(f"{names} {'is' if len(seats) == 1 else 'are'} thinking ...", style="dim")

    def before_my_last_move(self) -> Game:
        """The game as it was when the person last had the choice."""
        game = self.game()
        while game.turn > 0:
            game.undo()
            if game.seat == self.company.place:
                break
        return game

    def take_back(self, view: Observation) -> None:
        """Undo the person's last move, and all that came after it."""
        if all(event.seat != view.seat for event in view.history):
            out.print("You have made no move to take back.")
            return
        raise TakenBack

    def say_why(self, view: Observation) -> None:
        """The partners' reasons for their moves since the person's last one."""
        reasons = []
        for event in view.since_my_last_turn:
            game = self.game()
            while game.turn > event.turn:
                game.undo()
            seated = self.company.seated(
                self.agents[event.seat]
            )  # in the person's place, to hear what was meant for it
            reasons.append((event, explain(game, seated, self.seed, view.seat)))
        out.print(draw_reasons(reasons, view))

    def advise(self, view: Observation) -> None:
        """What the next partner would do in the person's place, who sees no more than the person."""
        adviser = self.agents[(self.company.place + 1) % len(self.agents)]
        if adviser.info.mark:
            out.print(f"{adviser.text} {adviser.info.mark}, so its advice would be cheating.")
            return
        out.print(draw_advice(self.advice(adviser), adviser.text))

    def advice(self, adviser: Agent) -> Explanation:
        """What an agent would do in the person's seat."""
        seated = self.company.seated(adviser)
        return explain(self.game(), seated, self.seed)


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
