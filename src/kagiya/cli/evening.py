"""A game that a person plays: saved at every turn, taken back, asked about, played on from where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kagiya.agents.api import Agent
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli.console import out
from kagiya.cli.drawing.asking import draw_advice, draw_reasons
from kagiya.cli.person import Person, TakenBack
from kagiya.cli.seating import Seating
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.store.opening import user_folder
from kagiya.lab.table.explaining import explain
from kagiya.lab.table.persons import SEATED_PERSON
from kagiya.lab.table.sitting import Sitting
from kagiya.runtime.interrupts import at_interrupt
from kagiya.search.explanation import Explanation
from kagiya.view.observation import Observation


def last_game_file() -> Path:
    """Where the game in progress is kept, for ``kagiya play --resume``."""
    return user_folder() / "last-game.json"


class Evening:
    """The table with the person at it. What the person is shown comes from observations and from partners' answers."""

    def __init__(
        self, seating: Seating, begun: Game, seed: int | None, file: Path, source: Mapping[str, str] | None = None
    ) -> None:
        self.seating, self.file, self.source = seating, file, dict(source or {})
        self.named_seed, self.seed = seed, seed or 0  # of the deck, if it came from one; of the dice
        self.person = Person(seating.names, {"undo": self.take_back, "why": self.say_why, "hint?": self.advise})
        self.sitting = Sitting.retraced(begun, seating.seated(SEATED_PERSON), self.seed)

    def play(self) -> Game:
        """Play until the game is over; a move taken back goes on from before it."""
        sitting = self.sitting
        if sitting.seat != self.seating.place:
            self.say_who_thinks()
        while not sitting.is_over:
            if sitting.is_person_to_move:
                self.ask_person()
            else:
                with at_interrupt(sitting.close):
                    sitting.step()
        return sitting.game

    def ask_person(self) -> None:
        """The game is saved, and the person moves or takes a move back; then partners that think are named."""
        self.save()
        try:
            self.sitting.make(self.person.act(self.sitting.observation(self.seating.place)))
        except TakenBack:
            self.sitting.take_back(self.sitting.turn - self.my_last_turn())
        else:
            self.say_who_thinks()

    def game(self) -> Game:
        """The game as far as it has come."""
        return self.sitting.game

    def record(self) -> GameRecord:
        """The game so far, as it is saved."""
        return replace(GameRecord.of(self.game(), self.seating.names, self.named_seed), source=self.source)

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
        seats = [seat for seat, agent in enumerate(self.sitting.seats) if agent and agent.is_search]
        if seats:
            names = " and ".join(SEAT_NAMES[seat] for seat in seats)
            out.print(f"{names} {'is' if len(seats) == 1 else 'are'} thinking ...", style="dim")

    def my_last_turn(self) -> int:
        """When the person last had the choice."""
        return max(event.turn for event in self.game().events if event.seat == self.seating.place)

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
            partner = self.sitting.seats[event.seat]
            assert partner is not None
            seated = self.seating.seated(partner)  # in the person's place too, to hear what was meant for it
            reasons.append((event, explain(game, seated, self.seed, view.seat)))
        out.print(draw_reasons(reasons, view))

    def advise(self, view: Observation) -> None:
        """What the next partner would do in the person's place, who sees no more than the person."""
        adviser = self.seating.partners[self.seating.place % len(self.seating.partners)]
        if adviser.info.mark:
            out.print(f"{adviser.text} {adviser.info.mark}, so its advice would be cheating.")
            return
        out.print(draw_advice(self.advice(adviser), adviser.text))

    def advice(self, adviser: Agent) -> Explanation:
        """What an agent would do in the person's seat."""
        seated = self.seating.seated(adviser)
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
