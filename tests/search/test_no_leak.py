"""No leak: with the hidden cards resampled a search grows the same tree, whatever it is set to."""

from collections.abc import Callable

import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.lab.table.table import Table
from tests.blindness import check_blindness, check_table
from tests.searches import SEARCHES, players_for, quick

Games = Callable[[int], int]

pytestmark = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")

BUDGET = "iterations=15"
ROLLOUTS = ("vdb", "random", "smartbot", "confidence")
TREES = ("mo-ismcts", "ris-mcts", "predictor")
SETTINGS = (
    "rules=goodman",
    "rules=all, convention=playable-now",
    "rules=goodman, convention=playable-now",
    "rules=all, convention=next-seat",
    "rules=goodman, convention=next-seat, modeled=no",
    "rules=goodman, convention=discardable",
    "rules=goodman, deal=slot-by-slot, reward=regret, final=mean",
    "rules=goodman, unprune=2, deal=left-to-right, plies=3",
)
SPECIAL = (
    "mo-ismcts(rules=goodman, defect=yes)",
    "ris-mcts(rules=goodman, backup=possible)",
    "ris-mcts(rules=all, backup=split)",
    "ris-mcts(past=models, hands=5)",
    "mo-ismcts(past=smartbot, hands=5, convention=playable-now)",
    "depth-one(evaluator=vdb, past=evalfn(iteration=1))",
    "depth-one(evaluator=smartbot, early=yes, plies=5, leaf=forecast, deals=12)",
    "depth-one(evaluator=smartbot, plies=5, leaf=evalfn(iteration=1))",
    "sparta-both(plies=5, leaf=forecast, deals=12)",
    "ris-mcts(leaf=evalfn(iteration=1), value=state, convention=next-seat)",
    "ris-mcts(unprune=2, unprune_by=evalfn(iteration=1))",
    "mo-ismcts(leaf=evalfn(iteration=1), unprune=2, unprune_by=evalfn(iteration=1), convention=playable-now)",
    "predictor(model=smartbot)",
    "predictor(model=confidence, convention=playable-now)",
    "ally(policies=list(vdb, smartbot, random, confidence), hands=2)",
    "ally(kept=yes, favourite=piers, reward=regret)",
    "ally(likelihood=network, policies=goodman)",
    "ally(leaf=evalfn(iteration=1), policies=list(vdb, evalfn))",
    "ally-flat(policies=list(iggi, holmesbot, cautious), hands=3, draws=2)",
    "ally-flat(kept=yes, evaluator=smartbot)",
)


@pytest.mark.parametrize("rollout", ROLLOUTS)
@pytest.mark.parametrize("name", TREES)
def test_a_tree_search_with_any_rollout_is_blind(name: str, rollout: str, games: Games) -> None:
    for players in (2, 5):
        check_blindness(quick(f"{name}({BUDGET}, rollout={rollout})"), Rules(players=players), games(4))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", TREES)
def test_a_tree_search_with_any_setting_is_blind(name: str, setting: str, games: Games) -> None:
    for players in (2, 4):
        check_blindness(quick(f"{name}({BUDGET}, {setting})"), parse_rules("goodman", players), games(4))


@pytest.mark.parametrize("text", SPECIAL)
def test_what_only_one_search_can_be_set_to_is_blind_too(text: str, games: Games) -> None:
    check_blindness(quick(text), Rules(players=3), games(4))


@pytest.mark.parametrize("name", [name for name in SEARCHES if not find_agent(name).info.sees_own_hand])
def test_every_search_is_blind_in_unusual_games(name: str, games: Games) -> None:
    for text in ("standard(colors=6)", "standard(hand_size=1)", "bouzy(hand_size=3)", "quuxplusone(lives=1)"):
        check_blindness(quick(name), parse_rules(text, players_for(name, 3)), games(2))


def test_a_search_that_models_its_partners_is_blind(games: Games) -> None:
    for text in ("predictor(model=seated)", "ally", "ally-flat"):
        table = Table(Rules(players=3), [quick(text), *map(quick, ("smartbot", "confidence"))])
        check_table(table, range(games(4)))
