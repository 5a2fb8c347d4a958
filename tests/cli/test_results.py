import errno
import json
import os
import re
import signal
from pathlib import Path

import duckdb
import pytest

from kagiya.lab.store import journal
from kagiya.lab.store.store import Store
from tests.cli.command import complaint, run, start
from tests.cli.moments import interrupt

COMMANDS = ["crossplay", "tournament", "run", "results", "sql"]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "store.duckdb"
    monkeypatch.setenv("KAGIYA_STORE", str(file))
    return file


def crossplay() -> None:
    result = run("crossplay", "careful", "random", "--games", "10", "--players", "2", "--json")
    assert result.exit_code == 0, result.output
    (table,) = json.loads(result.stdout)["tables"]
    assert table["games"] == [[10, 10], [10, 10]]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"kagiya {command}" in result.stdout


def test_crossplay_shows_a_matrix_with_its_rules_and_resumes() -> None:
    crossplay()
    again = run("crossplay", "careful", "random", "--games", "10", "--players", "2")
    assert again.exit_code == 0, again.output
    assert "One of the row with 1 of the column" in again.stdout
    assert "a bomb scores 0" in again.stdout.replace("\n", " ")
    assert "0 games computed, 40 were stored" in again.stderr


def test_stored_games_are_shown_as_matrices() -> None:
    played = run("crossplay", "careful", "random", "--games", "12", "--json")
    run("match", "careful", "random", "iggi", "--games", "5", "--store", "default")
    found = json.loads(run("results", "--crossplay", "--json").stdout)
    assert found["tables"] == json.loads(played.stdout)["tables"]
    shown = run("results", "--crossplay").stdout
    assert "One of the row with 2 of the column, mean ± s.e." in shown
    assert re.search(r"^random +\d+\.\d\d", shown, re.MULTILINE)
    empty = run("results", "--crossplay", "--players", "5")
    assert (empty.stdout, empty.exit_code) == ("", 0)
    assert "kagiya crossplay does that" in empty.stderr


def test_results_list_filter_and_export(tmp_path: Path) -> None:
    crossplay()
    rows = json.loads(run("results", "--json").stdout)["rows"]
    assert {row["team"]: row["games"] for row in rows} == {
        "careful + careful": 10,
        "careful + random": 10,
        "random + careful": 10,
        "random + random": 10,
    }
    chosen = json.loads(run("results", "--agent", "random", "--players", "2", "--run", "1", "--json").stdout)["rows"]
    assert all("random" in row["team"] for row in chosen)
    assert json.loads(run("results", "--players", "5", "--json").stdout)["rows"] == []
    for name, count in (("games.csv", 40), ("games.parquet", 40), ("games.json", 40)):
        result = run("results", "--export", str(tmp_path / name))
        assert result.exit_code == 0, result.output
        found = duckdb.execute(f"SELECT count(*) FROM '{tmp_path / name}'").fetchall()
        assert found == [(count,)]
    assert "the ending says the format" in complaint(run("results", "--export", str(tmp_path / "games.txt")))
    assert "team" in run("results").stdout
    (listed,) = json.loads(run("results", "--runs", "--json").stdout)["rows"]
    assert (listed["outcome"], listed["computed"]) == ("complete", 40)


def test_results_show_code_and_date_of_the_newest_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in ("1111111111", "2222222222"):
        monkeypatch.setattr("kagiya.lab.store.store.code_version", lambda agents, code=code: code)
        crossplay()
    shown = run("results")
    assert re.search(r"2222222  \d{4}-\d\d-\d\d", shown.stdout)
    assert "1111111" not in shown.stdout
    assert "older code played 4 of these teams as well" in shown.stderr
    assert "1111111" in run("results", "--older").stdout


def test_a_team_of_one_agent_is_named_by_all_its_seats(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text('agents = ["careful", "random"]\nseatings = "one-of"\nplayers = 5\ngames = 5\n')
    rows = json.loads(run("run", str(file), "--json").stdout)["rows"]
    assert [row["team"] for row in rows][:2] == [["careful"] * 5, ["careful", *["random"] * 4]]
    assert all(set(row["regret"]) == {"discard", "play", "bomb", "direct", "indirect", "total"} for row in rows)
    shown = run("run", str(file)).stdout
    assert re.search(r"^5 careful ", shown, re.MULTILINE)
    assert re.search(r"^careful \+ 4 random ", shown, re.MULTILINE)
    assert "standard: a bomb scores 0; empty hints illegal" in shown


def test_a_stored_game_is_saved_and_replayed(tmp_path: Path) -> None:
    crossplay()
    file = tmp_path / "game.json"
    saved = run("results", "--game", "1/3", "--save", str(file))
    assert saved.exit_code == 0, saved.output
    replayed = run("replay", str(file), "--brief")
    assert replayed.exit_code == 0, replayed.output
    shown = run("show", "careful", "--players", "2", "--seed", "3", "--json")
    assert json.loads(shown.stdout)["moves"] == json.loads(file.read_text())["moves"]
    assert json.loads(run("results", "--game", "1/3", "--json").stdout)["seed"] == 3


def test_sql_answers_and_changes_nothing(tmp_path: Path) -> None:
    crossplay()
    result = run("sql", "SELECT count(*) AS games, sum(discard_regret) >= 0 AS sound FROM games", "--json")
    assert json.loads(result.stdout)["rows"] == [{"games": 40, "sound": True}]
    assert "games" in run("sql", "SELECT count(*) AS games FROM games").stdout
    assert "read-only" in complaint(run("sql", "DELETE FROM game"))
    assert "cannot be answered" in complaint(run("sql", "SELEKT 1"))
    out = tmp_path / "scores.csv"
    assert run("sql", "SELECT score FROM games;", "--export", str(out)).exit_code == 0
    assert len(out.read_text().splitlines()) == 41


def test_match_with_a_store_is_the_match_without(store: Path) -> None:
    plain = json.loads(run("match", "careful", "--games", "30", "--json").stdout)
    for computed in (30, 0):
        result = run("match", "careful", "--games", "30", "--json", "--store", str(store))
        assert result.exit_code == 0, result.output
        kept = json.loads(result.stdout)
        assert {key: kept[key] for key in kept if key != "seconds"} == {k: plain[k] for k in plain if k != "seconds"}
        assert f"{computed} games computed" in result.stderr


def test_a_tournament_ranks_both_tracks() -> None:
    result = run("tournament", "careful", "random", "--games", "4", "--players", "2,3", "--json")
    assert result.exit_code == 0, result.output
    tracks = json.loads(result.stdout)["tracks"]
    assert tracks["mirror"][0]["agent"] == "careful"
    assert set(tracks["mixed"][0]["players"]) == {"2", "3"}
    shown = run("tournament", "careful", "random", "--games", "4", "--players", "2,3", "--track", "mirror")
    assert "Mirror track, mean score" in shown.stdout


def test_run_plays_a_file(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text('agents = ["careful", "random"]\nseatings = "round-robin"\nplayers = 2\ngames = 5\n')
    result = run("run", str(file), "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert [row["agents"] for row in data["rows"]] == [
        ["careful", "careful"],
        ["careful", "random"],
        ["random", "random"],
    ]
    shown = run("run", str(file))
    assert "2 careful" in shown.stdout
    assert "0 games computed, 15 were stored" in shown.stderr


WRONG = [
    ("results", "there is no store at"),
    ("sql SELECT", "there is no store at"),
    ("results --game 3", "there is no store at"),
    ("run /no/such.toml", "/no/such.toml: No such file or directory"),
    ("crossplay carefull", "no agent named 'carefull'; did you mean careful"),
    ("crossplay careful --players 7", "--players takes numbers from 2 to 5"),
    ("crossplay careful --games 0", "the number of games must be"),
    ("tournament careful --track mixt", "no track is called 'mixt'; did you mean mixed"),
    ("tournament careful --on-timeout never", "--on-timeout never is not known"),
    ("tournament careful --time 0", "the time for a move must be above 0"),
    ("tournament careful --track mixed", "nothing to play: a mixed track needs partners"),
    ("match careful --store /proc/x.duckdb", "/proc/x.duckdb"),
]


@pytest.mark.parametrize(("words", "reason"), WRONG, ids=[words for words, _ in WRONG])
def test_a_wrong_word_is_answered_in_one_line(words: str, reason: str) -> None:
    assert reason in complaint(run(*words.split(" ")))


def test_json_has_no_nan() -> None:
    crossplay()
    query = "SELECT 'nan'::DOUBLE AS a, ['-inf'::DOUBLE, 1.5] AS b, {'c': 'inf'::DOUBLE} AS d, DATE '2020-02-03' AS e"
    answer = run("sql", query, "--json").stdout
    assert json.loads(answer, parse_constant=pytest.fail)["rows"] == [
        {"a": None, "b": [None, 1.5], "d": {"c": None}, "e": "2020-02-03"}
    ]


SAY_ASKING = """
import sys, kagiya.lab.store.queries as questions
interruptible = questions.interruptible
def announced(*words):
    print("asking", file=sys.stderr, flush=True)
    return interruptible(*words)
questions.interruptible = announced
"""


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("export", [(), ("--export", "all.csv")], ids=["asked", "exported"])
def test_an_endless_query_is_interrupted_and_leaves_nothing(
    store: Path, tmp_path: Path, by: signal.Signals, export: tuple[str, ...]
) -> None:
    crossplay()
    endless = "SELECT a.range, b.range FROM range(1000000000000) a, range(1000000000000) b"
    words = export[:1] + tuple(str(tmp_path / name) for name in export[1:])
    query = endless if export else f"SELECT count(*) FROM ({endless}) AS pair(a, b) WHERE a * 7 % 11 = b"
    process = start("sql", query, *words, "--store", str(store), before=SAY_ASKING)
    interrupt(process, "asking", by)
    assert [path.name for path in tmp_path.iterdir()] == [store.name]


def test_what_an_earlier_export_left_is_no_obstacle(tmp_path: Path) -> None:
    crossplay()
    (tmp_path / "games.csv.part").write_text("half of it")
    assert run("results", "--export", str(tmp_path / "games.csv")).exit_code == 0
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 41
    assert not (tmp_path / "games.csv.part").exists()


def test_what_queries_put_aside_is_deleted(store: Path, tmp_path: Path) -> None:
    crossplay()
    with Store.read(store, tmp_path / "games.csv") as opened:
        ((aside,),) = opened.rows("SELECT current_setting('temp_directory')")
        assert Path(aside).parent == tmp_path
        Path(aside).mkdir()
        (Path(aside) / "spilled").write_text("gigabytes")
    assert [path.name for path in tmp_path.iterdir()] == [store.name]


def test_the_store_is_checked_and_repaired(store: Path) -> None:
    crossplay()
    assert run("store", "check").exit_code == 0
    (file, *_) = (store / "games").iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert "`kagiya store repair` recovers what is complete" in complaint(run("results"))
    checked = run("store", "check", "--json")
    assert checked.exit_code == 1
    (fault,) = json.loads(checked.stdout)["faults"]
    assert fault == f"{file} is damaged: 40 games"
    repaired = run("store", "repair", "--json")
    assert repaired.exit_code == 0
    assert json.loads(repaired.stdout)["lost"] == 40
    crossplay()


def test_naming_an_agent_of_stored_games_runs_none_of_its_code(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("random", "--players", "2", "--games", "3", "--store", str(store))
    assert run("match", *words).exit_code == 0
    (tmp_path / "hostile.py").write_text("from pathlib import Path\nPath('ran').write_text('')\nclass Bot:\n    pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for agent in ("hostile:Bot", "hle(hostile:Bot)", "ris-mcts( model=hostile:Bot )"):
        found = run("results", "--agent", agent, "--json")
        assert (found.exit_code, json.loads(found.stdout)) == (0, {"rows": []}), found.output
    look = ("--label", "hostile:Bot=name", "--store", str(store))
    assert (
        run("figure", "scores", "hostile:Bot", *look, "--run", "1").exit_code == 1
    )  # such an agent has played nothing
    assert not (tmp_path / "ran").exists()
    assert len(json.loads(run("results", "--agent", " random", "--json").stdout)["rows"]) == 1


def test_a_store_that_cannot_be_written_shows_what_it_has_and_says_so(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*words: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    words = ("match", "random", "--players", "2", "--store", str(store), "--json", "--games")
    before = json.loads(run(*words, "3").stdout)
    monkeypatch.setattr(journal, "write_first", refuse)
    again = run(*words, "3")
    assert json.loads(again.stdout)["mean"] == before["mean"]
    said = " ".join(again.stderr.split())
    assert f"0 games computed, 3 were stored; {store} cannot be written, so the run is not noted there" in said
    assert "cannot be written: Read-only file system" in complaint(run(*words, "4"))
