"""Dealing the hidden cards with the dice of a search: a hand that its owner could hold, by one of several samplers.

`view/hand_sampling` deals uniformly. Filling the slots one after another from what is left, as Goodman's and Brooks's
programs do, is uniform too if the number of cards left for a slot never depends on the cards chosen before. So it is
with the narrowest slot or the oldest card first: all hints since a card was drawn have sorted the whole hand, so what
an older card can be lies within what a newer one can be, or outside it. The conventions keep this up, for they speak
only of a card that a hint touched alone (a slot whose hints `redeal_card` forgets can be an exception, once in
thousands of moves). It is not uniform from left to right where a drawn card takes a vacated slot, nor with kinds that
overlap otherwise; Bouzy's assignment at random costs is not uniform. `kagiya dev bench deals` measures it.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import HIDDEN_CARD, NO_CARD, Card, Kinds, Seat, Slot, Slots
from kagiya.dice import Streams
from kagiya.engine.layout import Lane, States
from kagiya.kinds import kind_bit
from kagiya.planes import count_matching, remove_bit
from kagiya.search.deals.assignment import NO_HAND, assign_hand
from kagiya.search.layout import SEARCH_STREAM, TRIAL, SearchRecord
from kagiya.view.hand_sampling import DEALT_ALL, NOTHING_FITS, fill_hand, give_hand, pick_card, shuffle_deck, try_hand
from kagiya.view.kernels import unseen_planes

UNIFORM, SLOT_BY_SLOT, LEFT_TO_RIGHT, ASSIGNMENT = 0, 1, 2, 3
DEALS = ("uniform", "slot-by-slot", "left-to-right", "assignment")  # what they are called on the command line
PATIENCE = 400  # clashes after which the hand is filled slot by slot: such hints leave hardly a choice


@kernel
def random_card(low: Kinds, high: Kinds, kinds: Kinds, rng: Streams) -> Card:
    """Any card of these kinds, each copy as likely; NO_CARD if there is none."""
    return pick_card(low, high, kinds, rng, TRIAL, SEARCH_STREAM)


@kernel
def pool_of(states: States, i: Lane, owner: Seat) -> tuple[Kinds, Kinds]:
    """The cards that the owner of a hand cannot see: the deck's and its own."""
    return unseen_planes(states, i, owner, owner)


@kernel
def sample_hand(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> None:
    """Write a hand that the owner could hold into the record's table `hand`; empty slots become NO_CARD.

    The kinds a slot can be are its `possible`, which the convention may have narrowed. A slot that no unseen
    card fits, which happens only in games the search has made up, takes any card.
    """
    if work["sampler"] == ASSIGNMENT and assign_hand(states, i, owner, work, rng) != NO_HAND:
        return
    if work["sampler"] != UNIFORM:
        fill_slots(states, i, owner, work, rng)
        return
    kinds, hand = states[i]["possible"][owner], work["hand"][:]
    for _ in range(PATIENCE):
        outcome = try_hand(states, i, owner, kinds, hand, rng, TRIAL, SEARCH_STREAM)
        if outcome == DEALT_ALL:
            return
        if outcome == NOTHING_FITS:
            break
    fill_slots(states, i, owner, work, rng)


@kernel
def fill_slots(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> None:
    """Fill slot after slot from what is left, the most restricted first or from left to right; then any card."""
    for _ in range(PATIENCE):
        if try_to_fill(states, i, owner, work, rng):
            return
    fill_hand(states, i, owner, states[i]["possible"][owner], work["hand"][:], rng, TRIAL, SEARCH_STREAM)


@kernel
def try_to_fill(states: States, i: Lane, owner: Seat, work: SearchRecord, rng: Streams) -> bool:
    """One attempt to fill the slots in order from what is left: False when a slot finds no card."""
    state = states[i]
    low, high = pool_of(states, i, owner)
    todo = Slots(0)
    for slot in range(state["hand_size"]):
        work["hand"][slot] = NO_CARD
        todo |= (state["hands"][owner, slot] != NO_CARD) << slot
    all_low, all_high = low, high
    while todo:
        slot = lowest_bit(todo)
        if work["sampler"] != LEFT_TO_RIGHT:
            slot = most_restricted(states, i, owner, todo, all_low, all_high)
        card = random_card(low, high, state["possible"][owner, slot], rng)
        if card == NO_CARD:
            return False
        low, high = remove_bit(low, high, kind_bit(card))
        work["hand"][slot] = card
        todo &= ~(1 << slot)
    return True


@kernel
def most_restricted(states: States, i: Lane, owner: Seat, slots: Slots, low: Kinds, high: Kinds) -> Slot:
    """Of some slots the one that the fewest cards fit; ties go to the first."""
    best, fewest = lowest_bit(slots), 99
    while slots:
        slot = lowest_bit(slots)
        count = count_matching(low, high, states[i]["possible"][owner, slot])
        if count < fewest:
            best, fewest = slot, count
        slots &= slots - 1
    return best


@kernel
def hold_hand(states: States, i: Lane, owner: Seat, work: SearchRecord) -> None:
    """Give the owner the hand in the record's table `hand`; what it held before goes back to the deck first."""
    give_hand(states, i, owner, work["hand"][:])


@kernel
def top_deck(states: States, i: Lane, rng: Streams) -> None:
    """Put any of the deck's cards on top of it, unless its order is settled: card by card is soon enough."""
    state = states[i]
    if state["drawn"] < state["deck_size"] and state["deck"][state["drawn"]] == HIDDEN_CARD:
        state["deck"][state["drawn"]] = random_card(state["deck_low"], state["deck_high"], state["kinds"], rng)


@kernel
def settle_deck(states: States, i: Lane, rng: Streams) -> None:
    """Put the deck's cards in any order, for lines of play that are to draw the same cards, or to look ahead."""
    shuffle_deck(states, i, rng, TRIAL, SEARCH_STREAM)
