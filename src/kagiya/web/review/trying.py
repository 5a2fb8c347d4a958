"""A branch made: the change, one game played on, and many more beside as many of the original."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kagiya.agents._base import Agent
from kagiya.engine.game import Game
from kagiya.lab.review.outcomes import believed, finish_each, shuffled
from kagiya.lab.review.placing import Placing, place_cards
from kagiya.lab.review.samples import sample_games
from kagiya.lab.table.persons import PERSON
from kagiya.lab.table.stopping import Stop
from kagiya.moves import Move, MoveError, parse_move
from kagiya.web.review.asking import allowed_agent
from kagiya.web.review.branches import CARDS, DECK, SAME, Branch, Branches, clean_name, new_id
from kagiya.web.review.look import Look
from kagiya.web.review.places import asked_places, placing_words
from kagiya.web.review.story import NOBODY, Story
from kagiya.web.review.study import Study
from kagiya.web.server.limits import Limits
from kagiya.web.thinking import Task
from kagiya.web.views import Message, RefusedError, sentence

CONTINUATIONS = 200
PLAYED, DECIDES = "played", "decides"  # of the move: as it was, or whatever the agent does


@dataclass(frozen=True)
class Attempt:
    """What somebody wants to try."""

    story: Story
    parent: str
    turn: int
    move: Move | None  # None: the agent decides
    agents: tuple[Agent, ...]
    original: tuple[Agent, ...]  # of the game that it leaves, for comparison
    cards: str
    placed: tuple[Placing, ...]
    seed: int
    name: str

    def games(self, move: Move | None, count: int, placed: Sequence[Placing]) -> Iterator[Game]:
        """The game before the turn as often as asked, with its cards as wanted, the move made."""
        for game in self._dealt(count):
            begun = place_cards(game, placed) if placed else game.copy()
            if move is not None and not begun.why_illegal(move):
                begun.make(move)
            yield begun

    def _dealt(self, count: int) -> Iterator[Game]:
        before = self.story.before(self.turn)
        if self.cards == SAME:
            yield from (before for _ in range(count))
        elif self.cards == DECK:
            dice = random.Random(self.seed)
            yield from (shuffled(before, dice) for _ in range(count))
        else:
            yield from sample_games(before, before.seat, count, believed(self.agents[before.seat]), self.seed)


def attempt_of(study: Study, look: Look, limits: Limits, message: Message) -> Attempt:
    """What a form asks for, checked."""
    story = study.story
    game = story.before(look.turn)
    if game.is_over:
        raise RefusedError("The game is over here, so nothing can be tried; go back some turns.")
    cards = message.get("cards") or SAME
    if cards not in CARDS:
        raise RefusedError(f"The cards can be {', '.join(CARDS)}, not {cards!r:.40}.")
    usual = usual_seats(study, look)
    texts = [message.get(f"seat{seat}", "").strip() or text for seat, text in enumerate(usual)]
    move = _asked_move(story, look, message.get("move") or DECIDES)
    words = "the agents decide" if move is None else story.words_of(move, look.turn)
    placed = asked_places(story, look, message)
    return Attempt(
        story=story,
        parent=look.branch,
        turn=look.turn,
        move=move,
        agents=tuple(allowed_agent(text, limits, story.rules) for text in texts),
        original=tuple(allowed_agent(text, limits, story.rules) for text in usual),
        cards=cards,
        placed=placed,
        seed=_seed(message.get("seed", "")),
        name=clean_name(message.get("name", "").strip() or f"turn {look.turn}: {words}"),
    )


def usual_seats(study: Study, look: Look) -> list[str]:
    """Who plays on unless somebody else is named: the agents of the game; the judge where a person sat, or an agent
    that cannot be asked."""
    problems = study.problems or [""] * len(study.story.seats)
    seats = zip(study.story.seats, problems, strict=True)
    return [look.judges[0] if problem or text in (PERSON, NOBODY) else text for text, problem in seats]


def _asked_move(story: Story, look: Look, text: str) -> Move | None:
    if text == DECIDES:
        return None
    if text == PLAYED:
        return story.move_of(look.turn)
    try:
        move = parse_move(text)
    except MoveError as error:
        raise RefusedError(sentence(error)) from None
    if reason := story.before(look.turn).why_illegal(move):
        raise RefusedError(f"{reason}.")
    return move


def _seed(text: str) -> int:
    if not text.strip():
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise RefusedError(f"A seed must be an integer from 0 to 999999999, not {text!r:.40}.")
    return int(text)


def try_out(task: Task[Any], attempt: Attempt, branches: Branches) -> str | None:
    """Play one game on and keep it, then many; returns the id of the branch."""
    stop = Stop()
    task.on_stop = stop.set
    first = next(finish_each(attempt.games(attempt.move, 1, attempt.placed), attempt.agents, attempt.seed, stop), None)
    if first is None:
        return None
    branch = _branch(attempt, first)
    branches.put(branch)
    task.tell(0.0, "playing on")
    scores, original = _scores(task, attempt, stop)
    branches.put(replace(branch, scores=tuple(scores), original=tuple(original)))
    return branch.id


def _branch(attempt: Attempt, game: Game) -> Branch:
    texts = tuple(agent.text for agent in attempt.agents)
    story = Story.of_game(game, texts, attempt.story, f"branch of turn {attempt.turn}")
    return Branch(
        id=new_id(),
        name=attempt.name,
        parent=attempt.parent,
        turn=attempt.turn,
        move="" if attempt.move is None else str(attempt.move),
        seats=texts,
        cards=attempt.cards,
        placed=placing_words(attempt.story, attempt.turn, attempt.placed),
        seed=attempt.seed,
        line=story.to_json(),
        score=game.score,
    )


def _scores(task: Task[Any], attempt: Attempt, stop: Stop) -> tuple[list[int], list[int]]:
    """The scores of both ways to go on, on the same deals and with the same dice; as many of both if it is stopped.
    Cards that were put somewhere are part of what is tried, not of the original."""
    made = attempt.story.move_of(attempt.turn)
    ways = ((attempt.move, attempt.agents, attempt.placed), (made, attempt.original, ()))
    found: list[list[int]] = []
    for place, (move, agents, placed) in enumerate(ways):
        scores: list[int] = []
        for game in finish_each(attempt.games(move, CONTINUATIONS, placed), agents, attempt.seed, stop):
            scores.append(game.score)
            if len(scores) % 20 == 0:
                done = (place + len(scores) / CONTINUATIONS) / len(ways)
                task.tell(done, f"{len(scores)} of {CONTINUATIONS} continuations")
        found.append(scores)
    return _paired(found)


def _paired(found: Sequence[list[int]]) -> tuple[list[int], list[int]]:
    count = min(map(len, found))
    return found[0][:count], found[1][:count]
