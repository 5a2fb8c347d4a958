"""Bouzy's depth-one search: the right move where there is one, fair comparisons, true memories, nothing peeked at."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import HAS_CLOCK, JIT_OFF
from kagiya.agents._base import CompiledAgent
from kagiya.cards import Seat, parse_cards
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.kernels import is_over, legal_moves
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import FIRST_HINT, NO_MOVE, NUM_MOVES, move_name, parse_move
from kagiya.search.deals.sampling import settle_deck
from kagiya.search.flat.flat_search import distinct_moves, open_root
from kagiya.search.flat.racing import add_products, best_child_of, not_hopeless, still_open
from kagiya.search.flat.shared_deals import deal_game, try_line
from kagiya.search.frame import begin_search
from kagiya.search.layout import DEALT, KNOWN, TRIAL
from kagiya.search.nodes import count_result, start_tree
from kagiya.search.workspace import Workspace
from tests.agents.positions import in_words, read
from tests.blindness import check_blindness

Games = Callable[[int], int]

SMALL = "; rules standard(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3) players=2"  # R1 R1 R2 R3 Y1 Y1 Y2 Y3
# Two turns are left: nothing to play for alice, and bob has one card that fits, if he is told of it.
TWO_LEFT = "turn 6; tokens 2; fireworks R2; discards Y1 Y1; alice Y3(Y!,3!) Y2(Y!,2!); bob R3 R1; left 2" + SMALL
OWN_CARD = "fireworks R1; alice Y5 R2(R!,2!) G3; bob Y4 W4 G4; tokens 3; rules bouzy(hand_size=3)"


def sit_down(agent: str, text: str, seed: int = 1) -> tuple[Table, int, Workspace]:
    """A table in this position, the seat to move, and what its search works with."""
    rules, states = read(text)
    table = Table(rules, [find_agent(agent)])
    table.start_game(seed)
    table.states[GAME] = states[0]
    seat = int(states[0]["seat"])
    workspace = table.workspaces[seat]
    assert isinstance(workspace, Workspace)
    return table, seat, workspace


def ask(table: Table, seat: int) -> int:
    kind = table.agents[seat].type
    assert isinstance(kind, CompiledAgent)
    return int(kind.act(table.states, GAME, seat, table.memory, table.params, table.rng))


def searched(agent: str, text: str, seed: int = 1) -> tuple[str, Workspace]:
    table, seat, workspace = sit_down(agent, text, seed)
    return in_words(table.rules, table.states[GAME : GAME + 1], ask(table, seat)), workspace


def root_moves(workspace: Workspace) -> dict[int, Any]:
    """The nodes of the moves that were tried."""
    return {int(node["move"]): node for node in workspace.nodes[1 : workspace.work["nodes_used"]] if node["actor"] >= 0}


def mask_of(moves: Any) -> int:
    return sum(1 << int(move) for move in moves)


@pytest.mark.parametrize("seed", range(5))
def test_a_card_known_to_fit_is_played_on_the_last_turn(seed: int) -> None:
    text = "turn 8; tokens 3; fireworks R2; discards R1 Y1 Y2; alice R3(R!,3!) Y1; bob Y3 --; left 1" + SMALL
    move, workspace = searched("depth-one(deals=20)", text, seed)
    assert move == "play 1"
    best = root_moves(workspace)[0]
    assert best["total"] == 3 * best["visits"]


@pytest.mark.parametrize("seed", range(5))
def test_bob_is_told_of_the_card_that_he_will_play(seed: int) -> None:
    move, _ = searched("depth-one(deals=20)", TWO_LEFT, seed)
    assert move in ("hint bob red", "hint bob 3")


@pytest.mark.parametrize(("racing", "deals"), [("no", 70), ("yes", 50)])
def test_the_race_is_over_when_one_move_is_left(racing: str, deals: int) -> None:
    text = "turn 6; tokens 2; fireworks R1; discards R1 Y1 Y1; alice R2(R!,2!) Y3; bob R3 Y2; left 2" + SMALL
    move, workspace = searched(f"depth-one(deals=70, racing={racing})", text)
    assert move == "play 1"
    assert workspace.work["iterations_done"] == deals


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
@pytest.mark.parametrize("racing", ["no", "yes"])
def test_a_sure_card_is_played_while_there_is_time(racing: str) -> None:
    # Every other move leaves it to be played a round later.
    move, workspace = searched(f"depth-one(deals=2000, racing={racing})", OWN_CARD)
    assert move == "play 2"
    visits = {int(node["visits"]) for node in root_moves(workspace).values()}
    assert (len(visits) > 1) == (racing == "yes")  # somebody was dropped


def after(agent: str, text: str, history: Sequence[str], seed: int = 1) -> tuple[Table, int, Workspace]:
    """The table after some moves that all have heard of."""
    table, seat, _ = sit_down(agent, text, seed)
    for words in history:
        move = int(parse_move(words, Seat(seat), table.rules.players))
        make_move(table.states, GAME, table.memory, table.params, table.observes, move)
        seat = int(table.states[GAME]["seat"])
    workspace = table.workspaces[seat]
    assert isinstance(workspace, Workspace)
    return table, seat, workspace


def dealt_cards(agent: str, text: str, history: Sequence[str], slot: int) -> set[int]:
    """The cards that a slot of the seat to move is dealt in thirty searches."""
    cards = set()
    for seed in range(30):
        table, seat, workspace = after(agent, text, history, seed)
        ask(table, seat)
        cards.add(int(workspace.states[DEALT]["hands"][seat, slot]))
        assert workspace.states[DEALT]["possible"][seat].tolist() == table.states[GAME]["possible"][seat].tolist()
    return cards


THREE = "alice Y5 R4 G3; bob Y4 R1 G4; cathy R1 W4 B4; tokens 8; rules bouzy(hand_size=3)"


def test_the_evaluator_is_believed_when_hands_are_dealt() -> None:
    told = dealt_cards("depth-one(deals=1)", THREE, ["hint bob red"], 1)
    assert told == set(parse_cards("R1"))
    assert dealt_cards("depth-one(deals=1, believe=no)", THREE, ["hint bob red"], 1) > told


def test_a_card_called_fitting_is_no_copy_of_one_played_since() -> None:
    history = ["hint bob 1", "hint cathy red", "play 1", "hint cathy 5"]
    told = dealt_cards("depth-one(deals=1)", THREE, history, 1)
    assert told
    assert told <= set(parse_cards("Y1 G1 W1 B1"))


def test_counting_hands_that_fit_has_a_table_of_its_own() -> None:
    """A flat search has no path; what a belief leaves open is counted elsewhere."""
    table, seat, workspace = after("depth-one(deals=1)", THREE, ["hint bob red"])
    ask(table, seat)
    assert workspace.work["deal_table"].any()
    assert not workspace.work["path"].any()


def test_no_hint_is_given_that_would_be_taken_for_what_is_not_so() -> None:
    text = THREE.replace("bob Y4 R1 G4", "bob Y4 R3 G4")
    for believe in ("yes", "no"):
        table, seat, workspace = after(f"depth-one(deals=1, believe={believe})", text, [])
        ask(table, seat)
        tried = {move_name(move, Seat(seat), 3) for move in root_moves(workspace)}
        assert ("hint bob red" in tried) == (believe == "no")
        assert {"hint cathy red", "play 1"} <= tried


@pytest.mark.parametrize("evaluator", ["confidence", "smartbot"])
def test_a_position_that_was_set_up_has_no_history(evaluator: str) -> None:
    for text in (TWO_LEFT, OWN_CARD):
        move, workspace = searched(f"depth-one(deals=3, evaluator={evaluator})", text)
        assert move
        assert not workspace.work["whole_history"]
    table, seat, workspace = after(f"depth-one(deals=3, evaluator={evaluator})", THREE, ["hint bob 1", "play 2"])
    ask(table, seat)
    assert workspace.work["whole_history"]


def begin(agent: str, text: str) -> tuple[Table, int, Workspace]:
    table, seat, workspace = sit_down(agent, text)
    begin_search(table.states, GAME, seat, table.memory, workspace.work, table.rng)
    return table, seat, workspace


def test_all_moves_of_a_deal_draw_the_same_cards_with_the_same_dice() -> None:
    table, seat, workspace = begin("depth-one(evaluator=random)", OWN_CARD)
    work, lanes = workspace.work, workspace.states
    hands, values = set(), set()
    for _ in range(20):
        deal_game(table.states, GAME, seat, table.memory, work)
        dealt, dice = lanes[DEALT].copy(), workspace.rng[DEALT].copy()
        hands.add(tuple(dealt["hands"][seat].tolist()))
        for move in range(NUM_MOVES):
            if not work["root_moves"] >> move & 1:
                continue
            value = try_line(work, move, NO_MOVE)
            end, drawn = lanes[TRIAL].tobytes(), int(lanes[TRIAL]["drawn"])
            assert lanes[TRIAL]["deck"][drawn:].tolist() == dealt["deck"][drawn:].tolist()
            assert try_line(work, move, NO_MOVE) == value
            assert lanes[TRIAL].tobytes() == end
            values.add(value)
        assert lanes[DEALT].tobytes() == dealt.tobytes()
        assert np.array_equal(workspace.rng[DEALT], dice)
    assert len(hands) > 10
    assert len(values) > 3


def test_a_settled_deck_has_every_order_equally_often(games: Games) -> None:
    _, _, workspace = begin("depth-one", "alice R1 R2; bob Y1 R3; deck Y2 R1 Y1 Y3; tokens 3" + SMALL)
    lanes, count = workspace.states, max(games(9600), 960)
    pool = sorted(parse_cards("R1 R2 Y2 R1 Y1 Y3"))  # alice does not see her hand
    orders = dict.fromkeys(set(permutations(pool)), 0)
    for _ in range(count):
        lanes[DEALT] = lanes[KNOWN]
        settle_deck(lanes, DEALT, workspace.rng)
        orders[tuple(lanes[DEALT]["deck"][4 : 4 + len(pool)].tolist())] += 1
    expected = count / len(orders)
    chi_squared = sum((seen - expected) ** 2 / expected for seen in orders.values())
    freedom = len(orders) - 1
    assert chi_squared < freedom + 5 * math.sqrt(2 * freedom)


def test_a_move_is_dropped_by_the_spread_of_its_difference_to_the_leader(rng: random.Random) -> None:
    _, _, workspace = begin("depth-one(confidence=2, margin=0.3, caution=1.5, indifference=0.1)", OWN_CARD)
    work = workspace.work
    for trial in range(50):
        start_tree(work)
        moves = rng.sample(range(NUM_MOVES), 12)
        open_root(work, mask_of(moves))
        nodes = {int(workspace.nodes[place]["move"]): place for place in range(1, int(work["nodes_used"]))}
        skill = {move: rng.gauss(10, 0.6) for move in moves}
        deals = rng.randint(2, 40)
        values = np.zeros((deals, NUM_MOVES))
        for deal in range(deals):
            luck = rng.gauss(0, 5)  # what all moves share must not count
            for move in moves:
                values[deal, move] = round(skill[move] + luck + rng.gauss(0, 1 + move / 20))
                work["values"][move] = values[deal, move]
                count_result(workspace.nodes, nodes[move], values[deal, move])
            add_products(work, mask_of(moves))
        work["iterations_done"] = deals
        work["evaluator_move"] = moves[0]
        leads = {move: values[:, move] - values[:, moves[0]] for move in moves}
        errors = {move: lead.std(ddof=1) / math.sqrt(deals) for move, lead in leads.items()}
        standing = {move: leads[move].mean() - (0.3 + 1.5 * errors[move]) * (move != moves[0]) for move in moves}
        leader = min(moves, key=lambda move: (-standing[move], move))
        expected = set(moves)
        for move in set(moves) - {leader}:
            error = (values[:, leader] - values[:, move]).std(ddof=1) / math.sqrt(deals)
            if standing[leader] - standing[move] + 0.1 > 2 * error + 1e-9:
                expected.remove(move)
        assert still_open(work, mask_of(moves)) == mask_of(expected), f"trial {trial}"


def test_an_early_look_drops_what_is_surely_behind_and_hints_that_say_the_same() -> None:
    _, _, workspace = begin("depth-one(evaluator=hanabirs-info)", OWN_CARD)
    work = workspace.work
    plays, discard, hints = [0, 1], 5, [FIRST_HINT, FIRST_HINT + 1, FIRST_HINT + 2]
    start_tree(work)
    open_root(work, mask_of([*plays, discard, *hints]))
    nodes = {int(workspace.nodes[place]["move"]): place for place in range(1, int(work["nodes_used"]))}
    work["evaluator_move"] = hints[1]
    for deal in range(10):
        # Against the leader: behind in one deal of ten, behind in all, the same, the same, itself, ahead in one.
        lead = dict(zip([*plays, discard, *hints], [-(deal == 3), -1, 0, 0, 0, deal == 4], strict=True))
        for move, place in nodes.items():
            work["values"][move] = 20 + lead[move]
            count_result(workspace.nodes, place, 20.0 + lead[move])
        add_products(work, mask_of(nodes))
    work["iterations_done"] = 10
    assert not_hopeless(work, mask_of(nodes)) == mask_of([0, discard, hints[1], hints[2]])


@pytest.mark.parametrize(
    "evaluator", ["smartbot", "holmesbot", "simplebot", "osawa-self", "hanabirs-info", "cox-information"]
)
def test_the_models_remember_what_they_would_if_the_guess_is_true(evaluator: str, games: Games) -> None:
    players = find_agent(evaluator).info.players[0]
    team = [f"depth-one-seer(evaluator={evaluator}, deals=1)", *[evaluator] * (players - 1)]
    table = Table(Rules(players=players), [find_agent(text) for text in team])
    compared = 0
    for seed in range(max(games(5), 1)):
        table.start_game(seed)
        while not is_over(table.states, GAME) and not (JIT_OFF and compared > 5):
            seat = int(table.states[GAME]["seat"])
            move = ask(table, seat)
            if seat == 0:
                compared += compare_memories(table, evaluator)
            make_move(table.states, GAME, table.memory, table.params, table.observes, move)
    assert compared > 5


def compare_memories(table: Table, evaluator: str) -> int:
    workspace, words = table.workspaces[0], find_agent(evaluator).info.memory_words
    assert isinstance(workspace, Workspace)
    assert np.array_equal(workspace.states[DEALT]["hands"], table.states[GAME]["hands"])
    # Word 0 is the reason of the last move, which a search does not ask for.
    found, real = workspace.memory[DEALT, 1:5, 1:words], table.memory[GAME, 1:5, 1:words]
    assert np.array_equal(found, real)
    return int(real.any())


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
@pytest.mark.parametrize("evaluator", ["confidence", "smartbot", "vdb", "hanabirs-info", "hat-recommendation"])
# hints that mean more, memory, dice, codes
def test_nothing_hidden_is_looked_at(evaluator: str, games: Games) -> None:
    for rules in (Rules(players=5), Rules(players=2)):
        able = rules if find_agent(evaluator).why_not(rules) is None else parse_rules("bouzy", rules.players)
        check_blindness(find_agent(f"depth-one(deals=2, evaluator={evaluator})"), able, max(games(3), 1))


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
@pytest.mark.parametrize("evaluator", ["cheatbot", "hanabirs-cheat", "confidence", "random"])
def test_agents_that_see_more_can_play_on_too(evaluator: str) -> None:
    table = Table(parse_rules("bouzy", 3), [find_agent(f"depth-one(deals=2, evaluator={evaluator})")])
    check_blindness(table.agents[0], table.rules, 1)


def test_the_search_that_sees_its_hand_uses_it() -> None:
    text = "turn 8; tokens 0; lives 1; fireworks R2 Y1; discards R1 Y2; alice Y1 R3; bob Y3 --; left 1" + SMALL
    for seed in range(5):
        assert searched("depth-one-seer(deals=1)", text, seed)[0] == "play 2"


def test_a_single_move_and_no_move_need_no_thought() -> None:
    table, seat, workspace = sit_down("depth-one", OWN_CARD)
    table.states[GAME]["lives"] = 0
    assert ask(table, seat) == NO_MOVE
    table.states[GAME]["lives"] = 1
    table.states[GAME]["tokens"] = 0
    table.states[GAME]["hands"][seat, 1:] = -1
    table.states[GAME]["max_tokens"] = 0
    table.states[GAME]["discard_at_full_tokens"] = 0
    assert ask(table, seat) == 0
    assert workspace.work["iterations_done"] == 0


@pytest.mark.parametrize("tokens", [0, 8])
def test_every_legal_move_is_tried_once_in_a_single_deal(tokens: int) -> None:
    text = OWN_CARD.replace("tokens 3", f"tokens {tokens}")
    table, seat, workspace = sit_down("depth-one(deals=1, evaluator=smartbot)", text)
    legal = int(legal_moves(table.states, GAME))
    assert legal >> ask(table, seat) & 1
    tried = root_moves(workspace)
    assert mask_of(tried) == legal
    assert {int(node["visits"]) for node in tried.values()} == {1}
    assert workspace.work["iterations_done"] == 1
    assert workspace.nodes[0]["visits"] == len(tried)


@pytest.mark.skipif(not HAS_CLOCK, reason="compiled code has no clock here")
def test_time_ends_a_search_before_its_deals() -> None:
    move, workspace = searched("depth-one(racing=no, time=20ms)", OWN_CARD)
    assert move
    assert 0 < workspace.work["iterations_done"] < 10_000_000


def test_of_hints_that_change_nothing_one_is_tried() -> None:
    known = "alice Y5 R4 G3; bob Y4(Y!,4!) W4(W!,4!) G4(G!,4!); rules bouzy(hand_size=3)"
    _, _, workspace = begin("depth-one", known)
    assert (int(distinct_moves(workspace.work)) >> 10).bit_count() == 1
    _, _, listened = begin("depth-one(evaluator=smartbot)", known)
    assert (int(distinct_moves(listened.work)) >> 10).bit_count() == 10


def test_at_depth_two_a_move_is_worth_its_best_reply() -> None:
    text = "turn 6; tokens 2; fireworks R1; discards R1 Y1 Y1; alice R2(R!,2!) Y3(Y!,3!); bob R3 Y2; left 2" + SMALL
    move, workspace = searched("depth-one(depth=2, deals=5, evaluator=random)", text)
    assert move == "play 1"
    first = next(node for node in workspace.nodes[1:] if node["move"] == 0 and node["actor"] == 0)
    assert (first["total"], first["visits"]) == (15.0, 5)  # R2 and then always R3
    # At depth one bob would play it by chance only.
    _, flat = searched("depth-one(deals=50, evaluator=random, racing=no)", text)
    assert 2 <= root_moves(flat)[0]["total"] / 50 < 3


def test_at_depth_two_the_end_of_the_game_is_its_own_reply() -> None:
    text = "turn 8; tokens 3; fireworks R2; discards R1 Y1 Y2; alice R3(R!,3!) Y1; bob Y3 --; left 1" + SMALL
    move, workspace = searched("depth-one(depth=2, deals=5)", text)
    assert move == "play 1"
    assert workspace.nodes[0]["visits"] == 5 * int(workspace.work["root_moves"]).bit_count()


@pytest.mark.skipif(JIT_OFF, reason="too many games for the interpreter")
def test_only_a_move_that_is_better_by_the_margin_replaces_the_evaluators_own() -> None:
    chosen: dict[int, list[bool]] = {0: [], 25: []}
    for seed in range(20):
        for margin, found in chosen.items():
            agent = f"depth-one(deals=20, racing=no, believe=no, margin={margin}, caution=0)"
            _, workspace = searched(agent, "alice Y5 R4 G3; bob Y4 R1 G4; rules bouzy(hand_size=3)", seed)
            found.append(bool(workspace.work["chosen"] == workspace.work["evaluator_move"]))
    assert all(chosen[25])
    assert not all(chosen[0])


@pytest.mark.parametrize(("deals", "is_replaced"), [(10, False), (1000, True)])
def test_the_fewer_the_deals_the_more_a_move_must_lead(deals: int, is_replaced: bool) -> None:
    _, _, workspace = begin("depth-one(margin=0.1, caution=3)", OWN_CARD)
    work = workspace.work
    start_tree(work)
    open_root(work, mask_of([0, 1]))
    work["evaluator_move"], work["iterations_done"] = 0, deals
    nodes = {int(workspace.nodes[place]["move"]): place for place in (1, 2)}
    for deal in range(deals):
        work["values"][0], work["values"][1] = 10, 10.5 + (2 if deal % 2 else -2)  # a lead of 0.5, and its noise
        for move in (0, 1):
            count_result(workspace.nodes, nodes[move], work["values"][move])
        add_products(work, mask_of([0, 1]))
    assert int(workspace.nodes[best_child_of(work, mask_of([0, 1]))]["move"]) == int(is_replaced)
