"""How fast this machine plays, and how fast searches think."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cli.drawing.cards import QUIET


def draw_rates(data: dict[str, Any]) -> RenderableType:
    """Our rates, and the ratios to the other programs that are installed."""
    rates = Table(title="On one core", title_justify="left", title_style="bold", box=None, show_header=False)
    rates.add_column("")
    rates.add_column("", justify="right", style="bold")
    for row in data["rates"]:
        rates.add_row(row["what"].replace("`", ""), row["shown"])
    if not data["peers"]:
        none = "No other Hanabi program is installed to compare with; `make test` installs them."
        return Group(rates, Text(none, QUIET))
    return Group(rates, Text(""), draw_ratios(data["peers"]))


def draw_ratios(peers: Sequence[dict[str, Any]]) -> Table:
    """How many times faster random games are than in other programs."""
    table = Table(title="Random games: times faster than", title_justify="left", title_style="bold", box=None)
    table.add_column("")
    for count in peers[0]["ratios"]:
        table.add_column(f"{count} players", justify="right", style="bold", header_style="dim")
    for peer in peers:
        table.add_row(peer["name"], *(f"{ratio:,.0f}" for ratio in peer["ratios"].values()))
    return table


def draw_agent_rates(rows: Sequence[dict[str, Any]]) -> Table:
    """Games per second of each agent, by the number of players."""
    table = Table(title="Games per CPU second", title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("agent", no_wrap=True)
    for count in (2, 3, 4, 5):
        table.add_column(f"{count} players", justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row["agent"], *(_rate(row["games_per_second"].get(str(count))) for count in (2, 3, 4, 5)))
    return table


def _rate(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def draw_search_rates(data: dict[str, Any]) -> RenderableType:
    """The rates of the searches as a table; threads and punctuality in sentences."""
    note = f"times: as fast as {data['source']}; the faster of its runs counts\n"
    gain = f"two threads instead of one, wall time: [bold]{data['two_threads']:.2f}[/] times faster"
    return Group(_search_table(data), Text(note, QUIET), Text.from_markup(gain), *_overruns(data))


def _search_table(data: dict[str, Any]) -> Table:
    title = f"Iterations per CPU second on one thread, {data['players']} players, {data['milliseconds']:g} ms a move"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="dim")
    for name in ("search", "rules", "rollout", "convention"):
        table.add_column(name, no_wrap=True)
    for name in ("iterations", "times", "first move", "times"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in data["rows"]:
        words = (row[name] for name in ("algorithm", "rules", "rollout", "convention"))
        whole = f"{row['iterations_per_second']:,.0f}", _times(row["ratio"])
        table.add_row(*words, *whole, f"{row['opening']:,.0f}", _times(row["opening_ratio"]))
    return table


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"[bold]{ratio:.1f}[/]"


def _overruns(data: dict[str, Any]) -> Iterator[Text]:
    yield Text(f"later than the {data['milliseconds']:g} ms given:")
    yield Text.from_markup(f"  {_overrun(data['overrun'])}")
    if data["undisturbed_overrun"]:
        yield Text.from_markup(f"  {_overrun(data['undisturbed_overrun'])}, where no other process came between")


def _overrun(late: dict[str, Any]) -> str:
    largest = f"99th percentile [bold]{late['percentile_99']:.2f}[/] ms, largest {late['largest']:.2f} ms"
    return f"{late['moves']} moves: median {late['median']:.2f} ms, {largest}"
