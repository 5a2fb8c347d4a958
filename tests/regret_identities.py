"""The two identities of regret, for tests: every missing point of a game has a cause."""

import numpy as np
import numpy.typing as npt

from kagiya.lab.regret import Results, team_regret
from kagiya.rules import Rules


def remaining_potential(results: Results) -> npt.NDArray[np.int64]:
    """Points of each game that were neither made impossible nor scored; none after a bomb."""
    left: npt.NDArray[np.int64] = np.where(results["lives"] == 0, 0, results["reachable"] - results["points"])
    return left


def unexplained(results: Results, rules: Rules) -> Results:
    """The rows that break an identity; there are none.

    Brooks's: score + remaining potential = perfect score - team regret. Ours, where cards are left after the
    deal: score = what the deal allowed - direct - indirect regret.
    """
    team = team_regret(results)
    wrong = results["score"] + remaining_potential(results) != rules.perfect_score - team
    left = rules.deck_size - rules.players * rules.hand_size
    if left:
        allowed = min(rules.perfect_score, left + rules.players)
        wrong |= results["score"] != allowed - team - results["indirect"].sum(axis=1)
    broken: Results = results[wrong]
    return broken
