"""Pieces of HTML that the pages for playing and reviewing share: the table, from a `TableView`, and the log of moves.

Cards and what may be known of them, fireworks, counts, discards, the hands of the playing page with all that can be
done there; every move as a link to its turn, tabs of panels, and buttons and a slider for the turns. Whatever looks the
same is drawn once: from one turn to the next most of a table stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from kagiya.cards import COLOR_NAMES, Card, card_color, card_name, card_rank
from kagiya.drawing.canvas import SUITS, Child, Markup, Suit, Value, element, joined
from kagiya.drawing.card import (
    BARS,
    Marks,
    Possible,
    card_back,
    card_face,
    chance_bars,
    chances_grid,
    knowledge,
    suit_mark,
)
from kagiya.drawing.table_drawing import discard_grid, fireworks
from kagiya.engine.sentences import Sentence, Tone, Word, describe, slots_text
from kagiya.lab.pace import pace_risk
from kagiya.lab.review.card_chances import exact_chances
from kagiya.rules import Rules
from kagiya.view.observation import Event, Observation
from kagiya.view.table_view import TableCard, TableHand, TableHint, TableView
from kagiya.web.pages import Address, button, link, panel

EMPTY = re.compile(r"></(?:rect|path|circle)>")
PLAY_KEYS, DISCARD_KEYS = "12345", "67890"
BARS_TOLD = ("can be played now", "will never be needed", "the last copy of a card still needed")
RISKS = {
    "low": "enough time",
    "medium": "time is getting short",
    "high": "time is short",
    "zero": "each one costs a point",
}


def board(view: TableView, efficiency: float | None, heading: Markup) -> Markup:
    """What stands above the hands: whose turn it is, the fireworks, and what can be afforded. `efficiency`: cards that
    each hint to come must get, if all that is reachable shall be played."""
    rules, risk = view.rules, pace_risk(view.pace, view.rules.players) if view.pace is not None else ""
    counts = [
        _count("Points", f"{view.points}", f"of {rules.perfect_score}"),
        _count("Hints", f"{view.tokens}", _dots(view.tokens, rules.hint_tokens)),
        _count("Lives", f"{view.lives}", _dots(view.lives, rules.lives)),
        _count("Deck", f"{view.deck_left}", _last_turns(view.turns_left)),
        _count("Pace", "-" if view.pace is None else f"{view.pace}", _pace_words(view.pace, risk), f"pace {risk}"),
        _count("Efficiency", "-" if efficiency is None else f"{efficiency:.2f}", _needed_words(efficiency), "wide"),
    ]
    return element(
        "section",
        heading,
        panel(element("div", played_cards(view.fireworks), class_="fireworks", id="fireworks")),
        panel(element("dl", counts, class_="counts", id="counts")),
        class_="board",
        id="board",
        aria_label="Table",
    )


@lru_cache(maxsize=1024)
def _count(name: str, number: str, more: Markup | str, classes: str = "") -> Markup:
    """One number with its name."""
    return element(
        "div",
        element("dt", name),
        element("dd", element("b", number), " ", element("small", more)),
        class_=f"count {classes}".strip(),
    )


def _dots(there: int, most: int) -> Markup:
    """As many dots as there are, rings for those that are gone; the number says the same."""
    return element("span", "●" * there + "○" * max(0, most - there), aria_hidden="true", class_="dots")


def _last_turns(left: int | None) -> str:
    return "cards" if left is None else f"{left} turn{'' if left == 1 else 's'} left"


def _pace_words(pace: int | None, risk: str) -> str:
    """The pace in plain words."""
    return "the last round" if pace is None else f"discard{'' if pace == 1 else 's'} to spare: {RISKS[risk]}"


def _needed_words(efficiency: float | None) -> str:
    """What the hints to come must achieve."""
    if efficiency is None:
        return "hints are no longer scarce"
    return "all cards still needed are known of" if efficiency <= 0 else "cards that each hint must get"


def hands(view: TableView, branch: int, why_not: str, above: Markup | None = None) -> Markup:
    """All hands of the playing page: others' open, with every hint as a button; the seat's own last, from behind, with
    what can be done. `why_not` says why nothing can be done now, if so; `above` lies over others' hands."""
    others = [_other_hand(view, hand, why_not) for hand in view.in_turn_order[:-1]]
    mine = _my_hand(view.mine, view.rules, why_not, why_not or view.why_no_discard)
    return panel(
        element(
            "section",
            others,
            element("div", above, mine, class_="my-side"),
            class_=f"hands of-{view.rules.players}",
            id="hands",
            aria_label="Hands",
            data_with=True,
            data_turn=view.turn,
            data_branch=branch,
        )
    )


def _other_hand(view: TableView, hand: TableHand, why_not: str) -> Markup:
    cards = [_other_card(card, view.rules) for card in hand.held]
    who = _who(hand.name, hand.player or "a person")
    return _hand(hand, f"{hand.name}'s hand", who, cards, _hints(view.hints_for(hand), hand.name, hand.seat, why_not))


def _my_hand(hand: TableHand, rules: Rules, why_not: str, why_no_discard: str) -> Markup:
    cards = [_my_card(card, rules, why_not, why_no_discard) for card in hand.held]
    return _hand(hand, "Your hand", element("div", _who("You", hand.name), _legend()), cards, None)


def _hand(hand: TableHand, label: str, who: Markup, cards: list[Markup], hints: Markup | None) -> Markup:
    classes = f"hand{' mine' if hand.is_mine else ''}{' to-move' if hand.is_to_move else ''}"
    row = element("div", cards, class_="cards")
    return panel(
        element("div", who, row, hints, class_=classes, id=f"hand-{hand.seat}", role="group", aria_label=label)
    )


@lru_cache(maxsize=1024)
def _who(name: str, more: str) -> Markup:
    return element("div", element("h2", name), element("p", more, class_="soft agent"), class_="who")


@lru_cache(maxsize=1)
def _legend() -> Markup:
    """What the bars below one's own cards say, in their order; the bars say it themselves to a screen reader."""
    names = [
        element("li", element("span", class_=f"key {color}"), name, title=told)
        for (name, color), told in zip(BARS, BARS_TOLD, strict=True)
    ]
    return element("ul", names, class_="legend soft", aria_hidden="true")


@lru_cache(maxsize=2048)
def _other_card(card: TableCard, rules: Rules) -> Markup:
    suits = SUITS[: rules.colors]
    return panel(
        element(
            "div",
            panel(element("div", card_picture(card, suits, rules.ranks), class_="face", id=f"face-{card.order}")),
            panel(element("div", owner_knows(card, suits, rules.ranks), class_="known", id=f"known-{card.order}")),
            _note(card),
            **_place(card),
        )
    )


def _my_card(card: TableCard, rules: Rules, why_not: str, why_no_discard: str) -> Markup:
    slot, suits = card.slot + 1, SUITS[: rules.colors]
    assert card.chances is not None
    return panel(
        element(
            "div",
            panel(element("div", card_picture(card, suits, rules.ranks), class_="face", id=f"face-{card.order}")),
            panel(element("div", _bars(*card.chances), class_="bars", id=f"bars-{card.order}")),
            _button("play", slot, PLAY_KEYS, why_not),
            _button("discard", slot, DISCARD_KEYS, why_no_discard),
            _note(card),
            **_place(card),
        )
    )


def _place(card: TableCard) -> dict[str, Value]:
    classes = f"card{' new' if card.is_new else ''}{' lately' if card.marks.moved else ''}"
    return {"id": f"card-{card.order}", "class_": classes, "role": "group", "aria_label": f"slot {card.slot + 1}"}


def _note(card: TableCard) -> Markup | None:
    return element("p", card.note, class_="note") if card.note else None


@lru_cache(maxsize=64)
def _button(verb: str, slot: int, keys: str, why_not: str) -> Markup:
    return button(
        verb.title(),
        f"{verb}-{slot}",
        "move",
        aria_label=f"{verb.title()} slot {slot}",
        title=why_not or None,
        aria_disabled="true" if why_not else None,
        data_key=keys[slot - 1],
        class_=verb,
        data_move=f"{verb} {slot}",
    )


@lru_cache(maxsize=1024)
def _hints(hints: tuple[TableHint, ...], name: str, seat: int, why_not: str) -> Markup:
    """All hints for one player; few moves change them."""
    colors = [_hint(hint, name, seat, why_not) for hint in hints if not hint.value.isdigit()]
    ranks = [_hint(hint, name, seat, why_not) for hint in hints if hint.value.isdigit()]
    rows = element("div", colors, class_="row"), element("div", ranks, class_="row")
    return panel(element("div", rows, class_="hints", id=f"hints-{seat}", role="group", aria_label=f"Hints for {name}"))


def _hint(hint: TableHint, name: str, seat: int, why_not: str) -> Markup:
    reason = hint.why_not or why_not
    return button(
        hint.value if hint.value.isdigit() else _suit_sign(COLOR_NAMES.index(hint.value)),
        f"hint-{seat}-{hint.value}",
        "move",
        aria_label=f"Tell {name}: {hint.value}",
        title=reason or f"touches {slots_text(hint.slots)}",
        aria_disabled="true" if reason else None,
        data_lights=" ".join(f"card-{order}" for order in hint.touches) or None,
        class_="hint",
        data_move=hint.move,
    )


def notes(view: TableView) -> Markup:
    """Write on a card; what was written stands below it."""
    cards = [(_card_name(hand, card), card) for hand in reversed(view.in_turn_order) for card in hand.held]
    choices = _choices(tuple((card.order, name) for name, card in cards))
    written = [element("li", f"{name}: {card.note}") for name, card in cards if card.note]
    field = element("input", name="value", id="note", maxlength=200, data_empties=True, autocomplete="off")
    return element(
        "form",
        element("label", "Card ", panel(element("select", choices, name="card", id="note-card")), for_="note-card"),
        element("label", "Note ", field, for_="note"),
        element("button", "Write", type="submit", id="write-note"),
        panel(element("ul", written, class_="small", id="written")) if written else None,
        data_do="note",
        id="notes",
        class_="notes",
    )


@lru_cache(maxsize=256)
def _choices(cards: tuple[tuple[int, str], ...]) -> Markup:
    return joined([element("option", name, value=order) for order, name in cards])


def _card_name(hand: TableHand, card: TableCard) -> str:
    if hand.is_mine:
        return f"your slot {card.slot + 1}"
    return f"{hand.name}'s slot {card.slot + 1}, {card_name(card.card)}"


def for_page(drawing: Markup) -> Markup:
    """The same drawing in fewer bytes."""
    return Markup(EMPTY.sub("/>", drawing).replace("<g></g>", ""))


def card_picture(card: TableCard, suits: tuple[Suit, ...], ranks: int) -> Markup:
    """A card from the front if it is seen, else from behind, with what it can be."""
    return _front_or_back(card.card, card.possible, card.marks, suits, ranks)


@lru_cache(maxsize=2048)
def _front_or_back(card: Card, possible: Possible, marks: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    if card < 0:
        return for_page(card_back(possible, marks, suits, ranks))
    return for_page(card_face(suits[card_color(card)], card_rank(card), marks))


def owner_knows(card: TableCard, suits: tuple[Suit, ...], ranks: int) -> Markup:
    """What the owner of an open card knows, to stand below it."""
    return _knowledge(card.possible, card.marks, suits, ranks)


@lru_cache(maxsize=2048)
def _knowledge(possible: Possible, marks: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    return for_page(knowledge(possible, marks, suits, ranks))


@lru_cache(maxsize=1024)
def _bars(fits: float, useless: float, critical: float) -> Markup:
    """The chances of a hidden card."""
    return for_page(chance_bars(fits, useless, critical))


@lru_cache(maxsize=16)
def _suit_sign(color: int) -> Markup:
    """A suit's shape, for a button that says its name itself."""
    return for_page(suit_mark(SUITS[color], ""))


@lru_cache(maxsize=256)
def played_cards(heights: tuple[int, ...], suits: tuple[Suit, ...] = SUITS) -> Markup:
    """The fireworks."""
    return for_page(fireworks(heights, suits[: len(heights)]))


def discards(view: TableView, suits: tuple[Suit, ...] = SUITS) -> Markup:
    """Suit by rank, what is gone and what is left."""
    return _discards(view.discards, view.fireworks, view.rules, suits)


@lru_cache(maxsize=256)
def _discards(
    lost: tuple[tuple[int, ...], ...], played: tuple[int, ...], rules: Rules, suits: tuple[Suit, ...]
) -> Markup:
    legend = "Dots: copies left. A red frame: the last copy of a card still needed."
    grid = for_page(discard_grid(rules.copies, lost, played, suits[: rules.colors]))
    return element(
        "div", element("div", grid, class_="grid"), element("p", legend, class_="soft small"), class_="discards"
    )


def hand_chances(view: Observation) -> dict[int, list[list[float]]]:
    """By slot (from 1) the exact chance of every card, by color and rank: from hints, also those that passed it by."""
    rules, found = view.rules, exact_chances(view.states, view.seat)
    return {
        slot + 1: [found[slot, 5 * color : 5 * color + rules.ranks].round(6).tolist() for color in range(rules.colors)]
        for slot in view.mine.slots
    }


def chance_grids(view: Observation) -> Markup:
    """Every card that the seat's own cards can be, with its chance: a grid for each card."""
    suits = SUITS[: view.rules.colors]
    grids = [
        element("figure", element("figcaption", f"Slot {slot}"), for_page(chances_grid(grid, suits)))
        for slot, grid in hand_chances(view).items()
    ]
    return element("section", grids, class_="chance-grids", id="chance-grids", aria_label="What your cards can be")


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
