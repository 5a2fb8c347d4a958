"""The page of a reviewed game: the table, what happened, why, and the timeline."""

from __future__ import annotations

from typing import Any

from kagiya.drawing.canvas import Markup, element
from kagiya.web.move_log import tabs
from kagiya.web.pages import Address, Message, RefusedError, View, link, panel
from kagiya.web.review.belief_panel import belief_task, believing_seat, draw_beliefs
from kagiya.web.review.game_table import (
    draw_discards,
    draw_eyes,
    draw_happened,
    draw_table,
    draw_timeline,
    steps,
    timeline_json,
    turn_text,
    view_at,
)
from kagiya.web.review.review_session import ReviewSession, judge_agent, judging
from kagiya.web.review.reviewed_game import MAIN, TABS, ReviewedGame, ReviewQuery
from kagiya.web.review.what_if import attempt_of, usual_seats
from kagiya.web.review.what_if_panel import branches_json, draw_what_if
from kagiya.web.review.why_panel import draw_why, draw_worst, why_json, worst_moves
from kagiya.web.server_state import ServerState

TAB_NAMES = dict(zip(TABS, ("Why?", "Story", "Worst", "Beliefs", "What if"), strict=True))
CHOICES = ("judge", "second", "deals")


class ReviewPage(View):
    """A game at one turn, looked at in one way; the address says which."""

    def __init__(self, state: ServerState, address: Address, visitor: str, root: ReviewSession) -> None:
        branch = address.query.get("branch", MAIN)
        session = root if branch == MAIN else state.reviews.of_branch(root, branch)
        self.address, self._root, self._session, self._visitor = address, root, session, visitor
        self.changes = root.changes
        self._story = session.story
        self._look = ReviewQuery.at(address, self._story)
        for text in self._look.judges:
            judge_agent(text, session.partners, self._story.rules)
        self.title = f"{self._story.title}, {turn_text(self._story, self._look.turn).lower()}"
        session.begin(visitor, self._look.judges, self._look.deals)

    def draw(self) -> Markup:
        story, look = self._story, self._look
        session, seat = self._session, believing_seat(story, look)
        view = view_at(story, look)
        side = element(
            "div", draw_happened(story, look, self.address), draw_discards(story, view), class_="review-side"
        )
        watching = [
            draw_table(story, view, look),
            draw_timeline(self._session, look),
            tabs(TAB_NAMES, look.tab, self.address, "review-tabs"),
            side,
            draw_worst(self._session, look, self.address),
            draw_beliefs(story, session.beliefs.get(seat), session.tasks.get(belief_task(seat)), look, self.address),
        ]
        asking = [
            draw_why(self._session, look, self.address),
            draw_what_if(self._root, self._session, look, self.address),
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
        session, found = self._session, self._session.beliefs.get(believing_seat(story, look))
        tasks = {**dict(self._root.tasks.items()), **dict(session.tasks.items())}
        working = {about: task.progress for about, task in tasks.items() if not task.is_over}  # before what they find
        return {
            "rules": story.rules.to_json(),
            "seats": list(story.seats),
            "names": list(story.display_names),
            "suits": [suit.name for suit in story.suits],
            "first_turn": story.first_turn,
            "last_turn": story.last_turn,
            "eyes": look.eyes,
            "board": {**view_at(story, look).to_json(), "turn": look.turn},
            "happened": [str(sentence) for sentence in story.sentences],
            "timeline": timeline_json(self._session),
            "judged": [self._session.judged(text, look.deals).to_json() for text in look.judges],
            "why": why_json(self._session, look),
            "worst": worst_moves(self._session, look),
            "beliefs": None if found is None else found.to_json(look.turn),
            "branches": branches_json(self._root),
            "zoo": list(self._session.opinions.agents) if self._session.opinions else [],
            "working": working,
        }

    def receive(self, message: Message) -> Address | None:
        match message["do"]:
            case "turn":
                return self.address.with_query(turn=self._asked_turn(message))
            case "step":
                turn = steps(self._session, self._look).get(message.get("way", ""))
                return None if turn is None else self.address.with_query(turn=turn)
            case "choose" if message.get("what") in CHOICES:
                return self.address.with_query(**{message["what"]: message.get("value") or None})
            case "judge":
                self._judge(message.get("turns", ""))
            case "thoughts":
                self._session.recall(self._visitor)
            case "believe":
                self._session.believe(self._visitor, believing_seat(self._story, self._look), self._look.judges[0])
            case "zoo":
                self._session.ask_all(self._visitor)
            case "try":
                self._try(message)
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
            self._session.judge(self._visitor, text, look.deals, moves if turns == "all" else [look.turn])

    def _try(self, message: Message) -> None:
        session, look = self._session, self._look
        usual = usual_seats(self._story, session.problems, look)
        self._root.try_out(self._visitor, attempt_of(self._story, usual, session.partners, look, message))

    def _stop(self, about: str) -> None:
        judges = [name for text in self._look.judges for name in judging(text, self._look.deals)]
        names = judges if about == "judges" else [about]
        for session in (self._session, self._root):
            session.tasks.stop(lambda name: name in names)

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


def open_table(state: ServerState, address: Address, visitor: str, table: str) -> ReviewPage:
    """The finished game of a table; while it runs it is refused, for a review shows all cards."""
    with state.tables.visiting(table) as visited:
        if not visited.game.is_over:
            raise RefusedError("This game is still being played; it can be reviewed once it is over.")
        story = ReviewedGame.of_record(visited.record(), "played here")
    return ReviewPage(state, address, visitor, state.reviews.of_story(story))


def open_given(state: ServerState, address: Address, visitor: str, key: str) -> ReviewPage:
    """A game that was pasted or given."""
    return ReviewPage(state, address, visitor, state.reviews.of(key, lambda: state.reviews.folder.story(key)))
