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
    assert [(row["agent"], row["at"]) for row in data["matches"]][1] == ("careful", "random")
    assert data["matches"][1]["agents"] == ["careful", "random", "random"]
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
        ("curve careful --over speed=1,2", "careful has no parameter 'speed'"),
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
