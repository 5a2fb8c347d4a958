"""`kagiya report`: writes the tables of the documents from the result files, or checks them."""

from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli.console import out


def report(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if a table is stale.")] = False,
    folder: Annotated[Path, typer.Option(help="The project: where README.md and results/ are.")] = Path(),
) -> None:
    """Write the tables of the documents from results/*.json, which league, bench and reproduce make.

    [bold]Examples[/]
      kagiya report
      kagiya report --check
    """
    from kagiya.lab.documents.report import agents_page, bench_block, embed, league_block, search_block, write_page

    readme = folder / "README.md"
    blocks = {
        "league": league_block(folder / "results/league.json"),
        "speed": bench_block(folder / "results/bench.json"),
    }
    changed = [name for name, block in blocks.items() if embed(readme, name, block, check)]
    speeds = folder / "results/bench-search.json"
    if speeds.exists() and embed(folder / "docs/search.md", "search speed", search_block(speeds), check):
        changed.append("search speed in docs/search.md")
    if write_page(folder / "docs/agents.md", agents_page(folder / "results/published.json"), check):
        changed.append("docs/agents.md")
    changed += write_papers(folder, check)
    out.print(f"written: {', '.join(changed)}" if changed else "every table is up to date")


def write_papers(folder: Path, check: bool) -> list[str]:
    """The page of published tables, and our own studies in the page on searches; returns what changed."""
    from kagiya.lab.documents.report import embed, write_page
    from kagiya.lab.papers.page import reproductions_page, study_block
    from kagiya.lab.papers.tables import read_tables

    studies = [table for table in read_tables(folder).values() if table.own]
    page = folder / "docs/search.md"
    changed = [
        f"{table.name} in docs/search.md"
        for table in studies
        if page.exists() and embed(page, table.name, study_block(folder, table), check)
    ]
    if write_page(folder / "docs/reproductions.md", reproductions_page(folder), check):
        changed.append("docs/reproductions.md")
    return changed
