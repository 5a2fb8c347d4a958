"""`kagiya dev restamp`: measured cells keep their worth when the code changes but not the moves."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli.commands.report import say_what_is_outdated
from kagiya.cli.commands.signature import FILE, play, wanted_seatings
from kagiya.cli.console import out


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
    from kagiya.lab.papers.code_age import restamp as stamp_proven
    from kagiya.lab.papers.reading import read_tables
    from kagiya.lab.papers.results import TableResults
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
