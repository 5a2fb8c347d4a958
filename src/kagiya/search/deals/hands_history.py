"""The public story of a game as a list of hands reads it, and the game played again under one of its hands.

Only what the reading seat may know enters: the moves, the cards shown, the hands that it sees. Its own cards are any
that fit the hints, so that past hints touch what they touched; a seat that does not look at its own hand answers the
same whatever they are. Planes are counted modulo four, so that what a seat cannot see is right even where two hands
that are thought of separately hold the same card.
"""

from kagiya._jit import kernel
from kagiya.cards import NO_CARD, Kinds, MoveNumber, Seat
from kagiya.engine.batch import NO_KERNEL, call_act, call_observe
from kagiya.engine.game_kernels import apply_move
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import add_bit, add_planes, kind_bit, subtract_planes
from kagiya.search.deals.hands_layout import (
    EMPTY_SLOT,
    NOT_LISTED,
    SLOT_BITS,
    START,
    HandsRecord,
    list_states_of,
)
from kagiya.search.deals.history import HISTORY_CARDS, HISTORY_MOVES, restart_game
from kagiya.search.search_layout import (
    DEALT,
    TRIAL,
    SearchRecord,
    acts_of,
    memory_of,
    observes_of,
    params_of,
    rng_of,
    states_of,
)
from kagiya.view.view_kernels import NOTHING

EXPLAINED = -1  # instead of the turn that a hand does not explain


@kernel
def read_story(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Note the moves and cards so far; what was listed is forgotten unless they continue what was known.

    Lane DEALT must hold a hand for the reading seat that fits its hints.
    """
    continues = hands["known_turns"] <= work["turns"]
    for turn in range(work["turns"]):
        move = memory[i, seat, HISTORY_MOVES + turn]
        continues &= turn >= hands["known_turns"] or hands["moves"][turn] == move
        hands["moves"][turn] = move
    final = states_of(work)[DEALT]
    seen, known = 0, hands["known_cards"]
    for order in range(final["drawn"]):
        card = memory[i, seat, HISTORY_CARDS + order] - 1
        if card != NO_CARD:
            seen |= 1 << order
            continues &= not known >> order & 1 or hands["cards"][order] == card
            hands["cards"][order] = card
    for owner in range(final["players"]):
        for slot in range(final["hand_size"]):
            order = final["order"][owner, slot]
            if order < 0:
                continue
            card = final["hands"][owner, slot]
            if owner != seat:
                seen |= 1 << order
                continues &= not known >> order & 1 or hands["cards"][order] == card
            hands["cards"][order] = card
    if not continues or known & ~seen:
        forget_list(hands)
    hands["known_turns"], hands["known_cards"] = work["turns"], seen
    restart_game(i, seat, memory, work)
    list_states_of(hands)[START] = states_of(work)[TRIAL]


@kernel
def forget_list(hands: HandsRecord) -> None:
    """Nothing is known of any hand: a game begins, or another one."""
    hands["listed"] = NOT_LISTED
    hands["base_turn"] = hands["probed_turns"] = hands["contradictions"] = 0
    for turn in range(len(hands["skipped"])):
        hands["skipped"][turn] = hands["tested"][turn] = hands["passed"][turn] = 0


@kernel
def first_unexplained(hands: HandsRecord, last: int) -> int:
    """The first turn before `last` whose move was tested and no hand explains, or EXPLAINED."""
    for turn in range(last):
        if hands["tested"][turn] > 0 and hands["passed"][turn] == 0 and not hands["skipped"][turn]:
            return turn
    return EXPLAINED


@kernel
def play_forward(hands: HandsRecord, source: Lane, target: Lane, first: int, last: int) -> None:
    """State `target` becomes `source`, in the cards of the story, after the moves of some turns; nobody is told."""
    states = list_states_of(hands)
    states[target] = states[source]
    fill_hands(hands, target)
    for turn in range(first, last):
        apply_move(states, target, hands["moves"][turn])


@kernel
def fill_hands(hands: HandsRecord, lane: Lane) -> None:
    """Put the cards of the story into all hands and on top of the deck."""
    states, cards = list_states_of(hands), hands["cards"]
    state = states[lane]
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            order = state["order"][owner, slot]
            state["hands"][owner, slot] = cards[order] if order >= 0 else NO_CARD
    for place in range(state["drawn"], state["deck_size"]):
        state["deck"][place] = states[START]["deck"][place]
    settle_planes(states, lane)


@kernel
def settle_planes(states: States, lane: Lane) -> None:
    """Count every hand, and what is left for the deck."""
    state = states[lane]
    low, high = subtract_planes(state["copies_low"], state["copies_high"], state["discard_low"], state["discard_high"])
    low, high = subtract_planes(low, high, state["played"], NOTHING)
    for owner in range(state["players"]):
        held_low, held_high = NOTHING, NOTHING
        for slot in range(state["hand_size"]):
            card = state["hands"][owner, slot]
            if card != NO_CARD:
                held_low, held_high = add_bit(held_low, held_high, kind_bit(card))
        state["hand_low"][owner], state["hand_high"][owner] = held_low, held_high
        low, high = subtract_planes(low, high, held_low, held_high)
    state["deck_low"], state["deck_high"] = low, high


@kernel
def pool_for(hands: HandsRecord, states: States, lane: Lane) -> tuple[Kinds, Kinds]:
    """The cards that the owner's can be: those it does not see."""
    state, owner = states[lane], hands["owner"]
    return add_planes(state["deck_low"], state["deck_high"], state["hand_low"][owner], state["hand_high"][owner])


@kernel
def put_hand(states: States, lane: Lane, owner: Seat, packed: int) -> None:
    """Give the owner a packed hand."""
    state = states[lane]
    for slot in range(state["hand_size"]):
        card = packed >> SLOT_BITS * slot & EMPTY_SLOT
        state["hands"][owner, slot] = NO_CARD if card == EMPTY_SLOT else card


@kernel
def pack_hand(states: States, lane: Lane, owner: Seat) -> int:
    """The owner's hand as one integer."""
    packed = 0
    for slot in range(states[lane]["hand_size"]):
        card = states[lane]["hands"][owner, slot]
        packed |= (EMPTY_SLOT if card == NO_CARD else card) << SLOT_BITS * slot
    return packed


@kernel
def tell_others(work: SearchRecord, hands: HandsRecord, move: MoveNumber) -> None:
    """Every seat but the owner of the hand hears a move in lane TRIAL announced."""
    observes = observes_of(work)
    for seat in range(hands["players"]):
        if seat != hands["owner"] and observes[seat] != NO_KERNEL:
            call_observe(observes[seat], states_of(work), TRIAL, seat, memory_of(work), params_of(work), move)


@kernel
def would_move(work: SearchRecord, actor: Seat) -> MoveNumber:
    """What the model in this seat would do in lane TRIAL."""
    return call_act(acts_of(work)[actor], states_of(work), TRIAL, actor, memory_of(work), params_of(work), rng_of(work))


@kernel
def follow(work: SearchRecord, hands: HandsRecord, first: int, last: int, oldest: int) -> int:
    """Play the story on in lane TRIAL; the turn that the hand there does not explain, or EXPLAINED.

    Other seats are asked at every turn, for they may remember being asked; what they answer counts once a card has
    been drawn after `oldest`, the place of the hand's oldest card, and not for moves that no hand explains.
    """
    lanes = states_of(work)
    for turn in range(first, last):
        move, actor = hands["moves"][turn], lanes[TRIAL]["seat"]
        if actor != hands["owner"]:
            is_expected = would_move(work, actor) == move
            if lanes[TRIAL]["drawn"] > oldest and not hands["skipped"][turn]:
                hands["tested"][turn] += 1
                hands["passed"][turn] += is_expected
                hands["unexplained"] += not is_expected
                if hands["unexplained"] > hands["allowed"]:
                    return turn
        tell_others(work, hands, move)
        apply_move(lanes, TRIAL, move)
    return EXPLAINED
