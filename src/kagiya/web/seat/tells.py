"""What a partner's move tells the seat: chances of its own cards before and after, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.cards import card_name
from kagiya.drawing.chances import percent
from kagiya.drawing.markup import Markup, Value, element, joined
from kagiya.engine.sentences import Sentence
from kagiya.lab.review.hand_chances import SlotChances, Told
from kagiya.web.pieces.move_log import sentence_html

LIKELIEST = 4
NO_BREAK = "\N{NO-BREAK SPACE}"
LEAST = 0.005  # a chance that changed by less is not shown


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


def tells_panel(news: Sequence[Sentence], tellings: Sequence[Telling], branch: int) -> Markup:
    """The moves of others since one's own last, each with a question; and the answers."""
    if not news:
        return element("p", "Nothing has happened since your last move.", class_="soft small")
    answers = {telling.turn: telling for telling in tellings}
    return joined([_about(each, answers.get(each.event.turn), branch) for each in news])


def _about(sentence: Sentence, telling: Telling | None, branch: int) -> Markup:
    turn = sentence.event.turn
    doing: dict[str, Value] = {"data_do": "tell", "data_turn": turn, "data_branch": branch}
    title = "What does this tell me?"
    button = element(
        "button", title, type="button", id=f"tell-{turn}", aria_label=f"{title} Turn {turn + 1}: {sentence}", **doing
    )
    return element(
        "div", element("p", sentence_html(sentence)), _answer(telling) if telling else button, class_="telling"
    )


def _answer(telling: Telling) -> Markup:
    if telling.error:
        return element("p", telling.error, class_="bad small")
    if telling.is_thinking:
        return element("p", "Working it out ...", class_="soft small", role="status")
    return joined([_meaning(each) for each in telling.found])


def _meaning(meaning: Meaning) -> Markup:
    said = element("p", f"You hear: {meaning.words.removeprefix('hears ')}.", class_="small") if meaning.words else None
    rows = _rows(meaning.told) if meaning.told is not None else []
    table = element("table", element("tbody", rows), class_="tells") if rows else None
    nothing = element("p", "Nothing new.", class_="soft small") if not rows and not meaning.words else None
    return element("div", element("h3", f"By {meaning.by}"), said, table, nothing)


def _rows(told: Told) -> list[Markup]:
    """A row for each card of which something else is known now."""
    before = {slot.order: slot for slot in told.before.slots}
    pairs = [(before[after.order], after) for after in told.after.slots if after.order in before]
    return [_row(old, new) for old, new in pairs if is_changed(old, new)]


def is_changed(old: SlotChances, new: SlotChances) -> bool:
    """Whether a chance of the card is another."""
    kinds = {*old.cards, *new.cards}
    return any(abs(old.cards.get(kind, 0.0) - new.cards.get(kind, 0.0)) > LEAST for kind in kinds)


def _row(old: SlotChances, new: SlotChances) -> Markup:
    fits = f"fits {percent(old.playable)} → {percent(new.playable)} %"
    useless = f"useless {percent(old.useless)} → {percent(new.useless)} %"
    return element(
        "tr",
        element("th", f"slot {new.slot + 1}", scope="row"),
        element("td", fits, element("br"), useless),
        element("td", likeliest(new)),
    )


def likeliest(slot: SlotChances) -> str:
    """What the card is most likely to be: ``R1 40 %, B1 40 %, ...``."""
    cards = list(slot.cards.items())
    shown = [f"{card_name(card)}{NO_BREAK}{percent(chance)}{NO_BREAK}%" for card, chance in cards[:LIKELIEST]]
    return ", ".join(shown) + (", ..." if len(cards) > LIKELIEST else "")
