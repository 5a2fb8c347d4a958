"""Which teams of the store somebody wants to look at, by rules, players, agent, run and code; no game is read for it.

Everything is decided by the catalog and by comparing texts: no agent is looked up, so that no module is imported
because of a text that came from elsewhere.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kagiya.lab.match.match import Interval
from kagiya.lab.store.catalog import Catalog, Row
from kagiya.lab.store.intervals import Intervals
from kagiya.rules import Rules


@dataclass(frozen=True)
class Choice:
    """Which teams are wanted; None for all."""

    rules: str | None = None  # as texts name them: "standard"
    players: int | None = None
    agent: str | None = None  # in any seat
    run: int | None = None  # only the games of this run, whatever the code
    code: str | None = None  # the first characters of its hash
    older: bool = False  # teams of older code too, where neither a run nor a code is chosen


@dataclass(frozen=True)
class StoredTeam:
    """A team in its seats under one code, and those of its stored games that are wanted."""

    seating: int
    preset: str
    rules: Rules
    seats: tuple[str, ...]
    code: str
    terms: str
    is_newest: bool
    seeds: tuple[Interval, ...]

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def games(self) -> int:
        return sum(after - first for first, after in self.seeds)


def chosen_teams(catalog: Catalog, choice: Choice) -> list[StoredTeam]:
    """The teams that pass, in the order in which they first played."""
    wanted = None if choice.run is None else seeds_of_run(catalog, choice.run)
    newest = newest_seatings(catalog)
    found = []
    for number, row in sorted(catalog.seatings.items()):
        if not _passes(row, choice, number in newest):
            continue
        stored = catalog.intervals(number)
        seeds = tuple(stored if wanted is None else _common(stored, wanted.get(number, Intervals())))
        if seeds:
            found.append(_team(number, row, number in newest, seeds))
    return found


def newest_seatings(catalog: Catalog) -> set[int]:
    """Of each team, rules and terms: the seating whose code played last. The view `age` says the same in SQL."""
    last_run: dict[int, int] = defaultdict(int)
    for run, seating, _, _ in catalog.parts:
        last_run[seating] = max(last_run[seating], run)
    newest: dict[tuple[str, str, str], tuple[int, int]] = {}
    for number, row in catalog.seatings.items():
        if any(catalog.intervals(number)):
            key = row["rules"], row["team"], row["terms"]
            newest[key] = max(newest.get(key, (0, 0)), (last_run[number], number))
    return {number for _, number in newest.values()}


def seeds_of_run(catalog: Catalog, run: int) -> dict[int, Intervals]:
    """The seeds that a run asked for, by seating; no seed twice."""
    found: dict[int, Intervals] = defaultdict(Intervals)
    for number, seating, first, games in catalog.parts:
        if number == run:
            for start, after in found[seating].gaps(first, first + games):
                found[seating].add(start, after)
    return dict(found)


@dataclass(frozen=True)
class Offers:
    """What a store can be asked for: the values of a choice that find something."""

    rules: tuple[str, ...]
    players: tuple[int, ...]
    agents: tuple[str, ...]


def offers(teams: Iterable[StoredTeam]) -> Offers:
    """Of these teams; the rules that played last come first."""
    listed = sorted(teams, key=lambda team: -team.seating)
    return Offers(
        tuple(dict.fromkeys(team.preset for team in listed)),
        tuple(sorted({team.players for team in listed})),
        tuple(sorted({seat for team in listed for seat in team.seats})),
    )


def settled(choice: Choice, teams: Sequence[StoredTeam]) -> Choice:
    """With rules and players: those of the team that came last, where none are chosen."""
    if not teams:
        return choice
    last = max(teams, key=lambda team: team.seating)
    rules = choice.rules or last.preset
    same = max((team for team in teams if team.preset == rules), key=lambda team: team.seating)
    return replace(choice, rules=rules, players=choice.players or same.players)


def count_older(catalog: Catalog, choice: Choice) -> int:
    """How many teams pass but for their code, and so are not shown."""
    if choice.older or choice.run is not None or choice.code is not None:
        return 0
    newest = newest_seatings(catalog)
    return sum(
        number not in newest and any(catalog.intervals(number)) and _passes(row, choice, True)
        for number, row in catalog.seatings.items()
    )


def _passes(row: Row, choice: Choice, is_newest: bool) -> bool:
    whatever_code = choice.older or choice.run is not None or choice.code is not None
    return (
        (choice.rules is None or row["preset"] == choice.rules)
        and (choice.players is None or row["players"] == choice.players)
        and (choice.agent is None or choice.agent in row["seats"])
        and (choice.code is None or row["code"].startswith(choice.code))
        and (whatever_code or is_newest)
    )


def _team(number: int, row: Row, is_newest: bool, seeds: Sequence[Interval]) -> StoredTeam:
    rules = _read_rules(row["rules"])
    return StoredTeam(
        number, row["preset"], rules, tuple(row["seats"]), row["code"], row["terms"], is_newest, tuple(seeds)
    )


@lru_cache(maxsize=256)
def _read_rules(text: str) -> Rules:
    return Rules.from_json(json.loads(text))


def _common(some: Intervals, others: Intervals) -> list[Interval]:
    """The seeds that are in both."""
    return [
        (max(first, start), min(after, end))
        for first, after in some
        for start, end in others
        if max(first, start) < min(after, end)
    ]
