"""Who judges: the choice of judges and samples, what begins and stops them, how far they are; the worst moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kagiya.drawing.markup import Markup, element, joined
from kagiya.lab.review.judgement import JudgedMove
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.review.asking import possible_judges
from kagiya.web.review.look import DEALS, Look
from kagiya.web.review.study import Study
from kagiya.web.review.work import judging
from kagiya.web.views import Address

MOST_WORST = 5


def draw_judges(study: Study, look: Look, address: Address) -> Markup:
    """The choice of judges, and how far they are."""
    known = possible_judges(study.story.rules)
    second = look.judges[1] if len(look.judges) > 1 else ""
    choices = joined(
        _choice("judge", "Judge", ((name, name) for name in with_(look.judges[0], known)), look.judges[0]),
        _choice("second", "and", (("", "nobody else"), *((name, name) for name in with_(second, known))), second),
        _choice("deals", "samples", ((str(deals), str(deals)) for deals in DEALS), str(look.deals)),
    )
    states = [_state(study, text, look.deals) for text in look.judges]
    return element(
        "div",
        panel(element("div", choices, class_="review-choices", id="judge-choices")),
        _buttons(study, look),
        panel(element("div", states, id="judge-states")),
        id="judges",
    )


def with_(chosen: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known ones, and the one that was chosen if it is none of them."""
    return tuple(dict.fromkeys((*known, *([chosen] if chosen else []))))


def _choice(name: str, label: str, options: Iterable[tuple[str, str]], chosen: str) -> Markup:
    items = [element("option", words, value=value, selected=value == chosen) for value, words in options]
    field = element("select", items, id=f"choose-{name}", data_do="choose", data_what=name)
    return element("label", f"{label} ", field)


def _buttons(study: Study, look: Look) -> Markup | None:
    """What begins and stops them; nothing once all is known."""
    if any(study.is_busy(about) for text in look.judges for about in judging(text, look.deals)):
        stop = element("button", "Stop judging", type="button", id="judge-stop", data_do="stop", data_about="judges")
        return panel(element("p", stop, class_="review-buttons", id="judge-buttons"))
    judged = [study.judged(text, look.deals) for text in look.judges]
    turns = range(study.story.first_turn, study.story.last_turn)
    if len(turns) and all(each.is_final(turn) for each in judged for turn in turns):
        return None
    is_quick_done = len(turns) and all(turn in each.by_turn for each in judged for turn in turns)
    words = "Look closer at doubtful turns" if is_quick_done else "Judge the whole game"
    this = _button("Judge this turn", "this", all(each.is_final(look.turn) for each in judged))
    all_turns = _button(words, "all") if len(turns) else None
    return panel(element("p", this, " ", all_turns, class_="review-buttons", id="judge-buttons"))


def _button(words: str, turns: str, is_done: bool = False) -> Markup:
    return element(
        "button",
        words,
        type="button",
        id=f"judge-{turns}",
        class_="main" if turns == "all" else None,
        title="judged already" if is_done else None,
        aria_disabled="true" if is_done else None,
        data_do="judge",
        data_turns=turns,
    )


def _state(study: Study, text: str, deals: int) -> Markup | None:
    """How far a judge is, or why it cannot judge."""
    judged, turns = study.judged(text, deals), len(study.story.moves)
    for task in filter(None, map(study.tasks.get, judging(text, deals))):
        if task.error is not None:
            return element("p", f"{text} cannot judge: {task.error}", class_="bad")
        if not task.is_over:
            bar = element("progress", value=f"{task.progress:.3f}", max=1, aria_label=f"{text} is judging")
            return element("p", bar, f" {text}: {task.words or 'waiting for its turn'}", class_="soft")
    kept = study.tasks.get(f"kept {text} {deals}")
    if kept is not None and kept.error is not None:
        return element("p", str(kept.error), class_="bad")
    if not judged.by_turn:
        return element("p", f"{text} has not judged this game with {deals} samples.", class_="soft")
    words = f"{text}: {len(judged.by_turn)} of {turns} turns judged with {deals} samples"
    if closer := sum(each.deals > deals for each in tuple(judged.by_turn.values())):
        words += f", {closer} of them with up to {judged.most_deals:,}"
    if doubtful := len(judged.provisional):
        words += f"; {doubtful} {'verdict is' if doubtful == 1 else 'verdicts are'} provisional"
    return element("p", f"{words}.", class_="soft")


def worst_moves(study: Study, look: Look) -> list[dict[str, Any]]:
    """The worst moves: mistakes by the first judge, then what regret counts most; as plain data."""
    story, judged = study.story, study.judged(look.judges[0], look.deals)
    found = []
    for turn in judged.mistakes:
        verdict = judged.by_turn[turn].verdict
        assert verdict is not None
        found.append({**_worst(study, turn, verdict), "provisional": judged.is_provisional(turn)})
    lost = sorted(range(len(story.costs)), key=lambda place: -story.costs[place].total)
    for place in lost:
        turn = story.first_turn + place
        if not story.costs[place].is_free and turn not in judged.mistakes:
            found.append({**_worst(study, turn, None), "provisional": False})
    return found[:MOST_WORST]


def _worst(study: Study, turn: int, verdict: JudgedMove | None) -> dict[str, Any]:
    cost = study.story.costs[turn - study.story.first_turn]
    told = {"turn": turn, "words": str(study.story.sentences[turn - study.story.first_turn])}
    numbers = {"behind": verdict and verdict.behind, "error": verdict and verdict.behind_error}
    return {**told, **numbers, "regret": cost.total}


def draw_worst(study: Study, look: Look, address: Address) -> Markup:
    """The list of the worst moves, each a link to its turn."""
    items = []
    for each in worst_moves(study, look):
        words = [] if each["behind"] is None else [f"behind by {each['behind']:.2f} ± {each['error']:.2f}"]
        words += ["provisional"] if each["provisional"] else []
        words += [f"regret {each['regret']}"] if each["regret"] else []
        to_turn = link(
            address.with_query(turn=each["turn"]), f"{each['turn']}: {each['words']}", f"worst-{each['turn']}"
        )
        items.append(element("li", to_turn, element("span", f" {', '.join(words)}", class_="soft")))
    none = element("p", "No move lost points, as far as is known; judge the game to learn more.", class_="soft")
    listed = element("ul", items, class_="review-worst") if items else none
    return panel(element("section", element("h2", "Worst moves"), listed, id="worst"))
