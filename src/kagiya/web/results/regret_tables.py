"""Who lost the points of a cell: by seat and source, and by agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kagiya.cards import SEAT_NAMES
from kagiya.drawing.markup import Child, Markup, element
from kagiya.lab.statistics.regret import INDIRECT, SOURCES
from kagiya.web.results.cell_question import CellAnswer
from kagiya.web.results.lists import scrolled, table

HEADS = {"discard": "Discards", "play": "Misplays", "bomb": "Bombs", INDIRECT: "Lack of turns"}


def regret_tables(answer: CellAnswer) -> Markup:
    """Points lost in a game, on average."""
    regret = answer.summary.regret
    assert regret is not None  # there is a game, else there would be no page
    players = answer.teams[0].players
    whole = {**regret.sources, INDIRECT: regret.indirect}
    by_seat = [(_seat(answer, seat), regret.seats[seat]) for seat in range(players)]
    agents = [(agent, lost) for agent, lost in answer.by_agent.items()]
    return element(
        "section",
        element("h2", "Points lost"),
        element(
            "p",
            f"{regret.direct:.2f} ± {regret.direct_se:.2f} a game directly, by moves that made them impossible; "
            f"{regret.indirect:.2f} ± {regret.indirect_se:.2f} because too few turns were left.",
        ),
        _lost("Points lost in a game, by seat and source", "Seat", [*by_seat, ("all seats", whole)], "by-seat"),
        _lost("Points lost in a game by one seat of each agent", "Agent", agents, "by-agent")
        if len(agents) > 1
        else None,
    )


def _seat(answer: CellAnswer, seat: int) -> str:
    """A seat, with its agent if it is always the same."""
    sitting = {team.seats[seat] for team in answer.teams}
    return f"{SEAT_NAMES[seat]}, {sitting.pop()}" if len(sitting) == 1 else SEAT_NAMES[seat]


def _lost(name: str, first: str, rows: Sequence[tuple[str, Mapping[str, float]]], id_: str) -> Markup:
    sources = (*SOURCES, INDIRECT)
    drawn: list[tuple[Child, ...]] = [
        (who, *(f"{lost[source]:.2f}" for source in sources), f"{sum(lost.values()):.2f}") for who, lost in rows
    ]
    heads = (first, *(HEADS[source] for source in sources), "Together")
    return scrolled(table(name, heads, drawn, frozenset(range(1, 6))), id_, name)
