"""Options that several commands share, and what is read from them: who sits where, which recorded game.

After Tab the shell offers agents and rules at once: agents are imported only after a change of their modules.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache, partial, wraps
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin

import typer
from typer.models import ParameterInfo

import kagiya
from kagiya.cards import SEAT_NAMES
from kagiya.cli.console import TableFormat as TableFormat, err, typed_command, write_plain
from kagiya.spec import near, parse_spec, read_integer, read_number, read_seconds

if TYPE_CHECKING:
    from kagiya.cli.text_table import Part
    from kagiya.interop.files import SkippedGames

T = TypeVar("T")
PACKAGE = Path(kagiya.__file__).parent
FOLDERS = ("agents", "learn", "search")  # those of kagiya.agents.register, which is not imported for a Tab


def agent_names(incomplete: str) -> list[str]:
    """The ids of agents that begin so."""
    return [name for name in known_names() if name.startswith(incomplete)]


def known_names() -> list[str]:
    """All ids, from the file that the first question after a change of the agents' modules leaves behind."""
    file = names_file()
    if file.exists():
        return file.read_text(encoding="utf-8").split()
    with suppress(OSError):  # a package that cannot be written to is asked again
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(kagiya.agent_types()), encoding="utf-8")
    return list(kagiya.agent_types())


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
    int | None, typer.Option("--players", "-p", help="2 to 5. Default: as many as agents are given, 3 for one agent.")
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
    str, typer.Option("--as-seen-by", "-e", help="Whose view: a seat (1, 2, ... or alice, bob, ...), or [bold]all[/].")
]
Brief = Annotated[bool, typer.Option("--brief", "-b", help="One line per turn, no hands.")]

StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        envvar="KAGIYA_STORE",
        help="The folder that keeps every game. Default: kagiya/results in the user's data folder.",
        show_default=False,
    ),
]
OptionalStore = Annotated[
    Path | None,
    typer.Option("--store", help="Keep every game in this folder ([bold]default[/]: the user's), and use those there."),
]
WorkerCount = Annotated[int | None, typer.Option("--workers", "-w", help="Threads. Default: all processors.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Play on the Dask cluster at this address, e.g. tcp://host:8786."
    ),
]
Pem = Path | None
Authority = Annotated[Pem, typer.Option("--tls-ca", help="Of a cluster at tls://: who signs its certificates (PEM).")]
Certificate = Annotated[Pem, typer.Option("--tls-cert", help="Our certificate for such a cluster.")]
CertificateKey = Annotated[Pem, typer.Option("--tls-key", help="Its key. Default: in the file of --tls-cert.")]


def parse_seconds(text: str) -> float:
    """A duration, in seconds."""
    return _parse(read_seconds, text)


def accept_short_numbers(command: Callable[..., None]) -> None:
    """Let the options of a command that take numbers take them as people write them, and name what they refuse."""
    signature = inspect.signature(command, eval_str=True)
    for each in signature.parameters.values():
        for found in getattr(each.annotation, "__metadata__", ()):
            if isinstance(found, ParameterInfo) and found.parser is None:
                _set_parser(found, get_args(each.annotation)[0], each.name.upper())
    command.__signature__ = signature  # type: ignore[attr-defined]


def _set_parser(found: ParameterInfo, annotated: Any, name: str) -> None:
    if get_origin(annotated) is Literal:
        found.parser, found.metavar = partial(_parse, partial(read_word, get_args(annotated))), found.metavar or name
        return
    (kind, *_) = [each for each in get_args(annotated) or (annotated,) if each is not NoneType]
    if kind in (int, float):
        low, high = (None if each is None else int(each) for each in (found.min, found.max))
        read = partial(read_integer, low=low, high=high) if kind is int else read_number
        found.parser, found.min, found.max = partial(_parse, read), None, None
        found.metavar = found.metavar or "NUMBER"
    elif inspect.isclass(kind) and issubclass(kind, StrEnum):
        found.parser = partial(_parse, lambda text: kind(read_word(list(kind), text)))
        found.metavar = found.metavar or name


def read_word(words: Sequence[str], text: str) -> str:
    """One of several words."""
    if text not in words:
        raise ValueError(f"must be one of {', '.join(words)}, not {text!r}")
    return text


def _parse(read: Callable[[str], T], given: Any) -> T:
    if not isinstance(given, str) or isinstance(given, StrEnum):
        return given  # type: ignore[return-value]  # a default
    try:
        return read(given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


DEFAULT_PLAYERS = 3
DEFAULT = "default"  # the user's store


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose keyword parameters are groups of options: dataclasses, of which Typer sees the fields."""
    whole = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: each.annotation for name, each in whole.parameters.items() if is_dataclass(each.annotation)
    }
    parameters = [each for name, each in whole.parameters.items() if name not in groups]
    for group in groups.values():
        parameters += inspect.signature(group, eval_str=True).parameters.values()

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in fields(group)})
        command(**values)

    kinds = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    run.__signature__ = whole.replace(parameters=kinds)  # type: ignore[attr-defined]
    return run


@dataclass(frozen=True)
class Output:
    """How a command shows what it found."""

    shown: Format = TableFormat.TEXT
    as_json: Json = False

    def present(self, data: Callable[[], Any], draw: Callable[[], Sequence[Part]]) -> None:
        """The data as JSON, or the tables, on stdout."""
        if self.as_json:
            write_plain(json.dumps(data()))
            return
        from kagiya.cli.text_table import print_page

        print_page(draw(), self.shown)


@dataclass(frozen=True)
class FileOutput(Output):
    """The same of a command that measures: JSON says where it comes from, and may be written to a file."""

    json_file: JsonFile = None

    def present(self, data: Callable[[], Any], draw: Callable[[], Sequence[Part]]) -> None:
        """The data, with where it comes from, in the file and as JSON; or the tables."""
        whole = cache(lambda: with_provenance(data()))
        if self.json_file is not None:
            from kagiya.lab.provenance import write_result

            write_result(self.json_file, whole())
        super().present(whole, draw)


def with_provenance(result: dict[str, Any]) -> dict[str, Any]:
    """A result, with the command and the versions that made it."""
    from kagiya.lab.provenance import provenance

    return {"made": provenance(typed_command()), **result}


def stored_text(agent: str) -> str:
    """An agent's text as the store has it, or as it stands if it is a team's. No agent is looked up, nor imported."""
    try:
        return str(parse_spec(agent))
    except ValueError:
        return agent


def read_seating(
    texts: Sequence[str], players: int | None, rules: str
) -> tuple[kagiya.Rules, tuple[kagiya.Agent, ...]]:
    """The rules, and an agent for every seat."""
    from kagiya.lab.table.table import seat_agents

    count = players if players is not None else len(texts) if len(texts) > 1 else DEFAULT_PLAYERS
    parsed = kagiya.parse_rules(rules, count)
    return parsed, seat_agents(parsed, [kagiya.find_agent(text) for text in texts])


@dataclass(frozen=True)
class ChosenSeats:
    """A person's place at the table, and the agents in the other seats."""

    rules: kagiya.Rules
    partners: tuple[kagiya.Agent, ...]
    place: kagiya.Seat

    @property
    def names(self) -> list[str]:
        """Who sits where, the person as "human"."""
        texts = [agent.text for agent in self.partners]
        return [*texts[: self.place], "human", *texts[self.place :]]

    def seated(self, person: kagiya.Agent) -> list[kagiya.Agent]:
        """All players, the person in place."""
        return [*self.partners[: self.place], person, *self.partners[self.place :]]


def seat_person(texts: Sequence[str], players: int | None, rules: str, seat: str) -> ChosenSeats:
    """The rules, the person's place, and partners for all other seats."""
    from kagiya.lab.table.table import SeatingError

    count = players if players is not None else len(texts) + 1 if len(texts) > 1 else DEFAULT_PLAYERS
    parsed = kagiya.parse_rules(rules, count)
    partners = tuple(kagiya.find_agent(text) for text in texts) * (count - 1 if len(texts) == 1 else 1)
    if len(partners) != count - 1:
        raise SeatingError(f"{len(texts)} agents and you for {count} players; give one agent, or one for each seat")
    for agent in partners:
        if reason := agent.why_not(parsed):
            raise SeatingError(reason)
    return ChosenSeats(parsed, partners, read_seat(seat, count))


def read_seat(text: str, players: int) -> kagiya.Seat:
    """A seat by number, counted from 1, or by name."""
    names = SEAT_NAMES[:players]
    if text in map(str, range(1, players + 1)):
        return kagiya.Seat(int(text) - 1)
    if text.lower() in names:
        return kagiya.Seat(names.index(text.lower()))
    if text.isdecimal():
        raise ValueError(f"seats are 1 to {players}, not {text}")
    raise ValueError(f"nobody here is called {text!r}; {near(text.lower(), names)}")


def read_viewer(text: str, players: int) -> kagiya.Seat | None:
    """The seat whose view is meant, or None for all cards."""
    return None if text.lower() == "all" else read_seat(text, players)


def check_writable(path: Path | None) -> None:
    """Refuse a file that cannot be written before a game is played for it."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        reason = "is a folder" if path.is_dir() else "there is no such folder to write it to"
        raise ValueError(f"{path}: {reason}")


Games = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A file of games (written by --save, or of another program; see [bold]kagiya convert[/]), or a link.",
        show_default=False,
    ),
]
GameNumber = Annotated[
    int | None, typer.Option("--game", "-g", help="Which game of a file with several, counted from 1.")
]
SkipBad = Annotated[
    bool | None,
    typer.Option(
        "--skip-bad/--no-skip-bad",
        help="Leave out games with which something is wrong, counted by reason. Default: in files of more than 100.",
        show_default=False,
    ),
]
TRAILING = "moves_after_the_end"
FEW = 10  # lines about games of one file
LINK_MARKS = ("://", ",", "hanab.live/")  # enough to tell a link from the name of a file


def read_all(source: str, names: bool = False, skipped: SkippedGames | None = None) -> list[kagiya.GameRecord]:
    """All games of a file, each checked; what was left out is said."""
    check_readable(source)
    from kagiya.interop.files import read_games

    records = read_games(source, names, skipped)
    told = [(n, count) for n, record in enumerate(records, start=1) if (count := record.source.get(TRAILING))]
    for number, count in told[:FEW]:
        moves = "1 move after the end is" if count == "1" else f"{count} moves after the end are"
        err.print(f"game {number}: {moves} left out", style="dim", markup=False)
    if len(told) > FEW:
        err.print(f"and in {len(told) - FEW:,} games more", style="dim", markup=False)
    return records


def say_skipped(skipped: SkippedGames) -> None:
    """How many games were skipped, and for what reasons, the most common first."""
    if skipped.reasons:
        err.print(f"games left out: {skipped.reasons.total():,}", style="dim", markup=False)
    for reason, games in skipped.reasons.most_common(FEW):
        err.print(f"  {games:,}: {reason}", style="dim", markup=False)
    if len(skipped.reasons) > FEW:
        err.print(f"  {len(skipped.reasons) - FEW:,} reasons more", style="dim", markup=False)


def read_one(source: str, number: int | None = None) -> kagiya.GameRecord:
    """One game: the only one of a file, or the one that is named."""
    records = read_all(source)
    if number is None and len(records) > 1:
        raise ValueError(f"{source}: there are {len(records)} games in it; choose one with --game 1")
    if number is not None and not 1 <= number <= len(records):
        raise ValueError(f"--game: games are 1 to {len(records)} here, not {number}")
    return records[(number or 1) - 1]


def check_readable(source: str) -> None:
    """A file that cannot be read is not worth compiling."""
    is_file = not any(mark in source for mark in LINK_MARKS) and not source.lstrip().startswith(("{", "["))
    if is_file or Path(source).exists():
        Path(source).open("rb").close()
