"""The game as a strip below the table: points lost, what is still reachable, pace, disagreement, judged moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kagiya.drawing.axes import Scale, rule, shortened
from kagiya.drawing.canvas import rectangle, sheet, words
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import paint
from kagiya.drawing.timeline import FEWEST, LEFT, RIGHT, TimelineOptions, Turn, timeline, timeline_cursor
from kagiya.web.panels import panel
from kagiya.web.review.controls import draw_steps, turn_text
from kagiya.web.review.look import Look
from kagiya.web.review.study import Study

WIDE, NARROW = 800, 400
HIGH = 54
MOST_BEHIND = 4.0  # points that fill the height of a bar


def draw_timeline(study: Study, look: Look) -> Markup:
    """Steps, slider and the strip; wide and narrow, of which a stylesheet shows one."""
    story = study.story
    strips = [_strips(study, look, width, name) for width, name in ((WIDE, "wide"), (NARROW, "narrow"))]
    drawn = element(
        "section",
        panel(element("h2", turn_text(story, look.turn), id="turn-now")),
        draw_steps(story, look, steps(study, look)),
        strips if story.moves else None,
        id="timeline",
        class_="review-timeline",
    )
    return panel(drawn)


def _strips(study: Study, look: Look, width: int, name: str) -> Markup:
    story, options = study.story, _options(study, width)
    place = look.turn - story.first_turn
    cursor = timeline_cursor(len(story.moves), options, place if place < len(story.moves) else None)
    drawn = (
        panel(element("div", cursor, class_="review-cursor", id=f"cursor-{name}")),
        _drawn(tuple(turns_of(study)), options, None if width == WIDE else ""),
        _judged_strips(study, look, width),
    )
    return panel(element("div", drawn, class_=f"review-strip {name}", id=f"strip-{name}", data_do="turn"))


def turns_of(study: Study) -> list[Turn]:
    """What the timeline shows of every turn."""
    story = study.story
    return [
        Turn(
            seat=int(story.games[place].seat),
            direct=cost.direct,
            indirect=cost.indirect,
            reachable=story.games[place + 1].reachable_points,
            pace=story.paces[place + 1],
            disagree=study.otherwise(story.first_turn + place),
        )
        for place, cost in enumerate(story.costs)
    ]


def _options(study: Study, width: int) -> TimelineOptions:
    return TimelineOptions(
        names=tuple(shortened(name, 8) for name in study.story.called),
        perfect=study.story.rules.perfect_score,
        agents=len(study.opinions.agents) if study.opinions else 0,
        width=width,
    )


@lru_cache(maxsize=500)  # drawn again for every change elsewhere on the page
def _drawn(turns: tuple[Turn, ...], options: TimelineOptions, label: str | None) -> Markup:
    return timeline(turns, options, label)


def _judged_strips(study: Study, look: Look, width: int) -> list[Markup]:
    return [_judged_strip(study, text, look, width) for text in look.judges if study.judged(text, look.deals).by_turn]


def _judged_strip(study: Study, text: str, look: Look, width: int) -> Markup:
    """By turn how far the move was behind the best by one judge; mistakes are filled."""
    story, judged = study.story, study.judged(text, look.deals)
    across = Scale(0, max(len(story.moves), FEWEST), LEFT, width - RIGHT)
    base, wide = HIGH - 12, across(1) - across(0)
    bars = []
    for turn, judgement in sorted(judged.by_turn.items()):
        if (verdict := judgement.verdict) is None:
            continue
        high = max(min(verdict.behind / MOST_BEHIND, 1.0) * (base - 16), 1.0)
        x = across(turn - story.first_turn) + max((wide - 9) / 2, 0.5)
        bar = rectangle(
            x,
            base - high,
            min(max(wide - 1.5, 2), 9),
            high,
            "bad" if verdict.is_mistake else "panel",
            stroke=paint("bad"),
            **({"fill_opacity": "0.35"} if judged.is_provisional(turn) else {}),
        )
        bars.append(bar)
    key = "filled: a mistake, pale: provisional" if judged.provisional else "filled: a mistake"
    head = words(LEFT, 11, f"behind the best move, by {text} ({key})", size=11, color="text")
    name = words(LEFT - 6, base - 4, "judged", size=11, color="quiet", text_anchor="end")
    label = f"{text} judged {len(judged.by_turn)} turns; mistakes: {mistakes_text(judged.mistakes)}"
    return sheet(width, HIGH, label if width == WIDE else "", head, rule(LEFT, base, width - RIGHT, base), name, bars)


def mistakes_text(turns: Sequence[int]) -> str:
    """Turns in words."""
    return ", ".join(f"turn {turn}" for turn in sorted(turns)) or "none"


def steps(study: Study, look: Look) -> dict[str, int | None]:
    """Where one can go from a turn, None where one is already or nothing is left: also to the next mistake (or loss of
    points where nobody judged), and to the next move with which most agents disagree."""
    story, judged = study.story, study.judged(look.judges[0], look.deals)
    lost = [story.first_turn + place for place, cost in enumerate(story.costs) if cost.total > 0]
    mistakes = sorted({*judged.mistakes, *(turn for turn in lost if turn not in judged.by_turn)})
    agents = len(study.opinions.agents) if study.opinions else 0
    disputed = [turn for turn in range(story.first_turn, story.last_turn) if 2 * (study.otherwise(turn) or 0) > agents]
    first, last = story.first_turn, story.last_turn
    return {
        "first-turn": first if look.turn > first else None,
        "previous-turn": look.turn - 1 if look.turn > first else None,
        "next-turn": look.turn + 1 if look.turn < last else None,
        "last-turn": last if look.turn < last else None,
        "next-mistake": _after(mistakes, look.turn),
        "next-disagreement": _after(disputed, look.turn),
    }


def _after(turns: Sequence[int], turn: int) -> int | None:
    return next((each for each in turns if each > turn), None)


def timeline_json(study: Study) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [
        {
            "turn": study.story.first_turn + place,
            "seat": turn.seat,
            "direct": turn.direct,
            "indirect": turn.indirect,
            "reachable": turn.reachable,
            "pace": turn.pace,
            "otherwise": turn.disagree,
        }
        for place, turn in enumerate(turns_of(study))
    ]
