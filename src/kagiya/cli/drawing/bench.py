"""How fast this machine plays, and how fast searches think."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.table import Cell, Column, Kind, Table, rate_text

COUNTS = (2, 3, 4, 5)


def draw_rates(data: dict[str, Any]) -> list[Part]:
    """Our rates, and the ratios to the other programs that are installed."""
    columns = [Column("what", Kind.PROSE), Column("measured", style="bold")]
    rates = Table(columns, title="On one core", has_heading=False)
    for row in data["rates"]:
        rates.add(row["what"].replace("`", ""), Cell(row["shown"], value=row["value"]))
    if not data["peers"]:
        none = "No other Hanabi program is installed to compare with; `make test` installs them."
        return [rates, Text(none, QUIET)]
    return [rates, Text(""), draw_ratios(data["peers"])]


def draw_ratios(peers: Sequence[dict[str, Any]]) -> Table:
    """How many times faster random games are than in other programs."""
    counts = [Column(f"{count} players", style="bold") for count in peers[0]["ratios"]]
    table = Table([Column("program", Kind.LABEL), *counts], title="Random games: times faster than")
    for peer in peers:
        table.add(peer["name"], *(Cell(f"{ratio:,.0f}", value=ratio) for ratio in peer["ratios"].values()))
    return table


def draw_agent_rates(rows: Sequence[dict[str, Any]]) -> Table:
    """Games per second of each agent, by the number of players."""
    columns = [Column("agent", Kind.NAME), *(Column(f"{count} players") for count in COUNTS)]
    table = Table(columns, title="Games per CPU second")
    for row in rows:
        table.add(row["agent"], *(_rate(row["games_per_second"].get(str(count))) for count in COUNTS))
    return table


def draw_env_rates(data: dict[str, Any]) -> list[Part]:
    """Steps per second of environments, and the ratios that were taken in the same rounds."""
    rates = Table([Column("environment", Kind.LABEL), Column("players"), Column("steps")], title="Steps per second")
    for row in data["rates"]:
        rates.add(row["what"], str(row["players"]), _rate(row["value"]))
    ratios = Table(
        [Column("environment", Kind.LABEL), Column("beside", Kind.LABEL), Column("players"), Column("times")],
        title="Times as fast",
    )
    for row in data["ratios"]:
        ratios.add(row["of"], row["to"], str(row["players"]), _times(row["value"]))
    missing = [Text(f"not installed, so left out: {', '.join(data['left_out'])}", QUIET)] if data["left_out"] else []
    return [rates, Text(""), ratios, *missing]


def _rate(value: float | None) -> Cell:
    return Cell(rate_text(value), value="" if value is None else value)


def draw_search_rates(data: dict[str, Any]) -> list[Part]:
    """The rates of the searches as a table; threads and punctuality in sentences."""
    note = f"times: as fast as {data['source']}; the faster of its runs counts\n"
    gain = f"two threads instead of one, wall time: {data['two_threads']:.2f} times faster"
    exact = data["exact"]
    rollouts = f"{exact['agent']} with {exact['partner']}, 2 players: {exact['rollouts']:,.0f} rollouts per CPU second"
    return [_search_table(data), Text(note, QUIET), Text(rollouts), Text(gain), *_overruns(data)]


def _search_table(data: dict[str, Any]) -> Table:
    title = f"Iterations per CPU second on one thread, {data['players']} players, {data['milliseconds']:g} ms a move"
    words = [Column("search", Kind.NAME), *(Column(name, Kind.TEXT) for name in ("rules", "rollout", "convention"))]
    numbers = [Column("iterations"), Column("times"), Column("first move", leaves=2), Column("times", leaves=1)]
    table = Table([*words, *numbers], title=title)
    for row in data["rows"]:
        described = (row[name] for name in ("algorithm", "rules", "rollout", "convention"))
        whole = _rate(row["iterations_per_second"]), _times(row["ratio"])
        table.add(*described, *whole, _rate(row["opening"]), _times(row["opening_ratio"]))
    return table


def _times(ratio: float | None) -> Cell:
    return Cell("", value="") if ratio is None else Cell(f"{ratio:.1f}", value=ratio, style="bold")


def _overruns(data: dict[str, Any]) -> Iterator[Text]:
    yield Text(f"later than the {data['milliseconds']:g} ms given:")
    yield Text.from_markup(f"  {_overrun(data['overrun'])}")
    if data["undisturbed_overrun"]:
        yield Text.from_markup(f"  {_overrun(data['undisturbed_overrun'])}, where no other process came between")


def _overrun(late: dict[str, Any]) -> str:
    largest = f"99th percentile [bold]{late['percentile_99']:.2f}[/] ms, largest {late['largest']:.2f} ms"
    return f"{late['moves']} moves: median {late['median']:.2f} ms, {largest}"
