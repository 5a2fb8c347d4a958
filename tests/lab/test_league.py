import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kagiya import find_agent
from kagiya.dev.reference_pages import league_block
from kagiya.lab.league import League, league_matches, play_league
from kagiya.lab.match.runner import local_runner
from kagiya.lab.papers.figures import league_figure
from kagiya.lab.papers.paper_pages import BEGIN, END, StaleError, embed
from kagiya.lab.provenance import provenance, read_result, write_result

Games = Callable[[int], int]


@pytest.fixture
def league(games: Games) -> League:
    result = League("standard", games(200) + 2, 1)
    with local_runner() as runner:
        play_league(result, league_matches([find_agent("random"), find_agent("careful")], [2, 4], result), runner)
    return result


def test_the_better_agent_stands_on_top(league: League) -> None:
    assert [row.agent.text for row in league.rows()] == ["careful", "random"]
    assert league.players == [2, 4]
    assert "bomb scores 0" in league.caption()
    assert "empty hints illegal" in league.caption()


def test_the_picture_is_a_picture(league: League, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "league.png"
    league_figure(league.to_json(), path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 10_000


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "9" * 5000, "\xff"])
def test_a_result_that_cannot_be_read_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "league.json").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=r"league\.json is not JSON"):
        read_result(tmp_path / "league.json")


def test_the_best_are_those_that_play_fair(league: League, tmp_path: Path) -> None:
    data = league.to_json()
    data["rows"] = [{**data["rows"][0], "agent": "seer", "mark": "sees its own hand"}, *data["rows"]]
    write_result(tmp_path / "league.json", {"made": provenance("kagiya league"), **data})
    table = league_block(tmp_path / "league.json", best=1)
    assert f"`{data['rows'][1]['agent']}`" in table
    assert "seer" not in table
    assert table.count("\n| `") == 1


def test_tables_in_documents_are_written_and_checked(league: League, tmp_path: Path) -> None:
    result, document = tmp_path / "league.json", tmp_path / "README.md"
    write_result(result, {"made": provenance("kagiya league"), **league.to_json()})
    assert json.loads(result.read_text()) == read_result(result)
    begin, end = BEGIN.format(name="league"), END.format(name="league")
    document.write_text(f"before\n{begin}\n{end}\nafter\n")
    block = league_block(result)
    assert "`careful`" in block
    assert "a bomb scores 0" in block
    with pytest.raises(StaleError, match="stale"):
        embed(document, "league", block, check=True)
    assert embed(document, "league", block, check=False)
    assert not embed(document, "league", block, check=True)
    document.write_text(document.read_text().replace("| `careful` |", "| `careful` 99 |"))
    with pytest.raises(StaleError, match="stale"):
        embed(document, "league", block, check=True)
    document.write_text("nothing here")
    with pytest.raises(StaleError, match="needs one line"):
        embed(document, "league", block, check=True)
