"""Pictures of games that the store has: nothing is played, whatever the code is now."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kagiya.lab.documents.pictures import Key, Sample
from kagiya.lab.store.store import Store
from kagiya.lab.table.table import Results
from kagiya.rules import Rules
from kagiya.spec import Spec, parse_spec

CLOCK = "clock"  # in the terms of a seating: its games depend on how fast they were played


class NothingStoredError(ValueError):
    """The store has no games for a picture, or games of several tables."""


@dataclass(frozen=True)
class Wanted:
    """Which games a picture is of; None or nothing for all."""

    kind: str
    run: int | None = None
    agents: tuple[str, ...] = ()
    rules: str | None = None
    players: int | None = None
    parameter: str = ""  # of a curve


@dataclass(frozen=True)
class StoredPart:
    """Some games of one seating."""

    seating: int
    first: int
    games: int
    rules: Rules
    seats: tuple[str, ...]
    terms: str


def read_samples(store: Store, wanted: Wanted) -> tuple[Rules, dict[Key, Sample]]:
    """The games of the newest code, or those of a run, by the row, cell or point they belong to."""
    parts = [part for part in stored_parts(store, wanted.run) if _is_wanted(part, wanted)]
    keyed = [(key, part) for part in parts for key in keys_of(part, wanted)]
    if not keyed:
        raise NothingStoredError(f"{store.path} has no games for this picture; `kagiya results` lists what it has")
    rules = _one_table([part for _, part in keyed])
    found: dict[Key, list[Results]] = {}
    for key, part in keyed:
        found.setdefault(key, []).append(store.results(part.seating, part.first, part.games))
    samples = {key: Sample(rules, np.concatenate(results)) for key, results in found.items()}
    return rules, {key: sample for key, sample in samples.items() if len(sample.results)}


def stored_parts(store: Store, run: int | None) -> Iterator[StoredPart]:
    """The parts of a run, or all games of the newest code."""
    if run is None:
        query = "SELECT seating, min(first), max(first + games) - min(first) FROM chunk JOIN age USING (seating)"
        rows = store.rows(f"{query} WHERE newest GROUP BY seating ORDER BY seating")
    else:
        rows = store.rows("SELECT seating, first, games FROM part WHERE run = ? ORDER BY rowid", [run])
        if not rows:
            raise NothingStoredError(f"{store.path} has no run {run}; `kagiya results --runs` lists them")
    for seating, first, games in rows:
        row = store.catalog.seatings[seating]
        rules = Rules.from_json(json.loads(row["rules"]))
        yield StoredPart(seating, first, games, rules, tuple(row["seats"]), row["terms"])


def _is_wanted(part: StoredPart, wanted: Wanted) -> bool:
    is_table = (wanted.rules or part.rules.text()) == part.rules.text()
    is_table &= (wanted.players or part.rules.players) == part.rules.players
    return is_table and (not wanted.agents or set(part.seats) <= set(wanted.agents))


def _one_table(parts: Sequence[StoredPart]) -> Rules:
    """The rules of all these games: scores by different rules do not belong into one picture."""
    tables = dict.fromkeys(part.rules for part in parts)
    if len(tables) > 1:
        listed = ", ".join(f"{rules.text()} with {rules.players} players" for rules in tables)
        raise NothingStoredError(f"there are games of several tables: {listed}; choose with --rules and --players")
    return next(iter(tables))


def keys_of(part: StoredPart, wanted: Wanted) -> Iterator[Key]:
    """The rows, cells or points of a picture that the games of a seating belong to."""
    if wanted.kind == "crossplay":
        yield from guests_of(part.seats)
    elif wanted.kind == "curve":
        yield from points_of(part.seats, wanted.parameter)
    else:
        team = team_name(part.seats)
        yield (f"{team} ({part.terms})" if CLOCK in part.terms else team), ""


def team_name(seats: Sequence[str]) -> str:
    """Who plays, wherever they sit: a guest before its hosts, so that a run with every seating has a row per team."""
    counts = Counter(seats)
    if len(counts) == 1:
        return seats[0]
    ordered = sorted(counts.items(), key=lambda item: (item[1], item[0]))
    return " + ".join(agent if count == 1 else f"{count} {agent}" for agent, count in ordered)


def guests_of(seats: Sequence[str]) -> Iterator[Key]:
    """Who is alone among copies of whom; with two players each is the other's guest."""
    if len(set(seats)) == 1:
        yield seats[0], seats[0]
    elif len(set(seats)) == 2:
        for guest in dict.fromkeys(seats):
            (host,) = set(seats) - {guest}
            if seats.count(guest) == 1:
                yield guest, host


def points_of(seats: Sequence[str], parameter: str) -> Iterator[Key]:
    """An agent of self-play without the parameter, and the parameter's value."""
    spec = parse_spec(seats[0])
    values = [str(value) for name, value in spec.named if name == parameter]
    if len(set(seats)) == 1 and values and _is_number(values[0]):
        others = tuple(pair for pair in spec.named if pair[0] != parameter)
        yield str(Spec(spec.name, spec.values, others)), values[0]


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
