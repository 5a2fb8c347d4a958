"""A game is judged quickly first; the turns in doubt are then looked at closer, by itself, until somebody stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kagiya._jit import JIT_OFF
from kagiya.lab.review.judging import judge_game
from kagiya.web.review import review_session
from kagiya.web.review.review_session import TwoPassJudge
from tests.children import LONGEST
from tests.web.live_page import live
from tests.web.review.conftest import FEW
from tests.web.review.games import LIVE, looking, opened, pasted, recorded, said
from tests.web.review.waiting import done, settled

pytestmark = pytest.mark.skipif(JIT_OFF, reason="games by the thousand take minutes without the compiler")

SEATS = ("vdb", "vdb")
QUERY = "judge=vdb&deals=20"
WHOLE = {"do": "judge", "turns": "all"}


def address_of(client: TestClient, seed: int = 3) -> str:
    return f"{opened(client, pasted(recorded(seed, SEATS)))}?{QUERY}"


def test_the_page_ends_where_a_judge_with_most_samples_does(tmp_path: Path) -> None:
    record = recorded(3, SEATS)
    with looking(tmp_path) as client:
        address = address_of(client)
        told = done(client, address, WHOLE)["judged"][0]
        closer = list(judge_game(record, "vdb", 20, most_deals=FEW))
        assert told["turns"] == len(record.moves)
        assert told["mistakes"] == [each.turn + 1 for each in closer if each.is_mistake]
        assert told["provisional"] == []
        assert "with up to 200" in client.get(address).text
    with looking(tmp_path) as client:
        assert settled(client, address)["judged"] == [told]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The closer look begins once this is set, or when it is stopped."""
    go_on, second = threading.Event(), TwoPassJudge.second

    def wait_first(work: TwoPassJudge, task: Any, turns: Any) -> None:
        task.on_stop = go_on.set
        assert go_on.wait(LONGEST)
        second(work, task, turns)

    monkeypatch.setattr(TwoPassJudge, "second", wait_first)
    return go_on


def quickly_judged(client: TestClient, page: Any, address: str) -> dict[str, Any]:
    """The page once only the closer look is left to do."""
    told = client.get(f"/json{address}").json()
    while list(told["working"]) != ["closer vdb 20"]:
        page.receive_json()
        told = client.get(f"/json{address}").json()
    return dict(told)


def test_verdicts_are_provisional_until_then_and_the_closer_look_can_be_stopped(
    tmp_path: Path, held: threading.Event
) -> None:
    quick = [each for each in judge_game(recorded(3, SEATS), "vdb", 20) if not each.is_clear]
    with looking(tmp_path) as client:
        address = address_of(client)
        with live(client, f"{LIVE}{address.replace('&', '%26')}") as page:
            page.receive_json()
            page.send_json(WHOLE)
            judged = quickly_judged(client, page, address)["judged"][0]
            assert judged["provisional"] == [each.turn + 1 for each in quick]
            doubtful = f"{address}&turn={judged['provisional'][0]}"
            assert "This is provisional" in client.get(doubtful).text
            assert "pale: provisional" in client.get(doubtful).text
            assert "Stop judging" in client.get(doubtful).text
            said(page, {"do": "stop", "about": "judges"})
        assert settled(client, address)["judged"] == [judged]
        assert f"{len(quick)} verdicts are provisional" in client.get(address).text
    with looking(tmp_path) as client:  # begun again only if somebody asks for it
        assert settled(client, address)["judged"] == [judged]
        assert "Look closer at doubtful turns" in client.get(address).text
        told = done(client, address, WHOLE)["judged"][0]
        assert told["provisional"] == []
        assert "This is provisional" not in client.get(doubtful).text


@pytest.mark.usefixtures("as_many_samples_as_the_page")
def test_a_mistake_found_with_some_dice_is_found_with_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, enough_games: Callable[..., int]
) -> None:
    """`KAGIYA_TEST_SCALE=2 pytest -s tests/web/review/test_game_judgements.py -k dice`: two games, the usual judge."""
    found = again = 0
    for seed in range(enough_games(1, least=2)):
        verdicts = []
        for dice in (1, 2):
            monkeypatch.setattr(review_session, "SEED", dice)
            with looking(tmp_path / str(dice)) as client:
                address = opened(client, pasted(recorded(seed)))
                verdicts.append(set(done(client, address, WHOLE, 3_600)["judged"][0]["mistakes"]))
        found += len(verdicts[0]) + len(verdicts[1])
        again += 2 * len(verdicts[0] & verdicts[1])
    print(f"{again} of {found} mistakes are found with the other dice too: {again / found:.3f}")  # noqa: T201
    assert found >= 20
    assert again >= 0.9 * found
