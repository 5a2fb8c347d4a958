"""Nothing gets in: foreign modules, budgets, markup, other people's seats, moves at the wrong moment."""

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from kagiya.rules import Rules
from kagiya.web.play.table_agents import TableAgents
from kagiya.web.play.web_table import WebTable
from kagiya.web.play.web_tables import TablePlan
from kagiya.web.server_state import ServerState
from tests.web.play.guests import guest, served

MARKUP = "<img src=x onerror=alert(1)>"
ESCAPED = "&lt;img src=x onerror=alert(1)&gt;"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, ServerState]]:
    """A server at whose tables agents do not move by themselves."""
    monkeypatch.setattr(TableAgents, "wake", lambda bots: None)
    with served(think=1.0) as found:
        yield found


@pytest.mark.parametrize(
    "text",
    [
        "foreign_module:Agent",
        "predictor(model=foreign_module:x)",
        "flat(evaluator=foreign_module:x)",
        "ris-mcts(rollout=sparta(evaluator=foreign_module:x))",
        "FOREIGN_MODULE:Agent",
        " foreign_module:Agent ",
        "foreign_module.sub:Agent(a=b)",
    ],
)
def test_modules_are_refused_and_not_imported(
    server: tuple[TestClient, ServerState], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, state = server
    (tmp_path / "foreign_module.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    for path in (f"/?players=2&seat2={quote(text)}", f"/json/?players=2&seat2={quote(text)}"):
        client.get(path)
    with guest(client, f"/?players=2&seat2={quote(text)}") as page:
        assert page.do("start") != ""
        page.do("seat", seat=1, value=text)
        page.do("start")
        assert page.address.startswith("/?")
    assert "foreign_module" not in set(sys.modules) - before
    assert len(state.tables) == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ris-mcts(time=30s)", "more than the 1 s that an agent may think"),
        ("ris-mcts(iterations=100000000)", "more than the 100,000 that are allowed"),
        ("carful", "careful"),
        ("careful(x=1)", "careful"),
        ("a" * 5_000, "at most"),
        ("careful(" * 500, ""),
        (MARKUP, ""),
        ("", ""),
    ],
)
def test_agents_that_cannot_be_had(server: tuple[TestClient, ServerState], text: str, reason: str) -> None:
    with guest(server[0], f"/?players=2&seat2={quote(text)}") as page:
        said = page.do("start")
        assert said
        assert reason in said
        assert "Something went wrong" not in said
        assert MARKUP not in page.main


def test_markup_comes_out_as_text(server: tuple[TestClient, ServerState]) -> None:
    client, _ = server
    with guest(client, f"/?players=3&seat3=human&rules={quote(MARKUP)}&name={quote(MARKUP)}") as page:
        assert MARKUP not in page.main
        page.do("go", to=f"/?players=3&seat3=human&name={quote('<b>x')}")
        assert page.do("start") == ""
        page.do("note", card=0, value=MARKUP)
        assert ESCAPED in page.main or quote(MARKUP) in page.main
        page.do("type", line=MARKUP, turn=0, branch=0)
        page.do(MARKUP)
        page.do("go", to=f"/{MARKUP}")
        told = [client.get(f"{page.address}").text, *(frame.get("main", "") for frame in page.frames)]
    assert any("&lt;b&gt;x" in each for each in told)
    for each in told:
        assert MARKUP not in each
        assert "<b>x" not in each
    assert MARKUP not in client.get(f"/{quote(MARKUP)}?x={quote(MARKUP)}").text


def test_another_seats_link_and_the_review_of_a_running_game_are_refused(
    server: tuple[TestClient, ServerState],
) -> None:
    client, state = server
    address = state.tables.set_up("me", TablePlan(Rules(players=3), ("human", "careful", "human"), ("a", "b", "c")))
    _, _, name, mine = str(address).split("/")
    opened = state.tables.visit(name)
    agents, others = opened.table.setup.secrets[1:]
    for path in (
        f"/table/{name}/wrong",
        f"/table/{name}/{agents}",  # of an agent's seat: nobody's
        f"/table/{name}/{mine}x",
        f"/table/{name}/{opened.table.setup.invitations[2]}",
        f"/table/wrong/{mine}",
        f"/join/{name}/{mine}",
        f"/join/{name}/",
        f"/review/table/{name}",
        f"/review/game/{name}",
    ):
        for front in ("", "/json"):
            answer = client.get(front + path)
            assert answer.status_code in (400, 404), path
            assert others not in answer.text
    assert client.get(f"/table/{name}/{mine}").status_code == 200
    assert others not in client.get(f"/table/{name}/{mine}").text


def test_moves_at_the_wrong_moment(server: tuple[TestClient, ServerState]) -> None:
    client, state = server
    address = state.tables.set_up("me", TablePlan(Rules(players=2), ("human", "human"), ("a", "b"), seed=5))
    opened = state.tables.visit(str(address).split("/")[2])
    theirs = f"/table/{opened.table.name}/{opened.table.setup.secrets[1]}"
    with (
        guest(client, str(address)) as page,
        guest(client, str(address)) as other_tab,
        guest(client, theirs) as partner,
    ):
        assert "not yours" in partner.do("move", move="play 1", turn=0)
        assert "discard" in page.do("move", move="discard 1", turn=0).lower()  # all tokens are there
        assert page.do("move", move="play 1", turn=0) == ""
        other_tab.receive()
        assert other_tab.do("move", move="play 1", turn=0) == ""  # what was not answered is sent again
        assert "already" in other_tab.do("move", move="play 2", turn=0)
        assert page.do("move", move="play 1", turn=2) != ""
        assert opened.table.game.turn == 1
        for move in ("", "fly", "play 0", "play -1", "play 99", "hint bob red red", "hint a red", "play 1" * 50):
            assert page.do("move", move=move, turn=1) != ""
        assert page.do("move", turn="x", move="play 1") != ""
        assert page.do("move") != ""
        _bomb(opened.table)
        page.wait_for("points")
        moves = opened.table.game.moves
        page.do("move", move="play 1", turn=len(moves))
        assert page.do("back", turn=0, branch=0) != ""
        assert opened.table.game.moves == moves


def _bomb(table: WebTable) -> None:
    """Play until the end, whoever's turn it is."""
    while not table.game.is_over:
        game = table.game
        table.make(game.seat, game.legal_moves[0], game.turn)
