"""One position as text and back, our FEN: what behaviour tests, bug reports and the command line write.

Sections stand on lines of their own or between semicolons, in any order; only the hands are required::

    rules goodman(lives=4) players=3    standard if left out; players: as many as there are hands
    moves 12; tokens 5; lives 3         made so far; 0 (or `seat bob` alone), all tokens and lives if left out
    fireworks R2 G1                     the top cards; no card is played if left out
    discards R1 G1 G4
    alice R3 Y4(Y!) G1(1!)#17 -- B5(RB,45)
    bob ...                             slot 1 first; -- is an empty slot
    deck W1 R4 ...                      top card first; three dots, or no section: the other cards, sorted
    left 2                              turns left once the deck is empty; one for each seat if left out

In parentheses stand the colors and ranks that the hints leave open (``*`` or nothing: all of them), and
``!`` marks what a hint has named. ``#17`` is the card's place in the deck, its age; if left out, it is the
place from which the slot was dealt. A position must be playable; it need not be reachable. Texts of older versions
have ``turn`` for ``moves``; turns are counted from 1 everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kagiya.cards import (
    COLOR_LETTERS,
    MAX_RANKS,
    NO_CARD,
    SEAT_NAMES,
    Card,
    card_color,
    card_name,
    card_rank,
    cards_name,
    mask_cards,
)
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, States, new_states
from kagiya.engine.position_reader import ALL, RANK_DIGITS, PositionError, PositionReader, dealt_place, whole_number
from kagiya.engine.template import write_template
from kagiya.rules import Rules, parse_rules

__all__ = ["PositionError", "parse_position", "position_text"]

KEYWORDS = ("rules", "moves", "seat", "tokens", "lives", "fireworks", "discards", *SEAT_NAMES, "deck", "left")
OLDER = {"turn": "moves"}
PLAYERS = re.compile(r"\s+players=(\S*)$")


def position_text(rules: Rules, states: States, i: int) -> str:
    """The position in lane `i`, played by `rules`, in the form that `parse_position` reads."""
    state = states[i]
    deck = state["deck"][int(state["drawn"]) : rules.deck_size].tolist()
    lines = [
        f"rules {rules.text()} players={rules.players}",
        f"moves {state['turn']}; tokens {state['tokens']}; lives {state['lives']}",
        _listed("fireworks", _top_cards(state["fireworks"].tolist())),
        _listed("discards", multiset(int(state["discard_low"]), int(state["discard_high"]))),
        *(f"{SEAT_NAMES[seat]} {_hand_text(rules, state, seat)}" for seat in range(rules.players)),
        _listed("deck", deck),
        "" if deck else f"left {state['turns_left']}",
    ]
    return "\n".join(line for line in lines if line)


def parse_position(text: str) -> tuple[Rules, States]:
    """The inverse of `position_text`: the rules, and an array whose only lane holds the position."""
    sections = _sections(text)
    rules = _parse_rules(sections)
    states = new_states(1)
    write_template(rules, states, 0)
    PositionReader(rules, sections, states[0]).read()
    return rules, states


def _sections(text: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    for part in re.split(r"[;\n]", text):
        if not part.strip():
            continue
        keyword, rest = re.fullmatch(r"(\S+)\s*(.*)", part.strip()).groups()  # type: ignore[union-attr]
        keyword = OLDER.get(keyword.lower(), keyword.lower())
        if keyword not in KEYWORDS:
            raise PositionError(f"{keyword}: no such section; expected one of {', '.join(KEYWORDS)}")
        if keyword in sections:
            raise PositionError(f"{keyword}: this section is given twice; expected it once")
        sections[keyword] = rest
    return sections


def _parse_rules(sections: dict[str, str]) -> Rules:
    text = " " + sections.get("rules", "standard")
    hands = sum(name in sections for name in SEAT_NAMES)
    if not hands:
        raise PositionError("alice: no hand is given; expected the hands of all players")
    players = match[1] if (match := PLAYERS.search(text)) else str(max(2, hands))
    try:
        return parse_rules(PLAYERS.sub("", text), whole_number(players))
    except ValueError as error:
        raise PositionError(f"rules: {error}") from None


def _listed(keyword: str, cards: Sequence[int]) -> str:
    return f"{keyword} {cards_name(cards)}" if cards else ""


def _top_cards(fireworks: list[int]) -> list[int]:
    return [MAX_RANKS * color + height - 1 for color, height in enumerate(fireworks) if height]


def multiset(low: int, high: int) -> list[Card]:
    """The cards of two planes, each as often as it is there."""
    return [card for card in mask_cards(low | high) for _ in range((low >> card & 1) + 2 * (high >> card & 1))]


def _hand_text(rules: Rules, state: Any, seat: int) -> str:
    return " ".join(_slot_text(rules, state, seat, slot) for slot in range(rules.hand_size))


def _slot_text(rules: Rules, state: Any, seat: int, slot: int) -> str:
    card, place = Card(int(state["hands"][seat, slot])), int(state["order"][seat, slot])
    known = hidden_text(rules, state, seat, slot)
    if card == NO_CARD:
        return card_name(card)
    return f"{card_name(card)}{known}" + ("" if place == dealt_place(rules, seat, slot) else f"#{place}")


def hidden_text(rules: Rules, state: Any, seat: int, slot: int) -> str:
    """What hints say of a card, in parentheses: ``(R!,45)``; nothing if they say nothing."""
    if state["hands"][seat, slot] == NO_CARD:
        return ""
    told = int(state["told"][seat, slot])
    cards = list(mask_cards(int(state["possible"][seat, slot])))
    colors = _open_text({card_color(card) for card in cards}, COLOR_LETTERS[: rules.colors], told & TOLD_COLOR)
    ranks = _open_text({card_rank(card) for card in cards}, RANK_DIGITS[: rules.ranks], told & TOLD_RANK)
    parts = [part for part in (colors, ranks) if part != ALL]
    return f"({','.join(parts)})" if parts else ""


def _open_text(values: set[Any], letters: str, told: int) -> str:
    if len(values) == len(letters) and not told:
        return ALL
    return "".join(letters[value] for value in sorted(values)) + ("!" if told else "")
