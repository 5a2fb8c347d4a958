"""Branches of a game: what else could have happened, each with its change, one game played on, and many more."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from typing import Any

from kagiya import Agent, Game, observe
from kagiya.cards import Card, Color, Rank, card_color, card_name, card_rank, make_card, parse_card
from kagiya.lab.review.outcomes import believed, finish_each, shuffled
from kagiya.lab.review.samples import sample_games
from kagiya.lab.table.determinization import PlacedCard, place_cards
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, MoveError, parse_move
from kagiya.runtime.interrupts import Stop
from kagiya.runtime.jobs import Task
from kagiya.web.pages import Message, NotHereError, RefusedError, sentence
from kagiya.web.play.table_agents import AgentCatalog
from kagiya.web.review.reviewed_game import MAIN, NOBODY, ReviewedGame, ReviewFolder, ReviewQuery

FILE = "branches"
MAX_BRANCHES = 200  # of one game
MAX_NAME = 60
MAX_PLACED = 3  # cards at once
MAX_DRAWS = 5  # next cards of the deck that can be set
CONTINUATIONS = 200
PLAYED, DECIDES = "played", "decides"  # of the move: as it was, or whatever the agent does
SLOT, DRAW = "slot", "draw"
SAME, DECK, UNSEEN = "same", "deck", "unseen"  # what becomes of the cards
CARDS = {SAME: "the same cards", DECK: "the deck shuffled", UNSEEN: "what the player to move cannot see dealt again"}


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
    def story(self) -> ReviewedGame:
        """The game of this branch, checked."""
        try:
            return ReviewedGame.from_json(self.line)
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

    def __init__(self, folder: ReviewFolder, key: str) -> None:
        self._folder, self._key = folder, key
        self._branches = {branch.id: branch for branch in _kept(folder.read(key, FILE))}

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
        if len(self) >= MAX_BRANCHES:
            raise RefusedError(f"A game has at most {MAX_BRANCHES} branches; delete some.")

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
        self._folder.write(self._key, FILE, [branch.to_json() for branch in branches.values()])
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


def clean_name(words: str) -> str:
    """A name on one line."""
    name = " ".join(words.split())[:MAX_NAME]
    if not name:
        raise RefusedError("A branch needs a name.")
    return name


def places_of(story: ReviewedGame, look: ReviewQuery) -> list[tuple[str, str]]:
    """The slots of the player to move and the next cards of the deck, with their names."""
    game = story.before(look.turn)
    slots = [PlacedCard(Card(0), slot) for slot in observe(game, game.seat).mine.slots]
    draws = [PlacedCard(Card(0), draw=draw) for draw in range(min(MAX_DRAWS, game.deck_left))]
    return [(_value(each), _place_words(story, look.turn, each)) for each in (*slots, *draws)]


def cards_of(story: ReviewedGame) -> list[tuple[str, str]]:
    """All cards of the game, with the names they have there."""
    rules = story.rules
    cards = [make_card(Color(color), Rank(rank)) for color in range(rules.colors) for rank in range(rules.ranks)]
    return [(card_name(card), _called(story, card)) for card in cards]


def asked_places(story: ReviewedGame, look: ReviewQuery, message: Message) -> tuple[PlacedCard, ...]:
    """The cards that a form puts somewhere, checked."""
    found = []
    for number in range(MAX_PLACED):
        place, card = message.get(f"place{number}", ""), message.get(f"card{number}", "")
        if bool(place) != bool(card):
            raise RefusedError("Choose both: where the card is to be put, and which card it is.")
        if place:
            found.append(_placing(story, place, card))
    try:
        if found:
            place_cards(story.before(look.turn), found, partial(_called, story))
    except ValueError as error:
        raise RefusedError(sentence(error)) from None
    return tuple(found)


def _placing(story: ReviewedGame, place: str, card: str) -> PlacedCard:
    kind, _, number = place.partition(" ")
    known = dict(cards_of(story))
    if kind not in (SLOT, DRAW) or not number.isdecimal() or len(number) > 2 or card not in known:
        raise RefusedError(f"{card!r:.40} cannot be put at {place!r:.40}; choose a slot or a draw, and a card.")
    index = int(number) - 1
    return PlacedCard(parse_card(card), slot=index) if kind == SLOT else PlacedCard(parse_card(card), draw=index)


def _value(placing: PlacedCard) -> str:
    return f"{DRAW} {placing.draw + 1}" if placing.slot is None else f"{SLOT} {placing.slot + 1}"


def _place_words(story: ReviewedGame, turn: int, placing: PlacedCard) -> str:
    if placing.slot is not None:
        return f"{story.display_names[story.before(turn).seat]}'s slot {placing.slot + 1}"
    return f"card {placing.draw + 1} of the deck" if placing.draw else "the next card of the deck"


def _called(story: ReviewedGame, card: Card) -> str:
    return f"{story.suits[card_color(card)].name} {card_rank(card) + 1}"


@dataclass(frozen=True)
class Attempt:
    """What a visitor wants to try."""

    story: ReviewedGame
    parent: str
    turn: int
    move: Move | None  # None: the agent decides
    agents: tuple[Agent, ...]
    original: tuple[Agent, ...]  # of the game that it leaves, for comparison
    cards: str
    placed: tuple[PlacedCard, ...]
    seed: int
    name: str

    def games(self, move: Move | None, count: int, placed: Sequence[PlacedCard]) -> Iterator[Game]:
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


def attempt_of(
    story: ReviewedGame, usual: Sequence[str], partners: AgentCatalog, look: ReviewQuery, message: Message
) -> Attempt:
    """What a form asks for, checked; `usual` names who plays on unless the form says otherwise."""
    game = story.before(look.turn)
    if game.is_over:
        raise RefusedError("The game is over here, so nothing can be tried; go back some turns.")
    cards = message.get("cards") or SAME
    if cards not in CARDS:
        raise RefusedError(f"The cards can be {', '.join(CARDS)}, not {cards!r:.40}.")
    texts = [message.get(f"seat{seat}", "").strip() or text for seat, text in enumerate(usual)]
    move = _asked_move(story, look, message.get("move") or DECIDES)
    words = "the agents decide" if move is None else story.words_of(move, look.turn)
    placed = asked_places(story, look, message)
    return Attempt(
        story=story,
        parent=look.branch,
        turn=look.turn,
        move=move,
        agents=tuple(partners.for_review(text, story.rules) for text in texts),
        original=tuple(partners.for_review(text, story.rules) for text in usual),
        cards=cards,
        placed=placed,
        seed=_seed(message.get("seed", "")),
        name=clean_name(message.get("name", "").strip() or f"turn {look.turn}: {words}"),
    )


def usual_seats(story: ReviewedGame, problems: Sequence[str], look: ReviewQuery) -> list[str]:
    """Who plays on: the agents of the game; the judge where a person sat, or an agent that cannot be asked."""
    seats = zip(story.seats, problems or [""] * len(story.seats), strict=True)
    return [look.judges[0] if problem or text in (PERSON, NOBODY) else text for text, problem in seats]


def _asked_move(story: ReviewedGame, look: ReviewQuery, text: str) -> Move | None:
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
    task.report(0.0, "playing on")
    scores, original = _scores(task, attempt, stop)
    branches.put(replace(branch, scores=tuple(scores), original=tuple(original)))
    return branch.id


def _branch(attempt: Attempt, game: Game) -> Branch:
    texts = tuple(agent.text for agent in attempt.agents)
    story = ReviewedGame.of_game(game, texts, attempt.story, f"branch of turn {attempt.turn}")
    return Branch(
        id=secrets.token_hex(4),
        name=attempt.name,
        parent=attempt.parent,
        turn=attempt.turn,
        move="" if attempt.move is None else str(attempt.move),
        seats=texts,
        cards=attempt.cards,
        placed=tuple(
            f"{_place_words(attempt.story, attempt.turn, each)} is {_called(attempt.story, each.card)}"
            for each in attempt.placed
        ),
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
                task.report(done, f"{len(scores)} of {CONTINUATIONS} continuations")
        found.append(scores)
    count = min(map(len, found))
    return found[0][:count], found[1][:count]
