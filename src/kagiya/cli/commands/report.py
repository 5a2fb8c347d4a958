"""`kagiya dev report`: writes the tables of the documents from the result files, or checks them."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli.console import out

SEARCH_PAGE, LEARNING_PAGE = "docs/search.md", "docs/learning.md"  # where tables of our own stand
BEST_IN_README = 16
TURN = "docs/turn.svg"
SHOWN = ("smartbot", 3, 7, 7)  # the turn that the README shows: agent, players, seed, turn


def report(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if a table is stale.")] = False,
    folder: Annotated[Path, typer.Option(help="The project: where README.md and results/ are.")] = Path(),
) -> None:
    """Write the tables of the documents from results/*.json, which league, bench and reproduce make.

    Also what comes from the code: docs/agents.md, docs/api.md, docs/kernels.md, docs/observation.md and the picture of
    docs/rules.md; and docs/bibliography.md.

    [bold]Examples[/]
      kagiya dev report
      kagiya dev report --check
    """
    import kagiya
    from kagiya.dev.pages import api_page, bench_block, kernels_page, league_block, league_page, search_block
    from kagiya.lab.documents.markdown import embed, write_page
    from kagiya.lab.documents.table_picture import example_picture
    from kagiya.lab.papers.bibliography import bibliography_page
    from kagiya.rl.layout_page import observation_page

    readme = folder / "README.md"
    blocks = {
        "league": league_block(folder / "results/league.json", BEST_IN_README),
        "speed": bench_block(folder / "results/bench.json"),
    }
    changed = [name for name, block in blocks.items() if embed(readme, name, block, check)]
    speeds = folder / "results/bench-search.json"
    if speeds.exists() and embed(folder / "docs/search.md", "search speed", search_block(speeds), check):
        changed.append("search speed in docs/search.md")
    pages = {
        "docs/kernels.md": kernels_page(),
        "docs/api.md": api_page(kagiya),
        "docs/observation.md": observation_page(),
        "docs/bibliography.md": bibliography_page(),
        "docs/league.md": league_page(folder / "results/league.json"),
        "docs/rules.svg": example_picture(),
    }
    changed += [name for name, text in pages.items() if write_page(folder / name, text, check)]
    changed += write_papers(folder, check)
    if not check and (folder / TURN).exists():  # how it is drawn depends on the version of rich, so nobody compares it
        draw_shown_turn(folder / TURN)
    out.print(f"written: {', '.join(changed)}" if changed else "every table is up to date")
    say_what_is_outdated(folder)


def draw_shown_turn(path: Path) -> None:
    """One turn with its reason, as `kagiya show --why` shows it."""
    from kagiya.cli.commands.show import play_one, positions
    from kagiya.cli.drawing import story
    from kagiya.cli.drawing.terminal_picture import recording_console, write_terminal_picture
    from kagiya.lab.match.match import Match
    from kagiya.lab.statistics.regret import move_costs
    from kagiya.rules import Rules

    agent, players, seed, turn = SHOWN
    record, because, _ = play_one(Match.of(Rules(players=players), agent, 1, seed), why=True)
    games = list(positions(record))
    told = story.Told(record, None, move_costs(games), because.why)
    title = f"kagiya show {agent} --players {players} --seed {seed} --why"
    write_terminal_picture(path, title, story.draw_turn(games[turn], told, recording_console()))


def write_papers(folder: Path, check: bool) -> list[str]:
    """The pages of agents and of published tables, the tables on the pages of searches and of hats; what changed."""
    from kagiya.lab.documents.markdown import embed, write_page
    from kagiya.lab.papers.paper_pages import (
        agents_not_on,
        agents_page,
        reproductions_page,
        short_table,
        study_block,
        tables_shown,
    )
    from kagiya.lab.papers.paper_tables import read_tables
    from kagiya.lab.papers.strength import strength_block

    studies = [table for table in read_tables(folder).values() if table.own]
    changed = [
        f"{table.name} in docs/{page.name}"
        for table in studies
        for page in study_pages(folder, table.name)
        if embed(page, table.name, (strength_block if table.published else study_block)(folder, table), check)
    ]
    hats = folder / "docs/hats.md"
    changed += [
        f"{table.name} in docs/hats.md"
        for table in tables_shown(folder, hats)
        if embed(hats, table.name, short_table(folder, table, "hat players"), check)
    ]
    unwritten = agents_not_on(folder / "docs/agents.md") if check else set()
    if unwritten:  # so that a new agent makes nothing stale
        out.print(f"docs/agents.md lacks {', '.join(sorted(unwritten))}; `kagiya dev report` adds them", soft_wrap=True)
    pages = {"docs/agents.md": agents_page(folder, unwritten), "docs/reproductions.md": reproductions_page(folder)}
    return changed + [name for name, text in pages.items() if write_page(folder / name, text, check)]


def study_pages(folder: Path, name: str) -> list[Path]:
    """The pages with a place for a study of our own; if there is none, the one it belongs to, which then says so."""
    pages = sorted((folder / "docs").glob("*.md"))
    found = [page for page in pages if f"<!-- begin {name}:" in page.read_text(encoding="utf-8")]
    usual = folder / (LEARNING_PAGE if name.startswith("learning") else SEARCH_PAGE)
    return found or ([usual] if usual.exists() else [])


def say_what_is_outdated(folder: Path) -> None:
    """Which cells the present code did not measure: worth knowing, and no reason to fail."""
    from kagiya.lab.papers.measurement import CodeAge, TableResults, ages_text, count_ages
    from kagiya.lab.papers.paper_tables import read_tables

    ages = Counter[CodeAge]()
    older = []
    for table in read_tables(folder).values():
        found = count_ages(table, TableResults.read(folder, table.name))
        ages += found
        older += [f"{table.name} {found[CodeAge.OLDER]}"] if found[CodeAge.OLDER] else []
    if text := ages_text(ages):
        where = f" ({', '.join(older)})" if older else ""
        out.print(f"{text}{where}; `kagiya reproduce --remeasure outdated` measures them again", soft_wrap=True)
