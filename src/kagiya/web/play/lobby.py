"""The lobby: set up a table with agents and their parameters, go on at one, or sit down where one was invited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from kagiya import Parameter
from kagiya.cards import SEAT_NAMES
from kagiya.drawing.canvas import Markup, Value, element, joined
from kagiya.lab.table.table import PERSON
from kagiya.rules import PRESETS, Rules, RulesError, parse_rules
from kagiya.spec import Spec, SpecError, parse_spec
from kagiya.web.pages import Address, Message, RefusedError, View, button, panel, select, sentence
from kagiya.web.play.storage import TableEntry
from kagiya.web.play.table_agents import MAX_AGENT_TEXT, USUAL_PARTNER, AgentCatalog, Offer, strength
from kagiya.web.play.web_tables import TablePlan, seat_address
from kagiya.web.server_state import ServerState

PAUSES = {"0": "none", "0.5": "half a second", "1": "one second", "2": "two seconds"}
PLAYERS = (2, 3, 4, 5)
USUAL_PLAYERS = 3
FIELDS = ("players", "rules", "pause", "name", *(f"seat{seat + 1}" for seat in range(5)))


class AgentForm:
    """Who sits in one seat."""

    def __init__(self, seat: int, name: str, text: str, partners: AgentCatalog, players: int, is_mine: bool) -> None:
        self._seat, self._name, self._text, self._partners, self._players = seat, name, text, partners, players
        self._is_mine = is_mine
        self._spec = read(text)

    def draw(self, offers: list[Offer]) -> Markup:
        """The list, how strong the chosen one is, and its parameters."""
        field = f"seat{self._seat + 1}"
        fair, seeing = ([each for each in offers if bool(each.kind.info.mark) == sees] for sees in (False, True))
        choices = [option(PERSON, "a person", self._text == PERSON)]
        choices += [element("optgroup", self._options(fair), label="agents")]
        choices += [element("optgroup", self._options(seeing), label="agents that see what no player may")]
        if self._spec.name not in (PERSON, *(offer.id for offer in offers)):
            choices.append(option(self._text, self._text, True))
        chosen = panel(element("select", choices, id=field, data_do="seat", data_seat=self._seat))
        drawn = element(
            "fieldset",
            element("legend", self._name),
            element("label", "Who sits here ", chosen, for_=field),
            self._about(),
            class_="seat-form",
            id=f"form-{field}",
        )
        return panel(drawn)

    def _options(self, offers: list[Offer]) -> list[Markup]:
        return [option(offer.id, offer.label, self._spec.name == offer.id) for offer in offers]

    def _about(self) -> Markup | None:
        if self._text == PERSON:
            if self._is_mine:
                return None
            return element("p", "You get a link to send to this person.", class_="soft small")
        try:
            info = self._partners.find(self._text).info
        except RefusedError as error:
            return element("p", str(error), class_="bad")
        mean = strength(self._spec.name, self._players)
        points = f" {mean:.2f} points on average with {self._players} of them." if mean is not None else ""
        fields = [self._parameter(parameter) for parameter in info.parameters]
        written = element(
            "label",
            "As written ",
            element(
                "input",
                id=f"text{self._seat + 1}",
                value=self._text,
                data_do="seat",
                data_seat=self._seat,
                autocomplete="off",
                spellcheck="false",
                maxlength=2000,
            ),
        )
        summary = element("summary", "Parameters" if fields else "As written", id=f"parameters{self._seat + 1}")
        is_open = bool(self._spec.named or self._spec.values)
        return element(
            "div",
            element("p", f"{info.summary}.{points}", class_="soft small"),
            element("details", summary, fields, written, id=f"more-{self._seat + 1}", open=is_open),
        )

    def _parameter(self, parameter: Parameter) -> Markup:
        given = dict(self._spec.named).get(parameter.name)
        name = f"seat{self._seat + 1}-{parameter.name}"
        doing: dict[str, Value] = {
            "id": name,
            "data_do": "parameter",
            "data_seat": self._seat,
            "data_name": parameter.name,
        }
        value = str(parameter.default) if given is None else str(given)
        if parameter.choices and (given is None or value in parameter.choices):
            field = element("select", [option(each, each, each == value) for each in parameter.choices], **doing)
        else:
            field = element("input", value=value, autocomplete="off", spellcheck="false", **doing)
        hint = element("small", f"{parameter.meaning}; {parameter.range_text()}", class_="soft")
        return element("label", element("b", parameter.name), " ", field, " ", hint, for_=name, class_="parameter")


def option(value: str, label: str, is_chosen: bool) -> Markup:
    """One line of a list."""
    return element("option", label, value=value, selected=is_chosen)


def read(text: str) -> Spec:
    """An agent's text in parts; what cannot be read becomes an unknown name."""
    try:
        return parse_spec(text)
    except SpecError:
        return Spec(text)


def with_parameter(text: str, name: str, value: str, default: str) -> str:
    """The text with one parameter set; one at its default is not written."""
    spec = read(text)
    named = [(key, old) for key, old in spec.named if key != name]
    if value.strip() and value.strip() != default:
        try:
            named.append((name, parse_spec(value)))
        except SpecError as error:
            raise RefusedError(sentence(error)) from None
    return str(Spec(spec.name, spec.values, tuple(named)))


class Lobby(View):
    """The page /. What is being set up stands in its address."""

    title = "Play"

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        self.address, self._tables, self._visitor = address, state.tables, visitor
        self._partners = state.tables.partners

    @property
    def _players(self) -> int:
        players = self.address.number("players", USUAL_PLAYERS)
        if players not in PLAYERS:
            raise RefusedError(f"Hanabi is played by 2 to 5, not by {players}.")
        return players

    @property
    def _seats(self) -> list[str]:
        """Who sits where: you on the first seat, then those chosen."""
        query = self.address.query
        return [query.get(f"seat{seat + 1}", USUAL_PARTNER if seat else PERSON) for seat in range(self._players)]

    @property
    def _name(self) -> str:
        return self.address.query.get("name", "")

    def _rules(self) -> Rules:
        try:
            return parse_rules(self.address.query.get("rules", "standard"), self._players)
        except (RulesError, SpecError) as error:
            raise RefusedError(sentence(error)) from None

    def draw(self) -> Markup:
        """The whole page."""
        return element(
            "div",
            element("h1", "Play Hanabi"),
            element(
                "section",
                panel(element("p", self._sentence(), class_="plan", id="plan")),
                button("Start the game", "start", "start", data_key="Enter", class_="main big"),
                element(
                    "details",
                    element("summary", "Another table", id="more"),
                    self._form(),
                    id="another-table",
                    open=bool(self.address.query),
                ),
                class_="set-up",
                id="set-up",
                aria_label="New table",
            ),
            self._mine(),
            class_="lobby",
        )

    def _sentence(self) -> str:
        others = [seat for place, seat in enumerate(self._seats) if place != self._mine_at()]
        *first, last = (_counted(seat, count) for seat, count in Counter(others).items())
        names = " and ".join(filter(None, (", ".join(first), last)))
        return f"You with {names}, {self.address.query.get('rules', 'standard')} rules."

    def _mine_at(self) -> int:
        seats = self._seats
        return seats.index(PERSON) if PERSON in seats else 0

    def _form(self) -> Markup:
        query = self.address.query
        rules, pause = query.get("rules", "standard"), query.get("pause", "1")
        presets = [(name, name) for name in dict.fromkeys((*PRESETS, rules))]
        name = element(
            "input", id="name", value=self._name, maxlength=24, data_do="set", data_name="name", autocomplete="nickname"
        )
        fields = [
            _choice("Players", "players", [(str(n), str(n)) for n in PLAYERS], str(self._players)),
            _choice("Rules", "rules", presets, rules),
            _choice("Pause between moves", "pause", PAUSES.items(), pause),
            element("label", "Your name ", name, for_="name"),
        ]
        return element(
            "div",
            element("div", fields, class_="fields"),
            panel(element("p", self._caption(), class_="soft small", id="caption")),
            element("div", self._seat_forms(), class_="seat-forms"),
        )

    def _caption(self) -> str:
        try:
            return self._rules().caption() + "."
        except RefusedError as error:
            return str(error)

    def _seat_forms(self) -> list[Markup]:
        offers, mine = self._partners.offers(self._players), self._mine_at()
        forms = []
        for seat, text in enumerate(self._seats):
            name = f"{SEAT_NAMES[seat]} (you)" if seat == mine else SEAT_NAMES[seat]
            forms.append(AgentForm(seat, name, text, self._partners, self._players, seat == mine).draw(offers))
        return forms

    def _mine(self) -> Markup:
        entries = self._tables.storage.tables_of(self._visitor)
        running = [self._entry(entry) for entry in entries if entry.score is None]
        over = [self._entry(entry) for entry in entries if entry.score is not None]
        none = element("p", "None yet.", class_="soft")
        return joined(
            element(
                "section",
                element("h2", "Your games"),
                element("ul", running, class_="games") if running else none,
                id="running",
            ),
            element("section", element("h2", "Finished"), element("ul", over, class_="games"), id="finished")
            if over
            else None,
        )

    def _entry(self, entry: TableEntry) -> Markup:
        setup = entry.setup
        others = ", ".join(
            name if agent == PERSON else agent
            for seat, (name, agent) in enumerate(zip(setup.names, setup.seats, strict=True))
            if seat != entry.seat
        )
        link = str(seat_address(entry.id, setup.secrets[entry.seat]))
        state = f"turn {entry.turn + 1}" if entry.score is None else f"{entry.score} points"
        remove = button(
            "Throw away",
            f"remove-{entry.id}",
            "remove",
            class_="quiet",
            data_table=entry.id,
            data_sure="Throw this game away? It cannot be brought back.",
            aria_label=f"Throw away the game with {others}, {state}",
        )
        return element(
            "li",
            element("a", f"with {others}", href=link, id=f"game-{entry.id}"),
            " ",
            element("span", state, class_="soft"),
            " ",
            remove if entry.seat == setup.seats.index(PERSON) else None,
        )

    def to_json(self) -> dict[str, Any]:
        """What is being set up, and one's tables."""
        games = [
            {
                "address": str(seat_address(each.id, each.setup.secrets[each.seat])),
                "turn": each.turn,
                "score": each.score,
                "seats": list(each.setup.seats),
            }
            for each in self._tables.storage.tables_of(self._visitor)
        ]
        offers = [
            {"agent": offer.id, "mean": offer.mean, "mark": offer.kind.info.mark}
            for offer in self._partners.offers(self._players)
        ]
        return {"players": self._players, "seats": self._seats, "agents": offers, "games": games}

    def receive(self, message: Message) -> Address | None:
        """A field was changed, or the game shall start."""
        match message["do"]:
            case "set":
                return self._set(message.get("name", ""), message.get("value", ""))
            case "seat":
                return self._set(f"seat{seat_number(message) + 1}", message.get("value", ""))
            case "parameter":
                return self._set_parameter(message)
            case "start":
                return self._start()
            case "remove":
                self._tables.remove(self._visitor, message.get("table", ""))
                return None
        return super().receive(message)

    def _set(self, name: str, value: str) -> Address:
        if name not in FIELDS:
            raise RefusedError("This cannot be set here.")
        if len(value) > MAX_AGENT_TEXT:
            raise RefusedError(f"What is set here has at most {MAX_AGENT_TEXT:,} characters.")
        return self.address.with_query(**{name: value.strip() or None})

    def _set_parameter(self, message: Message) -> Address:
        seat = seat_number(message)
        text, name = self._seats[seat], message.get("name", "")
        info = self._partners.find(text).info
        parameter = next((each for each in info.parameters if each.name == name), None)
        if parameter is None:
            raise RefusedError(f"{read(text).name} has no parameter {name!r:.60}.")
        changed = with_parameter(text, name, message.get("value", ""), str(parameter.default))
        self._partners.find(changed)
        return self._set(f"seat{seat + 1}", changed)

    def _start(self) -> Address:
        names = [self._name if seat == self._mine_at() else "" for seat in range(self._players)]
        pause = self.address.query.get("pause", "1")
        plan = TablePlan(self._rules(), tuple(self._seats), tuple(names), float(pause) if pause in PAUSES else 1.0)
        return self._tables.set_up(self._visitor, plan)


def _choice(label: str, name: str, options: Iterable[tuple[str, str]], chosen: str) -> Markup:
    """A list under its name."""
    field = panel(select(options, chosen, id=name, data_do="set", data_name=name))
    return element("label", f"{label} ", field, for_=name)


def _counted(seated: str, count: int) -> str:
    """Those who are the same, counted: "a person", "2 careful agents"."""
    if seated == PERSON:
        return "a person" if count == 1 else f"{count} persons"
    return seated if count == 1 else f"{count} {seated} agents"


def seat_number(message: Message) -> int:
    """The seat that a message is about."""
    text = message.get("seat", "")
    if text not in ("0", "1", "2", "3", "4"):
        raise RefusedError("There is no such seat.")
    return int(text)


class JoinPage(View):
    """Who is at the table, and the chair that is free."""

    title = "Sit down"

    def __init__(self, state: ServerState, address: Address, visitor: str, table: str, word: str) -> None:
        self.address, self._tables, self._name, self._word = address, state.tables, table, word
        self._visitor = visitor
        with self._tables.visiting(table) as visited:
            self._setup = visited.setup
            self._seat = self._tables.invited(visited, word)

    def draw(self) -> Markup:
        """One button."""
        name = self._setup.names[self._seat]
        others = " and ".join(other for seat, other in enumerate(self._setup.names) if seat != self._seat)
        return element(
            "section",
            element("h1", f"Play Hanabi with {others}"),
            element("p", "Keep the address of the next page: it is your seat, and nobody else's."),
            button(f"Sit down as {name}", "join", "join", class_="main"),
            class_="notice",
        )

    def to_json(self) -> dict[str, Any]:
        """Who is at the table."""
        return {"names": list(self._setup.names), "seat": int(self._seat)}

    def receive(self, message: Message) -> Address | None:
        """Take the seat."""
        if message["do"] != "join":
            return super().receive(message)
        return self._tables.join(self._name, self._word, self._visitor)
