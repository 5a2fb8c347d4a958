"""The page of a seat: the table as this seat sees it, now or at an earlier turn, and all that can be done there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from kagiya.cards import SEAT_NAMES
from kagiya.drawing.markup import Markup, Value, element, joined
from kagiya.engine.telling import Sentence
from kagiya.moves import Move, MoveError, parse_move
from kagiya.view.observation import Observation
from kagiya.web.panels import panel
from kagiya.web.seat.advice import coach_panel
from kagiya.web.seat.board import board
from kagiya.web.seat.chances import chance_grids, hand_chances
from kagiya.web.seat.hands import hands
from kagiya.web.seat.panels import discards, notes, tab_panel, tabs
from kagiya.web.seat.place import Place, Player
from kagiya.web.seat.sight import Sight, see, since_my_last_move
from kagiya.web.seat.story import Teller, news, story
from kagiya.web.seat.tells import tells_panel
from kagiya.web.seat.timeline import timeline, turn_of
from kagiya.web.views import Address, Message, RefusedError, View, sentence

TABS = {"story": "Story", "discards": "Discards", "coach": "Coach", "tells": "Tells", "notes": "Notes", "more": "More"}
SHORTEST = re.compile(r"^([pd])\s*(\d)$")  # p1, d2


class SeatView(View):
    """One seat of one table."""

    def __init__(self, place: Place, address: Address) -> None:
        self.place, self.address, self.changes = place, address, place.changes
        self._teller, self._is_open = Teller(), False  # the chances of every card are shown
        live = place.turn
        self._turn = min(address.number("turn", live), live) if "turn" in address.query else None
        if self._turn is not None and self._turn < 0:
            raise RefusedError("Turns count from 0, the deal.")

    @property
    def title(self) -> str:  # type: ignore[override]
        """Says in the browser's tab whose turn it is."""
        seat = self.place.turn % len(self.place.players)
        return "Your turn" if seat == self.place.seat else f"{self.place.players[seat].name}'s turn"

    @property
    def _shown(self) -> int:
        """The turn that is looked at; a turn that was taken back is no more."""
        live = self.place.turn
        return live if self._turn is None else min(self._turn, live)

    @property
    def version(self) -> object:  # type: ignore[override]
        return self.place.changes.number, str(self.address), self._turn, self._is_open

    def draw(self) -> Markup:
        """The whole page."""
        place, live, shown = self.place, self.place.turn, self._shown
        view = place.view(shown)
        sight = self._sight(view)
        told, since = self._teller.tell(view, place.players, place.branch), since_my_last_move(view)
        tab = self.address.query.get("tab", "story")
        heading = panel(self._heading(sight, shown == live))
        told_panels = [
            tab_panel("story", "What happened", tab, story(told, since, shown, self.address)),
            tab_panel("discards", "Discards", tab, discards(sight.discards, sight.fireworks, view.rules)),
        ]
        more_panels = [
            tab_panel("coach", "Coach", tab, coach_panel(place.coaching(shown), place.players)),
            tab_panel("tells", "What it tells me", tab, self._tells(told, since)),
            tab_panel("notes", "Notes", tab, notes(sight)),
            tab_panel("more", "At this table", tab, self._more()),
        ]
        is_live, chances = shown == live, chance_grids(view) if self._is_open else None
        table = [
            board(sight, view.rules, heading),
            self._holding_up() if is_live else None,
            self._invitations(),
            news(told, since),
            hands(sight, view.rules, place.branch, self._why_not(sight, is_live), chances),
            panel(element("div", self._line(sight), self._tools(shown, live), class_="tools", id="tools")),
            timeline(shown, live),
        ]
        drawn = element(
            "div",
            element("div", table, class_="middle"),
            tabs(TABS, tab, self.address),
            element("div", told_panels, class_="told"),
            element("div", more_panels, class_="more"),
            class_=f"seat{' yours' if sight.is_my_turn and is_live else ''}{'' if is_live else ' past'}",
            id="seat",
        )
        return panel(drawn)

    def to_json(self) -> dict[str, Any]:
        """What is drawn, as data."""
        view = self.place.view(self._shown)
        sentences = self._teller.tell(view, self.place.players, self.place.branch)
        told = [{"turn": each.event.turn + 1, "words": str(each)} for each in sentences]
        return {
            "live_turn": self.place.turn,
            "branch": self.place.branch,
            "trouble": self.place.trouble,
            "waiting": self.place.waiting,
            "remarks": list(self.place.remarks),
            "players": [asdict(player) for player in self.place.players],
            "rules": view.rules.to_json(),
            **asdict(self._sight(view)),
            "story": told,
            "chances": hand_chances(view),
            "tells": [each.to_json() for each in self.place.tellings(since_my_last_move(view), view.turn)],
            "coach": [each.to_json() for each in self.place.coaching(self._shown).advice],
        }

    def _sight(self, view: Observation) -> Sight:
        return see(view, self.place.players, self.place.notes())

    def _why_not(self, sight: Sight, is_live: bool) -> str:
        """Why nothing can be done, in a sentence."""
        if not is_live:
            return "This is an earlier turn; go back to the game to move."
        return "" if sight.is_my_turn else "It is not your turn."

    def _heading(self, sight: Sight, is_live: bool) -> Markup:
        player = self.place.players[sight.to_move]
        if not is_live:
            return element("h1", f"Before turn {sight.turn + 1} ", element("small", "earlier"), id="whose")
        if self.place.trouble:
            return element("h1", f"{player.name} does not move", id="whose")
        if self.place.waiting:
            return element("h1", f"{player.name} is getting ready", id="whose")
        what = "Your turn" if sight.is_my_turn else f"{player.name} is {'thinking' if player.agent else 'to move'}"
        return element("h1", what, " ", element("small", f"turn {sight.turn + 1}"), id="whose", aria_live="polite")

    def _holding_up(self) -> Markup | None:
        """What the game waits for besides a move, and what can be done about it."""
        if self.place.trouble:
            return panel(element("section", self._trouble(), id="holding-up", aria_label="What is wrong"))
        if self.place.waiting:
            waiting = element("p", self.place.waiting, role="status")
            return panel(element("section", waiting, id="holding-up", aria_label="What is waited for"))
        return None

    def _trouble(self) -> Markup:
        field = element(
            "input", name="agent", id="another-agent", value="careful", aria_label="Another agent", autocomplete="off"
        )
        button = element("button", "Let it take the seat", type="submit", id="replace")
        form = element("form", element("label", "Another agent ", field), button, data_do="replace", id="replacing")
        return joined(element("p", self.place.trouble, class_="bad"), form)

    def _line(self, sight: Sight) -> Markup:
        """A line to type moves, as in the terminal."""
        other = self.place.players[(self.place.seat + 1) % len(self.place.players)].name
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
        turn = {"data_turn": sight.turn, "data_branch": self.place.branch}
        return panel(element("form", field, button, data_do="type", id="typing", class_="typing", **turn))

    def _tells(self, told: Sequence[Sentence], since: int) -> Markup:
        others = [each for each in told[since:] if each.event.seat != self.place.seat]
        return tells_panel(others, self.place.tellings(since, len(told)), self.place.branch)

    def _tools(self, shown: int, live: int) -> Markup:
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
            aria_pressed=str(self._is_open).lower(),
            title="Every card that yours can be, with its chance",
        )
        return joined(eyes, chances, self._back(shown, live))

    def _more(self) -> Markup:
        """Who is here, and what else can be done."""
        parts: list[Markup] = []
        for player in self.place.players:
            if player.convention:
                parts.append(element("p", element("b", f"{player.name}: "), player.convention, class_="small"))
        parts += [element("p", f"Noted in the record: {remark}.", class_="soft small") for remark in self.place.remarks]
        who = [player.name if not player.agent else f"{player.name} ({player.agent})" for player in self.place.players]
        return element("div", element("p", ", ".join(who), class_="small"), parts)

    def _invitations(self) -> list[Markup]:
        """For those who have not come yet; nobody can play on without them, so this stands above the hands."""
        return [
            element(
                "p",
                f"{player.name} has not come yet: send ",
                element("a", "this link", href=player.invitation, id=f"invitation-{seat}"),
                " to the person who will sit there. ",
                _copy_button(player, seat),
                class_="invitation",
            )
            for seat, player in enumerate(self.place.players)
            if player.invitation
        ]

    def _back(self, shown: int, live: int) -> Markup | None:
        if not self.place.is_alone or not live:
            return None
        doing: dict[str, Value] = {"data_do": "back", "data_branch": self.place.branch}
        if shown < live:
            sure = f"Play on from before turn {shown + 1}? The moves after it are forgotten."
            return element(
                "button", "Play on from here", type="button", id="play-on", data_turn=shown, data_sure=sure, **doing
            )
        mine = self._my_last_turn(live)
        if mine is None:
            return None
        return element("button", "Take back", type="button", id="take-back", data_turn=mine, data_key="u", **doing)

    def _my_last_turn(self, live: int) -> int | None:
        players = len(self.place.players)
        turn = live - 1 - (live - 1 - self.place.seat) % players
        return turn if turn >= 0 else None

    def receive(self, message: Message) -> Address | None:
        """A move, a look at another turn, a note."""
        what = message["do"]
        if what == "look":
            self._look(message)
            return None
        if what in ("move", "type"):
            self._move(message)
        elif what == "back":
            self.place.go_back(number(message, "turn"), number(message, "branch"))
            return self.address.with_query(turn=None)
        elif what == "coach":
            self._check_branch(message)
            self.place.ask_coach(number(message, "turn"), message.get("judge", ""))
        elif what == "tell":
            self._check_branch(message)
            self.place.ask_meaning(number(message, "turn"))
        elif what == "chances":
            self._is_open = {"on": True, "off": False}.get(message.get("value", ""), not self._is_open)
        elif what == "stop-coach":
            self.place.stop_coach(number(message, "turn"))
        elif what == "note":
            self._note(message)
        elif what == "replace":
            self.place.replace(message.get("agent", ""))
        else:
            return super().receive(message)
        return self.address.with_query(turn=None) if self._turn is not None and what in ("move", "type") else None

    def _check_branch(self, message: Message) -> None:
        if number(message, "branch") != self.place.branch:
            raise RefusedError("Moves have been taken back since; look at the table again.")

    def _look(self, message: Message) -> None:
        live = self.place.turn
        way = message.get("way")
        value = message.get("value", "") if way is None else str(turn_of(way, self._shown, live))
        if value == "live" or (value.isdecimal() and int(value) >= live):
            self._turn, self.address = None, self.address.with_query(turn=None)
        else:
            self.address = self.address.with_query(turn=value[:9])
            self._turn = max(0, self.address.number("turn", 0))

    def _move(self, message: Message) -> None:
        text = message.get("move") or message.get("line", "")
        move = self._read(text)
        self.place.move(move, number(message, "turn"), number(message, "branch") if "branch" in message else None)

    def _read(self, text: str) -> Move:
        """A move as typed; players may be called by the names that stand on the page."""
        words = SHORTEST.sub(r"\1 \2", text.strip().lower()).split()
        names = {player.name.lower(): SEAT_NAMES[seat] for seat, player in enumerate(self.place.players)}
        if len(words) == 3:
            words[1] = names.get(words[1], words[1])
        try:
            return parse_move(" ".join(words), self.place.seat, len(self.place.players))
        except MoveError as error:
            raise RefusedError(sentence(error)) from None

    def _note(self, message: Message) -> None:
        hands = [self.place.view().mine, *self.place.view().others]
        card = number(message, "card")
        if all(hand.order(slot) != card for hand in hands for slot in hand.slots):
            raise RefusedError("This card is no longer in a hand.")
        self.place.note(card, message.get("value", ""))


def _copy_button(player: Player, seat: int) -> Markup:
    label = f"Copy the link for {player.name}"
    return element(
        "button", "Copy the link", type="button", id=f"copy-{seat}", data_copy=player.invitation, aria_label=label
    )


def number(message: Message, name: str) -> int:
    """A whole number of a message."""
    text = message.get(name, "")
    if not text.isdecimal() or len(text) > 6:
        raise RefusedError(f"The page sent {text!r:.60} as {name}; reload it.")
    return int(text)
