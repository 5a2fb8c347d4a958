"""From the words of a command line to rules and agents; everything is checked before anything is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli.options import DEFAULT_PLAYERS
from kagiya.rules import Rules, parse_rules
from kagiya.spec import near

if TYPE_CHECKING:
    from kagiya.agents._base import Agent


def read_seating(texts: Sequence[str], players: int | None, rules: str) -> tuple[Rules, tuple[Agent, ...]]:
    """The rules, and an agent for every seat."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.table import seat_agents

    count = players if players is not None else len(texts) if len(texts) > 1 else DEFAULT_PLAYERS
    parsed = parse_rules(rules, count)
    return parsed, seat_agents(parsed, [find_agent(text) for text in texts])


def read_seat(text: str, players: int) -> Seat:
    """A seat by number, counted from 1, or by name."""
    names = SEAT_NAMES[:players]
    if text.isdecimal() and 1 <= int(text) <= players:
        return Seat(int(text) - 1)
    if text.lower() in names:
        return Seat(names.index(text.lower()))
    if text.isdecimal():
        raise ValueError(f"seats are 1 to {players}, not {text}")
    raise ValueError(f"nobody here is called {text!r}; {near(text.lower(), names)}")


def read_eyes(text: str, players: int) -> Seat | None:
    """A seat, or None for all-seeing eyes."""
    return None if text.lower() == "all" else read_seat(text, players)


def check_writable(path: Path | None) -> None:
    """Refuse a file that cannot be written before a game is played for it."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        reason = "is a folder" if path.is_dir() else "there is no such folder to write it to"
        raise ValueError(f"{path}: {reason}")
