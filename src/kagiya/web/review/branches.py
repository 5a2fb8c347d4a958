"""What else could have happened: branches of a game as a tree, each with its game and what many more could come to."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from kagiya.web.review.look import MAIN
from kagiya.web.review.shelf import Shelf
from kagiya.web.review.story import Story
from kagiya.web.views import NotHereError, RefusedError

FILE = "branches"
MOST = 200  # of one game
LONGEST_NAME = 60
SAME, DECK, UNSEEN = "same", "deck", "unseen"  # what becomes of the cards
CARDS = {
    SAME: "the same cards",
    DECK: "the deck shuffled",
    UNSEEN: "what the player to move cannot see dealt again",
}


@dataclass(frozen=True)
class Branch:
    """A game that leaves another one at a turn. Scores are those of the continuations, in the same order for both."""

    id: str
    name: str
    parent: str
    turn: int
    move: str  # as in a record; empty if the agent decides
    seats: tuple[str, ...]  # who plays on
    cards: str
    seed: int
    line: dict[str, Any]  # the story of one continuation
    score: int
    scores: tuple[int, ...] = ()
    original: tuple[int, ...] = ()  # of the move and the players of the game that it leaves
    placed: tuple[str, ...] = ()  # cards that were put somewhere, in words

    @cached_property
    def story(self) -> Story:
        """The game of this branch, checked."""
        try:
            return Story.from_json(self.line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RefusedError(f"The file of this branch is damaged: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """Plain data; `read` is the inverse."""
        return asdict(self)

    @classmethod
    def read(cls, data: dict[str, Any]) -> Branch:
        """What `to_json` wrote."""
        lists = {name: tuple(data[name]) for name in ("seats", "scores", "original")}
        lists["placed"] = tuple(data.get("placed", ()))
        return cls(**{**data, **lists})


class Branches:
    """All branches of one game, on disk as soon as they are there."""

    def __init__(self, shelf: Shelf, key: str) -> None:
        self._shelf, self._key = shelf, key
        self._branches = {branch.id: branch for branch in _kept(shelf.read(key, FILE))}

    def __iter__(self) -> Iterator[Branch]:
        return iter(list(self._branches.values()))

    def __len__(self) -> int:
        return len(self._branches)

    def get(self, name: str) -> Branch:
        """The branch of this id."""
        if name not in self._branches:
            raise NotHereError("This branch is not here; it may have been deleted.")
        return self._branches[name]

    def children(self, parent: str) -> list[Branch]:
        """The branches that leave this one, in the order of their turns."""
        return sorted((each for each in self if each.parent == parent), key=lambda each: each.turn)

    def check_room(self) -> None:
        """Refuse one more than a page can show."""
        if len(self) >= MOST:
            raise RefusedError(f"A game has at most {MOST} branches; delete some.")

    def put(self, branch: Branch) -> None:
        """Keep a branch, a new one or in place of what it was."""
        self._write({**self._branches, branch.id: branch})

    def rename(self, name: str, words: str) -> None:
        """Call a branch something else."""
        self.put(replace(self.get(name), name=clean_name(words)))

    def remove(self, name: str) -> None:
        """Delete a branch and all that leave it."""
        gone = {self.get(name).id}
        while more := {each.id for each in self if each.parent in gone} - gone:
            gone |= more
        self._write({id_: each for id_, each in self._branches.items() if id_ not in gone})

    def _write(self, branches: dict[str, Branch]) -> None:
        self._shelf.write(self._key, FILE, [branch.to_json() for branch in branches.values()])
        self._branches = branches


def _kept(data: Any) -> Iterator[Branch]:
    """What was kept; a damaged entry is left out, and so are those that leave it."""
    there = {MAIN}
    for each in data if isinstance(data, list) else []:
        try:
            branch = Branch.read(each)
        except (KeyError, TypeError, ValueError):
            continue
        if branch.parent in there:
            there.add(branch.id)
            yield branch


def new_id() -> str:
    """A name in addresses."""
    return secrets.token_hex(4)


def clean_name(words: str) -> str:
    """A name on one line."""
    name = " ".join(words.split())[:LONGEST_NAME]
    if not name:
        raise RefusedError("A branch needs a name.")
    return name
