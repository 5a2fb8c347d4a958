"""Seats: which agents play, as words of a command say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli.options import DEFAULT_PLAYERS
from kagiya.rules import Rules, parse_rules
from kagiya.spec import near

if TYPE_CHECKING:
    from kagiya.agents.api import Agent


def read_seating(texts: Sequence[str], players: int | None, rules: str) -> tuple[Rules, tuple[Agent, ...]]:
    """The rules, and an agent for every seat."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.table.table import seat_agents

    count = players if players is not None else len(texts) if len(texts) > 1 else DEFAULT_PLAYERS
    parsed = parse_rules(rules, count)
    return parsed, seat_agents(parsed, [find_agent(text) for text in texts])


@dataclass(frozen=True)
class ChosenSeats:
    """A person's place at the table, and the agents in the other seats."""

    rules: Rules
    partners: tuple[Agent, ...]
    place: Seat

    @property
    def names(self) -> list[str]:
        """Who sits where, the person as "human"."""
        texts = [agent.text for agent in self.partners]
        return [*texts[: self.place], "human", *texts[self.place :]]

    def seated(self, person: Agent) -> list[Agent]:
        """All players, the person in place."""
        return [*self.partners[: self.place], person, *self.partners[self.place :]]


def seat_person(texts: Sequence[str], players: int | None, rules: str, seat: str) -> ChosenSeats:
    """The rules, the person's place, and partners for all other seats."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.table.table import SeatingError

    count = players if players is not None else len(texts) + 1 if len(texts) > 1 else DEFAULT_PLAYERS
    parsed = parse_rules(rules, count)
    partners = tuple(find_agent(text) for text in texts) * (count - 1 if len(texts) == 1 else 1)
    if len(partners) != count - 1:
        raise SeatingError(f"{len(texts)} agents and you for {count} players; give one agent, or one for each seat")
    for agent in partners:
        if reason := agent.why_not(parsed):
            raise SeatingError(reason)
    return ChosenSeats(parsed, partners, read_seat(seat, count))


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


def read_viewer(text: str, players: int) -> Seat | None:
    """The seat whose view is meant, or None for all cards."""
    return None if text.lower() == "all" else read_seat(text, players)


def check_writable(path: Path | None) -> None:
    """Refuse a file that cannot be written before a game is played for it."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        reason = "is a folder" if path.is_dir() else "there is no such folder to write it to"
        raise ValueError(f"{path}: {reason}")
