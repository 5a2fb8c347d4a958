"""What a seat could know of its own hand at every turn: by hints, by a convention, by what the others did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kagiya.agents.api import Agent
from kagiya.cards import Card, Seat
from kagiya.engine.game import LANE, Game
from kagiya.lab.review.chances import Knower
from kagiya.lab.review.hand_chances import Basis, HandChances
from kagiya.lab.review.outcomes import believed
from kagiya.lab.table.table import SeatingError
from kagiya.web.review.story import Story

SAMPLES = 100
WAYS: dict[str, tuple[Basis, str]] = {
    "hints": (Basis.HINTS, "by hints"),
    "convention": (Basis.CONVENTION, "by convention"),
    "moves": (Basis.PAST_MOVES, "by past moves"),
}


@dataclass
class Beliefs:
    """One seat's knowledge, turn by turn and way by way, as far as it is worked out."""

    seat: Seat
    agent: str  # whose convention, and whose judgement of past moves
    hands: dict[str, dict[int, HandChances]] = field(default_factory=dict)  # by way and turn
    losses: dict[str, dict[int, float]] = field(default_factory=dict)  # bits a card, measured by the truth
    problems: dict[str, str] = field(default_factory=dict)  # ways that there are not, and why

    def to_json(self, turn: int) -> dict[str, Any]:
        """Plain data of one turn, and the losses of all."""
        hands = {way: found[turn].to_json() for way, found in self.hands.items() if turn in found}
        losses = {way: [found[each] for each in sorted(found)] for way, found in self.losses.items()}
        return {"seat": int(self.seat), "agent": self.agent, "hands": hands, "log_loss": losses, "no": self.problems}


def believer(agents: Mapping[int, Agent | None], seat: Seat, usual: Agent) -> Agent:
    """Whose convention a seat believes: its own agent's if that is possible, else the judge's."""
    own = agents.get(seat)
    return (believed(own) if own is not None else None) or usual


def work_out(beliefs: Beliefs, story: Story, agent: Agent, tell: Callable[[float], bool]) -> None:
    """Fill in all ways, one after the other; `tell` is told how far it is and says whether to go on."""
    for place, way in enumerate(WAYS):
        try:
            knower = _knower(story, way, agent)
        except (ValueError, SeatingError) as error:
            beliefs.problems[way] = str(error)
            continue
        hands, losses = beliefs.hands.setdefault(way, {}), beliefs.losses.setdefault(way, {})
        for turn, game in enumerate(story.games, start=story.first_turn):
            if game.is_over:
                break
            found = knower.chances(beliefs.seat)
            hands[turn], losses[turn] = found, found.log_loss(true_cards(game, beliefs.seat))
            if not tell((place + (turn - story.first_turn) / len(story.games)) / len(WAYS)):
                return
            if (move := story.move_of(turn)) is not None:
                knower.hear(move)


def _knower(story: Story, way: str, agent: Agent) -> Knower:
    basis, _ = WAYS[way]
    if basis is Basis.HINTS:
        return Knower(story.beginning)
    return Knower(story.beginning, agent, basis is Basis.PAST_MOVES, SAMPLES)


def true_cards(game: Game, seat: Seat) -> dict[int, Card]:
    """The cards of a hand by their places in the deck."""
    orders = game.states[LANE]["order"][seat].tolist()
    return {order: card for order, card in zip(orders, game.hands[seat], strict=False) if order >= 0}
