"""Tactics that discard a card. All need a token to be missing, unless the rules let one discard anyway."""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics._manner import FRAMEWORK, NAMED
from kagiya.agents.tactics._slots import (
    ANY_CHANCE,
    NO_SLOT,
    first_slot,
    known_slots,
    last_slot,
    likeliest_slots,
    occupied_slots,
    oldest_slot,
    random_bit,
    sure_slots,
    sure_slots_by_hints,
)
from kagiya.agents.tactics._tactic import tactic
from kagiya.cards import MAX_RANKS
from kagiya.engine.kernels import COLOR_KINDS, RANK_KINDS
from kagiya.moves import FIRST_DISCARD, NO_MOVE
from kagiya.view.kernels import critical_kinds

CHANCE = "the least chance that the card is useless"


@kernel
def may_discard(states, i):
    """Whether the rules allow a discard now."""
    state = states[i]
    return state["tokens"] < state["max_tokens"] or state["discard_at_full_tokens"] != 0


@kernel
def discard_of(states, i, slot):
    """The move that discards this slot; none for NO_SLOT, or when the rules forbid it now."""
    return FIRST_DISCARD + slot if slot != NO_SLOT and may_discard(states, i) else NO_MOVE


@kernel
def finished_kinds(states, i):
    """The kinds of the colors that are finished."""
    state = states[i]
    kinds = 0
    for color in range(state["colors"]):
        kinds |= (state["fireworks"][color] == state["ranks"]) * (COLOR_KINDS << MAX_RANKS * color)
    return kinds & state["kinds"]


@kernel
def passed_kinds(states, i):
    """The kinds of the ranks that every firework has reached."""
    state = states[i]
    lowest = state["ranks"]
    for color in range(state["colors"]):
        lowest = min(lowest, state["fireworks"][color])
    return ((1 << lowest) - 1) * RANK_KINDS & state["kinds"]


@kernel
def cut_off_kinds(states, i):
    """The kinds that can never be played because a lower card is lost."""
    return states[i]["useless"] & ~states[i]["played"]


@kernel
def known_useless_slot(states, i, seat, manner):
    """The first own slot that is useless by its two known parts, by its finished color, or by a rank all have passed.

    No card is counted, and what the hints only narrow down is not noticed, though it may leave useless kinds alone.
    """
    useless = sure_slots_by_hints(states, i, seat, states[i]["useless"])
    if useless == 0:
        return NO_SLOT
    colors, ranks = known_slots(states, i, seat, manner)
    finished = colors & sure_slots_by_hints(states, i, seat, finished_kinds(states, i))
    passed = ranks & sure_slots_by_hints(states, i, seat, passed_kinds(states, i))
    return first_slot(useless & colors & ranks | finished | passed)


@tactic("discard-useless")
def discard_useless(states, i, seat, rng, value):
    """The first slot that can only be useless: hints, and the cards seen elsewhere, counted."""
    return discard_of(states, i, first_slot(sure_slots(states, i, seat, states[i]["useless"])))


@tactic("discard-known-useless")
def discard_known_useless(states, i, seat, rng, value):
    """The first slot useless by its known color and rank, its finished color, or a rank that all have passed."""
    return discard_of(states, i, known_useless_slot(states, i, seat, FRAMEWORK))


@tactic("discard-cut-off")
def discard_cut_off(states, i, seat, rng, value):
    """The first slot of a known color that can only be above a lost card: hints, and the cards seen, counted."""
    slots = sure_slots(states, i, seat, cut_off_kinds(states, i))
    if slots == 0:
        return NO_MOVE
    colors, _ = known_slots(states, i, seat, FRAMEWORK)
    return discard_of(states, i, first_slot(slots & colors))


@tactic("discard-probably-useless", value=CHANCE)
def discard_probably_useless(states, i, seat, rng, value):
    """The slot most likely to be useless, if likely enough; of equals the last."""
    return discard_of(states, i, last_slot(likeliest_slots(states, i, seat, states[i]["useless"], value)))


@tactic("discard-least-necessary")
def discard_least_necessary(states, i, seat, rng, value):
    """The slot least likely to be the last copy of a card still needed; of equals the last."""
    spare = states[i]["kinds"] & ~critical_kinds(states, i)
    return discard_of(states, i, last_slot(likeliest_slots(states, i, seat, spare, ANY_CHANCE)))


@tactic("discard-oldest")
def discard_oldest(states, i, seat, rng, value):
    """The card held longest."""
    return discard_of(states, i, oldest_slot(states, i, seat))


@tactic("discard-random")
def discard_random(states, i, seat, rng, value):
    """Any card, each as likely."""
    if not may_discard(states, i):
        return NO_MOVE
    return discard_of(states, i, random_bit(occupied_slots(states, i, seat), i, seat, rng))


@tactic("discard-unidentified")
def discard_unidentified(states, i, seat, rng, value):
    """The first slot of which neither color nor rank is known."""
    colors, ranks = known_slots(states, i, seat, FRAMEWORK)
    return discard_of(states, i, first_slot(occupied_slots(states, i, seat) & ~(colors | ranks)))


@tactic("discard-highest")
def discard_highest(states, i, seat, rng, value):
    """The slot of the highest known rank; of equals the first."""
    state = states[i]
    _, ranks = known_slots(states, i, seat, FRAMEWORK)
    slots = ranks & occupied_slots(states, i, seat)
    best, highest = NO_SLOT, -1
    for slot in range(state["hand_size"]):
        rank = lowest_bit(state["possible"][seat, slot]) % MAX_RANKS
        if slots >> slot & 1 and rank > highest:
            best, highest = slot, rank
    return discard_of(states, i, best)


@tactic("hle-discard-known-useless")
def hle_discard_known_useless(states, i, seat, rng, value):
    """The first slot useless by the color and rank that hints have named, its finished color, or a rank all passed."""
    return discard_of(states, i, known_useless_slot(states, i, seat, NAMED))


@tactic("hle-discard-cut-off")
def hle_discard_cut_off(states, i, seat, rng, value):
    """The first slot that by the hints alone, no card counted, can only be above a lost card."""
    return discard_of(states, i, first_slot(sure_slots_by_hints(states, i, seat, cut_off_kinds(states, i))))


@tactic("hle-discard-probably-useless", value=CHANCE)
def hle_discard_probably_useless(states, i, seat, rng, value):
    """The slot most likely to be useless, if likely enough; of equals the first."""
    return discard_of(states, i, first_slot(likeliest_slots(states, i, seat, states[i]["useless"], value)))


@tactic("hle-discard-most-confident")
def hle_discard_most_confident(states, i, seat, rng, value):
    """The slot of hle-discard-known-useless, or of hle-discard-cut-off, or else the one most likely to be useless."""
    slot = known_useless_slot(states, i, seat, NAMED)
    if slot == NO_SLOT:
        slot = first_slot(sure_slots_by_hints(states, i, seat, cut_off_kinds(states, i)))
    if slot == NO_SLOT:
        slot = first_slot(likeliest_slots(states, i, seat, states[i]["useless"], ANY_CHANCE))
    return discard_of(states, i, slot)
