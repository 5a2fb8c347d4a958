"""The game that is reviewed, the folder that keeps it with all that was found out about it, and how it is read.

What of it is shown, and through whose eyes, stands in the address.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from kagiya import Game, Rules
from kagiya.cards import COLOR_NAMES, SEAT_NAMES, Seat
from kagiya.drawing.canvas import ALL_SUITS, SUITS, Suit
from kagiya.drawing.charts import shortened
from kagiya.engine.position import PositionError
from kagiya.engine.record import GameRecord, RecordError, write_whole
from kagiya.engine.sentences import Sentence, describe
from kagiya.interop.files import is_contents, read_games
from kagiya.lab.pace import pace
from kagiya.lab.regret import MoveCost, move_costs
from kagiya.lab.review.card_chances import Basis
from kagiya.lab.review.samples import Reviewed, games_after
from kagiya.lab.store.store import user_folder
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, move_name, parse_move
from kagiya.web.pages import Address, NotHereError, RefusedError

NOBODY = "unknown"  # who sat there, in a game set up from a position
MAX_AGENT_NAME = 40  # of an agent, in a heading
KEY = re.compile(r"[0-9a-f]{20}")
GAME = "game"
MAX_GAMES_KEPT = 10_000
MAX_TEXT = 4_000_000  # characters; what comes over a socket is far shorter
MAX_GAMES_READ = 200  # of one text
EXPECTED = (
    "Expected a record (JSON, as kagiya show --save writes it), a game of hanab.live (JSON or a replay-json link), "
    "or a position such as 'alice R1 ...; bob ...'."
)
NUMBERED = re.compile(r"(https?://)?hanab\.live/(shared-)?replay/(\d+)\S*")
SEAT_NAME = re.compile(rf"\b(?:{'|'.join(SEAT_NAMES)})\b")


@dataclass(frozen=True)
class ReviewedGame:
    """A game from where it was dealt or set up to where it ended or was broken off. Nothing in it changes."""

    beginning: Game
    moves: tuple[Move, ...]
    seats: tuple[str, ...]  # agents as written, "human" for a person
    record: GameRecord | None = None  # None for a game set up from a position
    about: str = ""  # where it came from
    names: tuple[str, ...] = ()  # of persons, if they are known
    code: str | None = None  # of the agents that played, if it is known

    @classmethod
    def of_record(cls, record: GameRecord, about: str = "") -> ReviewedGame:
        """The story of a record, which is played through and checked."""
        record.check()
        code = record.source.get("code") or None
        return cls(record.deal(), record.moves, record.seats, record, about, record.names, code)

    @classmethod
    def of_position(cls, text: str, about: str = "") -> ReviewedGame:
        """The story of a position: one turn, and whatever is tried from there."""
        game = Game.from_position(text)
        return cls(game, (), (NOBODY,) * game.rules.players, None, about)

    @classmethod
    def of_game(cls, game: Game, seats: Sequence[str], like: ReviewedGame, about: str) -> ReviewedGame:
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
        receiver = self.display_names[(self.before(turn).seat + move.offset) % self.rules.players]
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
            names=self.display_names,
            suits=[suit.name for suit in self.suits],
            fireworks=self.beginning.fireworks,
        )
        return tuple(told)

    @cached_property
    def display_names(self) -> tuple[str, ...]:
        """What the seats are called: by the players' names, unless these only say which agents they are."""
        is_telling = self._are_named and self.names != self.seats
        return self.names if is_telling else SEAT_NAMES[: self.rules.players]

    def with_names(self, words: str) -> str:
        """What an agent says, who calls everybody by the name of the seat, with the names of this game."""
        names = dict(zip(SEAT_NAMES, self.display_names, strict=False))
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
        return int(text) if text.isdecimal() and text.isascii() and len(text) < 5 else None

    @cached_property
    def key(self) -> str:
        """The game's name in the folder: the same game always has the same one."""
        return hashlib.sha256(json.dumps(self.identity(), sort_keys=True).encode()).hexdigest()[:20]

    def identity(self) -> dict[str, Any]:
        """What makes it this game, as plain data."""
        if self.record is None:
            return self._set_up()
        data = self.record.to_json()
        return {name: value for name, value in data.items() if name not in ("version", "versions", "format")}

    def to_json(self) -> dict[str, Any]:
        """What the folder keeps; `from_json` is the inverse."""
        game = self._set_up() if self.record is None else {"record": self.record.to_json()}
        return {"about": self.about, **game}

    def _set_up(self) -> dict[str, Any]:
        moves = [str(move) for move in self.moves]
        return {"position": self.beginning.position(), **({"moves": moves, "seats": list(self.seats)} if moves else {})}

    @classmethod
    def from_json(cls, data: Any) -> ReviewedGame:
        """Read and check what `to_json` wrote."""
        about = str(data.get("about", ""))
        if "position" in data:
            story = cls.of_position(data["position"], about)
            moves = tuple(parse_move(text) for text in data.get("moves", []))
            return replace(story, moves=moves, seats=tuple(data.get("seats", story.seats)))
        return cls.of_record(GameRecord.from_json(data["record"]), about)

    @cached_property
    def title(self) -> str:
        """Who played, and the score."""
        end = self.games[-1]
        score = f"{self.record.score if self.record else end.score} of {self.rules.perfect_score}"
        state = f"score {score}" if end.is_over or self.record else f"{end.points} points so far"
        names = self.names if self._are_named else self.seats
        players = [name if seat == PERSON else seat for name, seat in zip(names, self.seats, strict=True)]
        return f"{who(players)}: {state}"


def who(seats: Sequence[str]) -> str:
    """The players: one name if they are all the same, otherwise all of them."""
    if len(set(seats)) == 1:
        name = "players" if seats[0] in (NOBODY, PERSON) else shortened(seats[0], MAX_AGENT_NAME)
        return f"{len(seats)} {name}"
    return ", ".join(shortened(seat, MAX_AGENT_NAME) for seat in seats)


def drawn_suits(names: Sequence[str]) -> tuple[Suit, ...]:
    """Suits by their names; one that is not known is drawn like the suit in its place."""
    known = {suit.name: suit for suit in ALL_SUITS}
    return tuple(known.get(name.lower(), SUITS[place]) for place, name in enumerate(names))


@dataclass(frozen=True)
class FolderEntry:
    """A game of the folder."""

    key: str
    title: str
    about: str


class ReviewFolder:
    """A folder with a folder for each game: the game itself, judgements, branches. Files are complete or not there."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_folder() / "reviewed"

    def put(self, story: ReviewedGame) -> str:
        """Keep a game; its key. A game that is there already becomes the most recent one."""
        if not self.has(story.key) and sum(1 for _ in self._keys()) >= MAX_GAMES_KEPT:
            raise RefusedError(
                f"{MAX_GAMES_KEPT:,} games are kept in {self.folder} already; move some elsewhere to make room."
            )
        self.write(story.key, GAME, {"title": story.title, **story.to_json()})
        return story.key

    def has(self, key: str) -> bool:
        """Whether a game is there."""
        return self._file(key, GAME).is_file()

    def story(self, key: str) -> ReviewedGame:
        """A game that was put here."""
        data = self.read(key, GAME)
        if data is None:
            raise NotHereError("This game is not here; give it again on the page Review.")
        try:
            return ReviewedGame.from_json(data)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise RefusedError(f"The file of this game is damaged: {error}") from None

    def recent(self, most: int = 20) -> list[FolderEntry]:
        """The games that were given last."""
        dated = []
        for key in self._keys():
            try:
                dated.append((self._file(key, GAME).stat().st_mtime, key))
            except OSError:
                continue
        found = ((key, self.read(key, GAME)) for _, key in sorted(dated, reverse=True)[:most])
        return [
            FolderEntry(key, str(data.get("title", key)), str(data.get("about", "")))
            for key, data in found
            if isinstance(data, dict)
        ]

    def read(self, key: str, name: str) -> Any:
        """What was written under a name about a game; None if nothing readable is there."""
        try:
            return json.loads(self._file(key, name).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None

    def write(self, key: str, name: str, data: Any) -> None:
        """Keep plain data about a game under a name."""
        file = self._file(key, name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(data, separators=(",", ":")).encode())
        except OSError as error:
            raise RefusedError(f"It could not be kept in {self.folder}: {error.strerror or error}.") from None

    def _keys(self) -> Iterator[str]:
        try:
            with os.scandir(self.folder) as entries:
                yield from (entry.name for entry in entries if KEY.fullmatch(entry.name))
        except OSError:
            return

    def _file(self, key: str, name: str) -> Path:
        if not KEY.fullmatch(key):
            raise NotHereError("This is not the key of a game.")
        return self.folder / key / f"{name}.json"


def read_stories(text: str, about: str = "pasted") -> list[ReviewedGame]:
    """The games in a text; what is wrong with it is said, with the number of the move."""
    line = text.strip()
    if not line:
        raise RefusedError(f"There is nothing to read. {EXPECTED}")
    if len(line) > MAX_TEXT:
        raise RefusedError(f"{len(line):,} characters are too many; {MAX_TEXT:,} are read.")
    if found := NUMBERED.fullmatch(line):
        raise RefusedError(
            f"This server asks no other for games: open https://hanab.live/export/{found[3]} and paste what it shows."
        )
    try:
        if line.startswith(("{", "[")) or ("\n" not in line and is_contents(line)):
            return _records(line, about)
        return [ReviewedGame.of_position(text, about)]
    except PositionError as error:
        raise RefusedError(f"This is not a game: {error}. {EXPECTED}") from None
    except RecordError as error:
        raise RefusedError(f"The game cannot be read: {error}.") from None


def _records(text: str, about: str) -> list[ReviewedGame]:
    records = read_games(text, names=True)
    if len(records) > MAX_GAMES_READ:
        raise RefusedError(f"{len(records):,} games at once; {MAX_GAMES_READ} are taken. Give fewer.")
    return [ReviewedGame.of_record(record, about) for record in records]


def read_file(path: Path) -> list[ReviewedGame]:
    """The games of a file."""
    try:
        content = path.read_bytes()
        return read_stories(content.decode("utf-8-sig"), path.name)
    except UnicodeDecodeError:
        raise RefusedError(f"{path} is not a text file. {EXPECTED}") from None
    except RefusedError as refusal:
        raise RefusedError(f"{path}: {refusal}") from None


ALL, EVERYTHING = "all", "everything"  # eyes that are no seat's
SORTS = ("value", "behind", "visits", "zoo", "move")
TABS = ("why", "happened", "worst", "beliefs", "what-if")  # panels of which a phone shows one
DEALS = (20, 50, 200)
USUAL_JUDGE = "smartbot"
MAIN = "main"  # the branch that is the game itself
WAYS: dict[str, tuple[Basis, str]] = {  # by which a seat knows its cards
    "hints": (Basis.HINTS, "by hints"),
    "convention": (Basis.CONVENTION, "by convention"),
    "moves": (Basis.PAST_MOVES, "by past moves"),
}


@dataclass(frozen=True)
class ReviewQuery:
    """One way of looking at a game."""

    turn: int
    eyes: str
    newest_left: bool
    tab: str
    sort: str
    judges: tuple[str, ...]  # one, or two side by side
    deals: int
    branch: str
    way: str  # by which a seat knows its cards

    @classmethod
    def at(cls, address: Address, story: ReviewedGame) -> ReviewQuery:
        """What the address asks for; what it does not say is the usual."""
        query = address.query
        turn = address.number("turn", story.first_turn)
        judges = tuple(dict.fromkeys(filter(None, (query.get("judge") or USUAL_JUDGE, query.get("second", "")))))
        return cls(
            turn=min(max(turn, story.first_turn), story.last_turn),
            eyes=_choice(
                "eyes", query.get("eyes", usual_eyes(story)), (*SEAT_NAMES[: story.rules.players], ALL, EVERYTHING)
            ),
            newest_left=_choice("newest", query.get("newest", "right"), ("left", "right")) == "left",
            tab=_choice("tab", query.get("tab", TABS[0]), TABS),
            sort=_choice("sort", query.get("sort", SORTS[0]), SORTS),
            judges=judges,
            deals=_deals(address),
            branch=query.get("branch", MAIN),
            way=_choice("way", query.get("way", "hints"), tuple(WAYS)),
        )

    @property
    def seat(self) -> Seat | None:
        """The seat whose eyes these are."""
        return Seat(SEAT_NAMES.index(self.eyes)) if self.eyes in SEAT_NAMES else None

    @property
    def sees_truth(self) -> bool:
        """Whether cards are shown that no player could see."""
        return self.eyes == EVERYTHING


def usual_eyes(story: ReviewedGame) -> str:
    """A person's if one played, else the first seat's."""
    places = [SEAT_NAMES[seat] for seat, text in enumerate(story.seats) if text == PERSON]
    return (*places, SEAT_NAMES[0])[0]


def _choice(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise RefusedError(f"{name} in the address is one of {', '.join(known)}, not {value!r:.60}.")
    return value


def _deals(address: Address) -> int:
    deals = address.number("deals", DEALS[1])
    if deals not in DEALS:
        raise RefusedError(f"deals in the address is one of {', '.join(map(str, DEALS))}, not {deals}.")
    return deals


def put_away(stories: Sequence[ReviewedGame], folder: ReviewFolder) -> Address:
    """Keep games; where to look at them: a single one opens, several stand among the recent ones."""
    for story in reversed(stories):
        folder.put(story)
    if len(stories) > 1:
        return Address("/review")
    address = Address(f"/review/game/{stories[0].key}")
    turn = stories[0].shown_turn
    return address if turn is None else address.with_query(turn=turn)
