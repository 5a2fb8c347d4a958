"""All that the page of a seat is made from, as plain data: an observation, who plays, and what this seat has asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kagiya.engine.sentences import Sentence
from kagiya.lab.review.hand_chances import Told
from kagiya.lab.review.judgement import Judgement
from kagiya.moves import Move
from kagiya.view.observation import Observation


@dataclass(frozen=True)
class Player:
    """Who sits somewhere."""

    name: str
    agent: str  # as written; empty for a person
    convention: str = ""  # what its hints mean beyond their words
    invitation: str = ""  # the address that a person is sent who has not come yet


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
    """What the coach's panel shows: the turn it is about, who can be asked, and what was answered."""

    turn: int
    branch: int
    is_mine: bool
    judges: tuple[str, ...]
    advice: tuple[Advice, ...]
    made: Move | None = None  # the move of that turn, if it is an earlier one


@dataclass(frozen=True)
class Meaning:
    """What a move told, by one way to read it."""

    by: str
    told: Told | None  # chances before and after
    words: str  # as the agent's convention puts it

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"by": self.by, "words": self.words, "told": None if self.told is None else self.told.to_json()}


@dataclass(frozen=True)
class Telling:
    """What was asked about a move, and the answer if it is there."""

    turn: int
    is_thinking: bool
    error: str
    found: tuple[Meaning, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "thinking": self.is_thinking,
            "error": self.error,
            "meanings": [each.to_json() for each in self.found],
        }


@dataclass(frozen=True)
class SeatState:
    """One seat of a running game. Nothing in it leads to the game itself."""

    view: Observation  # now, or at the earlier turn that is looked at
    told: tuple[Sentence, ...]  # what happened until then
    since: int  # the first turn after this seat's last move
    live_turn: int  # moves made so far
    branch: int  # grows whenever moves are taken back
    players: tuple[Player, ...]
    trouble: str  # why the agent to move does not
    waiting: str  # what the agent to move waits for, such as the compiler
    remarks: tuple[str, ...]  # what was taken back, and who left: noted in the record
    is_alone: bool  # all others are agents, so moves can be taken back
    notes: Mapping[int, str]  # by card (its place in the deck) what this person wrote on it
    coaching: Coaching
    tellings: tuple[Telling, ...]  # what was asked about the moves since this seat's last one

    @property
    def is_live(self) -> bool:
        """Whether the turn that is looked at is the one to be played."""
        return self.view.turn == self.live_turn

    def to_json(self) -> dict[str, Any]:
        """What stands beside the cards, as plain data."""
        return {
            "live_turn": self.live_turn,
            "branch": self.branch,
            "trouble": self.trouble,
            "waiting": self.waiting,
            "remarks": list(self.remarks),
            "players": [asdict(player) for player in self.players],
            "rules": self.view.rules.to_json(),
            "story": [{"turn": each.event.turn + 1, "words": str(each)} for each in self.told],
            "tells": [each.to_json() for each in self.tellings],
            "coach": [each.to_json() for each in self.coaching.advice],
        }
