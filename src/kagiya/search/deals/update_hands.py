"""The list of hands brought up to date: made from nothing once few enough are left, then carried from turn to turn.

It is carried from one turn of the hands' owner to the next: its move, its card drawn, the others' replies. Nothing is
thinned before it is tested, for then the true hand would be lost for good. A list that would be too long is
given up, and hands are sampled (`hand_draws.py`) until it can be made again.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.cards import Card, Kinds, Seat, Slot
from kagiya.engine.game_kernels import NO_SLOT, apply_move
from kagiya.engine.layout import Lane, States
from kagiya.engine.memory import copy_memory
from kagiya.kinds import add_bit, kind_bit, remove_bit
from kagiya.search.deals.enumerate_hands import BETWEEN_LOOKS, DONE, NOBODY_LEFT, TOO_MANY, append, is_late, list_all
from kagiya.search.deals.hands_history import (
    EXPLAINED,
    first_unexplained,
    follow,
    forget_list,
    pack_hand,
    play_forward,
    pool_for,
    put_hand,
    settle_planes,
    tell_others,
)
from kagiya.search.deals.hands_layout import (
    BASE,
    EMPTY_SLOT,
    NOT_LISTED,
    SLOT_BITS,
    TARGET,
    HandsRecord,
    forget_rows,
    hands_of,
    list_states_of,
    load_row,
    rows_of,
    unexplained_of,
)
from kagiya.search.search_layout import DEALT, TRIAL, SearchRecord, extents_of, memory_of, states_of

ALL_TURNS = -1  # `oldest`: every answer counts
NO_DRAW = Kinds(-1)  # instead of the kinds of a card drawn: none was
NOTHING_FITS = Kinds(0)
NO_ROOM = -1  # instead of a number of entries


@kernel
def carry_on(work: SearchRecord, hands: HandsRecord, last: int) -> int:
    """From the owner's turn at which the list holds to its next: the move made, the card drawn, the others' replies."""
    states, first, side = list_states_of(hands), hands["base_turn"], hands["side"]
    play_forward(hands, BASE, BASE, first, first)
    play_forward(hands, BASE, TARGET, first, last)
    match_slots(hands)
    forget_rows(hands, 1 - side)
    low, high = pool_for(hands, states, TARGET)
    count = 0
    for entry in range(hands["listed"]):
        if entry & BETWEEN_LOOKS == 0 and is_late(work):
            return TOO_MANY
        kinds = kinds_to_draw(hands, hands_of(hands)[side, entry], low, high)
        if kinds != NOTHING_FITS:
            count = carry_hand(work, hands, entry, last, count, kinds)
        if count == NO_ROOM:
            return TOO_MANY
    if count == 0 or first_unexplained(hands, last) != EXPLAINED:
        return NOBODY_LEFT
    hands["listed"], hands["side"] = count, 1 - side
    return DONE


@kernel
def match_slots(hands: HandsRecord) -> None:
    """Note where the cards of the owner's hand have gone between the states BASE and TARGET, and the one drawn."""
    states, owner = list_states_of(hands), hands["owner"]
    base, target = states[BASE], states[TARGET]
    hands["drawn_at"] = NO_SLOT
    for slot in range(base["hand_size"]):
        hands["kept_at"][slot] = NO_SLOT
        for later in range(base["hand_size"]):
            order = target["order"][owner, later]
            if order >= 0 and order == base["order"][owner, slot]:
                hands["kept_at"][slot] = later
            if order >= base["drawn"]:
                hands["drawn_at"] = later


@kernel
def kinds_to_draw(hands: HandsRecord, packed: int, low: Kinds, high: Kinds) -> Kinds:
    """The kinds that the card drawn since can be under a hand, or NOTHING_FITS if the hand cannot be the true one.

    The card shown is the one that was shown; those kept fit the hints of TARGET and are still to be had from the pool.
    """
    states, owner = list_states_of(hands), hands["owner"]
    base, target = states[BASE], states[TARGET]
    for slot in range(base["hand_size"]):
        card, later = Card(packed >> SLOT_BITS * slot & EMPTY_SLOT), hands["kept_at"][slot]
        if card == EMPTY_SLOT:
            continue
        if later == NO_SLOT:
            if card != hands["cards"][base["order"][owner, slot]]:
                return NOTHING_FITS
            continue
        if not target["possible"][owner, later] & (low | high) & kind_bit(card):
            return NOTHING_FITS
        low, high = remove_bit(low, high, kind_bit(card))
    drawn_at = hands["drawn_at"]
    return NO_DRAW if drawn_at == NO_SLOT else target["possible"][owner, drawn_at] & (low | high)


@kernel
def carry_hand(work: SearchRecord, hands: HandsRecord, entry: int, last: int, count: int, kinds: Kinds) -> int:
    """Write the hands that one becomes with every card it may have drawn, if the others would have moved as they did.

    Returns how many entries there are then, or NO_ROOM.
    """
    lanes, memories, extents = states_of(work), memory_of(work), extents_of(work)
    owner, first = hands["owner"], hands["base_turn"]
    make_own_move(work, hands, entry, kinds)
    lanes[DEALT] = lanes[TRIAL]
    copy_memory(memories, TRIAL, DEALT, extents)
    while kinds != 0:
        if kinds != NO_DRAW:
            exchange_card(lanes, TRIAL, owner, hands["drawn_at"], lowest_bit(kinds))
        hands["unexplained"] = unexplained_of(hands)[hands["side"], entry]
        if follow(work, hands, first + 1, last, ALL_TURNS) == EXPLAINED:
            if not append(work, hands, 1 - hands["side"], count, pack_hand(lanes, TRIAL, owner)):
                return NO_ROOM
            count += 1
        kinds = Kinds(0) if kinds == NO_DRAW else kinds & (kinds - 1)
        if kinds != 0:
            lanes[TRIAL] = lanes[DEALT]
            copy_memory(memories, DEALT, TRIAL, extents)
    return count


@kernel
def make_own_move(work: SearchRecord, hands: HandsRecord, entry: int, kinds: Kinds) -> None:
    """Lane TRIAL becomes state BASE under a hand of the list, after its owner's move; a card drawn is of `kinds`."""
    lanes, states, owner, side = states_of(work), list_states_of(hands), hands["owner"], hands["side"]
    lanes[TRIAL] = states[BASE]
    put_hand(lanes, TRIAL, owner, hands_of(hands)[side, entry])
    settle_planes(lanes, TRIAL)
    load_row(work, hands, side, rows_of(hands)[side, entry], TRIAL)
    if kinds != NO_DRAW:
        lanes[TRIAL]["deck"][lanes[TRIAL]["drawn"]] = lowest_bit(kinds)
    move = hands["moves"][hands["base_turn"]]
    tell_others(work, hands, move)
    apply_move(lanes, TRIAL, move)


@kernel
def exchange_card(states: States, lane: Lane, owner: Seat, slot: Slot, card: Card) -> None:
    """The card in a slot goes back to the deck, and another takes its place."""
    state = states[lane]
    old, new = kind_bit(state["hands"][owner, slot]), kind_bit(card)
    state["deck_low"], state["deck_high"] = add_bit(state["deck_low"], state["deck_high"], old)
    state["deck_low"], state["deck_high"] = remove_bit(state["deck_low"], state["deck_high"], new)
    low, high = remove_bit(state["hand_low"][owner], state["hand_high"][owner], old)
    state["hand_low"][owner], state["hand_high"][owner] = add_bit(low, high, new)
    state["hands"][owner, slot] = card


@kernel
def bring_up_to_date(work: SearchRecord, hands: HandsRecord, last: int) -> None:
    """Make the list hold at turn `last`, one of the owner's; it is given up if that takes too much room or time."""
    hands["allowed"] = hands["most_unexplained"]
    while hands["listed"] == NOT_LISTED or hands["base_turn"] < last:
        is_new = hands["listed"] == NOT_LISTED
        goal = last if is_new else hands["base_turn"] + hands["players"]
        count_again(hands, 0 if is_new else hands["base_turn"], goal)
        outcome = list_all(work, hands, goal) if is_new else carry_on(work, hands, goal)
        if outcome == DONE:
            take_over(hands, goal)
            continue
        if outcome == TOO_MANY:
            hands["listed"] = NOT_LISTED
        elif skip_unexplained(hands, goal):
            continue
        else:
            start_over(hands, goal)
        if is_new:
            return


@kernel
def count_again(hands: HandsRecord, first: int, last: int) -> None:
    """What is about to be tested has not been."""
    for turn in range(first, last):
        hands["tested"][turn] = hands["passed"][turn] = 0


@kernel
def take_over(hands: HandsRecord, last: int) -> None:
    """The list just written holds from now on."""
    states = list_states_of(hands)
    states[BASE] = states[TARGET]
    hands["base_turn"] = last
    fewest = unexplained_of(hands)[hands["side"], 0]
    for entry in range(hands["listed"]):
        fewest = min(fewest, unexplained_of(hands)[hands["side"], entry])
    for entry in range(hands["listed"]):  # what every hand leaves unexplained says nothing
        unexplained_of(hands)[hands["side"], entry] -= fewest


@kernel
def skip_unexplained(hands: HandsRecord, last: int) -> bool:
    """Nothing is concluded from the first move that no hand explains; whether there is one."""
    turn = first_unexplained(hands, last)
    if turn == EXPLAINED:
        return False
    hands["skipped"][turn] = 1
    return True


@kernel
def start_over(hands: HandsRecord, last: int) -> None:
    """Somebody has left the models unnoticed, and the true hand is lost: nothing is concluded from any move so far."""
    contradictions = hands["contradictions"] + 1
    forget_list(hands)
    hands["contradictions"] = contradictions
    for turn in range(last):
        hands["skipped"][turn] = 1
