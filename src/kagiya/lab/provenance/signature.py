"""What all agents do on fixed decks, as hashes, so that no change of behaviour goes unnoticed.

Only integers are hashed (moves, scores, visits, sums of points): they do not depend on how a processor rounds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kagiya.agents.register import find_agent
from kagiya.lab.provenance.result_files import read_result, write_result
from kagiya.lab.provenance.signature_games import FIRST_SEED, Seating
from kagiya.lab.table.table import Table
from kagiya.rules import Rules
from kagiya.search.explanation import Explanation
from kagiya.spec import SpecError

LENGTH = 12
SHARES = 60  # of a point: sums of points are integers, and means of up to six of them whole multiples of this share
COLUMNS = ("seed", "score", "points", "reachable", "lives", "turns", "regret", "indirect")  # of RESULT
TO_DO = "if that is intended, run kagiya dev signature --write and let the commit say what changed"


@dataclass(frozen=True)
class Signature:
    """A hash for each seating, by agent."""

    agents: dict[str, dict[str, str]]  # agent's id -> text of the seating -> hash
    earlier: dict[str, list[str]] = field(default_factory=dict)  # agent's id -> what `of` gave before it got seatings

    @property
    def total(self) -> str:
        return digest(self.agents)

    def of(self, name: str) -> str:
        """One hash for all seatings of an agent."""
        return digest(self.agents[name])

    def has_played(self, name: str, mark: str) -> bool:
        """Whether an agent that had this hash plays the same games now, on all decks that it was tried on then."""
        return name in self.agents and mark in (self.of(name), *self.earlier.get(name, ()))

    def after(self, before: Signature) -> Signature:
        """This signature, with the earlier hashes of agents whose seatings differ, but not in any game."""
        same = {
            name: before.earlier.get(name, []) + ([before.of(name)] if before.agents[name] != hashes else [])
            for name, hashes in self.agents.items()
            if name in before.agents and plays_on(before.agents[name], hashes)
        }
        return Signature(self.agents, {name: marks for name, marks in same.items() if marks})

    def to_json(self) -> dict[str, Any]:
        """Plain data, as it is printed and written."""
        return {"total": self.total, "agents": self.agents} | ({"earlier": self.earlier} if self.earlier else {})

    def only(self, names: Iterable[str]) -> Signature:
        """The part about these agents."""
        wanted = set(names)
        return Signature({name: hashes for name, hashes in self.agents.items() if name in wanted})


def plays_on(before: dict[str, str], now: dict[str, str]) -> bool:
    """Whether all seatings of before play the same games, but for those whose parameters are gone."""
    return all(now[text] == mark if text in now else not can_be_built(text) for text, mark in before.items())


def can_be_built(text: str) -> bool:
    """Whether there is still an agent with these parameters."""
    try:
        find_agent(text)
    except SpecError:
        return False
    return True


@dataclass(frozen=True)
class Change:
    """One seating whose games are not what was written down."""

    kind: str  # changed, new or gone
    agent: str
    seating: str


def digest(data: Any) -> str:
    """A short hash of plain data."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:LENGTH]


def sign(seatings: Iterable[Seating], progress: Callable[[], None] = lambda: None) -> Signature:
    """Play the games of all seatings."""
    agents: dict[str, dict[str, str]] = {}
    for seating in seatings:
        agents.setdefault(seating.group, {})[seating.text] = digest(deeds(seating))
        progress()
    return Signature(agents)


def deeds(seating: Seating) -> list[Any]:
    """All that the agents did at their tables, in integers."""
    play = explained_games if any(agent.is_search for agent in seating.agents) else plain_games
    return [[rules.to_json(), play(seating, rules)] for rules in seating.tables]


def plain_games(seating: Seating, rules: Rules) -> list[Any]:
    """For each game the result, regrets included, and the moves."""
    results, moves = Table(rules, seating.agents).play_with_moves(FIRST_SEED, seating.games)
    return [
        [*(row[column].tolist() for column in COLUMNS), made[: row["turns"]].tolist()]
        for row, made in zip(results, moves, strict=True)
    ]


def explained_games(seating: Seating, rules: Rules) -> list[Any]:
    """For each game of a search the moves, and what it thought of each."""
    table, games = Table(rules, seating.agents), []
    for seed in range(FIRST_SEED, FIRST_SEED + seating.games):
        reasons = table.play_explained(seed)
        thoughts = [None if each is None else thought(each) for each in table.explanations]
        games.append([seed, table.log.moves[: len(reasons)].tolist(), thoughts])
    return games


def thought(found: Explanation) -> list[Any]:
    """A search's explanation of a move in integers: visits, and the points of all visits in units of 1 / SHARES."""
    weighed = sorted([int(each.move), each.visits, round(each.value * each.visits * SHARES)] for each in found.moves)
    line = [[int(each.seat), int(each.move), each.visits] for each in found.line]
    return [weighed, line, found.iterations, found.depth]


def changes(written: Signature, played: Signature) -> list[Change]:
    """How the games played differ from those written down; an agent that nothing was written of does not."""
    before, now = (
        {(agent, text): mark for agent, hashes in each.agents.items() for text, mark in hashes.items()}
        for each in (written, played.only(written.agents))
    )
    found = [Change("new" if key not in before else "changed", *key) for key in now if before.get(key) != now[key]]
    return found + [Change("gone", *key) for key in before if key not in now]


def write_signature(path: Path, signature: Signature) -> None:
    """Write the file that later games are compared with; it remembers what it replaces, as far as that still holds."""
    before = read_signature(path) if path.exists() else signature
    write_result(path, signature.after(before).to_json())


def read_signature(path: Path) -> Signature:
    """The signature that was written down; refuses a file edited by hand."""
    if not path.exists():
        raise ValueError(
            f"there is no {path} to compare with; run kagiya dev signature --write in the project's folder"
        )
    data = read_result(path)
    signature = Signature(data.get("agents", {}), data.get("earlier", {}))
    if signature.total != data.get("total"):
        raise ValueError(f"{path}: its total is not that of its agents; write it with kagiya dev signature --write")
    return signature
