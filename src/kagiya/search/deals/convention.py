"""The playable-now convention inside a search, which keeps in its record what each card has been called."""

from kagiya._jit import kernel
from kagiya.agents.conventions.playable_now import GROUNDED, hear_hint, narrow_hand, restore_hand
from kagiya.cards import Seat
from kagiya.engine.layout import Lane, States
from kagiya.moves import MoveNumber
from kagiya.search.deals.sampling import sample_hand
from kagiya.search.layout import SearchRecord, rng_of


@kernel
def hear_move(states: States, i: Lane, work: SearchRecord, move: MoveNumber) -> None:
    """Keep the convention masks up to date with a move about to be made in the search."""
    hear_hint(states, i, work["convention_masks"][:], work["convention"], move)


@kernel
def narrow_possible(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """Let the seat to move believe what the hints have said; `restore_possible` takes it back."""
    narrow_hand(states, i, seat, work["convention_masks"][:], work["hint_possible"][:])


@kernel
def restore_possible(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """The possible kinds as the hints alone leave them."""
    restore_hand(states, i, seat, work["hint_possible"][:])


@kernel
def sample_meant_hand(states: States, i: Lane, seat: Seat, work: SearchRecord) -> None:
    """The same as `sample_hand`, of the hands that also fit what hints have said by the convention."""
    if work["convention"] == GROUNDED:
        sample_hand(states, i, seat, work, rng_of(work))
        return
    narrow_possible(states, i, seat, work)
    sample_hand(states, i, seat, work, rng_of(work))
    restore_possible(states, i, seat, work)
