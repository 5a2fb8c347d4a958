"""The pages of results: every number is the store's, and every link leads on."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kagiya import Match, Rules
from kagiya.lab.store.cells import MEASURES
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.summary import summarize
from kagiya.runtime.workers import LocalWorkers
from tests.stores import AGENTS, CELL_GAMES
from tests.web.live_page import live
from tests.web.results.pages import CELL, LIVE, links, main_of, words


def test_the_page_shows_what_the_store_has(client: TestClient, path: Path) -> None:
    page = client.get("/results?players=3")
    assert page.status_code == 200
    main = main_of(page.text)
    assert "570 games in 3 runs" in words(main)
    heat = next(table for table in main.iter("table") if table.get("class") == "heat")
    heads = [th.get("title") for th in heat.iter("th") if th.get("scope") == "col"]
    assert set(heads[1:]) == set(AGENTS)
    assert [th.get("title") for th in heat.iter("th") if th.get("scope") == "row"] == heads[1:]
    cells = {a.get("title"): words(a) for a in heat.iter("a")}
    with Store.read(path) as store:
        (row,) = store.rows("SELECT seating FROM seatings WHERE team = 'vdb + vdb + vdb'")
        summary = summarize(store.results(row[0], 100, CELL_GAMES), 25, 3)
    assert cells["vdb with vdb, 30 games"] == f"{summary.mean:.2f}± {summary.se:.2f}"
    assert "careful with careful, 60 games" in cells  # of two runs
    runs = next(table for table in main.iter("table") if words(table).startswith("Runs"))
    assert "kagiya match careful -n 60" in words(runs)
    assert "numba" in words(runs)


def test_the_same_for_programs(client: TestClient) -> None:
    told = client.get("/json/results?players=2&measure=bombs").json()
    assert told["version"] == 1
    assert told["choice"]["rules"] == "standard"
    assert {tuple(cell["members"]) for cell in told["cross_play"]} == {(a, b) for a in AGENTS for b in AGENTS}
    assert [run["run"] for run in told["runs"]["items"]] == [3, 2, 1]
    one, other = (
        next(cell for cell in told["cross_play"] if cell["members"] == list(pair))
        for pair in (("vdb", "random"), ("random", "vdb"))
    )
    assert one["value"] == other["value"]  # the same games
    assert 0 < one["error"] < 0.1


@pytest.mark.parametrize("measure", MEASURES)
def test_each_quantity_can_be_chosen(client: TestClient, measure: str) -> None:
    page = client.get(f"/results?measure={measure}&players=3")
    assert f'id="measure-{measure}" data-live="" aria-current="true"' in page.text
    assert MEASURES[measure].name in words(main_of(page.text))


def test_a_run_an_agent_and_a_code_can_be_chosen(client: TestClient) -> None:
    told = client.get("/json/results?run=3").json()
    assert [(row["members"], row["games"]) for row in told["self_play"]["items"]] == [(["careful", "careful"], 60)]
    assert told["cross_play"] == []
    assert "No cross-play among these games" in client.get("/results?run=3").text
    told = client.get("/json/results?agent=vdb&players=3").json()
    assert all("vdb" in cell["members"] for cell in told["cross_play"])
    assert len(told["cross_play"]) == 4
    assert "as a guest" in client.get("/results?agent=vdb&players=3").text
    (code,) = {team["code"] for team in client.get("/json/results/cell?host=vdb&players=3").json()["seatings"]}
    told = client.get(f"/json/results?code={code}&players=3").json()
    assert [row["members"] for row in told["self_play"]["items"]] == [["vdb", "vdb"]]
    for nothing in ("rules=hle", "run=99", "agent=nobody", "code=zzz"):
        told = client.get(f"/json/results?{nothing}").json()
        assert told["self_play"]["items"] == told["cross_play"] == []
        assert client.get(f"/results?{nothing}").status_code == 200


def test_the_form_puts_its_values_into_the_address(client: TestClient) -> None:
    with live(client, f"{LIVE}/results") as page:
        first = page.receive_json()
        assert 'data-do="choose"' in first["main"]
        sent = {"do": "choose", "rules": "standard", "players": "3", "agent": "", "run": " 1 ", "code": "", "id": "1"}
        page.send_json(sent)
        frame = page.receive_json()
        assert frame["address"] == "/results?rules=standard&players=3&run=1"
        assert 'value="1"' in frame["main"]
        page.receive_json()  # that it was done
        page.send_json({**sent, "players": "nine"})
        assert page.receive_json()["say"] == "players must be an integer from 2 to 5, not 'nine'."
        page.send_json({"do": "delete"})
        assert "does not know how to 'delete'" in page.receive_json()["say"]


def test_every_link_leads_somewhere(client: TestClient) -> None:
    """Within the results; the review has its own tests."""
    seen: dict[str, str] = {}
    waiting = ["/results", f"{CELL}&with_host=vdb&event=critical&order=worst"]
    while waiting and len(seen) < 12:
        address = waiting.pop()
        if address in seen:
            continue
        page = client.get(address)
        assert page.status_code == 200, address
        assert 'id="problem"' not in page.text, address
        main_of(page.text)
        ids = re.findall(r' id="([^"]+)"', page.text)
        assert len(ids) == len(set(ids)), address
        seen[address] = page.text
        waiting += [found for found in links(page.text) if found.startswith("/results")]
    assert len(seen) == 12


def test_a_cell(client: TestClient, path: Path) -> None:
    told = client.get(f"/json{CELL}").json()
    assert told["members"] == ["careful", "vdb"]
    assert sum(team["games"] for team in told["seatings"]) == told["summary"]["games"] == CELL_GAMES
    assert sum(told["summary"]["histogram"]) == CELL_GAMES
    main = main_of(client.get(CELL).text)
    assert f"{told['summary']['mean']:.2f} ± {told['summary']['se']:.2f}" in words(main)
    assert any(svg.get("role") == "img" for svg in main.iter("svg"))
    captions = [words(caption) for caption in main.iter("caption")]
    assert "Points lost in a game, by seat and source" in captions
    assert "Points lost in a game by one seat of each agent" in captions
    for order in ("worst", "median", "best"):
        assert len(told["extremes"][order]) == 3
        game = told["extremes"][order][0]
        assert f"/review/store/{game['seating']}/{game['seed']}" in links(client.get(CELL).text)
        with Store.read(path) as store:
            assert store.record(game["seating"], game["seed"]).score == game["score"]


def test_from_a_cell_to_the_review_of_a_game(client: TestClient) -> None:
    game = client.get(f"/json{CELL}").json()["extremes"]["worst"][0]
    address = f"/review/store/{game['seating']}/{game['seed']}"
    page = client.get(address)
    assert page.status_code == 200
    assert page.url.path.startswith("/review/game/")
    assert f"score {game['score']} of 25" in page.text
    assert client.get(f"/json{address}").json()["last_turn"] == game["turns"] + 1
    with live(client, f"{LIVE}{address}") as opened:
        assert opened.receive_json()["address"] == page.url.path


def test_a_stored_game_that_is_not_there(client: TestClient) -> None:
    assert "has no game with seed 7" in client.get("/review/store/1/7").text
    assert "has no seating 999; `kagiya results` lists them" in unescape(client.get("/review/store/999/7").text)
    for address in ("/review/store/x/7", "/review/store/1/-7", f"/review/store/1/{'9' * 30}"):
        assert client.get(address).status_code == 404
        assert "both numbers, not" in client.get(address).text
    with live(client, f"{LIVE}/review/store/1/7") as page:
        assert "has no game with seed 7" in page.receive_json()["main"]


def test_a_game_that_today_s_table_would_play_otherwise_is_refused_by_a_sentence(
    tmp_path: Path, served: Callable[[Path], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "store") as store:
        run_matches([Match.of(Rules(players=2), "careful", 5)], store, "", LocalWorkers(1))
    moves = Store.moves
    monkeypatch.setattr(Store, "moves", lambda self, seating, seed: moves(self, seating, seed)[:-1])
    page = served(tmp_path / "store").get("/review/store/1/3")
    assert "was played by an earlier version of the table: its moves lead elsewhere now" in page.text


def test_games_by_event_page_by_page(client: TestClient) -> None:
    cell = "/results/cell?rules=standard&players=2&guest=random&host=random"
    told = client.get(f"/json{cell}").json()
    assert told["events"]["bomb"] > 20
    pages = [client.get(f"/json{cell}&event=bomb&order=worst&page={page}").json()["games"] for page in (1, 2)]
    assert {game["lives"] for page in pages for game in page} == {0}
    assert [len(page) for page in pages] == [20, told["events"]["bomb"] - 20]
    assert client.get(f"/json{cell}&event=bomb&page=99").json()["page"] == 2


def test_two_cells_on_common_decks(client: TestClient) -> None:
    beside = f"{CELL}&with_guest=vdb&with_host=vdb"
    told = client.get(f"/json{beside}").json()["beside"]
    assert told["members"] == ["vdb", "vdb"]
    difference = told["on_common_decks"]["difference"]
    assert difference["decks"] == CELL_GAMES
    main = main_of(client.get(beside).text)
    assert f"{difference['mean']:+.2f} ± {difference['se']:.2f}" in words(main)
    assert difference["verdict"] in words(main)
    with live(client, f"{LIVE}{CELL.replace('&', '%26')}") as page:
        page.receive_json()
        page.send_json({"do": "compare", "guest": "vdb", "host": "vdb", "run": "", "code": ""})
        assert page.receive_json()["address"] == beside


def test_two_runs_of_one_cell_are_told_apart(client: TestClient) -> None:
    cell = "/results/cell?rules=standard&players=3&guest=careful&host=careful&run=1"
    told = client.get(f"/json{cell}&with_host=careful&with_run=3").json()["beside"]["on_common_decks"]
    assert told["difference"]["mean"] == 0
    assert (told["difference"]["first"], told["difference"]["second"]) == (
        "careful with itself, run 1",
        "careful with itself, run 3",
    )


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/results?players=1", "players must be an integer from 2 to 5, not '1'."),
        ("/results?run=1;DROP", "run must be an integer of at least 1"),
        ("/results?measure=luck", "measure is one of score, perfect"),
        ("/results?runs=0", "runs must be an integer from 1"),
        ("/results?agent=" + "x" * 3000, "agent in the address has 3,000 characters"),
        ("/results/cell", "Whose games?"),
        ("/results/cell?host=vdb&event=luck", "event is one of perfect, bomb"),
        ("/results/cell?host=vdb&order=luck", "order is one of seed, worst"),
        ("/results/cell?host=vdb&page=x", "page must be an integer"),
    ],
)
def test_what_is_not_understood_is_said(client: TestClient, address: str, said: str) -> None:
    assert said in client.get(f"/json{address}").json()["error"]
    page = client.get(address)
    assert page.status_code == 400
    assert said in unescape(page.text)
