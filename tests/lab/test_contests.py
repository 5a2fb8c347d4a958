"""The contests of one line: what they find is what their commands find, and it can be shown in every form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kagiya
from kagiya import ContestResult, Match, Move, Observation, Rules
from kagiya.lab.experiment import Experiment
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.tournament import tally_cells
from tests.children import run_python

GAMES = 30


def mean_of(agent: str, players: int, rules: str = "standard") -> float:
    return kagiya.play_match(Match.of(kagiya.parse_rules(rules, players), agent, GAMES)).summary.mean


class Nth:
    """Makes the nth legal move."""

    def __init__(self, n: int = 0) -> None:
        self.n = n

    def act(self, observation: Observation) -> Move:
        return observation.legal_moves[self.n % len(observation.legal_moves)]


def test_importing_kagiya_loads_nothing_heavy() -> None:
    found = run_python(
        "import sys, kagiya; print({'numpy', 'numba', 'pandas', 'matplotlib', 'duckdb'} & {*sys.modules})"
    )
    assert found.strip() == "set()"


def test_a_comparison_has_the_differences_and_who_is_better() -> None:
    found = kagiya.compare("random", "iggi", "careful", players=2, games=GAMES)
    assert [row.agent for row in found.ranked][2] == "random"
    assert {row.agent: row.mean for row in found.ranked} == {
        name: pytest.approx(mean_of(name, 2)) for name in ("random", "iggi", "careful")
    }
    by_mean = np.array([row.mean for row in found.ranked])
    differences = np.where(np.eye(3, dtype=bool), 0, found.matrix)
    assert differences == pytest.approx(by_mean[:, None] - by_mean[None, :])
    assert any(note.startswith("careful is better than random") for note in found.notes)
    sure = kagiya.compare(["careful", "random"], games=2000, until_sure=True)
    assert sure.details.decks < 200


def test_crossplay_is_that_of_the_command() -> None:
    found = kagiya.crossplay("careful", "random", games=GAMES)
    planned = Experiment(("careful", "random"), "one-of", games=GAMES).plan()
    with Store.in_memory() as store:
        report = run_matches([each.match for each in planned], store)
        cells = {cell: tally for (_, _, cell), tally in tally_cells(store, report, planned).items()}
    names = [row.agent for row in found.ranked]
    assert found.matrix.tolist() == [[cells[one, host].mean for host in found.columns] for one in names]
    assert found.errors.tolist() == [[cells[one, host].se for host in found.columns] for one in names]
    assert found.ranked[0].mean == max(cells["careful", "random"].mean, cells["random", "careful"].mean)


def test_a_tournament_has_a_ranking_for_each_track() -> None:
    found = kagiya.tournament("careful", "random", players=(2, 3), games=GAMES)
    assert [row.track for row in found.ranked] == ["mirror", "mirror", "mixed", "mixed"]
    assert found.columns == [2, 3]
    assert found.matrix[0] == pytest.approx([mean_of("careful", count, "goodman") for count in (2, 3)])
    assert found.ranked[0].mean == pytest.approx(found.matrix[0].mean())
    with pytest.raises(ValueError, match="a track is mirror, mixed or both, not 'mired'"):
        kagiya.tournament("careful", "random", track="mired")


def test_a_league_leaves_empty_what_an_agent_does_not_play() -> None:
    found = kagiya.league("osawa-self", "cheatbot", players=(2, 3), games=GAMES, rules=Rules(lives=4))
    assert [row.agent for row in found.ranked] == ["cheatbot", "osawa-self"]
    assert np.isnan(found.matrix).tolist() == [[False, False], [False, True]]
    assert found.title.startswith("standard(lives=4): a bomb scores 0")
    assert [row["mark"] for row in found.rows] == ["sees its own hand", "sees its own hand", ""]
    with pytest.raises(ValueError, match="kagiya-two plays with 2 players, not 3"):
        kagiya.crossplay("kagiya-two", "careful", games=2)


def test_a_store_keeps_a_contest_and_is_asked_for_it(tmp_path: Path) -> None:
    played = kagiya.crossplay("careful", "random", players=2, games=GAMES, store=tmp_path)
    again = kagiya.crossplay("careful", "random", players=2, games=GAMES, store=tmp_path)
    assert (played.details.computed, again.details.computed) == (4 * GAMES, 0)
    found = kagiya.open_store(tmp_path)
    assert found.matrix.shape == (2, 2)
    guest = {row.agent: place for place, row in enumerate(found.ranked)}
    assert found.matrix[guest["careful"], list(found.columns).index("careful")] == played.cells["careful", "careful"][0]
    pytest.importorskip("pandas")
    assert found.sql("SELECT count(*) AS games FROM games").games[0] == 4 * GAMES
    assert found.to_pandas().games.sum() == 6 * GAMES  # mixed teams of two are guests of each other
    assert kagiya.open_store(tmp_path, players=5).ranked == []


def test_a_store_of_self_play_is_a_league(tmp_path: Path) -> None:
    played = kagiya.league("careful", "osawa-self", players=(2, 3), games=GAMES, store=tmp_path)
    found = kagiya.open_store(tmp_path)
    assert (found.columns, found.cells) == ([2, 3], played.cells)
    assert [row.agent for row in found.ranked] == [row.agent for row in played.ranked]
    assert kagiya.open_store(tmp_path, players=2).columns == [2]


RESULTS: dict[str, Callable[[], ContestResult]] = {
    "compare": lambda: kagiya.compare("careful", "iggi", games=GAMES),
    "crossplay": lambda: kagiya.crossplay(Nth(n=2), "careful", players=2, games=2),
    "tournament": lambda: kagiya.tournament("careful", "iggi", players=2, games=GAMES),
    "league": lambda: kagiya.league("careful", "iggi", players=(2, 3), games=GAMES),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_can_be_shown_in_every_form(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    found = RESULTS[kind]()
    assert found.ranked[0].label in repr(found)
    assert found._repr_html_().count("<tr>") == len(found.ranked) + 1
    assert "rgba(" in found._repr_html_()
    assert len(found.to_pandas()) == len(found.rows) > 0
    assert found.figure(tmp_path / "picture.png")._repr_png_().startswith(b"\x89PNG")
    assert (tmp_path / "picture.png").stat().st_size > 5000


def test_an_agents_error_is_raised_if_nothing_was_played_and_noted_else() -> None:
    class Broken:
        def act(self, observation: Observation) -> Move:
            raise ZeroDivisionError("broken")

    with pytest.raises(kagiya.AgentError, match="broken"):
        kagiya.crossplay(Broken, games=2)
    found = kagiya.crossplay(Broken, "careful", players=2, games=2)
    assert any("broken" in note for note in found.notes)
    assert found.cells.keys() == {("careful", "careful")}
