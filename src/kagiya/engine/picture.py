"""The table as plain text, for `print(game)`; no colors are needed to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kagiya.cards import COLOR_LETTERS, SEAT_NAMES, Card, Seat, card_name, cards_name
from kagiya.engine.position import hidden_text, multiset
from kagiya.rules import Rules


def table_text(rules: Rules, state: Any) -> str:
    """Everything on the table, hands open as far as the state has them: cards, and what their owners were told."""
    hands = [[card_name(Card(card)) + told for card, told in hand] for hand in _hands(rules, state)]
    widths = [max(map(len, column)) for column in zip(*hands, strict=True)]
    lines = [", ".join(_numbers(rules, state)), _listed("fireworks", _fireworks(rules, state))]
    for seat, cards in enumerate(hands):
        row = "  ".join(card.ljust(width) for card, width in zip(cards, widths, strict=True))
        lines.append(f"{'>' if seat == state['seat'] else ' '} {SEAT_NAMES[seat]:<8}{row}".rstrip())
    return "\n".join([*lines, _listed("discards", cards_name(_discards(state)) or "none")])


def hand_words(rules: Rules, state: Any, seat: Seat) -> str:
    """One hand in a line: ``R1 G3(3!) ??``."""
    return " ".join(card_name(Card(card)) + told for card, told in _hand(rules, state, seat))


def _hands(rules: Rules, state: Any) -> list[list[tuple[int, str]]]:
    return [list(_hand(rules, state, seat)) for seat in range(rules.players)]


def _hand(rules: Rules, state: Any, seat: int) -> Iterator[tuple[int, str]]:
    for slot in range(rules.hand_size):
        card = int(state["hands"][seat, slot])
        yield card, hidden_text(rules, state, seat, slot)


def _numbers(rules: Rules, state: Any) -> Sequence[str]:
    points, left = sum(state["fireworks"].tolist()), rules.deck_size - int(state["drawn"])
    seat = SEAT_NAMES[int(state["seat"])]
    ending = [] if left else [f"{state['turns_left']} turns left"]
    return (
        f"turn {int(state['turn']) + 1}, {seat} to move: {points} of {rules.perfect_score} points",
        f"{state['tokens']} tokens",
        f"{state['lives']} lives",
        f"{left} cards in the deck",
        *ending,
    )


def _fireworks(rules: Rules, state: Any) -> str:
    return " ".join(f"{COLOR_LETTERS[color]}{state['fireworks'][color]}" for color in range(rules.colors))


def _discards(state: Any) -> list[Card]:
    return multiset(int(state["discard_low"]), int(state["discard_high"]))


def _listed(label: str, words: str) -> str:
    return f"  {label}  {words}"
