"""The signature: hashes of what every agent does on fixed decks, so that no change of behaviour goes unnoticed.

Every agent plays in all its variants, at tables that differ in rules and players. Only integers are hashed (moves,
scores, visits, sums of points): they do not depend on how a processor rounds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kagiya.agents.api import Agent, Parameter
from kagiya.agents.register import agent_types, find_agent
from kagiya.agents.tactics.vocabulary import tactics
from kagiya.lab.provenance import read_result, write_result
from kagiya.lab.table.table import Table
from kagiya.rules import Rules, parse_rules
from kagiya.search.explanation import Explanation
from kagiya.spec import SpecError

FIRST_SEED = 1
NETWORKS = tuple(f"evalfn(model={name})" for name in ("root-only", "narrow", "wide"))
MIXED = "mixed tables"  # listed among the agents, for the games in which different agents sit together
FEW_VALUES = 5  # an integer parameter with at most this many values is tried with each
BUDGETS = {"iterations": 20, "deals": 4}  # of a search

TACTIC_VALUE = 0.6
TACTICS_BELOW = "play-safe, tell-playable, discard-oldest"  # what is done where the tactic in front has no move

# Bouzy's rules as they stood when these hashes were written: what they prove must not be lost to a rule that no agent
# overlooks, for all ask `may_discard`.
BOUZY = "bouzy(hand_size=3, discard_below=0)"

# Rules and players. Together they reach every rule that an agent could overlook: hand sizes, six colors, empty
# hints, drawn cards that take the vacated place, few lives, bombs that keep their points.
TABLES = (
    *(("standard", players) for players in (2, 3, 4, 5)),
    *(("goodman", 3), (BOUZY, 4), ("rallabhandi", 5), ("quuxplusone(lives=1)", 2)),
    *(("standard(colors=6)", 3), ("hle-small", 2), ("standard(hand_size=1)", 5)),
)
SEARCH_TABLES = (("standard", 2), ("goodman", 3), (BOUZY, 4), ("rallabhandi", 5))
VARIANT_TABLES = (("standard", 2), ("goodman", 3))

# Settings of searches that no list of choices names, and choices that only show together.
SEARCHES = (
    "mo-ismcts(rollout=smartbot)",
    "mo-ismcts(plies=5, depth=1, c=0.3)",
    "mo-ismcts(steps=60)",
    "mo-ismcts(convention=next-seat, unprune=5)",
    "ris-mcts(rollout=holmesbot)",
    "ris-mcts(convention=playable-now, modeled=no)",
    "ris-mcts(convention=next-seat, backup=split)",
    "ris-mcts(unprune=5, rules=brooks)",
    "ris-mcts(rules=list(play-safe, tell-playable, discard-oldest), final=mean)",
    "ris-mcts(leaf=evalfn, convention=playable-now)",
    "ris-mcts(leaf=evalfn, convention=discardable, value=state)",
    "ris-mcts(leaf=evalfn, convention=playable-now, unprune=5, unprune_by=evalfn)",
    "ris-mcts(unprune=5, unprune_by=evalfn)",
    "ris-mcts(past=models, hands=10)",
    "mo-ismcts(past=smartbot, hands=10, convention=playable-now)",
    "predictor(leaf=evalfn)",
    "predictor(model=piers)",
    "brooks-mcts(redeterminize=yes, convention=brooks)",
    "brooks-mcts(plies=20, c=0.5, depth=3, rollout=iggi)",
    "depth-one(evaluator=smartbot)",
    "depth-one(evaluator=holmesbot)",
    "depth-one(evaluator=cheatbot)",
    "depth-one(evaluator=vdb, surprise=1)",
    "depth-one(evaluator=vdb, past=evalfn)",
    "depth-one(evaluator=smartbot, deals=8, margin=0)",
    "depth-one(evaluator=smartbot(safe=yes), deals=20, early=yes, plies=6, leaf=forecast)",
    "depth-one(evaluator=smartbot, plies=3, leaf=evalfn)",
    "depth-one(proposals=2, confidence=1, deals=20)",
    "depth-one-seer(evaluator=simplebot)",
    "sparta(blueprint=hat-information)",
    "sparta(cap=1)",
    "sparta(endings=0)",
    "sparta-both(blueprint=smartbot(safe=yes), deals=8, plies=6, leaf=forecast)",
)
MIXED_SEATS = (
    ("predictor(model=seated)", "piers", "iggi"),
    ("brooks-mcts(partner=brooks-iggi)", "brooks-iggi", "brooks-vdb"),
    ("ris-mcts", "vdb"),
    ("sparta", "smartbot", "smartbot"),
    ("depth-one", "careful-python", "confidence"),
    ("smartbot", "valuebot", "holmesbot", "simplebot"),
    ("random", "smartbot", "vdb", "careful-python", "certainty"),
    ("model", "osawa-self"),
)


@dataclass(frozen=True)
class SignatureSeating:
    """Agents and the tables they play at; one hash of the signature."""

    group: str  # the agent's id, or MIXED
    agents: tuple[Agent, ...]  # one for all seats, or one for each
    tables: tuple[Rules, ...]
    games: int  # at each table

    @property
    def text(self) -> str:
        return ", ".join(agent.text for agent in self.agents)


def all_seatings() -> Iterator[SignatureSeating]:
    """Everything the signature covers, in a fixed order."""
    for name, kind in agent_types().items():
        yield from agent_seatings(name, [*variants(name, kind.info.parameters), *listed_variants(name)])
    for texts in MIXED_SEATS:
        yield SignatureSeating(MIXED, tuple(map(small, texts)), (Rules(players=len(texts)),), 2)


def agent_seatings(name: str, texts: list[str]) -> Iterator[SignatureSeating]:
    """The agent with its defaults, at all tables, then its variants; a search plays fewer games."""
    plain = small(name)
    yield SignatureSeating(name, (plain,), able(plain, SEARCH_TABLES if plain.is_search else TABLES), games_of(plain))
    for text in texts:
        agent = small(text)
        yield SignatureSeating(name, (agent,), able(agent, VARIANT_TABLES) or able(agent, TABLES), games_of(agent))


def games_of(agent: Agent) -> int:
    """How many games at each table: as many as cost little."""
    return 1 if agent.is_search else 20 if agent.is_compiled else 2


def able(agent: Agent, tables: tuple[tuple[str, int], ...]) -> tuple[Rules, ...]:
    """The tables at which this agent can sit."""
    found = [parse_rules(text, players) for text, players in tables]
    return tuple(rules for rules in found if agent.why_not(rules) is None)


def variants(name: str, parameters: tuple[Parameter, ...]) -> Iterator[str]:
    """The agent with one parameter changed at a time, to each of its choices or a few numbers."""
    for parameter in parameters:
        for value in other_values(parameter, is_search=find_agent(name).is_search):
            yield f"{name}({parameter.name}={value})"


def other_values(parameter: Parameter, is_search: bool) -> Iterator[str]:
    """Values besides the default: words, the integers of a short range, for agents that answer at once a number."""
    if parameter.choices:
        if parameter.default in parameter.choices and parameter.name not in ("partner", "model"):
            yield from (choice for choice in parameter.choices if choice != parameter.default)
    elif parameter.whole and parameter.high - parameter.low < FEW_VALUES:
        numbers = range(int(parameter.low), int(parameter.high) + 1)
        yield from (str(number) for number in numbers if number != parameter.default)
    elif not is_search:
        middle = (parameter.low + parameter.high) / 2
        yield f"{int(middle) if parameter.whole else middle:g}"


def listed_variants(name: str) -> list[str]:
    """Variants that do not follow from the parameters: those of SEARCHES and NETWORKS, for `rules` every tactic."""
    if name == "rules":
        uses = [f"{tactic.name}({TACTIC_VALUE})" if tactic.value else tactic.name for tactic in tactics().values()]
        return [f"rules({use}, {TACTICS_BELOW})" for use in uses]
    return [text for text in (*SEARCHES, *NETWORKS) if text.partition("(")[0] == name]


def small(text: str) -> Agent:
    """The agent as written; a search with a small budget, unless one is given."""
    agent = find_agent(text)
    if not agent.is_search or {"steps", *BUDGETS} & set(agent.values):
        return agent
    (budget,) = [p.name for p in agent.info.parameters if p.name in BUDGETS]
    inside = text.partition("(")[2].removesuffix(")")
    return find_agent(f"{agent.info.id}({', '.join(filter(None, [f'{budget}={BUDGETS[budget]}', inside]))})")


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

    def marks(self, agents: Iterable[Agent]) -> dict[str, str]:
        """The hash of each agent, those that they search with included; empty if one was not tried."""
        found = {part.info.id for agent in agents for part in (agent, *agent.models)}
        return {name: self.of(name) for name in sorted(found)} if found <= set(self.agents) else {}

    def plays(self, marks: Mapping[str, str]) -> bool:
        """Whether agents that had these hashes, some at least, play the same games now."""
        return bool(marks) and all(self.has_played(*each) for each in marks.items())

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


def sign(seatings: Iterable[SignatureSeating], progress: Callable[[], None] = lambda: None) -> Signature:
    """Play the games of all seatings."""
    agents: dict[str, dict[str, str]] = {}
    for seating in seatings:
        agents.setdefault(seating.group, {})[seating.text] = digest(deeds(seating))
        progress()
    return Signature(agents)


def deeds(seating: SignatureSeating) -> list[Any]:
    """All that the agents did at their tables, in integers."""
    play = explained_games if any(agent.is_search for agent in seating.agents) else plain_games
    return [[rules.to_json(), play(seating, rules)] for rules in seating.tables]


def plain_games(seating: SignatureSeating, rules: Rules) -> list[Any]:
    """For each game the result, regrets included, and the moves."""
    results, moves = Table(rules, seating.agents).play_with_moves(FIRST_SEED, seating.games)
    return [
        [*(row[column].tolist() for column in COLUMNS), made[: row["turns"]].tolist()]
        for row, made in zip(results, moves, strict=True)
    ]


def explained_games(seating: SignatureSeating, rules: Rules) -> list[Any]:
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


def signature_beside(path: Path) -> Signature | None:
    """What all agents do, as written down in the folder of a result file; None if it is not."""
    file = path.with_name("signature.json")
    return read_signature(file) if file.exists() else None


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
