"""The page of a seat, drawn from an observation and what the seat has asked: the table now or at an earlier turn."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from kagiya.drawing.markup import Markup, Value, element, joined
from kagiya.lab.statistics.pace import pace_risk, view_required_efficiency
from kagiya.view.observation import Observation
from kagiya.view.table_view import Labels, TableView
from kagiya.web.panels import panel
from kagiya.web.pieces.move_log import move_log, news
from kagiya.web.pieces.navigation import tab_panel, tabs, timeline
from kagiya.web.pieces.table_html import board, chance_grids, discards, hand_chances, hands, notes
from kagiya.web.seat.advice import coach_panel, tells_panel
from kagiya.web.seat.seat_state import Player, SeatState
from kagiya.web.views import Address

TABS = {"story": "Story", "discards": "Discards", "coach": "Coach", "tells": "Tells", "notes": "Notes", "more": "More"}


def draw_seat(state: SeatState, address: Address, has_chances: bool) -> Markup:
    """The whole page; with `has_chances`, the chances of every card are shown."""
    view, table = state.view, _table(state)
    middle = [
        board(table, _efficiency(view), panel(_heading(state, table))),
        _obstacle(state) if state.is_live else None,
        _invitations(state),
        news(state.told, state.since),
        hands(table, state.branch, _why_not(state, table), chance_grids(view) if has_chances else None),
        panel(element("div", _line(state), _tools(state, has_chances), class_="tools", id="tools")),
        timeline(view.turn, state.live_turn),
    ]
    tab = address.query.get("tab", "story")
    yours = " yours" if table.is_my_turn and state.is_live else ""
    return panel(
        element(
            "div",
            element("div", middle, class_="middle"),
            tabs(TABS, tab, address),
            element("div", _told_panels(state, table, tab, address), class_="told"),
            element("div", _more_panels(state, table, tab), class_="more"),
            class_=f"seat{yours}{'' if state.is_live else ' past'}",
            id="seat",
        )
    )


def seat_json(state: SeatState) -> dict[str, Any]:
    """What is drawn, as data."""
    return {**state.to_json(), **_table_json(state), "chances": hand_chances(state.view)}


def _table_json(state: SeatState) -> dict[str, Any]:
    """The table as it is drawn, with what can be done there: the next player's hand first, the seat's own last."""
    table = _table(state)
    hands = [
        {**hand.to_json(), "hints": [asdict(hint) for hint in table.hints_for(hand)]} for hand in table.in_turn_order
    ]
    return {
        **table.to_json(),
        "hands": hands,
        "is_my_turn": table.is_my_turn,
        "risk": "" if table.pace is None else str(pace_risk(table.pace, table.rules.players)),
        "efficiency": _efficiency(state.view),
        "why_no_discard": table.why_no_discard,
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
        tab_panel("story", "What happened", tab, move_log(state.told, state.since, state.view.turn, address)),
        tab_panel("discards", "Discards", tab, discards(table)),
    ]


def _more_panels(state: SeatState, table: TableView, tab: str) -> list[Markup]:
    others = [each for each in state.told[state.since :] if each.event.seat != state.view.seat]
    return [
        tab_panel("coach", "Coach", tab, coach_panel(state.coaching, state.players)),
        tab_panel("tells", "What it tells me", tab, tells_panel(others, state.tellings, state.branch)),
        tab_panel("notes", "Notes", tab, notes(table)),
        tab_panel("more", "At this table", tab, _more(state)),
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
    eyes = element(
        "button",
        "As they see it",
        type="button",
        id="eyes",
        data_hold="e",
        aria_pressed="false",
        title="Every hand as its owner sees it; with the key, the hand under the pointer",
    )
    chances = element(
        "button",
        "Chances",
        type="button",
        id="chances",
        data_hold="c",
        data_do="chances",
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


def _copy_button(player: Player, seat: int) -> Markup:
    label = f"Copy the link for {player.name}"
    return element(
        "button", "Copy the link", type="button", id=f"copy-{seat}", data_copy=player.invitation, aria_label=label
    )


def _back(state: SeatState) -> Markup | None:
    """Play on from the earlier turn that is looked at, or take back one's own last move."""
    doing: dict[str, Value] = {"data_do": "back", "data_branch": state.branch}
    shown, last = state.view.turn, state.live_turn - 1
    if not state.is_live:
        sure = f"Play on from before turn {shown + 1}? The moves after it are forgotten."
        return element(
            "button", "Play on from here", type="button", id="play-on", data_turn=shown, data_sure=sure, **doing
        )
    mine = last - (last - state.view.seat) % len(state.players)
    if mine < 0:
        return None
    return element("button", "Take back", type="button", id="take-back", data_turn=mine, data_key="u", **doing)
