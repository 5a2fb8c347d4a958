"""Loops for `deal_bias.py`: hands sampled in bulk, and the exact chances of hands that are filled slot after slot."""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import MAX_KINDS, NO_CARD
from kagiya.planes import count_matching, remove_bit
from kagiya.search.deals.sampling import sample_hand
from kagiya.view.kernels import unseen_planes

# Columns of the walk's stack, a row for each slot being filled: kinds still to try, the cards left before it, how
# many of them fit, the product of these numbers and the ways to deal the slots before it, the kind being tried.
TO_TRY, LOW, HIGH, FITTING, PRODUCT, WAYS, KIND = range(7)
COLUMNS = 7

# What the walk is told and what it adds up; then, by slot and kind, the chance that the slot is of that kind.
SUCCESS, DEALS, MASS, VARIATION, DIVERGENCE, HANDS = range(6)
CHANCES = 6


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
    chance `sums[SUCCESS]` of not getting stuck; `sums[DEALS]` such hands there are. The last slot's cards have equal
    chances, so it is not walked through.
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
    error = share - 1 / sums[DEALS]
    sums[MASS] += mass
    sums[VARIATION] += ways * fitting * abs(error) / 2
    sums[DIVERGENCE] += ways * fitting * error * error * sums[DEALS]
    for depth in range(last):
        sums[CHANCES + slots[depth] * MAX_KINDS + stack[depth, KIND]] += mass / sums[SUCCESS]
    kinds = stack[last, TO_TRY]
    while kinds:
        kind = lowest_bit(kinds)
        copies = count_matching(stack[last, LOW], stack[last, HIGH], 1 << kind)
        sums[CHANCES + slots[last] * MAX_KINDS + kind] += ways * copies * share
        sums[HANDS] += 1
        kinds &= kinds - 1
