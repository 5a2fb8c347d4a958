"""A measurement of how far a way of dealing hidden cards is from uniform, in positions of real games.

It goes hand by hand and slot by slot. Hands that are filled slot after slot have exact chances (`walk_hands`), and so
has the uniform deal with its rare way out. The assignment's chances are estimated from sampled hands, free of the bias
of sampling noise: what is largest (a slot, a set of kinds) is chosen by one half of the sample and measured in the
other, and the divergence counts pairs of equal hands.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya import Agent, Game, Rules, Table, find_agent, parse_rules
from kagiya._jit import kernel, lowest_bit
from kagiya.agents.playable_now import CONVENTIONS
from kagiya.cards import MAX_HAND, MAX_KINDS, NO_CARD, Kinds, MoveNumber, Seat, Slot, each_slot
from kagiya.engine.dice import seed_stream
from kagiya.engine.game import LANE
from kagiya.engine.layout import States, new_streams
from kagiya.kinds import count_matching, remove_bit
from kagiya.search.deals.past_moves import hear_move, narrow_possible
from kagiya.search.deals.sampling import DEALS, LEFT_TO_RIGHT, MAX_CLASHES, SLOT_BY_SLOT, UNIFORM, sample_hand
from kagiya.search.search_layout import SEARCH_LANES, SEARCH_STREAM, TRIAL, new_search
from kagiya.view.view_kernels import DEAL_TABLE, SUBSETS, count_deals, exact_chance, unseen_planes

Chances = npt.NDArray[np.float64]  # [slot, kind]
Hands = npt.NDArray[np.int64]
PLACE: Any = np.int64(LANE)
MAX_HANDS = 100_000  # a sample says nothing of the divergence where more hands than this are possible

# Columns of the walk's stack, a row for each slot being filled: kinds still to try, the cards left before it, how
# many of them fit, the product of these numbers and the ways to deal the slots before it, the kind being tried.
TO_TRY, LOW, HIGH, FITTING, PRODUCT, WAYS, KIND = range(7)
COLUMNS = 7

# What the walk is told and what it adds up; then, by slot and kind, the chance that the slot is of that kind.
SUCCESS, WAYS_TO_DEAL, MASS, VARIATION, DIVERGENCE, HANDS = range(6)
CHANCES = 6


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
    share = clashes**MAX_CLASHES if sampler == UNIFORM else 1.0
    order = sorted(hidden.slots, key=dict(zip(hidden.slots, hidden.fitting, strict=True)).__getitem__)
    sums = walked(hidden, hidden.slots if sampler == LEFT_TO_RIGHT else order)
    errors = share * (sums[CHANCES:].reshape(MAX_HAND, MAX_KINDS) - hidden.chances)
    return Bias(
        variation=share * float(sums[VARIATION]),
        divergence=share**2 * float(sums[DIVERGENCE]),
        slot_variation=float(np.abs(errors).sum(1).max() / 2),
        playable_error=float(np.abs(errors[:, hidden.playable].sum(1)).max()),
        hands=float(sums[HANDS]),
    )


def walked(hidden: Hidden, order: Sequence[int]) -> npt.NDArray[np.float64]:
    """All hands filled in this order of slots; a second time if some attempts get stuck, now that we know how many."""
    success = 1.0
    while True:
        sums = np.zeros(CHANCES + MAX_HAND * MAX_KINDS)
        sums[SUCCESS], sums[WAYS_TO_DEAL] = success, hidden.deals
        stack = np.zeros((MAX_HAND, COLUMNS), np.int64)
        walk_hands(hidden.states, PLACE, hidden.owner, np.array(order, np.int64), stack, sums)
        if success < 1 or sums[MASS] > 1 - 1e-9:
            return sums
        success = float(sums[MASS])


class Dealer:
    """Samples hands in one of the ways, in bulk."""

    def __init__(self, sampler: int, seed: int) -> None:
        self.work, self.rng = new_search(), new_streams(SEARCH_LANES)
        self.work["sampler"] = sampler
        seed_stream(self.rng, TRIAL, SEARCH_STREAM, seed)

    def deal(self, hidden: Hidden, count: int) -> Hands:
        """Hands, each as one number."""
        hands = np.zeros(count, np.int64)
        repeat_deals(hidden.states, PLACE, hidden.owner, self.work, self.rng, hands)
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
        divergence=sampled_divergence(hidden, hands) if possible_hands <= MAX_HANDS else math.nan,
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
class DealSetting:
    """Who plays by which rules, and the convention by which a search would read the hints."""

    agent: Agent
    rules: Rules
    convention: str = CONVENTIONS[0]

    @classmethod
    def of(cls, agent: str, rules: str, players: int, convention: str) -> DealSetting:
        """From texts."""
        if convention not in CONVENTIONS:
            raise ValueError(f"--convention is one of {', '.join(CONVENTIONS)}, not {convention!r}")
        return cls(find_agent(agent), parse_rules(rules, players), convention)


def hidden_hands(setting: DealSetting, positions: int, seed: int) -> Iterator[Hidden]:
    """From each of some games one position, at any turn, as its seat to move sees it."""
    results, moves = Table(setting.rules, [setting.agent]).play_with_moves(seed, positions)
    dice = random.Random(seed)
    for result, row in zip(results, moves, strict=True):
        game, work = Game(setting.rules, int(result["seed"])), new_search()
        work["convention"] = CONVENTIONS.index(setting.convention)
        for move in row[: dice.randrange(int(result["turns"]))]:
            hear_move(game.states, PLACE, work, MoveNumber(int(move)))
            game.make(int(move))
        narrow_possible(game.states, PLACE, game.seat, work)
        if any(card != NO_CARD for card in game.hands[game.seat]):
            yield Hidden.of(game)


@kernel
def repeat_deals(states, i, owner, work, rng, hands):
    """Sample many hands; each is kept as one number, its kinds being the digits, slot 0 the highest."""
    hand_size = states[i]["hand_size"]
    for place in range(len(hands)):
        sample_hand(states, i, owner, work, rng)
        number = 0
        for slot in range(hand_size):
            card = work["hand"][slot]
            number = number * MAX_KINDS + (0 if card == NO_CARD else card)
        hands[place] = number


@kernel
def walk_hands(states, i, owner, slots, stack, sums):
    """Go through all hands that can be filled in this order of slots, and add up how far they are from uniform.

    A hand of given cards is filled with a chance of one over the product of the numbers of fitting cards, over the
    chance `sums[SUCCESS]` of not getting stuck; `sums[WAYS_TO_DEAL]` such hands there are. The last slot's cards have
    equal chances, so it is not walked through.
    """
    last = len(slots) - 1
    low, high = unseen_planes(states, i, owner, owner)
    depth = 0
    enter_slot(states[i]["possible"][owner, slots[0]], low, high, stack, depth)
    stack[0, PRODUCT], stack[0, WAYS] = 1, 1
    while depth >= 0:
        if depth == last:
            count_hands(slots, stack, sums)
        if depth == last or stack[depth, TO_TRY] == 0:
            depth -= 1
            continue
        kind = lowest_bit(stack[depth, TO_TRY])
        stack[depth, TO_TRY] &= stack[depth, TO_TRY] - 1
        stack[depth, KIND] = kind
        low, high = stack[depth, LOW], stack[depth, HIGH]
        copies = count_matching(low, high, 1 << kind)
        low, high = remove_bit(low, high, 1 << kind)
        stack[depth + 1, PRODUCT] = stack[depth, PRODUCT] * stack[depth, FITTING]
        stack[depth + 1, WAYS] = stack[depth, WAYS] * copies
        depth += 1
        enter_slot(states[i]["possible"][owner, slots[depth]], low, high, stack, depth)


@kernel
def enter_slot(possible, low, high, stack, depth):
    """Begin to fill a slot from the cards left."""
    stack[depth, LOW], stack[depth, HIGH] = low, high
    stack[depth, TO_TRY] = (low | high) & possible
    stack[depth, FITTING] = count_matching(low, high, possible)


@kernel
def count_hands(slots, stack, sums):
    """Add up the hands that differ in the last slot only; none if no card is left for it."""
    last = len(slots) - 1
    fitting, ways = stack[last, FITTING], stack[last, WAYS]
    if fitting == 0:
        return
    mass = ways / stack[last, PRODUCT]
    share = 1 / (float(stack[last, PRODUCT]) * fitting * sums[SUCCESS])
    error = share - 1 / sums[WAYS_TO_DEAL]
    sums[MASS] += mass
    sums[VARIATION] += ways * fitting * abs(error) / 2
    sums[DIVERGENCE] += ways * fitting * error * error * sums[WAYS_TO_DEAL]
    for depth in range(last):
        sums[CHANCES + slots[depth] * MAX_KINDS + stack[depth, KIND]] += mass / sums[SUCCESS]
    kinds = stack[last, TO_TRY]
    while kinds:
        kind = lowest_bit(kinds)
        copies = count_matching(stack[last, LOW], stack[last, HIGH], 1 << kind)
        sums[CHANCES + slots[last] * MAX_KINDS + kind] += ways * copies * share
        sums[HANDS] += 1
        kinds &= kinds - 1


@dataclass(frozen=True, slots=True)
class DealMean:
    """A mean over positions, its standard error, and the largest; not a number where nothing is known."""

    mean: float
    se: float
    worst: float

    @classmethod
    def of(cls, values: Iterable[float]) -> DealMean:
        """Of those values that are known."""
        known = np.array([value for value in values if not math.isnan(value)])
        if len(known) == 0:
            return cls(math.nan, math.nan, math.nan)
        se = float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else math.nan
        return cls(float(known.mean()), se, float(known.max()))


@dataclass(frozen=True, slots=True)
class DealFigures:
    """One way of dealing over all positions."""

    deal: str
    variation: DealMean
    divergence: DealMean  # over the positions with no more than MAX_HANDS hands, for every way of dealing
    slot_variation: DealMean
    playable_error: DealMean
    nanoseconds: DealMean

    @property
    def relative_error(self) -> tuple[float, float]:
        """Root mean square error of a hand's chance, relative to it, and the standard error; 0 if noise hides it."""
        root = math.sqrt(max(self.divergence.mean, 0.0))
        return root, self.divergence.se / (2 * root) if root else math.nan


@dataclass(frozen=True, slots=True)
class DealReport:
    """All ways of dealing in the positions of one setting."""

    agent: str
    rules: str
    players: int
    convention: str
    positions: int
    impossible: int  # further positions, in which no hand agrees with the convention
    compared: int  # positions with at most MAX_HANDS possible hands
    median_hands: float
    figures: tuple[DealFigures, ...]


@dataclass(frozen=True, slots=True)
class MeasuredPosition:
    """One position: the bias of every way of dealing, and the nanoseconds that a hand takes."""

    biases: Sequence[Bias]
    nanoseconds: Sequence[float]


def measure_deals(
    setting: DealSetting, positions: int, samples: int, seed: int, advance: Callable[[int], None]
) -> DealReport:
    """Take positions from games of this setting, deal the hidden hand in every way, and sum up."""
    dealers = [Dealer(sampler, seed) for sampler in range(len(DEALS))]
    rows, impossible = [], 0
    for hidden in hidden_hands(setting, positions, seed):
        if hidden.deals:
            rows.append(measure_position(hidden, dealers, samples))
        else:
            impossible += 1
        advance(1)
    compared = [row for row in rows if row.biases[0].hands <= MAX_HANDS]
    return DealReport(
        agent=setting.agent.text,
        rules=setting.rules.text(),
        players=setting.rules.players,
        convention=setting.convention,
        positions=len(rows),
        impossible=impossible,
        compared=len(compared),
        median_hands=float(np.median([row.biases[0].hands for row in rows])) if rows else math.nan,
        figures=tuple(sum_up(sampler, rows, compared) for sampler in range(len(DEALS))),
    )


def measure_position(hidden: Hidden, dealers: Sequence[Dealer], samples: int) -> MeasuredPosition:
    """The bias of every way of dealing in one position, exact but for the assignment, and its time."""
    exact = [exact_bias(hidden, sampler) for sampler in (UNIFORM, SLOT_BY_SLOT, LEFT_TO_RIGHT)]
    spent, dealt = [], np.zeros(0, np.int64)
    for dealer in dealers:
        dealer.deal(hidden, 1)  # the first one may have to be compiled
        started = time.process_time_ns()
        dealt = dealer.deal(hidden, samples)
        spent.append((time.process_time_ns() - started) / samples)
    return MeasuredPosition([*exact, sampled_bias(hidden, dealt, exact[0].hands)], spent)


def sum_up(sampler: int, rows: Sequence[MeasuredPosition], compared: Sequence[MeasuredPosition]) -> DealFigures:
    """One way of dealing over all positions."""
    biases = [row.biases[sampler] for row in rows]
    return DealFigures(
        DEALS[sampler],
        DealMean.of(bias.variation for bias in biases),
        DealMean.of(row.biases[sampler].divergence for row in compared),
        DealMean.of(bias.slot_variation for bias in biases),
        DealMean.of(bias.playable_error for bias in biases),
        DealMean.of(row.nanoseconds[sampler] for row in rows),
    )
