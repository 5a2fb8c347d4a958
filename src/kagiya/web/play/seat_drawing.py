"""The drawing of a seat's page from plain data: an observation, now or at an earlier turn, and what the seat has asked.

A seat asks what every move is worth, and what a partner's move told it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from kagiya.cards import card_name
from kagiya.drawing.canvas import Markup, Value, element, joined
from kagiya.drawing.card import percent
from kagiya.engine.sentences import Sentence
from kagiya.lab.pace import pace_risk, view_required_efficiency
from kagiya.lab.review.card_chances import SlotChances, ToldChances
from kagiya.lab.review.judging import JudgedMove, Judgement
from kagiya.moves import Move, move_name
from kagiya.view.observation import Observation
from kagiya.view.table_view import Labels, TableView
from kagiya.web import table_html as html
from kagiya.web.pages import Address, button, panel, progress_bar, select


@dataclass(frozen=True)
class SeatPlayer:
    """Who sits somewhere."""

    name: str
    agent: str  # as written; empty for a person
    convention: str = ""  # what its hints mean beyond their words
    invitation: str = ""  # the address that a person is sent who has not come yet


@dataclass(frozen=True)
class Advice:
    """What a judge says of a turn, or how far it is."""

    judge: str
    progress: float
    is_thinking: bool
    error: str
    found: Judgement | None
    words: str = ""  # what it waits for

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        found = None if self.found is None else self.found.to_json()
        return {"judge": self.judge, "thinking": self.is_thinking, "error": self.error, "judgement": found}


@dataclass(frozen=True)
class Coaching:
    """What the coach's panel shows: the turn it is about, who can be asked, and what was answered."""

    turn: int
    branch: int
    is_mine: bool
    judges: tuple[str, ...]
    advice: tuple[Advice, ...]
    made: Move | None = None  # the move of that turn, if it is an earlier one


@dataclass(frozen=True)
class Meaning:
    """What a move told, by one way to read it."""

    by: str
    told: ToldChances | None  # chances before and after
    words: str  # as the agent's convention puts it

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"by": self.by, "words": self.words, "told": None if self.told is None else self.told.to_json()}


@dataclass(frozen=True)
class Telling:
    """What was asked about a move, and the answer if it is there."""

    turn: int
    is_thinking: bool
    error: str
    found: tuple[Meaning, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "thinking": self.is_thinking,
            "error": self.error,
            "meanings": [each.to_json() for each in self.found],
        }


@dataclass(frozen=True)
class SeatState:
    """One seat of a running game. Nothing in it leads to the game itself."""

    view: Observation  # now, or at the earlier turn that is looked at
    told: tuple[Sentence, ...]  # what happened until then
    since: int  # the first turn after this seat's last move
    live_turn: int  # moves made so far
    branch: int  # grows whenever moves are taken back
    players: tuple[SeatPlayer, ...]
    trouble: str  # why the agent to move does not
    waiting: str  # what the agent to move waits for, such as the compiler
    remarks: tuple[str, ...]  # what was taken back, and who left: noted in the record
    is_alone: bool  # all others are agents, so moves can be taken back
    notes: Mapping[int, str]  # by card (its place in the deck) what this person wrote on it
    coaching: Coaching
    tellings: tuple[Telling, ...]  # what was asked about the moves since this seat's last one

    @property
    def is_live(self) -> bool:
        """Whether the turn that is looked at is the one to be played."""
        return self.view.turn == self.live_turn

    def to_json(self) -> dict[str, Any]:
        """What stands beside the cards, as plain data."""
        return {
            "live_turn": self.live_turn,
            "branch": self.branch,
            "trouble": self.trouble,
            "waiting": self.waiting,
            "remarks": list(self.remarks),
            "players": [asdict(player) for player in self.players],
            "rules": self.view.rules.to_json(),
            "story": [{"turn": each.event.turn + 1, "words": str(each)} for each in self.told],
            "tells": [each.to_json() for each in self.tellings],
            "coach": [each.to_json() for each in self.coaching.advice],
        }


MAX_LIKELIEST = 4
NO_BREAK = "\N{NO-BREAK SPACE}"
MIN_CHANGE = 0.005  # a chance that changed by less is not shown


def coach_panel(coaching: Coaching, players: Sequence[SeatPlayer]) -> Markup:
    """The whole panel."""
    if not coaching.is_mine:
        return element("p", "The coach can be asked about your own turns, now or looking back.", class_="soft small")
    turn: dict[str, Value] = {"data_turn": coaching.turn, "data_branch": coaching.branch}
    form = element(
        "form",
        _choice(coaching.judges),
        element("button", "Ask the coach", type="submit", id="ask-coach", data_key="h"),
        data_do="coach",
        id="coaching",
        class_="coaching",
        **turn,
    )
    return element("div", form, [_advice(each, coaching, players, turn) for each in coaching.advice])


@lru_cache(maxsize=64)
def _choice(judges: tuple[str, ...]) -> Markup:
    choice = select([(judge, judge) for judge in judges], name="judge", id="judge")
    return element("label", "Judge ", choice, for_="judge")


def _advice(advice: Advice, coaching: Coaching, players: Sequence[SeatPlayer], turn: dict[str, Value]) -> Markup:
    title = element("h3", f"{advice.judge} on turn {coaching.turn + 1}")
    if advice.error:
        return element("div", title, element("p", advice.error, class_="bad small"))
    if advice.found is None:
        bar = progress_bar(advice.progress, "How far the coach is")
        stop = button("Stop", "stop-coach", "stop-coach", **turn)
        waits = element("p", advice.words, class_="soft small", role="status") if advice.words else None
        return element("div", title, bar, " ", stop, waits)
    return element("div", title, _chance_table(advice.found, coaching.made, players))


def _chance_table(found: Judgement, made: Move | None, players: Sequence[SeatPlayer]) -> Markup:
    heads = [
        element("th", "move", scope="col"),
        element("th", "score", scope="col", class_="number", title="expected at the end of the game"),
        element("th", "behind", scope="col", class_="number", title="behind the best move, with its standard error"),
    ]
    rows = [_row(each, found, made, players) for each in found.moves]
    table = element("table", element("thead", element("tr", heads)), element("tbody", rows), class_="advice")
    how = (
        f"Score expected at the end if {found.evaluator} plays on in all seats; {found.deals} samples of the cards "
        "that you cannot see. A mistake is behind by more than half a point and two errors."
    )
    region = {"id": "advice-list", "tabindex": "0", "role": "region", "aria_label": "What every move is worth"}
    return element("div", element("div", table, class_="advice-list", **region), element("p", how, class_="soft small"))


def _row(each: JudgedMove, found: Judgement, made: Move | None, players: Sequence[SeatPlayer]) -> Markup:
    marks = [
        element("small", mark, class_=f"badge{' bad' if mark == 'mistake' else ''}")
        for mark, is_set in (
            ("best", each.move == found.best),
            ("yours", each.move == made),
            ("mistake", each.move == made and each.is_mistake),
            (f"{found.evaluator}'s", each.move == found.chosen),
        )
        if is_set
    ]
    behind = "" if each.move == found.best else f"{each.behind:.2f} ± {each.behind_error:.2f}"
    return element(
        "tr",
        element("th", move_words(each.move, found, players), " ", marks, scope="row"),
        element("td", f"{each.value:.2f}", class_="number"),
        element("td", behind, class_="number"),
        class_="made" if each.move == made else None,
    )


def move_words(move: Move, found: Judgement, players: Sequence[SeatPlayer]) -> str:
    """A move as a person at this table would write it."""
    if move.offset is None:
        return move_name(move)
    name = players[(found.seat + move.offset) % len(players)].name
    return f"hint {name} {move_name(move).split()[-1]}"


def tells_panel(news: Sequence[Sentence], tellings: Sequence[Telling], branch: int) -> Markup:
    """The moves of others since one's own last, each with a question; and the answers."""
    if not news:
        return element("p", "Nothing has happened since your last move.", class_="soft small")
    answers = {telling.turn: telling for telling in tellings}
    return joined([_about(each, answers.get(each.event.turn), branch) for each in news])


def _about(sentence: Sentence, telling: Telling | None, branch: int) -> Markup:
    turn = sentence.event.turn
    title = "What does this tell me?"
    label = f"{title} Turn {turn + 1}: {sentence}"
    ask = button(title, f"tell-{turn}", "tell", aria_label=label, data_turn=turn, data_branch=branch)
    return element(
        "div", element("p", html.sentence_html(sentence)), _answer(telling) if telling else ask, class_="telling"
    )


def _answer(telling: Telling) -> Markup:
    if telling.error:
        return element("p", telling.error, class_="bad small")
    if telling.is_thinking:
        return element("p", "Working it out ...", class_="soft small", role="status")
    return joined([_meaning(each) for each in telling.found])


def _meaning(meaning: Meaning) -> Markup:
    said = element("p", f"You hear: {meaning.words.removeprefix('hears ')}.", class_="small") if meaning.words else None
    rows = _rows(meaning.told) if meaning.told is not None else []
    table = element("table", element("tbody", rows), class_="tells") if rows else None
    nothing = element("p", "Nothing new.", class_="soft small") if not rows and not meaning.words else None
    return element("div", element("h3", f"By {meaning.by}"), said, table, nothing)


def _rows(told: ToldChances) -> list[Markup]:
    """A row for each card of which something else is known now."""
    before = {slot.order: slot for slot in told.before.slots}
    pairs = [(before[after.order], after) for after in told.after.slots if after.order in before]
    return [_chances_row(old, new) for old, new in pairs if is_changed(old, new)]


def is_changed(old: SlotChances, new: SlotChances) -> bool:
    """Whether a chance of the card is another."""
    kinds = {*old.cards, *new.cards}
    return any(abs(old.cards.get(kind, 0.0) - new.cards.get(kind, 0.0)) > MIN_CHANGE for kind in kinds)


def _chances_row(old: SlotChances, new: SlotChances) -> Markup:
    fits = f"fits {percent(old.playable)} → {percent(new.playable)} %"
    useless = f"useless {percent(old.useless)} → {percent(new.useless)} %"
    return element(
        "tr",
        element("th", f"slot {new.slot + 1}", scope="row"),
        element("td", fits, element("br"), useless),
        element("td", likeliest(new)),
    )


def likeliest(slot: SlotChances) -> str:
    """What the card is most likely to be: ``R1 40 %, B1 40 %, ...``."""
    cards = list(slot.cards.items())
    shown = [f"{card_name(card)}{NO_BREAK}{percent(chance)}{NO_BREAK}%" for card, chance in cards[:MAX_LIKELIEST]]
    return ", ".join(shown) + (", ..." if len(cards) > MAX_LIKELIEST else "")


TABS = {"story": "Story", "discards": "Discards", "coach": "Coach", "tells": "Tells", "notes": "Notes", "more": "More"}


def draw_seat(state: SeatState, address: Address, has_chances: bool) -> Markup:
    """The whole page; with `has_chances`, the chances of every card are shown."""
    view, table = state.view, _table(state)
    middle = [
        html.board(table, _efficiency(view), panel(_heading(state, table))),
        _obstacle(state) if state.is_live else None,
        _invitations(state),
        html.news(state.told, state.since),
        html.hands(table, state.branch, _why_not(state, table), html.chance_grids(view) if has_chances else None),
        panel(element("div", _line(state), _tools(state, has_chances), class_="tools", id="tools")),
        html.timeline(view.turn, state.live_turn),
    ]
    tab = address.query.get("tab", "story")
    yours = " yours" if table.is_my_turn and state.is_live else ""
    return panel(
        element(
            "div",
            element("div", middle, class_="middle"),
            html.tabs(TABS, tab, address),
            element("div", _told_panels(state, table, tab, address), class_="told"),
            element("div", _more_panels(state, table, tab), class_="more"),
            class_=f"seat{yours}{'' if state.is_live else ' past'}",
            id="seat",
        )
    )


def seat_json(state: SeatState) -> dict[str, Any]:
    """What is drawn, as data, with what can be done there: the next player's hand first, the seat's own last."""
    table = _table(state)
    hands = [
        {**hand.to_json(), "hints": [asdict(hint) for hint in table.hints_for(hand)]} for hand in table.in_turn_order
    ]
    return {
        **state.to_json(),
        **table.to_json(),
        "hands": hands,
        "is_my_turn": table.is_my_turn,
        "risk": "" if table.pace is None else str(pace_risk(table.pace, table.rules.players)),
        "efficiency": _efficiency(state.view),
        "why_no_discard": table.why_no_discard,
        "chances": html.hand_chances(state.view),
    }


def _table(state: SeatState) -> TableView:
    names, agents = [player.name for player in state.players], [player.agent for player in state.players]
    return TableView.of_observation(state.view, Labels(names, agents, state.notes))


def _efficiency(view: Observation) -> float | None:
    """Cards that each hint to come must get, if all that is reachable shall be played."""
    needed = view_required_efficiency(view)
    return None if needed is None else round(float(needed), 4)


def _told_panels(state: SeatState, table: TableView, tab: str, address: Address) -> list[Markup]:
    return [
        html.tab_panel("story", "What happened", tab, html.move_log(state.told, state.since, state.view.turn, address)),
        html.tab_panel("discards", "Discards", tab, html.discards(table)),
    ]


def _more_panels(state: SeatState, table: TableView, tab: str) -> list[Markup]:
    others = [each for each in state.told[state.since :] if each.event.seat != state.view.seat]
    return [
        html.tab_panel("coach", "Coach", tab, coach_panel(state.coaching, state.players)),
        html.tab_panel("tells", "What it tells me", tab, tells_panel(others, state.tellings, state.branch)),
        html.tab_panel("notes", "Notes", tab, html.notes(table)),
        html.tab_panel("more", "At this table", tab, _more(state)),
    ]


def _why_not(state: SeatState, table: TableView) -> str:
    """Why nothing can be done, in a sentence."""
    if not state.is_live:
        return "This is an earlier turn; go back to the game to move."
    return "" if table.is_my_turn else "It is not your turn."


def _heading(state: SeatState, table: TableView) -> Markup:
    player = state.players[table.to_move]
    if not state.is_live:
        return element("h1", f"Before turn {table.turn + 1} ", element("small", "earlier"), id="whose")
    if state.trouble:
        return element("h1", f"{player.name} does not move", id="whose")
    if state.waiting:
        return element("h1", f"{player.name} is getting ready", id="whose")
    what = "Your turn" if table.is_my_turn else f"{player.name} is {'thinking' if player.agent else 'to move'}"
    return element("h1", what, " ", element("small", f"turn {table.turn + 1}"), id="whose", aria_live="polite")


def _obstacle(state: SeatState) -> Markup | None:
    """What the game waits for besides a move, and what can be done about it."""
    if state.trouble:
        return panel(element("section", _trouble(state.trouble), id="holding-up", aria_label="What is wrong"))
    if state.waiting:
        waiting = element("p", state.waiting, role="status")
        return panel(element("section", waiting, id="holding-up", aria_label="What is waited for"))
    return None


def _trouble(words: str) -> Markup:
    field = element(
        "input", name="agent", id="another-agent", value="careful", aria_label="Another agent", autocomplete="off"
    )
    button = element("button", "Let it take the seat", type="submit", id="replace")
    form = element("form", element("label", "Another agent ", field), button, data_do="replace", id="replacing")
    return joined(element("p", words, class_="bad"), form)


def _line(state: SeatState) -> Markup:
    """A line to type moves, as in the terminal."""
    other = state.players[(state.view.seat + 1) % len(state.players)].name
    field = element(
        "input",
        name="line",
        id="line",
        placeholder=f"play 1, d 2, hint {other} red",
        aria_label="Type a move",
        data_key="m",
        data_empties=True,
        autocomplete="off",
        maxlength=60,
    )
    button = element("button", "Move", type="submit", id="move-typed")
    turn = {"data_turn": state.view.turn, "data_branch": state.branch}
    return panel(element("form", field, button, data_do="type", id="typing", class_="typing", **turn))


def _tools(state: SeatState, has_chances: bool) -> Markup:
    """What can be done besides moving."""
    eyes = button(
        "As they see it",
        "eyes",
        data_hold="e",
        aria_pressed="false",
        title="Every hand as its owner sees it; with the key, the hand under the pointer",
    )
    chances = button(
        "Chances",
        "chances",
        "chances",
        data_hold="c",
        aria_pressed=str(has_chances).lower(),
        title="Every card that yours can be, with its chance",
    )
    return joined(eyes, chances, _back(state) if state.is_alone and state.live_turn else None)


def _more(state: SeatState) -> Markup:
    """Who is here, and what was noted."""
    parts = [
        element("p", element("b", f"{player.name}: "), player.convention, class_="small")
        for player in state.players
        if player.convention
    ]
    parts += [element("p", f"Noted in the record: {remark}.", class_="soft small") for remark in state.remarks]
    who = [player.name if not player.agent else f"{player.name} ({player.agent})" for player in state.players]
    return element("div", element("p", ", ".join(who), class_="small"), parts)


def _invitations(state: SeatState) -> list[Markup]:
    """For those who have not come yet; the game cannot go on without them, so this stands above the hands."""
    return [
        element(
            "p",
            f"{player.name} has not come yet: send ",
            element("a", "this link", href=player.invitation, id=f"invitation-{seat}"),
            " to the person who will sit there. ",
            _copy_button(player, seat),
            class_="invitation",
        )
        for seat, player in enumerate(state.players)
        if player.invitation
    ]


def _copy_button(player: SeatPlayer, seat: int) -> Markup:
    label = f"Copy the link for {player.name}"
    return button("Copy the link", f"copy-{seat}", data_copy=player.invitation, aria_label=label)


def _back(state: SeatState) -> Markup | None:
    """Play on from the earlier turn that is looked at, or take back one's own last move."""
    shown, last = state.view.turn, state.live_turn - 1
    if not state.is_live:
        sure = f"Play on from before turn {shown + 1}? The moves after it are forgotten."
        return button("Play on from here", "play-on", "back", data_turn=shown, data_branch=state.branch, data_sure=sure)
    mine = last - (last - state.view.seat) % len(state.players)
    if mine < 0:
        return None
    return button("Take back", "take-back", "back", data_turn=mine, data_branch=state.branch, data_key="u")
