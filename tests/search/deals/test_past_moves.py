"""Deals that explain what the others did, against every hand listed and judged the slow way."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.cards import NO_CARD
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import GAME
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import Table
from kagiya.search import search_layout
from kagiya.search.deals.past_moves import count_unexplained
from kagiya.search.flat_search import deal_game, deal_hand
from kagiya.search.nodes import begin_search
from kagiya.search.workspace import SearchWorkspace
from tests.search.deals.hidden_hands import Hand, listed_hands, p_value, unseen_cards

Games = Callable[[int], int]
SMALL = parse_rules("bouzy(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3)", 2)


def evaluators_moves(game: Game, deck: list[int], evaluator: str) -> list[int]:
    """What the evaluator would have done at each turn of the game, had it been dealt from this deck."""
    table, dealt, found = Table(game.rules, [find_agent(evaluator)]), Game(game.rules, deck=deck), []
    for turn in range(len(game.moves)):
        watch(table, dealt, 1)
        found.append(asked(table))
        dealt.make(game.moves[turn])
    return found


def asked(table: Table) -> int:
    """What the seat to move answers."""
    seat = int(table.states[GAME]["seat"])
    kind = table.agents[seat].compiled
    return int(kind.act(table.states, GAME, seat, table.memory, table.params, table.rng))


def with_hand(game: Game, hand: Hand) -> list[int]:
    """The deck from which the game was dealt, if this is the hand of the seat to move."""
    assert game.deck is not None
    state, seat = game.states[LANE], int(game.seat)
    drawn: list[int] = [*game.deck[: int(state["drawn"])]]
    rest = Counter(unseen_cards(game, seat))
    for slot, card in enumerate(hand):
        if card != NO_CARD:
            drawn[int(state["order"][seat, slot])] = card
            rest[card] -= 1
    return drawn + list(rest.elements())


def unexplained_by_hand(game: Game, hand: Hand, evaluator: str = "confidence") -> int:
    """Moves of other seats that the evaluator would not have made, had it seen this hand."""
    seat, deck, count = int(game.seat), with_hand(game, hand), 0
    oldest = min(int(order) for order in game.states[LANE]["order"][seat] if order >= 0)
    replay = Game(game.rules, deck=deck)
    for move, expected in zip(game.moves, evaluators_moves(game, deck, evaluator), strict=True):
        is_others = int(replay.seat) != seat and int(replay.states[LANE]["drawn"]) > oldest
        count += is_others and expected != int(move)
        replay.make(move)
    return count


def searching(game: Game, agent: str, seed: int) -> tuple[Table, SearchWorkspace]:
    """The seat to move, its search begun, with the history of the game in its memory."""
    table, seat = Table(game.rules, [find_agent(agent)]), int(game.seat)
    watch(table, game, seed)
    workspace = table.workspaces[seat]
    assert isinstance(workspace, SearchWorkspace)
    begin_search(table.states, GAME, seat, table.memory, workspace.work, table.rng)
    return table, workspace


def half_careless(rng: random.Random, evaluator: str = "confidence", rules: Rules = SMALL) -> Game:
    """A few turns of play, half of it careless, so that some moves are unexplained."""
    game = Game(rules, rng.randrange(10**6))
    for _ in range(rng.randint(2, 2 + 2 * rules.players)):
        if game.is_over:
            break
        table = Table(rules, [find_agent(evaluator if rng.random() < 0.5 else "random")])
        watch(table, game, rng.randrange(10**6))
        game.make(asked(table))
    return game


def dealt_hand(workspace: SearchWorkspace, seat: int) -> Hand:
    return tuple(
        int(card) for card in workspace.states[search_layout.DEALT]["hands"][seat, : workspace.rules.hand_size]
    )


@pytest.mark.parametrize(
    ("evaluator", "rules"),
    [("confidence", SMALL), ("confidence", parse_rules("bouzy", 3)), ("smartbot", Rules(players=3))],
)
def test_unexplained_moves_are_counted_as_by_hand(
    evaluator: str, rules: Rules, games: Games, rng: random.Random
) -> None:
    seen: Counter[int] = Counter()
    for _ in range(max(games(60), 6)):
        game = half_careless(rng, evaluator, rules)
        if game.is_over:
            continue
        seat = int(game.seat)
        table, workspace = searching(game, f"depth-one(evaluator={evaluator}, believe=no)", 1)
        deal_hand(table.states, GAME, seat, workspace.work)
        hand = dealt_hand(workspace, seat)
        found = int(count_unexplained(GAME, seat, table.memory, workspace.work))
        assert found == unexplained_by_hand(game, hand, evaluator), game.position()
        seen[found] += 1
    assert len(seen) > 1, seen


@pytest.mark.skipif(JIT_OFF, reason="too many deals for the interpreter")
@pytest.mark.parametrize("rejects", [False, True])
def test_hands_are_dealt_in_proportion_to_how_well_they_explain_the_past(rejects: bool, rng: random.Random) -> None:
    tested, worst = 0, 1.0
    while tested < 20:
        game = half_careless(rng)
        if game.is_over:
            continue
        seat, hands = int(game.seat), listed_hands(game, int(game.seat))
        # Ways are integers, so that the best explanation counts most rather than once.
        ways = Counter({hand: count * 4 ** (8 - unexplained_by_hand(game, hand)) for hand, count in hands.items()})
        if len({ways[hand] / hands[hand] for hand in hands}) == 1:
            continue
        table, workspace = searching(game, "depth-one(believe=no, surprise=0.25, proposals=20)", tested)
        workspace.work["rejects"] = rejects
        found: Counter[Hand] = Counter()
        for _ in range(2000):
            deal_game(table.states, GAME, seat, table.memory, workspace.work)
            found[dealt_hand(workspace, seat)] += 1
        worst = min(worst, p_value(found, ways))
        assert p_value(found, hands) < 0.01 or p_value(found, ways) > p_value(found, hands)
        tested += 1
    assert worst > 1e-5


@pytest.mark.skipif(JIT_OFF, reason="too many deals for the interpreter")
def test_without_surprises_a_hand_that_leaves_more_unexplained_than_another_is_out(rng: random.Random) -> None:
    tested = 0
    while tested < 10:
        game = half_careless(rng)
        if game.is_over:
            continue
        seat, unexplained = int(game.seat), {}
        for hand in listed_hands(game, int(game.seat)):
            unexplained[hand] = unexplained_by_hand(game, hand)
        table, workspace = searching(game, "depth-one(believe=no, surprise=0, proposals=50)", tested)
        workspace.work["rejects"] = True
        found = []
        for _ in range(200):
            deal_game(table.states, GAME, seat, table.memory, workspace.work)
            found.append(unexplained[dealt_hand(workspace, seat)])
        assert set(found[100:]) == {min(unexplained.values())}, game.position()
        tested += len(set(unexplained.values())) > 1


@pytest.mark.parametrize(("evaluator", "rejected"), [("confidence", 0), ("smartbot", 0), ("hanabirs-info", 1)])
def test_hands_are_rejected_by_themselves_where_the_evaluator_speaks_in_code(evaluator: str, rejected: int) -> None:
    workspace = Table(Rules(players=3), [find_agent(f"depth-one(evaluator={evaluator})")]).workspaces[0]
    assert isinstance(workspace, SearchWorkspace)
    assert workspace.work["rejects"] == rejected


def test_an_evaluator_that_sees_its_hand_says_nothing_by_not_telling() -> None:
    for agent, margin in (
        ("depth-one-seer", 0.1),
        ("depth-one(evaluator=cheatbot)", 0),
        ("depth-one(surprise=1)", 0.1),
    ):
        workspace = Table(parse_rules("bouzy", 3), [find_agent(agent)]).workspaces[0]
        assert isinstance(workspace, SearchWorkspace)
        assert (workspace.work["proposals"], workspace.work["margin"]) == (0, margin)


def test_a_new_search_keeps_nothing_of_the_last(rng: random.Random) -> None:
    game = half_careless(rng)
    table, workspace = searching(game, "depth-one(believe=no)", 1)
    for _ in range(3):
        deal_game(table.states, GAME, int(game.seat), table.memory, workspace.work)
    assert workspace.work["unexplained"] >= 0
    begin_search(table.states, GAME, int(game.seat), table.memory, workspace.work, table.rng)
    assert workspace.work["unexplained"] == search_layout.NO_HAND_KEPT
