"""SPARTA: one seat searches on an exact belief about its own hand, while the others play a blueprint that it knows.

Source
    Lerer, Hu, Foerster and Brown 2020, single-agent search. The seat knows every hand it may hold: hands under which
    the others would have moved otherwise are ruled out. Every move is tried in games dealt from that belief, all seats
    playing the blueprint afterwards, and the blueprint's own move is left only for one that is better by a threshold.
Published
    Two players over SAD, one seat and both: entered in `reproductions/strength.toml`. Over SmartBot 24.21 and 59.1 %
    perfect are remembered, a bomb scoring 0; the paper's table was not at hand, so no table of ours has it.
Where the source is silent
    The released program gives every kind drawn the same weight, whatever copies are left; here hands weigh as many
    ways as there are to deal them. It counts a bomb as one point less in its thoughts; here by the rules of the table.
    The first hands, before a hint has told enough, are millions: they are sampled and replayed, and what does not
    explain the story is thrown away, which is as exact.
    A partner that does not play the blueprint: a move that no hand explains says nothing but what it says literally.
    How all seats can search. The source repeats the partner's search for every hand that it may have seen, at 180
    million rollouts a game; seats that search freely lose more than they gain. `sparta-both` is ours: a move must beat
    the blueprint's by two standard errors too (`caution`), so that seats leave it in about four of a hundred moves, and
    a hand that leaves a move unexplained becomes less likely by `surprise` instead of impossible, so that the true
    hand stays in the list. docs/strength.md has what this and its settings are worth.
    How to spend little time. As in depth-one search, lines can be cut off after `plies` moves and valued by a learned
    function (`leaf=forecast`); endings that are tried one by one are still played out.

A hand of the list (`deals/hand_list.py`) is drawn by the ways to deal it; while there are too many to list, hands are
sampled, replayed and rejected. In endings, with few cards left to draw, every hand of the list and every order of the
deck is tried, not a sample. The value of a move is then the exact expectation if all play as modeled from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import Agent, AgentInfo, Parameter, SearchAgent, Values
from kagiya.cards import NO_CARD, MoveNumber, Seat
from kagiya.engine.dice import next_word
from kagiya.engine.layout import Lane, Memory, Params, States, Streams
from kagiya.engine.memory import DECLARED
from kagiya.kinds import count_matching, kind_bit, remove_bit
from kagiya.moves import NUM_MOVES
from kagiya.rules import MAX_DECK
from kagiya.search import flat_search, search_layout as layout, search_options as options
from kagiya.search.deals import hand_list, history, sampling
from kagiya.search.deals.hand_list import EMPTY_SLOT, NOT_LISTED, SLOT_BITS, HandsRecord
from kagiya.search.deals.hand_updates import EXPLAINED, bring_up_to_date, follow, forget_list, read_story, start_over
from kagiya.search.nodes import begin_search, copy_dice
from kagiya.search.search_layout import DEALT, KNOWN, SEARCH_STREAM, TRIAL, SearchRecord
from kagiya.search.workspace import SearchSetup
from kagiya.spec import SpecError
from kagiya.view.view_kernels import unseen_planes

MAX_TO_DRAW = 3  # cards whose orders are tried
MAX_CLASHES = 20_000  # sampled hands after which the last one found is taken again
BETWEEN_LOOKS = 63  # sampled hands between two looks at the clock, less one
NEVER = MAX_DECK  # `oldest`: no answer counts


@kernel
def exact_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of a search with one list of hands: all moves in deal after deal until the race is over."""
    work = layout.work_at(int(params[seat, 0]))
    begin_search(states, i, seat, memory, work, rng)
    hands = hand_list.hands_at(work["own_hand_address"])
    open_moves = flat_search.distinct_moves(work)
    if open_moves:
        study_hand(states, i, seat, memory, work, hands)
        deal_believed_game(states, i, seat, memory, work, hands)
        open_moves |= flat_search.ask_evaluator(seat, work)
    return race(states, i, seat, memory, work, open_moves)


@kernel
def race(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, moves: int) -> MoveNumber:
    """The move that is best in deal after deal, or in all of them if they are few."""
    hands = hand_list.hands_at(work["own_hand_address"])
    flat_search.open_root(work, moves)
    if moves & (moves - 1) and count_endings(work, hands):
        try_endings(states, i, seat, work, hands, moves)
    while not work["is_exact"] and flat_search.is_open(work, moves):
        deal_believed_game(states, i, seat, memory, work, hands)
        moves = flat_search.try_all(work, moves)
    return flat_search.end_flat_search(work, moves)


@kernel
def study_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Find out what the seat may hold; lane DEALT is left with what its own model remembers.

    The dice of the deals stay as they are, so that it does not matter whether this was found out before.
    """
    copy_dice(layout.rng_of(work), KNOWN, TRIAL)
    flat_search.deal_hand(states, i, seat, work)
    if not work["whole_history"]:
        forget_list(hands)
        history.rebuild_memories(i, seat, memory, work)
        return
    read_story(i, seat, memory, work, hands)
    bring_up_to_date(work, hands, work["turns"])
    flat_search.deal_hand(states, i, seat, work)
    history.rebuild_memories(i, seat, memory, work)
    if hands["listed"] != NOT_LISTED:
        weigh_hands(work, hands)
        if hands["total"] > 0.0:
            return
        start_over(hands, work["turns"])
    probe(states, i, seat, memory, work, hands)
    copy_dice(layout.rng_of(work), KNOWN, TRIAL)  # `probe` rolls only the first time it is asked
    find_fewest(states, i, seat, memory, work, hands)


@kernel
def deal_believed_game(
    states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord
) -> None:
    """Lane DEALT becomes a whole game that the seat may be in, as likely as it is."""
    copy_dice(layout.rng_of(work), KNOWN, TRIAL)
    if not work["whole_history"]:
        flat_search.deal_hand(states, i, seat, work)
    elif hands["listed"] == NOT_LISTED:
        deal_sampled_hand(states, i, seat, memory, work, hands)
    else:
        lay_entry(states, i, seat, work, hands, draw_entry(work, hands))
    flat_search.settle_dice(work, flat_search.deal_rest(work))


@kernel
def weigh_hands(work: SearchRecord, hands: HandsRecord) -> None:
    """Sum up the ways to deal each hand of the list from the cards that its owner does not see."""
    lanes, listed, weights = layout.states_of(work), hand_list.hands_of(hands), hand_list.weights_of(hands)
    pool_low, pool_high = unseen_planes(lanes, KNOWN, hands["owner"], hands["owner"])
    total, side, size = 0.0, hands["side"], lanes[KNOWN]["hand_size"]
    hands["possible"] = 0
    for entry in range(hands["listed"]):
        packed, low, high, ways = listed[side, entry], pool_low, pool_high, 1
        for _ in range(size):
            card = packed & EMPTY_SLOT
            packed >>= SLOT_BITS
            if card != EMPTY_SLOT:
                ways *= count_matching(low, high, kind_bit(card))
                if ways == 0:
                    break
                low, high = remove_bit(low, high, kind_bit(card))
        total += ways * hands["odds"] ** hand_list.unexplained_of(hands)[side, entry]
        hands["possible"] += ways > 0
        weights[entry] = total
    hands["total"] = total


@kernel
def draw_entry(work: SearchRecord, hands: HandsRecord) -> int:
    """An entry of the list, as likely as it weighs."""
    weights = hand_list.weights_of(hands)
    high_word = next_word(layout.rng_of(work), TRIAL, SEARCH_STREAM)
    wanted = (high_word + sampling.roll(work)) / sampling.WORD_VALUES * hands["total"]
    first, last = 0, hands["listed"] - 1
    while first < last:
        middle = (first + last) // 2
        if weights[middle] > wanted:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def lay_entry(states: States, i: Lane, seat: Seat, work: SearchRecord, hands: HandsRecord, entry: int) -> None:
    """Lane DEALT becomes the known game under a hand of the list, with what everybody remembers then."""
    side = hands["side"]
    packed = hand_list.hands_of(hands)[side, entry]
    for slot in range(layout.states_of(work)[KNOWN]["hand_size"]):
        card = packed >> SLOT_BITS * slot & EMPTY_SLOT
        work["hand"][slot] = NO_CARD if card == EMPTY_SLOT else card
    flat_search.lay_hand(states, i, seat, work)
    hand_list.load_row(work, hands, side, hand_list.rows_of(hands)[side, entry], DEALT)


@kernel
def propose_hand(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> int:
    """Lane DEALT gets a hand that fits the hints; returns the turn at which it is given up, or EXPLAINED.

    If it explains all, but for as many moves as are allowed, lane TRIAL has what everybody remembers.
    """
    lanes = layout.states_of(work)
    sampling.sample_hand(lanes, KNOWN, seat, work, layout.rng_of(work))
    flat_search.lay_hand(states, i, seat, work)
    history.restart_game(i, seat, memory, work)
    hands["unexplained"] = 0
    return follow(work, hands, 0, work["turns"], sampling.oldest_order(lanes, DEALT, seat))


@kernel
def find_fewest(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Find out how many moves even the best of some sampled hands leaves unexplained, which tell nothing."""
    hands["fewest"] = hands["most_unexplained"]
    for _ in range(hands["probes"]):
        if hands["fewest"] == 0 or layout.is_late(work, 1):
            return
        hands["allowed"] = hands["fewest"] - 1
        if propose_hand(states, i, seat, memory, work, hands) == EXPLAINED:
            hands["fewest"] = hands["unexplained"]


@kernel
def roll_allowance(work: SearchRecord, hands: HandsRecord) -> None:
    """Roll how many moves the next sampled hand may leave unexplained, so that it is as likely as it weighs."""
    hands["allowed"] = hands["fewest"]
    if hands["odds"] > 0.0:
        hands["allowed"] += min(hands["most_unexplained"], sampling.roll_unexplained(work, hands["odds"]))


@kernel
def probe(states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord) -> None:
    """Find moves that hardly any hand explains, as of one that plays otherwise; nothing is concluded from them.

    The hand that explains the story furthest tells which move stands in the way. What was found once stands: to be
    asked again must not change it.
    """
    hands["allowed"] = hands["most_unexplained"]
    while hands["probed_turns"] < work["turns"]:
        furthest = 0
        for _ in range(hands["probes"]):
            turn = propose_hand(states, i, seat, memory, work, hands)
            sampling.keep_hand(work)
            if turn == EXPLAINED:
                hands["probed_turns"] = work["turns"]
            if turn == EXPLAINED or layout.is_late(work, 1):
                return
            furthest = max(furthest, turn)
        hands["skipped"][furthest] = 1


@kernel
def deal_sampled_hand(
    states: States, i: Lane, seat: Seat, memory: Memory, work: SearchRecord, hands: HandsRecord
) -> None:
    """Lane DEALT becomes the known game under a sampled hand that explains the story, with what everybody remembers."""
    for trial in range(MAX_CLASHES):
        roll_allowance(work, hands)
        if propose_hand(states, i, seat, memory, work, hands) == EXPLAINED:
            sampling.keep_hand(work)
            break
        if trial == MAX_CLASHES - 1 or (trial & BETWEEN_LOOKS == 0 and layout.is_late(work, 1)):
            sampling.recall_hand(work)
            flat_search.lay_hand(states, i, seat, work)
            history.restart_game(i, seat, memory, work)
            follow(work, hands, 0, work["turns"], NEVER)
            break
    copy_others(work, hands, TRIAL, DEALT)


@kernel
def copy_others(work: SearchRecord, hands: HandsRecord, source: Lane, target: Lane) -> None:
    """What the seats that see the hand remember, from one lane into another."""
    memories, extents = layout.memory_of(work), layout.extents_of(work)
    for seat in range(hands["players"]):
        if seat != hands["owner"]:
            for word in range(extents[seat, DECLARED]):
                memories[target, seat, word] = memories[source, seat, word]


@kernel
def count_endings(work: SearchRecord, hands: HandsRecord) -> int:
    """How many deals there are, hands and orders of the deck; 0 if they are not to be tried one by one."""
    state = layout.states_of(work)[KNOWN]
    left = state["deck_size"] - state["drawn"]
    if not work["whole_history"] or hands["listed"] == NOT_LISTED or left > MAX_TO_DRAW:
        return 0
    orders = 1
    for place in range(2, left + 1):
        orders *= place
    deals = hands["listed"] * orders
    return deals if deals <= work["most_endings"] else 0


@kernel
def try_endings(states: States, i: Lane, seat: Seat, work: SearchRecord, hands: HandsRecord, moves: int) -> None:
    """Try every move in every deal; no move is dropped, and no lead is due to chance."""
    orders = count_endings(work, hands) // hands["listed"]
    work["is_exact"] = 1
    for entry in range(hands["listed"]):
        weight = weight_of(hands, entry)
        if weight == 0.0 or work["stop"]:
            continue
        work["deal_weight"] = weight / hands["total"] * hands["possible"]
        for order in range(orders):
            lay_entry(states, i, seat, work, hands, entry)
            order_deck(layout.states_of(work), DEALT, order)
            flat_search.settle_dice(work, 1 + order)
            flat_search.try_all(work, moves)


@kernel
def weight_of(hands: HandsRecord, entry: int) -> float:
    """The ways to deal a hand of the list; none if the seat sees that it cannot hold it."""
    weights = hand_list.weights_of(hands)
    return weights[entry] - weights[entry - 1] if entry else weights[entry]


@kernel
def order_deck(states: States, i: Lane, number: int) -> None:
    """Put the deck's cards in the order of this number, of all orders of its cards."""
    state = states[i]
    deck, place = state["deck"], state["drawn"]
    kinds = state["deck_low"] | state["deck_high"]
    while kinds:
        card = lowest_bit(kinds)
        kinds &= kinds - 1
        for _ in range(count_matching(state["deck_low"], state["deck_high"], 1 << card)):
            deck[place] = card
            place += 1
    for first in range(state["drawn"], state["deck_size"]):
        choices = state["deck_size"] - first
        other = first + number % choices
        number //= choices
        deck[first], deck[other] = deck[other], deck[first]


SURPRISE = "how likely others make a move that the blueprint would not make, to one that it would; 0 for never"
EARLY = "whether moves that are surely behind are dropped every ten deals of the first fifty"
MAX_UNEXPLAINED = 3  # moves that a hand may leave unexplained: one with more is as good as impossible


def parameters(threshold: float, caution: float, surprise: float, early: str) -> tuple[Parameter, ...]:
    """What can be set of a search on an exact belief."""
    return (
        options.BlueprintParameter(
            "blueprint", "smartbot", "the agent that the other seats play, and all seats after the move"
        ),
        options.SAMPLES,
        options.TIME,
        Parameter("threshold", threshold, "points by which a move must beat the blueprint's own", 0, 25),
        Parameter("caution", caution, "standard errors of its lead by which it must do so besides", 0, 100),
        options.RACING,
        options.SURE,
        Parameter(
            "endings", 2000, "deals near the end that are tried one by one, not sampled; 0 for none", 0, 1e6, True
        ),
        Parameter("surprise", surprise, SURPRISE, 0, 0.5),
        options.yes_no("early", early, EARLY),
        Parameter("cap", 100_000, "hands that are listed at most; more are sampled", 1, 10_000_000, whole=True),
        *options.LEAF_PARAMETERS,
    )


def exact_settings(chosen: dict[str, Any]) -> dict[str, float]:
    """The fields of the search's record."""
    return {
        **options.budget_settings({**chosen, "deal": "uniform"}),
        **options.race_settings(chosen),
        "final": layout.BEST_MEAN,
        "depth_limit": 1,
        "margin": chosen["threshold"],
        "caution": chosen["caution"],
        "most_endings": int(chosen["endings"]),
        "early_looks": layout.SURELY_BEHIND if chosen["early"] == "yes" else 0,
    }


def check_blueprints(info: AgentInfo, blueprint: Agent, seated: Sequence[Agent]) -> None:
    """Refuse a partner that searches over another blueprint: it would misread every move."""
    for agent in seated:
        if agent.info.id == info.id and (other := agent.models[0]).text != blueprint.text:
            raise SpecError(
                f"{info.id}: all its seats must have the same blueprint, not {blueprint.text} and {other.text}; "
                "give them one"
            )


def exact_search(
    name: str, summary: str, paper: str, settings: tuple[Parameter, ...], for_all_seats: bool
) -> SearchAgent:
    """A search on an exact belief as an agent, for one seat or for all."""
    info = AgentInfo(name, summary, "search", paper, settings, memory_words=history.HISTORY_WORDS)

    def setup(chosen: Values, seat: Seat, seated: Sequence[Agent]) -> SearchSetup:
        if for_all_seats:
            check_blueprints(info, chosen["blueprint"], seated)
        most_unexplained = MAX_UNEXPLAINED if chosen["surprise"] > 0 else 0
        return SearchSetup(
            exact_settings(chosen),
            nodes=1 + NUM_MOVES,
            models=[chosen["blueprint"]] * len(seated),
            own_hand=hand_list.ListSetup(seat, int(chosen["cap"]), chosen["surprise"], most_unexplained),
        )

    return options.flat_agent(info, exact_move, setup)


SPARTA = exact_search(
    "sparta",
    "knows every hand it may hold if the others play a blueprint, and tries every move in them",
    "Lerer2020",
    parameters(threshold=0.05, caution=0, surprise=0, early="no"),
    for_all_seats=False,
)
SPARTA_BOTH = exact_search(
    "sparta-both",
    "the same for all seats at once: hands that leave a move unexplained are unlikely, not impossible",
    "Kagiya",
    parameters(threshold=0.1, caution=2, surprise=0.01, early="yes"),
    for_all_seats=True,
)
