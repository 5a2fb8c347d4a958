"""The hands on the table: others' open, with every hint as a button; one's own from behind, with what can be done."""

from __future__ import annotations

from functools import lru_cache

from kagiya.cards import COLOR_NAMES
from kagiya.drawing.chances import BARS
from kagiya.drawing.markup import Markup, Value, element
from kagiya.engine.telling import slots_text
from kagiya.rules import Rules
from kagiya.web.panels import panel
from kagiya.web.seat.cards import bars, hidden_card, open_card, owner_knows, suit_sign
from kagiya.web.seat.sight import CardSight, HandSight, HintSight, Sight

PLAY_KEYS, DISCARD_KEYS = "12345", "67890"
BARS_TOLD = ("can be played now", "will never be needed", "the last copy of a card still needed")


def hands(sight: Sight, rules: Rules, branch: int, why_not: str, above: Markup | None = None) -> Markup:
    """All hands, one's own last. `why_not` says why nothing can be done now, if so; `above` lies over others' hands."""
    others = [_other_hand(hand, rules, why_not) for hand in sight.hands[:-1]]
    mine = _my_hand(sight.hands[-1], rules, why_not, why_not or sight.why_no_discard)
    mine = element("div", above, mine, class_="my-side")
    turn = {"data_turn": sight.turn, "data_branch": branch}
    drawn = element(
        "section",
        others,
        mine,
        class_=f"hands of-{rules.players}",
        id="hands",
        aria_label="Hands",
        data_with=True,
        **turn,
    )
    return panel(drawn)


def _other_hand(hand: HandSight, rules: Rules, why_not: str) -> Markup:
    cards = [_other_card(card, rules) for card in hand.cards]
    who = _who(hand.name, hand.agent or "a person")
    return _hand(hand, f"{hand.name}'s hand", who, cards, _hints(hand.hints, hand.name, hand.seat, why_not))


def _my_hand(hand: HandSight, rules: Rules, why_not: str, why_no_discard: str) -> Markup:
    cards = [_my_card(card, rules, why_not, why_no_discard) for card in hand.cards]
    return _hand(hand, "Your hand", element("div", _who("You", hand.name), _legend()), cards, None)


def _hand(hand: HandSight, label: str, who: Markup, cards: list[Markup], hints: Markup | None) -> Markup:
    classes = f"hand{' mine' if hand.is_mine else ''}{' to-move' if hand.is_to_move else ''}"
    row = element("div", cards, class_="cards")
    drawn = element("div", who, row, hints, class_=classes, id=f"hand-{hand.seat}", role="group", aria_label=label)
    return panel(drawn)


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
def _other_card(card: CardSight, rules: Rules) -> Markup:
    drawn = element(
        "div",
        panel(element("div", open_card(card), class_="face", id=f"face-{card.order}")),
        panel(element("div", owner_knows(card, rules.colors, rules.ranks), class_="known", id=f"known-{card.order}")),
        _note(card),
        **_place(card),
    )
    return panel(drawn)


def _my_card(card: CardSight, rules: Rules, why_not: str, why_no_discard: str) -> Markup:
    slot = card.slot + 1
    drawn = element(
        "div",
        panel(element("div", hidden_card(card, rules.colors, rules.ranks), class_="face", id=f"face-{card.order}")),
        panel(element("div", bars(card.fits, card.useless, card.critical), class_="bars", id=f"bars-{card.order}")),
        _button("play", slot, PLAY_KEYS, why_not),
        _button("discard", slot, DISCARD_KEYS, why_no_discard),
        _note(card),
        **_place(card),
    )
    return panel(drawn)


def _place(card: CardSight) -> dict[str, Value]:
    """Which card it is: to the page by its order, to a screen reader by its slot."""
    classes = f"card{' new' if card.is_new else ''}{' lately' if card.is_touched_lately else ''}"
    return {"id": f"card-{card.order}", "class_": classes, "role": "group", "aria_label": f"slot {card.slot + 1}"}


@lru_cache(maxsize=64)
def _button(verb: str, slot: int, keys: str, why_not: str) -> Markup:
    return element(
        "button",
        verb.title(),
        type="button",
        id=f"{verb}-{slot}",
        aria_label=f"{verb.title()} slot {slot}",
        title=why_not or None,
        aria_disabled="true" if why_not else None,
        data_key=keys[slot - 1],
        class_=verb,
        data_do="move",
        data_move=f"{verb} {slot}",
    )


@lru_cache(maxsize=1024)
def _hints(hints: tuple[HintSight, ...], name: str, seat: int, why_not: str) -> Markup:
    """All hints for one player; few moves change them."""
    colors = [_hint(hint, name, seat, why_not) for hint in hints if not hint.value.isdigit()]
    ranks = [_hint(hint, name, seat, why_not) for hint in hints if hint.value.isdigit()]
    rows = element("div", colors, class_="row"), element("div", ranks, class_="row")
    drawn = element("div", rows, class_="hints", id=f"hints-{seat}", role="group", aria_label=f"Hints for {name}")
    return panel(drawn)


def _hint(hint: HintSight, name: str, seat: int, why_not: str) -> Markup:
    reason = hint.why_not or why_not
    label = f"Tell {name}: {hint.value}"
    return element(
        "button",
        hint.value if hint.value.isdigit() else suit_sign(COLOR_NAMES.index(hint.value)),
        type="button",
        id=f"hint-{seat}-{hint.value}",
        aria_label=label,
        title=reason or f"touches {slots_text(hint.slots)}",
        aria_disabled="true" if reason else None,
        data_lights=" ".join(f"card-{order}" for order in hint.touches) or None,
        class_="hint",
        data_do="move",
        data_move=hint.move,
    )


def _note(card: CardSight) -> Markup | None:
    return element("p", card.note, class_="note") if card.note else None
