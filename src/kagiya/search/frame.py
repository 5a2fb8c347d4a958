"""What every search's move begins and ends with: what its seat may know, its dice, its budget, its answer."""

from kagiya._jit import kernel, now
from kagiya.agents.conventions.playable_now import GROUNDED
from kagiya.cards import Seat
from kagiya.dice import STREAM_WORDS, Streams, next_word, seed_stream
from kagiya.engine.kernels import legal_moves, reachable_points
from kagiya.engine.layout import STREAMS, Lane, Memory, States
from kagiya.moves import MoveNumber
from kagiya.rules import MAX_DECK
from kagiya.search.allies.likelihood import study_allies
from kagiya.search.deals.history import HISTORY_MASKS, is_whole_history
from kagiya.search.layout import KNOWN, NO_HAND_KEPT, TRIAL, SearchRecord, rng_of, states_of
from kagiya.search.nodes import start_tree
from kagiya.view.kernels import censor


@kernel
def begin_search(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, rng: Streams) -> None:
    """Take over what the seat may know of the real game; the dice of the search follow from the seat's stream."""
    work["started"] = now()
    lanes = states_of(work)
    lanes[KNOWN] = states[i]
    censor(lanes, KNOWN, KNOWN, seat)
    seed_all(work, next_word(rng, i, 1 + seat) << 31 | next_word(rng, i, 1 + seat) >> 1)
    copy_dice(rng_of(work), TRIAL, KNOWN)  # for rules of the root that roll dice
    work["seat"], work["turns"] = seat, states[i]["turn"]
    work["whole_history"] = is_whole_history(states, i, seat, memory)
    work["iterations_done"] = work["steps_done"] = work["depth"] = 0
    work["deepest_seen"] = work["true_iterations"] = work["is_exact"] = 0
    work["unexplained"], work["weighed"] = NO_HAND_KEPT, 0
    work["reachable_at_root"] = reachable_points(lanes, KNOWN)
    if work["convention"] != GROUNDED:
        for order in range(MAX_DECK):
            work["root_convention_masks"][order] = memory[i, seat, HISTORY_MASKS + order]
            work["convention_masks"][order] = work["root_convention_masks"][order]
    work["root_moves"] = legal_moves(lanes, KNOWN)
    study_allies(i, seat, memory, work)
    start_tree(work)


@kernel
def is_spent(work: SearchRecord) -> bool:
    """Whether the budget is used up; one iteration is always made."""
    if work["iterations_done"] == 0:
        return False
    if work["iterations_done"] >= work["iterations"] or work["stop"]:
        return True
    if work["steps"] > 0 and work["steps_done"] >= work["steps"]:
        return True
    return work["nanoseconds"] > 0 and now() - work["started"] >= work["nanoseconds"]


@kernel
def end_search(work: SearchRecord, move: MoveNumber) -> MoveNumber:
    """Note the answer, and what it took; returns the move."""
    work["all_iterations"] += work["iterations_done"]
    work["chosen"] = move
    return move


@kernel
def seed_all(work: SearchRecord, seed: int) -> None:
    """Start every stream of the search from one number."""
    rng = rng_of(work)
    for stream in range(STREAMS):
        seed_stream(rng, TRIAL, stream, seed)


@kernel
def copy_dice(rng: Streams, source: Lane, target: Lane) -> None:
    """One lane's streams into another's."""
    for stream in range(STREAMS):
        for word in range(STREAM_WORDS):
            rng[target, stream, word] = rng[source, stream, word]
