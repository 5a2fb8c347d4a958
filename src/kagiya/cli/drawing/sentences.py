"""Moves in words, as one would tell them at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from kagiya.cards import COLOR_NAMES, SEAT_NAMES, Color, Seat, Slot, card_color, card_rank
from kagiya.cli.drawing.cards import card_word, color_word
from kagiya.engine.log import Event
from kagiya.rules import Rules


def tell(events: Iterable[Event], rules: Rules, you: Seat | None = None) -> Iterator[tuple[Event, Text]]:
    """Each event with its sentence; `events` start at the beginning of the game. `you` is addressed as such."""
    fireworks = [0] * rules.colors
    for event in events:
        yield event, _sentence(event, rules, fireworks, you)


def seat_word(seat: Seat, you: Seat | None = None) -> str:
    """The name of a seat."""
    return "you" if seat == you else SEAT_NAMES[seat]


def _sentence(event: Event, rules: Rules, fireworks: list[int], you: Seat | None) -> Text:
    verb = "hint" if event.move.is_hint else "play" if event.move.is_play else "discard"
    text = Text.assemble((seat_word(event.seat, you), "bold"), f" {verb}{'' if event.seat == you else 's'} ")
    if event.move.is_hint:
        return text + _hint(event, rules, you)
    assert event.card is not None
    assert event.move.slot is not None
    text = text.append(f"slot {event.move.slot + 1}: ") + card_word(event.card)
    if event.move.is_play:
        text += _outcome(event, rules, fireworks)
    return text


def _outcome(event: Event, rules: Rules, fireworks: list[int]) -> Text:
    """Whether the card fitted; the fireworks go along."""
    assert event.card is not None
    color, rank = card_color(event.card), card_rank(event.card)
    if fireworks[color] != rank:
        return Text.assemble(" does ", ("not fit, a life is lost", "bold red"))
    fireworks[color] += 1
    if rank + 1 == rules.ranks:
        return Text.assemble(" fits and ", (f"finishes {COLOR_NAMES[color]}", "bold green"))
    return Text(" fits")


def _hint(event: Event, rules: Rules, you: Seat | None) -> Text:
    move = event.move
    receiver = Seat((event.seat + (move.offset or 0)) % rules.players)
    value = color_word(Color(move.color)) if move.color is not None else Text(f"{(move.rank or 0) + 1}", "bold")
    return Text.assemble((seat_word(receiver, you), "bold"), " ", value, f": {slots_word(event.touched)}")


def slots_word(slots: Sequence[Slot]) -> str:
    """``slot 2``, ``slots 1 and 3``, ``no slot``."""
    if not slots:
        return "no slot"
    *first, last = (str(slot + 1) for slot in slots)
    return f"slots {', '.join(first)} and {last}" if first else f"slot {last}"
