"""How one goes through a game: buttons, the slider, whose eyes, which side the newest card is on."""

from __future__ import annotations

from kagiya.cards import SEAT_NAMES
from kagiya.drawing.markup import Markup, element
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.review.look import ALL, EVERYTHING, TABS, Look
from kagiya.web.review.story import Story
from kagiya.web.views import Address

TAB_NAMES = ("Why?", "Story", "Worst", "Beliefs", "What if")
EYES = {ALL: "what all know", EVERYTHING: "everything"}


def draw_steps(story: Story, look: Look, steps: dict[str, int | None]) -> Markup:
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
    drawn = element(
        "div",
        step("First turn", "|<", "Home", steps),
        step("Previous turn", "<", "ArrowLeft", steps),
        panel(slider),
        step("Next turn", ">", "ArrowRight", steps),
        step("Last turn", ">|", "End", steps),
        step("Next mistake", "next mistake", "n", steps),
        step("Next disagreement", "next disagreement", ".", steps),
        class_="review-steps",
        id="steps",
    )
    return panel(drawn)


def turn_text(story: Story, turn: int) -> str:
    """ "Turn 12 of 58, bob to move", or the end."""
    game = story.before(turn)
    if turn == story.last_turn:
        state = "the end" if game.is_over else f"{story.called[game.seat]} to move"
        return f"After turn {turn - 1}: {state}" if turn > 1 else state
    return f"Turn {turn} of {story.last_turn - 1}, {story.called[game.seat]} to move"


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


def draw_tabs(look: Look, address: Address) -> Markup:
    """Which panel a phone shows; where there is room for all, this is not shown."""
    links = [
        link(address.with_query(tab=tab), label, f"tab-{tab}", look.tab == tab)
        for tab, label in zip(TABS, TAB_NAMES, strict=True)
    ]
    return panel(element("nav", links, aria_label="Panels", class_="review-tabs", id="tabs"))


def draw_eyes(story: Story, look: Look, address: Address) -> Markup:
    """Through whose eyes; everything is the truth, which nobody saw at the table."""
    choices = [*zip(SEAT_NAMES, story.called, strict=False), *EYES.items()]
    links = [link(address.with_query(eyes=eyes), label, f"eyes-{eyes}", look.eyes == eyes) for eyes, label in choices]
    other = "right" if look.newest_left else "left"
    title = "how hands are laid out; numbers of slots stay"
    newest = link(address.with_query(newest=other), f"newest card {other}", "newest", title=title)
    label = element("span", "Eyes", id="eyes-label", class_="soft")
    nav = element("nav", links, aria_labelledby="eyes-label")
    return panel(element("div", label, nav, newest, class_="review-eyes", id="review-eyes"))
