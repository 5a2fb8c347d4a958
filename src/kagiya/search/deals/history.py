"""What a searching seat remembers of the real game, and that game played again with a sampled hand."""

from kagiya._jit import kernel
from kagiya.agents.playable_now import hear_hint
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.batch import call_act, make_move
from kagiya.engine.game_kernels import deal_hands, is_hint, slot_of
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, Params, States
from kagiya.engine.memory import clear_memory, copy_memory
from kagiya.moves import FIRST_HINT
from kagiya.rules import MAX_DECK
from kagiya.search import search_layout as layout
from kagiya.search.search_layout import DEALT, TRIAL, UNDEALT, SearchRecord

# Words of the seat's own memory at the real table.
HISTORY_FRESH = 0  # whether it began with a fresh deal
HISTORY_MASKS = 1  # by `order`: the kinds that the convention leaves, 0 for all
HISTORY_CARDS = HISTORY_MASKS + MAX_DECK  # by `order`: 1 + the card, once it was played or discarded
HISTORY_MOVES = HISTORY_CARDS + MAX_DECK  # by turn
HISTORY_WORDS = HISTORY_MOVES + MAX_TURNS


@kernel
def remember(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The `observe` of every search: the move, the card it shows, and what a hint says by the convention."""
    state = states[i]
    memory[i, seat, HISTORY_MOVES + state["turn"]] = move
    if state["turn"] == 0:
        memory[i, seat, HISTORY_FRESH] = is_fresh_deal(states, i)
    convention = layout.work_at(int(params[seat, 0]))["convention"]
    if not is_hint(move):
        actor, slot = state["seat"], slot_of(move)
        memory[i, seat, HISTORY_CARDS + state["order"][actor, slot]] = 1 + state["hands"][actor, slot]
    hear_hint(states, i, memory[i, seat, HISTORY_MASKS:HISTORY_CARDS], convention, move)


@kernel
def is_whole_history(states: States, i: Lane, seat: Seat, memory: Memory) -> bool:
    """Whether the seat has observed all that led here; not so in a position that was set up."""
    state = states[i]
    cards, moves, held = 0, 0, 0
    for order in range(state["drawn"]):
        cards += memory[i, seat, HISTORY_CARDS + order] != 0
    for turn in range(state["turn"]):
        moves += memory[i, seat, HISTORY_MOVES + turn] < FIRST_HINT
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            held += state["order"][owner, slot] >= 0
    began_fresh = memory[i, seat, HISTORY_FRESH] != 0 if state["turn"] > 0 else is_fresh_deal(states, i)
    return cards == moves and cards + held == state["drawn"] and began_fresh


@kernel
def is_fresh_deal(states: States, i: Lane) -> bool:
    """Whether nothing has happened yet: every token and life is there, and no card has been hinted at."""
    state = states[i]
    told = 0
    for owner in range(state["players"]):
        for slot in range(state["hand_size"]):
            if state["order"][owner, slot] >= 0:
                told |= state["possible"][owner, slot] ^ state["kinds"]
    return told == 0 and state["tokens"] == state["max_tokens"] and state["lives"] == state["max_lives"]


@kernel
def ask_model(work: SearchRecord, seat: Seat) -> MoveNumber:
    """What the model in a seat would do in lane TRIAL."""
    memories, params, rng = layout.memory_of(work), layout.params_of(work), layout.rng_of(work)
    return call_act(layout.acts_of(work)[seat], layout.states_of(work), TRIAL, seat, memories, params, rng)


@kernel
def rebuild_memories(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Give every model the memory it would have if the hand just dealt in lane DEALT were the true one.

    The whole game is dealt again from the cards now known, and the models observe its moves; lane DEALT ends as it
    was, but for its memories. Only needed when some model observes moves. In a position that was set up they
    remember nothing.
    """
    if not work["listening"]:
        return
    if not work["whole_history"]:
        clear_memory(layout.memory_of(work), DEALT, layout.extents_of(work))
        return
    lanes, memories, params = layout.states_of(work), layout.memory_of(work), layout.params_of(work)
    observes = layout.observes_of(work)
    restart_game(i, seat, memory, work)
    for turn in range(work["turns"]):
        make_move(lanes, TRIAL, memories, params, observes, memory[i, seat, HISTORY_MOVES + turn])
    copy_memory(memories, TRIAL, DEALT, layout.extents_of(work))


@kernel
def restart_game(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Lane TRIAL becomes the game as it was dealt, if the hand in lane DEALT is the true one; nothing is remembered."""
    lanes = layout.states_of(work)
    final = lanes[DEALT]
    lanes[TRIAL] = lanes[UNDEALT]
    deck = lanes[TRIAL]["deck"]
    for order in range(final["drawn"]):
        deck[order] = memory[i, seat, HISTORY_CARDS + order] - 1
    for owner in range(final["players"]):
        for slot in range(final["hand_size"]):
            if final["order"][owner, slot] >= 0:
                deck[final["order"][owner, slot]] = final["hands"][owner, slot]
    for place in range(final["drawn"], final["deck_size"]):
        deck[place] = final["deck"][place]
    deal_hands(lanes, TRIAL)
    clear_memory(layout.memory_of(work), TRIAL, layout.extents_of(work))
