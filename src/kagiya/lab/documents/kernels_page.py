"""The reference page of `kagiya.kernels`, written from signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from kagiya import kernels
from kagiya.agents.tactics import modes
from kagiya.engine import layout
from kagiya.lab.documents.report import StaleError

HEADINGS = {
    "kagiya.dice": "Random numbers",
    "kagiya.kinds": "Cards and sets of kinds",
    "kagiya.planes": "Multisets of cards",
    "kagiya.move_kernels": "Moves made and taken apart",
    "kagiya.engine.kernels": "The position",
    "kagiya.view.kernels": "What a seat can know",
    "kagiya.agents.tactics.slots": "Sets of slots",
    "kagiya.agents.tactics.hints": "Choosing a hint",
    "kagiya.agents.tactics.play": "Tactics that play",
    "kagiya.agents.tactics.discard": "Tactics that discard",
    "kagiya.agents.tactics.tell": "Tactics that tell about one card",
    "kagiya.agents.tactics.tell_most": "Tactics that tell most",
    "kagiya.agents.tactics.tell_random": "Tactics that tell at random",
    "kagiya.agents.tactics.unblock": "Other tactics",
    "kagiya.agents.rule_list": "When nothing applies",
}

HEAD = """# Kernels for agents

Written by `kagiya report` from signatures and docstrings; do not edit.

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


@dataclass(frozen=True)
class Entry:
    """A kernel as the page shows it."""

    call: str
    returns: str
    meaning: str


def kernels_page() -> str:
    """The whole page."""
    rows = [f"| `{name}` | {getattr(kernels, name)} | {meaning} |" for name, meaning in SENTINELS.items()]
    page = HEAD + "\n".join(rows) + "\n" + AFTER_SENTINELS + fields_section() + modes_section()
    for home, heading in HEADINGS.items():
        module = sys.modules[home]
        table = "\n".join(f"| `{e.call}` | `{e.returns}` | {e.meaning} |" for e in entries(module))
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
    table = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in flag.findall(inspect.getsource(modes)))
    return f"\n## Modes\n\n{_about(modes)}\n\n| flag | |\n|---|---|\n{table}\n"


def _about(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").split("\n")[0]


def entries(module: ModuleType) -> Iterator[Entry]:
    """The public kernels of a module, in the order of its source."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef) and node.name in kernels.__all__:
            yield entry(node)


def entry(node: ast.FunctionDef) -> Entry:
    """What the page says of one kernel; refuses one that says nothing of itself."""
    meaning = (ast.get_docstring(node) or "").split("\n")[0]
    if not meaning or node.returns is None:
        raise StaleError(f"{node.name} is public: it needs a docstring of one line and a type for what it returns")
    names = tuple(argument.arg for argument in node.args.args)
    shown = names if names == TACTIC else [_argument(argument) for argument in node.args.args]
    return Entry(f"{node.name}({', '.join(shown)})", ast.unparse(node.returns), meaning.replace("|", "\\|"))


def _argument(argument: ast.arg) -> str:
    if argument.arg in ALWAYS_THE_SAME or argument.annotation is None:
        return argument.arg
    return f"{argument.arg}: {ast.unparse(argument.annotation)}"
