"""Two cells beside each other: the paired difference on common decks, and the decks on which they differ most."""

from __future__ import annotations

from collections.abc import Sequence

from kagiya.drawing.markup import Markup, element
from kagiya.lab.store.cells import DeckPair
from kagiya.web.page import link
from kagiya.web.results.addresses import read_members, review_address
from kagiya.web.results.cell_question import Beside, CellAnswer
from kagiya.web.results.lists import interval_text, scrolled, table
from kagiya.web.views import Address


def compare_form(answer: CellAnswer, address: Address, prefix: str) -> Markup:
    """Which cell; guests and hosts are offered that the store has by the same rules."""
    chosen = read_members(address, prefix) or ("", "")
    guests, hosts = (sorted({pair[place] for pair in answer.others}) for place in (0, 1))
    values = {name: address.query.get(f"{prefix}{name}", "") for name in ("run", "code")}
    away = address.with_query(**{f"{prefix}{name}": None for name in ("guest", "host", "run", "code")})
    return element(
        "form",
        _select("guest", "Guest", guests, chosen[0]),
        _select("host", "Host", hosts, chosen[-1]),
        element(
            "label",
            "Run ",
            element("input", name="run", value=values["run"], id="with-run", size="6", placeholder="any"),
        ),
        element(
            "label",
            "Code ",
            element("input", name="code", value=values["code"], id="with-code", size="12", placeholder="the newest"),
        ),
        element("button", "Compare", type="submit", id="compare", class_="main"),
        link(away, "Take it away", "compare-not") if any(chosen) else None,
        class_="filters",
        data_do="compare",
        id="compare-form",
        aria_label="The other cell",
    )


def _select(name: str, label: str, agents: Sequence[str], chosen: str) -> Markup:
    listed = agents if chosen in agents or not chosen else [chosen, *agents]
    options = [element("option", agent, value=agent, selected=agent == chosen) for agent in listed]
    return element("label", f"{label} ", element("select", options, name=name, id=f"with-{name}"))


def comparison(beside: Beside, name: str) -> Markup:
    """The difference in words and numbers."""
    found = beside.paired.difference
    if found.decks < 2:
        return element("p", f"{sentence(found.verdict())} Play both with the same --seed.", id="verdict")
    facts = [
        ("Difference", f"{found.mean:+.2f} ± {found.se:.2f}", f"95 %: {interval_text(found.interval)}"),
        ("Common decks", f"{found.decks:,}", f"correlation of the scores {found.correlation:.2f}"),
        (
            "Ahead on",
            f"{beside.paired.ahead:,}",
            f"level on {beside.paired.level:,}, behind on {beside.paired.behind:,}",
        ),
    ]
    items = [
        element("div", element("dt", label), element("dd", value, element("small", more, class_="soft")))
        for label, value, more in facts
    ]
    return element(
        "div",
        element("p", element("strong", sentence(found.verdict())), id="verdict"),
        element("dl", items, class_="numbers"),
        element(
            "div",
            _decks(f"Decks on which {name} leads most", beside.paired.best_for_first, "lead"),
            _decks(f"Decks on which {beside.name} leads most", beside.paired.best_for_second, "trail"),
            class_="three",
        ),
    )


def sentence(words: str) -> str:
    """With a full stop."""
    return words if words.endswith(".") else f"{words}."


def _decks(name: str, pairs: Sequence[DeckPair], prefix: str) -> Markup | None:
    if not pairs:
        return None
    rows = [
        (
            f"deck {pair.seed}",
            _game(pair.first, pair.first_seating, pair.seed, f"{prefix}-{place}-first"),
            _game(pair.second, pair.second_seating, pair.seed, f"{prefix}-{place}-second"),
        )
        for place, pair in enumerate(pairs)
    ]
    drawn = table(name, ("Deck", "This cell", "The other"), rows, frozenset({1, 2}))
    return scrolled(drawn, f"{prefix}-decks", name)


def _game(score: float, seating: int, seed: int, id_: str) -> Markup:
    return element("a", f"{score:g} points", href=str(review_address(seating, seed)), id=id_)
