"""No card is lost or made in a search, and only those are resampled that the search says are."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pytest

from kagiya import find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.cards import MAX_KINDS, NO_CARD
from kagiya.engine.batch import make_move, sorted_deck
from kagiya.engine.game_kernels import is_over, legal_moves
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import NUM_MOVES
from kagiya.search.ismcts import NEVER
from kagiya.search.search_layout import KNOWN, TRIAL
from tests.search.by_hand import TreeByHand, ask, at_position, held
from tests.search.deals.hidden_hands import planes_of
from tests.searches import SEARCHES, players_for, quick

Games = Callable[[int], int]

KINDS = np.arange(MAX_KINDS)
FEW = 100 if JIT_OFF else 300
ITERATIONS = 3 if JIT_OFF else 12
SHORT = ", plies=4" if JIT_OFF else ""  # for the interpreter
LATE = """
turn 12; tokens 4; fireworks R2 G1; discards R1 Y3
alice Y5 R4 G3; bob Y4 R3(R!,3!) G2; cathy R1 W4 B3; rules goodman(hand_size=3)
"""
SETTINGS = [
    ("mo-ismcts", "rules=all"),
    ("mo-ismcts", "rules=goodman, defect=yes"),
    ("mo-ismcts", "rules=goodman, convention=playable-now, deal=left-to-right"),
    ("ris-mcts", "rules=all"),
    ("ris-mcts", "rules=goodman, convention=playable-now, unprune=2"),
    ("ris-mcts", "rules=goodman, convention=next-seat, backup=split"),
    ("ris-mcts", "rollout=smartbot, backup=possible, deal=slot-by-slot"),
    ("ris-mcts", "rollout=random, depth=20, deal=assignment"),
    ("predictor", "model=smartbot"),
    ("predictor", "rollout=random, convention=next-seat, modeled=no"),
]
GAMES = [("standard", 2), ("goodman", 5), ("standard(colors=2, copies=2/1/1, hand_size=2)", 3), ("bouzy", 4)]


def counts(low: Any, high: Any) -> Any:
    return (np.int64(low) >> KINDS & 1) + 2 * (np.int64(high) >> KINDS & 1)


def assert_all_cards_are_there(state: Any, deck: list[int]) -> None:
    """The deck's cards are in the deck, the hands, the discards and the fireworks; hands agree with their planes."""
    players, size = int(state["players"]), int(state["hand_size"])
    total = counts(state["deck_low"], state["deck_high"]) + counts(state["discard_low"], state["discard_high"])
    total += counts(state["played"], 0)
    for seat in range(players):
        total += counts(state["hand_low"][seat], state["hand_high"][seat])
        hand = [card for card in state["hands"][seat, :size].tolist() if card != NO_CARD]
        assert planes_of(hand) == (state["hand_low"][seat], state["hand_high"][seat])
    assert total.tolist() == np.bincount(deck, minlength=MAX_KINDS).tolist()
    assert counts(state["deck_low"], state["deck_high"]).sum() == state["deck_size"] - state["drawn"]
    assert state["played"].item().bit_count() == state["fireworks"].sum()


@pytest.mark.parametrize(("name", "setting"), SETTINGS)
@pytest.mark.parametrize(("rules", "players"), GAMES)
def test_every_card_is_somewhere_once_in_whole_games(
    name: str, setting: str, rules: str, players: int, rng: random.Random
) -> None:
    table = Table(parse_rules(rules, players), [find_agent(f"{name}(iterations=100, {setting}{SHORT})")])
    for _ in range(1 if JIT_OFF else 3):
        table.start_game(rng.randrange(10**6))
        while not is_over(table.states, GAME) and not (JIT_OFF and table.states[GAME]["turn"] > 12):
            legal = [move for move in range(NUM_MOVES) if legal_moves(table.states, GAME) >> move & 1]
            found = checked_move(TreeByHand(table))
            assert found in legal
            # Now and then any move, so that games come up which the search would not play.
            move = found if rng.random() < 0.8 else rng.choice(legal)
            make_move(table.states, GAME, table.memory, table.params, table.observes, move)


def checked_move(tree: TreeByHand) -> int:
    """The move that some iterations find, with all cards counted after every step."""
    known, deck = tree.lanes[KNOWN].tobytes(), sorted_deck(tree.table.rules)
    for _ in range(ITERATIONS):
        for step in (tree.deal, tree.descend, tree.finish):
            step()
            assert_all_cards_are_there(tree.trial, deck)
    assert tree.lanes[KNOWN].tobytes() == known
    return tree.choice()


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_ends_with_all_cards_where_they_can_be(name: str, games: Games) -> None:
    table = Table(parse_rules("standard", players_for(name, 3)), [quick(name)])
    deck, looked_at = sorted_deck(table.rules), 0
    for seed in range(games(3)):
        table.start_game(seed)
        while not is_over(table.states, GAME) and not (JIT_OFF and looked_at > 8):
            move, workspace = ask(table)
            if workspace.work["iterations_done"]:
                assert_all_cards_are_there(workspace.states[TRIAL], deck)
                looked_at += 1
            make_move(table.states, GAME, table.memory, table.params, table.observes, move)
    assert looked_at > 2


def shown_since(before: Any, after: Any) -> Counter[int]:
    """The cards that were played or discarded between two states."""
    shown = counts(after["discard_low"], after["discard_high"]) + counts(after["played"], 0)
    shown -= counts(before["discard_low"], before["discard_high"]) + counts(before["played"], 0)
    return Counter({kind: int(count) for kind, count in enumerate(shown)})


def keeps_cards(before: Any, after: Any, seats: Collection[int]) -> bool:
    """Whether what these seats held is what they still hold or have shown."""
    later = held(after, range(int(after["players"])))
    departed: Counter[int] = Counter()
    for order, card in held(before, seats).items():
        if order not in later:
            departed[card] += 1
        elif later[order] != card:
            return False
    return departed <= shown_since(before, after)


@pytest.mark.parametrize("agent", ["mo-ismcts", "ris-mcts", "predictor"])
def test_only_ris_deals_cards_anew_and_never_its_own(agent: str) -> None:
    tree = at_position(f"{agent}(iterations=1000, plies=2)", LATE)
    others = [seat for seat in range(3) if seat != tree.seat]
    changed = shown = 0
    for _ in range(FEW):
        tree.deal()
        before = tree.trial.copy()
        tree.descend()
        assert keeps_cards(before, tree.trial, [tree.seat])
        true = keeps_cards(before, tree.trial, others)
        assert true or not tree.work["all_true"]
        changed += not tree.work["all_true"]
        shown += not true
        tree.finish()
    assert (changed > 0) == (shown > 0) == (agent == "ris-mcts")
    assert tree.work["true_iterations"] == FEW - changed


KNOWN_HAND = "alice Y5 R4 G3; bob Y4(Y!,4!) R1(R!,1!) G4(G!,4!); tokens 4; rules goodman(hand_size=3)"


@pytest.mark.parametrize("is_known", [True, False])
def test_a_card_that_its_owner_knows_is_always_the_true_one(is_known: bool) -> None:
    text = KNOWN_HAND if is_known else re.sub(r"\(.!,.!\)", "", KNOWN_HAND)
    tree = at_position("ris-mcts(iterations=1000, depth=1, plies=2)", text)
    false = set()
    for _ in range(FEW):
        tree.iterate(1)
        false.add(tuple(tree.work["false_at"][:2].tolist()))
    # Bob moves second, once; what alice shows is never resampled.
    assert false == ({(NEVER, NEVER)} if is_known else {(NEVER, NEVER), (NEVER, 1)})
