"""What past moves say of the hidden cards: by a convention, by what a model believes, and by what others did not do.

By the playable-now convention a search keeps in its record what each card has been called.
A model's `believe` is told every move of the game as its `observe` would be, in a lane of its own where it narrows the
possible kinds of the seat's cards. What it says of a card stays with the card, whatever is played later.
A hat player decodes with the hands it sees: what the others remember is right only if the sampled hand fits all that
was decoded before, so a hand is sampled again once that is known.

What the others would have told of a hand, and did not, makes it unlikely. A judge, which is the evaluator
unless another agent is named, is asked what the other seats would have done had they seen the hand, at every move since
its oldest card was drawn; each move that it would not have made multiplies the likelihood by the search's
`unexplained_odds`. A flat search draws its hands by Metropolis's rule with the sampler as the proposal, so that any
sampler will do, and any judge that does not see its own hand.
Where moves are a code, many hands that fit what was decoded explain them all, so that a hand can be accepted or
rejected by itself (`is_accepted`): exact, independent of the hand before, and cheap, for a hand is given up at the
first move too many. With odds of 0 a hand is out that leaves more unexplained than any other.

A tree search makes an iteration in the time that judging one hand takes. So it samples a number of hands first, weighs
each by what it leaves unexplained (`weigh_hands`), and starts every iteration from one of them, drawn by weight
(importance resampling). A judge that rolls dice is asked once for each hand: the expected weight of a hand is then the
product over the moves of their expected weights, so dice are averaged over the hands.
"""

from kagiya._jit import kernel
from kagiya.agents.playable_now import GROUNDED, hear_hint, narrow_hand, restore_hand
from kagiya.cards import NO_CARD, MoveNumber, Seat, Slot, each_seat, each_slot
from kagiya.engine.batch import call_act, call_observe, make_move, tell_observers
from kagiya.engine.game_kernels import NO_SLOT, apply_move
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.engine.memory import copy_memory
from kagiya.kinds import add_bit, kind_bit, remove_bit
from kagiya.moves import FIRST_DISCARD, NUM_MOVES
from kagiya.rules import MAX_DECK
from kagiya.search import search_layout as layout
from kagiya.search.deals import history, sampling
from kagiya.search.search_layout import DEALT, KNOWN, TRIAL, SearchRecord
from kagiya.view.view_kernels import NOTHING, SUBSETS, count_deals, unseen_planes

MANY = 1000  # more moves than any game has
TIME_SHARE = 3  # judging may take a third of the time for a move


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
        sampling.sample_hand(states, i, seat, work, layout.rng_of(work))
        return
    narrow_possible(states, i, seat, work)
    sampling.sample_hand(states, i, seat, work, layout.rng_of(work))
    restore_possible(states, i, seat, work)


@kernel
def narrow_by_belief(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Leave open in lane KNOWN only what the believer, in this seat, takes the seat's cards for.

    Lane DEALT must hold a hand that fits the hints, any such: an honest model concludes the same from all.
    """
    lanes, memories = layout.states_of(work), layout.memory_of(work)
    params, observes = layout.params_of(work), layout.observes_of(work)
    if not work["whole_history"]:
        return
    history.restart_game(i, seat, memory, work)
    lanes[DEALT] = lanes[TRIAL]
    for turn in range(work["turns"]):
        move = memory[i, seat, history.HISTORY_MOVES + turn]
        if work["listening"]:
            tell_observers(lanes, TRIAL, memories, params, observes, move)
            copy_memory(memories, TRIAL, DEALT, layout.extents_of(work))
        call_observe(work["believe_address"], lanes, DEALT, seat, memories, params, move)
        apply_move(lanes, TRIAL, move)
        apply_move(lanes, DEALT, move)
    adopt_belief(lanes, seat, work)


@kernel
def adopt_belief(lanes: States, seat: Seat, work: SearchRecord) -> None:
    """Take over what lane DEALT believes, slot by slot, as long as some hand still fits: not all moves keep to it."""
    known, believed = lanes[KNOWN], lanes[DEALT]
    low, high = unseen_planes(lanes, KNOWN, seat, seat)
    table = work["deal_table"][:]
    for slot in range(known["hand_size"]):
        possible = known["possible"][seat, slot]
        if believed["possible"][seat, slot] == possible:
            continue
        known["possible"][seat, slot] = possible & believed["possible"][seat, slot]
        occupied = count_deals(lanes, KNOWN, seat, low, high, table)
        if table[SUBSETS + occupied] == 0:
            known["possible"][seat, slot] = possible


@kernel
def honest_moves(seat: Seat, work: SearchRecord, moves: int) -> int:
    """The moves without hints and discards from which another seat would conclude what is not so; all if none is left.

    Lane DEALT must hold a hand for the seat itself that fits what it believes, and what the models remember.
    """
    lanes, memories = layout.states_of(work), layout.memory_of(work)
    params, observes = layout.params_of(work), layout.observes_of(work)
    honest = moves
    for move in range(FIRST_DISCARD, NUM_MOVES):
        if not moves >> move & 1:
            continue
        lanes[TRIAL] = lanes[DEALT]
        if work["listening"]:
            copy_memory(memories, DEALT, TRIAL, layout.extents_of(work))
            tell_observers(lanes, TRIAL, memories, params, observes, move)
        for other in each_seat(lanes[TRIAL]["players"]):
            if other == seat:
                continue
            call_observe(work["believe_address"], lanes, TRIAL, other, memories, params, move)
            if not is_true_of(lanes, TRIAL, other):
                honest &= ~(1 << move)
    return honest if honest else moves


@kernel
def is_true_of(states: States, i: Lane, owner: Seat) -> bool:
    """Whether every card of a hand is one of its possible kinds."""
    state = states[i]
    for slot in range(state["hand_size"]):
        card = state["hands"][owner, slot]
        if card != NO_CARD and not state["possible"][owner, slot] >> card & 1:
            return False
    return True


@kernel
def redeal_card(states: States, i: Lane, seat: Seat, slot: Slot, work: SearchRecord) -> bool:
    """The card that a seat is about to show becomes one it could hold; returns whether it is the true one.

    The other slots keep their cards. If the card shown was the last of its kind and lay in one of them, that
    slot takes any unseen card its hints allow (any at all if none is left, its hints forgotten).
    """
    state, rng = states[i], layout.rng_of(work)
    sample_meant_hand(states, i, seat, work)
    shown = work["hand"][slot]
    if shown == state["hands"][seat, slot]:
        return True
    low, high = unseen_planes(states, i, seat, seat)
    low, high = remove_bit(low, high, kind_bit(shown))
    state["hands"][seat, slot] = shown
    hand_low, hand_high, robbed = kind_bit(shown), NOTHING, NO_SLOT
    for other in each_slot(state["hand_size"]):
        card = state["hands"][seat, other]
        if other == slot or card == NO_CARD:
            continue
        if not (low | high) >> card & 1:
            robbed = other
            continue
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    if robbed != NO_SLOT:
        card = sampling.random_card(low, high, state["possible"][seat, robbed], rng)
        if card == NO_CARD:
            card = sampling.random_card(low, high, state["kinds"], rng)
            state["possible"][seat, robbed], state["told"][seat, robbed] = state["kinds"], 0
        state["hands"][seat, robbed] = card
        low, high = remove_bit(low, high, kind_bit(card))
        hand_low, hand_high = add_bit(hand_low, hand_high, kind_bit(card))
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][seat], state["hand_high"][seat] = hand_low, hand_high
    return False


@kernel
def judge_again(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Count again what the kept hand, still in lane DEALT, leaves unexplained.

    An evaluator that rolls dice may have been lucky with it, and it would stay for many deals. With this, and dice,
    the rule is only nearly Metropolis's.
    """
    if work["unexplained"] != layout.NO_HAND_KEPT:
        work["unexplained"] = count_unexplained(i, seat, memory, work)


@kernel
def is_kept(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Whether the hand in lane DEALT takes the place of the one kept, by Metropolis's rule; if so it is kept."""
    unexplained = count_unexplained(i, seat, memory, work)
    more = unexplained - work["unexplained"]
    rolled = sampling.roll(work)
    if work["unexplained"] != layout.NO_HAND_KEPT and more > 0 and rolled >= work["unexplained_odds"] ** more:
        return False
    work["unexplained"] = unexplained
    sampling.keep_hand(work)
    return True


@kernel
def is_accepted(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> bool:
    """Whether the hand in lane DEALT is taken, with odds that fall with what it leaves unexplained; if so it is kept.

    Odds are set against the fewest unexplained moves of any hand so far. How many more may be left is rolled first, so
    that a hand is given up as soon as it leaves more.
    """
    more = work["unexplained"] + sampling.roll_unexplained(work, work["unexplained_odds"])
    if work["unexplained"] == layout.NO_HAND_KEPT:
        more = MANY
    unexplained = count_up_to(i, seat, memory, work, more)
    if unexplained > more:
        return False
    if work["unexplained"] == layout.NO_HAND_KEPT or unexplained < work["unexplained"]:
        work["unexplained"] = unexplained
    sampling.keep_hand(work)
    return True


@kernel
def count_unexplained(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> int:
    """The moves of other seats that the judge would not have made, if the hand in lane DEALT is the true one."""
    return count_up_to(i, seat, memory, work, MANY)


@kernel
def count_up_to(i: Lane, seat: Seat, memory: Memory, work: SearchRecord, limit: int) -> int:
    """`count_unexplained`, given up as soon as it is more than `limit`; else lane TRIAL is left with all memories.

    With a convention the masks of the search follow the replay, and must be set again afterwards.
    """
    lanes, memories, params = layout.states_of(work), layout.memory_of(work), layout.judge_params_of(work)
    oldest = sampling.oldest_order(lanes, DEALT, seat)
    history.restart_game(i, seat, memory, work)
    speaks = work["convention"] != GROUNDED
    if speaks:
        for order in range(MAX_DECK):
            work["convention_masks"][order] = 0
    unexplained = 0
    for turn in range(work["turns"]):
        move, actor = memory[i, seat, history.HISTORY_MOVES + turn], lanes[TRIAL]["seat"]
        if actor != seat and lanes[TRIAL]["drawn"] > oldest:
            unexplained += believing_move(layout.judge_acts_of(work)[actor], actor, params, work) != move
            if unexplained > limit:
                break
        if speaks:
            hear_move(lanes, TRIAL, work, move)
        make_move(lanes, TRIAL, memories, params, layout.judge_observes_of(work), move)
    return unexplained


@kernel
def believing_move(act: int, seat: Seat, params: Params, work: SearchRecord) -> MoveNumber:
    """What an agent would do in a seat of lane TRIAL; it believes the convention if the search is told so."""
    lanes, believes = layout.states_of(work), work["convention"] != GROUNDED and work["modeled"]
    if believes:
        narrow_possible(lanes, TRIAL, seat, work)
    move = call_act(act, lanes, TRIAL, seat, layout.memory_of(work), params, layout.rng_of(work))
    if believes:
        restore_possible(lanes, TRIAL, seat, work)
    return move


@kernel
def weigh_hands(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Sample hands for the seat and weigh them, if the search asks past moves and knows all of them; at least one."""
    if not work["hands_weighed"] or not work["whole_history"] or not work["turns"]:
        return
    lanes, hands, fewest = layout.states_of(work), layout.weighed_hands_of(work), MANY
    while work["weighed"] < work["hands_weighed"]:
        if work["weighed"] and layout.is_late(work, TIME_SHARE):
            break
        restore_masks(work)
        sample_meant_hand(lanes, KNOWN, seat, work)
        lanes[DEALT] = lanes[KNOWN]
        sampling.hold_hand(lanes, DEALT, seat, work)
        hand = hands[work["weighed"]]
        for slot in range(lanes[KNOWN]["hand_size"]):
            hand["cards"][slot] = work["hand"][slot]
        hand["unexplained"] = count_unexplained(i, seat, memory, work)
        fewest = min(fewest, hand["unexplained"])
        work["weighed"] += 1
    total = 0.0
    for place in range(work["weighed"]):
        total += work["unexplained_odds"] ** (hands[place]["unexplained"] - fewest)
        hands[place]["weight_so_far"] = total


@kernel
def restore_masks(work: SearchRecord) -> None:
    """What the convention has said in the real game."""
    if work["convention"] != GROUNDED:
        for order in range(MAX_DECK):
            work["convention_masks"][order] = work["root_convention_masks"][order]


@kernel
def draw_hand(seat: Seat, work: SearchRecord) -> None:
    """Write a hand that the seat could hold into the table `hand`: one of those weighed, or any that fits."""
    if work["weighed"] == 0:
        sample_meant_hand(layout.states_of(work), KNOWN, seat, work)
        return
    hands, first, last = layout.weighed_hands_of(work), 0, work["weighed"] - 1
    wanted = sampling.roll(work) * hands[last]["weight_so_far"]
    while first < last:
        middle = (first + last) >> 1
        if hands[middle]["weight_so_far"] > wanted:
            last = middle
        else:
            first = middle + 1
    for slot in range(layout.states_of(work)[KNOWN]["hand_size"]):
        work["hand"][slot] = hands[first]["cards"][slot]
