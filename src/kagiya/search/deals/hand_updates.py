"""The list of hands brought up to date: made from nothing once few enough are left, then carried from turn to turn.

Only what the reading seat may know enters: the moves, the cards shown, the hands that it sees. Its own cards are any
that fit the hints, so that past hints touch what they touched; a seat that does not look at its own hand answers the
same whatever they are. Planes are counted modulo four, so that what a seat cannot see is right even where two hands
that are thought of separately hold the same card.

A list is carried from one turn of the hands' owner to the next: its move, its card drawn, the others' replies. Nothing
is thinned before it is tested, for then the true hand would be lost for good. A list that would be too long is given
up, and hands are sampled (`exact_search.py`) until it can be made again.
"""

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.cards import NO_CARD, Card, Kinds, MoveNumber, Seat, Slot
from kagiya.engine.batch import NO_KERNEL, call_observe
from kagiya.engine.game_kernels import NO_SLOT, apply_move
from kagiya.engine.layout import Lane, Memory, States
from kagiya.engine.memory import clear_memory, copy_memory
from kagiya.kinds import add_bit, kind_bit, remove_bit, subtract_planes
from kagiya.search import search_layout as layout
from kagiya.search.deals import hand_list, history, sampling
from kagiya.search.deals.hand_list import BASE, EMPTY_SLOT, NOT_LISTED, SLOT_BITS, START, TARGET, HandsRecord
from kagiya.search.search_layout import DEALT, TRIAL, SearchRecord
from kagiya.view.view_kernels import NOTHING, unseen_planes

EXPLAINED = -1  # instead of the turn that a hand does not explain
ALL_TURNS = -1  # `oldest`: every answer counts
NO_DRAW = Kinds(-1)  # instead of the kinds of a card drawn: none was
NOTHING_FITS = Kinds(0)
NO_ROOM = -1  # instead of a number of entries
DONE, TOO_MANY, NONE_LEFT = 0, 1, 2
TIME_SHARE = 2  # listing may take half of the time for a move
BETWEEN_LOOKS = 255  # hands between two looks at the clock, less one


@kernel
def read_story(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Note the moves and cards so far; what was listed is forgotten unless they continue what was known.

    Lane DEALT must hold a hand for the reading seat that fits its hints.
    """
    continues = hands["known_turns"] <= work["turns"]
    for turn in range(work["turns"]):
        move = memory[i, seat, history.HISTORY_MOVES + turn]
        continues &= turn >= hands["known_turns"] or hands["moves"][turn] == move
        hands["moves"][turn] = move
    final = layout.states_of(work)[DEALT]
    seen, known = 0, hands["known_cards"]
    for order in range(final["drawn"]):
        card = memory[i, seat, history.HISTORY_CARDS + order] - 1
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
    history.restart_game(i, seat, memory, work)
    hand_list.list_states_of(hands)[START] = layout.states_of(work)[TRIAL]


@kernel
def forget_list(hands: HandsRecord) -> None:
    """Nothing is known of any hand: a game begins, or another one."""
    hands["listed"] = NOT_LISTED
    hands["base_turn"] = hands["probed_turns"] = hands["contradictions"] = 0
    for turn in range(len(hands["skipped"])):
        hands["skipped"][turn] = hands["tested"][turn] = hands["passed"][turn] = 0


@kernel
def bring_up_to_date(work: SearchRecord, hands: HandsRecord, last: int) -> None:
    """Make the list hold at turn `last`, one of the owner's; it is given up if that takes too much room or time."""
    hands["allowed"] = hands["most_unexplained"]
    while hands["listed"] == NOT_LISTED or hands["base_turn"] < last:
        is_new = hands["listed"] == NOT_LISTED
        goal = last if is_new else hands["base_turn"] + hands["players"]
        for turn in range(0 if is_new else hands["base_turn"], goal):
            hands["tested"][turn] = hands["passed"][turn] = 0
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
def take_over(hands: HandsRecord, last: int) -> None:
    """The list just written holds from now on."""
    states = hand_list.list_states_of(hands)
    states[BASE] = states[TARGET]
    hands["base_turn"] = last
    fewest = hand_list.unexplained_of(hands)[hands["side"], 0]
    for entry in range(hands["listed"]):
        fewest = min(fewest, hand_list.unexplained_of(hands)[hands["side"], entry])
    for entry in range(hands["listed"]):  # what every hand leaves unexplained says nothing
        hand_list.unexplained_of(hands)[hands["side"], entry] -= fewest


@kernel
def first_unexplained(hands: HandsRecord, last: int) -> int:
    """The first turn before `last` whose move was tested and no hand explains, or EXPLAINED."""
    for turn in range(last):
        if hands["tested"][turn] > 0 and hands["passed"][turn] == 0 and not hands["skipped"][turn]:
            return turn
    return EXPLAINED


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
    """A player has left the models unnoticed, and the true hand is lost: nothing is concluded from any move so far."""
    contradictions = hands["contradictions"] + 1
    forget_list(hands)
    hands["contradictions"] = contradictions
    for turn in range(last):
        hands["skipped"][turn] = 1


@kernel
def list_all(work: SearchRecord, hands: HandsRecord, last: int) -> int:
    """List the hands from the hints alone, and keep those that explain the whole story; not if there are too many."""
    states, side = hand_list.list_states_of(hands), 1 - hands["side"]
    play_forward(hands, START, TARGET, 0, last)
    low, high = unseen_planes(states, TARGET, hands["owner"], hands["owner"])
    if count_fillings(states, TARGET, hands["owner"], low, high) * max(last, 1) > hands["most_moves"]:
        return TOO_MANY
    hand_list.forget_rows(hands, side)
    size, count, looked = states[TARGET]["hand_size"], 0, 0
    start_odometer(states, TARGET, hands, low, high)
    slot = 0
    while turn_odometer(states, TARGET, hands, low, high, slot):
        slot = size - 1
        looked += 1
        if looked & BETWEEN_LOOKS == 0 and layout.is_late(work, TIME_SHARE):
            return TOO_MANY
        if explains_all(work, hands, last):
            if not append(work, hands, side, count):
                return TOO_MANY
            count += 1
    if count == 0 or first_unexplained(hands, last) != EXPLAINED:
        return NONE_LEFT
    hands["listed"], hands["side"] = count, side
    return DONE


@kernel
def count_fillings(states: States, lane: Lane, owner: Seat, low: Kinds, high: Kinds) -> float:
    """At least as many as there are hands: the product of the kinds open to each slot."""
    count = 1.0
    for slot in range(states[lane]["hand_size"]):
        if states[lane]["hands"][owner, slot] != NO_CARD:
            count *= popcount(states[lane]["possible"][owner, slot] & (low | high))
    return count


@kernel
def start_odometer(states: States, lane: Lane, hands: HandsRecord, low: Kinds, high: Kinds) -> None:
    """Before the first hand: nothing is chosen for any slot."""
    hands["digits"][0] = open_kinds(states, lane, hands, Slot(0), low, high)
    for slot in range(1, states[lane]["hand_size"]):
        hands["digits"][slot] = 0


@kernel
def open_kinds(states: States, lane: Lane, hands: HandsRecord, slot: Slot, low: Kinds, high: Kinds) -> Kinds:
    """The kinds that a slot can be, given the cards chosen for those before it; an empty one has a bit of its own."""
    state, owner = states[lane], hands["owner"]
    if state["hands"][owner, slot] == NO_CARD:
        return Kinds(1 << EMPTY_SLOT)
    for earlier in range(slot):
        if hands["hand"][earlier] != EMPTY_SLOT:
            low, high = remove_bit(low, high, kind_bit(hands["hand"][earlier]))
    return state["possible"][owner, slot] & (low | high)


@kernel
def turn_odometer(states: States, lane: Lane, hands: HandsRecord, low: Kinds, high: Kinds, slot: int) -> bool:
    """Go on to the next hand, in the record's table `hand`, from the last slot changed; False after the last one."""
    last = states[lane]["hand_size"] - 1
    while slot >= 0:
        left = hands["digits"][slot]
        if left == 0:
            slot -= 1
            continue
        hands["hand"][slot] = lowest_bit(left)
        hands["digits"][slot] = left & (left - 1)
        if slot == last:
            return True
        slot += 1
        hands["digits"][slot] = open_kinds(states, lane, hands, Slot(slot), low, high)
    return False


@kernel
def explains_all(work: SearchRecord, hands: HandsRecord, last: int) -> bool:
    """Whether the other seats would have made all their moves up to `last` with the hand in the record's table."""
    lanes, states, owner = layout.states_of(work), hand_list.list_states_of(hands), hands["owner"]
    lanes[TRIAL] = states[START]
    start, target = lanes[TRIAL], states[TARGET]
    for slot in range(target["hand_size"]):
        order = target["order"][owner, slot]
        if order >= start["drawn"]:
            start["deck"][order] = hands["hand"][slot]
        elif order >= 0:
            start["hands"][owner, order - start["order"][owner, 0]] = hands["hand"][slot]
    settle_planes(lanes, TRIAL)
    clear_memory(layout.memory_of(work), TRIAL, layout.extents_of(work))
    hands["unexplained"] = 0
    return follow(work, hands, 0, last, sampling.oldest_order(states, TARGET, owner)) == EXPLAINED


@kernel
def append(work: SearchRecord, hands: HandsRecord, side: int, count: int) -> bool:
    """Write an entry with the hand in lane TRIAL and what is remembered there; False if there is no room."""
    if count == hands["capacity"]:
        return False
    row = hand_list.keep_row(work, hands, side, TRIAL)
    if row == hand_list.NO_ROW:
        return False
    hand_list.hands_of(hands)[side, count] = pack_hand(layout.states_of(work), TRIAL, hands["owner"])
    hand_list.rows_of(hands)[side, count] = row
    hand_list.unexplained_of(hands)[side, count] = hands["unexplained"]
    return True


@kernel
def carry_on(work: SearchRecord, hands: HandsRecord, last: int) -> int:
    """From the owner's turn at which the list holds to its next: the move made, the card drawn, the others' replies."""
    states, first, side = hand_list.list_states_of(hands), hands["base_turn"], hands["side"]
    play_forward(hands, BASE, BASE, first, first)
    play_forward(hands, BASE, TARGET, first, last)
    match_slots(hands)
    hand_list.forget_rows(hands, 1 - side)
    low, high = unseen_planes(states, TARGET, hands["owner"], hands["owner"])
    count = 0
    for entry in range(hands["listed"]):
        if entry & BETWEEN_LOOKS == 0 and layout.is_late(work, TIME_SHARE):
            return TOO_MANY
        kinds = kinds_to_draw(hands, hand_list.hands_of(hands)[side, entry], low, high)
        if kinds != NOTHING_FITS:
            count = carry_hand(work, hands, entry, last, count, kinds)
        if count == NO_ROOM:
            return TOO_MANY
    if count == 0 or first_unexplained(hands, last) != EXPLAINED:
        return NONE_LEFT
    hands["listed"], hands["side"] = count, 1 - side
    return DONE


@kernel
def match_slots(hands: HandsRecord) -> None:
    """Note where the cards of the owner's hand have gone between the states BASE and TARGET, and the one drawn."""
    states, owner = hand_list.list_states_of(hands), hands["owner"]
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
    states, owner = hand_list.list_states_of(hands), hands["owner"]
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
    lanes, memories, extents = layout.states_of(work), layout.memory_of(work), layout.extents_of(work)
    owner, first = hands["owner"], hands["base_turn"]
    make_own_move(work, hands, entry, kinds)
    lanes[DEALT] = lanes[TRIAL]
    copy_memory(memories, TRIAL, DEALT, extents)
    while kinds != 0:
        if kinds != NO_DRAW:
            exchange_card(lanes, TRIAL, owner, hands["drawn_at"], lowest_bit(kinds))
        hands["unexplained"] = hand_list.unexplained_of(hands)[hands["side"], entry]
        if follow(work, hands, first + 1, last, ALL_TURNS) == EXPLAINED:
            if not append(work, hands, 1 - hands["side"], count):
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
    lanes, states, owner, side = layout.states_of(work), hand_list.list_states_of(hands), hands["owner"], hands["side"]
    lanes[TRIAL] = states[BASE]
    put_hand(lanes, TRIAL, owner, hand_list.hands_of(hands)[side, entry])
    settle_planes(lanes, TRIAL)
    hand_list.load_row(work, hands, side, hand_list.rows_of(hands)[side, entry], TRIAL)
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
def follow(work: SearchRecord, hands: HandsRecord, first: int, last: int, oldest: int) -> int:
    """Play the story on in lane TRIAL; the turn that the hand there does not explain, or EXPLAINED.

    Other seats are asked at every turn, for they may remember being asked; what they answer counts once a card has
    been drawn after `oldest`, the place of the hand's oldest card, and not for moves that no hand explains.
    """
    lanes = layout.states_of(work)
    for turn in range(first, last):
        move, actor = hands["moves"][turn], lanes[TRIAL]["seat"]
        if actor != hands["owner"]:
            is_expected = history.ask_model(work, actor) == move
            if lanes[TRIAL]["drawn"] > oldest and not hands["skipped"][turn]:
                hands["tested"][turn] += 1
                hands["passed"][turn] += is_expected
                hands["unexplained"] += not is_expected
                if hands["unexplained"] > hands["allowed"]:
                    return turn
        tell_others(work, hands, move)
        apply_move(lanes, TRIAL, move)
    return EXPLAINED


@kernel
def tell_others(work: SearchRecord, hands: HandsRecord, move: MoveNumber) -> None:
    """Every seat but the owner of the hand hears a move in lane TRIAL announced."""
    lanes, memories, params = layout.states_of(work), layout.memory_of(work), layout.params_of(work)
    observes = layout.observes_of(work)
    for seat in range(hands["players"]):
        if seat != hands["owner"] and observes[seat] != NO_KERNEL:
            call_observe(observes[seat], lanes, TRIAL, seat, memories, params, move)


@kernel
def play_forward(hands: HandsRecord, source: Lane, target: Lane, first: int, last: int) -> None:
    """State `target` becomes `source`, in the cards of the story, after the moves of some turns; no seat is told."""
    states = hand_list.list_states_of(hands)
    states[target] = states[source]
    fill_hands(hands, target)
    for turn in range(first, last):
        apply_move(states, target, hands["moves"][turn])


@kernel
def fill_hands(hands: HandsRecord, lane: Lane) -> None:
    """Put the cards of the story into all hands and on top of the deck."""
    states, cards = hand_list.list_states_of(hands), hands["cards"]
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
