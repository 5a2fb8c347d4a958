"""The panels on why a move was made: the agent's own words, judges on every legal move, what it made impossible."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kagiya import Move
from kagiya.agents.register import rebuild_agent
from kagiya.drawing.canvas import Child, Markup, element, joined, rectangle, sheet
from kagiya.lab.replayed_decisions import ReplayedDecision
from kagiya.lab.review.judging import JudgedMove, Judgement
from kagiya.lab.table.table import PERSON
from kagiya.search.explanation import Explanation, MoveEstimate
from kagiya.spec import SpecError
from kagiya.web.pages import Address, button, link, panel, progress_bar, scrolled, select
from kagiya.web.review.review_session import (
    MAX_DEALS,
    THOUGHTS,
    ZOO,
    GameJudgements,
    ReviewSession,
    judging,
    kept_task,
    known_judges,
)
from kagiya.web.review.reviewed_game import DEALS, ReviewQuery
from kagiya.web.table_html import sentence_html

CARD = re.compile(r"\b[A-Z][1-5]\b")
NUMBERS = (
    "Value is the score to expect at the end: the judge tries each move on the same samples of the cards that the "
    "player could not see, and plays on in all seats. Behind is the distance to the best move on those samples, with "
    "its standard error; it can be negative, for the best is picked on one half of the samples and measured on the "
    "other. A mistake is behind by more than half a point and by more than two standard errors. Where that "
    f"is in doubt the verdict is provisional until the move was tried on more samples, up to {MAX_DEALS:,}."
)
PROVISIONAL = "This is provisional: more samples may say otherwise."
DIFFERENCE = (
    "A judge knows only what the player knew, so a mistake was one at the time; regret counts what became impossible "
    "with all cards known, so it also counts bad luck, and misses a bad move that happened to do no harm."
)
MAX_WORST = 5


def draw_judges(session: ReviewSession, look: ReviewQuery, address: Address) -> Markup:
    """The choice of judges, and how far they are."""
    known = known_judges(session.story.rules)
    second = look.judges[1] if len(look.judges) > 1 else ""
    choices = joined(
        _choice("judge", "Judge", ((name, name) for name in with_(look.judges[0], known)), look.judges[0]),
        _choice("second", "and", (("", "nobody else"), *((name, name) for name in with_(second, known))), second),
        _choice("deals", "samples", ((str(deals), str(deals)) for deals in DEALS), str(look.deals)),
    )
    states = [_state(session, text, look.deals) for text in look.judges]
    return element(
        "div",
        panel(element("div", choices, class_="review-choices", id="judge-choices")),
        _buttons(session, look),
        panel(element("div", states, id="judge-states")),
        id="judges",
    )


def with_(chosen: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known ones, and the one that was chosen if it is none of them."""
    return tuple(dict.fromkeys((*known, *([chosen] if chosen else []))))


def _choice(name: str, label: str, options: Iterable[tuple[str, str]], chosen: str) -> Markup:
    field = select(options, chosen, id=f"choose-{name}", data_do="choose", data_what=name)
    return element("label", f"{label} ", field)


def _buttons(session: ReviewSession, look: ReviewQuery) -> Markup | None:
    """What begins and stops them; nothing once all is known."""
    if any(session.tasks.is_busy(about) for text in look.judges for about in judging(text, look.deals)):
        stop = button("Stop judging", "judge-stop", "stop", data_about="judges")
        return panel(element("p", stop, class_="review-buttons", id="judge-buttons"))
    judged = [session.judged(text, look.deals) for text in look.judges]
    turns = range(session.story.first_turn, session.story.last_turn)
    if len(turns) and all(each.is_final(turn) for each in judged for turn in turns):
        return None
    is_quick_done = len(turns) and all(turn in each.by_turn for each in judged for turn in turns)
    words = "Look closer at doubtful turns" if is_quick_done else "Judge the whole game"
    this = _button("Judge this turn", "this", all(each.is_final(look.turn) for each in judged))
    all_turns = _button(words, "all") if len(turns) else None
    return panel(element("p", this, " ", all_turns, class_="review-buttons", id="judge-buttons"))


def _button(words: str, turns: str, is_done: bool = False) -> Markup:
    return button(
        words,
        f"judge-{turns}",
        "judge",
        class_="main" if turns == "all" else None,
        title="judged already" if is_done else None,
        aria_disabled="true" if is_done else None,
        data_turns=turns,
    )


def _state(session: ReviewSession, text: str, deals: int) -> Markup | None:
    """How far a judge is, or why it cannot judge."""
    judged, turns = session.judged(text, deals), len(session.story.moves)
    for task in filter(None, map(session.tasks.get, judging(text, deals))):
        if task.error is not None:
            return element("p", f"{text} cannot judge: {task.error}", class_="bad")
        if not task.is_over:
            bar = progress_bar(task.progress, f"{text} is judging")
            return element("p", bar, f" {text}: {task.words or 'waiting for its turn'}", class_="soft")
    kept = session.tasks.get(kept_task(text, deals))
    if kept is not None and kept.error is not None:
        return element("p", str(kept.error), class_="bad")
    if not judged.by_turn:
        return element("p", f"{text} has not judged this game with {deals} samples.", class_="soft")
    words = f"{text}: {len(judged.by_turn)} of {turns} turns judged with {deals} samples"
    if closer := sum(each.deals > deals for each in tuple(judged.by_turn.values())):
        words += f", {closer} of them with up to {judged.max_deals:,}"
    if doubtful := len(judged.provisional):
        words += f"; {doubtful} {'verdict is' if doubtful == 1 else 'verdicts are'} provisional"
    return element("p", f"{words}.", class_="soft")


def worst_moves(session: ReviewSession, look: ReviewQuery) -> list[dict[str, Any]]:
    """The worst moves: mistakes by the first judge, then what regret counts most; as plain data."""
    story, judged = session.story, session.judged(look.judges[0], look.deals)
    by_cost = sorted(range(len(story.costs)), key=lambda place: -story.costs[place].total)
    lost = [story.first_turn + place for place in by_cost if not story.costs[place].is_free]
    mistakes = judged.mistakes
    turns = list(dict.fromkeys([*mistakes, *lost]))[:MAX_WORST]
    return [_worst(session, turn, judged if turn in mistakes else None) for turn in turns]


def _worst(session: ReviewSession, turn: int, judged: GameJudgements | None) -> dict[str, Any]:
    """One of them; `judged` if it was a mistake."""
    story, verdict = session.story, judged.by_turn[turn].verdict if judged else None
    return {
        "turn": turn,
        "words": str(story.sentences[turn - story.first_turn]),
        "behind": verdict and verdict.behind,
        "error": verdict and verdict.behind_error,
        "regret": story.costs[turn - story.first_turn].total,
        "provisional": judged is not None and judged.is_provisional(turn),
    }


def draw_worst(session: ReviewSession, look: ReviewQuery, address: Address) -> Markup:
    """The list of the worst moves, each a link to its turn."""
    items = []
    for each in worst_moves(session, look):
        words = [] if each["behind"] is None else [f"behind by {each['behind']:.2f} ± {each['error']:.2f}"]
        words += ["provisional"] if each["provisional"] else []
        words += [f"regret {each['regret']}"] if each["regret"] else []
        turn = each["turn"]
        to_turn = link(address.with_query(turn=turn), f"{turn}: {each['words']}", f"worst-{turn}")
        items.append(element("li", to_turn, element("span", f" {', '.join(words)}", class_="soft")))
    none = element("p", "No move lost points, as far as is known; judge the game to learn more.", class_="soft")
    listed = element("ul", items, class_="review-worst") if items else none
    return panel(element("section", element("h2", "Worst moves"), listed, id="worst"))


@dataclass(frozen=True)
class MoveRow:
    """One legal move."""

    move: Move
    words: str
    is_played: bool
    judged: tuple[JudgedMove | None, ...]  # by judge
    best_of: tuple[str, ...]  # judges by whom it is the best
    chosen_by: tuple[str, ...]  # judges that would make it themselves, and the search that played
    zoo: tuple[str, ...]  # agents that would make it
    searched: MoveEstimate | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "move": self.words,
            "played": self.is_played,
            "judged": [None if each is None else plain(each.to_json()) for each in self.judged],
            "best_of": list(self.best_of),
            "chosen_by": list(self.chosen_by),
            "zoo": list(self.zoo),
            "visits": None if self.searched is None else self.searched.visits,
            "search_value": None if self.searched is None else self.searched.value,
        }


def plain(data: dict[str, Any]) -> dict[str, Any]:
    """Numbers that JSON has no word for are left out."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in data.items()
    }


def move_rows(session: ReviewSession, look: ReviewQuery) -> list[MoveRow]:
    """The legal moves of a turn, sorted as asked."""
    story, turn = session.story, look.turn
    judgements = [session.judged(text, look.deals).by_turn.get(turn) for text in look.judges]
    recalled = session.recalled.get(turn)
    found = recalled.thought.explanation if recalled and recalled.thought else None
    searched = {each.move: each for each in found.moves} if found else {}
    zoo = session.opinions.at(turn - story.first_turn) if session.opinions else {}
    thinker = recalled.thought if recalled else None
    rows = [
        MoveRow(
            move=move,
            words=story.words_of(move, turn),
            is_played=move == story.move_of(turn),
            judged=tuple(_of(judgement, move) for judgement in judgements),
            best_of=tuple(each.evaluator for each in judgements if each and each.best == move),
            chosen_by=(
                *(each.evaluator for each in judgements if each and each.chosen == move),
                *([thinker.agent] if thinker and thinker.move == move else []),
            ),
            zoo=zoo.get(move, ()),
            searched=searched.get(move),
        )
        for move in story.before(turn).legal_moves
    ]
    return sorted(rows, key=lambda row: _order(row, look.sort))


def _of(judgement: Judgement | None, move: Move) -> JudgedMove | None:
    return None if judgement is None else next((each for each in judgement.moves if each.move == move), None)


def _order(row: MoveRow, sort: str) -> tuple[float, ...]:
    judged = row.judged[0]
    if sort == "move":
        return (int(row.move),)
    if sort == "zoo" or (judged is None and not row.searched):
        return -len(row.zoo), int(row.move)
    if sort == "visits" or judged is None:
        return -(row.searched.visits if row.searched else 0), int(row.move)
    return (judged.behind if sort == "behind" else -judged.value), int(row.move)


def draw_moves(session: ReviewSession, rows: Sequence[MoveRow], look: ReviewQuery, address: Address) -> Markup:
    """The table; each head that sorts is a link."""
    has_search = any(row.searched for row in rows)
    judges = [(place, text) for place, text in enumerate(look.judges) if any(row.judged[place] for row in rows)]
    heads = [_head("move", "move", look, address)]
    for place, text in judges:
        sorts = address if place == judges[0][0] else None  # by the first judge only
        heads.append(_head("value", f"value by {text}", look, sorts, "score expected at the end"))
        heads.append(_head("behind", "behind the best", look, sorts, "± standard error of the difference"))
    if has_search:
        heads.append(_head("visits", "visits", look, address, "how often the search tried it"))
    heads.append(_head("zoo", "zoo", look, address, "how many agents would make this move"))
    heads.append(element("th", element("span", "what if", class_="unseen"), scope="col"))
    body = [_row(session, row, [place for place, _ in judges], has_search, look) for row in rows]
    table = element("table", element("thead", element("tr", heads)), element("tbody", body), class_="review-moves")
    return panel(scrolled(table, "moves-scroll", "Legal moves"))


def _head(sort: str, label: str, look: ReviewQuery, address: Address | None, title: str = "") -> Markup:
    is_number = "number" if sort != "move" else None
    if address is None:
        return element("th", label, scope="col", class_=is_number, title=title or None)
    is_here = look.sort == sort
    direction = ("ascending" if sort in ("move", "behind") else "descending") if is_here else None
    head = link(address.with_query(sort=sort), label, f"sort-{sort}", title=title or None)
    return element("th", head, scope="col", class_=is_number, aria_sort=direction)


def _row(session: ReviewSession, row: MoveRow, judges: Sequence[int], has_search: bool, look: ReviewQuery) -> Markup:
    cells = [element("th", row.words, _marks(row), scope="row")]
    for place in judges:
        judgement = session.judged(look.judges[place], look.deals).by_turn.get(look.turn)
        is_best = judgement is not None and judgement.best == row.move
        cells += _judged_cells(session, row.judged[place], is_best)
    if has_search:
        searched = row.searched
        words = f"{searched.visits:,} ({searched.value:.2f})" if searched else "-"
        cells.append(element("td", words, class_="number"))
    cells.append(element("td", _zoo_cell(row) if row.zoo else None, class_="number"))
    try_it = button(
        "try", f"try-{int(row.move)}", "try", aria_label=f"Try {row.words}", class_="quiet", data_move=str(row.move)
    )
    cells.append(element("td", try_it))
    return element("tr", cells, class_="played" if row.is_played else None)


def _zoo_cell(row: MoveRow) -> Markup:
    """How many agents would make the move; opened, which."""
    label = f"{len(row.zoo)} of the zoo: {row.words}"
    count = element("summary", len(row.zoo), id=f"zoo-{int(row.move)}", aria_label=label)
    return element(
        "details", count, element("p", ", ".join(row.zoo)), class_="review-zoo", id=f"zoo-of-{int(row.move)}"
    )


def _marks(row: MoveRow) -> Markup:
    marks = [element("span", "played", class_="review-mark played")] if row.is_played else []
    if row.best_of:
        marks.append(element("span", "best", class_="review-mark best", title=f"by {', '.join(row.best_of)}"))
    marks += [element("span", f"{agent}'s choice", class_="review-mark") for agent in dict.fromkeys(row.chosen_by)]
    return joined([[" ", mark] for mark in marks])


def _judged_cells(session: ReviewSession, judged: JudgedMove | None, is_best: bool) -> list[Markup]:
    if judged is None:
        return [element("td", "-", class_="number"), element("td", "-", class_="number")]
    share = judged.value / session.story.rules.perfect_score
    bar = sheet(60, 8, "", rectangle(0, 0, 60, 8, "line", rx=2), rectangle(0, 0, 60 * max(share, 0), 8, "moved", rx=2))
    value = element("td", f"{judged.value:.2f}", bar, class_="number", title=f"± {judged.error:.2f}")
    words = "best" if is_best else f"{judged.behind:.2f} ± {judged.behind_error:.2f}"
    name = "number bad" if judged.is_mistake else "number"
    samples = element("small", f"{judged.deals:,} samples", class_="soft review-samples")
    return [value, element("td", words, samples, class_=name)]


def draw_why(session: ReviewSession, look: ReviewQuery, address: Address) -> Markup:
    """The panel of one turn."""
    story, move = session.story, session.story.move_of(look.turn)
    game = story.before(look.turn)
    if game.is_over:
        return _panel(element("p", "The game is over: there is no move to explain. Go back a turn.", class_="soft"))
    rows = move_rows(session, look)
    told: Child = f"{story.display_names[game.seat]} is to move"
    if move is not None:
        told = sentence_html(story.sentences[look.turn - story.first_turn], story.suits)
    return _panel(
        element("p", element("span", f"Turn {look.turn}: ", class_="soft"), told),
        _reason(session, look),
        _regret(session, look),
        draw_judges(session, look, address),
        [element("p", words) for words in verdicts(session, look)],
        draw_moves(session, rows, look, address),
        _zoo(session),
        _about_numbers(),
    )


def _about_numbers() -> Markup:
    summary = element("summary", "What the numbers say", id="numbers")
    told = summary, element("p", NUMBERS), element("p", DIFFERENCE)
    return panel(element("details", told, class_="soft", id="about-numbers"))


def verdicts(session: ReviewSession, look: ReviewQuery) -> list[str]:
    """What each judge says of the move that was made, in a sentence."""
    found = []
    for text in look.judges:
        judged = session.judged(text, look.deals)
        judgement = judged.by_turn.get(look.turn)
        if judgement is None or (verdict := judgement.verdict) is None:
            continue
        best = session.story.words_of(judgement.best, look.turn)
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


def _reason(session: ReviewSession, look: ReviewQuery) -> Markup | None:
    """What the agent says, and whether it said so when it moved."""
    story, game = session.story, session.story.before(look.turn)
    if story.move_of(look.turn) is None:
        return None
    recalled, agent = session.recalled.get(look.turn), story.seats[game.seat]
    if agent == PERSON:
        return element("p", "A person made this move.", class_="soft")
    if recalled is None or recalled.thought is None:
        return _no_reason(session, look, recalled)
    label = element("span", f"{recalled.label}: ", class_="review-label", title=_label_words(recalled))
    if not recalled.agrees:
        chosen = story.words_of(recalled.thought.move, look.turn)
        return element("p", label, f"asked again, {agent} would {chosen}: {_hidden(session, recalled, look)}")
    reason = element("p", label, _hidden(session, recalled, look), class_="review-reason")
    return joined(reason, _more(session, recalled, look))


def _label_words(recalled: ReplayedDecision) -> str:
    if recalled.is_genuine:
        return "what the agent thought when it made the move: the same code, the same dice"
    return "what the agent thinks when it is asked now; the code or the dice that made the move are not known"


def _no_reason(session: ReviewSession, look: ReviewQuery, recalled: ReplayedDecision | None) -> Markup:
    seat = session.story.before(look.turn).seat
    problem = (session.problems[seat] if session.problems else "") or (recalled.problem if recalled else "")
    if problem:
        return element("p", f"{session.story.display_names[seat]} cannot be asked: {problem}", class_="soft")
    task = session.tasks.get(THOUGHTS)
    if task is not None and task.error is not None:
        return element("p", f"The agents cannot be asked: {task.error}", class_="soft")
    if task is not None and not task.is_over:
        words = task.words or "The agents are asked again, turn by turn."
        stop = button("Stop", "stop-thoughts", "stop", data_about=THOUGHTS)
        return element("p", words, " ", stop, class_="soft")
    if session.story.record is None:
        return element("p", "It is not known who plays this position.", class_="soft")
    ask = button("Ask the agents why", "ask-thoughts", "thoughts")
    return element("p", "These agents think longer about a move. ", ask, class_="soft")


def _hidden(session: ReviewSession, recalled: ReplayedDecision, look: ReviewQuery) -> str:
    """The agent's words, unless they name cards that these eyes do not see."""
    assert recalled.thought is not None
    found = recalled.thought.explanation
    words = recalled.thought.words or "gives no reason"
    if found is not None:
        words = _search_words(found)
    is_open = look.sees_truth or look.seat == recalled.seat
    if not is_open and CARD.search(words):
        return "the reason names cards that these eyes do not see (eyes: everything shows it)."
    return session.story.with_names(words)


def _search_words(found: Explanation) -> str:
    line = found.line_words()
    rule = "by value" if found.is_by_value else "by visits"
    tried = f"searched {found.iterations:,} times; tree depth {found.depth}; chosen {rule}"
    return f"{tried}; expects next: {line}" if line else tried


def _more(session: ReviewSession, recalled: ReplayedDecision, look: ReviewQuery) -> Markup | None:
    """For a list of rules: those before the one that fired; for a convention: what the others hear."""
    assert recalled.thought is not None
    parts = []
    if earlier := passed_over(session.story.seats[recalled.seat], recalled.thought.words):
        parts.append(element("p", f"Rules that came before it and did not apply: {', '.join(earlier)}.", class_="soft"))
    if look.sees_truth:
        parts += [element("p", session.story.with_names(str(heard)), class_="soft") for heard in recalled.heard]
    return joined(parts) if parts else None


def passed_over(agent: str, words: str) -> tuple[str, ...]:
    """The tactics of a rule agent that stand before the one that its reason names."""
    try:
        reasons = rebuild_agent(agent).reasons
    except SpecError:
        return ()
    fired = words.partition(": ")[0]
    return tuple(reasons[: reasons.index(fired)]) if fired in reasons and "{" not in "".join(reasons) else ()


def _regret(session: ReviewSession, look: ReviewQuery) -> Markup | None:
    place = look.turn - session.story.first_turn
    if place >= len(session.story.costs) or session.story.costs[place].is_free:
        return None
    cost = session.story.costs[place]
    parts = []
    if cost.direct:
        parts.append(f"{cost.direct} {_points(cost.direct)} became impossible at once ({cost.source})")
    if cost.indirect:
        parts.append(f"{cost.indirect} {_points(cost.indirect)} because too few turns are left")
    return element("p", f"Regret, with all cards known: {' and '.join(parts)}.", class_="bad")


def _zoo(session: ReviewSession) -> Markup | None:
    """How many agents were asked, and those that were not."""
    task = session.tasks.get(ZOO)
    if task is not None and not task.is_over:
        stop = button("Stop", "stop-zoo", "stop", data_about=ZOO)
        words = task.words or "The zoo is asked."
        return panel(element("p", words, " ", stop if task.words else None, class_="soft", id="zoo"))
    asked = session.asked_agents
    words = f"Zoo: {asked} agents were asked what they would do in this seat."
    if not session.unasked:
        return panel(element("p", words, class_="soft", id="zoo"))
    more = button(f"Ask {len(session.unasked)} more", "ask-all", "zoo")
    told = f"{words} Others must be compiled first, which takes a while: "
    return panel(element("p", told, more, class_="soft", id="zoo"))


def _points(count: int) -> str:
    return "point" if abs(count) == 1 else "points"


def why_json(session: ReviewSession, look: ReviewQuery) -> dict[str, Any]:
    """The same as plain data."""
    if session.story.before(look.turn).is_over:
        return {"moves": []}
    recalled, place = session.recalled.get(look.turn), look.turn - session.story.first_turn
    told: dict[str, Any] = {
        "moves": [row.to_json() for row in move_rows(session, look)],
        "verdicts": verdicts(session, look),
    }
    if place < len(session.story.costs):
        told["regret"] = session.story.costs[place].to_json()
    if recalled is not None and recalled.thought is not None:
        told["reason"] = {"words": _hidden(session, recalled, look), "label": recalled.label, "agrees": recalled.agrees}
        told["passed_over"] = list(passed_over(session.story.seats[recalled.seat], recalled.thought.words))
    return told
