"""The log of moves, each a link to the table as it was then; tabs of panels, and buttons and a slider for the turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from kagiya.cards import card_color, card_rank
from kagiya.drawing.canvas import SUITS, Child, Markup, Suit, element, joined
from kagiya.engine.log import Event
from kagiya.engine.sentences import Sentence, Tone, Word, describe
from kagiya.view.observation import Observation
from kagiya.web.pages import Address, link, panel


class MoveLog:
    """Describes a game move by move; what was described is kept until moves are taken back."""

    def __init__(self) -> None:
        self._branch, self._sentences, self._heights = -1, list[Sentence](), list[int]()

    def until(self, view: Observation, names: Sequence[str], branch: int) -> list[Sentence]:
        """All that happened until this view, from its seat's point of view."""
        if branch != self._branch:
            self._branch, self._sentences, self._heights = branch, [], [0] * view.rules.colors
        if view.turn > len(self._sentences):
            news = view.history[len(self._sentences) :]
            self._sentences += describe(news, view.rules, view.seat, names=names, fireworks=self._heights)
            for event in news:
                self._play(event)
        return self._sentences[: view.turn]

    def _play(self, event: Event) -> None:
        if event.move.is_play and event.card is not None:
            color = card_color(event.card)
            self._heights[color] += self._heights[color] == card_rank(event.card)


@lru_cache(maxsize=4096)
def sentence_html(sentence: Sentence, suits: tuple[Suit, ...] = SUITS) -> Markup:
    """A sentence with its cards in their colors."""
    return element("span", [_word(word, suits) for word in sentence.words], class_="sentence")


def _word(word: Word, suits: Sequence[Suit]) -> Child:
    if word.color is not None:
        return element("span", word.text, class_=f"pill {suits[word.color].name}")
    return word.text if word.tone is Tone.PLAIN else element("b", word.text, class_=f"word-{word.tone}")


def move_log(told: Sequence[Sentence], since: int, shown: int, address: Address) -> Markup:
    """All sentences, the last first; those since the seat's own last move are set off."""
    if not told:
        return element("p", "Nothing has happened yet.", class_="soft")
    base = str(address.with_query(turn=None))
    base += "&turn=" if "?" in base else "?turn="
    rows = [_row(each, True, each.event.turn == shown - 1, base) for each in reversed(told[since:])]
    return panel(element("ol", rows, _old_rows(tuple(told[:since]), base), class_="story", id="story", reversed=True))


@lru_cache(maxsize=256)
def _old_rows(told: tuple[Sentence, ...], base: str) -> Markup:
    """What stays as it is until the next move of the seat's own."""
    return joined([_row(each, False, False, base) for each in reversed(told)])


@lru_cache(maxsize=2048)
def _row(sentence: Sentence, is_news: bool, is_shown: bool, base: str) -> Markup:
    turn = sentence.event.turn
    to_turn = turn_link(f"{base}{turn + 1}", f"story-{turn}", turn + 1, sentence_html(sentence), is_shown)
    return panel(element("li", to_turn, class_="news" if is_news else None, id=f"told-{turn}", value=turn + 1))


def turn_link(
    href: str, id_: str, number: int | None, words: Markup, is_shown: bool, beside: Markup | None = None
) -> Markup:
    """A line of the log, which leads to its turn: the number, what happened, and what is to be said of it."""
    return element(
        "a",
        element("span", number, class_="number"),
        " ",
        words,
        beside,
        href=href,
        data_live=True,
        id=id_,
        aria_current="true" if is_shown else None,
    )


def news(told: Sequence[Sentence], since: int) -> Markup:
    """What happened since the seat's own last move, that move included."""
    lines = [element("p", sentence_html(each)) for each in told if each.event.turn >= since]
    return panel(element("div", lines or element("p", "Nothing has happened yet."), class_="news-box", id="news"))


def tab_panel(name: str, title: str, chosen: str, *content: Markup | None) -> Markup:
    """One panel; on a phone it is there only if its tab is chosen."""
    classes = f"panel{' chosen' if name == chosen else ''}"
    return panel(
        element("section", element("h2", title), content, id=f"panel-{name}", class_=classes, aria_label=title)
    )


def tabs(names: Mapping[str, str], chosen: str, address: Address, classes: str = "tabs") -> Markup:
    """The way from panel to panel on a phone; where there is room for all, this is not shown."""
    links = [link(address.with_query(tab=name), title, f"tab-{name}", name == chosen) for name, title in names.items()]
    return panel(element("nav", links, class_=classes, id="tabs", aria_label="Panels"))


def step(way: str, sign: str, label: str, key: str, is_there: bool, **attributes: str) -> Markup:
    """A button that leads to another turn, also by a key. It says which way, not which turn: of two quick clicks the
    second counts from where the first has led."""
    return element(
        "button",
        sign,
        type="button",
        aria_label=label,
        title=f"{label} ({key.replace('Arrow', '') if len(key) > 1 else key})",
        data_way=way,
        data_key=key,
        aria_disabled=None if is_there else "true",
        **attributes,
    )


def slider(turns: range, shown: int, text: str, **attributes: str) -> Markup:
    """To any turn; `text` says which one is shown."""
    return panel(
        element(
            "input",
            type="range",
            min=turns[0],
            max=turns[-1],
            value=shown,
            aria_label="Turn",
            aria_valuetext=text,
            **attributes,
        )
    )


def timeline(shown: int, live: int) -> Markup:
    """Back to earlier turns and forward again; the turn that is being played is always one step away."""
    is_live = shown == live
    text = "now" if is_live else f"before turn {shown + 1}"
    return panel(
        element(
            "nav",
            _look("first", "|<", "To the deal", "Home", shown > 0),
            _look("back", "<", "One turn back", "ArrowLeft", shown > 0),
            slider(range(live + 1), shown, text, id="turn", data_do="look"),
            _look("on", ">", "One turn on", "ArrowRight", not is_live),
            _look("live", ">|", "Back to the game", "End", not is_live),
            class_="timeline",
            id="timeline",
            aria_label="Turns",
        )
    )


def _look(way: str, sign: str, label: str, key: str, is_there: bool) -> Markup:
    return step(way, sign, label, key, is_there, id=f"turn-{way}", data_do="look")


def turn_of(way: str, shown: int, live: int) -> int:
    """Where a step leads that is made at the turn `shown`."""
    return {"first": 0, "back": max(0, shown - 1), "on": min(live, shown + 1), "live": live}.get(way, shown)
