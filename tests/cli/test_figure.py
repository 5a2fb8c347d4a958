import json
from pathlib import Path

import pytest

from tests.cli.command import complaint, run


def test_a_picture_is_written_to_every_file_named(tmp_path: Path) -> None:
    png, svg = tmp_path / "scores.png", tmp_path / "scores.svg"
    result = run("figure", "scores", "careful", "random", "--games", "20", "--out", str(png), "--out", str(svg))
    assert result.exit_code == 0, result.output
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text()
    assert str(svg) in result.stdout


def test_the_same_comes_as_json(tmp_path: Path) -> None:
    words = ("figure", "crossplay", "careful", "random", "--games", "5", "--out", str(tmp_path / "a.png"), "--json")
    data = json.loads(run(*words).stdout)
    assert [(row["agent"], row["at"]) for row in data["rows"]][1] == ("careful", "random")
    assert data["rows"][1]["games"] == 6  # as many in each seat
    assert "3 players" in data["caption"]
    assert data["made"]["kagiya"]
    assert data["files"] == [str(tmp_path / "a.png")]


def test_matches_before_an_error_are_drawn(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    result = run("figure", "sources", "careful", "tests.cli.players:Raises", "--games", "5", "--out", str(file))
    assert result.exit_code == 1
    assert "raised ZeroDivisionError" in result.stderr
    assert "the picture is of 1 of 2 matches" in " ".join(result.stderr.split())
    assert file.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("scores careful --out a.gif", "a picture ends in .png, .svg or .pdf"),
        ("scores careful --out /no/such/folder/a.png", "there is no such folder"),
        ("scores carefull", "did you mean careful"),
        ("curve careful", "a curve goes over the values of a parameter"),
        ("curve careful --sweep speed=1,2", "careful has no parameter 'speed'"),
        ("scores careful --games 0", "the number of games must be"),
    ],
)
def test_what_cannot_be_drawn_is_refused(words: str, reason: str) -> None:
    assert reason in complaint(run("figure", *words.split()))


def test_an_unknown_kind_is_a_usage_error() -> None:
    assert run("figure", "pie", "careful").exit_code == 2


def test_a_posterior_needs_a_search_that_has_one(tmp_path: Path) -> None:
    result = run("figure", "posterior", "vdb", "--out", str(tmp_path / "x.svg"))
    assert "vdb does not infer who the others are; give ally or ally-flat" in complaint(result)


def test_stored_games_are_drawn_and_none_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, file = str(tmp_path / "store"), str(tmp_path / "a.svg")
    stored = run("crossplay", "careful", "random", "--games", "12", "--store", store, "--json")
    (table,) = json.loads(stored.stdout)["tables"]
    monkeypatch.setattr("kagiya.cli.commands.figures.open_runner", None)
    for words in (
        ("--store", store),
        ("--store", store, "--run", "1"),
        ("careful", "random", "--store", store, "--run", "1"),
    ):
        shown = run("figure", "crossplay", *words, "--out", file, "--json")
        assert shown.exit_code == 0, shown.output
        means = {(row["agent"], row["at"]): row["mean"] for row in json.loads(shown.stdout)["rows"]}
        assert means["careful", "random"] == table["mean"][0][1]
        assert means["random", "careful"] == table["mean"][1][0]


def test_a_picture_has_the_words_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "svg.fonttype", "none")
    file = tmp_path / "a.svg"
    words = (
        "--label",
        "risky(threshold=0.5)=Daring",
        "--label",
        "carful=Typo",
        "--title",
        "Mine",
        "--size",
        "6x4",
        "--out",
        str(file),
    )
    result = run("figure", "scores", "risky(threshold=0.5)", "careful", "--games", "20", "--seed", "5", *words)
    assert result.exit_code == 0, result.output
    text = file.read_text()
    assert 'width="432pt" height="288pt"' in text
    assert all(f">{word}<" in text for word in ("Mine", "Daring", "careful"))
    assert "seeds 5 to 24" in text
    assert "threshold" not in text
    assert "kagiya: --label carful: there is no such agent in the figure; did you mean careful?" in result.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("scores", "name agents to play, or give --store"),
        ("posterior --store X", "the store does not know what a search thought"),
        ("curve --store X", "goes over a parameter"),
        ("scores careful --size big", "--size is a width and a height in inches, like 6x4, not 'big'"),
        ("scores careful --size 0x4", "--size goes from 1 to 100 inches"),
        ("scores careful --label x", "--label takes an agent and a name"),
        ("scores --store /no/such/store", "there is no store at /no/such/store"),
    ],
)
def test_a_figure_says_what_it_needs(words: str, reason: str) -> None:
    assert reason in complaint(run("figure", *words.split()))
