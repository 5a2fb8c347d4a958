"""Reads published tables from reproductions/*.toml, and refuses what could not be measured or shown."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kagiya.agents.register import agent_types, check_file_agent, find_agent
from kagiya.lab.papers.tables import (
    PRINTED,
    SPREADS,
    Claim,
    Column,
    PaperTable,
    PublishedPlayer,
    Reference,
    Row,
    Run,
    TableError,
)
from kagiya.lab.statistics.quantities import Quantity
from kagiya.rules import BombScore, parse_rules
from kagiya.spec import SpecError, near, parse_spec

FOLDER = "reproductions"


def read_tables(project: Path) -> dict[str, PaperTable]:
    """The tables of a project if it has some of its own, else those that come with Kagiya, by name."""
    own = project / FOLDER
    return read_folder(own) if own.is_dir() else shipped_tables()


def shipped_tables(agent: str = "") -> dict[str, PaperTable]:
    """The tables that come with Kagiya, or only those with a row of an agent: reading them all takes a while."""
    paths = table_files(files("kagiya") / FOLDER).items()
    row = f'\nagent = "{agent}'
    return {name: _shipped_table(name) for name, path in paths if not agent or row in path.read_text(encoding="utf-8")}


@cache
def _shipped_table(name: str) -> PaperTable:
    return parse_table(files("kagiya") / FOLDER / f"{name}.toml")  # which the tests have checked


def read_folder(folder: Traversable) -> dict[str, PaperTable]:
    """All tables in a folder, by the names of their files."""
    return {name: read_table(path) for name, path in table_files(folder).items()}


def table_files(folder: Traversable) -> dict[str, Traversable]:
    """The files of tables, by name."""
    paths = sorted(folder.iterdir(), key=lambda path: path.name)
    return {path.name.removesuffix(".toml"): path for path in paths if path.name.endswith(".toml")}


def read_table(path: Traversable) -> PaperTable:
    """One table, checked: its figures are numbers, its rules and agents exist or are planned."""
    table = parse_table(path)
    check_table(table)
    return table


def parse_table(path: Traversable) -> PaperTable:
    """One table as it is written."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{path} is not TOML: {error}") from None
    data["columns"] = tuple(_column(entry, path) for entry in data.get("columns", ()))
    data["rows"] = tuple(row for entry in data.get("rows", ()) for row in _rows(entry, path))
    data["published"] = tuple(_published(entry, path) for entry in data.get("published", ()))
    data["claims"] = tuple(_record(Claim, entry, path) for entry in data.get("claims", ()))
    table: PaperTable = _record(PaperTable, {**data, "name": path.name.removesuffix(".toml")}, path)
    return table


def _rows(entry: dict[str, Any], path: Traversable) -> list[Row]:
    """A row, or one for each number of players if several are given."""
    players = entry.get("players")
    each = [{**entry, "players": count} for count in players] if isinstance(players, list) else [entry]
    return [_record(Row, row, path) for row in each]


def _published(entry: dict[str, Any], path: Traversable) -> PublishedPlayer:
    cells = [_record(Reference, cell, path) for cell in entry.get("cells", ())]
    player: PublishedPlayer = _record(PublishedPlayer, {**entry, "cells": cells}, path)
    for text in (*player.mean.values(), *player.perfect.values()):
        if not PRINTED.fullmatch(text):
            raise TableError(f"{path}, {player.label}: {text!r} is not a figure like 24.61 or 24.6 ± 0.02")
    if player.bomb not in ("", *BombScore):
        raise TableError(f"{path}, {player.label}: a bomb scores {' or '.join(BombScore)}, not {player.bomb!r}")
    return player


def _column(entry: dict[str, Any], path: Traversable) -> Column:
    own = {"rules", "players", "words", "name", "measure"}
    quantity = {key: value for key, value in entry.items() if key not in own}
    quantity["kind"] = quantity.pop("quantity", "score")
    rest = {key: value for key, value in entry.items() if key in own}
    column: Column = _record(Column, {**rest, "quantity": _record(Quantity, quantity, path)}, path)
    return column


def _record(kind: Any, entry: dict[str, Any], path: Traversable) -> Any:
    known = [each.name for each in fields(kind)]
    for key in entry:
        if key not in known:
            raise TableError(f"{path}: no key {key!r} in a {kind.__name__.lower()}; {near(key, known)}")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise TableError(f"{path}: {str(error).replace('__init__()', '').strip()}") from None


def check_table(table: PaperTable) -> None:
    """Refuse what could not be measured or shown, planned agents excepted."""
    if table.spread not in SPREADS:
        raise TableError(f"{table.name}: spread is one of {', '.join(SPREADS)}, not {table.spread!r}")
    for row in table.rows:
        if len(row.printed) != (0 if table.own else len(table.columns)):
            raise TableError(f"{table.name}, {row.label}: {len(row.printed)} figures, {len(table.columns)} columns")
        if row.budgets and len(row.budgets) != len(table.columns):
            raise TableError(f"{table.name}, {row.label}: {len(row.budgets)} budgets, {len(table.columns)} columns")
    for run in dict.fromkeys(cell.run for cell in table.cells()):
        parse_rules(run.rules, run.players)
        for text in run.agents:
            check_file_agent(text, table.name)
        why_waiting(run, table.planned)
    labels, names = {row.label for row in table.rows}, {column.name for column in table.columns}
    for claim in table.claims:
        if unknown := ({claim.row, claim.against} - labels) | (set(claim.expected) - names):
            raise TableError(f"{table.name}: a claim about {min(unknown)!r}, which is not a row or a column")


@cache
def why_waiting(run: Run, planned: tuple[str, ...]) -> str:
    """Why a run cannot be played yet; empty if it can. An agent neither built nor planned is an error."""
    for text in dict.fromkeys(run.agents):
        name = parse_spec(text).name
        if name not in planned:
            agent = find_agent(text)
        elif name not in agent_types():
            return f"{name} is not built yet"
        else:
            try:
                agent = find_agent(text)
            except SpecError as error:
                return str(error)
        if reason := agent.why_not(parse_rules(run.rules, run.players)):
            return reason
    return ""
