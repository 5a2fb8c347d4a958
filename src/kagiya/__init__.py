"""Kagiya: a workshop for Hanabi players. A fast engine, agents, and tools that measure how good they are.

The names below are loaded when first used, so that ``import kagiya`` stays quick and compiles nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Card": "cards",
    "Color": "cards",
    "Rank": "cards",
    "Seat": "cards",
    "Slot": "cards",
    "card_color": "cards",
    "card_name": "cards",
    "card_rank": "cards",
    "parse_card": "cards",
    "Rules": "rules",
    "parse_rules": "rules",
    "Move": "moves",
    "parse_move": "moves",
    "Game": "engine.game",
    "GameRecord": "engine.record",
    "Observation": "view.observation",
    "observe": "view.observation",
    "AgentInfo": "agents.api",
    "Parameter": "agents.api",
    "Agent": "agents.api",
    "CompiledAgent": "agents.api",
    "Hooks": "agents.api",
    "PythonAgent": "agents.api",
    "agent_types": "agents.register",
    "as_agent": "agents.register",
    "find_agent": "agents.register",
    "kernel": "_jit",
    "AgentError": "lab.table.table",
    "Table": "lab.table.table",
    "GameSession": "lab.table.session",
    "Decision": "lab.table.decision",
    "PendingDecision": "lab.table.session",
    "SeatGame": "lab.table.seat_game",
    "Match": "lab.match.match",
    "ask": "lab.table.session",
    "explain": "lab.table.session",
    "decide": "lab.table.session",
    "Explanation": "search.explanation",
    "judge": "lab.review.judging",
    "Judgement": "lab.review.judging",
    "play_from": "lab.table.session",
    "play_match": "lab.match.runner",
    "play_on": "lab.review.outcomes",
    "Outcomes": "lab.review.outcomes",
    "ContestResult": "lab.contests",
    "StoreResult": "lab.contests",
    "compare": "lab.contests",
    "crossplay": "lab.contests",
    "league": "lab.contests",
    "open_store": "lab.contests",
    "tournament": "lab.contests",
    "PublishedFigure": "lab.papers.verdicts",
    "published_figures": "lab.papers.verdicts",
}

__all__ = [
    "Agent",
    "AgentError",
    "AgentInfo",
    "Card",
    "Color",
    "CompiledAgent",
    "ContestResult",
    "Decision",
    "Explanation",
    "Game",
    "GameRecord",
    "GameSession",
    "Hooks",
    "Judgement",
    "Match",
    "Move",
    "Observation",
    "Outcomes",
    "Parameter",
    "PendingDecision",
    "PublishedFigure",
    "PythonAgent",
    "Rank",
    "Rules",
    "Seat",
    "SeatGame",
    "Slot",
    "StoreResult",
    "Table",
    "__version__",
    "agent_types",
    "as_agent",
    "ask",
    "card_color",
    "card_name",
    "card_rank",
    "compare",
    "crossplay",
    "decide",
    "explain",
    "find_agent",
    "judge",
    "kernel",
    "league",
    "observe",
    "open_store",
    "parse_card",
    "parse_move",
    "parse_rules",
    "play_from",
    "play_match",
    "play_on",
    "published_figures",
    "tournament",
]

if TYPE_CHECKING:
    from kagiya._jit import kernel
    from kagiya.agents.api import Agent, AgentInfo, CompiledAgent, Hooks, Parameter, PythonAgent
    from kagiya.agents.register import agent_types, as_agent, find_agent
    from kagiya.cards import Card, Color, Rank, Seat, Slot, card_color, card_name, card_rank, parse_card
    from kagiya.engine.game import Game
    from kagiya.engine.record import GameRecord
    from kagiya.lab.contests import ContestResult, StoreResult, compare, crossplay, league, open_store, tournament
    from kagiya.lab.match.match import Match
    from kagiya.lab.match.runner import play_match
    from kagiya.lab.papers.verdicts import PublishedFigure, published_figures
    from kagiya.lab.review.judging import Judgement, judge
    from kagiya.lab.review.outcomes import Outcomes, play_on
    from kagiya.lab.table.decision import Decision
    from kagiya.lab.table.seat_game import SeatGame
    from kagiya.lab.table.session import GameSession, PendingDecision, ask, decide, explain, play_from
    from kagiya.lab.table.table import AgentError, Table
    from kagiya.moves import Move, parse_move
    from kagiya.rules import Rules, parse_rules
    from kagiya.search.explanation import Explanation
    from kagiya.view.observation import Observation, observe


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kagiya' has no attribute {name!r}")
    value = getattr(import_module(f"kagiya.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
