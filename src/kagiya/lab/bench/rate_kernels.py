"""Loops for the benchmark: the same small thing many times, so that Python's call does not count."""

from kagiya._jit import kernel
from kagiya.view.kernels import critical_kinds, hand_chances, slot_chance, unseen_planes


@kernel
def repeat_view(states, i, seat, times):
    """Everything a seat can know of its hand, slot by slot: three chances each. Returns a sum, to be used."""
    state = states[i]
    total = 0.0
    for _ in range(times):
        low, high = unseen_planes(states, i, seat, seat)
        critical = critical_kinds(states, i)
        for slot in range(state["hand_size"]):
            possible = state["possible"][seat, slot]
            total += slot_chance(low, high, possible, state["playable"])
            total += slot_chance(low, high, possible, state["useless"])
            total += slot_chance(low, high, possible, critical)
        state["turn"] += 1  # so that the compiler cannot do it once for all
        state["possible"][seat, 0] ^= 1
    return total


@kernel
def repeat_exact_view(states, i, seat, table, chances, times):
    """The same with the cards of a hand considered together."""
    total = 0.0
    for _ in range(times):
        hand_chances(states, i, seat, seat, table, chances)
        total += chances[0, 0]
        states[i]["turn"] += 1
    return total
