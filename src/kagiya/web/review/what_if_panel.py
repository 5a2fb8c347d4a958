"""The panel of branches: the form that tries something else, their tree, and what the continuations came to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kagiya import Outcomes
from kagiya.drawing.canvas import Markup, element, joined
from kagiya.drawing.charts import ScoreSample, distribution
from kagiya.web.pages import Address, button, link, panel, progress_bar, select
from kagiya.web.review.review_session import TRYING, ReviewSession, known_judges
from kagiya.web.review.reviewed_game import MAIN, ReviewedGame, ReviewQuery, who
from kagiya.web.review.what_if import CARDS, DECIDES, MAX_PLACED, PLAYED, Branch, cards_of, places_of, usual_seats


def draw_what_if(root: ReviewSession, session: ReviewSession, look: ReviewQuery, address: Address) -> Markup:
    """The form, the tree, and the branch that is looked at."""
    return panel(
        element(
            "section",
            element("h2", "What if"),
            _progress(root),
            _form(session, look),
            _tree(root, look, address),
            _outcome(root, look),
            id="what-if",
            class_="review-what-if",
        )
    )


def _progress(root: ReviewSession) -> Markup | None:
    task = root.tasks.get(TRYING)
    if task is not None and task.error is not None:
        return element("p", f"This could not be tried: {task.error}", class_="bad")
    if task is None or task.is_over:
        return None
    bar = progress_bar(task.progress, "playing on")
    stop = button("Stop", "stop-trying", "stop", data_about=TRYING)
    words = f" {task.words or 'waiting for its turn'} "
    return panel(element("p", bar, words, stop, class_="soft", id="trying-progress"))


def _form(session: ReviewSession, look: ReviewQuery) -> Markup:
    story = session.story
    game = story.before(look.turn)
    if game.is_over:
        return element("p", "The game is over here: go back some turns to try something else.", class_="soft")
    made = story.move_of(look.turn)
    moves = [(DECIDES, "the agent's choice")]
    moves += [(PLAYED, f"{story.words_of(made, look.turn)} (as played)")] if made is not None else []
    moves += [(str(move), story.words_of(move, look.turn)) for move in game.legal_moves if move != made]
    usual = zip(story.display_names, usual_seats(story, session.problems, look), strict=True)
    seats = [
        _input(f"seat{seat}", f"{name} plays on as", text, 2_000, "agents-there")
        for seat, (name, text) in enumerate(usual)
    ]
    known = [element("option", value=name) for name in known_judges(story.rules)]
    fields = joined(
        _select("move", f"Turn {look.turn}: what {story.display_names[game.seat]} does", moves),
        seats,
        _select("cards", "Cards", CARDS.items()),
        _input("name", "Name of the branch", "", 60),
        panel(element("datalist", known, id="agents-there")),
        _places(story, look),
        element("button", "Let them play on", type="submit", id="try-it", class_="main"),
    )
    return panel(element("form", fields, data_do="try", id="trying", class_="review-trying"))


def _places(story: ReviewedGame, look: ReviewQuery) -> Markup:
    """Single cards that the player to move cannot see, each a place and what is to be there."""
    places, cards = [("", "nowhere"), *places_of(story, look)], [("", "-"), *cards_of(story)]
    pairs = [
        joined(_select(f"place{number}", "Put", places), _select(f"card{number}", "this card", cards))
        for number in range(MAX_PLACED)
    ]
    told = element("summary", "Set single cards that the player cannot see", id="placing")
    return element("details", told, element("div", pairs, class_="review-placing"), id="places")


def _select(name: str, label: str, options: Iterable[tuple[str, str]]) -> Markup:
    return element("label", f"{label} ", panel(select(options, name=name, id=f"try-{name}")))


def _input(name: str, label: str, value: str, most: int, listed: str | None = None) -> Markup:
    field = element(
        "input",
        name=name,
        id=f"try-{name}",
        value=value,
        maxlength=most,
        list=listed,
        autocomplete="off",
        spellcheck="false",
    )
    return element("label", f"{label} ", field)


def _tree(root: ReviewSession, look: ReviewQuery, address: Address) -> Markup | None:
    if not len(root.branches):
        return element("p", "No branch yet: try a move, another agent, or other cards.", class_="soft")
    words = f"the game itself: {root.story.title.rpartition(': ')[2]}"
    main = link(address.with_query(branch=None), words, "branch-main", look.branch == MAIN)
    export = element("a", "Export all as JSON", href=f"/json{address}", download="branches.json", id="export")
    tree = element("ul", element("li", main, _children(root, MAIN, look, address)), class_="review-tree")
    return panel(element("div", element("h3", "Branches"), tree, element("p", export), id="branches"))


def _children(root: ReviewSession, parent: str, look: ReviewQuery, address: Address) -> Markup | None:
    items = [_item(root, branch, look, address) for branch in root.branches.children(parent)]
    return element("ul", items) if items else None


def _item(root: ReviewSession, branch: Branch, look: ReviewQuery, address: Address) -> Markup:
    to_branch = link(
        address.with_query(branch=branch.id, turn=branch.turn),
        branch.name,
        f"branch-{branch.id}",
        look.branch == branch.id,
    )
    delete = button(
        "delete",
        f"delete-{branch.id}",
        "delete",
        class_="quiet",
        aria_label=f"Delete {branch.name}",
        data_branch=branch.id,
        data_sure=f"Delete the branch {branch.name!r} and all that leave it?",
    )
    told = element("span", f" {comparison(branch)} ", class_="soft")
    return element("li", to_branch, told, delete, _children(root, branch.id, look, address))


def comparison(branch: Branch) -> str:
    """What the branch came to, and what many of its kind do."""
    if not branch.scores:
        return f"score {branch.score}"
    ahead, error = _outcomes(branch.scores).ahead_of(_outcomes(branch.original))
    if is_certain(branch):
        return f"score {branch.score}; {ahead:+.0f} points, and the same in every continuation"
    return f"score {branch.score}; {len(branch.scores)} continuations: {ahead:+.2f} ± {error:.2f} points"


def is_certain(branch: Branch) -> bool:
    """Whether nothing is left to chance: all continuations come to the same score."""
    return len(set(branch.scores)) == len(set(branch.original)) == 1


def _outcomes(scores: tuple[int, ...]) -> Outcomes:
    return Outcomes(scores, 0, 0)


def _outcome(root: ReviewSession, look: ReviewQuery) -> Markup | None:
    """The distribution of the branch that is looked at, beside the original's, and its name to change."""
    if look.branch == MAIN:
        return None
    branch = root.branches.get(look.branch)
    field = element(
        "input", name="name", id="branch-name", value=branch.name, maxlength=60, aria_label="Name of the branch"
    )
    button = element("button", "Rename", type="submit", id="rename")
    rename = element("form", field, " ", button, data_do="rename", data_branch=branch.id, id="renaming")
    cards = "; ".join([CARDS.get(branch.cards, ""), *branch.placed])
    facts = element("p", f"From turn {branch.turn}: {who(branch.seats)}; {cards}.", class_="soft")
    return panel(element("div", rename, facts, _distribution(root.story, branch), id="outcome"))


def _distribution(story: ReviewedGame, branch: Branch) -> Markup | None:
    if not branch.scores:
        return None
    perfect = story.rules.perfect_score
    drawn = distribution(_sample("branch", branch.scores, perfect), _sample("original", branch.original, perfect))
    note = None
    if is_certain(branch):
        words = "All continuations are the same game: with the same cards these agents always make the same moves."
        note = element("p", words, class_="soft")
    return joined(drawn, note)


def _sample(name: str, scores: tuple[int, ...], perfect: int) -> ScoreSample:
    found = _outcomes(scores)
    counts = tuple(scores.count(score) for score in range(perfect + 1))
    return ScoreSample(name, counts, found.mean, found.error if found.games > 1 else None)


def branches_json(root: ReviewSession) -> list[dict[str, Any]]:
    """All branches as plain data, with their games: what is exported."""
    return [branch.to_json() for branch in root.branches]
