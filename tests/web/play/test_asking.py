"""What a person may ask at the table: the coach, what a move tells, what the own cards can be."""

from __future__ import annotations

import random
import threading

import pytest
from starlette.testclient import TestClient

from kagiya.agents.register import find_agent
from kagiya.lab.review.card_chances import has_convention
from kagiya.rules import Rules
from kagiya.runtime.jobs import SEARCH, SUBPROCESS, SUBPROCESS_THREADS
from kagiya.web.pages import Notifier
from kagiya.web.play.web_tables import TablePlan
from tests.web.play.guests import Guest, guest, served
from tests.web.play.test_playing import play_on, told

pytestmark = pytest.mark.quick


def wait_until(page: Guest, client: TestClient, name: str) -> list[dict[str, object]]:
    """Until what was asked for is answered."""
    while True:
        answers: list[dict[str, object]] = told(client, page)[name]
        if answers and not any(each["thinking"] for each in answers):
            return answers
        page.receive()


def test_the_coach_judges_every_legal_move_before_and_after() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        legal = page.moves
        assert page.do("coach", turn=0, branch=0, judge="careful") == ""
        (answer,) = wait_until(page, client, "coach")
        judgement = answer["judgement"]
        assert isinstance(judgement, dict)
        assert sorted(each["move"] for each in judgement["moves"]) == sorted(legal)
        page.wait_until_shown("expected at the end")
        assert 'class="made"' not in page.main
        page.move(legal[-1])
        page.wait_for_my_turn()
        page.do("look", value=0)
        assert 'class="made"' in page.main
        page.do("look", value=1)
        assert "your own turns" in page.do("coach", turn=1, branch=0, judge="careful")


def test_a_question_that_was_stopped_before_its_turn_can_be_asked_again() -> None:
    go = threading.Event()
    with served() as (client, state), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        for lane in (SEARCH, SUBPROCESS) * SUBPROCESS_THREADS:
            state.jobs.start("somebody else", lambda _: go.wait(300), Notifier().announce, lane)
        page.do("coach", turn=0, branch=0, judge="careful")
        page.do("stop-coach", turn=0)
        assert [each["error"] for each in told(client, page)["coach"]] == ["Stopped before there was anything to say."]
        page.do("coach", turn=0, branch=0, judge="careful")
        go.set()
        (answer,) = wait_until(page, client, "coach")
        assert answer["judgement"]


@pytest.mark.parametrize(
    ("judge", "reason"),
    [("cheatbot", "sees its own hand"), ("ris-mcts", "too slow"), ("carefull", "did you mean"), ("os:path", "module")],
)
def test_who_cannot_coach_is_refused(judge: str, reason: str) -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        assert reason in page.do("coach", turn=0, branch=0, judge=judge)
        assert told(client, page)["coach"] == []


@pytest.mark.parametrize("partner", ["hanabirs-info", "smartbot", "careful"])
def test_what_a_move_tells(partner: str) -> None:
    seats = ("human", partner, partner, partner)
    with served() as (client, state):
        address = state.tables.set_up("somebody", TablePlan(Rules(players=4), seats, ("",) * 4, 0.0, seed=3))
        with guest(client, str(address)) as page:
            ask_about_a_hint(client, page, partner)


def ask_about_a_hint(client: TestClient, page: Guest, partner: str) -> None:
    is_convention_known, hint = has_convention(find_agent(partner)), None
    while hint is None:
        play_on(page, random.Random(1), 1)
        page.wait_for_my_turn()
        story = told(client, page)["story"][-3:]
        hint = next((each["turn"] - 1 for each in story if " hints " in each["words"]), None)
    assert "Only what others" in page.do("tell", turn=0, branch=0)
    assert page.do("tell", turn=hint, branch=0) == ""
    (answer,) = wait_until(page, client, "tells")
    assert answer["error"] == ""
    meanings = answer["meanings"]
    assert isinstance(meanings, list)
    assert [each["by"] for each in meanings] == ["its words alone", f"{partner}'s convention"][
        : 1 + is_convention_known
    ]
    for each in meanings:
        slots = each["told"]["after"]["slots"] if each["told"] else []
        assert all(abs(sum(slot["cards"].values()) - 1) < 1e-6 for slot in slots)
    page.wait_until_shown("By its words alone")


def test_every_card_with_its_chance() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        chances = told(client, page)["chances"]
        assert len(chances) == 5
        for grid in chances.values():
            assert abs(sum(map(sum, grid)) - 1) < 1e-4
        assert "chance-grids" not in page.main
        page.do("chances", value="on")
        assert "chance-grids" in page.main
        page.do("chances", value="off")
        assert "chance-grids" not in page.main
