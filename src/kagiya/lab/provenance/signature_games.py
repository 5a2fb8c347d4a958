"""Which games the signature plays: every agent in all its variants, at tables that differ in rules and players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kagiya.agents.api import Agent, Parameter
from kagiya.agents.register import agent_types, find_agent
from kagiya.agents.tactics._tactic import tactics
from kagiya.rules import Rules, parse_rules

FIRST_SEED = 1
NETWORKS = tuple(f"evalfn(model={name})" for name in ("root-only", "narrow", "wide"))
MIXED = "mixed tables"  # listed among the agents, for the games in which different agents sit together
FEW_VALUES = 5  # an integer parameter with at most this many values is tried with each
BUDGETS = {"iterations": 20, "deals": 4}  # of a search

TACTIC_VALUE = 0.6
TACTICS_BELOW = "play-safe, tell-playable, discard-oldest"  # what is done where the tactic in front has no move

# Rules and players. Together they reach every rule that an agent could overlook: hand sizes, six colors, empty
# hints, drawn cards that take the vacated place, few lives, bombs that keep their points.
TABLES = (
    *(("standard", players) for players in (2, 3, 4, 5)),
    *(("goodman", 3), ("bouzy(hand_size=3)", 4), ("rallabhandi", 5), ("quuxplusone(lives=1)", 2)),
    *(("standard(colors=6)", 3), ("hle-small", 2), ("standard(hand_size=1)", 5)),
)
SEARCH_TABLES = (("standard", 2), ("goodman", 3), ("bouzy(hand_size=3)", 4), ("rallabhandi", 5))
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
class Seating:
    """Agents and the tables they play at; one hash of the signature."""

    group: str  # the agent's id, or MIXED
    agents: tuple[Agent, ...]  # one for all seats, or one for each
    tables: tuple[Rules, ...]
    games: int  # at each table

    @property
    def text(self) -> str:
        return ", ".join(agent.text for agent in self.agents)


def all_seatings() -> Iterator[Seating]:
    """Everything the signature covers, in a fixed order."""
    for name, kind in agent_types().items():
        yield from agent_seatings(name, [*variants(name, kind.info.parameters), *listed_variants(name)])
    for texts in MIXED_SEATS:
        yield Seating(MIXED, tuple(map(small, texts)), (Rules(players=len(texts)),), 2)


def agent_seatings(name: str, texts: list[str]) -> Iterator[Seating]:
    """The agent with its defaults, at all tables, then its variants; a search plays fewer games."""
    plain = small(name)
    yield Seating(name, (plain,), able(plain, SEARCH_TABLES if plain.is_search else TABLES), games_of(plain))
    for text in texts:
        agent = small(text)
        yield Seating(name, (agent,), able(agent, VARIANT_TABLES) or able(agent, TABLES), games_of(agent))


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
