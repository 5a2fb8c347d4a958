"""How far a way of dealing hidden cards is from uniform, in positions of real games, hand by hand and slot by slot.

Hands that are filled slot after slot have exact chances (`walk_hands`), and so has the uniform deal with its rare
way out. The assignment's chances are estimated from sampled hands, free of the bias of sampling noise: what is
largest (a slot, a set of kinds) is chosen by one half of the sample and measured in the other, and the divergence
counts pairs of equal hands.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.agents.conventions.playable_now import CONVENTIONS
from kagiya.cards import MAX_KINDS, NO_CARD, Kinds, Seat, Slot, each_slot
from kagiya.dice import seed_stream
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import States, new_streams
from kagiya.lab.bench import deal_bias_kernels as walk
from kagiya.lab.table.table import Table
from kagiya.moves import MoveNumber
from kagiya.planes import count_matching
from kagiya.rules import MAX_HAND, Rules
from kagiya.search.deals.convention import hear_move, narrow_possible
from kagiya.search.deals.sampling import LEFT_TO_RIGHT, PATIENCE, UNIFORM
from kagiya.search.layout import SEARCH_LANES, SEARCH_STREAM, TRIAL, new_search
from kagiya.view.kernels import DEAL_TABLE, SUBSETS, count_deals, exact_chance, unseen_planes

Chances = npt.NDArray[np.float64]  # [slot, kind]
Hands = npt.NDArray[np.int64]
PLACE: Any = np.int64(LANE)
MOST_HANDS = 100_000  # a sample says nothing of the divergence where more hands than this are possible


@dataclass(frozen=True)
class Hidden:
    """A hand that its owner is about to think about: its slots that hold cards, and the truth about them."""

    states: States
    owner: Seat
    slots: tuple[Slot, ...]
    fitting: tuple[int, ...]  # unseen cards that each of these slots could hold
    deals: int  # consistent ways to deal distinct cards to them; a convention may leave none
    chances: Chances

    @classmethod
    def of(cls, game: Game) -> Hidden:
        """The hand of the seat to move."""
        states, owner = game.states, game.seat
        low, high = unseen_planes(states, LANE, owner, owner)
        table, chances = np.zeros(DEAL_TABLE, np.int64), np.zeros((MAX_HAND, MAX_KINDS))
        occupied = count_deals(states, LANE, owner, low, high, table)
        slots = tuple(slot for slot in each_slot(game.rules.hand_size) if occupied >> slot & 1)
        deals = int(table[SUBSETS + occupied])
        for slot in slots if deals else ():
            for kind in range(MAX_KINDS):
                chances[slot, kind] = exact_chance(low, high, occupied, slot, Kinds(1 << kind), table)
        possible = states[LANE]["possible"][owner]
        fitting = tuple(int(count_matching(low, high, Kinds(int(possible[slot])))) for slot in slots)
        return cls(states, owner, slots, fitting, deals, chances)

    @property
    def playable(self) -> npt.NDArray[np.bool_]:
        """By kind, whether it fits now."""
        return (int(self.states[LANE]["playable"]) >> np.arange(MAX_KINDS) & 1).astype(bool)


@dataclass(frozen=True, slots=True)
class Bias:
    """How far one deal is from uniform in one position. Not a number: not known."""

    variation: float  # total variation distance between the distributions over hands
    divergence: float  # mean square of the relative error of a hand's chance
    slot_variation: float  # total variation distance of one slot's kind, the worst slot's
    playable_error: float  # of the chance that a slot is playable, the worst slot's
    hands: float = math.nan  # possible hands, by kinds


def exact_bias(hidden: Hidden, sampler: int) -> Bias:
    """The bias of a deal other than the assignment."""
    # Of the uniform deal only those hands count that clash too often and are then filled slot by slot.
    clashes = 1 - hidden.deals / math.prod(hidden.fitting)
    share = clashes**PATIENCE if sampler == UNIFORM else 1.0
    order = sorted(hidden.slots, key=dict(zip(hidden.slots, hidden.fitting, strict=True)).__getitem__)
    sums = walked(hidden, hidden.slots if sampler == LEFT_TO_RIGHT else order)
    errors = share * (sums[walk.CHANCES :].reshape(MAX_HAND, MAX_KINDS) - hidden.chances)
    return Bias(
        variation=share * float(sums[walk.VARIATION]),
        divergence=share**2 * float(sums[walk.DIVERGENCE]),
        slot_variation=float(np.abs(errors).sum(1).max() / 2),
        playable_error=float(np.abs(errors[:, hidden.playable].sum(1)).max()),
        hands=float(sums[walk.HANDS]),
    )


def walked(hidden: Hidden, order: Sequence[int]) -> npt.NDArray[np.float64]:
    """All hands filled in this order of slots; a second time if some attempts get stuck, now that we know how many."""
    success = 1.0
    while True:
        sums = np.zeros(walk.CHANCES + MAX_HAND * MAX_KINDS)
        sums[walk.SUCCESS], sums[walk.DEALS] = success, hidden.deals
        stack = np.zeros((MAX_HAND, walk.COLUMNS), np.int64)
        walk.walk_hands(hidden.states, PLACE, hidden.owner, np.array(order, np.int64), stack, sums)
        if success < 1 or sums[walk.MASS] > 1 - 1e-9:
            return sums
        success = float(sums[walk.MASS])


class Dealer:
    """Samples hands in one of the ways, in bulk."""

    def __init__(self, sampler: int, seed: int) -> None:
        self.work, self.rng = new_search(), new_streams(SEARCH_LANES)
        self.work["sampler"] = sampler
        seed_stream(self.rng, TRIAL, SEARCH_STREAM, seed)

    def deal(self, hidden: Hidden, count: int) -> Hands:
        """So many hands, each as one number."""
        hands = np.zeros(count, np.int64)
        walk.repeat_deals(hidden.states, PLACE, hidden.owner, self.work, self.rng, hands)
        return hands


def sampled_bias(hidden: Hidden, hands: Hands, possible_hands: float) -> Bias:
    """The bias of a deal from hands that it dealt; each number is right on average or a little low."""
    half = len(hands) // 2
    first, second = (slot_shares(part, hidden) - hidden.chances for part in (hands[:half], hands[half:]))
    variations = np.where(first > 0, second, 0.0).sum(1)
    worst = int(np.abs(first).sum(1).argmax())
    chosen, measured = first[:, hidden.playable].sum(1), second[:, hidden.playable].sum(1)
    slot = int(np.abs(chosen).argmax())
    return Bias(
        variation=math.nan,
        divergence=sampled_divergence(hidden, hands) if possible_hands <= MOST_HANDS else math.nan,
        slot_variation=float(variations[worst]),
        playable_error=float(measured[slot] * np.sign(chosen[slot])),
        hands=possible_hands,
    )


def slot_shares(hands: Hands, hidden: Hidden) -> Chances:
    """How often each slot was of each kind."""
    shares = np.zeros((MAX_HAND, MAX_KINDS))
    for slot in hidden.slots:
        shares[slot] = np.bincount(kinds_in(hands, slot, hidden), minlength=MAX_KINDS) / len(hands)
    return shares


def kinds_in(hands: Hands, slot: int, hidden: Hidden) -> Hands:
    """The kinds that a slot has in these hands."""
    last = int(hidden.states[LANE]["hand_size"]) - 1
    kinds: Hands = hands // MAX_KINDS ** (last - slot) % MAX_KINDS
    return kinds


def sampled_divergence(hidden: Hidden, hands: Hands) -> float:
    """Pairs of equal hands, each over the chance of its hand: 1 on average if the deal is uniform."""
    found, counts = np.unique(hands, return_counts=True)
    low, high = unseen_planes(hidden.states, LANE, hidden.owner, hidden.owner)
    copies = (int(low) >> np.arange(MAX_KINDS) & 1) + 2 * (int(high) >> np.arange(MAX_KINDS) & 1)
    kinds = [kinds_in(found, slot, hidden) for slot in hidden.slots]
    ways = np.ones(len(found))
    for place, column in enumerate(kinds):
        ways *= copies[column] - sum((column == before).astype(int) for before in kinds[:place])
    pairs = counts * (counts - 1.0) * hidden.deals / ways
    return float(pairs.sum() / (len(hands) * (len(hands) - 1.0)) - 1)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays by which rules, and the convention by which a search would read the hints."""

    agent: Agent
    rules: Rules
    convention: str = CONVENTIONS[0]


def hidden_hands(seating: Seating, positions: int, seed: int) -> Iterator[Hidden]:
    """From each of so many games one position, at any turn, as its seat to move sees it."""
    results, moves = Table(seating.rules, [seating.agent]).play_with_moves(seed, positions)
    dice = random.Random(seed)
    for result, row in zip(results, moves, strict=True):
        game, work = Game(seating.rules, int(result["seed"])), new_search()
        work["convention"] = CONVENTIONS.index(seating.convention)
        for move in row[: dice.randrange(int(result["turns"]))]:
            hear_move(game.states, PLACE, work, MoveNumber(int(move)))
            game.make(int(move))
        narrow_possible(game.states, PLACE, game.seat, work)
        if any(card != NO_CARD for card in game.hands[game.seat]):
            yield Hidden.of(game)
