"""What tactics are made of: the form of a tactic and of a list of them, modes, sets of slots, and choosing a hint.

A tactic is a kernel of one fixed form under a name. Its mode is a set of flags for how the published programs read the
same rule: what counts as known, who is told, what is told first. Without any it is the Java competition framework's: a
part of a card (its color, its rank) is known when the hints leave only one, receivers come in turn order, and the rank
is told before the color.

Masks of slots are built without branches, because no processor can predict which cards lie where.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NewType, TypeVar

import kagiya.agents.tactics
from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import (
    MAX_KINDS,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Card,
    Color,
    Kinds,
    MoveNumber,
    Offset,
    Rank,
    Seat,
    Slot,
    Slots,
    each_offset,
    each_slot,
)
from kagiya.engine.dice import below
from kagiya.engine.game_kernels import NO_SLOT, hint_color, hint_color_of, hint_rank, hint_rank_of, legal_moves
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, Lane, States, Streams
from kagiya.kinds import color_kinds, color_of, count_matching, rank_kinds, rank_of, within
from kagiya.spec import Spec, SpecError, near, parse_spec
from kagiya.view.view_kernels import slot_chance, unseen_planes

F = TypeVar("F", bound=Callable[..., Any])

ALWAYS = 99.0  # a limit that never binds
NOTHING_APPLIED = "no rule applied: any legal move"  # the reason of `random_move`

_tactics: dict[str, Tactic] = {}


@dataclass(frozen=True)
class Tactic:
    """A rule that may have a move: ``kernel(states, i, seat, rng, value) -> move or NO_MOVE``."""

    name: str
    kernel: Callable[..., Any]
    meaning: str
    value: str = ""  # what its number means; empty if it takes none
    stand_in: int = 0  # below zero: it reads notes (`noted.py`), and stands in a list as this number, not as an address

    @property
    def is_noted(self) -> bool:
        """Whether it needs notes of the hints since the last turn."""
        return self.stand_in < 0


@dataclass(frozen=True)
class TacticUse:
    """A tactic in an agent's list: its number, and when it may be used at all."""

    tactic: Tactic
    value: float = 0.0
    lives: float = 0.0  # at least this many lives
    tokens: float = ALWAYS  # at most this many tokens
    deck: float = ALWAYS  # at most this many cards in the deck

    def __str__(self) -> str:
        limits = (("lives", self.lives, 0.0), ("tokens", self.tokens, ALWAYS), ("deck", self.deck, ALWAYS))
        inside = [f"{self.value:g}"] if self.tactic.value else []
        inside += [f"{key}={limit:g}" for key, limit, default in limits if limit != default]
        return f"{self.tactic.name}({', '.join(inside)})" if inside else self.tactic.name


def tactic(name: str, value: str = "") -> Callable[[F], F]:
    """Compile a function as a tactic and enter it under `name`; `value` says what its number means."""

    def enter(function: F) -> F:
        compiled = kernel(function)
        meaning = (function.__doc__ or "").strip().splitlines()[0]
        _tactics[name] = Tactic(name, compiled, meaning, value)
        return compiled

    return enter


def noted_tactic(name: str, stand_in: int, kernel: Callable[..., Any], meaning: str, value: str) -> None:
    """Enter a tactic that reads notes, by its number within the kernel that has all of them."""
    _tactics[name] = Tactic(name, kernel, meaning, value, stand_in)


@cache
def tactics() -> dict[str, Tactic]:
    """Every tactic of this folder by name."""
    for entry in pkgutil.iter_modules(kagiya.agents.tactics.__path__):
        importlib.import_module(f"kagiya.agents.tactics.{entry.name}")
    return dict(sorted(_tactics.items()))


def use(text: str) -> TacticUse:
    """A tactic as written in an agent's list: ``play-probably-safe(0.6, lives=2)``."""
    return parse_use(parse_spec(text))


def parse_use(spec: Spec) -> TacticUse:
    """The tactic, its number and its limits that a spec names."""
    known = _tactics if spec.name in _tactics else tactics()
    if spec.name not in known:
        raise SpecError(f"no tactic named {spec.name!r}; {near(spec.name, known)}")
    found = known[spec.name]
    if len(spec.values) != bool(found.value):
        wanted = f"one number, {found.value}" if found.value else "no number"
        raise SpecError(f"{spec.name} takes {wanted}; given: {spec}")
    limits = {key: _number(spec, value) for key, value in spec.named}
    if unknown := set(limits) - {"lives", "tokens", "deck"}:
        raise SpecError(f"{spec.name}: {unknown.pop()!r} is not a limit; the limits are lives, tokens and deck")
    value = _number(spec, spec.values[0]) if spec.values else 0.0
    return TacticUse(found, value, **limits)


def _number(spec: Spec, value: Spec) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise SpecError(f"{spec.name}: {value} is not a number") from None


if TYPE_CHECKING:
    from kagiya.cards import Mask

    class Mode(Mask):
        """How a rule is read: a set of the flags below."""
else:
    Mode = NewType("Mode", int)

FRAMEWORK = Mode(0)  # none of these: as the competition framework reads the rule
NAMED = Mode(1)  # a part is known only if a hint has named it, as in the Hanabi Learning Environment's lineage
COLOR_FIRST = Mode(2)  # the color is told before the rank
NEXT_ONLY = Mode(4)  # only the next seat is told anything
SEAT_ORDER = Mode(8)  # receivers by seat number, not in turn order
HALF_KNOWN = Mode(16)  # only cards of which one part is known and the other is not
FIRST_OR_NONE = Mode(32)  # if the first card found needs no hint, give up
REPEATS = Mode(64)  # a hint counts for every card it touches, also where it tells nothing new


ANY_CHANCE = 0.0  # a threshold that every slot reaches
SHIFT = 63  # NO_CARD and HIDDEN_CARD become shifts past every kind
PAST_ALL = 1 << MAX_KINDS  # an end to the search in an empty slot's mask


@kernel
def slots_of(states: States, i: Lane, owner: Seat, kinds: Kinds) -> Slots:
    """The slots that hold a card of `kinds`; hidden cards are of no kind."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        slots |= (kinds >> (state["hands"][owner, slot] & SHIFT) & 1) << slot
    return slots


@kernel
def occupied_slots(states: States, i: Lane, owner: Seat) -> Slots:
    """The slots that hold a card, seen or hidden."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        slots |= (state["hands"][owner, slot] != NO_CARD) << slot
    return slots


@kernel
def told_kinds(states: States, i: Lane, seat: Seat, parts: int) -> Kinds:
    """The kinds of which `seat` sees a copy whose holder was told at least so many of its two parts."""
    state, kinds = states[i], Kinds(0)
    for offset in each_offset(1, state["players"]):
        owner = (seat + offset) % state["players"]
        for slot in each_slot(state["hand_size"]):
            if popcount(state["told"][owner, slot]) >= parts:
                kinds |= 1 << state["hands"][owner, slot]
    return kinds


@kernel
def known_slots(states: States, i: Lane, owner: Seat, mode: Mode) -> tuple[Slots, Slots]:
    """The slots whose color the owner knows, and those whose rank it knows; empty slots may be in either mask."""
    state = states[i]
    colors, ranks = Slots(0), Slots(0)
    for slot in each_slot(state["hand_size"]):
        if mode & NAMED:
            told = state["told"][owner, slot]
            colors |= (told & TOLD_COLOR != 0) << slot
            ranks |= (told & TOLD_RANK != 0) << slot
        else:
            possible = state["possible"][owner, slot]
            card = lowest_bit(possible | PAST_ALL)
            colors |= (possible & ~color_kinds(color_of(card)) == 0) << slot
            ranks |= (possible & ~rank_kinds(rank_of(card)) == 0) << slot
    return colors, ranks


@kernel
def first_slot(slots: Slots) -> Slot:
    """The first of some slots; NO_SLOT if there is none."""
    return lowest_bit(slots) if slots else NO_SLOT


@kernel
def last_slot(slots: Slots) -> Slot:
    """The last of some slots; NO_SLOT if there is none."""
    while slots & (slots - 1):
        slots &= slots - 1
    return first_slot(slots)


@kernel
def random_bit(mask: int, i: Lane, seat: Seat, rng: Streams) -> Any:
    """A random bit of a mask (a slot, a move, a card), each equally likely, from the stream of `seat`; -1 if none."""
    if mask == 0:
        return NO_SLOT
    for _ in range(below(rng, i, 1 + seat, popcount(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def random_move(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """Any legal move, each as likely."""
    return random_bit(legal_moves(states, i), i, seat, rng)


@kernel
def oldest_of(states: States, i: Lane, owner: Seat, slots: Slots) -> Slot:
    """Of some slots the one whose card has been held longest; NO_SLOT if there is none."""
    order, oldest = states[i]["order"][owner], NO_SLOT
    for slot in each_slot(states[i]["hand_size"]):
        if slots >> slot & 1 and (oldest == NO_SLOT or order[slot] < order[oldest]):
            oldest = slot
    return oldest


@kernel
def oldest_slot(states: States, i: Lane, owner: Seat) -> Slot:
    """The slot whose card has been held longest; NO_SLOT in an empty hand."""
    return oldest_of(states, i, owner, occupied_slots(states, i, owner))


@kernel
def newest_slot(states: States, i: Lane, owner: Seat) -> Slot:
    """The slot whose card was drawn last; NO_SLOT in an empty hand."""
    state, newest = states[i], NO_SLOT
    for slot in each_slot(state["hand_size"]):
        place = state["order"][owner, slot]
        if place >= 0 and (newest == NO_SLOT or place > state["order"][owner, newest]):
            newest = slot
    return newest


@kernel
def sure_slots(states: States, i: Lane, seat: Seat, kinds: Kinds) -> Slots:
    """The player's own slots that can only be one of `kinds`, given the hints and the cards it sees elsewhere."""
    low, high = unseen_planes(states, i, seat, seat)
    return sure_slots_among(states, i, seat, kinds, low | high)


@kernel
def sure_slots_by_hints(states: States, i: Lane, owner: Seat, kinds: Kinds) -> Slots:
    """The slots that can only be one of `kinds`, given the hints alone: no card is counted."""
    return sure_slots_among(states, i, owner, kinds, states[i]["kinds"])


@kernel
def sure_slots_among(states: States, i: Lane, owner: Seat, kinds: Kinds, alive: Kinds) -> Slots:
    """The slots that can only be one of `kinds` if only the kinds of `alive` have copies left."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        slots |= within(state["possible"][owner, slot] & alive, kinds) << slot
    return slots


@kernel
def likely_slots(states: States, i: Lane, seat: Seat, kinds: Kinds, threshold: float) -> Slots:
    """The player's own slots whose chance (see `slot_chance`) to be one of `kinds` is at least the threshold."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][seat, slot]
        if possible != 0:
            slots |= (slot_chance(low, high, possible, kinds) >= threshold) << slot
    return slots


@kernel
def likeliest_slots(states: States, i: Lane, seat: Seat, kinds: Kinds, threshold: float) -> Slots:
    """Of the slots of `likely_slots`, those with the highest chance."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    best, slots = threshold, Slots(0)
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][seat, slot]
        if possible == 0:
            continue
        chance = slot_chance(low, high, possible, kinds)
        if chance > best:
            best, slots = chance, Slots(0)
        slots |= (chance == best) << slot
    return slots


NEXT = Offset(1)  # the offset of the seat that moves next

# How many cards of a hand each hint touches, in one integer of four bits each: the five ranks, then the six colors.
BITS = 4
DIGIT = 15


@kernel
def count_receivers(states: States, i: Lane, mode: Mode) -> int:
    """How many seats may be given a hint; none without a token."""
    if states[i]["tokens"] == 0:
        return 0
    return 1 if mode & NEXT_ONLY else states[i]["players"] - 1


@kernel
def nth_offset(states: States, i: Lane, seat: Seat, step: int, mode: Mode) -> Offset:
    """The offset of the receiver that comes after `step` others, in turn order or, with SEAT_ORDER, by seat number."""
    if not mode & SEAT_ORDER:
        return Offset(step + 1)
    receiver = step if step < seat else step + 1
    return (receiver - seat) % states[i]["players"]


@kernel
def missing_hint(offset: Offset, card: Card, knows_color: int, knows_rank: int, mode: Mode) -> MoveNumber:
    """The hint that names what the owner does not know of a card, color or rank first; one of them must be unknown."""
    if knows_rank or (mode & COLOR_FIRST and not knows_color):
        return hint_color_of(offset, card)
    return hint_rank_of(offset, card)


@kernel
def single_hint(states: States, i: Lane, receiver: Seat, offset: Offset, card: Card) -> MoveNumber:
    """The hint that touches no card of the receiver's but this one, by its rank or else its color; or NO_MOVE."""
    low, high = states[i]["hand_low"][receiver], states[i]["hand_high"][receiver]
    if count_matching(low, high, rank_kinds(rank_of(card))) == 1:
        return hint_rank_of(offset, card)
    return hint_color_of(offset, card) if count_matching(low, high, color_kinds(color_of(card))) == 1 else NO_MOVE


@kernel
def hint_about(states: States, i: Lane, seat: Seat, kinds: Kinds, mode: Mode) -> MoveNumber:
    """A hint that names something unknown about the first card of `kinds` of which something is unknown."""
    state = states[i]
    for step in range(count_receivers(states, i, mode)):
        offset = nth_offset(states, i, seat, step, mode)
        receiver = (seat + offset) % state["players"]
        found = slots_of(states, i, receiver, kinds)
        if found == 0:
            continue
        colors, ranks = known_slots(states, i, receiver, mode)
        worth_telling = found & ((colors ^ ranks) if mode & HALF_KNOWN else ~(colors & ranks))
        if mode & FIRST_OR_NONE and not worth_telling & found & -found:
            return NO_MOVE
        if worth_telling:
            slot = lowest_bit(worth_telling)
            card = state["hands"][receiver, slot]
            return missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, mode)
    return NO_MOVE


@kernel
def count_touched(states: States, i: Lane, receiver: Seat, mode: Mode) -> int:
    """How many cards of the receiver each rank and color would touch; only those it is news for unless REPEATS."""
    state = states[i]
    colors, ranks = 0, 0
    if not mode & REPEATS:
        colors, ranks = known_slots(states, i, receiver, mode)
    counts = 0
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card != NO_CARD:
            counts += (~ranks >> slot & 1) << BITS * (rank_of(card))
            counts += (~colors >> slot & 1) << BITS * (MAX_RANKS + color_of(card))
    return counts


@kernel
def hint_at(offset: Offset, place: int) -> MoveNumber:
    """The hint whose count stands at this place."""
    if place < MAX_RANKS:
        return hint_rank(offset, Rank(place))
    return hint_color(offset, Color(place - MAX_RANKS))
