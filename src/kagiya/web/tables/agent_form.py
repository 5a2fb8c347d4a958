"""An agent chosen from a list and its parameters as fields, made from its label; what is chosen is its text."""

from __future__ import annotations

from kagiya.agents._info import Parameter
from kagiya.drawing.markup import Markup, Value, element
from kagiya.lab.table.persons import PERSON
from kagiya.spec import Spec, SpecError, parse_spec
from kagiya.web.panels import panel
from kagiya.web.tables.partners import Offer, Partners, strength
from kagiya.web.views import RefusedError, sentence


class AgentForm:
    """Who sits in one seat."""

    def __init__(self, seat: int, name: str, text: str, partners: Partners, players: int, is_mine: bool) -> None:
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
    """An agent's text in parts; what cannot be read is a name that nobody has."""
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
