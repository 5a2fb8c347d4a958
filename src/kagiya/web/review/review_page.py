"""The pages of reviews: where one begins, and a game at one turn as one seat or all see it.

A reviewed game shows the table, what happened, why, and the timeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kagiya import Game, Move
from kagiya.cards import NO_CARD, SEAT_NAMES
from kagiya.drawing.canvas import Markup, element, joined, paint, rectangle, sheet, words
from kagiya.drawing.card import empty_slot
from kagiya.drawing.charts import Scale, rule, shortened
from kagiya.drawing.timeline import LEFT, MIN_TURNS, RIGHT, TimelineOptions, Turn, timeline, timeline_cursor
from kagiya.lab.regret import MoveCost
from kagiya.lab.table.table import PERSON
from kagiya.view.table_view import Labels, TableCard, TableHand, TableView
from kagiya.web import table_html as html
from kagiya.web.pages import Address, Message, RefusedError, View, link, panel
from kagiya.web.review.belief_panel import belief_task, believing_seat, draw_beliefs
from kagiya.web.review.review_session import ReviewSession, judge_agent, judging
from kagiya.web.review.reviewed_game import (
    ALL,
    EVERYTHING,
    MAIN,
    TABS,
    ReviewedGame,
    ReviewQuery,
    put_away,
    read_stories,
)
from kagiya.web.review.what_if import attempt_of, usual_seats
from kagiya.web.review.what_if_panel import branches_json, draw_what_if
from kagiya.web.review.why_panel import draw_why, draw_worst, why_json, worst_moves
from kagiya.web.server_state import ServerState

EYES = {ALL: "what all know", EVERYTHING: "everything"}
WIDE, NARROW = 800, 400
HIGH = 54
MAX_BEHIND = 4.0  # points that fill the height of a bar
TAB_NAMES = dict(zip(TABS, ("Why?", "Story", "Worst", "Beliefs", "What if"), strict=True))
CHOICES = ("judge", "second", "deals")


class UploadPage(View):
    """The page /review."""

    title = "Review a game"

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        self.address, self._folder = address, state.reviews.folder

    def draw(self) -> Markup:
        return element("div", element("h1", self.title), _form(), self._recent(), class_="panels entrance")

    def to_json(self) -> dict[str, Any]:
        games = [
            {"address": f"/review/game/{entry.key}", "title": entry.title, "about": entry.about}
            for entry in self._folder.recent()
        ]
        return {"recent": games}

    def receive(self, message: Message) -> Address | None:
        if message["do"] != "read":
            return super().receive(message)
        return put_away(read_stories(message.get("text", "")), self._folder)

    def _recent(self) -> Markup:
        games = self._folder.recent()
        items = [
            element(
                "li",
                element("a", entry.title, href=f"/review/game/{entry.key}", id=f"game-{entry.key}", data_live=True),
            )
            for entry in games
        ]
        listed = element("ol", items) if items else element("p", "No games have been reviewed here yet.", class_="soft")
        return element("section", element("h2", "Recent games"), listed)


def _form() -> Markup:
    paste = element("label", "A record, a position, or a game of hanab.live (JSON or link)", for_="pasted")
    box = element("textarea", id="pasted", name="text", rows=8, spellcheck="false", autocomplete="off", required=True)
    file = element(
        "label", "or a file: ", element("input", type="file", id="file", data_into="pasted", accept=".json,.txt,.pos")
    )
    button = element("button", "Review this game", type="submit", id="read", class_="main")
    return element(
        "section",
        element("form", joined(paste, box, file, button), data_do="read", id="reading", class_="review-reading"),
    )


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
            html.tabs(TAB_NAMES, look.tab, self.address, "review-tabs"),
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


def view_at(story: ReviewedGame, look: ReviewQuery) -> TableView:
    """The table before the move of the turn that is looked at; the cards that the move is about are marked."""
    game = story.before(look.turn)
    players = [_player(story, seat) for seat in range(story.rules.players)]
    labels = Labels(story.display_names, players, moved=_concerned(game, story.move_of(look.turn)))
    return TableView.public(game, labels) if look.eyes == ALL else TableView.of_game(game, look.seat, labels)


def _player(story: ReviewedGame, seat: int) -> str:
    """Who sits there: the agent as written; of a person the name if it is known and not that of the seat."""
    if story.seats[seat] != PERSON:
        return story.seats[seat]
    return story.names[seat] if story.names and story.names[seat] != story.display_names[seat] else "a person"


def _concerned(game: Game, move: Move | None) -> set[tuple[int, int]]:
    """The seats and slots that the move is about."""
    if move is None:
        return set()
    if move.slot is not None:
        return {(game.seat, move.slot)}
    after = game.copy()
    after.make(move)
    event = after.events[-1]
    return {(int(event.receiver or 0), slot) for slot in event.touched}


def draw_table(story: ReviewedGame, view: TableView, look: ReviewQuery) -> Markup:
    """Everything on the table but the discards."""
    counts: dict[str, str | int] = {
        "points": f"{view.points} of {view.reachable} reachable",
        "hints": view.tokens,
        "lives": view.lives,
        "deck": view.deck_left,
        "pace": "-" if view.pace is None else view.pace,
    }
    items = [element("div", element("dt", label), element("dd", value)) for label, value in counts.items()]
    return element(
        "section",
        element("h2", "Table", class_="unseen"),
        panel(element("dl", items, class_="review-counts", id="counts")),
        panel(
            element("div", html.played_cards(view.fireworks, story.suits), class_="review-fireworks", id="fireworks")
        ),
        element("div", [_hand(story, hand, look) for hand in view.hands], class_="review-hands"),
        id="table",
        class_="review-table",
    )


def draw_discards(story: ReviewedGame, view: TableView) -> Markup:
    """What lies in the discards, and what is left of each card."""
    grid = html.discards(view, story.suits)
    return panel(element("section", element("h2", "Discards"), grid, id="discards", class_="review-discards"))


def _hand(story: ReviewedGame, hand: TableHand, look: ReviewQuery) -> Markup:
    mark = element("span", " to move", class_="review-to-move") if hand.is_to_move else None
    own = element("span", " (eyes)", class_="soft") if hand.is_mine else None
    name = element("h3", hand.name, mark, own)
    agent = element("p", shortened(hand.player, 60), class_="soft review-agent")
    cards = sorted(hand.cards, key=lambda card: -card.order) if look.newest_left else hand.cards
    row = element("ol", [_card(story, hand, card) for card in cards], class_="review-cards")
    classes = f"review-hand{' to-move' if hand.is_to_move else ''}"
    return panel(element("div", element("div", name, agent), row, class_=classes, id=f"hand-{SEAT_NAMES[hand.seat]}"))


def _card(story: ReviewedGame, hand: TableHand, card: TableCard) -> Markup:
    suits, ranks, slot = story.suits, story.rules.ranks, card.slot + 1
    drawn = empty_slot(f"slot {slot}: empty") if card.card == NO_CARD else html.card_picture(card, suits, ranks)
    known = html.owner_knows(card, suits, ranks) if card.card >= 0 else None
    number = element("span", slot, class_="review-slot", aria_hidden="true")
    return panel(element("li", drawn, known, number, id=f"card-{SEAT_NAMES[hand.seat]}-{slot}"))


def draw_eyes(story: ReviewedGame, look: ReviewQuery, address: Address) -> Markup:
    """As seen by whom; `everything` shows all cards, which no player saw."""
    choices = [*zip(SEAT_NAMES, story.display_names, strict=False), *EYES.items()]
    links = [link(address.with_query(eyes=eyes), label, f"eyes-{eyes}", look.eyes == eyes) for eyes, label in choices]
    other = "right" if look.newest_left else "left"
    title = "how hands are laid out; numbers of slots stay"
    newest = link(address.with_query(newest=other), f"newest card {other}", "newest", title=title)
    label = element("span", "Eyes", id="eyes-label", class_="soft")
    nav = element("nav", links, aria_labelledby="eyes-label")
    return panel(element("div", label, nav, newest, class_="review-eyes", id="review-eyes"))


def draw_happened(story: ReviewedGame, look: ReviewQuery, address: Address) -> Markup:
    """A sentence for every turn, the one that is looked at marked."""
    rows = [
        _row(look, address, turn, html.sentence_html(sentence, story.suits), _cost(cost))
        for turn, (sentence, cost) in enumerate(zip(story.sentences, story.costs, strict=True), start=story.first_turn)
    ]
    rows.append(_row(look, address, story.last_turn, element("span", _end(story)), None, is_end=True))
    log = element("ol", rows, class_="story review-happened")
    return panel(element("section", element("h2", "What happened"), log, id="happened"))


def _row(
    look: ReviewQuery, address: Address, turn: int, words: Markup, cost: Markup | None, is_end: bool = False
) -> Markup:
    is_here, number = turn == look.turn, None if is_end else turn
    to_turn = html.turn_link(str(address.with_query(turn=turn)), f"turn-{turn}", number, words, is_here, cost)
    return panel(element("li", to_turn, data_follow=is_here, id=f"told-{turn}"))


def _end(story: ReviewedGame) -> str:
    game = story.games[-1]
    score = story.record.score if story.record else game.score
    if game.is_bombed:
        return f"the last life is lost: score {score}"
    if game.is_over:
        return f"the game is over: score {score} of {story.rules.perfect_score}"
    return f"{story.display_names[game.seat]} is to move"


def _cost(cost: MoveCost) -> Markup | None:
    if cost.is_free:
        return None
    parts = [f"{cost.direct:+d} lost" if cost.direct else "", f"{cost.indirect:+d} by turns" if cost.indirect else ""]
    text = ", ".join(filter(None, parts)).replace("+", "")
    return element("span", text, class_="bad review-cost", title="points that became impossible, all cards known")


def turn_text(story: ReviewedGame, turn: int) -> str:
    """ "Turn 12 of 58, bob to move", or the end."""
    game = story.before(turn)
    if turn == story.last_turn:
        state = "the end" if game.is_over else f"{story.display_names[game.seat]} to move"
        return f"After turn {turn - 1}: {state}" if turn > 1 else state
    return f"Turn {turn} of {story.last_turn - 1}, {story.display_names[game.seat]} to move"


def draw_timeline(session: ReviewSession, look: ReviewQuery) -> Markup:
    """Steps, slider and the strip; wide and narrow, of which a stylesheet shows one."""
    story = session.story
    strips = [_strips(session, look, width, name) for width, name in ((WIDE, "wide"), (NARROW, "narrow"))]
    drawn = element(
        "section",
        panel(element("h2", turn_text(story, look.turn), id="turn-now")),
        _steps(story, look, steps(session, look)),
        strips if story.moves else None,
        id="timeline",
        class_="review-timeline",
    )
    return panel(drawn)


def _steps(story: ReviewedGame, look: ReviewQuery, leads: dict[str, int | None]) -> Markup:
    """To the turns before and after, to the ends, and to what is worth looking at; `leads` says where to."""

    def button(label: str, sign: str, key: str) -> Markup:
        way = label.lower().replace(" ", "-")
        return html.step(way, sign, label, key, leads[way] is not None, id=way, data_do="step")

    turns, text = range(story.first_turn, story.last_turn + 1), turn_text(story, look.turn)
    drawn = element(
        "div",
        button("First turn", "|<", "Home"),
        button("Previous turn", "<", "ArrowLeft"),
        html.slider(turns, look.turn, text, id="slider", data_do="turn"),
        button("Next turn", ">", "ArrowRight"),
        button("Last turn", ">|", "End"),
        button("Next mistake", "next mistake", "n"),
        button("Next disagreement", "next disagreement", "."),
        class_="review-steps",
        id="steps",
    )
    return panel(drawn)


def steps(session: ReviewSession, look: ReviewQuery) -> dict[str, int | None]:
    """Where one can go from a turn, None where one is already or nothing is left: also to the next mistake (or loss of
    points where no judge was asked), and to the next move with which most agents disagree."""
    story, judged = session.story, session.judged(look.judges[0], look.deals)
    lost = [story.first_turn + place for place, cost in enumerate(story.costs) if cost.total > 0]
    mistakes = sorted({*judged.mistakes, *(turn for turn in lost if turn not in judged.by_turn)})
    agents = session.asked_agents
    disputed = [
        turn for turn in range(story.first_turn, story.last_turn) if 2 * (session.otherwise(turn) or 0) > agents
    ]
    first, last = story.first_turn, story.last_turn
    return {
        "first-turn": first if look.turn > first else None,
        "previous-turn": look.turn - 1 if look.turn > first else None,
        "next-turn": look.turn + 1 if look.turn < last else None,
        "last-turn": last if look.turn < last else None,
        "next-mistake": _after(mistakes, look.turn),
        "next-disagreement": _after(disputed, look.turn),
    }


def _after(turns: Sequence[int], turn: int) -> int | None:
    return next((each for each in turns if each > turn), None)


def _turns(session: ReviewSession) -> tuple[Turn, ...]:
    """What the timeline shows of every turn: points lost, what is still reachable, pace, disagreement."""
    story = session.story
    return tuple(
        Turn(
            seat=int(story.games[place].seat),
            direct=cost.direct,
            indirect=cost.indirect,
            reachable=story.games[place + 1].reachable_points,
            pace=story.paces[place + 1],
            disagree=session.otherwise(story.first_turn + place),
        )
        for place, cost in enumerate(story.costs)
    )


def timeline_json(session: ReviewSession) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [
        {
            "turn": session.story.first_turn + place,
            "seat": turn.seat,
            "direct": turn.direct,
            "indirect": turn.indirect,
            "reachable": turn.reachable,
            "pace": turn.pace,
            "otherwise": turn.disagree,
        }
        for place, turn in enumerate(_turns(session))
    ]


def _strips(session: ReviewSession, look: ReviewQuery, width: int, name: str) -> Markup:
    story = session.story
    options = TimelineOptions(
        names=tuple(shortened(name, 8) for name in story.display_names),
        perfect=story.rules.perfect_score,
        agents=session.asked_agents,
        width=width,
    )
    judges = [text for text in look.judges if session.judged(text, look.deals).by_turn]
    place = look.turn - story.first_turn
    cursor = timeline_cursor(len(story.moves), options, place if place < len(story.moves) else None)
    drawn = (
        panel(element("div", cursor, class_="review-cursor", id=f"cursor-{name}")),
        _drawn(_turns(session), options, None if width == WIDE else ""),
        [_judged_strip(session, text, look, width) for text in judges],
    )
    return panel(element("div", drawn, class_=f"review-strip {name}", id=f"strip-{name}", data_do="turn"))


@lru_cache(maxsize=500)  # drawn again for every change elsewhere on the page
def _drawn(turns: tuple[Turn, ...], options: TimelineOptions, label: str | None) -> Markup:
    return timeline(turns, options, label)


def _judged_strip(session: ReviewSession, text: str, look: ReviewQuery, width: int) -> Markup:
    """By turn how far the move was behind the best by one judge; mistakes are filled."""
    story, judged = session.story, session.judged(text, look.deals)
    across = Scale(0, max(len(story.moves), MIN_TURNS), LEFT, width - RIGHT)
    base, wide = HIGH - 12, across(1) - across(0)
    bars = []
    for turn, judgement in sorted(judged.by_turn.items()):
        if (verdict := judgement.verdict) is None:
            continue
        high = max(min(verdict.behind / MAX_BEHIND, 1.0) * (base - 16), 1.0)
        x = across(turn - story.first_turn) + max((wide - 9) / 2, 0.5)
        fill, pale = "bad" if verdict.is_mistake else "panel", "0.35" if judged.is_provisional(turn) else None
        size = min(max(wide - 1.5, 2), 9), high
        bars.append(rectangle(x, base - high, *size, fill, stroke=paint("bad"), fill_opacity=pale))
    key = "filled: a mistake, pale: provisional" if judged.provisional else "filled: a mistake"
    head = words(LEFT, 11, f"behind the best move, by {text} ({key})", size=11, color="text")
    name = words(LEFT - 6, base - 4, "judged", size=11, color="quiet", text_anchor="end")
    mistakes = ", ".join(f"turn {turn}" for turn in sorted(judged.mistakes)) or "none"
    label = f"{text} judged {len(judged.by_turn)} turns; mistakes: {mistakes}" if width == WIDE else ""
    return sheet(width, HIGH, label, head, rule(LEFT, base, width - RIGHT, base), name, bars)
