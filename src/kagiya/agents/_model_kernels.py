"""The steps of Rallabhandi's agent (see `kagiya.agents.model`), each a kernel that returns a move or a slot."""

from kagiya._jit import kernel, popcount
from kagiya.agents.tactics.discard import may_discard
from kagiya.agents.tactics.hints import hint_about
from kagiya.agents.tactics.modes import NAMED
from kagiya.agents.tactics.slots import first_slot, occupied_slots, random_bit
from kagiya.cards import Kinds, Seat, Slot, Slots, each_slot
from kagiya.dice import Streams
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, Memory, States
from kagiya.move_kernels import NO_SLOT, play_move
from kagiya.moves import FIRST_HINT, NO_MOVE, MoveNumber
from kagiya.planes import count_matching
from kagiya.view.kernels import public_planes

HINTED = 1  # the word that keeps the deck places of the cards touched since the last own turn
TELLS_PLAYABLE, TELLS_USELESS = 3, 4  # places of two reasons
MANY_TOKENS = 4
LEAST_KNOWN, ANY_CARD, LEAST_USEFUL = range(3)


@kernel
def left_kinds(states: States, i: Lane, seat: Seat, slot: Slot) -> Kinds:
    """What a card may be by the hints, the discards and the fireworks."""
    low, high = public_planes(states, i)
    return states[i]["possible"][seat, slot] & (low | high)


@kernel
def playable_slots(states: States, i: Lane, seat: Seat) -> Slots:
    """The slots deduced to fit, as a mask."""
    slots = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        left = left_kinds(states, i, seat, slot)
        slots |= (left != 0 and left & ~states[i]["playable"] == 0) << slot
    return slots


@kernel
def useless_slots(states: States, i: Lane, seat: Seat) -> Slots:
    """The slots deduced to hold one card that is played already, as a mask."""
    slots = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        left = left_kinds(states, i, seat, slot)
        slots |= (popcount(left) == 1 and left & states[i]["played"] != 0) << slot
    return slots


@kernel
def play_certain(states: States, i: Lane, seat: Seat, first_of_either: bool) -> MoveNumber:
    """Step 1: the first card deduced to fit; merged with step 2, only if no useless card comes before it."""
    plays, discards = playable_slots(states, i, seat), useless_slots(states, i, seat)
    if first_of_either and discards and may_discard(states, i):
        plays &= (discards & -discards) - 1
    return play_move(first_slot(plays))


@kernel
def take_risk(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams) -> MoveNumber:
    """Step 3: any card touched by a hint since the last own turn, if a life more would be left."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        if state["order"][seat, slot] >= 0:
            slots |= (memory[i, seat, HINTED] >> state["order"][seat, slot] & 1) << slot
    return random_bit(slots, i, seat, rng) if state["lives"] > 1 else NO_MOVE


@kernel
def hint_at_random(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """Step 6: any legal hint if many tokens are left, or all of them are."""
    state = states[i]
    if state["tokens"] <= min(MANY_TOKENS, state["max_tokens"] - 1):
        return NO_MOVE
    hints = legal_moves(states, i) >> FIRST_HINT << FIRST_HINT
    return random_bit(hints, i, seat, rng)


@kernel
def doubt(states: States, i: Lane, seat: Seat, slot: Slot, policy: int) -> float:
    """How much a card is to be discarded: by the cards it may be, or by the share of useless ones among them."""
    low, high = public_planes(states, i)
    possible = states[i]["possible"][seat, slot]
    cards = count_matching(low, high, possible)
    if policy != LEAST_USEFUL or cards == 0:
        return float(cards)
    return count_matching(low, high, possible & states[i]["played"]) / cards


@kernel
def slot_to_discard(states: States, i: Lane, seat: Seat, policy: int, rng: Streams) -> Slot:
    """Step 6: the card known least, any card, or the one least likely to be useful; ties go to the first."""
    occupied = occupied_slots(states, i, seat)
    if policy == ANY_CARD:
        return random_bit(occupied, i, seat, rng)
    best, most = NO_SLOT, -1.0
    for slot in each_slot(states[i]["hand_size"]):
        if occupied >> slot & 1 and doubt(states, i, seat, slot, policy) > most:
            best, most = slot, doubt(states, i, seat, slot, policy)
    return best


@kernel
def tell(states: States, i: Lane, seat: Seat, any_card: bool) -> tuple[MoveNumber, int]:
    """Steps 4 and 5: about the first card that fits, else the first useless one; or the first of either."""
    state = states[i]
    kinds = state["playable"] | state["played"] if any_card else state["playable"]
    move = hint_about(states, i, seat, kinds, NAMED)
    if move != NO_MOVE:
        return move, TELLS_PLAYABLE
    return hint_about(states, i, seat, state["played"], NAMED), TELLS_USELESS
