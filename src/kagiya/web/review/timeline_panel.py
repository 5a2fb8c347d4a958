"""The way through a game: steps, slider, whose eyes, and the strip of what every turn lost, left and was worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kagiya.cards import SEAT_NAMES
from kagiya.drawing.axes import Scale, rule, shortened
from kagiya.drawing.canvas import rectangle, sheet, words
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import paint
from kagiya.drawing.timeline import FEWEST, LEFT, RIGHT, TimelineOptions, Turn, timeline
from kagiya.web.page import link
from kagiya.web.review.review_query import ALL, EVERYTHING, TABS, ReviewQuery
from kagiya.web.review.review_session import ReviewSession
from kagiya.web.review.reviewed_game import ReviewedGame
from kagiya.web.views import Address

TAB_NAMES = ("Why?", "Story", "Worst", "Beliefs", "What if")
WIDE, NARROW = 800, 400
HIGH = 54
MAX_BEHIND = 4.0  # points that fill the height of a bar
EYES = {ALL: "what all know", EVERYTHING: "everything"}


def draw_steps(story: ReviewedGame, look: ReviewQuery, steps: dict[str, int | None]) -> Markup:
    """To the turns before and after, to the ends, and to what is worth looking at; `steps` says where these lead."""
    slider = element(
        "input",
        type="range",
        id="slider",
        aria_label="Turn",
        min=story.first_turn,
        max=story.last_turn,
        value=look.turn,
        data_do="turn",
        aria_valuetext=turn_text(story, look.turn),
    )
    return element(
        "div",
        step("First turn", "|<", "Home", steps),
        step("Previous turn", "<", "ArrowLeft", steps),
        slider,
        step("Next turn", ">", "ArrowRight", steps),
        step("Last turn", ">|", "End", steps),
        step("Next mistake", "next mistake", "n", steps),
        step("Next disagreement", "next disagreement", ".", steps),
        class_="review-steps",
    )


def turn_text(story: ReviewedGame, turn: int) -> str:
    """ "Turn 12 of 58, bob to move", or the end."""
    game = story.before(turn)
    if turn == story.last_turn:
        state = "the end" if game.is_over else f"{story.display_names[game.seat]} to move"
        return f"After turn {turn - 1}: {state}" if turn > 1 else state
    return f"Turn {turn} of {story.last_turn - 1}, {story.display_names[game.seat]} to move"


def step(name: str, sign: str, key: str, steps: dict[str, int | None]) -> Markup:
    """A button that leads to another turn, also by a key. It says which way, not which turn: of two quick clicks the
    second counts from where the first has led."""
    id_ = name.lower().replace(" ", "-")
    return element(
        "button",
        sign,
        type="button",
        id=id_,
        aria_label=name,
        title=f"{name} ({key.replace('Arrow', '') if len(key) > 1 else key})",
        data_do="step",
        data_way=id_,
        data_key=key,
        aria_disabled="true" if steps[id_] is None else None,
    )


def draw_tabs(look: ReviewQuery, address: Address) -> Markup:
    """Which panel a phone shows; where there is room for all, this is not shown."""
    links = [
        link(address.but(tab=tab), label, f"tab-{tab}", look.tab == tab)
        for tab, label in zip(TABS, TAB_NAMES, strict=True)
    ]
    return element("nav", links, aria_label="Panels", class_="review-tabs")


def draw_eyes(story: ReviewedGame, look: ReviewQuery, address: Address) -> Markup:
    """Through whose eyes; everything is the truth, which nobody saw at the table."""
    choices = [*zip(SEAT_NAMES, story.display_names, strict=False), *EYES.items()]
    links = [link(address.but(eyes=eyes), label, f"eyes-{eyes}", look.eyes == eyes) for eyes, label in choices]
    other = "right" if look.newest_left else "left"
    title = "how hands are laid out; numbers of slots stay"
    newest = link(address.but(newest=other), f"newest card {other}", "newest", title=title)
    label = element("span", "Eyes", id="eyes-label", class_="soft")
    return element("div", label, element("nav", links, aria_labelledby="eyes-label"), newest, class_="review-eyes")


def draw_timeline(session: ReviewSession, look: ReviewQuery) -> Markup:
    """Steps, slider and the strip; wide and narrow, of which a stylesheet shows one."""
    story = session.story
    strips = [
        element("div", _strip(session, look, width), _judged_strips(session, look, width), class_=name, data_do="turn")
        for width, name in ((WIDE, "review-strip wide"), (NARROW, "review-strip narrow"))
    ]
    return element(
        "section",
        element("h2", turn_text(story, look.turn), id="turn-now"),
        draw_steps(story, look, steps(session, look)),
        strips if story.moves else None,
        id="timeline",
        class_="review-timeline",
    )


def turns_of(session: ReviewSession) -> list[Turn]:
    """What the timeline shows of every turn."""
    story = session.story
    return [
        Turn(
            seat=int(story.games[place].seat),
            direct=cost.direct,
            indirect=cost.indirect,
            reachable=story.games[place + 1].reachable_points,
            pace=story.paces[place + 1],
            disagree=session.otherwise(story.first_turn + place),
        )
        for place, cost in enumerate(story.costs)
    ]


def _strip(session: ReviewSession, look: ReviewQuery, width: int) -> Markup:
    story = session.story
    place = look.turn - story.first_turn
    options = TimelineOptions(
        names=tuple(shortened(name, 8) for name in story.display_names),
        perfect=story.rules.perfect_score,
        agents=session.asked_agents,
        cursor=place if place < len(story.moves) else None,
        width=width,
    )
    return _drawn(tuple(turns_of(session)), options, None if width == WIDE else "")


@lru_cache(maxsize=500)  # drawn again for every change elsewhere on the page
def _drawn(turns: tuple[Turn, ...], options: TimelineOptions, label: str | None) -> Markup:
    return timeline(turns, options, label)


def _judged_strips(session: ReviewSession, look: ReviewQuery, width: int) -> list[Markup]:
    return [
        _judged_strip(session, text, look, width) for text in look.judges if session.judged(text, look.deals).by_turn
    ]


def _judged_strip(session: ReviewSession, text: str, look: ReviewQuery, width: int) -> Markup:
    """By turn how far the move was behind the best by one judge; mistakes are filled."""
    story, judged = session.story, session.judged(text, look.deals)
    across = Scale(0, max(len(story.moves), FEWEST), LEFT, width - RIGHT)
    base, wide = HIGH - 12, across(1) - across(0)
    bars = []
    for turn, judgement in sorted(judged.by_turn.items()):
        if (verdict := judgement.verdict) is None:
            continue
        high = max(min(verdict.behind / MAX_BEHIND, 1.0) * (base - 16), 1.0)
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


def steps(session: ReviewSession, look: ReviewQuery) -> dict[str, int | None]:
    """Where one can go from a turn, None where one is already or nothing is left: also to the next mistake (or loss of
    points where nobody judged), and to the next move with which most agents disagree."""
    story, judged = session.story, session.judged(look.judges[0], look.deals)
    lost = [story.first_turn + place for place, cost in enumerate(story.costs) if cost.total > 0]
    mistakes = sorted({*judged.mistakes, *(turn for turn in lost if turn not in judged.by_turn)})
    agents = session.asked_agents
    disputed = [
        turn for turn in range(story.first_turn, story.last_turn) if 2 * (session.otherwise(turn) or 0) > agents
    ]
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


def timeline_json(session: ReviewSession) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [
        {
            "turn": session.story.first_turn + place,
            "seat": turn.seat,
            "direct": turn.direct,
            "indirect": turn.indirect,
            "reachable": turn.reachable,
            "pace": turn.pace,
            "otherwise": turn.disagree,
        }
        for place, turn in enumerate(turns_of(session))
    ]
