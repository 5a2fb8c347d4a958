"""What all searches share: the nodes of a tree, how a search begins and ends, and the models playing on from a leaf.

Each parent has a list of siblings, in an array that is filled from its beginning. The models play to the end of the
game or for a number of moves.
"""

from kagiya._jit import kernel, now
from kagiya.agents.playable_now import GROUNDED
from kagiya.agents.tactics.vocabulary import random_move
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine import batch, game_kernels as game
from kagiya.engine.dice import STREAM_WORDS, next_word, seed_stream
from kagiya.engine.layout import STREAMS, Lane, Memory, States, Streams
from kagiya.rules import MAX_DECK
from kagiya.search import search_layout as layout
from kagiya.search.ally_likelihood import study_allies
from kagiya.search.deals import history, past_moves, sampling
from kagiya.search.search_layout import KNOWN, ROOT_NODE, TRIAL, Nodes, SearchRecord
from kagiya.view.view_kernels import censor

NO_SEAT = Seat(-1)  # nobody moves to the root


@kernel
def start_tree(work: SearchRecord) -> None:
    """A tree of the root alone."""
    clear_node(layout.nodes_of(work), ROOT_NODE, NO_MOVE, NO_SEAT)
    work["nodes_used"] = 1


@kernel
def clear_node(nodes: Nodes, place: int, move: MoveNumber, actor: Seat) -> None:
    """A node without visits or children."""
    node = nodes[place]
    node["move"], node["actor"] = move, actor
    node["visits"] = node["available"] = node["child"] = node["sibling"] = 0
    node["total"] = node["squares"] = 0.0


@kernel
def add_child(work: SearchRecord, parent: int, move: MoveNumber, actor: Seat) -> int:
    """A new child; 0 when the tree is full."""
    place = work["nodes_used"]
    if place == work["node_capacity"]:
        return 0
    nodes = layout.nodes_of(work)
    work["nodes_used"] = place + 1
    clear_node(nodes, place, move, actor)
    nodes[place]["sibling"] = nodes[parent]["child"]
    nodes[parent]["child"] = place
    # Among all legal moves nearly each is always there; a rule's move is expanded soon after it first appears.
    nodes[place]["available"] = 1 if work["restricted"] else 1 + nodes[parent]["visits"]
    return place


@kernel
def child_by(nodes: Nodes, parent: int, move: MoveNumber) -> int:
    """The child of a node by this move; 0 if there is none."""
    child = nodes[parent]["child"]
    while child and nodes[child]["move"] != move:
        child = nodes[child]["sibling"]
    return child


@kernel
def children_moves(nodes: Nodes, parent: int) -> int:
    """The moves of a node's children, as a mask."""
    moves, child = 0, nodes[parent]["child"]
    while child:
        moves |= 1 << nodes[child]["move"]
        child = nodes[child]["sibling"]
    return moves


@kernel
def count_result(nodes: Nodes, place: int, reward: float) -> None:
    """One more visit of a node, with its reward."""
    node = nodes[place]
    node["visits"] += 1
    node["total"] += reward
    node["squares"] += reward * reward


@kernel
def begin_search(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, rng: Streams) -> None:
    """Take over what the seat may know of the real game; the dice of the search follow from the seat's stream."""
    work["started"] = now()
    lanes = layout.states_of(work)
    lanes[KNOWN] = states[i]
    censor(lanes, KNOWN, KNOWN, seat)
    seed_all(work, next_word(rng, i, 1 + seat) << 31 | next_word(rng, i, 1 + seat) >> 1)
    copy_dice(layout.rng_of(work), TRIAL, KNOWN)  # for rules of the root that roll dice
    work["seat"], work["turns"] = seat, states[i]["turn"]
    work["whole_history"] = history.is_whole_history(states, i, seat, memory)
    work["iterations_done"] = work["steps_done"] = work["depth"] = 0
    work["deepest_seen"] = work["true_iterations"] = work["is_exact"] = 0
    work["unexplained"], work["weighed"] = layout.NO_HAND_KEPT, 0
    work["reachable_at_root"] = game.reachable_points(lanes, KNOWN)
    if work["convention"] != GROUNDED:
        for order in range(MAX_DECK):
            work["root_convention_masks"][order] = memory[i, seat, history.HISTORY_MASKS + order]
            work["convention_masks"][order] = work["root_convention_masks"][order]
    work["root_moves"] = game.legal_moves(lanes, KNOWN)
    study_allies(i, seat, memory, work)
    start_tree(work)


@kernel
def is_spent(work: SearchRecord) -> bool:
    """Whether the budget is used up; one iteration is always made."""
    if work["iterations_done"] == 0:
        return False
    if work["iterations_done"] >= work["iterations"] or (work["steps"] > 0 and work["steps_done"] >= work["steps"]):
        return True
    return layout.is_late(work, 1)


@kernel
def end_search(work: SearchRecord, move: MoveNumber) -> MoveNumber:
    """Note the answer, and what it took; returns the move."""
    work["all_iterations"] += work["iterations_done"]
    work["chosen"] = move
    return move


@kernel
def seed_all(work: SearchRecord, seed: int) -> None:
    """Start every stream of the search from one number."""
    rng = layout.rng_of(work)
    for stream in range(STREAMS):
        seed_stream(rng, TRIAL, stream, seed)


@kernel
def copy_dice(rng: Streams, source: Lane, target: Lane) -> None:
    """One lane's streams into another's."""
    for stream in range(STREAMS):
        for word in range(STREAM_WORDS):
            rng[target, stream, word] = rng[source, stream, word]


@kernel
def model_move(states: States, i: Lane, seat: Seat, work: SearchRecord) -> MoveNumber:
    """The move of the seat's model in lane TRIAL; any legal one if that is illegal."""
    move = past_moves.believing_move(layout.acts_of(work)[seat], seat, layout.params_of(work), work)
    return move if game.is_legal(states, i, move) else random_move(states, i, seat, layout.rng_of(work))


@kernel
def try_move(states: States, i: Lane, work: SearchRecord, move: MoveNumber) -> None:
    """Make a move in the search: the models hear it, and a card drawn is settled first."""
    if work["listening"]:
        batch.tell_observers(states, i, layout.memory_of(work), layout.params_of(work), layout.observes_of(work), move)
    if not game.is_hint(move):
        sampling.top_deck(states, i, layout.rng_of(work))
    game.apply_move(states, i, move)
    work["steps_done"] += 1


@kernel
def play_out(states: States, work: SearchRecord, plies: int) -> None:
    """Let the models play lane TRIAL on for at most `plies` moves."""
    believes = work["convention"] != GROUNDED and work["modeled"]
    while plies > 0 and not game.is_over(states, TRIAL):
        move = model_move(states, TRIAL, states[TRIAL]["seat"], work)
        if believes:
            past_moves.hear_move(states, TRIAL, work, move)
        try_move(states, TRIAL, work, move)
        plies -= 1


@kernel
def reward_of(states: States, i: Lane, work: SearchRecord) -> float:
    """What a line of play is worth: the score where it stopped, or the points less what was lost on the way."""
    if work["reward"] == layout.BY_REGRET:
        if states[i]["lives"] == 0:
            return float(game.points(states, i) - work["reachable_at_root"])
        return float(game.points(states, i) - work["reachable_at_root"] + game.reachable_points(states, i))
    return float(game.score(states, i))
