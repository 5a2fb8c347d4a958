"""Tables at 80 columns: no command loses the names of what it speaks of, whatever they are called."""

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest
from rich.console import Console

from kagiya.cli.command_line import app
from kagiya.cli.console import out
from kagiya.cli.text_table import (
    ColumnKind,
    TextColumn,
    TextTable,
    draw_page,
    error_text,
    mean_cell,
    rate_text,
    team_text,
)
from tests.children import PROJECT
from tests.cli.command import run
from tests.cli.test_examples import PAGES

LONG = "rules(play-probably-safe(0.6, lives=2), play-safe, tell-playable, discard-oldest)"
OTHER = "rules(play-safe, tell-playable, tell-anything, discard-oldest)"


@pytest.fixture(autouse=True)
def eighty_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "_width", 80)
    monkeypatch.setenv("KAGIYA_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def drawn(*parts: TextTable | str, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO())
    for part in draw_page(parts, width):
        console.print(part)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# A place, seating or seat; letters of agents, counted and added; and numbers.
ROW = re.compile(r" *(?:(?:\d+|alice|bob) +)?(?:(?:\d )?[AB](?: \+ )?)+  +(?:[a-z]+ +)?\d")
# Each command with long agents in it, and the headings that must be there.
COMMANDS = {
    "match": (["match", LONG, OTHER, "--games", "12"], ["agent", "direct", "total"]),
    "compare": (["compare", LONG, OTHER, "--games", "12"], ["self-play", "mean", "s.e."]),
    "league": (["league", LONG, OTHER, "--games", "4"], ["agent", "2 players", "5 players", "mean"]),
    "crossplay": (["crossplay", LONG, OTHER, "--games", "4", "--players", "2"], ["A", "B"]),
    "tournament": (["tournament", LONG, OTHER, "--games", "1"], ["agent", "2 players", "5 players", "mean"]),
    "run": (["run", "experiment.toml"], ["team", "mean"]),
    "results": (["results"], ["team", "games", "mean", "se", "rules"]),
    "sql": (["sql", "SELECT team, avg(score) AS mean, count(*) AS games FROM games GROUP BY 1"], ["team", "mean"]),
    "dev bench agents": (
        ["dev", "bench", "agents", LONG, OTHER, "--seconds", "0.001", "--rounds", "1"],
        ["agent", "5 players"],
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_at_eighty_columns_every_row_has_its_name_and_its_numbers(name: str, tmp_path: Path) -> None:
    words, headings = COMMANDS[name]
    experiment = f'agents = ["{LONG}", "{OTHER}"]\nplayers = 5\ngames = 3\nseatings = "one-of"\n'
    (tmp_path / "experiment.toml").write_text(experiment)
    if name in ("results", "sql"):
        assert run("run", "experiment.toml").exit_code == 0
    result = run(*words)
    assert result.exit_code == 0, result.output
    shown = lines(result.stdout)
    assert max(map(len, shown)) <= 80
    assert "…" not in result.stdout
    heads = [line for line in shown if all(re.search(rf"(^|  +){re.escape(head)}(  |$)", line) for head in headings)]
    assert heads, result.stdout
    rows = [line for line in shown if ROW.match(line)]
    assert len(rows) >= 2, result.stdout
    key = " ".join(result.stdout.split())
    assert f"A {LONG}" in key
    assert f"B {OTHER}" in key


def test_results_of_wide_teams_keep_their_rules() -> None:
    for rules in ("standard", "goodman"):
        assert run("crossplay", "osawa-internal", "brooks-flawed", "--games", "3", "--rules", rules).exit_code == 0
    shown = run("results").stdout
    assert max(map(len, lines(shown))) <= 80
    team = re.escape("osawa-internal + brooks-flawed + osawa-internal")
    assert re.search(rf"{team}  standard .*\d", shown)
    assert re.search(rf"{team}  goodman .*\d", shown)
    assert "standard: a bomb scores 0; empty hints illegal" in shown
    assert "goodman: a bomb keeps the points; empty hints illegal" in shown


TABLES = [name for name, command in PAGES.items() if "--format" in {o for p in command.params for o in p.opts}]


def test_every_command_that_prints_a_table_has_formats() -> None:
    assert set(COMMANDS) <= set(TABLES)
    assert {"agents", "tactics", "reproduce", "dev bench", "dev bench search", "evolve"} <= set(TABLES)
    assert app is not None


# What stands in the first and the last column of a row.
LISTS = {
    "agents": (["agents"], r"seer-recommendation \* +\d+\.\d+  sees its own hand"),
    "tactics": (["tactics"], r"discard-oldest +\w+"),
    "tables": (["dev", "tables", "--folder", str(PROJECT)], r"bouzy-4-perfect .* \d{4}-\d\d-\d\d"),
    "figures": (["reproduce", "vdb", "--games", "4"], r"vdb\(forgets_own=yes\)  goodman +3 +16\.95 +\d.* s\.e\."),
    "seats": (["show", "careful", "--brief"], r"alice +\d+ +\d+ +\d+ +\d+ +-?\d+ +-?\d+"),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_keep_to_the_width(name: str) -> None:
    words, row = LISTS[name]
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert max(map(len, lines(result.stdout))) <= 80
    assert any(re.fullmatch(f"{row}.*", line) for line in lines(result.stdout)), result.stdout


def test_formats_have_all_names_and_columns() -> None:
    words = ("compare", LONG, "careful", "--games", "12", "--format")
    markdown = lines(run(*words, "markdown").stdout)
    head = next(line for line in markdown if line.startswith("| self-play"))
    assert head == "| self-play | mean | s.e. | sd | perfect | bombs | direct | indirect | total |"
    assert any(line.startswith(f"| {LONG} | ") for line in markdown)
    latex = run(*words, "latex").stdout
    assert r"\begin{tabular}{lrrrrrrrr}" in latex
    assert r"0.0\%" in latex
    assert latex.count(r"\\") == 3
    rows = list(csv.DictReader(io.StringIO(run(*words, "csv").stdout)))
    assert {row["self-play"] for row in rows} == {LONG, "careful"}
    data = json.loads(run(*words[:-1], "--json").stdout)["teams"]
    assert all(float(row["mean"]) == data[row["self-play"]]["mean"] for row in rows)


def test_a_csv_of_means_has_the_errors_in_columns_of_their_own() -> None:
    text = run("league", "careful", "--players", "2", "--games", "12", "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["agent"] == "careful"
    assert float(row["2 players"]) > 10 > float(row["2 players s.e."]) > 0


def table(*names: str, numbers: int = 3) -> TextTable:
    columns = [
        TextColumn("agent", ColumnKind.NAME),
        TextColumn("mean"),
        *(TextColumn(f"number {n}", leaves=n) for n in range(1, numbers)),
    ]
    made = TextTable(columns)
    for name in names:
        made.add(name, mean_cell(17.25, 0.125), *range(1, numbers))
    return made


def test_columns_leave_in_the_order_that_the_table_states() -> None:
    assert "left out" not in drawn(table("vdb"), width=80)
    narrow = drawn(table("vdb"), width=34)
    assert "number 2" in narrow
    assert "left out at this width: number 1" in " ".join(narrow.split())
    assert "17.25 ± 0.12" in drawn(table("vdb"), width=20)


def test_what_may_not_leave_goes_on_below_under_the_same_names() -> None:
    matrix = TextTable([TextColumn("", ColumnKind.NAME), *(TextColumn(f"agent-{n}", is_agent=True) for n in range(8))])
    for row in range(8):
        matrix.add(f"agent-{row}", *(mean_cell(10 * row + column, 0.5) for column in range(8)))
    text = drawn(matrix, width=60)
    assert max(map(len, lines(text))) <= 60
    assert all(f"{10 * row + column}.00 ± 0.50" in text for row in range(8) for column in range(8))
    assert len(re.findall(r"^agent-3 ", text, re.MULTILINE)) == 3  # as many blocks


def test_labels_wrap_and_stand_before_every_block() -> None:
    made = TextTable([TextColumn("row", ColumnKind.LABEL), *(TextColumn(f"number {n}") for n in range(6))])
    made.add("one seat over a player that does not gamble", *range(6))
    text = drawn(made, width=60)
    assert max(map(len, lines(text))) <= 60
    assert "…" not in text
    assert text.count("one seat") == 2


def test_errors_leave_where_the_table_says_so() -> None:
    made = table("vdb")
    made.errors_leave = 1
    narrow = drawn(made, width=34)
    assert "±" not in narrow
    assert "left out at this width: standard errors" in " ".join(narrow.split())
    assert "number 1" in narrow


def test_whoever_asks_for_a_column_gets_it() -> None:
    assert run("match", "careful", "--games", "2", "--store", os.environ["KAGIYA_STORE"]).exit_code == 0
    result = run("sql", "SELECT * FROM games")
    described = run("sql", "DESCRIBE games", "--json")
    assert max(map(len, lines(result.stdout))) <= 80
    heads = result.stdout.split()
    assert all(row["column_name"] in heads for row in json.loads(described.stdout)["rows"])
    assert result.stdout.count("3 careful") > 2  # before every block, and not as a letter


def test_sentences_use_the_letters_of_the_tables() -> None:
    from rich.text import Text

    text = drawn(table(LONG, "vdb", "vdb(x=1)"), Text(f"{LONG} is better than vdb"), width=60)  # type: ignore[arg-type]
    assert "A is better than vdb" in text


def test_all_names_become_letters_only_where_nothing_else_helps() -> None:
    team = " + ".join(["smartbot", "careful", "osawa-outer", "hat-recommendation", "careful"])
    assert "smartbot + careful" in drawn(table(team), width=80)
    tight = drawn(table(team), width=40)
    assert "A + B + C + D + B" in tight
    assert re.search(r"^D +hat-recommendation", tight, re.MULTILINE)


def test_a_small_error_is_not_rounded_to_nothing() -> None:
    assert [error_text(error, 2) for error in (0.0, 0.0032, 0.0049, 0.005, 0.1)] == [
        "0.00",
        "0.003",
        "0.005",
        "0.01",
        "0.10",
    ]


def test_teams_count_neighbours_that_are_alike() -> None:
    assert team_text(["a", "b", "b", "a"]) == "a + 2 b + a"
    assert team_text(["a"] * 5) == "5 a"


def test_rates_below_one_are_shown() -> None:
    assert [rate_text(rate) for rate in (0.034, 0.4567, 12.3, 45_199.2, None)] == [
        "0.034",
        "0.457",
        "12.3",
        "45,199",
        "-",
    ]


def test_one_module_draws_all_tables() -> None:
    """Others may lay things out in a grid, which has no headings."""
    for file in (PROJECT / "src/kagiya/cli").rglob("*.py"):
        uses = re.findall(r"(?<![\w.])Table\(", file.read_text(encoding="utf-8"))
        if uses and file.name != "fitting.py":
            assert "rich.table import Table\n" not in file.read_text(encoding="utf-8"), file
