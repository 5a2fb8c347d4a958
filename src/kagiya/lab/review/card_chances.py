"""Chances of cards: what each slot of a hand may be, as its owner can know it, and how well that fits the truth.

They go by hints alone, by a convention, or by the others' past moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, now
from kagiya.agents.api import Agent
from kagiya.cards import MAX_HAND, MAX_KINDS, Card, Seat, card_name, each_slot
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import GAME, Lane, Memory, Params, States
from kagiya.kinds import kind_bit
from kagiya.lab.review.samples import Sampler, as_evaluator
from kagiya.lab.table.determinization import plausible_game
from kagiya.moves import Move
from kagiya.search.deals.past_moves import count_unexplained
from kagiya.search.flat_search import deal_hand
from kagiya.search.search_layout import KNOWN, states_of, work_at
from kagiya.search.search_options import check_judge
from kagiya.view.observation import Observation, observe
from kagiya.view.view_kernels import DEAL_TABLE, DealTable, count_deals, critical_kinds, exact_chance, unseen_planes


@kernel
def card_chances(
    states: States, i: Lane, viewer: Seat, owner: Seat, table: DealTable, chances: npt.NDArray[np.float64]
) -> None:
    """Fill `chances[slot, kind]`: the exact chance by hints and counting, as far as the viewer can tell."""
    low, high = unseen_planes(states, i, viewer, owner)
    occupied = count_deals(states, i, owner, low, high, table)
    for slot in each_slot(states[i]["hand_size"]):
        possible = states[i]["possible"][owner, slot] & (low | high)
        for kind in range(MAX_KINDS):
            chances[slot, kind] = 0.0
            if occupied >> slot & 1 and possible >> kind & 1:
                chances[slot, kind] = exact_chance(low, high, occupied, slot, kind_bit(Card(kind)), table)


FLOOR = 0.001  # a true card that had no chance counts as if it had had this one


class Basis(StrEnum):
    """What chances go by."""

    HINTS = "hints"  # and counting: exact
    CONVENTION = "convention"  # of an agent, besides: exact
    PAST_MOVES = "past moves"  # what an agent would have done in the others' place, besides: sampled


@dataclass(frozen=True, slots=True)
class SlotChances:
    """One card of a hand: what it may be, the likeliest first."""

    slot: int
    order: int  # the card's place in the deck: its name for life
    cards: dict[Card, float]
    playable: float
    useless: float
    critical: float

    @property
    def bits(self) -> float:
        """How much is not known of the card: 0 for a card that is known, 1 for one of two that are equally likely."""
        return -sum(chance * math.log2(chance) for chance in self.cards.values())

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        cards = {card_name(card): chance for card, chance in self.cards.items()}
        return {**asdict(self), "cards": cards, "bits": self.bits}


@dataclass(frozen=True)
class HandChances:
    """A hand as its owner can know it at one moment."""

    turn: int
    seat: Seat
    basis: Basis
    agent: str | None  # whose convention, or whose judgement of past moves
    samples: int | None  # of hands; None if the chances are exact
    effective_samples: float | None  # as many equally likely hands would be as good
    slots: tuple[SlotChances, ...]

    def log_loss(self, truth: Mapping[int, Card]) -> float:
        """The mean surprise at the true cards, by order, in bits; 0 if all were known. A true card without a chance
        counts as one of a thousand."""
        losses = [-math.log2(max(each.cards.get(truth[each.order], 0.0), FLOOR)) for each in self.slots]
        return sum(losses) / len(losses) if losses else 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        slots = [each.to_json() for each in self.slots]
        return {**vars(self), "seat": int(self.seat), "basis": str(self.basis), "slots": slots}


@dataclass(frozen=True)
class ToldChances:
    """What a move tells a seat of its own cards."""

    move: Move
    before: HandChances
    after: HandChances

    def to_json(self) -> dict[str, Any]:
        """Plain data; the cards of before and after have the same `order`."""
        return {"move": str(self.move), "before": self.before.to_json(), "after": self.after.to_json()}


SAMPLES = 300
SLICE = 20_000_000  # nanoseconds of sampling between two breaths for other threads

Chances = npt.NDArray[np.float64]  # [slot, kind]


class Knower:
    """Follows a game and says what its seats can know of their cards, always on the same basis."""

    def __init__(
        self, game: Game, agent: object | None = None, past_moves: bool = False, samples: int = SAMPLES
    ) -> None:
        self.agent = None if agent is None else believed_agent(agent, past_moves)
        if past_moves and self.agent is None:
            raise ValueError("past moves are judged by an agent; give one")
        self.basis = Basis.PAST_MOVES if past_moves else Basis.HINTS if self.agent is None else Basis.CONVENTION
        self.samples = check_samples(samples) if past_moves else None
        self._game = game.copy()
        self._sampler: Sampler | None = None  # hints alone need none
        if self.agent is not None:
            self._sampler = Sampler(game.rules, self.agent)
            self._sampler.watch(game)

    def hear(self, move: int) -> None:
        """The move that is made next."""
        self._game.make(move)
        if self._sampler is not None:
            self._sampler.hear(move)

    def chances(self, seat: Seat, seed: int = 0) -> HandChances:
        """What a seat can know now."""
        sampler, effective = self._sampler, None
        known = observe(self._game, seat).states
        if sampler is not None:
            sampler.begin(seat, seed)
            known = sampler.workspace(seat).states[int(KNOWN) : int(KNOWN) + 1]
        by_cards = exact_chances(known, seat)
        if sampler is not None and self.samples is not None:
            by_cards, effective = weighed_chances(sampler, seat, self.samples, by_cards)
        return HandChances(
            turn=int(known[LANE]["turn"]),
            seat=seat,
            basis=self.basis,
            agent=None if self.agent is None else self.agent.text,
            samples=self.samples,
            effective_samples=effective,
            slots=tuple(slot_chances(known, seat, by_cards)),
        )


def weighed_chances(sampler: Sampler, seat: Seat, count: int, usual: Chances) -> tuple[Chances, float]:
    """Chances by sampled hands, each weighed by the past moves that it leaves unexplained, and what they are worth.

    One more sample stands for all hands, so that no card that is possible is without a chance.
    """
    table, place = sampler.table, 0
    hands, unexplained = np.zeros((count, MAX_HAND), np.int64), np.zeros(count, np.int64)
    while place < count:
        place = int(weigh_on(table.states, GAME, seat, table.memory, table.params, hands, unexplained, place, SLICE))
    table.check_memory()
    odds = float(sampler.workspace(seat).work["unexplained_odds"])
    weights = odds ** (unexplained - unexplained.min())
    by_cards = usual.copy()
    for slot in range(MAX_HAND):
        held = hands[:, slot] >= 0
        np.add.at(by_cards[slot], hands[held, slot], weights[held])
    return by_cards / (1.0 + weights.sum()), float(weights.sum() ** 2 / (weights**2).sum())


def believed_agent(agent: object, past_moves: bool) -> Agent:
    """An agent whose convention, or whose judgement of past moves, can be asked for."""
    found = as_evaluator(agent)
    if past_moves:
        check_judge(found, "past moves")
    elif not has_convention(found):
        raise ValueError(f"{found.text} does not say what its moves mean for hidden cards; ask by hints or past moves")
    return found


def has_convention(agent: Agent) -> bool:
    """Whether an agent can say what a move means for a seat's hidden cards."""
    return agent.hooks.believe is not None


def check_samples(samples: int) -> int:
    """At least one sample."""
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise ValueError(f"samples must be an integer of at least 1, not {samples!r}")
    return samples


def exact_chances(states: States, seat: Seat) -> Chances:
    """The chance of every kind in every slot, each hand that fits being as likely as any other."""
    found, table = np.zeros((MAX_HAND, MAX_KINDS)), np.zeros(DEAL_TABLE, np.int64)
    card_chances(states, LANE, seat, seat, table, found)
    return found


def slot_chances(states: States, seat: Seat, by_cards: Chances) -> Iterator[SlotChances]:
    """The slots that hold a card."""
    state = states[LANE]
    groups = [int(state["playable"]), int(state["useless"]), int(critical_kinds(states, LANE))]
    for slot in range(int(state["hand_size"])):
        if (order := int(state["order"][seat, slot])) < 0:
            continue
        row = by_cards[slot].tolist()
        likely = sorted((kind for kind in range(MAX_KINDS) if row[kind] > 0), key=lambda kind: -row[kind])
        sums = [sum(row[kind] for kind in likely if mask >> kind & 1) for mask in groups]
        yield SlotChances(slot, order, {Card(kind): row[kind] for kind in likely}, *sums)


def chances(
    game: Game | Observation,
    seat: int | None = None,
    agent: object | None = None,
    past_moves: bool = False,
    samples: int = SAMPLES,
    seed: int = 0,
) -> HandChances:
    """The chance of every card in every slot of a seat's own hand, by what this seat can know.

    Without an agent: by hints and counting, exactly. With one: also by what its convention makes of the moves so far,
    if it has one. With `past_moves`: also by what it would have done in the others' place under each of some sampled
    hands. The seat's true hand is never read; of an `Observation`, the seat is its own.
    """
    whole = plausible_game(game) if isinstance(game, Observation) else game
    viewer = _viewer(game, seat)
    return Knower(whole, agent, past_moves, samples).chances(viewer, seed)


def what_it_told(
    game: Game | Observation,
    seat: int | None = None,
    agent: object | None = None,
    past_moves: bool = False,
    samples: int = SAMPLES,
    seed: int = 0,
) -> ToldChances:
    """What the last move told a seat of its cards: chances before and after. The arguments are those of `chances`."""
    after = (plausible_game(game) if isinstance(game, Observation) else game).copy()
    before, viewer = after.copy(), _viewer(game, seat)
    move = before.undo()
    knower = Knower(before, agent, past_moves, samples)
    first = knower.chances(viewer, seed)
    knower.hear(move)
    return ToldChances(move, first, knower.chances(viewer, seed))


def _viewer(game: Game | Observation, seat: int | None) -> Seat:
    if isinstance(game, Observation) and seat not in (None, game.seat):
        raise ValueError(f"this is what seat {game.seat} knows, not seat {seat}")
    viewer = game.seat if seat is None else seat
    if not 0 <= viewer < game.rules.players:
        raise ValueError(f"the seats of this game are 0 to {game.rules.players - 1}, not {viewer}")
    return Seat(viewer)


@kernel
def weigh_on(
    states: States,
    i: Lane,
    seat: Seat,
    memory: Memory,
    params: Params,
    hands: npt.NDArray[np.int64],
    unexplained: npt.NDArray[np.int64],
    place: int,
    nanoseconds: int,
) -> int:
    """Sample hands that fit hints and convention from `place` on, for so long; returns the place reached.

    `unexplained[place]` are the past moves of others that the hand leaves unexplained; none where the history is not
    known or no move was made.
    """
    work, started = work_at(int(params[seat, 0])), now()
    knows = work["whole_history"] and work["turns"]
    while place < len(hands):
        deal_hand(states, i, seat, work)
        for slot in range(states_of(work)[KNOWN]["hand_size"]):
            hands[place, slot] = work["hand"][slot]
        unexplained[place] = count_unexplained(i, seat, memory, work) if knows else 0
        place += 1
        if now() - started >= nanoseconds:
            break
    return place
