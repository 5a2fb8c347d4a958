"""The search of Brooks's thesis: `brooks-mcts`, a hundred iterations with a rollout of three moves.

Source
    Brooks 2020, section V and Table I, as the released program does it (`MBlogs/mcts-hanabi`). A node keeps the
    children that the rules gave it in the deal of its first visit; one that few deals allow is untried until it was
    reached once, so it is tried again and again before its siblings are compared. All seats' moves in the tree are
    chosen by upper confidence bounds on the common reward, the whole path before it is walked; the models move only in
    the rollout. A line that meets an illegal move stops, and its reward there counts for the whole path.
    `redeterminize` resamples the other seats' cards where they act, in the tree and in the rollout; `reward=regret` is
    the points less what was lost since the root; `convention` plays the card that the last hint, from the seat before,
    alone told something new, if it could fit: without a search, and the search knows nothing of it. `partner` is how
    the thesis names one seat's model.
Published
    Brooks 2020, Tables II to IV; entered in `reproductions/`, since a row is a setting.
Where the source is silent
    The program takes children that were never reached, and equals, in the order of Python's string hashes, which
    changes from run to run but not within one; here the order is drawn when a node gets its children, and stays.
    Only where all legal moves are considered do equals go by the environment's list, discards first. The program's
    games go on past a bomb on the way down the tree, with nothing to gain; here such a line is cut.
    The program models seat 1 as the partner; here it is every seat where that agent really sits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.api import Agent, AgentInfo, Parameter
from kagiya.agents.rule_list import list_row, rule_uses
from kagiya.agents.tactics.vocabulary import last_slot
from kagiya.cards import MAX_COLORS, MAX_HAND, NO_MOVE, MoveNumber, Seat, Slot, Slots, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.dice import below, next_word
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, Params, States, Streams
from kagiya.moves import FIRST_HINT, HINTS_PER_SEAT, NUM_MOVES
from kagiya.rules import Rules
from kagiya.search import ismcts, search_layout as layout, search_options as options
from kagiya.search.deals import history, sampling
from kagiya.search.nodes import add_child, begin_search, count_result, end_search, is_spent, model_move, reward_of
from kagiya.search.search_layout import ROOT_NODE, SEARCH_STREAM, TRIAL, SearchRecord
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.view.hand_sampling import nth_bit

UNREACHED = -1  # as a node's first child: it was never reached, so it has none yet
# The moves by kind, as masks.
PLAYS = (1 << MAX_HAND) - 1
COLOR_HINTS = sum(((1 << MAX_COLORS) - 1) << move for move in range(FIRST_HINT, NUM_MOVES, HINTS_PER_SEAT))
RANK_HINTS = (1 << NUM_MOVES) - (1 << FIRST_HINT) & ~COLOR_HINTS
ENOUGH_VISITS = 2  # of a root's child, to be made in the end
# The seat's memory: the history, then 1 + the `order` of its card that alone the last move told something new, or 0.
HISTORY_POINTED = history.HISTORY_WORDS
POINTED_WORDS = HISTORY_POINTED + 1


@kernel
def remember_pointing(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The `observe` of Brooks's search: the history, and which of its cards alone the last move told something new."""
    history.remember(states, i, seat, memory, params, move)
    memory[i, seat, HISTORY_POINTED] = 0
    state = states[i]
    if (
        not game.is_hint(move)
        or (state["seat"] + 1) % state["players"] != seat
        or game.hint_receiver(states, i, move) != seat
    ):
        return
    part = game.told_part(move)
    news = game.touched_slots(states, i, move)
    for slot in range(state["hand_size"]):
        if state["told"][seat, slot] & part:
            news &= ~(1 << slot)
    if news and news & (news - 1) == 0:
        memory[i, seat, HISTORY_POINTED] = 1 + state["order"][seat, lowest_bit(news)]


@kernel
def pointed_slot(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """The slot that the last move pointed at, if by the hints alone its card could fit now."""
    state = states[i]
    order = memory[i, seat, HISTORY_POINTED] - 1
    for slot in each_slot(state["hand_size"]):
        if order >= 0 and state["order"][seat, slot] == order and state["possible"][seat, slot] & state["playable"]:
            return slot
    return game.NO_SLOT


@kernel
def brooks_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of Brooks's search: obey a hint if told to, or else search and take the best mean."""
    work = layout.work_at(int(params[seat, 0]))
    if work["obeys"]:
        slot = pointed_slot(states, i, seat, memory)
        if slot != game.NO_SLOT:
            work["seat"] = seat
            work["iterations_done"] = work["deepest_seen"] = 0
            return end_search(work, game.play_move(slot))
    begin_search(states, i, seat, memory, work, rng)
    layout.nodes_of(work)[ROOT_NODE]["child"] = UNREACHED
    work["evaluating"] = work["cut_lines"] = work["path_lengths"] = 0
    work["root_moves"] = ismcts.offered_at_root(work)
    if ismcts.has_choice(work):
        while not is_spent(work):
            ismcts.deal_root(i, seat, memory, work)
            try_line(work)
            work["iterations_done"] += 1
    return end_search(work, best_move(work))


@kernel
def try_line(work: SearchRecord) -> None:
    """One iteration: choose a path, walk it, open its end, play on a little and count the result."""
    lanes, nodes = layout.states_of(work), layout.nodes_of(work)
    choose_path(work)
    ismcts.forget_cards(work)
    if walk_path(work):
        leaf = work["path"][work["depth"]]
        if nodes[leaf]["child"] == UNREACHED:
            nodes[leaf]["child"] = 0
            if work["depth"] <= work["depth_limit"]:
                open_node(work, leaf)
        play_on(work)
    work["true_iterations"] += work["all_true"]
    reward = reward_of(lanes, TRIAL, work)
    for depth in range(work["depth"] + 1):
        count_result(nodes, work["path"][depth], reward)


@kernel
def choose_path(work: SearchRecord) -> None:
    """From the root down to a node never reached, or to one without children; no deal is looked at."""
    nodes = layout.nodes_of(work)
    node, depth = ROOT_NODE, 0
    work["path"][0] = node
    while nodes[node]["child"] > 0:
        node = next_node(work, node)
        depth += 1
        work["path"][depth] = node
        if nodes[node]["child"] == UNREACHED:
            break
    work["depth"] = depth
    work["path_lengths"] += depth
    work["deepest_seen"] = max(work["deepest_seen"], depth)


@kernel
def next_node(work: SearchRecord, parent: int) -> int:
    """A child never reached, or else the one with the highest upper confidence bound; ties go to the first listed."""
    nodes, draws = layout.nodes_of(work), layout.draws_of(work)
    exploration, scale = work["exploration"], work["scale"]
    tries = math.log(nodes[parent]["visits"])
    untried, latest = 0, -1
    best, highest = 0, -1e300
    child = nodes[parent]["child"]
    while child:
        node = nodes[child]
        if node["child"] == UNREACHED:
            # Which one is left to chance, but to the same chance each time.
            if draws[child] > latest:
                untried, latest = child, draws[child]
        elif untried == 0:
            bound = node["total"] / (node["visits"] * scale) + exploration * math.sqrt(tries / node["visits"])
            if bound > highest:
                best, highest = child, bound
        child = node["sibling"]
    return untried if untried else best


@kernel
def walk_path(work: SearchRecord) -> bool:
    """Make the moves of the path in lane TRIAL; False if one is not legal in this deal, or the game is over."""
    lanes, nodes = layout.states_of(work), layout.nodes_of(work)
    for depth in range(work["depth"]):
        move = nodes[work["path"][depth + 1]]["move"]
        if not game.is_legal(lanes, TRIAL, move):
            work["cut_lines"] += 1
            return False
        ismcts.make_tree_move(work, depth, move)
    return True


@kernel
def open_node(work: SearchRecord, parent: int) -> None:
    """Give a node its children: what is offered in this deal, in an order that stays; none if the tree is full."""
    nodes = layout.nodes_of(work)
    nodes[parent]["child"] = 0
    if work["nodes_used"] + NUM_MOVES > work["node_capacity"]:
        return
    lanes, rng, draws = layout.states_of(work), layout.rng_of(work), layout.draws_of(work)
    seat = lanes[TRIAL]["seat"]
    moves = work["root_moves"] if parent == ROOT_NODE else ismcts.offered_moves(lanes, TRIAL, seat, work)
    while moves:
        move = last_listed(moves)
        if work["restricted"]:
            move = MoveNumber(nth_bit(moves, below(rng, TRIAL, SEARCH_STREAM, popcount(moves))))
        moves &= ~(1 << move)
        child = add_child(work, parent, move, seat)
        nodes[child]["child"], draws[child] = UNREACHED, next_word(rng, TRIAL, SEARCH_STREAM)


@kernel
def last_listed(moves: int) -> MoveNumber:
    """Of some moves the last in the order of the Hanabi Learning Environment: discards, plays, colors, ranks."""
    for kind in (RANK_HINTS, COLOR_HINTS, PLAYS, ismcts.DISCARDS):
        if moves & kind:
            return MoveNumber(last_slot(Slots(moves & kind)))
    return NO_MOVE


@kernel
def play_on(work: SearchRecord) -> None:
    """Let the models make a few moves in lane TRIAL; other seats' cards are resampled where the search says so."""
    lanes = layout.states_of(work)
    for ply in range(work["plies"]):
        if game.is_over(lanes, TRIAL):
            return
        ismcts.make_tree_move(work, work["depth"] + ply, model_move(lanes, TRIAL, lanes[TRIAL]["seat"], work))


@kernel
def best_move(work: SearchRecord) -> MoveNumber:
    """The root's child with the best mean of those with enough visits; the first child if none has them."""
    nodes = layout.nodes_of(work)
    best, highest = NO_MOVE, -1e300
    child = nodes[ROOT_NODE]["child"]
    while child > 0:
        node = nodes[child]
        if best == NO_MOVE:
            best = node["move"]
        if node["visits"] >= ENOUGH_VISITS and node["total"] / node["visits"] > highest:
            best, highest = node["move"], node["total"] / node["visits"]
        child = node["sibling"]
    return best if best != NO_MOVE else ismcts.first_move(work)


INFO = AgentInfo(
    id="brooks-mcts",
    summary="tree search whose nodes keep the children of their first deal, with rollouts of three moves",
    family="search",
    paper="Brooks2020",
    parameters=(
        options.ModelParameter("rollout", "brooks-vdb", "the agent that plays on from a leaf"),
        options.RulesParameter(
            "rules", "brooks", "the moves that the tree considers", choices=("none", "brooks", "goodman")
        ),
        Parameter("iterations", 100, "iterations for each move", 1, options.MAX_ITERATIONS, whole=True),
        options.TimeParameter("time", 0, "time for each move, instead of iterations"),
        Parameter("reward", "score", "what a line of play is worth", choices=("score", "regret")),
        options.yes_no("redeterminize", "no", "whether other seats' cards are resampled"),
        Parameter("convention", "none", "whether a pointed hint is obeyed", choices=("none", "brooks")),
        options.ModelParameter(
            "partner", "none", "whose seats the rollout plays as that agent does", choices=("none",)
        ),
        Parameter("c", 0.1, "exploration, for rewards from 0 to 1", 0, 10),
        Parameter("plies", 3, "moves after which a rollout is cut off", 0, MAX_TURNS, whole=True),
        Parameter("depth", 100, "depth of the tree in moves, and one move more", 0, 100, whole=True),
        Parameter("deal", "left-to-right", "how hidden hands are dealt", choices=sampling.DEALS),
    ),
    memory_words=POINTED_WORDS,
)


def search_settings(values: dict[str, Any]) -> dict[str, float]:
    """The fields of the search's record that its parameters set."""
    redeterminizing = values["redeterminize"] == "yes"
    return {
        "algorithm": layout.REDETERMINIZING if redeterminizing else layout.MULTIPLE_OBSERVER,
        **options.budget_settings(values),
        "depth_limit": int(values["depth"]),
        "exploration": values["c"],
        "plies": int(values["plies"]),
        "restricted": values["rules"] != "none",
        "reward": values["reward"] == "regret",
        "obeys": values["convention"] == "brooks",
        "final": layout.BEST_MEAN,  # read by explanations; the kernels of this search know no other
    }


def models_for(values: dict[str, Any], seated: Sequence[Agent]) -> list[Agent]:
    """Who is taken to play each seat: the partner where it really sits, the rollout's agent elsewhere."""
    rollout, partner = values["rollout"], values["partner"]
    return [partner if agent == partner else rollout for agent in seated]


def workspace(values: dict[str, Any], rules: Rules, seat: Seat, seated: Sequence[Agent]) -> SearchWorkspace:
    """The arrays of one search; the tree has room for the children of every node that can be reached."""
    chosen = options.all_values(INFO, values)
    most = chosen["time"] * options.ITERATIONS_PER_SECOND if chosen["time"] else chosen["iterations"]
    setup = SearchSetup(
        search_settings(chosen),
        rule_row=list_row(rule_uses(chosen["rules"])),
        nodes=int(min((most + 1) * NUM_MOVES, options.MAX_NODES)),
        models=models_for(chosen, seated),
        draws=True,
    )
    return SearchWorkspace(rules, setup)


BROOKS_MCTS = options.tree_agent(INFO, brooks_move, remember_pointing, workspace, options.budget_parser(INFO))
