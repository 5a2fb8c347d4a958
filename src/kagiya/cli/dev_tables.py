"""Tables for maintainers in the terminal: speed of games, searches and the web table, and evenness of deals.

The findings of `kagiya check` are drawn here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table as Grid
from rich.text import Text

from kagiya.cli.console import QUIET
from kagiya.cli.text_table import ColumnKind, Part, TextCell, TextColumn, TextTable, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kagiya.dev.bench_web import WebReport
    from kagiya.lab.checks import Finding

COUNTS = (2, 3, 4, 5)


def draw_rates(data: dict[str, Any]) -> list[Part]:
    """Our rates, and the ratios to the other programs that are installed."""
    columns = [TextColumn("what", ColumnKind.PROSE), TextColumn("measured", style="bold")]
    rates = TextTable(columns, title="On one core", has_heading=False)
    for row in data["rates"]:
        rates.add(row["what"].replace("`", ""), TextCell(row["shown"], value=row["value"]))
    if not data["peers"]:
        none = "No other Hanabi program is installed to compare with; `make test` installs them."
        return [rates, Text(none, QUIET)]
    return [rates, Text(""), draw_ratios(data["peers"])]


def draw_ratios(peers: Sequence[dict[str, Any]]) -> TextTable:
    """How many times faster random games are than in other programs."""
    counts = [TextColumn(f"{count} players", style="bold") for count in peers[0]["ratios"]]
    table = TextTable([TextColumn("program", ColumnKind.LABEL), *counts], title="Random games: times faster than")
    for peer in peers:
        table.add(peer["name"], *(TextCell(f"{ratio:,.0f}", value=ratio) for ratio in peer["ratios"].values()))
    return table


def draw_agent_rates(rows: Sequence[dict[str, Any]]) -> TextTable:
    """Games per second of each agent, by the number of players."""
    columns = [TextColumn("agent", ColumnKind.NAME), *(TextColumn(f"{count} players") for count in COUNTS)]
    table = TextTable(columns, title="Games per CPU second")
    for row in rows:
        table.add(row["agent"], *(_rate(row["games_per_second"].get(str(count))) for count in COUNTS))
    return table


def draw_env_rates(data: dict[str, Any]) -> list[Part]:
    """Steps per second of environments, and the ratios that were taken in the same rounds."""
    rates = TextTable(
        [TextColumn("environment", ColumnKind.LABEL), TextColumn("players"), TextColumn("steps")],
        title="Steps per second",
    )
    for row in data["rates"]:
        rates.add(row["what"], str(row["players"]), _rate(row["value"]))
    ratios = TextTable(
        [
            TextColumn("environment", ColumnKind.LABEL),
            TextColumn("beside", ColumnKind.LABEL),
            TextColumn("players"),
            TextColumn("times"),
        ],
        title="Times as fast",
    )
    for row in data["ratios"]:
        ratios.add(row["of"], row["to"], str(row["players"]), _times(row["value"]))
    missing = [Text(f"not installed, so left out: {', '.join(data['left_out'])}", QUIET)] if data["left_out"] else []
    return [rates, Text(""), ratios, *missing]


def _rate(value: float | None) -> TextCell:
    return TextCell(rate_text(value), value="" if value is None else value)


def draw_search_rates(data: dict[str, Any]) -> list[Part]:
    """The rates of the searches as a table; threads and punctuality in sentences."""
    note = f"times: as fast as {data['source']}; the faster of its runs counts\n"
    gain = f"two threads instead of one, wall time: {data['two_threads']:.2f} times faster"
    exact = data["exact"]
    rollouts = f"{exact['agent']} with {exact['partner']}, 2 players: {exact['rollouts']:,.0f} rollouts per CPU second"
    return [_search_table(data), Text(note, QUIET), Text(rollouts), Text(gain), *_overruns(data)]


def _search_table(data: dict[str, Any]) -> TextTable:
    title = f"Iterations per CPU second on one thread, {data['players']} players, {data['milliseconds']:g} ms a move"
    words = [
        TextColumn("search", ColumnKind.NAME),
        *(TextColumn(name, ColumnKind.TEXT) for name in ("rules", "rollout", "convention")),
    ]
    numbers = [
        TextColumn("iterations"),
        TextColumn("times"),
        TextColumn("first move", leaves=2),
        TextColumn("times", leaves=1),
    ]
    table = TextTable([*words, *numbers], title=title)
    for row in data["rows"]:
        described = (row[name] for name in ("algorithm", "rules", "rollout", "convention"))
        whole = _rate(row["iterations_per_second"]), _times(row["ratio"])
        table.add(*described, *whole, _rate(row["opening"]), _times(row["opening_ratio"]))
    return table


def _times(ratio: float | None) -> TextCell:
    return TextCell("", value="") if ratio is None else TextCell(f"{ratio:.1f}", value=ratio, style="bold")


def _overruns(data: dict[str, Any]) -> Iterator[Text]:
    yield Text(f"later than the {data['milliseconds']:g} ms given:")
    yield Text.from_markup(f"  {_overrun(data['overrun'])}")
    if data["undisturbed_overrun"]:
        yield Text.from_markup(f"  {_overrun(data['undisturbed_overrun'])}, where no other process came between")


def _overrun(late: dict[str, Any]) -> str:
    largest = f"99th percentile [bold]{late['percentile_99']:.2f}[/] ms, largest {late['largest']:.2f} ms"
    return f"{late['moves']} moves: median {late['median']:.2f} ms, {largest}"


def draw_web(report: WebReport) -> list[Part]:
    """A row for each promise."""
    table = TextTable(
        [TextColumn("measured", ColumnKind.LABEL), TextColumn("found"), TextColumn("at most")], title="The web table"
    )
    for row in _rows(report):
        table.add(*row)
    return [table]


def _rows(report: WebReport) -> list[tuple[str, str, str]]:
    tables = f"{report.tables} tables"
    return [
        ("move answered, one table, 95 %", _ms(report.one_table_95), ""),
        (f"move answered, {tables}, 95 %", _ms(report.all_tables_95), "100 ms"),
        (f"{tables} / one table", f"{report.crowd_ratio:.1f}", "10"),
        ("with two searches / without", f"{report.search_ratio:.1f}", "3"),
        ("CPU per move", _ms(report.cpu_per_move), "3 ms"),
        ("memory per table", f"{report.table_bytes / 1000:.0f} kB", "250 kB"),
        ("first load", f"{report.first_load_bytes / 1000:.0f} kB", "100 kB"),
        (f"memory after {report.opened:,} tables left", f"{report.growth:+.1%}", "+10.0%"),
        ("loop held, 99 %", _ms(report.held_idle_99), "100 ms"),
        ("loop held, two searches", _ms(report.held_searching_99), "100 ms"),
        ("loop held, a Python agent", _ms(report.held_python_99), "100 ms"),
        ("loop held, the compiler", _ms(report.held_compiling_99), "100 ms"),
        ("stop answered", _ms(report.stop), "50 ms"),
    ]


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


WIDEST = 27  # of the checks' names


def draw_finding(finding: Finding) -> Grid:
    """Whether the agent passed, which check it was, and what was done or is wrong."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=4)
    grid.add_column(width=WIDEST)
    grid.add_column(overflow="fold")
    mark = Text("ok", "bold green") if finding.passed else Text("FAIL", "bold red")
    grid.add_row(mark, finding.check, Text(finding.text, "" if not finding.passed else "dim"))
    return grid


def draw_verdict(agent: str, passed: bool) -> Text:
    """The last line."""
    return Text(f"{agent} passes", "bold") if passed else Text(f"{agent} does not pass", "bold red")
