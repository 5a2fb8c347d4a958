"""What a searching seat remembers of the real game, and the start of a search from it: nothing hidden comes along."""

from kagiya._jit import kernel, now
from kagiya.cards import HIDDEN_CARD, NO_CARD
from kagiya.dice import STREAM_WORDS, next_word, seed_stream
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.kernels import deal_hands, legal_moves, reachable_points
from kagiya.engine.layout import STREAMS
from kagiya.engine.memory_kernels import clear_memory, copy_memory
from kagiya.moves import FIRST_HINT
from kagiya.planes import add_planes
from kagiya.rules import MAX_DECK, MAX_HAND
from kagiya.search.deals.convention import NOBODY, forgets, pointed_order, said_now
from kagiya.search.layout import (
    CONVENTION,
    DEALT,
    DEEPEST_SEEN,
    DEPTH,
    DONE,
    GROUNDED,
    KNOWN,
    LISTENING,
    MEANING,
    NO_HAND_KEPT,
    REGRET_BASE,
    ROOT_MEANING,
    ROOT_MOVES,
    SEAT,
    STARTED,
    STEPS_DONE,
    STORY_CARDS,
    STORY_FRESH,
    STORY_MEANING,
    STORY_MOVES,
    SURPRISES,
    TRIAL,
    TRUE_DEALS,
    TURNS,
    UNDEALT,
    USED,
    WHOLE_STORY,
    extents_of,
    memory_of,
    observes_of,
    params_of,
    rng_of,
    states_of,
    work_at,
)


@kernel
def remember(states, i, seat, memory, params, move):
    """The `observe` of every search: the move, the card it shows, and what a hint says by the convention."""
    state = states[i]
    memory[i, seat, STORY_MOVES + state["turn"]] = move
    if state["turn"] == 0:
        memory[i, seat, STORY_FRESH] = is_fresh_deal(states, i)
    convention = work_at(int(params[seat, 0]))[CONVENTION]
    if move < FIRST_HINT:
        actor, slot = state["seat"], move % MAX_HAND
        memory[i, seat, STORY_CARDS + state["order"][actor, slot]] = 1 + state["hands"][actor, slot]
        if forgets(move, convention):
            for order in range(MAX_DECK):
                memory[i, seat, STORY_MEANING + order] = 0
    order = pointed_order(states, i, move, convention)
    if order != NOBODY:
        memory[i, seat, STORY_MEANING + order] = said_now(memory[i, seat, STORY_MEANING + order], state["playable"])


@kernel
def begin_search(states, i, seat, memory, work, rng):
    """Take over what the seat may know of the real game; the dice of the search follow from the seat's stream."""
    work[STARTED] = now()
    known = states_of(work)
    known[KNOWN] = states[i]
    hide_cards(known, KNOWN, seat)
    seed_all(work, next_word(rng, i, 1 + seat) << 31 | next_word(rng, i, 1 + seat) >> 1)
    copy_dice(rng_of(work), TRIAL, KNOWN)  # for rules of the root that roll dice
    work[SEAT], work[TURNS] = seat, states[i]["turn"]
    work[WHOLE_STORY] = is_whole_story(states, i, seat, memory)
    work[USED] = work[DONE] = work[DEPTH] = work[DEEPEST_SEEN] = work[TRUE_DEALS] = work[STEPS_DONE] = 0
    work[SURPRISES] = NO_HAND_KEPT
    work[REGRET_BASE] = reachable_points(known, KNOWN)
    if work[CONVENTION] != GROUNDED:
        for order in range(MAX_DECK):
            work[ROOT_MEANING + order] = memory[i, seat, STORY_MEANING + order]
            work[MEANING + order] = work[ROOT_MEANING + order]
    work[ROOT_MOVES] = legal_moves(known, KNOWN)


@kernel
def is_whole_story(states, i, seat, memory):
    """Whether the seat has heard of all that led here; not so in a position that was set up."""
    state = states[i]
    cards, moves, held = 0, 0, 0
    for order in range(state["drawn"]):
        cards += memory[i, seat, STORY_CARDS + order] != 0
    for turn in range(state["turn"]):
        moves += memory[i, seat, STORY_MOVES + turn] < FIRST_HINT
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            held += state["order"][owner, slot] >= 0
    began_fresh = memory[i, seat, STORY_FRESH] != 0 if state["turn"] > 0 else is_fresh_deal(states, i)
    return cards == moves and cards + held == state["drawn"] and began_fresh


@kernel
def is_fresh_deal(states, i):
    """Whether nothing has happened yet: every token and life is there, and no card has been told of."""
    state = states[i]
    told = 0
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            if state["order"][owner, slot] >= 0:
                told |= state["possible"][owner, slot] ^ state["kinds"]
    return told == 0 and state["tokens"] == state["max_tokens"] and state["lives"] == state["max_lives"]


@kernel
def hide_cards(states, i, seat):
    """Forget the seat's own hand and the deck's order; its cards are counted to the deck."""
    state = states[i]
    low, high = add_planes(state["deck_low"], state["deck_high"], state["hand_low"][seat], state["hand_high"][seat])
    state["deck_low"], state["deck_high"] = low, high
    state["hand_low"][seat], state["hand_high"][seat] = 0, 0
    for slot in range(state["hand_size"]):
        if state["hands"][seat, slot] != NO_CARD:
            state["hands"][seat, slot] = HIDDEN_CARD
    for place in range(state["drawn"], state["deck_size"]):
        state["deck"][place] = HIDDEN_CARD


@kernel
def seed_all(work, seed):
    """Start every stream of the search from one number."""
    rng = rng_of(work)
    for stream in range(STREAMS):
        seed_stream(rng, TRIAL, stream, seed)


@kernel
def copy_dice(rng, source, target):
    """One lane's streams into another's."""
    for stream in range(STREAMS):
        for word in range(STREAM_WORDS):
            rng[target, stream, word] = rng[source, stream, word]


@kernel
def rebuild_memories(i, seat, memory, work):
    """Give every model the memory it would have if the hand just dealt in lane DEALT were the true one.

    The whole game is dealt again from the cards now known and the public story is told to the models; lane
    DEALT ends as it was, but for its memories. Only needed when some model listens. In a position that was set
    up they remember nothing.
    """
    if not work[LISTENING]:
        return
    if not work[WHOLE_STORY]:
        clear_memory(memory_of(work), DEALT, extents_of(work))
        return
    lanes, minds, params = states_of(work), memory_of(work), params_of(work)
    observes = observes_of(work)
    restart_game(i, seat, memory, work)
    for turn in range(work[TURNS]):
        make_move(lanes, TRIAL, minds, params, observes, memory[i, seat, STORY_MOVES + turn])
    copy_memory(minds, TRIAL, DEALT, extents_of(work))


@kernel
def restart_game(i, seat, memory, work):
    """Lane TRIAL becomes the game as it was dealt, if the hand in lane DEALT is the true one; nothing is remembered."""
    lanes = states_of(work)
    final = lanes[DEALT]
    lanes[TRIAL] = lanes[UNDEALT]
    deck = lanes[TRIAL]["deck"]
    for order in range(final["drawn"]):
        deck[order] = memory[i, seat, STORY_CARDS + order] - 1
    for owner in range(final["players"]):
        for slot in range(final["hand_size"]):
            if final["order"][owner, slot] >= 0:
                deck[final["order"][owner, slot]] = final["hands"][owner, slot]
    for place in range(final["drawn"], final["deck_size"]):
        deck[place] = final["deck"][place]
    deal_hands(lanes, TRIAL)
    clear_memory(memory_of(work), TRIAL, extents_of(work))
