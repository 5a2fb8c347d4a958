"""`kagiya dev signature`: hashes of what every agent does on fixed decks; `kagiya dev restamp`: what they prove."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.commands.report import say_what_is_outdated
from kagiya.cli.console import out
from kagiya.cli.errors import FAILED, complain

if TYPE_CHECKING:
    from kagiya.lab.provenance.signature import Change, Signature
    from kagiya.lab.provenance.signature_games import Seating

FILE = Path("results/signature.json")


def signature(
    names: Annotated[list[str] | None, typer.Argument(metavar="AGENT", help="Only these agents.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Fail if the games are not those of the file.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the file, for later checks.")] = False,
    file: Annotated[Path, typer.Option(help="The file to compare with or to write.")] = FILE,
    as_json: options.Json = False,
) -> None:
    """Play fixed decks with every agent and hash all moves; searches with a small budget, their visits included.

    A hash changes when an agent's behaviour on these decks does. The file in
    the project holds the hashes of its last commit, so that a change that is
    meant to leave the games alone can prove that it does. An agent that is not
    in the file passes; --write adds it.

    [bold]Examples[/]
      kagiya dev signature
      kagiya dev signature --check
      kagiya dev signature smartbot ris-mcts --check
    """
    from kagiya.lab.provenance.signature import TO_DO, changes, read_signature, write_signature

    if write and (check or names):
        raise typer.BadParameter("--write takes all agents and does not go with --check")
    written = read_signature(file) if check else None
    played = play(wanted_seatings(names))
    found = [] if written is None else changes(written.only(played.agents) if names else written, played)
    if write:
        write_signature(file, played)
    if as_json:
        typer.echo(json.dumps(played.to_json() | ({"changes": [asdict(change) for change in found]} if check else {})))
    elif check:
        show_changes(found, played, file, sorted(set(played.agents) - set(written.agents if written else ())))
    else:
        show(played)
    if found:
        agents = len({change.agent for change in found})
        complain(f"{agents} of {len(played.agents)} agents differ from {file}; {TO_DO}")
        raise typer.Exit(FAILED)


def wanted_seatings(names: list[str] | None) -> list[Seating]:
    """All seatings, or those of the agents named."""
    from kagiya.lab.provenance.signature_games import all_seatings
    from kagiya.spec import near

    found = list(all_seatings())
    groups = dict.fromkeys(seating.group for seating in found)
    for name in names or ():
        if name not in groups:
            raise ValueError(f"no agent named {name!r}; {near(name, groups)} (agents are given without parameters)")
    return [seating for seating in found if not names or seating.group in names]


def play(seatings: list[Seating]) -> Signature:
    """Play all games, with a bar."""
    from kagiya.cli.compiling import make_ready
    from kagiya.cli.progress import late_bar
    from kagiya.lab.provenance.signature import sign

    make_ready([agent for seating in seatings for agent in seating.agents])
    with late_bar("playing", len(seatings)) as advance:
        return sign(seatings, lambda: advance(1))


def show(played: Signature) -> None:
    """A line for each agent, and the total."""
    width = max(map(len, played.agents))
    for name in played.agents:
        out.print(f"{name:{width}}  {played.of(name)}")
    out.print(f"{'total':{width}}  {played.total}", style="bold")


def show_changes(found: list[Change], played: Signature, file: Path, unwritten: list[str]) -> None:
    """A line for each seating that differs, and the agents that nothing was written of."""
    if unwritten:
        out.print(f"not in {file} yet: {', '.join(unwritten)}; kagiya dev signature --write adds them", soft_wrap=True)
    if not found:
        out.print(f"{'every other' if unwritten else 'every'} game is as in {file}: {played.total}", soft_wrap=True)
    for change in found:
        out.print(f"{change.kind:8} {change.agent}: {change.seating}", soft_wrap=True)


def restamp(
    folder: Annotated[Path, typer.Option(help="The project: where results/ is.")] = Path(),
) -> None:
    """After a change that left all moves alone: stamp the measured cells with the hash of the present code.

    Plays the games of [bold]kagiya dev signature[/]. A cell whose agents make
    the moves that they made when it was measured gets the new hash, and beside it
    the proof: the signature's hash, the date, and the code that truly measured it.
    All others stay outdated. Run it in a commit of its own, after the signature.

    [bold]Examples[/]
      kagiya dev restamp
    """
    from kagiya.lab.papers.measurement import TableResults
    from kagiya.lab.papers.measurement import restamp as stamp_proven
    from kagiya.lab.papers.paper_tables import read_tables
    from kagiya.lab.provenance.signature import read_signature

    written, played = read_signature(folder / FILE), play(wanted_seatings(None))
    proven = played.only(name for name, hashes in played.agents.items() if written.agents.get(name) == hashes)
    stamped, date = 0, datetime.now(UTC).date().isoformat()
    for table in read_tables(folder).values():
        results = TableResults.read(folder, table.name)
        stamped += stamp_proven(results, proven, date)
        if results.runs != results.stored[0]:
            results.write(table)
    if unproven := sorted(set(played.agents) - set(proven.agents)):
        out.print(f"not as written down, so not stamped: {', '.join(unproven)}", soft_wrap=True)
    out.print(f"{stamped} matches stamped with the hash of the present code", soft_wrap=True)
    say_what_is_outdated(folder)
