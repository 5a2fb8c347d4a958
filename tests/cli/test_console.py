"""What is written where: how much, in which colors, in which signs, and how wide."""

import re
from pathlib import Path

import pytest
from typer import rich_utils

from kagiya.cli import console
from kagiya.cli.console import SIGNS, SUBSTITUTE, PlainConsole, err, out
from kagiya.cli.text_table import ColumnKind, TextColumn, TextTable, mean_cell, print_page
from tests.cli.command import complaint, run

SOURCES = Path(console.__file__).parents[1]
ELSEWHERE = {"web", "drawing", "dev"}  # pages and pictures are always UTF-8
ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in (out, err, console.complaints):
        for name in ("quiet", "no_color", "_color_system", "_width"):
            monkeypatch.setattr(each, name, getattr(each, name))
    monkeypatch.setattr(console._Verbosity, "details", False)
    for name in ("FORCE_TERMINAL", "COLOR_SYSTEM"):
        monkeypatch.setattr(rich_utils, name, getattr(rich_utils, name))


def test_every_sign_that_commands_write_has_one_in_ascii() -> None:
    files = [path for path in SOURCES.rglob("*.py") if not ELSEWHERE & set(path.relative_to(SOURCES).parts)]
    used = {sign for path in files for sign in path.read_text(encoding="utf-8") if not sign.isascii()}
    assert used <= set(SIGNS)
    assert "17 ± 1 ♥♡ café".encode("ascii", SUBSTITUTE) == b"17 +- 1 *. caf?"
    assert "17 ± 1 ♥".encode("latin-1", SUBSTITUTE) == "17 ± 1 *".encode("latin-1")


def test_columns_stay_below_their_headings_in_ascii(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(PlainConsole, "encoding", "ascii")
    table = TextTable([TextColumn("agent", ColumnKind.NAME), TextColumn("mean"), TextColumn("games")])
    table.add("vdb", mean_cell(17.02, 0.05), 1_000)
    print_page([table])
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.rindex("games") + len("games") == row.rindex("1,000") + len("1,000")
    assert "17.02 +- 0.05" in row


def test_quiet_leaves_results_and_errors(tmp_path: Path) -> None:
    words = ["match", "careful", "--games", "20", "--store", str(tmp_path / "store")]
    result = run("--quiet", *words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "careful, 3 players" in result.stdout
    assert "20 were stored" in run(*words).stderr
    assert "no agent named 'nobody'" in complaint(run("--quiet", "match", "nobody"))


def test_verbose_says_what_is_opened_and_who_plays(tmp_path: Path) -> None:
    place = tmp_path / "store"
    told = run("--verbose", "match", "careful", "--games", "20", "--workers", "1", "--store", str(place)).stderr
    for text in ("compiled code is kept in", f"the store is {place}", "played by 1 thread"):
        assert text in told.replace("\n", "")


def test_colors_are_chosen() -> None:
    assert ESCAPE in run("--color", "always", "show", "careful", "--brief").stdout
    assert ESCAPE in run("--color", "always", "--help").stdout
    assert ESCAPE in run("--color", "always", "match", "--help").stdout
    assert ESCAPE not in run("--color", "never", "match", "--help").stdout
    assert (out.no_color, out.color_system) == (True, None)


def test_what_goes_to_a_program_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "_width", None)
    whole = run("agents").stdout
    assert "…" not in whole
    (line,) = [line for line in whole.splitlines() if line.startswith("infobot")]
    assert re.search(r"hat players +Quuxplusone", line)
    monkeypatch.setattr(out, "_width", 80)
    assert "…" in run("agents").stdout


@pytest.mark.parametrize(
    ("words", "same"),
    [(("help",), ("--help",)), (("help", "match"), ("match", "--help")), (("dev", "help"), ("dev", "--help"))],
)
def test_help_is_a_command_too(words: tuple[str, ...], same: tuple[str, ...]) -> None:
    assert run(*words).stdout == run(*same).stdout
    assert run(*words).exit_code == 0
