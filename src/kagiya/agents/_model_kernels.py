"""The steps of Rallabhandi's agent (see `kagiya.agents.model`), each a kernel that returns a move or a slot."""

from kagiya._jit import kernel, popcount
from kagiya.agents.tactics._hints import hint_about
from kagiya.agents.tactics._manner import NAMED
from kagiya.agents.tactics._slots import NO_SLOT, first_slot, occupied_slots, random_bit
from kagiya.agents.tactics.discard import may_discard
from kagiya.engine.kernels import legal_moves
from kagiya.moves import FIRST_HINT, NO_MOVE
from kagiya.planes import count_matching
from kagiya.view.kernels import public_planes

HINTED = 1  # the word that keeps the deck places of the cards touched since the last own turn
TELLS_PLAYABLE, TELLS_USELESS = 3, 4  # places of two reasons
MANY_TOKENS = 4
LEAST_KNOWN, ANY_CARD, LEAST_USEFUL = range(3)


@kernel
def left_kinds(states, i, seat, slot):
    """What a card may be by the hints, the discards and the fireworks."""
    low, high = public_planes(states, i)
    return states[i]["possible"][seat, slot] & (low | high)


@kernel
def playable_slots(states, i, seat):
    """The slots deduced to fit, as a mask."""
    slots = 0
    for slot in range(states[i]["hand_size"]):
        left = left_kinds(states, i, seat, slot)
        slots |= (left != 0 and left & ~states[i]["playable"] == 0) << slot
    return slots


@kernel
def useless_slots(states, i, seat):
    """The slots deduced to hold one card that is played already, as a mask."""
    slots = 0
    for slot in range(states[i]["hand_size"]):
        left = left_kinds(states, i, seat, slot)
        slots |= (popcount(left) == 1 and left & states[i]["played"] != 0) << slot
    return slots


@kernel
def play_certain(states, i, seat, first_of_either):
    """Step 1: the first card deduced to fit; merged with step 2, only if no useless card comes before it."""
    plays, discards = playable_slots(states, i, seat), useless_slots(states, i, seat)
    if first_of_either and discards and may_discard(states, i):
        plays &= (discards & -discards) - 1
    return first_slot(plays)


@kernel
def take_risk(states, i, seat, memory, rng):
    """Step 3: any card touched by a hint since the last own turn, if a life more would be left."""
    state = states[i]
    slots = 0
    for slot in range(state["hand_size"]):
        if state["order"][seat, slot] >= 0:
            slots |= (memory[i, seat, HINTED] >> state["order"][seat, slot] & 1) << slot
    return random_bit(slots, i, seat, rng) if state["lives"] > 1 else NO_MOVE


@kernel
def hint_at_random(states, i, seat, rng):
    """Step 6: any legal hint if many tokens are left, or all of them are."""
    state = states[i]
    if state["tokens"] <= min(MANY_TOKENS, state["max_tokens"] - 1):
        return NO_MOVE
    hints = legal_moves(states, i) >> FIRST_HINT << FIRST_HINT
    return random_bit(hints, i, seat, rng)


@kernel
def doubt(states, i, seat, slot, policy):
    """How much a card is to be discarded: by the cards it may be, or by the share of useless ones among them."""
    low, high = public_planes(states, i)
    possible = states[i]["possible"][seat, slot]
    cards = count_matching(low, high, possible)
    if policy != LEAST_USEFUL or cards == 0:
        return float(cards)
    return count_matching(low, high, possible & states[i]["played"]) / cards


@kernel
def slot_to_discard(states, i, seat, policy, rng):
    """Step 6: the card known least, any card, or the one least likely to be useful; of equals the first."""
    occupied = occupied_slots(states, i, seat)
    if policy == ANY_CARD:
        return random_bit(occupied, i, seat, rng)
    best, most = NO_SLOT, -1.0
    for slot in range(states[i]["hand_size"]):
        if occupied >> slot & 1 and doubt(states, i, seat, slot, policy) > most:
            best, most = slot, doubt(states, i, seat, slot, policy)
    return best


@kernel
def tell(states, i, seat, any_card):
    """Steps 4 and 5: about the first card that fits, else the first useless one; or the first of either."""
    state = states[i]
    kinds = state["playable"] | state["played"] if any_card else state["playable"]
    move = hint_about(states, i, seat, kinds, NAMED)
    if move != NO_MOVE:
        return move, TELLS_PLAYABLE
    return hint_about(states, i, seat, state["played"], NAMED), TELLS_USELESS
