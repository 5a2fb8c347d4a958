"""The reference page of vectors and actions, docs/observation.md, written from the layout that the encoder follows."""

from __future__ import annotations

from itertools import groupby

from kagiya.lab.papers.paper_pages import markdown_table
from kagiya.moves import Move
from kagiya.rl.encoding import Encoding
from kagiya.rl.vectors import KINDS, VectorPart, num_uids, uid_to_move
from kagiya.rules import Rules

COUNTS = (2, 3, 4, 5)
HEAD = """# Vectors and actions

Written by `kagiya dev report` from the code; do not edit.

What `kagiya.rl`, the Gymnasium and PettingZoo environments and the drop-in `rl_env` give a learner: the Hanabi Learning
Environment's canonical vector, to the bit, and its numbers of moves, which OpenSpiel and JaxMARL share. Everything is
counted from the observer: seat 1 after the observer moves next. Slot 1 holds the oldest card. A card is one of
colors * ranks places, color by color (red, yellow, green, white, blue) and within a color from 1 to 5; what is not
there (an empty slot, a hint that was not given) is all zeros. "As many ones" means that the first n entries are 1.

`Encoding(...).parts(rules)` gives these ranges for any rules.

## Sections

The first and the last entry of each, by the standard rules.

"""
KINDS_TEXT = """
## Kinds of vectors

`minimal` ends before the knowledge. `card-knowledge` is what these tables show. `seer` has the same places; its
knowledge tells every card, the observer's own included. `belief`, JaxMARL's, is in float32 and has in place of
"cards that hints leave open" the chance of each card: what hints leave open, weighed by the copies
that are neither played nor discarded. With `own_hand` the observer's cards come first among the hands and everything
else moves back.

"""
MOVES_TEXT = """
## Numbers of moves

Masks have one place for each; with `no_op` one more at the end, for those who are not to move.

"""


def observation_page() -> str:
    """The whole page."""
    page = HEAD + markdown_table(["section", *_players()], list(_section_rows()))
    page += f"\n{KINDS_TEXT}" + markdown_table(["entries", *_players()], list(_kind_rows()))
    page += f"\n{MOVES_TEXT}" + markdown_table(["move", *_players()], list(_move_rows()))
    for count in COUNTS:
        rows = [[part.name, part.section, _range(part.first, part.size)] for part in _parts(count)]
        page += f"\n\n## Every range, {count} players\n\n" + markdown_table(["what", "section", "entries"], rows)
    return page + "\n"


def _players() -> list[str]:
    return [f"{count} players" for count in COUNTS]


def _parts(count: int) -> list[VectorPart]:
    return Encoding().parts(Rules(players=count))


def _range(first: int, size: int) -> str:
    return f"{first}" if size == 1 else f"{first}-{first + size - 1}"


def _section_rows() -> list[list[str]]:
    columns: list[dict[str, str]] = []
    for count in COUNTS:
        sections = [(name, list(parts)) for name, parts in groupby(_parts(count), lambda part: part.section)]
        columns.append({name: _range(run[0].first, sum(part.size for part in run)) for name, run in sections})
    return [[name, *(column[name] for column in columns)] for name in columns[0]]


def _kind_rows() -> list[list[str]]:
    rows = []
    for kind in list(KINDS)[:-1]:  # the last is none
        for own in (False, True):
            encoding = Encoding(kind, "float32", own_hand=own)
            name = f"`{kind}`, `own_hand`" if own else f"`{kind}`"
            rows.append([name, *(str(encoding.entries(Rules(players=count))) for count in COUNTS)])
    return rows


def _move_rows() -> list[list[str]]:
    columns = []
    for count in COUNTS:
        rules = Rules(players=count)
        names = [_about(uid_to_move(uid, rules)) for uid in range(num_uids(rules))]
        column = {name: _range(names.index(name), len(list(run))) for name, run in groupby(names)}
        columns.append({**column, "no-op": str(num_uids(rules))})
    return [[name, *(column.get(name, "") for column in columns)] for name in columns[-1]]


def _about(move: Move) -> str:
    if move.slot is not None:
        return "play slot 1, 2, ..." if move.is_play else "discard slot 1, 2, ..."
    told = "red, yellow, ..." if move.color is not None else "1, 2, ..."
    return f"hint to seat {move.offset} after the observer: {told}"
