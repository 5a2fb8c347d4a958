"""All legal moves of a turn: what judges and the search say of each, and who of the zoo would make it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.drawing.canvas import rectangle, sheet
from kagiya.drawing.markup import Markup, element, joined
from kagiya.lab.review.judgement import JudgedMove, Judgement
from kagiya.moves import Move
from kagiya.search.explanation import MoveEstimate
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.review.look import Look
from kagiya.web.review.study import Study
from kagiya.web.views import Address


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


def move_rows(study: Study, look: Look) -> list[MoveRow]:
    """The legal moves of a turn, sorted as asked."""
    story, turn = study.story, look.turn
    judgements = [study.judged(text, look.deals).by_turn.get(turn) for text in look.judges]
    recalled = study.recalled.get(turn)
    found = recalled.thought.explanation if recalled and recalled.thought else None
    searched = {each.move: each for each in found.moves} if found else {}
    zoo = study.opinions.at(turn - story.first_turn) if study.opinions else {}
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


def draw_moves(study: Study, rows: Sequence[MoveRow], look: Look, address: Address) -> Markup:
    """The table; each head that sorts is a link."""
    has_search = any(row.searched for row in rows)
    judges = [(place, text) for place, text in enumerate(look.judges) if any(row.judged[place] for row in rows)]
    heads = [_head("move", "move", look, address)]
    for place, text in judges:
        is_first = place == judges[0][0]
        heads.append(
            _head("value", f"value by {text}", look, address if is_first else None, "score expected at the end")
        )
        heads.append(
            _head(
                "behind", "behind the best", look, address if is_first else None, "± standard error of the difference"
            )
        )
    if has_search:
        heads.append(_head("visits", "visits", look, address, "how often the search tried it"))
    heads.append(_head("zoo", "zoo", look, address, "how many agents would make this move"))
    heads.append(element("th", element("span", "what if", class_="unseen"), scope="col"))
    body = [_row(study, row, [place for place, _ in judges], has_search, look) for row in rows]
    table = element("table", element("thead", element("tr", heads)), element("tbody", body), class_="review-moves")
    region = {"tabindex": "0", "role": "region", "aria_label": "Legal moves", "id": "moves-scroll"}
    return panel(element("div", table, class_="scroll", **region))


def _head(sort: str, label: str, look: Look, address: Address | None, title: str = "") -> Markup:
    is_number = "number" if sort != "move" else None
    if address is None:
        return element("th", label, scope="col", class_=is_number, title=title or None)
    is_here = look.sort == sort
    direction = ("ascending" if sort in ("move", "behind") else "descending") if is_here else None
    head = link(address.with_query(sort=sort), label, f"sort-{sort}", title=title or None)
    return element("th", head, scope="col", class_=is_number, aria_sort=direction)


def _row(study: Study, row: MoveRow, judges: Sequence[int], has_search: bool, look: Look) -> Markup:
    cells = [element("th", row.words, _marks(row), scope="row")]
    for place in judges:
        judgement = study.judged(look.judges[place], look.deals).by_turn.get(look.turn)
        is_best = judgement is not None and judgement.best == row.move
        cells += _judged_cells(study, row.judged[place], is_best)
    if has_search:
        searched = row.searched
        words = f"{searched.visits:,} ({searched.value:.2f})" if searched else "-"
        cells.append(element("td", words, class_="number"))
    cells.append(element("td", _zoo(row) if row.zoo else None, class_="number"))
    button = element(
        "button",
        "try",
        type="button",
        id=f"try-{int(row.move)}",
        aria_label=f"Try {row.words}",
        class_="quiet",
        data_do="try",
        data_move=str(row.move),
    )
    cells.append(element("td", button))
    return element("tr", cells, class_="played" if row.is_played else None)


def _zoo(row: MoveRow) -> Markup:
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


def _judged_cells(study: Study, judged: JudgedMove | None, is_best: bool) -> list[Markup]:
    if judged is None:
        return [element("td", "-", class_="number"), element("td", "-", class_="number")]
    share = judged.value / study.story.rules.perfect_score
    bar = sheet(60, 8, "", rectangle(0, 0, 60, 8, "line", rx=2), rectangle(0, 0, 60 * max(share, 0), 8, "moved", rx=2))
    value = element("td", f"{judged.value:.2f}", bar, class_="number", title=f"± {judged.error:.2f}")
    words = "best" if is_best else f"{judged.behind:.2f} ± {judged.behind_error:.2f}"
    name = "number bad" if judged.is_mistake else "number"
    samples = element("small", f"{judged.deals:,} samples", class_="soft review-samples")
    return [value, element("td", words, samples, class_=name)]
