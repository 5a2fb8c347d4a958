"""Tactics that give a hint: about one card, the clearest, the one touching most cards, or one partly left to the dice.

All need a token. Most are rules of the competition framework and of Goodman; those called `hle-` are of the Hanabi
Learning Environment's lineage, where only what a hint has named counts as known.

The hints that a player would best understand as "play this" are Canaan et al.'s of 2018 ("TellUnambiguous"). What the
receiver sees of the teller's hand the teller does not know, so in the receiver's chances the teller's cards count as
unseen.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.tactics import vocabulary
from kagiya.agents.tactics.play_or_discard import finished_kinds, passed_kinds
from kagiya.cards import (
    MAX_HAND,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Card,
    Kinds,
    MoveNumber,
    Offset,
    Rank,
    Seat,
    Slots,
    each_color,
    each_offset,
    each_rank,
    each_slot,
)
from kagiya.engine.dice import below
from kagiya.engine.game_kernels import NO_SLOT, hint_color, hint_color_of, hint_rank, hint_rank_of
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, Lane, States, Streams
from kagiya.kinds import RANK_KINDS, color_kinds, color_of, rank_kinds, rank_of
from kagiya.view.view_kernels import last_copies, slot_chance, unseen_planes

COLOR_FIRST_TO_NEXT = vocabulary.COLOR_FIRST | vocabulary.NEXT_ONLY
NAMED_COLOR_FIRST = vocabulary.NAMED | vocabulary.COLOR_FIRST
NAMED_TO_NEXT = vocabulary.NAMED | vocabulary.COLOR_FIRST | vocabulary.NEXT_ONLY
HALF_NAMED = vocabulary.NAMED | vocabulary.HALF_KNOWN


@vocabulary.tactic("tell-playable")
def tell_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card that fits and is not fully known, in turn order and by slot: its rank, or else its color."""
    return vocabulary.hint_about(states, i, seat, states[i]["playable"], vocabulary.FRAMEWORK)


@vocabulary.tactic("tell-next-playable")
def tell_next_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that fits and is not fully known: its rank, or else its color."""
    return vocabulary.hint_about(states, i, seat, states[i]["playable"], vocabulary.NEXT_ONLY)


@vocabulary.tactic("tell-useless")
def tell_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first useless card, in turn order and by slot: its rank, or else its color; nothing if it is fully known."""
    return vocabulary.hint_about(states, i, seat, states[i]["useless"], vocabulary.FIRST_OR_NONE)


@vocabulary.tactic("tell-playable-or-useless")
def tell_playable_or_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card not fully known that fits, or is useless if a token is missing: its rank, or else its color."""
    state = states[i]
    kinds = state["playable"]
    if state["tokens"] < state["max_tokens"]:
        kinds |= state["useless"]
    return vocabulary.hint_about(states, i, seat, kinds, vocabulary.FRAMEWORK)


@vocabulary.tactic("tell-next-unknown")
def tell_next_unknown(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that is not fully known: its color, or else its rank."""
    return vocabulary.hint_about(states, i, seat, states[i]["kinds"], COLOR_FIRST_TO_NEXT)


@vocabulary.tactic("tell-next-one")
def tell_next_one(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card of the lowest rank that is not fully known: its rank, or else its color."""
    return vocabulary.hint_about(states, i, seat, states[i]["kinds"] & RANK_KINDS, vocabulary.NEXT_ONLY)


@vocabulary.tactic("tell-five")
def tell_five(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The highest rank to the first seat, in turn order, that has a card of it without knowing."""
    state = states[i]
    rank = Rank(state["ranks"] - 1)
    for offset in each_offset(1, vocabulary.count_receivers(states, i, vocabulary.FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        _, ranks = vocabulary.known_slots(states, i, receiver, vocabulary.FRAMEWORK)
        if vocabulary.slots_of(states, i, receiver, rank_kinds(rank)) & ~ranks:
            return hint_rank(offset, rank)
    return NO_MOVE


@vocabulary.tactic("tell-anything")
def tell_anything(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """A hint to spend a turn: the rank of the next seat's first card."""
    receiver = (seat + 1) % states[i]["players"]
    slot = vocabulary.first_slot(vocabulary.occupied_slots(states, i, receiver))
    if slot == NO_SLOT or states[i]["tokens"] == 0:
        return NO_MOVE
    return hint_rank_of(vocabulary.NEXT, states[i]["hands"][receiver, slot])


@vocabulary.tactic("tell-rest-of-playable")
def tell_rest_of_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card that fits and is known by half, in turn order and by slot."""
    return vocabulary.hint_about(states, i, seat, states[i]["playable"], vocabulary.HALF_KNOWN)


@vocabulary.tactic("tell-rest-of-played")
def tell_rest_of_played(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card known by half whose kind is already played."""
    return vocabulary.hint_about(states, i, seat, states[i]["played"], vocabulary.HALF_KNOWN)


@vocabulary.tactic("tell-rest-of-unplayable")
def tell_rest_of_unplayable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card known by half that is too high now, or cut off."""
    state = states[i]
    return vocabulary.hint_about(
        states, i, seat, state["kinds"] & ~(state["playable"] | state["played"]), vocabulary.HALF_KNOWN
    )


@vocabulary.tactic("tell-last-copy")
def tell_last_copy(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card, by seat number, not fully known of which no other copy is left: its rank, or else its color."""
    return vocabulary.hint_about(states, i, seat, last_copies(states, i), vocabulary.SEAT_ORDER)


@vocabulary.tactic("tell-dispensable")
def tell_dispensable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What lets a seat, by seat number, see that its card is already played: a finished color, a low rank, the rest."""
    return dispensable_hint(states, i, seat, vocabulary.SEAT_ORDER)


@kernel
def dispensable_hint(states: States, i: Lane, seat: Seat, mode: vocabulary.Mode) -> MoveNumber:
    """The first hint by which the owner of a card already played learns, or gets nearer to learning, that it is."""
    state = states[i]
    finished, passed = finished_kinds(states, i), passed_kinds(states, i)
    for step in range(vocabulary.count_receivers(states, i, mode)):
        offset = vocabulary.nth_offset(states, i, seat, step, mode)
        receiver = (seat + offset) % state["players"]
        played = vocabulary.slots_of(states, i, receiver, state["played"])
        if played == 0:
            continue
        colors, ranks = vocabulary.known_slots(states, i, receiver, mode)
        by_color = vocabulary.slots_of(states, i, receiver, finished) & ~colors
        by_rank = vocabulary.slots_of(states, i, receiver, passed) & ~ranks
        found = by_color | by_rank | played & (colors ^ ranks)
        if found:
            slot = lowest_bit(found)
            card = state["hands"][receiver, slot]
            if (by_color | ranks) >> slot & 1:
                return hint_color_of(offset, card)
            return hint_rank_of(offset, card)
    return NO_MOVE


@vocabulary.tactic("tell-last-playable")
def tell_last_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """In turn order, a seat's last slot that fits: its color, or else its rank; if fully known, the next seat's."""
    state = states[i]
    for offset in each_offset(1, vocabulary.count_receivers(states, i, vocabulary.FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        colors, ranks = vocabulary.known_slots(states, i, receiver, vocabulary.FRAMEWORK)
        slot = vocabulary.last_slot(vocabulary.slots_of(states, i, receiver, state["playable"]))
        if slot != NO_SLOT and not (colors & ranks) >> slot & 1:
            card = state["hands"][receiver, slot]
            return vocabulary.missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, vocabulary.COLOR_FIRST)
    return NO_MOVE


@vocabulary.tactic("tell-next-single-playable")
def tell_next_single_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that fits and that a hint of its rank, or else its color, touches alone."""
    state = states[i]
    if state["tokens"] == 0:
        return NO_MOVE
    receiver = (seat + 1) % state["players"]
    found, move = vocabulary.slots_of(states, i, receiver, state["playable"]), NO_MOVE
    while found and move == NO_MOVE:
        move = vocabulary.single_hint(states, i, receiver, vocabulary.NEXT, state["hands"][receiver, lowest_bit(found)])
        found &= found - 1
    return move


@vocabulary.tactic("hle-tell-playable")
def hle_tell_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card that fits and is not fully named, in turn order and by slot: its rank, or else its color."""
    return vocabulary.hint_about(states, i, seat, states[i]["playable"], vocabulary.NAMED)


@vocabulary.tactic("hle-tell-useless")
def hle_tell_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first useless card that is not fully named, in turn order and by slot: its color, or else its rank."""
    return vocabulary.hint_about(states, i, seat, states[i]["useless"], NAMED_COLOR_FIRST)


@vocabulary.tactic("hle-tell-next-unknown")
def hle_tell_next_unknown(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that is not fully named: its color, or else its rank."""
    return vocabulary.hint_about(states, i, seat, states[i]["kinds"], NAMED_TO_NEXT)


@vocabulary.tactic("hle-tell-dispensable")
def hle_tell_dispensable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What lets a seat, in turn order, see that its card is already played: a finished color, a low rank, the rest."""
    return dispensable_hint(states, i, seat, vocabulary.NAMED)


@vocabulary.tactic("hle-tell-rest-of-playable")
def hle_tell_rest_of_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card that fits and is named by half, in turn order and by slot."""
    return vocabulary.hint_about(states, i, seat, states[i]["playable"], HALF_NAMED)


@vocabulary.tactic("hle-tell-rest-of-useless")
def hle_tell_rest_of_useless(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first useless card named by half."""
    return vocabulary.hint_about(states, i, seat, states[i]["useless"], HALF_NAMED)


@vocabulary.tactic("hle-tell-rest-of-unplayable")
def hle_tell_rest_of_unplayable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """What is missing of the first card named by half that is still needed but does not fit now."""
    state = states[i]
    return vocabulary.hint_about(states, i, seat, state["kinds"] & ~(state["playable"] | state["useless"]), HALF_NAMED)


MORE_THAN_A_HAND = MAX_HAND + 1
UNCLEAR = -MORE_THAN_A_HAND * MORE_THAN_A_HAND  # less than any clarity
WORST = -100.0  # less than any sum of chances with their weights


@kernel
def clarity(fits: Slots, touched: Slots, fitting_first: bool) -> int:
    """How clear a hint is: by the cards it touches that fit and then by the others, or the other way round."""
    good, bad = popcount(touched & fits), popcount(touched & ~fits)
    return good * MORE_THAN_A_HAND - bad if fitting_first else good - bad * MORE_THAN_A_HAND


@kernel
def clearest_hint(states: States, i: Lane, seat: Seat, fitting_first: bool) -> MoveNumber:
    """To the first seat that holds a card that fits and lacks a part of it: the clearest hint of such a part.

    Of the cards touched only those count that did not know the part before.
    """
    state = states[i]
    for offset in each_offset(1, vocabulary.count_receivers(states, i, vocabulary.FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        fits = vocabulary.slots_of(states, i, receiver, state["playable"])
        colors, ranks = vocabulary.known_slots(states, i, receiver, vocabulary.FRAMEWORK)
        best, most = NO_MOVE, UNCLEAR
        for slot in each_slot(state["hand_size"]):
            if not (fits & ~(colors & ranks)) >> slot & 1:
                continue
            card: Card = state["hands"][receiver, slot]
            if not ranks >> slot & 1:
                touched = vocabulary.slots_of(states, i, receiver, rank_kinds(rank_of(card))) & ~ranks
                if clarity(fits, touched, fitting_first) > most:
                    best, most = hint_rank_of(offset, card), clarity(fits, touched, fitting_first)
            if not colors >> slot & 1:
                touched = vocabulary.slots_of(states, i, receiver, color_kinds(color_of(card))) & ~colors
                if clarity(fits, touched, fitting_first) > most:
                    best, most = hint_color_of(offset, card), clarity(fits, touched, fitting_first)
        if best != NO_MOVE:
            return best
    return NO_MOVE


@kernel
def worth_of_hint(states: States, i: Lane, seat: Seat, receiver: Seat, named: Kinds, weight: float) -> float:
    """The chances to fit that the receiver would see after a hint: of cards that fit, less `weight` times the others'.

    `named` are the kinds of the color or rank that the hint names; WORST if it touches nothing.
    """
    state = states[i]
    low, high = unseen_planes(states, i, seat, receiver)
    touched = vocabulary.slots_of(states, i, receiver, named)
    if touched == 0:
        return WORST
    fits = vocabulary.slots_of(states, i, receiver, state["playable"])
    worth = 0.0
    for slot in each_slot(state["hand_size"]):
        possible = state["possible"][receiver, slot] & (named if touched >> slot & 1 else ~named)
        if possible != 0:
            chance = slot_chance(low, high, possible, state["playable"])
            worth += chance if fits >> slot & 1 else -weight * chance
    return worth


@vocabulary.tactic("tell-most-playable")
def tell_most_playable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Of the hints about a seat's cards that fit, in turn order: news for most of these, then for fewest others."""
    return clearest_hint(states, i, seat, True)


@vocabulary.tactic("tell-least-unplayable")
def tell_least_unplayable(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Of the hints about a seat's cards that fit, in turn order: news for fewest others, then for most of these."""
    return clearest_hint(states, i, seat, False)


@vocabulary.tactic("tell-clearest", value="what the chance of a card that does not fit counts against one that does")
def tell_clearest(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """To the first seat with a card that fits: the hint after which it sees high chances where cards fit."""
    state = states[i]
    for offset in each_offset(1, vocabulary.count_receivers(states, i, vocabulary.FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        if vocabulary.slots_of(states, i, receiver, state["playable"]) == 0:
            continue
        best, most = NO_MOVE, WORST
        for rank in each_rank(state["ranks"]):
            worth = worth_of_hint(states, i, seat, receiver, rank_kinds(rank), value)
            if worth > most:
                best, most = hint_rank(offset, rank), worth
        for color in each_color(state["colors"]):
            worth = worth_of_hint(states, i, seat, receiver, color_kinds(color), value)
            if worth > most:
                best, most = hint_color(offset, color), worth
        return best
    return NO_MOVE


# Of the counts in one integer (`count_touched`) none exceeds the hand's five cards, so that adding 8 - n to all of them
# sets the top bit of those that reach n.
ONES = 0x111_1111_1111
TOP_BITS = 8 * ONES

ONE = Rank(0)  # the lowest rank


@kernel
def largest_hint(states: States, i: Lane, seat: Seat, mode: vocabulary.Mode) -> MoveNumber:
    """The hint that touches most cards; ties go to the first receiver, and to ranks before colors."""
    state = states[i]
    best, most = NO_MOVE, 0
    for step in range(vocabulary.count_receivers(states, i, mode)):
        offset = vocabulary.nth_offset(states, i, seat, step, mode)
        counts = vocabulary.count_touched(states, i, (seat + offset) % state["players"], mode)
        larger = (counts + (7 - most) * ONES) & TOP_BITS
        while larger:
            most += 1
            best = vocabulary.hint_at(offset, lowest_bit(larger) // vocabulary.BITS)
            larger = (counts + (7 - most) * ONES) & TOP_BITS
    return best


@kernel
def largest_hint_by_card(states: States, i: Lane, seat: Seat, mode: vocabulary.Mode) -> MoveNumber:
    """The hint that touches most cards, card by card: its color, then its rank; ties go to the first.

    Without REPEATS a part already named counts nothing, though naming it again may be news for other cards.
    """
    state = states[i]
    best, most = NO_MOVE, -1
    for offset in each_offset(1, vocabulary.count_receivers(states, i, mode) + 1):
        receiver = (seat + offset) % state["players"]
        counts = vocabulary.count_touched(states, i, receiver, vocabulary.REPEATS)
        for slot in each_slot(state["hand_size"]):
            card = state["hands"][receiver, slot]
            if card == NO_CARD:
                continue
            named = 0 if mode & vocabulary.REPEATS else state["told"][receiver, slot]
            of_color = (
                0 if named & TOLD_COLOR else counts >> vocabulary.BITS * (MAX_RANKS + color_of(card)) & vocabulary.DIGIT
            )
            if of_color > most:
                best, most = hint_color_of(offset, card), of_color
            of_rank = 0 if named & TOLD_RANK else counts >> vocabulary.BITS * (rank_of(card)) & vocabulary.DIGIT
            if of_rank > most:
                best, most = hint_rank_of(offset, card), of_rank
    return best


@vocabulary.tactic("tell-most-new")
def tell_most_new(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The hint that is news for most cards; ties go to the lowest seat number, and to ranks before colors."""
    return largest_hint(states, i, seat, vocabulary.SEAT_ORDER)


@vocabulary.tactic("tell-most-new-in-turn")
def tell_most_new_in_turn(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The hint that is news for most cards; ties go to the next seat; if none is news, the next seat's ones."""
    move = largest_hint(states, i, seat, vocabulary.FRAMEWORK)
    state = states[i]
    receiver = (seat + 1) % state["players"]
    ones = (state["hand_low"][receiver] | state["hand_high"][receiver]) & RANK_KINDS
    if move == NO_MOVE and state["tokens"] > 0 and ones:
        return hint_rank(vocabulary.NEXT, ONE)
    return move


@vocabulary.tactic("hle-tell-most")
def hle_tell_most(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The hint that touches most cards, told before or not; ties go to the first met, card by card, color first."""
    return largest_hint_by_card(states, i, seat, vocabulary.REPEATS)


@vocabulary.tactic("hle-tell-most-new")
def hle_tell_most_new(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The same, a hint counting nothing for the card it is chosen for if that was named already."""
    return largest_hint_by_card(states, i, seat, vocabulary.NAMED)


SIDES = 2  # of the coin that decides between rank and color


@kernel
def coin_hint(i: Lane, offset: Offset, card: Card, seat: Seat, rng: Streams) -> MoveNumber:
    """The rank or the color of a card, by a coin of the seat's that tells."""
    if below(rng, i, 1 + seat, SIDES) == 0:
        return hint_rank_of(offset, card)
    return hint_color_of(offset, card)


@kernel
def coin_hint_about(
    states: States, i: Lane, seat: Seat, kinds: Kinds, mode: vocabulary.Mode, rng: Streams
) -> MoveNumber:
    """The rank or the color, by a coin, of the first card of `kinds`, known or not."""
    state = states[i]
    for offset in each_offset(1, vocabulary.count_receivers(states, i, mode) + 1):
        receiver = (seat + offset) % state["players"]
        found = vocabulary.slots_of(states, i, receiver, kinds)
        if found:
            return coin_hint(i, offset, state["hands"][receiver, lowest_bit(found)], seat, rng)
    return NO_MOVE


@vocabulary.tactic("tell-next-at-random")
def tell_next_at_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """Any card of the next seat, its rank or its color by a coin, known or not."""
    state = states[i]
    receiver = (seat + 1) % state["players"]
    slots = vocabulary.occupied_slots(states, i, receiver)
    if state["tokens"] == 0 or slots == 0:
        return NO_MOVE
    return coin_hint(
        i, vocabulary.NEXT, state["hands"][receiver, vocabulary.random_bit(slots, i, seat, rng)], seat, rng
    )


@vocabulary.tactic("tell-next-playable-at-random")
def tell_next_playable_at_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The next seat's first card that fits: its rank or its color by a coin, known or not."""
    return coin_hint_about(states, i, seat, states[i]["playable"], vocabulary.NEXT_ONLY, rng)


@vocabulary.tactic("hle-tell-playable-at-random")
def hle_tell_playable_at_random(states: States, i: Lane, seat: Seat, rng: Streams, value: float) -> MoveNumber:
    """The first card that fits, in turn order and by slot: its rank or its color by a coin, known or not."""
    return coin_hint_about(states, i, seat, states[i]["playable"], vocabulary.FRAMEWORK, rng)


@kernel
def missing_or_coin_hint(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """The first card that fits and is not told in full, in turn order: what is missing, by a coin if it is both."""
    state = states[i]
    for offset in each_offset(1, vocabulary.count_receivers(states, i, vocabulary.FRAMEWORK) + 1):
        receiver = (seat + offset) % state["players"]
        colors, ranks = vocabulary.known_slots(states, i, receiver, vocabulary.NAMED)
        found = vocabulary.slots_of(states, i, receiver, state["playable"]) & ~(colors & ranks)
        if found:
            slot = lowest_bit(found)
            card = state["hands"][receiver, slot]
            if (colors | ranks) >> slot & 1:
                return vocabulary.missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, vocabulary.NAMED)
            return coin_hint(i, offset, card, seat, rng)
    return NO_MOVE
