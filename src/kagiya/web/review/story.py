"""The game that is reviewed: where it began, its moves, who played it, and the game before every turn."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kagiya.cards import COLOR_NAMES, SEAT_NAMES
from kagiya.drawing.axes import shortened
from kagiya.drawing.palette import ALL_SUITS, SUITS, Suit
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.engine.sentences import Sentence, describe
from kagiya.lab.review.source import Reviewed, games_after
from kagiya.lab.statistics.pace import pace
from kagiya.lab.statistics.regret import MoveCost, move_costs
from kagiya.lab.table.persons import PERSON
from kagiya.moves import Move, move_name, parse_move
from kagiya.rules import Rules

NOBODY = "unknown"  # who sat there, in a game set up from a position
LONGEST_NAME = 40  # of an agent, in a heading
SEAT_NAME = re.compile(rf"\b(?:{'|'.join(SEAT_NAMES)})\b")


@dataclass(frozen=True)
class Story:
    """A game from where it was dealt or set up to where it ended or was broken off. Nothing in it changes."""

    beginning: Game
    moves: tuple[Move, ...]
    seats: tuple[str, ...]  # agents as written, "human" for a person
    record: GameRecord | None = None  # None for a game set up from a position
    about: str = ""  # where it came from
    names: tuple[str, ...] = ()  # of persons, if they are known
    code: str | None = None  # of the agents that played, if it is known

    @classmethod
    def of_record(cls, record: GameRecord, about: str = "") -> Story:
        """The story of a record, which is played through and checked."""
        record.check()
        code = record.source.get("code") or None
        return cls(record.deal(), record.moves, record.seats, record, about, record.names, code)

    @classmethod
    def of_position(cls, text: str, about: str = "") -> Story:
        """The story of a position: one turn, and whatever is tried from there."""
        game = Game.from_position(text)
        return cls(game, (), (NOBODY,) * game.rules.players, None, about)

    @classmethod
    def of_game(cls, game: Game, seats: Sequence[str], like: Story, about: str) -> Story:
        """The story of a game that agents played on; suits and names are those of the game it was tried from."""
        if game.deck is None:
            return cls(game.beginning(), game.moves, tuple(seats), None, about)
        suits, names = (like.record.suits, like.record.names) if like.record else ((), ())
        return cls.of_record(replace(GameRecord.of(game, seats), suits=suits, names=names), about)

    @property
    def rules(self) -> Rules:
        return self.beginning.rules

    @property
    def first_turn(self) -> int:
        """The number of the first turn that is known: 1, or later if the game was set up."""
        return self.beginning.turn + 1

    @property
    def last_turn(self) -> int:
        """One more than the number of the last move: the end of the game, or where it stands."""
        return self.first_turn + len(self.moves)

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The game before each move, and at the end."""
        return tuple(games_after(self.beginning, self.moves))

    def before(self, turn: int) -> Game:
        """The game before the move of this turn."""
        return self.games[turn - self.first_turn]

    def move_of(self, turn: int) -> Move | None:
        """The move of this turn; None at the end."""
        place = turn - self.first_turn
        return self.moves[place] if place < len(self.moves) else None

    @property
    def with_a_last_move(self) -> Reviewed:
        """The game, with some move at its end if it is not over: who is asked about all turns is asked there too."""
        if self.games[-1].is_over:
            return self.record or self.games[-1]
        game = self.games[-1].copy()
        game.make(game.legal_moves[0])
        return game

    def words_of(self, move: Move, turn: int) -> str:
        """A move in words, with the suits called as in this game: ``hint bob red``."""
        if move.offset is None:
            return move_name(move)
        receiver = self.called[(self.before(turn).seat + move.offset) % self.rules.players]
        if move.color is None or move.color >= len(self.suits):
            return f"hint {receiver} {move_name(move).split()[-1]}"
        return f"hint {receiver} {self.suits[move.color].name}"

    @cached_property
    def costs(self) -> tuple[MoveCost, ...]:
        """What each move made impossible."""
        return tuple(move_costs(self.games))

    @cached_property
    def paces(self) -> tuple[int | None, ...]:
        """The pace before each move, and at the end."""
        return tuple(pace(game) for game in self.games)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """What happened, turn by turn."""
        told = describe(
            self.games[-1].events,
            self.rules,
            names=self.called,
            suits=[suit.name for suit in self.suits],
            fireworks=self.beginning.fireworks,
        )
        return tuple(told)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """What the seats are called: by the players' names, unless these only say which agents they are."""
        is_telling = self._are_named and self.names != self.seats
        return self.names if is_telling else SEAT_NAMES[: self.rules.players]

    def renamed(self, words: str) -> str:
        """What an agent says, who calls everybody by the name of the seat, with the names of this game."""
        names = dict(zip(SEAT_NAMES, self.called, strict=False))
        return SEAT_NAME.sub(lambda found: names.get(found[0], found[0]), words)

    @property
    def _are_named(self) -> bool:
        """Whether names are known by which the players can be told apart."""
        return len({name.strip().lower() for name in self.names} - {""}) == self.rules.players

    @cached_property
    def suits(self) -> tuple[Suit, ...]:
        """The suits, called and drawn as where the game was played."""
        named = self.record.suits if self.record else ()
        return drawn_suits(named or COLOR_NAMES[: self.rules.colors])

    @property
    def shown_turn(self) -> int | None:
        """The turn that a link asks for, if the game came as one."""
        text = self.record.source.get("turn", "") if self.record else ""
        return int(text) if text.isdecimal() and text.isascii() else None

    @cached_property
    def key(self) -> str:
        """The game's name on the shelf: the same for the same game, whoever gives it."""
        return hashlib.sha256(json.dumps(self.essence(), sort_keys=True).encode()).hexdigest()[:20]

    def essence(self) -> dict[str, Any]:
        """What makes it this game, as plain data."""
        if self.record is None:
            return self._set_up()
        data = self.record.to_json()
        return {name: value for name, value in data.items() if name not in ("version", "versions", "format")}

    def to_json(self) -> dict[str, Any]:
        """What the shelf keeps; `from_json` is the inverse."""
        game = self._set_up() if self.record is None else {"record": self.record.to_json()}
        return {"about": self.about, **game}

    def _set_up(self) -> dict[str, Any]:
        moves = [str(move) for move in self.moves]
        return {"position": self.beginning.position(), **({"moves": moves, "seats": list(self.seats)} if moves else {})}

    @classmethod
    def from_json(cls, data: Any) -> Story:
        """Read and check what `to_json` wrote."""
        about = str(data.get("about", ""))
        if "position" in data:
            story = cls.of_position(data["position"], about)
            moves = tuple(parse_move(text) for text in data.get("moves", []))
            return replace(story, moves=moves, seats=tuple(data.get("seats", story.seats)))
        return cls.of_record(GameRecord.from_json(data["record"]), about)

    @cached_property
    def title(self) -> str:
        """Who played, and what came of it."""
        end = self.games[-1]
        score = f"{self.record.score if self.record else end.score} of {self.rules.perfect_score}"
        state = f"score {score}" if end.is_over or self.record else f"{end.points} points so far"
        names = self.names if self._are_named else self.seats
        players = [name if seat == PERSON else seat for name, seat in zip(names, self.seats, strict=True)]
        return f"{who(players)}: {state}"


def who(seats: Sequence[str]) -> str:
    """The players: one name if they are all the same, otherwise all of them."""
    if len(set(seats)) == 1:
        return (
            f"{len(seats)} players"
            if seats[0] in (NOBODY, PERSON)
            else f"{len(seats)} {shortened(seats[0], LONGEST_NAME)}"
        )
    return ", ".join(shortened(seat, LONGEST_NAME) for seat in seats)


def drawn_suits(names: Sequence[str]) -> tuple[Suit, ...]:
    """Suits by their names; one that is not known is drawn like the suit in its place."""
    known = {suit.name: suit for suit in ALL_SUITS}
    return tuple(known.get(name.lower(), SUITS[place]) for place, name in enumerate(names))
