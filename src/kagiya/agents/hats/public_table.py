"""The public table: for each card the set of kinds it can be, kept alike by every seat from public events alone.

A set stands in the seat's memory under the card's `order`, so nothing moves when a hand closes up; an empty one means
that nothing but the hints' own words is known. So it also heals: when a partner breaks the convention and the
conclusions contradict each other, a card falls back on what the hints have literally said.

Questions about a hand narrow a copy of its sets, one answer after another. The kinds that a card can be are dealt into
blocks in turn, so that the number of its block narrows the card; all useless kinds are one block, the last.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import (
    MAX_COLORS,
    MAX_HAND,
    MAX_RANKS,
    Card,
    Kinds,
    MoveNumber,
    Seat,
    Slot,
    each_color,
    each_seat,
    each_slot,
)
from kagiya.engine.game_kernels import hint_kinds, hint_receiver, touched_slots
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.kinds import COLOR_KINDS, RANK_KINDS, color_kinds, count_matching, kind_bit, within
from kagiya.rules import MAX_DECK
from kagiya.view.view_kernels import public_planes

SETS = REASON + 1  # words of a seat's memory: its reason, then the sets
KNOWLEDGE_WORDS = SETS + MAX_DECK


@kernel
def public_set(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot) -> Kinds:
    """The kinds that a card can be as far as everybody knows, by this seat's copy of the table; 0 for an empty slot."""
    return set_among(states, i, seat, memory, owner, slot, kinds_left(states, i))


@kernel
def kinds_left(states: States, i: Lane) -> Kinds:
    """The kinds of which not every copy is played or discarded; for `set_among`, once for many cards."""
    low, high = public_planes(states, i)
    return low | high


@kernel
def set_among(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot, alive: Kinds) -> Kinds:
    """The kinds that a card can be if only those of `alive` have copies left; never none, but for an empty slot."""
    order = states[i]["order"][owner, slot]
    if order < 0:
        return Kinds(0)
    literal = states[i]["possible"][owner, slot] & alive
    kinds = memory[i, seat, SETS + order] & literal
    return kinds if kinds else literal


@kernel
def conclude(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot, kinds: Kinds) -> None:
    """From now on everybody knows that a card is one of these kinds."""
    order = states[i]["order"][owner, slot]
    if order >= 0:
        memory[i, seat, SETS + order] = kinds


@kernel
def conclude_literally(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """What a hint says: cards it touches are of the kinds named, the others are not."""
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    kinds = hint_kinds(states, i, move)
    for slot in each_slot(states[i]["hand_size"]):
        order = states[i]["order"][receiver, slot]
        if order >= 0:
            memory[i, seat, SETS + order] &= kinds if touched >> slot & 1 else ~kinds


@kernel
def believe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The `believe` of players that keep this table: a seat's own cards are what everybody knows of them."""
    for slot in each_slot(states[i]["hand_size"]):
        order = states[i]["order"][seat, slot]
        kinds = memory[i, seat, SETS + order] & states[i]["possible"][seat, slot] if order >= 0 else Kinds(0)
        if kinds:
            states[i]["possible"][seat, slot] = kinds


@kernel
def knows_play(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> bool:
    """Whether everybody knows of a card of the owner's that it fits."""
    alive = kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        if within(set_among(states, i, seat, memory, owner, slot, alive), states[i]["playable"]):
            return True
    return False


@kernel
def colors_in(kinds: Kinds) -> int:
    """The colors that a set of kinds has, as a mask."""
    colors = 0
    for color in each_color(MAX_COLORS):
        colors |= (kinds & color_kinds(color) != 0) << color
    return colors


@kernel
def color_bits(kinds: Kinds) -> Kinds:
    """The same as the colors' lowest kinds, which is faster where it matters only how many and which are shared."""
    pairs = kinds | kinds >> 1
    return (pairs | pairs >> 2 | kinds >> 4) & RANK_KINDS


@kernel
def ranks_in(kinds: Kinds) -> int:
    """The ranks that a set of kinds has, as a mask."""
    ranks = kinds | kinds >> 3 * MAX_RANKS
    return (ranks | ranks >> MAX_RANKS | ranks >> 2 * MAX_RANKS) & COLOR_KINDS


@kernel
def share(low: Kinds, high: Kinds, kinds: Kinds, wanted: Kinds) -> float:
    """The share of the cards of these kinds, every copy counted, that are among those wanted."""
    return count_matching(low, high, kinds & wanted) / max(count_matching(low, high, kinds), 1)


@kernel
def held_kinds(states: States, i: Lane, owner: Seat) -> Kinds:
    """The kinds of the cards in a hand in sight."""
    return states[i]["hand_low"][owner] | states[i]["hand_high"][owner]


@kernel
def held_by_others(states: States, i: Lane, seat: Seat) -> Kinds:
    """The kinds of the cards in all other hands."""
    held = Kinds(0)
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            held |= held_kinds(states, i, owner)
    return held


ASKED = KNOWLEDGE_WORDS  # words of a seat's memory, by slot: the kinds that the card can be
ASKED_WORDS = ASKED + MAX_HAND
UNKNOWN_NUMBER = -1  # of a hand in sight: to be found from its cards


@kernel
def narrow(memory: Memory, i: Lane, seat: Seat, slot: Slot, kinds: Kinds) -> None:
    """A card of the hand in question is one of these kinds, unless that contradicts what is known."""
    if memory[i, seat, ASKED + slot] & kinds:
        memory[i, seat, ASKED + slot] &= kinds


@kernel
def begin_hand(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, speaking_silence: bool) -> None:
    """Begin with what everybody knows of a hand; that its owner got no hint may say that it holds no card that fits.

    It says nothing if there was no token for a hint, or if the owner knows of a card that fits.
    """
    excluded = Kinds(0)
    if speaking_silence and states[i]["tokens"] > 0 and not knows_play(states, i, seat, memory, owner):
        excluded = states[i]["playable"]
    alive = kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        memory[i, seat, ASKED + slot] = set_among(states, i, seat, memory, owner, slot, alive)
        narrow(memory, i, seat, slot, ~excluded)


@kernel
def keep_conclusions(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> None:
    """What was found out about the hand in question becomes known to everybody."""
    for slot in each_slot(states[i]["hand_size"]):
        conclude(states, i, seat, memory, owner, slot, memory[i, seat, ASKED + slot])


@kernel
def count_blocks(kinds: Kinds, useless: Kinds, room: int) -> int:
    """How many blocks there are if at most `room` can be told apart."""
    has_useless = int(kinds & useless != 0)
    return min(popcount(kinds & ~useless), room - has_useless) + has_useless


@kernel
def block_of(card: Card, kinds: Kinds, useless: Kinds, blocks: int) -> int:
    """The block of a card, which should be one of these kinds."""
    if useless >> card & 1:
        return blocks - 1
    dealt = blocks - int(kinds & useless != 0)
    return popcount(kinds & ~useless & (kind_bit(card) - 1)) % dealt


@kernel
def kinds_of_block(block: int, kinds: Kinds, useless: Kinds, blocks: int) -> Kinds:
    """The kinds of one block."""
    found, left = Kinds(0), kinds
    while left:
        card = lowest_bit(left)
        if block_of(card, kinds, useless, blocks) == block:
            found |= kind_bit(card)
        left &= left - 1
    return found
