"""The list of hands: never without the true one, the same as a slow twin's, drawn as likely as it says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.cards import Seat
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import GAME
from kagiya.kinds import add_planes
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import Table
from kagiya.search import search_layout
from kagiya.search.deals.hand_list import HandList, ListSetup
from kagiya.search.deals.hand_updates import start_over
from kagiya.search.sparta import deal_believed_game
from kagiya.search.workspace import SearchWorkspace
from kagiya.view.view_kernels import SUBSETS, count_deals
from tests.search.deals.hand_games import at_turn, decisions, slow_list, true_hand
from tests.search.deals.hidden_hands import Hand, can_be_listed, listed_hands, p_value
from tests.search.deals.test_past_moves import asked

Games = Callable[[int], int]

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")

SMALL = parse_rules("standard(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3)", 2)
MUTE = "tests.search.deals.mute:MUTE"
RULES = ("standard", "standard(colors=6, hand_size=3)", "bouzy(hand_size=3)", "standard(drawn_card=vacated)")


def list_of(workspace: SearchWorkspace) -> HandList:
    assert workspace.own_hand is not None
    return workspace.own_hand


def studied(game: Game, agent: str, seed: int = 1) -> tuple[Table, SearchWorkspace]:
    """The seat to move after its search, with the history of the game in its memory."""
    table = Table(game.rules, [find_agent(agent)])
    watch(table, game, seed)
    asked(table)
    workspace = table.workspaces[int(game.seat)]
    assert isinstance(workspace, SearchWorkspace)
    return table, workspace


def test_hands_that_the_seat_sees_it_cannot_hold_are_not_counted() -> None:
    found = HandList(SMALL, ListSetup(owner=Seat(0), capacity=4), [find_agent("smartbot")] * 2)
    found.hands[0, :3] = [0, 1, 2]
    found.weights[:3] = np.cumsum([2.0, 0.0, 6.0])
    found.record["listed"] = 3
    belief = found.belief()
    assert (belief.hands, [chance for _, chance in belief.likeliest][:2]) == (2, [0.75, 0.25])


def test_no_move_says_anything_once_a_player_has_left_the_models_unnoticed() -> None:
    found = HandList(SMALL, ListSetup(owner=Seat(0), capacity=4), [find_agent("smartbot")] * 2)
    for last in (3, 5):
        found.record["listed"] = 2
        start_over(found.record, last)
        assert found.record["skipped"].tolist()[: last + 2] == [1] * last + [0, 0]
    assert (found.record["contradictions"], found.listed()) == (2, None)


@pytest.mark.parametrize(
    ("blueprint", "players"),
    [
        ("smartbot", 2),
        ("smartbot", 3),
        ("smartbot(safe=yes)", 5),
        ("kagiya-two", 2),
        ("holmesbot", 3),
        ("hat-recommendation", 4),
        ("hanabirs-info", 3),
    ],
)
def test_the_true_hand_is_in_the_list_at_every_decision(blueprint: str, players: int, games: Games) -> None:
    agent, listed, doubted = f"sparta(blueprint={blueprint}, deals=4, threshold=0, cap=20000)", 0, set()
    for seed in range(games(5)):
        for _, game, workspace in decisions(agent, blueprint, Rules(players=players), seed):
            hands = list_of(workspace).listed()
            if list_of(workspace).record["skipped"].any():
                doubted.add(seed)
            if hands is not None:
                assert hands.get(true_hand(game, 0), 0) > 0, f"seed {seed}: {game.position()}"
                listed += 1
    assert listed
    # A move that hardly any hand explains is taken for a deviation while hands are sampled, which loses no hand.
    assert len(doubted) * 20 <= games(5), f"seeds {sorted(doubted)}"


@pytest.mark.parametrize("rules", RULES)
def test_the_true_hand_is_in_the_list_by_other_rules(rules: str, games: Games) -> None:
    for players in (2, 4):
        for seed in range(games(2)):
            for _, game, workspace in decisions(
                "sparta(deals=2, cap=5000)", "smartbot", parse_rules(rules, players), seed
            ):
                hands = list_of(workspace).listed()
                assert hands is None or hands.get(true_hand(game, 0), 0) > 0, f"seed {seed}: {game.position()}"


@pytest.mark.parametrize(
    ("blueprint", "rules", "surprise"),
    [
        ("smartbot", SMALL, 0),
        ("simplebot", SMALL, 0),
        ("smartbot", Rules(players=3), 0),
        ("smartbot", SMALL, 0.1),
        ("smartbot", Rules(players=3), 0.02),
    ],
)
def test_the_list_is_what_a_slow_twin_finds(
    blueprint: str, rules: Rules, surprise: float, games: Games, rng: random.Random
) -> None:
    compared, narrowed = 0, 0
    for _ in range(games(40)):
        turns = rng.randrange(2, 12) if rules is SMALL else rng.randrange(30, 60)
        game = at_turn(rules, rng.randrange(10**6), blueprint, turns, rng)
        if game.is_over or not can_be_listed(game, 0) or len(listed_hands(game, 0)) > 300:
            continue
        _, workspace = studied(game, f"sparta(blueprint={blueprint}, deals=2, surprise={surprise})")
        expected = slow_list(game, blueprint, surprise)
        assert list_of(workspace).listed() == pytest.approx(expected, rel=1e-9), game.position()
        compared += 1
        narrowed += sum(expected.values()) < sum(listed_hands(game, 0).values())
    assert compared
    assert narrowed


@pytest.mark.parametrize("surprise", [0, 0.05])
def test_a_list_carried_from_turn_to_turn_is_the_one_made_at_once(surprise: float, games: Games) -> None:
    compared, agent = 0, f"sparta(deals=4, cap=5000, surprise={surprise})"
    for seed in range(games(4)):
        for _, game, workspace in decisions(agent, "smartbot", Rules(players=3), seed):
            carried = list_of(workspace).listed()
            if carried is None or game.turn % 4:
                continue
            _, fresh = studied(game, f"sparta(deals=2, cap=1000000, surprise={surprise})")
            assert list_of(fresh).listed() == pytest.approx(carried, rel=1e-9), f"seed {seed}: {game.position()}"
            compared += 1
    assert compared


def test_moves_that_say_nothing_leave_what_the_hints_leave(games: Games, rng: random.Random) -> None:
    compared = 0
    for _ in range(games(30)):
        game = at_turn(SMALL, rng.randrange(10**6), MUTE, rng.randrange(2, 10), rng)
        if game.is_over:
            continue
        _, workspace = studied(game, f"sparta(blueprint={MUTE}, deals=2)")
        weights = list_of(workspace).listed()
        assert weights is not None
        assert weights == dict(listed_hands(game, 0))
        table = np.zeros(2 * SUBSETS, np.int64)
        state = game.states[LANE]
        low, high = state["deck_low"], state["deck_high"]
        low, high = add_planes(low, high, state["hand_low"][0], state["hand_high"][0])
        occupied = count_deals(game.states, LANE, 0, low, high, table)
        assert sum(weights.values()) == table[SUBSETS + occupied]
        compared += 1
    assert compared


@pytest.mark.parametrize("surprise", [0, 0.2])
@pytest.mark.parametrize("cap", [100_000, 1])
def test_hands_are_drawn_as_likely_as_they_are(cap: int, surprise: float, rng: random.Random) -> None:
    tested, worst = 0, 1.0
    while tested < 8:
        game = at_turn(SMALL, rng.randrange(10**6), "smartbot", rng.randrange(2, 8), rng)
        if game.is_over:
            continue
        ways = slow_list(game, "smartbot", surprise)
        if len(ways) < 2:
            continue
        table, workspace = studied(game, f"sparta(deals=2, cap={cap}, surprise={surprise})", tested)
        assert (list_of(workspace).listed() is None) == (cap == 1)
        found: Counter[Hand] = Counter()
        for _ in range(2000):
            deal_believed_game(table.states, GAME, 0, table.memory, workspace.work, list_of(workspace).record)
            found[tuple(int(card) for card in workspace.states[search_layout.DEALT]["hands"][0, :2])] += 1
        worst = min(worst, p_value(found, ways))
        tested += 1
    assert worst > 1e-5


@pytest.mark.parametrize("partner", ["random", "vdb"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_partner_that_leaves_the_blueprint_is_noticed_and_the_search_goes_on(
    partner: str, players: int, games: Games
) -> None:
    unexplained = 0
    for seed in range(games(5)):
        for _, _, workspace in decisions("sparta(deals=2, cap=5000)", partner, Rules(players=players), seed):
            hands = list_of(workspace).listed()
            assert hands is None or sum(hands.values()) > 0
            belief = list_of(workspace).belief()
            unexplained += bool(belief.unexplained)
            assert ("left the blueprint" in str(belief)) == bool(belief.unexplained)
    assert unexplained


def test_another_game_at_the_same_table_starts_a_new_list(rng: random.Random) -> None:
    one = at_turn(SMALL, 1, "smartbot", 4, rng)
    other = at_turn(SMALL, 2, "smartbot", 4, rng)
    table = Table(SMALL, [find_agent("sparta(deals=2)")])
    for game in (one, other, one):
        watch(table, game, 1)
        asked(table)
        workspace = table.workspaces[int(game.seat)]
        assert isinstance(workspace, SearchWorkspace)
        assert list_of(workspace).listed() == slow_list(game, "smartbot")


def test_a_belief_names_the_move_of_another_seat_that_told_most() -> None:
    named = 0
    for _, game, workspace in decisions("sparta(deals=2)", "smartbot", Rules(players=3), 1):
        belief = list_of(workspace).belief()
        if belief.telling_turn is not None:
            assert belief.telling_turn % 3 != 0
            assert 0 < belief.ruled_out <= 1
            named += 1
        if belief.hands == 1:
            assert belief.likeliest[0][1] == 1
            assert str(belief).startswith("1 possible: ")
        assert sum(chance for _, chance in belief.likeliest) <= 1 + 1e-9, game.position()
    assert named


def test_memory_is_bounded() -> None:
    workspace = Table(Rules(players=2), [find_agent("sparta")]).workspaces[0]
    assert isinstance(workspace, SearchWorkspace)
    hands = list_of(workspace)
    arrays = (hands.hands, hands.rows, hands.unexplained, hands.memories, hands.places, hands.weights)
    assert sum(array.nbytes for array in arrays) < 100 << 20
