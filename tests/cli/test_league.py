"""The commands that measure: league, reproduce, bench, report."""

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from kagiya import Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.agents.register import prompt_agents
from kagiya.cli.commands import dev, match as league
from kagiya.dev import bench as dev_bench
from kagiya.lab import league as contests
from kagiya.lab.league import measured_league
from kagiya.lab.papers.paper_pages import BEGIN, END, agents_page
from kagiya.lab.papers.paper_tables import shipped_tables
from kagiya.lab.papers.verdicts import choose_figures
from kagiya.lab.provenance import code_version
from tests.cli.command import run
from tests.searches import SEARCHES


def test_a_league_ranks_and_draws(tmp_path: Path) -> None:
    picture, data = tmp_path / "league.png", tmp_path / "league.json"
    result = run(
        *("league", "random", "careful", "--players", "2,3", "--games", "20"),
        *("--picture", str(picture), "--json-file", str(data)),
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.index("careful") < result.stdout.index("random")
    assert "bomb scores 0" in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [row["agent"] for row in json.loads(data.read_text())["rows"]] == ["careful", "random"]


def test_searches_take_part_only_when_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []
    monkeypatch.setattr("kagiya.cli.run_options.make_ready", lambda agents, **_: None)
    monkeypatch.setattr(
        "kagiya.cli.commands.match.play_league",
        lambda result, matches, means: entered.extend(match.agents[0].text for match in matches),
    )
    run("league", "--players", "2")
    assert set(entered) == {name for name in prompt_agents() if not find_agent(name).why_not(Rules(players=2))}
    assert not set(entered) & set(SEARCHES)
    run("league", "--players", "2", "ris-mcts")
    assert entered[-1] == "ris-mcts"


@pytest.mark.parametrize(("cells", "told"), [({}, "no match was finished"), ({"one": 1}, "the matches that were")])
def test_an_interrupted_league_says_what_it_shows(
    cells: dict[str, int], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit):
        league.leave_league(SimpleNamespace(errors=[], interrupted=True, cells=cells))  # type: ignore[arg-type]
    assert told in capsys.readouterr().err


def test_a_league_for_machines(tmp_path: Path) -> None:
    result = run("league", "random", "--players", "2", "--games", "3", "--picture", str(tmp_path / "x.png"), "--json")
    data = json.loads(result.stdout)
    assert data["rows"][0]["players"]["2"]["games"] == 3
    assert data["made"]["command"].startswith("kagiya")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("league", "--players", "2,7"), "numbers from 2 to 5"),
        (("league", "nobody"), "no agent named 'nobody'"),
        (("league", "random", "--games", "0"), "games"),
        (("reproduce", "careful"), "no published self-play score"),
        (("dev", "bench", "--seconds", "-1"), "above 0"),
    ],
)
def test_wrong_input_is_refused(words: tuple[str, ...], reason: str) -> None:
    result = run(*words)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert "Traceback" not in result.output


def test_reproduce_sets_the_paper_beside_the_measurement(tmp_path: Path) -> None:
    words = ("reproduce", "vdb", "--games", "20", "--folder", str(tmp_path))
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "s.e." in result.stdout
    figures = json.loads(run(*words, "--json").stdout)["figures"]
    assert {figure["players"] for figure in figures} == {2, 3, 4, 5}
    assert {figure["games"] for figure in figures} == {20}
    assert all(figure["code"] for figure in figures)


@pytest.fixture
def few_threaded_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gain of a second thread is measured over seconds; here a moment is enough."""
    measure = dev_bench.thread_gain
    monkeypatch.setattr(dev_bench, "thread_gain", lambda agent, games: measure(agent, min(games, 20)))


@pytest.mark.skipif(JIT_OFF, reason="it measures compiled code")
@pytest.mark.usefixtures("few_threaded_games")
def test_the_searches_are_measured_too(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    words = ("dev", "bench", "search", "--time", "0.2ms", "--moves", "5", "--json-file", str(file))
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "Iterations per CPU second on one thread, 4 players" in result.stdout
    data = json.loads(file.read_text())
    assert len(data["rows"]) == 16
    assert all(row["iterations_per_second"] > 0 for row in data["rows"])
    assert sum(row["ratio"] is not None for row in data["rows"]) == 10
    assert data["exact"]["rollouts"] > 0
    assert f"2 players: {data['exact']['rollouts']:,.0f} rollouts per CPU second" in " ".join(result.stdout.split())
    late = data["overrun"]
    assert late["moves"] == 5
    assert late["median"] <= late["percentile_99"] <= late["largest"]
    assert "must be above 0" in run("dev", "bench", "search", "--moves", "0").stderr


@pytest.mark.skipif(JIT_OFF, reason="it measures compiled code")
@pytest.mark.usefixtures("few_threaded_games")
def test_bench_measures_and_report_writes_what_it_measured(tmp_path: Path) -> None:
    results = tmp_path / "results"
    bench = run("dev", "bench", "--seconds", "0.01", "--rounds", "1", "--json-file", str(results / "bench.json"))
    assert bench.exit_code == 0, bench.output
    assert "moves per second" in bench.stdout
    run(
        *("league", "random", "--players", "2", "--games", "3", "--picture", str(tmp_path / "x.png")),
        *("--json-file", str(results / "league.json")),
    )
    run("reproduce", "vdb", "--games", "20", "--folder", str(tmp_path))
    blocks = [f"{BEGIN.format(name=name)}\n{END.format(name=name)}\n" for name in ("league", "speed")]
    (tmp_path / "README.md").write_text("".join(blocks))
    stale = run("dev", "report", "--check", "--folder", str(tmp_path))
    assert stale.exit_code == 1
    assert "stale" in stale.stderr
    assert run("dev", "report", "--folder", str(tmp_path)).exit_code == 0
    assert run("dev", "report", "--check", "--folder", str(tmp_path)).exit_code == 0
    printed = len(choose_figures(shipped_tables().values(), ["vdb"]))
    assert f" {printed} are measured" in (tmp_path / "docs/agents.md").read_text()


def test_tactics_are_listed_for_people_and_machines() -> None:
    assert "discard-oldest" in run("tactics").stdout
    listed = json.loads(run("tactics", "--json").stdout)
    assert all(tactic["meaning"] for tactic in listed)
    assert len(listed) > 10


def test_bench_agents_measures_and_the_page_of_agents_shows_it(tmp_path: Path) -> None:
    """With two players the recommendation players need empty hints, which the page marks."""
    (tmp_path / "results").mkdir()
    file = tmp_path / "results/bench-agents.json"
    words = ("dev", "bench", "agents", "random", "hat-recommendation", "--seconds", "0.001", "--rounds", "1")
    result = run(*words, "--json-file", str(file))
    assert result.exit_code == 0, result.output
    assert re.search(r"hat-recommendation( +[\d,]+){4}", result.stdout)
    rows = json.loads(file.read_text())["rows"]
    assert [row["agent"] for row in rows] == ["random", "hat-recommendation"]
    assert rows[1]["rules"]["2"] == "bouzy"
    assert all(rate > 0 for row in rows for rate in row["games_per_second"].values())
    *_, last = re.findall(r"`hat-recommendation` \|(.*)\|", agents_page(tmp_path))
    assert [cell.strip()[-1] == "*" for cell in last.split("|")] == [True, True, False, False]


def test_an_agent_is_placed_among_those_measured_before(tmp_path: Path) -> None:
    own = "rules(play-safe, tell-playable, discard-oldest)"
    words = ("league", "--with", own, "--games", "40", "--picture", str(tmp_path / "x.png"))
    rows = json.loads(run(*words, "--json").stdout)["rows"]
    assert [row["agent"] for row in rows if not row["measured_before"]] == [own]
    assert {row["agent"] for row in rows} == {*measured_league().rows, own}
    means = [row["mean"] for row in rows]
    assert means == sorted(means, reverse=True)
    vdb = next(row for row in rows if row["agent"] == "vdb")
    shown = run(*words)
    assert "played now: A; all others were measured before" in shown.stdout
    assert f"{vdb['mean']:.2f}" in next(line for line in shown.stdout.splitlines() if " vdb " in line)
    refused = run("league", "--with", "vdb", "--rules", "goodman")
    assert refused.exit_code == 1
    assert "by the rules standard" in refused.stderr


def test_without_the_measured_league_agents_are_listed_and_a_place_among_them_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contests, "league_file", lambda: None)
    contests.measured_league.cache_clear()
    try:
        assert "smartbot" in run("agents").stdout
        assert "results/league.json, which is not here" in run("league", "--with", "vdb").stderr
    finally:
        contests.measured_league.cache_clear()


def test_only_what_older_code_played_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "league.json"
    shutil.copy("results/signature.json", tmp_path)
    words = ("league", "careful", "vdb", "random", "--players", "2", "--games", "20")
    again = (*words, "--json-file", str(file), "--picture", str(tmp_path / "x.png"), "--remeasure", "outdated")
    assert run(*again).exit_code == 0
    data = json.loads(file.read_text())
    for row in data["rows"]:
        row["code"] = {"vdb": "older", "random": "older"}.get(row["agent"], row["code"])
        row["signature"] = {"vdb": "moved otherwise"} if row["agent"] == "vdb" else row["signature"]
        row["players"]["2"]["mean"] += 1
    file.write_text(json.dumps(data))
    result = run(*again)
    assert "played now: vdb; all others" in result.stdout
    means = {row["agent"]: row["players"]["2"] for row in json.loads(file.read_text())["rows"]}
    before = {row["agent"]: row["players"]["2"] for row in data["rows"]}
    assert means["vdb"]["mean"] == before["vdb"]["mean"] - 1
    assert all(means[agent]["mean"] == before[agent]["mean"] for agent in ("careful", "random"))
    assert "played with other rules" in run(*again, "--seed", "2").stderr
    assert "needs the league" in run(*words, "--remeasure", "outdated").stderr
    assert "leave one out" in run("league", "--with", "vdb", "--remeasure", "outdated").stderr


def test_report_names_the_agents_that_older_code_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / dev.LEAGUE
    words = ("league", "careful", "vdb", "--players", "2", "--games", "2", "--picture", str(tmp_path / "x.png"))
    run(*words, "--json-file", str(file))
    file.write_text(file.read_text().replace(code_version([find_agent("vdb")]), "older"))
    monkeypatch.chdir(tmp_path)
    dev.say_what_is_outdated(tmp_path)
    assert "of older code are vdb;" in capsys.readouterr().out
