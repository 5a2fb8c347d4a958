"""Pages and tables of the documents, written from result files, signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from kagiya import kernels
from kagiya.agents.tactics import vocabulary
from kagiya.engine import layout
from kagiya.lab.papers.paper_pages import StaleError, markdown_table, source_line
from kagiya.lab.provenance import read_result

ROUNDED_AWAY = 0.005  # standard errors below this would be shown as 0.00

LEAGUE_PAGE = """# The league

Every agent but the searches, playing with copies of itself for two to five players; `kagiya league` plays it on your
machine, and `kagiya dev report` writes this page from what was measured. The mean is over the numbers of players that
an agent can play with. Agents that score 0 bomb: by the standard rules a team that loses its last life scores nothing.
Searches are on the page of [strength](strength.md), the papers' own figures beside ours on that of
[agents](agents.md).

![League of the zoo: mean score of every agent for two to five players](league.png)
"""


def league_block(path: Path, best: int | None = None) -> str:
    """The league as a table: mean and standard error for each number of players; all, or the best that play fair."""
    data = read_result(path)
    counts = sorted({count for row in data["rows"] for count in row["players"]})
    shown = data["rows"] if best is None else [row for row in data["rows"] if not row["mark"]][:best]
    rows = [
        [
            f"`{row['agent']}`" + (f" ({row['mark']})" if row["mark"] else ""),
            *(_cell(row["players"].get(count)) for count in counts),
            f"{row['mean']:.2f}",
        ]
        for row in shown
    ]
    table = markdown_table(["agent", *(f"{count} players" for count in counts), "mean"], rows)
    extra = f"self-play, {data['games']:,} games a cell (Python agents a twentieth), {data['caption']}"
    return f"{table}\n\n{source_line(data, extra)}"


def league_page(path: Path) -> str:
    """The page of the whole league."""
    return f"{LEAGUE_PAGE}\n{league_block(path)}\n"


def search_block(path: Path) -> str:
    """How fast searches think, beside the program they come from, and how punctual they are."""
    data = read_result(path)
    head = ["search", "moves", "rollout", "convention", "iterations/s", "original", "times", "first move", "times"]
    rows = [
        [
            f"`{row['algorithm']}`",
            *(row[name] for name in ("rules", "rollout", "convention")),
            f"{row['iterations_per_second']:,.0f}",
            f"{max(row['original']):,.0f}" if row["original"] else "",
            f"{row['ratio']:.0f}" if row["ratio"] else "",
            f"{row['opening']:,.0f}",
            f"{row['opening_ratio']:.0f}" if row["opening_ratio"] else "",
        ]
        for row in data["rows"]
    ]
    late, given = data["overrun"], f"{data['milliseconds']:g} ms"
    text = (
        f"Original: {data['source']}. Two threads are {data['two_threads']:.2f} times as fast as one. Of "
        f"{late['moves']} moves given {given} the median took {late['median']:.2f} ms longer, the 99th percentile "
        f"{late['percentile_99']:.2f} ms."
    )
    if exact := data.get("exact"):  # files of before have none
        text += f" `{exact['agent']}` with `{exact['partner']}`, two players: {exact['rollouts']:,.0f} rollouts/s."
    extra = f"{data['players']} players, {given} a move, CPU time of one thread over whole games"
    return f"{markdown_table(head, rows)}\n\n{text}\n\n{source_line(data, extra)}"


def _cell(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return ""
    mean, se = cell["mean"], cell["se"]
    if se is None:
        return f"{mean:.2f}"
    decimals = 3 if 0 < se < ROUNDED_AWAY else 2
    return f"{mean:.{decimals}f} ± {se:.{decimals}f}"


def bench_block(path: Path) -> str:
    """The speeds as two tables: rates, and ratios to other programs measured in the same run."""
    data = read_result(path)
    rates = markdown_table(["what, on one core", "measured"], [[row["what"], row["shown"]] for row in data["rates"]])
    counts = list(data["peers"][0]["ratios"]) if data["peers"] else []
    ratios = markdown_table(
        ["random games: how many times faster Kagiya is than", *(f"{count} players" for count in counts)],
        [[peer["name"], *(f"{peer['ratios'][count]:,.0f}" for count in counts)] for peer in data["peers"]],
    )
    return f"{rates}\n\n{ratios}\n\n{source_line(data, 'CPU time, median of several rounds taken in turn')}"


def env_block(path: Path) -> str:
    """Steps per second of environments, and how they compare, both of one run."""
    data = read_result(path)
    counts = sorted({row["players"] for row in data["rates"]})
    rates = {(row["what"], row["players"]): row["value"] for row in data["rates"]}
    rows = [
        [what, *(f"{rates[what, count]:,.0f}" if (what, count) in rates else "" for count in counts)]
        for what in dict.fromkeys(row["what"] for row in data["rates"])
    ]
    table = markdown_table(["steps per second", *(f"{count} players" for count in counts)], rows)
    times = {(row["of"], row["to"], row["players"]): row["value"] for row in data["ratios"]}
    pairs = dict.fromkeys((row["of"], row["to"]) for row in data["ratios"])
    found = [[*pair, *(_times(times.get((*pair, count))) for count in counts)] for pair in pairs]
    ratios = markdown_table(["times as fast", "as", *(f"{count} players" for count in counts)], found)
    beside = ", ".join(f"{name} {number}" for name, number in data["versions"].items())
    extra = f"{data['lanes']:,} lanes, int8, CPU time of one core, medians of rounds taken in turn; {beside}"
    return f"{table}\n\n{ratios}\n\n{source_line(data, extra)}"


def _times(value: float | None) -> str:
    return "" if value is None else f"{value:,.{0 if value >= 10 else 1}f}"


API_HEAD = """# The Python interface

Written by `kagiya dev report` from signatures and docstrings; do not edit. Everything here is imported from `kagiya`
itself: `from kagiya import Game, Rules`. What compiled agents may call: [kernels.md](kernels.md).
"""
QUOTED_TYPE = re.compile(r"(: |-> )'([^']*)'")  # annotations are texts here
OBJECT = re.compile(r" = <.*?(?: at 0x[0-9a-f]+)?>(?=[,)])")  # a default that has no text of its own
SELF = re.compile(r"\((?:self|cls)(?:, |(?=\)))")


def api_page(package: ModuleType) -> str:
    """The whole page: functions and classes by name."""
    names = [name for name in sorted(package.__all__, key=str.lower) if not name.startswith("_")]
    return API_HEAD + "".join(section(name, getattr(package, name)) for name in names)


def section(name: str, value: Any) -> str:
    """What the page says of one public name."""
    if hasattr(value, "__supertype__"):
        return f"\n## {name}\n\nAn integer with a name of its own for type checkers; `{name}(n)` is n.\n"
    about = inspect.getdoc(value)
    if not about:
        raise StaleError(f"kagiya.{name} is public: it needs a docstring")
    members = "\n".join(member_rows(value)) if inspect.isclass(value) else ""
    table = f"\n\n| | |\n|---|---|\n{members}" if members else ""
    return f"\n## {name}\n\n`{call(name, value)}`\n\n{escaped(about)}{table}\n"


def escaped(about: str) -> str:
    """A docstring as Markdown: its sessions become blocks of code."""
    parts = [f"```text\n{part}\n```" if ">>>" in part else part for part in about.replace("``", "`").split("\n\n")]
    return "\n\n".join(parts)


def call(name: str, value: Any) -> str:
    """The name with its parameters, if it can be called."""
    try:
        written = QUOTED_TYPE.sub(r"\1\2", f"{name}{inspect.signature(value)}")
        return OBJECT.sub(" = ...", SELF.sub("(", written))
    except (TypeError, ValueError):
        return name


def member_rows(kind: type) -> Iterator[str]:
    """The public methods and properties that a class defines, in the order of its source."""
    for name, member in vars(kind).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        target = getattr(member, "fget", None) or getattr(member, "func", None) or function
        if not name.startswith("_") and inspect.isfunction(target):
            about = (inspect.getdoc(target) or "").split("\n")[0]
            if not about:
                raise StaleError(f"{kind.__name__}.{name} is public: it needs a docstring")
            shown = call(name, target) if target is function else name
            yield "| `{}` | {} |".format(*(text.replace("|", "\\|") for text in (shown, about)))


HEADINGS = {
    "kagiya.engine.dice": "Random numbers",
    "kagiya.kinds": "Cards, sets and multisets of kinds",
    "kagiya.engine.game_kernels": "The position, and moves taken apart",
    "kagiya.view.view_kernels": "What a seat can know",
    "kagiya.agents.tactics.vocabulary": "Sets of slots, and the choice of a hint",
    "kagiya.agents.tactics.play_or_discard": "Tactics that play or discard",
    "kagiya.agents.tactics.tell": "Tactics that tell",
    "kagiya.agents.tactics.noted": "Other tactics",
}

KERNELS_HEAD = """# Kernels for agents

Written by `kagiya dev report` from signatures and docstrings; do not edit.

All that a compiled agent may call is in `kagiya.kernels`:

    from kagiya.kernels import NO_MOVE, kernel, play_safe, slot_chance, unseen_planes

`states` is an array of positions and `i` the one meant; `seat` is who asks, `owner` or `receiver` whose hand is asked
about. `memory`, `params` and `rng` are handed on as `act` received them. The types exist for mypy alone: to the
compiler all but chances are int64, and `Card(n)` is n. A set is a mask: `Kinds` has bit n for card n, `Slots` has
bit n for slot n; `slots >> slot & 1` asks, `slots | 1 << slot` adds. `each_slot`, `each_seat`, `each_color`,
`each_rank` and `each_offset` are `range` with a type. `popcount(mask)` counts bits, `lowest_bit(mask)` finds the first
(64 if none).

## What -1 means

| name | value | stands for |
|---|---|---|
"""

# Name and meaning; the values are read from the code.
SENTINELS = {
    "NO_MOVE": "a tactic that has no move",
    "NO_SLOT": "no slot chosen; `play_move` and `discard_move` turn it into NO_MOVE",
    "NO_CARD": "in `hands` an empty slot (in `order` too), in `deck` a place whose card has been drawn",
    "UNKNOWN_COLOR": "a color that is not known",
    "UNKNOWN_RANK": "a rank that is not known",
    "HIDDEN_CARD": "in `hands` and `deck` a card that the seat may not see, in states made for it alone",
}
AFTER_SENTINELS = """
So `card >= 0` asks whether there is a card that is seen, `card != NO_CARD` whether there is one at all. Shift by a card
only after asking: `1 << card` means nothing for a negative number. An empty slot has `possible` 0 and the chance NaN,
which no comparison finds true.
"""
SHAPES = {
    "": "",
    "_HANDS": "[seat, slot]",
    "(MAX_PLAYERS,)": "[seat]",
    "(MAX_COLORS,)": "[color]",
    "(MAX_DECK,)": "[order]",
}
ALWAYS_THE_SAME = {"states", "i"}
TACTIC = ("states", "i", "seat", "rng", "value")


def kernels_page() -> str:
    """The whole page."""
    rows = [f"| `{name}` | {getattr(kernels, name)} | {meaning} |" for name, meaning in SENTINELS.items()]
    page = KERNELS_HEAD + "\n".join(rows) + "\n" + AFTER_SENTINELS + fields_section() + modes_section()
    for home, heading in HEADINGS.items():
        module = sys.modules[home]
        table = "\n".join(kernel_rows(module))
        page += f"\n## {heading}\n\n{_about(module)}\n\n| kernel | returns | |\n|---|---|---|\n{table}\n"
    return page


def fields_section() -> str:
    """What a position holds: the fields of the record that the source comments on."""
    field = re.compile(r'^ +\("(\w+)", np\.int64(?:, (\S+?))?\),(?:  # (.*))?$', re.MULTILINE)
    found = field.findall(inspect.getsource(layout))
    table = "\n".join(f"| `{name}{SHAPES[shape]}` | {meaning} |" for name, shape, meaning in found)
    return f'\n## The fields of a position\n\n`states[i]["tokens"]` and so on.\n\n| field | |\n|---|---|\n{table}\n'


def modes_section() -> str:
    """The flags that a `mode` is made of."""
    flag = re.compile(r"^(\w+) = Mode\(\d+\)(?:  # (.*))?$", re.MULTILINE)
    table = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in flag.findall(inspect.getsource(vocabulary)))
    return f"\n## Modes\n\n{_about(vocabulary)}\n\n| flag | |\n|---|---|\n{table}\n"


def _about(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").split("\n")[0]


def kernel_rows(module: ModuleType) -> Iterator[str]:
    """The public kernels of a module, in the order of its source."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef) and node.name in kernels.__all__:
            yield kernel_row(node)


def kernel_row(node: ast.FunctionDef) -> str:
    """What the page says of one kernel; refuses one that says nothing of itself."""
    meaning = (ast.get_docstring(node) or "").split("\n")[0]
    if not meaning or node.returns is None:
        raise StaleError(f"{node.name} is public: it needs a docstring of one line and a type for what it returns")
    names = tuple(argument.arg for argument in node.args.args)
    shown = names if names == TACTIC else [_argument(argument) for argument in node.args.args]
    call, returns = f"{node.name}({', '.join(shown)})", ast.unparse(node.returns)
    return "| `{}` | `{}` | {} |".format(call, returns, meaning.replace("|", "\\|"))


def _argument(argument: ast.arg) -> str:
    if argument.arg in ALWAYS_THE_SAME or argument.annotation is None:
        return argument.arg
    return f"{argument.arg}: {ast.unparse(argument.annotation)}"


def module_list(package: Path) -> dict[str, dict[str, str]]:
    """Every module of the package by folder, with the first sentence of its docstring."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(package.rglob("*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        folder = path.parent.relative_to(package).as_posix()
        if path.name != "__init__.py":
            found.setdefault(folder, {})[path.stem] = re.split(r"(?<=[.]) |\n\n", " ".join(text.splitlines()))[0]
    return found
