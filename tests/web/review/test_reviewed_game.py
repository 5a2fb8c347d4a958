"""Where reviewed games come from: tables that are over, files given on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kagiya.engine.game import Game
from kagiya.lab.table.session import play_from
from kagiya.rules import Rules
from kagiya.web.app import make_app
from kagiya.web.play.web_tables import TablePlan
from kagiya.web.server_state import ServerState
from tests.cli.command import complaint, run
from tests.web.live_page import live
from tests.web.review.games import HERE, LIVE, POSITION, looking, pasted, recorded, said


def test_a_table_can_be_reviewed_only_when_its_game_is_over(tmp_path: Path) -> None:
    state = ServerState(review_folder=tmp_path)
    rules = Rules(players=2)
    plan = TablePlan(rules, ("human", "human"), ("Ann <b>", "Ben"), 0.0, 11)
    finished = play_from(Game(rules, 11), "careful")
    with TestClient(make_app(state), base_url=HERE) as client:
        name = str(state.tables.set_up("somebody", plan)).split("/")[2]
        opened = state.tables.visit(name)
        for turn, move in enumerate(finished.moves):
            if turn in (0, 1, len(finished.moves) - 1):
                answer = client.get(f"/review/table/{name}")
                assert answer.status_code == 400
                assert "still being played" in answer.text
                assert client.get(f"/json/review/table/{name}").status_code == 400
            opened.table.make(opened.table.game.seat, move, turn)
        told = client.get(f"/json/review/table/{name}?turn=3").json()
        assert told["last_turn"] == len(finished.moves) + 1
        assert told["board"]["turn"] == 3
        assert "Ann &lt;b&gt;" in client.get(f"/review/table/{name}").text
        assert client.get("/review/table/nowhere").status_code == 404


def serve_at_once(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[str, list[str]]:
    """What `kagiya serve` says and opens, without a server."""
    opened: list[str] = []

    def ready(state: ServerState, listening: object, hosts: object, when_ready: Callable[[], None]) -> None:
        when_ready()
        state.close()

    monkeypatch.setattr("kagiya.web.app.serve", ready)

    def open_it(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr("kagiya.web.app.open_browser", open_it)
    return run("serve", "--port", "0", *words).output, opened


def test_serve_opens_the_review_of_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = tmp_path / "game.json"
    game.write_text(pasted(recorded()))
    _, (address,) = serve_at_once(monkeypatch, str(game))
    path = "/" + address.split("/", 3)[3]
    with looking(tmp_path / "kagiya" / "reviewed") as client:
        assert client.get(f"/json{path}").json()["seats"] == list(recorded().seats)
    position = tmp_path / "position.txt"
    position.write_text(POSITION)
    assert "/review/game/" in serve_at_once(monkeypatch, str(position))[1][0]


@pytest.mark.parametrize(
    ("content", "answer"), [(b"hello", "not a game"), (b"\xff\xfe\x00", "not a text file"), (b"{", "cannot be read")]
)
def test_serve_says_what_is_wrong_with_a_file(tmp_path: Path, content: bytes, answer: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(content)
    said_of_it = complaint(run("serve", str(file), "--no-browser", "--port", "0"))
    assert answer in said_of_it
    assert "game.json" in said_of_it
    assert "No such file" in complaint(run("serve", str(tmp_path / "missing.json"), "--no-browser", "--port", "0"))


def test_several_games_at_once_stand_among_the_recent_ones(tmp_path: Path) -> None:
    with looking(tmp_path) as client, live(client, f"{LIVE}/review") as page:
        page.receive_json()
        both = f"[{pasted(recorded())}, {pasted(recorded(8))}]"
        assert said(page, {"do": "read", "text": both})["main"].count('id="game-') == 2
        assert len(client.get("/json/review").json()["recent"]) == 2
