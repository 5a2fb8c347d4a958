"""`kagiya warm`, and `kagiya dev report`, `signature`, `restamp`, `pins` and `prune`: upkeep of code and pages."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import FAILED, complain, out, write_plain
from kagiya.cli.run_options import all_steps, run_steps

if TYPE_CHECKING:
    from kagiya.lab.signature import Change, Signature, SignatureSeating


SEARCH_PAGE, LEARNING_PAGE = "docs/search.md", "docs/learning.md"  # where tables of our own stand
LEAGUE = "results/league.json"
BEST_IN_README = 16
# Drawn by libraries whose versions differ, so never compared: a turn, the whole league, the best of it.
TURN, ZOO, BEST = "docs/turn.svg", "docs/league.png", "docs/league-best.png"
SHOWN = ("smartbot", 3, 7, 7)  # the turn that the README shows: agent, players, seed, turn


def report(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if a table is stale.")] = False,
    folder: Annotated[Path, typer.Option(help="The project: where README.md and results/ are.")] = Path(),
) -> None:
    """Write the tables of the documents from results/*.json, which league, bench and reproduce make.

    Among them the pages of documents, docs/papers/*.md, with every published table,
    definition and claim beside ours.

    Also what comes from the code: docs/agents.md, docs/api.md, docs/kernels.md, docs/observation.md and the picture of
    docs/rules.md; and docs/bibliography.md. And the pictures of the league, and of the turn in README.md.

    [bold]Examples[/]
      kagiya dev report
      kagiya dev report --check
    """
    from kagiya.dev import reference_pages
    from kagiya.dev.reference_pages import api_page, bench_block, kernels_page, league_block, league_page
    from kagiya.lab.papers.bibliography import bibliography_page
    from kagiya.lab.papers.paper_pages import embed, write_page
    from kagiya.lab.papers.pictures import example_picture
    from kagiya.rl.layout_page import observation_page

    readme = folder / "README.md"
    blocks = {
        "league": league_block(folder / LEAGUE, BEST_IN_README),
        "speed": bench_block(folder / "results/bench.json"),
    }
    changed = [name for name, block in blocks.items() if embed(readme, name, block, check)]
    speeds = {
        "search speed": ("docs/search.md", "results/bench-search.json", reference_pages.search_block),
        "environment speed": ("docs/interop.md", "results/bench-envs.json", reference_pages.env_block),
    }
    for name, (page, results, block_of) in speeds.items():
        measured = folder / results
        if measured.exists() and embed(folder / page, name, block_of(measured), check):
            changed.append(f"{name} in {page}")
    pages = {
        "docs/kernels.md": kernels_page(),
        "docs/api.md": api_page(kagiya),
        "docs/observation.md": observation_page(),
        "docs/bibliography.md": bibliography_page(),
        "docs/league.md": league_page(folder / LEAGUE),
        "docs/rules.svg": example_picture(),
    }
    changed += [name for name, text in pages.items() if write_page(folder / name, text, check)]
    changed += write_papers(folder, check)
    if not check and (folder / TURN).exists():
        draw_shown_turn(folder / TURN)
        draw_leagues(folder)
    out.print(f"written: {', '.join(changed)}" if changed else "every table is up to date")
    say_what_is_outdated(folder)


def draw_leagues(folder: Path) -> None:
    """The whole league; for the README the best of those that play fair, below the best of those that do not."""
    from kagiya.lab.papers.figures import league_figure
    from kagiya.lab.provenance import read_result

    data = read_result(folder / LEAGUE)
    seer = [row for row in data["rows"] if row["mark"]][:1]
    best = [*seer, *(row for row in data["rows"] if not row["mark"])][:BEST_IN_README]
    league_figure(data, folder / ZOO)
    league_figure({**data, "rows": best}, folder / BEST, "The best of the zoo")


def draw_shown_turn(path: Path) -> None:
    """One turn with its reason, as `kagiya show --why` shows it."""
    from kagiya.cli import terminal_game
    from kagiya.cli.commands.show import play_one
    from kagiya.cli.terminal_game import recording_console, write_terminal_picture
    from kagiya.lab.regret import move_costs

    agent, players, seed, turn = SHOWN
    record, because, _ = play_one(kagiya.Match.of(kagiya.Rules(players=players), agent, 1, seed), why=True)
    games = [record.deal(), *record.replay()]
    told = terminal_game.MoveStory(record, None, move_costs(games), because.why)
    title = f"kagiya show {agent} --players {players} --seed {seed} --why"
    write_terminal_picture(path, title, terminal_game.draw_turn(games[turn], told, recording_console()))


def write_papers(folder: Path, check: bool) -> list[str]:
    """The pages of agents, documents and findings, the tables on the pages of searches and of hats; what changed."""
    from kagiya.lab.papers import document_pages, documents, findings, paper_pages, paper_tables, strength

    tables = paper_tables.read_tables(folder)
    shown = {name for each in documents.read_documents(folder, tables).values() for name in each.tables}
    changed = [
        f"{table.name} in docs/{page.name}"
        for table in tables.values()
        if table.own
        for page in study_pages(folder, table.name, table.name in shown)
        if paper_pages.embed(
            page,
            table.name,
            (strength.strength_block if table.published else paper_pages.study_block)(folder, table),
            check,
        )
    ]
    hats = folder / "docs/hats.md"
    changed += [
        f"{table.name} in docs/hats.md"
        for table in paper_pages.tables_shown(folder, hats)
        if paper_pages.embed(hats, table.name, paper_pages.short_table(folder, table, "hat players"), check)
    ]
    unwritten = paper_pages.agents_not_on(folder / "docs/agents.md") if check else set()
    if unwritten:  # so that a new agent makes nothing stale
        out.print(f"docs/agents.md lacks {', '.join(sorted(unwritten))}; `kagiya dev report` adds them", soft_wrap=True)
    pages = {
        "docs/agents.md": paper_pages.agents_page(folder, unwritten),
        **document_pages.all_pages(folder),
        **findings.findings_pages(folder),
    }
    return changed + [name for name, text in pages.items() if paper_pages.write_page(folder / name, text, check)]


def study_pages(folder: Path, name: str, is_shown: bool) -> list[Path]:
    """The pages with a place for a study of our own; none and not shown elsewhere: where it belongs, which says so."""
    pages = sorted((folder / "docs").glob("*.md"))
    found = [page for page in pages if f"<!-- begin {name}:" in page.read_text(encoding="utf-8")]
    usual = folder / (LEARNING_PAGE if name.startswith("learning") else SEARCH_PAGE)
    return found or ([usual] if usual.exists() and not is_shown else [])


def say_what_is_outdated(folder: Path) -> None:
    """Which rows and cells the present code did not measure: worth knowing, and no reason to fail."""
    from kagiya.lab.league import read_league
    from kagiya.lab.papers import measurement, outdated_cells, paper_tables
    from kagiya.lab.signature import signature_beside

    if (folder / LEAGUE).exists():
        stored, written = read_league(folder / LEAGUE), signature_beside(folder / LEAGUE)
        if rows := [
            row.agent.text for row in stored.rows_of(stored.agents, stored.players) if row.is_outdated(written)
        ]:
            out.print(f"{LEAGUE}: of older code are {', '.join(rows)}; `make tables` plays them again", soft_wrap=True)
    ages = Counter[outdated_cells.CodeAge]()
    older = []
    for table in paper_tables.read_tables(folder).values():
        found = outdated_cells.count_ages(table, measurement.TableResults.read(folder, table.name))
        ages += found
        older += [f"{table.name} {found[outdated_cells.CodeAge.OLDER]}"] if found[outdated_cells.CodeAge.OLDER] else []
    if text := outdated_cells.ages_text(ages):
        where = f" ({', '.join(older)})" if older else ""
        out.print(f"{text}{where}; `kagiya reproduce --remeasure outdated` measures them again", soft_wrap=True)


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
    from kagiya.lab.signature import TO_DO, changes, read_signature, write_signature

    if write and (check or names):
        raise typer.BadParameter("--write takes all agents and does not go with --check")
    written = read_signature(file) if check else None
    played = play_signature(wanted_seatings(names))
    found = [] if written is None else changes(written.only(played.agents) if names else written, played)
    if write:
        write_signature(file, played)
    if as_json:
        write_plain(json.dumps(played.to_json() | ({"changes": [asdict(change) for change in found]} if check else {})))
    elif check:
        show_changes(found, played, file, sorted(set(played.agents) - set(written.agents if written else ())))
    else:
        show(played)
    if found:
        agents = len({change.agent for change in found})
        complain(f"{agents} of {len(played.agents)} agents differ from {file}; {TO_DO}")
        raise typer.Exit(FAILED)


def wanted_seatings(names: list[str] | None) -> list[SignatureSeating]:
    """All seatings, or those of the agents named."""
    from kagiya.lab.signature import all_seatings
    from kagiya.spec import near

    found = list(all_seatings())
    groups = dict.fromkeys(seating.group for seating in found)
    for name in names or ():
        if name not in groups:
            raise ValueError(f"no agent named {name!r}; {near(name, groups)} (agents are given without parameters)")
    return [seating for seating in found if not names or seating.group in names]


def play_signature(seatings: list[SignatureSeating]) -> Signature:
    """Play all games, with a bar."""
    from kagiya.cli.run_options import late_bar, make_ready
    from kagiya.lab.signature import sign

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


def restamp(folder: Annotated[Path, typer.Option(help="The project: where results/ is.")] = Path()) -> None:
    """After a change that left all moves alone: stamp the measured cells with the hash of the present code.

    Plays the games of [bold]kagiya dev signature[/]. A cell whose agents make
    the moves that they made when it was measured gets the new hash, and beside it
    the proof: the signature's hash, the date, and the code that truly measured it.
    All others stay outdated. Run it in a commit of its own, after the signature.

    [bold]Examples[/]
      kagiya dev restamp
    """
    from kagiya.lab.papers import measurement, outdated_cells, paper_tables
    from kagiya.lab.signature import read_signature

    written, played = read_signature(folder / FILE), play_signature(wanted_seatings(None))
    proven = played.only(name for name, hashes in played.agents.items() if written.agents.get(name) == hashes)
    stamped, date = 0, datetime.now(UTC).date().isoformat()
    for table in paper_tables.read_tables(folder).values():
        results = measurement.TableResults.read(folder, table.name)
        stamped += outdated_cells.restamp(results, proven, date)
        if results.runs != results.stored[0]:
            results.write(table)
    if unproven := sorted(set(played.agents) - set(proven.agents)):
        out.print(f"not as written down, so not stamped: {', '.join(unproven)}", soft_wrap=True)
    out.print(f"{stamped} matches stamped with the hash of the present code", soft_wrap=True)
    say_what_is_outdated(folder)


def pins(
    write: Annotated[bool, typer.Option("--write", help="Pin the versions that are installed.")] = False,
    file: Annotated[Path, typer.Option(help="The file of pins.")] = Path("constraints.txt"),
) -> None:
    """Compare the tools that are installed with those pinned in constraints.txt; `make style` begins with it.

    A tool of another version may find what the pinned one does not. Such a
    finding is no defect of the code: install the pinned tools, or take the newest
    ones with [bold]make pins[/] and put right what they find in the same commit.

    [bold]Examples[/]
      kagiya dev pins
      kagiya dev pins --write --file pins.txt
    """
    from kagiya.dev.pins import stale_pins, write_pins

    if write:
        write_pins(file)
    stale = stale_pins(file)
    if not stale:
        out.print(f"every tool is the one pinned in {file}", soft_wrap=True)
        return
    out.print(f"other tools are installed than {file} pins: {', '.join(map(str, stale))}.", soft_wrap=True)
    out.print(
        "What they find below may be due to that, not a defect of the code. The pinned ones come with "
        f"`pip install --constraint {file} --editable .[dev]`; `make pins` renews the pins.",
        soft_wrap=True,
    )


def modules(as_json: options.Json = False) -> None:
    """List every module by folder, with the first sentence of its docstring.

    [bold]Examples[/]
      kagiya dev modules
      kagiya dev modules --json
    """
    from kagiya.dev.reference_pages import module_list

    found = module_list(Path(str(kagiya.__file__)).parent)
    if as_json:
        write_plain(json.dumps(found))
        return
    for folder, names in found.items():
        out.print(f"[bold]{'' if folder == '.' else folder + '/'}[/]", soft_wrap=True)
        for name, sentence in names.items():
            out.print(f"  {name:<20} {sentence}", soft_wrap=True, markup=False)


def warm() -> None:
    """Compile the table and every agent ahead. Once compiled, code lies on disk until its source changes.

    [bold]Examples[/]
      kagiya warm
      KAGIYA_CACHE_DIR=cache kagiya warm
    """
    from kagiya._jit import cache_root
    from kagiya.lab.table.compilation import compile_counts, compiled_by, helpers

    agents, started = [kagiya.find_agent(name) for name in kagiya.agent_types()], time.perf_counter()
    steps = all_steps(agents)
    with helpers(agents, steps) as others:
        run_steps(steps, 1 + len(others))
        by_others = sum(map(compiled_by, others))
    compiled, loaded = compile_counts()
    shared = f" ({by_others} of them in other processes)" if by_others else ""
    seconds = time.perf_counter() - started
    total = compiled + by_others
    out.print(f"compiled {total} kernels{shared} and loaded {loaded} from disk in {seconds:.1f} s", soft_wrap=True)
    out.print(f"compiled code lies in {cache_root()}", style="dim", soft_wrap=True)


def prune() -> None:
    """Delete the compiled code of older versions of the source, which `warm` and every command leave behind.

    [bold]Examples[/]
      kagiya dev prune
    """
    from kagiya._jit import cache_root
    from kagiya.lab.table.compilation import prune as prune_old

    all_steps([kagiya.find_agent(name) for name in kagiya.agent_types()])  # to know every module that has compiled code
    out.print(f"deleted the compiled code of {prune_old()} older versions in {cache_root()}", soft_wrap=True)
