"""The chance of every card in every slot of a hand."""

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel
from kagiya.cards import MAX_KINDS, Card, Seat, each_slot
from kagiya.engine.layout import Lane, States
from kagiya.kinds import kind_bit
from kagiya.view.kernels import DealTable, count_deals, exact_chance, unseen_planes


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
