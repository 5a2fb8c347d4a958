"""A game under review: its story, all that was found out about it so far, and those who are at work on it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Any

from kagiya.lab.provenance.genuine import Recalled
from kagiya.lab.review.opinions import Opinions
from kagiya.web.notifier import Notifier
from kagiya.web.review.beliefs import Beliefs
from kagiya.web.review.branches import Branches
from kagiya.web.review.judged import Judged
from kagiya.web.review.shelf import Shelf
from kagiya.web.review.story import Story
from kagiya.web.thinking import Task

MOST_OPEN = 40  # games whose positions are kept at hand


class Study:
    """One game; all who look at it see the same work and the same results."""

    def __init__(self, story: Story, shelf: Shelf, changes: Notifier | None = None) -> None:
        self.story, self.shelf = story, shelf
        self.changes = changes or Notifier()
        self.tasks: dict[str, Task[Any]] = {}  # by what they are about, also those that are over
        self.opinions: Opinions | None = None
        self.unasked: list[str] = []  # agents that must be compiled before they can be asked
        self.recalled: dict[int, Recalled] = {}  # by turn number
        self.problems: list[str] = []  # by seat, why its agent cannot be asked
        self.beliefs: dict[int, Beliefs] = {}  # by seat
        self._judged: dict[tuple[str, int], Judged] = {}

    @cached_property
    def branches(self) -> Branches:
        """What else was tried, from this game on."""
        return Branches(self.shelf, self.story.key)

    def judged(self, evaluator: str, deals: int) -> Judged:
        """What this judge found so far."""
        return self._judged.setdefault((evaluator, deals), Judged(evaluator, deals))

    def is_busy(self, about: str) -> bool:
        """Whether somebody is at work on this."""
        return about in self.tasks and not self.tasks[about].is_over

    def otherwise(self, turn: int) -> int | None:
        """How many agents would have moved otherwise; None as long as they were not asked, and at the end."""
        if self.opinions is None or self.story.move_of(turn) is None:
            return None
        return self.opinions.otherwise(turn - self.story.first_turn)

    def stop(self) -> None:
        """End all work on it."""
        for task in tuple(self.tasks.values()):
            task.stop()


class Studies:
    """The games that are looked at, the most recent ones kept at hand."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf = shelf or Shelf()
        self._open: OrderedDict[str, Study] = OrderedDict()

    def of(self, key: str, read: Callable[[], Story], changes: Notifier | None = None) -> Study:
        """The study of the game with this key, which is read if it is not at hand."""
        if key not in self._open:
            self._open[key] = Study(read(), self.shelf, changes)
            self._forget()
        self._open.move_to_end(key)
        return self._open[key]

    def of_story(self, story: Story) -> Study:
        """The study of a game that is at hand."""
        return self.of(story.key, lambda: story)

    def of_branch(self, root: Study, name: str) -> Study:
        """The study of a branch; whoever looks at it also sees what changes on the tree."""
        story = root.branches.get(name).story
        return self.of(story.key, lambda: story, root.changes)

    def _forget(self) -> None:
        """Let go of the games that nobody looks at, the oldest first."""
        for key in list(self._open):
            if len(self._open) <= MOST_OPEN:
                return
            if self._open[key].changes.listeners == 0:
                self._open.pop(key).stop()
