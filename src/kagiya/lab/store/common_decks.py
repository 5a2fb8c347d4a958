"""Two cells of the store on the decks that both have played: the paired difference, and where it is largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import duckdb
import numpy as np

from kagiya.lab.statistics.differences import Difference, compare_pair
from kagiya.lab.store.cell_games import scores_by_deck
from kagiya.lab.store.errors import UnreadableStoreError
from kagiya.lab.store.store import Store
from kagiya.lab.store.teams import StoredTeam


@dataclass(frozen=True)
class DeckPair:
    """One deck, and the game (its seating) and mean score of each cell on it."""

    seed: int
    first: float
    second: float
    first_seating: int
    second_seating: int


@dataclass(frozen=True)
class PairedCells:
    """How two cells did on common decks."""

    difference: Difference
    ahead: int  # decks on which the first scored more
    level: int
    behind: int
    best_for_first: tuple[DeckPair, ...]
    best_for_second: tuple[DeckPair, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "difference": self.difference.to_json()}


def compare_on_common_decks(
    store: Store, names: tuple[str, str], first: Sequence[StoredTeam], second: Sequence[StoredTeam], shown: int = 3
) -> PairedCells:
    """The first minus the second, deck by deck; both by the same rules and with as many players."""
    both = f"""WITH a AS ({scores_by_deck(store, first)}), b AS ({scores_by_deck(store, second)})
        SELECT seed, a.score AS one, b.score AS other, a.seating AS one_seating, b.seating AS other_seating
        FROM a JOIN b USING (seed, is_foreign) ORDER BY seed"""
    try:
        found = store.connection.execute(both).fetchnumpy()
    except duckdb.Error as error:
        raise UnreadableStoreError(store.path, error) from None
    one, other = np.asarray(found["one"], float), np.asarray(found["other"], float)
    order = np.argsort(one - other, kind="stable")
    pairs = [DeckPair(*(found[name][place].item() for name in COLUMNS)) for place in (*order[:shown], *order[-shown:])]
    leads = [pair for pair in reversed(pairs) if pair.first > pair.second]
    trails = [pair for pair in pairs if pair.first < pair.second]
    return PairedCells(
        compare_pair(*names, one, other),
        int((one > other).sum()),
        int((one == other).sum()),
        int((one < other).sum()),
        tuple(dict.fromkeys(leads))[:shown],
        tuple(dict.fromkeys(trails))[:shown],
    )


COLUMNS = ("seed", "one", "other", "one_seating", "other_seating")
