"""Why a move was made: the agent's own words, what judges say of every legal move, and what it made impossible."""

from __future__ import annotations

import re
from typing import Any

from kagiya.agents.register import rebuild_agent
from kagiya.drawing.markup import Child, Markup, element, joined
from kagiya.lab.provenance.genuine import Recalled
from kagiya.lab.review.judgement import JudgedMove
from kagiya.lab.table.persons import PERSON
from kagiya.search.explanation import Explanation
from kagiya.spec import SpecError
from kagiya.web.panels import panel
from kagiya.web.review.happened import draw_words
from kagiya.web.review.judged import MOST_DEALS
from kagiya.web.review.judging_panel import draw_judges
from kagiya.web.review.look import Look
from kagiya.web.review.moves_table import draw_moves, move_rows
from kagiya.web.review.study import Study
from kagiya.web.review.work import THOUGHTS, ZOO
from kagiya.web.views import Address

CARD = re.compile(r"\b[A-Z][1-5]\b")
NUMBERS = (
    "Value is the score to expect at the end: the judge tries each move on the same samples of the cards that the "
    "player could not see, and plays on in all seats. Behind is the distance to the best move on those samples, with "
    "its standard error; it can be negative, for the best is picked on one half of the samples and measured on the "
    "other. A mistake is behind by more than half a point and by more than two standard errors. Where that "
    f"is in doubt the verdict is provisional until the move was tried on more samples, up to {MOST_DEALS:,}."
)
PROVISIONAL = "This is provisional: more samples may say otherwise."
DIFFERENCE = (
    "A judge knows only what the player knew, so a mistake was one at the time; regret counts what became impossible "
    "with all cards known, so it also counts bad luck, and misses a bad move that happened to do no harm."
)


def draw_why(study: Study, look: Look, address: Address) -> Markup:
    """The panel of one turn."""
    story, move = study.story, study.story.move_of(look.turn)
    game = story.before(look.turn)
    if game.is_over:
        return _panel(element("p", "The game is over: there is no move to explain. Go back a turn.", class_="soft"))
    rows = move_rows(study, look)
    told: Child = f"{story.called[game.seat]} is to move"
    if move is not None:
        told = draw_words(story.sentences[look.turn - story.first_turn], story.suits)
    return _panel(
        element("p", element("span", f"Turn {look.turn}: ", class_="soft"), told),
        _reason(study, look),
        _regret(study, look),
        draw_judges(study, look, address),
        [element("p", words) for words in verdicts(study, look)],
        draw_moves(study, rows, look, address),
        _zoo(study),
        _about_numbers(),
    )


def _about_numbers() -> Markup:
    summary = element("summary", "What the numbers say", id="numbers")
    told = summary, element("p", NUMBERS), element("p", DIFFERENCE)
    return panel(element("details", told, class_="soft", id="about-numbers"))


def verdicts(study: Study, look: Look) -> list[str]:
    """What each judge says of the move that was made, in a sentence."""
    found = []
    for text in look.judges:
        judged = study.judged(text, look.deals)
        judgement = judged.by_turn.get(look.turn)
        if judgement is None or (verdict := judgement.verdict) is None:
            continue
        best = study.story.words_of(judgement.best, look.turn)
        words = _verdict(verdict, text, None if verdict.move == judgement.best else best)
        found.append(f"{words} {PROVISIONAL}" if judged.is_provisional(look.turn) else words)
    return found


def _verdict(verdict: JudgedMove, judge: str, best: str | None) -> str:
    """`best` is the move with the highest value, None if that is the one that was made."""
    if best is None:
        return f"By {judge} the move is the best: {verdict.value:.2f} points to expect."
    if verdict.behind <= 0:
        return f"By {judge} the move is as good as {best}, which has the highest value."
    word = "a mistake" if verdict.is_mistake else "not the best"
    behind = f"{verdict.behind:.2f} ± {verdict.behind_error:.2f} points behind the best"
    return f"By {judge} the move is {word}: {behind}. The move with the highest value is {best}."


def _panel(*children: Child) -> Markup:
    return panel(element("section", element("h2", "Why?"), *children, id="why", class_="review-why"))


def _reason(study: Study, look: Look) -> Markup | None:
    """What the agent says, and whether it said so when it moved."""
    story, game = study.story, study.story.before(look.turn)
    if story.move_of(look.turn) is None:
        return None
    recalled, agent = study.recalled.get(look.turn), story.seats[game.seat]
    if agent == PERSON:
        return element("p", "A person made this move.", class_="soft")
    if recalled is None or recalled.thought is None:
        return _no_reason(study, look, recalled)
    label = element("span", f"{recalled.label}: ", class_="review-label", title=_label_words(recalled))
    if not recalled.agrees:
        chosen = story.words_of(recalled.thought.move, look.turn)
        return element("p", label, f"asked again, {agent} would {chosen}: {_hidden(study, recalled, look)}")
    reason = element("p", label, _hidden(study, recalled, look), class_="review-reason")
    return joined(reason, _more(study, recalled, look))


def _label_words(recalled: Recalled) -> str:
    if recalled.is_genuine:
        return "what the agent thought when it made the move: the same code, the same dice"
    return "what the agent thinks when it is asked now; the code or the dice that made the move are not known"


def _no_reason(study: Study, look: Look, recalled: Recalled | None) -> Markup:
    seat = study.story.before(look.turn).seat
    problem = (study.problems[seat] if study.problems else "") or (recalled.problem if recalled else "")
    if problem:
        return element("p", f"{study.story.called[seat]} cannot be asked: {problem}", class_="soft")
    task = study.tasks.get(THOUGHTS)
    if task is not None and task.error is not None:
        return element("p", f"The agents cannot be asked: {task.error}", class_="soft")
    if task is not None and not task.is_over:
        words = task.words or "The agents are asked again, turn by turn."
        stop = element("button", "Stop", type="button", id="stop-thoughts", data_do="stop", data_about=THOUGHTS)
        return element("p", words, " ", stop, class_="soft")
    if study.story.record is None:
        return element("p", "Nobody knows who plays this position.", class_="soft")
    button = element("button", "Ask the agents why", type="button", id="ask-thoughts", data_do="thoughts")
    return element("p", "These agents think longer about a move. ", button, class_="soft")


def _hidden(study: Study, recalled: Recalled, look: Look) -> str:
    """The agent's words, unless they name cards that these eyes do not see."""
    assert recalled.thought is not None
    found = recalled.thought.explanation
    words = recalled.thought.words or "gives no reason"
    if found is not None:
        words = _search_words(found)
    is_open = look.sees_truth or look.seat == recalled.seat
    if not is_open and CARD.search(words):
        return "the reason names cards that these eyes do not see (eyes: everything shows it)."
    return study.story.renamed(words)


def _search_words(found: Explanation) -> str:
    line = found.line_words()
    rule = "by value" if found.is_by_value else "by visits"
    tried = f"searched {found.iterations:,} times; tree depth {found.depth}; chosen {rule}"
    return f"{tried}; expects next: {line}" if line else tried


def _more(study: Study, recalled: Recalled, look: Look) -> Markup | None:
    """For a list of rules: those before the one that fired; for a convention: what the others hear."""
    assert recalled.thought is not None
    parts = []
    if earlier := passed_over(study.story.seats[recalled.seat], recalled.thought.words):
        parts.append(element("p", f"Rules that came before it and did not apply: {', '.join(earlier)}.", class_="soft"))
    if look.sees_truth:
        parts += [element("p", study.story.renamed(str(heard)), class_="soft") for heard in recalled.heard]
    return joined(parts) if parts else None


def passed_over(agent: str, words: str) -> tuple[str, ...]:
    """The tactics of a rule agent that stand before the one that its reason names."""
    try:
        reasons = rebuild_agent(agent).reasons
    except SpecError:
        return ()
    fired = words.partition(": ")[0]
    return tuple(reasons[: reasons.index(fired)]) if fired in reasons and "{" not in "".join(reasons) else ()


def _regret(study: Study, look: Look) -> Markup | None:
    place = look.turn - study.story.first_turn
    if place >= len(study.story.costs) or study.story.costs[place].is_free:
        return None
    cost = study.story.costs[place]
    parts = []
    if cost.direct:
        parts.append(f"{cost.direct} {_points(cost.direct)} became impossible at once ({cost.source})")
    if cost.indirect:
        parts.append(f"{cost.indirect} {_points(cost.indirect)} because too few turns are left")
    return element("p", f"Regret, with all cards known: {' and '.join(parts)}.", class_="bad")


def _zoo(study: Study) -> Markup | None:
    """How many agents were asked, and those that were not."""
    task = study.tasks.get(ZOO)
    if task is not None and not task.is_over:
        stop = element("button", "Stop", type="button", id="stop-zoo", data_do="stop", data_about=ZOO)
        words = task.words or "The zoo is asked."
        return panel(element("p", words, " ", stop if task.words else None, class_="soft", id="zoo"))
    asked = len(study.opinions.agents) if study.opinions else 0
    words = f"Zoo: {asked} agents were asked what they would do in this seat."
    if not study.unasked:
        return panel(element("p", words, class_="soft", id="zoo"))
    count = len(study.unasked)
    button = element("button", f"Ask {count} more", type="button", id="ask-all", data_do="zoo")
    told = f"{words} Others must be compiled first, which takes a while: "
    return panel(element("p", told, button, class_="soft", id="zoo"))


def _points(count: int) -> str:
    return "point" if abs(count) == 1 else "points"


def why_json(study: Study, look: Look) -> dict[str, Any]:
    """The same as plain data."""
    if study.story.before(look.turn).is_over:
        return {"moves": []}
    recalled, place = study.recalled.get(look.turn), look.turn - study.story.first_turn
    told: dict[str, Any] = {
        "moves": [row.to_json() for row in move_rows(study, look)],
        "verdicts": verdicts(study, look),
    }
    if place < len(study.story.costs):
        told["regret"] = study.story.costs[place].to_json()
    if recalled is not None and recalled.thought is not None:
        told["reason"] = {"words": _hidden(study, recalled, look), "label": recalled.label, "agrees": recalled.agrees}
        told["passed_over"] = list(passed_over(study.story.seats[recalled.seat], recalled.thought.words))
    return told
