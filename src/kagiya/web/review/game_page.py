"""The page of one game: the table, what happened, why, and the way through it."""

from __future__ import annotations

from typing import Any

from kagiya.drawing.markup import Markup, element
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.review.asking import judge_agent
from kagiya.web.review.beliefs_panel import beliefs_json, believing_seat, draw_beliefs
from kagiya.web.review.board import board_at
from kagiya.web.review.controls import draw_eyes, draw_tabs, turn_text
from kagiya.web.review.happened import draw_happened
from kagiya.web.review.judging_panel import draw_worst, worst_moves
from kagiya.web.review.look import MAIN, Look
from kagiya.web.review.story import Story
from kagiya.web.review.study import Study
from kagiya.web.review.table import draw_discards, draw_table
from kagiya.web.review.timeline_panel import draw_timeline, steps, timeline_json
from kagiya.web.review.trying import attempt_of
from kagiya.web.review.what_if import branches_json, draw_what_if
from kagiya.web.review.why import draw_why, why_json
from kagiya.web.review.work import Desk, judging
from kagiya.web.server.state import ServerState
from kagiya.web.views import Address, Message, RefusedError, View

CHOICES = ("judge", "second", "deals")


class GamePage(View):
    """A game at one turn, looked at in one way; the address says which."""

    def __init__(self, state: ServerState, address: Address, visitor: str, root: Study) -> None:
        branch = address.query.get("branch", MAIN)
        study = root if branch == MAIN else state.studies.of_branch(root, branch)
        self.address, self._root, self._study, self._limits = address, root, study, state.limits
        self.changes = root.changes
        self._story = study.story
        self._look = Look.at(address, self._story)
        for text in self._look.judges:
            judge_agent(text, state.limits, self._story.rules)
        self.title = f"{self._story.title}, {turn_text(self._story, self._look.turn).lower()}"
        self._desk = Desk(state, visitor, study)
        self._desk.begin_by_itself(self._look.judges, self._look.deals)

    def draw(self) -> Markup:
        story, look = self._story, self._look
        board = board_at(story, look)
        side = element(
            "div", draw_happened(story, look, self.address), draw_discards(story, board), class_="review-side"
        )
        watching = [
            draw_table(story, board, look),
            draw_timeline(self._study, look),
            draw_tabs(look, self.address),
            side,
            draw_worst(self._study, look, self.address),
            draw_beliefs(self._study, look, self.address),
        ]
        asking = [
            draw_why(self._study, look, self.address),
            draw_what_if(self._root, self._study, look, self.address),
        ]
        drawn = element(
            "div",
            self._heading(),
            draw_eyes(story, look, self.address),
            element("div", watching, class_="review-left"),
            element("div", asking, class_="review-right"),
            class_="review",
            id="review",
            data_tab=look.tab,
            data_judges=len(look.judges),
        )
        return panel(drawn)

    def to_json(self) -> dict[str, Any]:
        story, look = self._story, self._look
        tasks = {**self._root.tasks, **self._study.tasks}
        return {
            "rules": story.rules.to_json(),
            "seats": list(story.seats),
            "names": list(story.called),
            "suits": [suit.name for suit in story.suits],
            "first_turn": story.first_turn,
            "last_turn": story.last_turn,
            "eyes": look.eyes,
            "board": board_at(story, look).to_json(),
            "happened": [str(sentence) for sentence in story.sentences],
            "timeline": timeline_json(self._study),
            "judged": [self._study.judged(text, look.deals).to_json() for text in look.judges],
            "why": why_json(self._study, look),
            "worst": worst_moves(self._study, look),
            "beliefs": beliefs_json(self._study, look),
            "branches": branches_json(self._root),
            "zoo": list(self._study.opinions.agents) if self._study.opinions else [],
            "working": {about: task.progress for about, task in tasks.items() if not task.is_over},
        }

    def receive(self, message: Message) -> Address | None:
        match message["do"]:
            case "turn":
                return self.address.with_query(turn=self._asked_turn(message))
            case "step":
                turn = steps(self._study, self._look).get(message.get("way", ""))
                return None if turn is None else self.address.with_query(turn=turn)
            case "choose" if message.get("what") in CHOICES:
                return self.address.with_query(**{message["what"]: message.get("value") or None})
            case "judge":
                self._judge(message.get("turns", ""))
            case "thoughts":
                self._desk.recall()
            case "believe":
                self._desk.believe(believing_seat(self._story, self._look), self._look.judges[0])
            case "zoo":
                self._desk.ask_all()
            case "try":
                self._desk.try_out(attempt_of(self._study, self._look, self._limits, message), self._root)
            case "rename":
                self._root.branches.rename(message.get("branch", ""), message.get("name", ""))
                self._root.changes.announce()
            case "delete":
                return self._delete(message.get("branch", ""))
            case "stop":
                self._stop(message.get("about", ""))
            case _:
                return super().receive(message)
        return None

    def _judge(self, turns: str) -> None:
        look = self._look
        moves = range(self._story.first_turn, self._story.last_turn)
        if turns != "all" and self._story.before(look.turn).is_over:
            raise RefusedError("The game is over here, so there is no move to judge.")
        for text in look.judges:
            self._desk.judge(text, look.deals, moves if turns == "all" else [look.turn])

    def _stop(self, about: str) -> None:
        judges = [name for text in self._look.judges for name in judging(text, self._look.deals)]
        for name in judges if about == "judges" else [about]:
            for study in (self._study, self._root):
                if name in study.tasks:
                    study.tasks[name].stop()

    def _delete(self, name: str) -> Address | None:
        self._root.branches.remove(name)
        self._root.changes.announce()
        is_gone = self._look.branch not in (MAIN, *(branch.id for branch in self._root.branches))
        return self.address.with_query(branch=None) if is_gone else None

    def _asked_turn(self, message: Message) -> int:
        """By the slider the turn's number, by a click on the timeline its place."""
        if "turn" in message:
            return Address("/", message).number("turn", 0) + self._story.first_turn
        return Address("/", message).number("value", self._look.turn)

    def _heading(self) -> Markup:
        rules = self._story.rules
        caption = element("p", f"{rules.text()}: {rules.caption()}", class_="soft")
        branch = None
        if self._look.branch != MAIN:
            back = link(self.address.with_query(branch=None), "to the game itself", "to-main")
            branch = element("p", f"Branch: {self._root.branches.get(self._look.branch).name} (", back, ")")
        heading = element("h1", self._story.title)
        return panel(element("div", heading, branch, caption, class_="review-heading", id="review-heading"))


def open_table(state: ServerState, address: Address, visitor: str, table: str) -> GamePage:
    """The finished game of a table; while it runs it is refused, for a review shows all cards."""
    with state.tables.visiting(table) as visited:
        if not visited.game.is_over:
            raise RefusedError("This game is still being played; it can be reviewed once it is over.")
        story = Story.of_record(visited.record(), "played here")
    return GamePage(state, address, visitor, state.studies.of_story(story))


def open_given(state: ServerState, address: Address, visitor: str, key: str) -> GamePage:
    """A game that was pasted or given."""
    return GamePage(state, address, visitor, state.studies.of(key, lambda: state.studies.shelf.story(key)))
