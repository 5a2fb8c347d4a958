"""What happened: a sentence for every turn, each a link to that turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kagiya.drawing.card import suit_mark
from kagiya.drawing.markup import Markup, element, joined
from kagiya.drawing.palette import Suit
from kagiya.engine.telling import Sentence, Tone, Word
from kagiya.lab.statistics.regret import MoveCost
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.review.look import Look
from kagiya.web.review.story import Story
from kagiya.web.views import Address

CLASSES = {Tone.GOOD: "good", Tone.BAD: "bad"}


def draw_happened(story: Story, look: Look, address: Address) -> Markup:
    """All sentences, the one of the turn that is looked at marked."""
    rows = [_row(story, place, look, address) for place in range(len(story.sentences))]
    rows.append(_end(story, look, address))
    listed = element("ol", rows, class_="review-happened")
    return panel(element("section", element("h2", "What happened"), listed, id="happened"))


def _row(story: Story, place: int, look: Look, address: Address) -> Markup:
    turn = story.first_turn + place
    cost = _cost(story.costs[place])
    words = joined(element("span", turn, class_="soft review-number"), draw_words(story.sentences[place], story.suits))
    return _link(address, look, turn, element("span", words), cost)


def _end(story: Story, look: Look, address: Address) -> Markup:
    game = story.games[-1]
    score = story.record.score if story.record else game.score
    if game.is_bombed:
        words = f"the last life is lost: score {score}"
    elif game.is_over:
        words = f"the game is over: score {score} of {story.rules.perfect_score}"
    else:
        words = f"{story.called[game.seat]} is to move"
    return _link(address, look, story.last_turn, element("span", words), None)


def _link(address: Address, look: Look, turn: int, words: Markup, cost: Markup | None) -> Markup:
    is_here = turn == look.turn
    to_turn = link(address.with_query(turn=turn), (words, cost), f"turn-{turn}", is_here)
    return panel(element("li", to_turn, data_follow=is_here, id=f"told-{turn}"))


def _cost(cost: MoveCost) -> Markup | None:
    if cost.is_free:
        return None
    parts = [f"{cost.direct:+d} lost" if cost.direct else "", f"{cost.indirect:+d} by turns" if cost.indirect else ""]
    text = ", ".join(filter(None, parts)).replace("+", "")
    return element("span", text, class_="bad review-cost", title="points that became impossible, all cards known")


@lru_cache(maxsize=2_000)  # every step draws all sentences again
def draw_words(sentence: Sentence, suits: tuple[Suit, ...]) -> Markup:
    """A sentence with its suits as shapes beside their names."""
    return joined([_word(word, suits) for word in sentence.words])


def _word(word: Word, suits: Sequence[Suit]) -> Markup:
    if word.color is not None:
        return element("span", suit_mark(suits[word.color], ""), word.text, class_="review-suit")
    if word.tone in (Tone.SEAT, Tone.RANK):
        return element("b", word.text)
    return element("span", word.text, class_=CLASSES[word.tone]) if word.tone in CLASSES else joined(word.text)
