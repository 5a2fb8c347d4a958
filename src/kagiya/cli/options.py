"""The options that several commands share, and what the shell offers after Tab for agents and rules.

Tab is answered at once: agents are imported only after a change of their modules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import kagiya
from kagiya.cli.console import TableFormat as TableFormat

if TYPE_CHECKING:
    from kagiya.cli.text_table import Part


PACKAGE = Path(kagiya.__file__).parent
FOLDERS = ("agents", "learn/agents", "search/agents")


def agent_names(incomplete: str) -> list[str]:
    """The ids of agents that begin so."""
    return [name for name in known_names() if name.startswith(incomplete)]


def known_names() -> list[str]:
    """All ids, from the file that the first question after a change of the agents' modules leaves behind."""
    file = names_file()
    if file.exists():
        return file.read_text(encoding="utf-8").split()
    from kagiya.agents.register import agent_types

    with suppress(OSError):  # a package that cannot be written to is asked again
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(agent_types()), encoding="utf-8")
    return list(agent_types())


def names_file() -> Path:
    """Where the ids are kept: beside Python's own cache, under a stamp of the modules that define agents."""
    modules = sorted(path for folder in FOLDERS for path in (PACKAGE / folder).glob("*.py"))
    stamp = hashlib.sha256(repr([(path.name, path.stat().st_mtime_ns) for path in modules]).encode()).hexdigest()
    return PACKAGE / "__pycache__" / f"agents-{stamp[:16]}.txt"


def rules_names(incomplete: str) -> list[str]:
    """The presets that begin so."""
    from kagiya.rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


Agents = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT",
        autocompletion=agent_names,
        help="One agent for all seats, or one for each: an id from [bold]kagiya agents[/], with parameters as "
        "[bold]name(key=value)[/], or your own as [bold]module:name[/].",
        show_default=False,
    ),
]
Partners = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="AGENT",
        autocompletion=agent_names,
        help="One agent for all seats but yours, or one for each; written as in [bold]kagiya match[/]. "
        "Default: careful.",
        show_default=False,
    ),
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help="2 to 5. Default: as many as agents are given, 3 for one agent."),
]
Rules = Annotated[
    str,
    typer.Option(
        "--rules", "-r", autocompletion=rules_names, help="A preset, with changes as [bold]bouzy(hand_size=3)[/]."
    ),
]
Seed = Annotated[int, typer.Option("--seed", "-s", help="Decides the deck and every random choice.")]
Deals = Annotated[
    str,
    typer.Option(
        "--deals",
        help="Who shuffles: own, or live for the decks that hanab.live deals by its seeds, such as p3v0s1, p3v0s2, ...",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
Format = Annotated[
    TableFormat,
    typer.Option("--format", metavar="FORMAT", help="How tables are written: text, markdown, latex or csv."),
]
JsonFile = Annotated[Path | None, typer.Option("--json-file", help="Also write everything measured to this file.")]
Save = Annotated[Path | None, typer.Option("--save", help="Write the game to this file, for [bold]kagiya replay[/].")]
AsSeenBy = Annotated[
    str,
    typer.Option("--as-seen-by", "-e", help="Whose view: a seat (1, 2, ... or alice, bob, ...), or [bold]all[/]."),
]
Brief = Annotated[bool, typer.Option("--brief", "-b", help="One line per turn, no hands.")]

DEFAULT_PLAYERS = 3


@dataclass(frozen=True)
class Output:
    """How a command shows what it measured, and the file that it writes it to."""

    json_file: Path | None
    shown: TableFormat
    as_json: bool

    def present(self, measured: dict[str, Any], draw: Callable[[], list[Part]]) -> None:
        """The tables or JSON on stdout; JSON says where it comes from."""
        from kagiya.lab.provenance import command_line, provenance, write_result

        data = {"made": provenance(command_line()), **measured}
        if self.json_file is not None:
            write_result(self.json_file, data)
        if self.as_json:
            typer.echo(json.dumps(data))
            return
        from kagiya.cli.text_table import print_page

        print_page(draw(), self.shown)
