"""Monte Carlo tree search over information sets: `mo-ismcts`, `ris-mcts` and `predictor`, one loop in three settings.

Source
    Goodman 2019, paper and report: MO-ISMCTS (Cowling et al. 2012, as in Walton-Rivers et al. 2017) deals the
    searching seat's hand once for each iteration, and its partners act in the tree as if they saw their own
    cards. RIS-MCTS (Algorithm 1) resamples a seat's hand where that seat acts. The predictor of Walton-Rivers et
    al. has nodes for its own moves only; the other seats move as given agents do. `rules=goodman`, the default,
    restricts the tree to Table II; `convention` is section V-B (`agents/playable_now.py`); `leaf` is section VI
    (RIS-MCTS-NR: learned values in place of rollouts); `unprune` and `backup` are named there as further work. `past`
    is our own: hands that explain what the other seats did are dealt more often (`deals/past_moves.py`); off by
    default, so that published rows stay as they are.
Published
    Goodman 2019, Tables I, III and IV; entered in `reproductions/`, since a row is a setting and a time.
Where the source is silent
    The paper takes the move with the highest score, its program the one with most visits: `final`, by default
    visits. A move's logarithm counts the visits at which it could have been chosen, as in the program; the paper
    prints the plain number. The tree is at most three rounds and one move deep, the program's limit. Hands are
    dealt uniformly; the program fills slots one by one (`deal=slot-by-slot`), which after hints comes to the same
    (`deals/sampling.py`). If no rule has a legal move, all legal moves are considered. Where the convention forbids
    what a rule proposes, the hint with most news looks for another, the other rules have none. How soon moves are
    un-pruned: one at `unprune` visits of a node and one more each time they double; which: any, or by `unprune_by`
    those of the highest learned value first, as the report suggests.

A node is a sequence of moves; the same node serves every deal, and the moves that a deal does not allow are
passed over. It offers all legal moves, or what a list of rules proposes, without hints that would mislead.
Selection takes untried moves first, then the best upper confidence bound. The count below the logarithm is how often a
move could have been chosen, since not every deal allows every move.

Where RIS-MCTS differs from MO-ISMCTS is a single step. Goodman's Algorithm 1 resamples a seat's hand when its
node is entered and restores it on leaving. What the seat may do depends on what it knows, not on what it holds,
so the new hand matters only if it plays or discards: then the card is one that the seat could hold there, and
the rest of its hand stays as it was, as far as that card has not been taken out of it (`redeal_card`).

Goodman's RIS-MCTS-NR has no rollouts: a learned function values every move of a node at once. A new child starts with
one visit whose reward is the estimate; then one child is chosen as ever, which among new ones is the best, and its mean
is what the iteration is worth. It is counted besides the estimate. What is valued is the move, Q(s, a), as the paper
and his program have it. The report values the position, V(s), by the same network with the move's features 0, as if a
hint had led there: with `value=state` every move is made with the cards of the iteration at hand, and the position
after it is valued as the seat that moved sees it; a game that is over counts its score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import kernel, lowest_bit, popcount, stack_array
from kagiya.agents.api import Agent, AgentInfo, Parameter, SearchAgent
from kagiya.agents.playable_now import CONVENTIONS, GROUNDED, hear_hint, misleading_hints
from kagiya.agents.rule_list import candidate_row, proposed_moves, rule_uses
from kagiya.agents.tactics.vocabulary import occupied_slots
from kagiya.cards import MAX_HAND, MAX_PLAYERS, NO_MOVE, MoveNumber, Seat
from kagiya.engine.dice import below
from kagiya.engine.game_kernels import apply_move, discard_move, is_hint, is_over, legal_moves, slot_of
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, Params, States, Streams
from kagiya.engine.memory import clear_memory, copy_memory
from kagiya.learn.values import best_move, value_moves, value_position
from kagiya.moves import FIRST_DISCARD
from kagiya.rules import MAX_DECK, Rules
from kagiya.search import nodes as tree, search_layout as layout, search_options as options
from kagiya.search.ally_likelihood import draw_allies
from kagiya.search.deals import history, past_moves, sampling
from kagiya.search.search_layout import DEALT, KNOWN, ROOT_NODE, SEARCH_STREAM, TRIAL, Nodes, SearchRecord
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.spec import Spec, SpecError
from kagiya.view.hand_sampling import nth_bit

THE_LIST = 0  # the only row of the tree's rules
DISCARDS = ((1 << MAX_HAND) - 1) << FIRST_DISCARD
THE_NETWORK = 0  # the only row of the leaf's numbers
NEVER = -1

tried_masks = stack_array("int64", MAX_DECK)


@kernel
def search_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of the tree searches: iterations until the budget is spent, then the move that did best."""
    work = layout.work_at(int(params[seat, 0]))
    tree.begin_search(states, i, seat, memory, work, rng)
    work["root_moves"] = offered_at_root(work)
    if work["unprune"] or has_choice(work):
        past_moves.weigh_hands(i, seat, memory, work)
        while not tree.is_spent(work):
            deal_root(i, seat, memory, work)
            descend(work)
            back_up(work, path_reward(work))
            work["iterations_done"] += 1
    return tree.end_search(work, final_move(work))


@kernel
def descend(work: SearchRecord) -> None:
    """From the root along the tree to a new node, or as deep as the tree may grow; the path is noted."""
    lanes, nodes = layout.states_of(work), layout.nodes_of(work)
    node, depth = ROOT_NODE, 0
    work["path"][0] = ROOT_NODE
    forget_cards(work)
    work["evaluating"] = work["backup"] == layout.SPLIT and not work["iterations_done"] & 1
    while depth < work["depth_limit"] and not is_over(lanes, TRIAL):
        seat = lanes[TRIAL]["seat"]
        if work["algorithm"] == layout.PREDICTING and seat != work["seat"]:
            make_tree_move(work, depth, tree.model_move(lanes, TRIAL, seat, work))
            continue
        offered = offered_in_tree(work, node, seat)
        move = NO_MOVE if work["leaf"] else untried_move(work, node, offered)
        count_available(nodes, node, offered)
        child = tree.add_child(work, node, move, seat) if move != NO_MOVE else 0
        grown = child != 0
        if work["leaf"]:
            grown = value_children(work, node, seat, offered)
        if child == 0:
            child = best_child(work, node, offered)
        if child == 0:
            break
        node = child
        make_tree_move(work, depth, nodes[node]["move"])
        depth += 1
        work["path"][depth] = node
        if grown:
            break
    work["depth"] = depth
    work["deepest_seen"] = max(work["deepest_seen"], depth)


@kernel
def offered_in_tree(work: SearchRecord, node: int, seat: Seat) -> int:
    """The moves to choose from at a node in this deal."""
    lanes = layout.states_of(work)
    settled = node == ROOT_NODE and not work["defect"]
    offered = work["root_moves"] if settled else offered_moves(lanes, TRIAL, seat, work)
    return unprune(lanes, TRIAL, work, node, offered) if work["unprune"] else offered


@kernel
def path_reward(work: SearchRecord) -> float:
    """What an iteration is worth: the score after a rollout, or, with learned values, its last node's mean so far."""
    lanes = layout.states_of(work)
    node = layout.nodes_of(work)[work["path"][work["depth"]]]
    if not work["leaf"]:
        tree.play_out(lanes, work, work["plies"])
    elif not is_over(lanes, TRIAL) and node["visits"]:
        return node["total"] / node["visits"]
    return tree.reward_of(lanes, TRIAL, work)


@kernel
def back_up(work: SearchRecord, reward: float) -> None:
    """Count the result at the nodes of the path: all of them, or those that the game tried could have come from."""
    nodes = layout.nodes_of(work)
    work["true_iterations"] += work["all_true"]
    tree.count_result(nodes, ROOT_NODE, reward)
    for depth in range(1, work["depth"] + 1):
        place = work["path"][depth]
        if work["backup"] != layout.TO_ALL and not is_possible(work, nodes[place]["actor"], depth):
            continue
        tree.count_result(nodes, place, reward)


@kernel
def is_possible(work: SearchRecord, actor: Seat, depth: int) -> bool:
    """Whether the line of play could be real for the seat whose move led to the node at this depth.

    TO_POSSIBLE: not if another seat shows a card afterwards that this seat sees it does not hold. SPLIT: lines with
    the true cards count for the searching seat's moves, lines with resampled cards for the others' moves.
    """
    if work["backup"] == layout.SPLIT:
        return (actor == work["seat"]) == (work["evaluating"] != 0)
    wrong = 0
    for seat in range(MAX_PLAYERS):
        wrong += seat != actor and work["false_at"][seat] >= depth
    return wrong == 0


@kernel
def final_move(work: SearchRecord) -> MoveNumber:
    """The root's most visited move, or the one with the best mean of those visited twice; ties go to the better.

    As in the released program a visit counts 1 + mean / 1000, so a move a little less visited can win by its mean.
    """
    nodes = layout.nodes_of(work)
    best, highest = NO_MOVE, -1e300
    child = nodes[ROOT_NODE]["child"]
    while child:
        node = nodes[child]
        if node["visits"]:
            worth = node["visits"] + node["total"] / 1000
            if work["final"] == layout.BEST_MEAN:
                worth = node["total"] / node["visits"] - 1000 * (node["visits"] == 1)
            if worth > highest:
                best, highest = node["move"], worth
        child = node["sibling"]
    return best if best != NO_MOVE else first_move(work)


@kernel
def offered_at_root(work: SearchRecord) -> int:
    """What the root offers: the same in every deal, since the seat does not see its own cards; never nothing."""
    lanes = layout.states_of(work)
    offered = offered_moves(lanes, KNOWN, work["seat"], work)
    # With the released program's defect the rules can leave no legal move. Then it falls back on its first card.
    return offered if offered else legal_moves(lanes, KNOWN)


@kernel
def has_choice(work: SearchRecord) -> bool:
    """Whether the root offers more than one move."""
    return work["root_moves"] & (work["root_moves"] - 1) != 0


@kernel
def first_move(work: SearchRecord) -> MoveNumber:
    """The first move that the root offers; NO_MOVE if the game is over."""
    return lowest_bit(work["root_moves"]) if work["root_moves"] else NO_MOVE


@kernel
def deal_root(i: Lane, seat: Seat, memory: Memory, work: SearchRecord) -> None:
    """Lane TRIAL becomes the known game with a hand that the searching seat could hold."""
    lanes = layout.states_of(work)
    draw_allies(work)
    past_moves.restore_masks(work)
    past_moves.draw_hand(seat, work)
    if work["listening"]:
        lanes[DEALT] = lanes[KNOWN]
        sampling.hold_hand(lanes, DEALT, seat, work)
        history.rebuild_memories(i, seat, memory, work)
        copy_memory(layout.memory_of(work), DEALT, TRIAL, layout.extents_of(work))
        lanes[TRIAL] = lanes[DEALT]
    else:
        lanes[TRIAL] = lanes[KNOWN]
        sampling.hold_hand(lanes, TRIAL, seat, work)
        if work["remembering"]:
            clear_memory(layout.memory_of(work), TRIAL, layout.extents_of(work))


@kernel
def forget_cards(work: SearchRecord) -> None:
    """A new line of play, in which no card has been shown yet."""
    work["all_true"] = 1
    for seat in range(MAX_PLAYERS):
        work["false_at"][seat] = NEVER


@kernel
def make_tree_move(work: SearchRecord, depth: int, move: MoveNumber) -> None:
    """Make a move of the tree in lane TRIAL; another seat's card is resampled where the algorithm says so."""
    lanes = layout.states_of(work)
    seat = lanes[TRIAL]["seat"]
    is_shown = not is_hint(move) and resamples(work, seat)
    if is_shown and not past_moves.redeal_card(lanes, TRIAL, seat, slot_of(move), work):
        work["all_true"], work["false_at"][seat] = 0, depth
    past_moves.hear_move(lanes, TRIAL, work, move)
    tree.try_move(lanes, TRIAL, work, move)


@kernel
def resamples(work: SearchRecord, seat: Seat) -> bool:
    """Whether a card that this seat shows is resampled: another's, by RIS-MCTS."""
    return work["algorithm"] == layout.REDETERMINIZING and seat != work["seat"] and not work["evaluating"]


@kernel
def value_children(work: SearchRecord, parent: int, seat: Seat, offered: int) -> bool:
    """Give every offered move a child that starts with its estimate; returns whether there were new ones."""
    untried = offered & ~tree.children_moves(layout.nodes_of(work), parent)
    if untried == 0:
        return False
    if work["by_state"]:
        value_positions(work, seat, untried)
    else:
        value_by_network(layout.states_of(work), TRIAL, seat, work, untried)
    values, grown = work["values"][:], False
    while untried:
        move = lowest_bit(untried)
        untried &= untried - 1
        child = tree.add_child(work, parent, move, seat)
        if child:
            tree.count_result(layout.nodes_of(work), child, values[move])
            grown = True
    return grown


@kernel
def value_by_network(states: States, i: Lane, seat: Seat, work: SearchRecord, moves: int) -> None:
    """Write what the network expects of each of these moves."""
    masks, values, convention = work["convention_masks"][:], work["values"][:], work["convention"]
    rows, start = layout.leaf_of(work), work["leaf_start"]
    value_moves(states, i, seat, masks, convention, rows, THE_NETWORK, start, moves, values)


@kernel
def value_positions(work: SearchRecord, seat: Seat, moves: int) -> None:
    """Write what the network expects of the position after each of these moves, made for a try in lane DEALT."""
    lanes, rows, rng, masks = layout.states_of(work), layout.leaf_of(work), layout.rng_of(work), tried_masks()
    while moves:
        move = MoveNumber(lowest_bit(moves))
        moves &= moves - 1
        lanes[DEALT] = lanes[TRIAL]
        for order in range(MAX_DECK):
            masks[order] = work["convention_masks"][order]
        if not is_hint(move):
            if resamples(work, seat):
                past_moves.redeal_card(lanes, DEALT, seat, slot_of(move), work)
            sampling.top_deck(lanes, DEALT, rng)
        hear_hint(lanes, DEALT, masks, work["convention"], move)
        apply_move(lanes, DEALT, move)
        if is_over(lanes, DEALT):
            work["values"][move] = tree.reward_of(lanes, DEALT, work)
        else:
            work["values"][move] = value_position(lanes, DEALT, seat, masks, rows, THE_NETWORK, work["leaf_start"])


@kernel
def offered_moves(states: States, i: Lane, seat: Seat, work: SearchRecord) -> int:
    """The moves that a node offers to the seat to move in this deal, as a mask: all legal ones or the rules'."""
    legal = legal_moves(states, i)
    forbidden = 0
    if work["convention"] != GROUNDED:
        forbidden = misleading_hints(states, i, seat, work["convention"])
        past_moves.narrow_possible(states, i, seat, work)
    offered = legal
    if work["restricted"]:
        offered = moves_by_rules(states, i, seat, work, forbidden)
    if work["convention"] != GROUNDED:
        past_moves.restore_possible(states, i, seat, work)
    allowed = offered & legal & ~forbidden
    return allowed if allowed or work["defect"] else legal


@kernel
def moves_by_rules(states: States, i: Lane, seat: Seat, work: SearchRecord, forbidden: int) -> int:
    """What the rules of the tree propose, each at most one move, as a mask; not yet checked for legality."""
    state = states[i]
    held_low, held_high = state["hand_low"][seat], state["hand_high"][seat]
    # The released MO-ISMCTS takes the seat's own cards, as dealt, for seen: they cannot be what its slots hold. Where
    # that leaves no kind for any slot, its discard rule throws the first card away.
    if work["defect"]:
        state["hand_low"][seat], state["hand_high"][seat] = 0, 0
    masks, convention = work["convention_masks"][:], work["convention"]
    rules, rng = layout.rules_of(work), layout.rng_of(work)
    moves = proposed_moves(states, i, seat, rules, THE_LIST, rng, masks, convention, forbidden)
    state["hand_low"][seat], state["hand_high"][seat] = held_low, held_high
    if work["defect"] and moves & DISCARDS == 0:
        moves |= 1 << discard_move(lowest_bit(occupied_slots(states, i, seat)))
    return moves


@kernel
def unprune(states: States, i: Lane, work: SearchRecord, parent: int, offered: int) -> int:
    """Widen what the rules offer as visits grow: the moves opened so far, and one more each time they double."""
    nodes = layout.nodes_of(work)
    legal = legal_moves(states, i)
    opened = tree.children_moves(nodes, parent) & legal & ~offered
    earned = 0
    visits = nodes[parent]["visits"] // work["unprune"]
    while visits:
        earned += 1
        visits >>= 1
    if work["convention"] != GROUNDED:
        legal &= ~misleading_hints(states, i, states[i]["seat"], work["convention"])
    closed = legal & ~offered & ~opened
    if popcount(opened) < earned and closed:
        opened |= 1 << move_to_open(states, i, work, closed)
    return offered | opened


@kernel
def move_to_open(states: States, i: Lane, work: SearchRecord, closed: int) -> MoveNumber:
    """Of the moves not opened yet, the one that the network expects most of, or any."""
    if work["learned_order"]:
        value_by_network(states, i, states[i]["seat"], work, closed)
        return best_move(closed, work["values"][:])
    return MoveNumber(nth_bit(closed, below(layout.rng_of(work), TRIAL, SEARCH_STREAM, popcount(closed))))


@kernel
def untried_move(work: SearchRecord, parent: int, offered: int) -> MoveNumber:
    """Any of the offered moves that has no child yet, each as likely; NO_MOVE if all have."""
    untried = offered & ~tree.children_moves(layout.nodes_of(work), parent)
    if untried == 0:
        return NO_MOVE
    if untried & (untried - 1) == 0:
        return lowest_bit(untried)
    return MoveNumber(nth_bit(untried, below(layout.rng_of(work), TRIAL, SEARCH_STREAM, popcount(untried))))


@kernel
def count_available(nodes: Nodes, parent: int, offered: int) -> None:
    """Every child whose move is offered could have been chosen once more."""
    child = nodes[parent]["child"]
    while child:
        nodes[child]["available"] += offered >> nodes[child]["move"] & 1
        child = nodes[child]["sibling"]


@kernel
def best_child(work: SearchRecord, parent: int, offered: int) -> int:
    """The offered child with the highest upper confidence bound, any of those that tie; 0 if there is none."""
    nodes, rng = layout.nodes_of(work), layout.rng_of(work)
    exploration, scale = work["exploration"], work["scale"]
    best, highest, ties = 0, -1e300, 1
    child = nodes[parent]["child"]
    while child:
        node = nodes[child]
        if offered >> node["move"] & 1:
            visits = node["visits"]
            bound = 1e9
            if visits:
                bound = node["total"] / (visits * scale) + exploration * math.sqrt(math.log(node["available"]) / visits)
            if bound > highest:
                best, highest, ties = child, bound, 1
            elif bound == highest:
                ties += 1
                if below(rng, TRIAL, SEARCH_STREAM, ties) == 0:
                    best = child
        child = node["sibling"]
    return best


MAX_RULES = 12  # children that a node without rollouts gets at once, roughly
BACKUPS = ("all", "possible", "split")
PARAMETERS = (
    options.ModelParameter("rollout", "vdb", "the agent that plays on from a leaf"),
    options.LeafParameter("leaf", "none", "the agent whose learned values stand in for rollouts", choices=("none",)),
    options.RulesParameter(
        "rules", "goodman", "the moves that the tree considers", choices=("goodman", "brooks", "all")
    ),
    Parameter("iterations", 1000, "iterations for each move", 1, options.MAX_ITERATIONS, whole=True),
    options.TimeParameter("time", 0, "time for each move, instead of iterations"),
    Parameter("steps", 0, "moves tried out for each move, instead of iterations", 0, 1e9, whole=True),
    Parameter("convention", "none", "what a hint that touches one card says besides", choices=CONVENTIONS),
    options.yes_no("modeled", "yes", "whether rollouts believe the convention"),
    Parameter("c", 0.1, "exploration, for rewards from 0 to 1", 0, 10),
    Parameter("plies", MAX_TURNS, "moves after which a rollout is cut off", 0, MAX_TURNS, whole=True),
    Parameter("depth", 3, "depth of the tree in rounds, and one move more", 0, 20, whole=True),
    Parameter("reward", "score", "what a line of play is worth", choices=("score", "regret")),
    Parameter("final", "visits", "which move is made in the end", choices=("visits", "mean")),
    Parameter("deal", "uniform", "how hidden hands are dealt", choices=sampling.DEALS),
    options.JudgeParameter(
        "past", "none", "who is asked whether a hand explains past moves", choices=("none", "models")
    ),
    Parameter("hands", 200, "own hands weighed by that before a search", 1, 100_000, whole=True),
    Parameter("surprise", 0.3, "how likely others make a move that it would not make, to one that it would", 0, 1),
    Parameter("unprune", 0, "visits after which moves beyond the rules are opened, 0 for never", 0, 1e6, whole=True),
    options.LeafParameter(
        "unprune_by", "random", "the agent by whose learned values they are opened", choices=("random",)
    ),
    Parameter("value", "move", "what the leaf's function values", choices=("move", "state")),
)
DEFECT = options.yes_no("defect", "no", "rules count the actor's own cards as seen")
BACKUP = Parameter("backup", "all", "nodes that a line with a wrong card counts for", choices=BACKUPS)
MODEL = options.ModelParameter("model", "rollout", "how other seats move", choices=("rollout", "seated"))


def search_settings(values: dict[str, Any], rules: Rules) -> dict[str, float]:
    """The fields of the search's record that its parameters set."""
    return {
        **options.budget_settings(values),
        "depth_limit": int(values["depth"]) * rules.players + 1,
        "plies": int(values["plies"]),
        "restricted": values["rules"] != "all",
        "convention": CONVENTIONS.index(values["convention"]),
        "modeled": values["modeled"] == "yes",
        "reward": values["reward"] == "regret",
        "final": values["final"] == "mean",
        "exploration": values["c"],
        "unprune": int(values["unprune"]),
        "learned_order": isinstance(values["unprune_by"], Agent),
        "by_state": values["value"] == "state",
        "defect": values.get("defect") == "yes",
        "backup": BACKUPS.index(values.get("backup", "all")),
        "hands_weighed": 0 if values["past"] == "none" else int(values["hands"]),
        "unexplained_odds": values["surprise"],
    }


def tree_parser(info: AgentInfo) -> Callable[[Spec], dict[str, Any]]:
    """Reads the parameters of a tree search."""
    parse_budget = options.budget_parser(info)

    def parse(spec: Spec) -> dict[str, Any]:
        values = parse_budget(spec)
        leaf, order = values.get("leaf"), values.get("unprune_by")
        if isinstance(leaf, Agent):
            for other, wrong in (("rollout", None), ("reward", "regret")):
                if other in values and wrong in (None, values[other]):
                    raise SpecError(
                        f"{info.id}: {other} does not go with leaf, whose values are scores without rollouts"
                    )
        if isinstance(order, Agent):
            if not values.get("unprune"):
                raise SpecError(f"{info.id}: unprune_by opens no moves without unprune; give its visits")
            if isinstance(leaf, Agent) and leaf.parameters != order.parameters:
                raise SpecError(f"{info.id}: leaf and unprune_by are two networks; give the same to both")
        return values

    return parse


def models_for(values: dict[str, Any], seat: Seat, seated: Sequence[Agent]) -> list[Agent]:
    """Who is taken to play each seat: the rollout's agent, one for the others, or each seat's own."""
    rollout, model = values["rollout"], values.get("model", "rollout")
    if model == "rollout":
        return [rollout] * len(seated)
    others = seated if model == "seated" else [model] * len(seated)
    options.check_models([other for place, other in enumerate(others) if place != seat], "predictor")
    return [rollout if place == seat else other for place, other in enumerate(others)]


def judges_for(info: AgentInfo, values: dict[str, Any], models: Sequence[Agent]) -> list[Agent]:
    """Who is asked about past moves instead of the models: none unless an agent is named."""
    past = values["past"]
    if past == "models":
        for model in models:
            options.check_judge(model, f"{info.id}: past=models: {model.text}")
    return [past] * len(models) if isinstance(past, Agent) else []


def tree_setup(values: dict[str, Any], rules: Rules, algorithm: int, models: Sequence[Agent]) -> SearchSetup:
    """What a tree search is told; the tree has room for every node that it can reach."""
    settings = search_settings(values, rules) | {"algorithm": algorithm}
    if algorithm == layout.PREDICTING:
        settings["depth_limit"] = int(values["depth"]) + 1  # its tree has one move of each round
    most = values["time"] * options.ITERATIONS_PER_SECOND or values["steps"] or values["iterations"]
    leaf_row, leaf, _ = options.leaf_setup(values["leaf"], rules)
    if settings["learned_order"]:  # by the same network as the leaf's, if there is a leaf
        leaf_row, place, _ = options.leaf_setup(values["unprune_by"], rules)
        settings["leaf_start"] = place["leaf_start"]
    return SearchSetup(
        settings | leaf,
        leaf_row=leaf_row,
        rule_row=candidate_row(rule_uses(values["rules"]), values["convention"]),
        nodes=int(min(most * (MAX_RULES if leaf else 1) + 2, options.MAX_NODES)),
        models=models,
    )


def tree_search(name: str, summary: str, algorithm: int, own: Parameter, paper: str = "Goodman2019") -> SearchAgent:
    """A tree search as an agent; `own` is the parameter that the others do not have."""
    info = AgentInfo(name, summary, "search", paper, (*PARAMETERS, own), memory_words=history.HISTORY_WORDS)

    def workspace(values: dict[str, Any], rules: Rules, seat: Seat, seated: Sequence[Agent]) -> SearchWorkspace:
        chosen = options.all_values(info, values)
        models = models_for(chosen, seat, seated)
        setup = tree_setup(chosen, rules, algorithm, models)
        return SearchWorkspace(rules, replace(setup, judges=judges_for(info, chosen, models)))

    return options.tree_agent(info, search_move, history.remember, workspace, tree_parser(info))


MO_ISMCTS = tree_search(
    "mo-ismcts",
    "tree search that deals its own hand once an iteration; partners act as if they saw their cards",
    layout.MULTIPLE_OBSERVER,
    DEFECT,
)
RIS_MCTS = tree_search(
    "ris-mcts",
    "tree search that resamples the hand of whoever acts, so that nobody uses what it cannot know",
    layout.REDETERMINIZING,
    BACKUP,
)
PREDICTOR = tree_search(
    "predictor",
    "tree search over its own moves, with other seats moving as given agents do",
    layout.PREDICTING,
    MODEL,
    paper="WaltonRivers2017",
)
