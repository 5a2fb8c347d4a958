"""What happened, as sentences: a click on one shows the table as it was then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kagiya.cards import COLOR_NAMES, card_color, card_rank
from kagiya.drawing.markup import Markup, element, joined
from kagiya.engine.log import Event
from kagiya.engine.telling import Sentence, Tone, Word, tell
from kagiya.view.observation import Observation
from kagiya.web.panels import panel
from kagiya.web.seat.place import Player
from kagiya.web.views import Address


class Teller:
    """Tells a game move by move; what was told before is not told again until moves are taken back."""

    def __init__(self) -> None:
        self._branch, self._told, self._heights = -1, list[Sentence](), list[int]()

    def tell(self, view: Observation, players: Sequence[Player], branch: int) -> list[Sentence]:
        """All that happened until this view, from its seat's point of view."""
        if branch != self._branch:
            self._branch, self._told, self._heights = branch, [], [0] * view.rules.colors
        if view.turn > len(self._told):
            news = view.history[len(self._told) :]
            names = [player.name for player in players]
            self._told += tell(news, view.rules, view.seat, names=names, fireworks=self._heights)
            for event in news:
                self._play(event)
        return self._told[: view.turn]

    def _play(self, event: Event) -> None:
        if event.move.is_play and event.card is not None:
            color = card_color(event.card)
            self._heights[color] += self._heights[color] == card_rank(event.card)


def story(told: Sequence[Sentence], since: int, shown: int, address: Address) -> Markup:
    """All sentences, the last first; those since one's own last move are set off."""
    if not told:
        return element("p", "Nothing has happened yet.", class_="soft")
    base = str(address.with_query(turn=None))
    base += "&turn=" if "?" in base else "?turn="
    old = _old_rows(tuple(told[:since]), base)
    rows = [_row(each, True, each.event.turn == shown - 1, base) for each in reversed(told[since:])]
    return panel(element("ol", rows, old, class_="story", id="story", reversed=True))


@lru_cache(maxsize=256)
def _old_rows(told: tuple[Sentence, ...], base: str) -> Markup:
    """What stays as it is until the next move of one's own."""
    return joined([_row(each, False, False, base) for each in reversed(told)])


@lru_cache(maxsize=2048)
def _row(sentence: Sentence, is_news: bool, is_shown: bool, base: str) -> Markup:
    turn = sentence.event.turn
    link = element(
        "a",
        element("span", turn + 1, class_="number"),
        " ",
        words(sentence),
        href=f"{base}{turn + 1}",
        data_live=True,
        id=f"story-{turn}",
        aria_current="true" if is_shown else None,
    )
    return panel(element("li", link, class_="news" if is_news else None, id=f"told-{turn}", value=turn + 1))


def news(told: Sequence[Sentence], since: int) -> Markup:
    """What happened since one's own last move, that move included."""
    lines = [element("p", words(each)) for each in told if each.event.turn >= since]
    return panel(element("div", lines or element("p", "Nothing has happened yet."), class_="news-box", id="news"))


@lru_cache(maxsize=2048)
def words(sentence: Sentence) -> Markup:
    """A sentence with its cards in their colors."""
    return element("span", [_word(word) for word in sentence.words], class_="sentence")


def _word(word: Word) -> Markup | str:
    if word.color is not None:
        return element("span", word.text, class_=f"pill {COLOR_NAMES[word.color]}")
    if word.tone is Tone.PLAIN:
        return word.text
    return element("b", word.text, class_=f"word-{word.tone}")
