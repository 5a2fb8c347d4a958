"""The panels of what a seat has asked: what every move is worth, and what a partner's move told it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kagiya.cards import card_name
from kagiya.drawing.chances import percent
from kagiya.drawing.markup import Markup, Value, element, joined
from kagiya.engine.sentences import Sentence
from kagiya.lab.review.hand_chances import SlotChances, Told
from kagiya.lab.review.judgement import JudgedMove, Judgement
from kagiya.moves import Move, move_name
from kagiya.web.pieces.move_log import sentence_html
from kagiya.web.seat.seat_state import Advice, Coaching, Meaning, Player, Telling

MAX_LIKELIEST = 4
NO_BREAK = "\N{NO-BREAK SPACE}"
MIN_CHANGE = 0.005  # a chance that changed by less is not shown


def coach_panel(coaching: Coaching, players: Sequence[Player]) -> Markup:
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
    options = [element("option", judge, value=judge) for judge in judges]
    return element("label", "Judge ", element("select", options, name="judge", id="judge"), for_="judge")


def _advice(advice: Advice, coaching: Coaching, players: Sequence[Player], turn: dict[str, Value]) -> Markup:
    title = element("h3", f"{advice.judge} on turn {coaching.turn + 1}")
    if advice.error:
        return element("div", title, element("p", advice.error, class_="bad small"))
    if advice.found is None:
        percent = round(100 * advice.progress)
        bar = element("progress", f"{percent} %", value=percent, max=100, aria_label="How far the coach is")
        stop = element("button", "Stop", type="button", id="stop-coach", data_do="stop-coach", **turn)
        waits = element("p", advice.words, class_="soft small", role="status") if advice.words else None
        return element("div", title, bar, " ", stop, waits)
    return element("div", title, _table(advice.found, coaching.made, players))


def _table(found: Judgement, made: Move | None, players: Sequence[Player]) -> Markup:
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


def _row(each: JudgedMove, found: Judgement, made: Move | None, players: Sequence[Player]) -> Markup:
    marks = [
        mark
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
        element("th", move_words(each.move, found, players), " ", [_mark(mark) for mark in marks], scope="row"),
        element("td", f"{each.value:.2f}", class_="number"),
        element("td", behind, class_="number"),
        class_="made" if each.move == made else None,
    )


def _mark(mark: str) -> Markup:
    return element("small", mark, class_=f"badge{' bad' if mark == 'mistake' else ''}")


def move_words(move: Move, found: Judgement, players: Sequence[Player]) -> str:
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
    doing: dict[str, Value] = {"data_do": "tell", "data_turn": turn, "data_branch": branch}
    title = "What does this tell me?"
    button = element(
        "button", title, type="button", id=f"tell-{turn}", aria_label=f"{title} Turn {turn + 1}: {sentence}", **doing
    )
    return element(
        "div", element("p", sentence_html(sentence)), _answer(telling) if telling else button, class_="telling"
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


def _rows(told: Told) -> list[Markup]:
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
