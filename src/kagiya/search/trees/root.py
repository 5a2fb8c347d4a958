"""The root of a tree: what it offers, and the game that each iteration starts from."""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import Seat
from kagiya.engine.kernels import legal_moves
from kagiya.engine.layout import Lane, Memory
from kagiya.engine.memory_kernels import clear_memory, copy_memory
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.search.allies.drawing import draw_allies
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.deals.sampling import hold_hand
from kagiya.search.deals.weighed_hands import draw_hand, restore_masks
from kagiya.search.layout import DEALT, KNOWN, TRIAL, SearchRecord, extents_of, memory_of, states_of
from kagiya.search.trees.offers import offered_moves


@kernel
def offered_at_root(work: SearchRecord) -> int:
    """What the root offers: the same in every deal, since the seat does not see its own cards; never nothing."""
    lanes = states_of(work)
    offered = offered_moves(lanes, KNOWN, work["seat"], work)
    # With the released program's defect the rules can leave no legal move. Then it falls back on its first card.
    return offered if offered else legal_moves(lanes, KNOWN)


@kernel
def has_choice(work: SearchRecord) -> bool:
    """Whether the root offers more than one move."""
    return work["root_moves"] & (work["root_moves"] - 1) != 0


@kernel
def first_move(work: SearchRecord) -> MoveNumber:
    """The first move that the root offers; NO_MOVE if the game is over."""
    return lowest_bit(work["root_moves"]) if work["root_moves"] else NO_MOVE


@kernel
def deal_root(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Lane TRIAL becomes the known game with a hand that the searching seat could hold."""
    lanes = states_of(work)
    draw_allies(work)
    restore_masks(work)
    draw_hand(seat, work)
    if work["listening"]:
        lanes[DEALT] = lanes[KNOWN]
        hold_hand(lanes, DEALT, seat, work)
        rebuild_memories(i, seat, memory, work)
        copy_memory(memory_of(work), DEALT, TRIAL, extents_of(work))
        lanes[TRIAL] = lanes[DEALT]
    else:
        lanes[TRIAL] = lanes[KNOWN]
        hold_hand(lanes, TRIAL, seat, work)
        if work["remembering"]:
            clear_memory(memory_of(work), TRIAL, extents_of(work))
