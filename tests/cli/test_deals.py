"""Every command that deals takes the same `--deals`, and deals as hanab.live does where it is asked to."""

import json
from pathlib import Path

import pytest

from kagiya import Game, GameRecord, Rules
from kagiya.lab.deals import LIVE, dealt_game
from tests.cli.command import complaint, run
from tests.cli.test_examples import PAGES

DEALERS = ("play", "show", "match", "compare", "league", "tournament", "crossplay")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pictures, stores and games in progress go."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("KAGIYA_STORE", str(tmp_path / "store"))


def test_the_option_is_the_same_everywhere() -> None:
    helps = {name: [each.help for each in PAGES[name].params if "--deals" in each.opts] for name in DEALERS}
    assert {len(found) for found in helps.values()} == {1}
    assert len({found[0] for found in helps.values()}) == 1


def test_a_person_plays_a_deal_of_the_site_and_goes_on_with_it(tmp_path: Path) -> None:
    begun = run("play", "--deals", "live", "--seed", "17", "--players", "3", "--save", "game.json", typed="p1\nquit\n")
    assert begun.exit_code == 0, begun.output
    assert "seed p3v0s17" in begun.stdout
    rules = Rules(players=3)
    for record in (GameRecord.read("game.json"), _resumed()):
        assert record.deck == _deck(dealt_game(rules, 17, LIVE))
        assert record.deck != _deck(Game(rules, 17))
        assert record.source["seed"] == "p3v0s17"
    refused = run("play", "--resume", "--deals", "live", "--save", "game.json")
    assert "leave out --deals" in complaint(refused)


def _resumed() -> GameRecord:
    assert run("play", "--resume", "--save", "game.json", typed="quit\n").exit_code == 0
    return GameRecord.read("game.json")


def _deck(game: Game) -> str:
    return GameRecord.of(game, ["x"] * game.rules.players).deck


@pytest.mark.parametrize("words", [("league", "careful"), ("tournament", "careful", "--track", "mirror")])
def test_leagues_and_tournaments_are_played_on_the_decks_of_the_site(words: tuple[str, ...]) -> None:
    settings = ("--rules", "standard", "--players", "2", "--games", "20", "--json")
    found = {}
    for deals in ("own", "live"):
        result = run(*words, *settings, "--deals", deals)
        assert result.exit_code == 0, result.output
        data = json.loads(result.stdout)
        assert data["deals"] == deals
        rows = data["rows"] if "rows" in data else data["tracks"]["mirror"]
        found[deals] = rows[0]["mean"]
    expected = run("match", "careful", "--players", "2", "--games", "20", "--deals", "live", "--json")
    assert found["live"] == pytest.approx(json.loads(expected.stdout)["mean"])
    assert found["own"] != found["live"]


def test_deals_that_do_not_exist_are_refused() -> None:
    for words in (("league", "careful"), ("tournament", "careful"), ("play",)):
        assert "no deals named 'life'; did you mean live" in complaint(run(*words, "--deals", "life"))
    assert "leave out --deals or --with" in complaint(run("league", "--with", "careful", "--deals", "live"))
