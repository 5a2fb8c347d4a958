"""Tactics that play a card, then those that discard one: the competition framework's, then those called `hle-`.

The latter are of the Hanabi Learning Environment's lineage, where only what a hint has named counts as known. All
discards need a token to be missing, unless the rules let one discard anyway.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.tactics.vocabulary import (
    ANY_CHANCE,
    FRAMEWORK,
    NAMED,
    Mode,
    first_slot,
    known_slots,
    last_slot,
    likeliest_slots,
    occupied_slots,
    oldest_slot,
    random_bit,
    sure_slots,
    sure_slots_by_hints,
    tactic,
)
from kagiya.cards import MAX_RANKS, NO_MOVE, Kinds, MoveNumber, Rank, Seat, Slot, each_color, each_slot
from kagiya.engine.game_kernels import NO_SLOT, discard_of, may_discard, play_move
from kagiya.engine.layout import Lane, States, Streams
from kagiya.kinds import RANK_KINDS, color_kinds
from kagiya.view.view_kernels import critical_kinds

CHANCE_TO_FIT = "the least chance that the card fits"
CHANCE_TO_BE_USELESS = "the least chance that the card is useless"


@kernel
def known_slot(states: States, i: Lane, owner: Seat, kinds: Kinds, mode: Mode) -> Slot:
    """The first slot of which the owner knows both parts, if they are one of `kinds`."""
    slots = sure_slots_by_hints(states, i, owner, kinds)
    if slots:
        colors, ranks = known_slots(states, i, owner, mode)
        slots &= colors & ranks
    return first_slot(slots)


@tactic("play-known")
def play_known(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot whose color and rank are both known, and fit."""
    return play_move(known_slot(states, i, seat, states[i]["playable"], FRAMEWORK))


@tactic("play-safe")
def play_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot that can only be a card that fits: hints, and the cards seen elsewhere, counted."""
    return play_move(first_slot(sure_slots(states, i, seat, states[i]["playable"])))


@tactic("play-probably-safe", value=CHANCE_TO_FIT)
def play_probably_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to fit, if likely enough; ties go to the last."""
    return play_move(last_slot(likeliest_slots(states, i, seat, states[i]["playable"], value)))


@tactic("play-likeliest-at-full-tokens")
def play_likeliest_at_full_tokens(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to fit, however unlikely, when no token is missing; ties go to the last."""
    state = states[i]
    if state["tokens"] < state["max_tokens"]:
        return NO_MOVE
    return play_move(last_slot(likeliest_slots(states, i, seat, state["playable"], ANY_CHANCE)))


@tactic("hle-play-known")
def hle_play_known(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot whose color and rank were both named by hints, and fit."""
    return play_move(known_slot(states, i, seat, states[i]["playable"], NAMED))


@tactic("hle-play-safe")
def hle_play_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot that by the hints alone, no card counted, can only be a card that fits."""
    return play_move(first_slot(sure_slots_by_hints(states, i, seat, states[i]["playable"])))


@tactic("hle-play-probably-safe", value=CHANCE_TO_FIT)
def hle_play_probably_safe(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to fit, if likely enough; ties go to the first."""
    return play_move(first_slot(likeliest_slots(states, i, seat, states[i]["playable"], value)))


@kernel
def finished_kinds(states: States, i: Lane) -> Kinds:
    """The kinds of the colors that are finished."""
    state = states[i]
    kinds = Kinds(0)
    for color in each_color(state["colors"]):
        kinds |= (state["fireworks"][color] == state["ranks"]) * color_kinds(color)
    return kinds & state["kinds"]


@kernel
def passed_kinds(states: States, i: Lane) -> Kinds:
    """The kinds of the ranks that every firework has reached."""
    state = states[i]
    lowest = state["ranks"]
    for color in each_color(state["colors"]):
        lowest = min(lowest, state["fireworks"][color])
    return ((1 << lowest) - 1) * RANK_KINDS & state["kinds"]


@kernel
def cut_off_kinds(states: States, i: Lane) -> Kinds:
    """The kinds that can never be played because a lower card is lost."""
    return states[i]["useless"] & ~states[i]["played"]


@kernel
def known_useless_slot(states: States, i: Lane, seat: Seat, mode: Mode) -> Slot:
    """The first own slot that is useless by its two known parts, by its finished color, or by a rank all have passed.

    No card is counted, and what the hints only narrow down is not noticed, though it may leave useless kinds alone.
    """
    useless = sure_slots_by_hints(states, i, seat, states[i]["useless"])
    if useless == 0:
        return NO_SLOT
    colors, ranks = known_slots(states, i, seat, mode)
    finished = colors & sure_slots_by_hints(states, i, seat, finished_kinds(states, i))
    passed = ranks & sure_slots_by_hints(states, i, seat, passed_kinds(states, i))
    return first_slot(useless & colors & ranks | finished | passed)


@tactic("discard-useless")
def discard_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot that can only be useless: hints, and the cards seen elsewhere, counted."""
    return discard_of(states, i, first_slot(sure_slots(states, i, seat, states[i]["useless"])))


@tactic("discard-known-useless")
def discard_known_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot useless by its known color and rank, its finished color, or a rank that all have passed."""
    return discard_of(states, i, known_useless_slot(states, i, seat, FRAMEWORK))


@tactic("discard-cut-off")
def discard_cut_off(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot of a known color that can only be above a lost card: hints, and the cards seen, counted."""
    slots = sure_slots(states, i, seat, cut_off_kinds(states, i))
    if slots == 0:
        return NO_MOVE
    colors, _ = known_slots(states, i, seat, FRAMEWORK)
    return discard_of(states, i, first_slot(slots & colors))


@tactic("discard-probably-useless", value=CHANCE_TO_BE_USELESS)
def discard_probably_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to be useless, if likely enough; ties go to the last."""
    return discard_of(states, i, last_slot(likeliest_slots(states, i, seat, states[i]["useless"], value)))


@tactic("discard-least-necessary")
def discard_least_necessary(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot least likely to be the last copy of a card still needed; ties go to the last."""
    spare = states[i]["kinds"] & ~critical_kinds(states, i)
    return discard_of(states, i, last_slot(likeliest_slots(states, i, seat, spare, ANY_CHANCE)))


@tactic("discard-oldest")
def discard_oldest(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The card held longest."""
    return discard_of(states, i, oldest_slot(states, i, seat))


@tactic("discard-random")
def discard_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Any card, each as likely."""
    if not may_discard(states, i):
        return NO_MOVE
    return discard_of(states, i, random_bit(occupied_slots(states, i, seat), i, seat, rng))


@tactic("discard-unidentified")
def discard_unidentified(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot of which neither color nor rank is known."""
    colors, ranks = known_slots(states, i, seat, FRAMEWORK)
    return discard_of(states, i, first_slot(occupied_slots(states, i, seat) & ~(colors | ranks)))


@tactic("discard-highest")
def discard_highest(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot of the highest known rank; ties go to the first."""
    state = states[i]
    _, ranks = known_slots(states, i, seat, FRAMEWORK)
    slots = ranks & occupied_slots(states, i, seat)
    best, highest = NO_SLOT, Rank(-1)
    for slot in each_slot(state["hand_size"]):
        rank: Rank = lowest_bit(state["possible"][seat, slot]) % MAX_RANKS
        if slots >> slot & 1 and rank > highest:
            best, highest = slot, rank
    return discard_of(states, i, best)


@tactic("hle-discard-known-useless")
def hle_discard_known_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot useless by the color and rank that hints have named, its finished color, or a rank all passed."""
    return discard_of(states, i, known_useless_slot(states, i, seat, NAMED))


@tactic("hle-discard-cut-off")
def hle_discard_cut_off(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first slot that by the hints alone, no card counted, can only be above a lost card."""
    return discard_of(states, i, first_slot(sure_slots_by_hints(states, i, seat, cut_off_kinds(states, i))))


@tactic("hle-discard-probably-useless", value=CHANCE_TO_BE_USELESS)
def hle_discard_probably_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot most likely to be useless, if likely enough; ties go to the first."""
    return discard_of(states, i, first_slot(likeliest_slots(states, i, seat, states[i]["useless"], value)))


@tactic("hle-discard-most-confident")
def hle_discard_most_confident(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The slot of hle-discard-known-useless, or of hle-discard-cut-off, or else the one most likely to be useless."""
    slot = known_useless_slot(states, i, seat, NAMED)
    if slot == NO_SLOT:
        slot = first_slot(sure_slots_by_hints(states, i, seat, cut_off_kinds(states, i)))
    if slot == NO_SLOT:
        slot = first_slot(likeliest_slots(states, i, seat, states[i]["useless"], ANY_CHANCE))
    return discard_of(states, i, slot)
