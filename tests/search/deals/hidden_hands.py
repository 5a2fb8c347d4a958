"""For tests of dealing: positions of real games, all hands listed the slow way, and the test of frequencies."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.special import chdtrc

from kagiya._jit import array_address
from kagiya.agents.register import find_agent
from kagiya.cards import MAX_KINDS, NO_CARD
from kagiya.engine.dice import seed_stream
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import new_streams
from kagiya.lab.table.table import Table
from kagiya.rules import Rules
from kagiya.search import search_layout
from kagiya.search.deals.sampling import sample_hand

MAX_LISTED = 20_000
MIN_EXPECTED = 5  # of a class in the chi-square test; rarer hands are put together
Hand = tuple[int, ...]


class Dealer:
    """The memory that dealing needs, without a search around it."""

    def __init__(self, sampler: int, seed: int) -> None:
        self.work, self.rng = np.zeros(1, search_layout.SEARCH)[0], new_streams(search_layout.SEARCH_LANES)
        self.work["sampler"] = sampler
        self.work["rng_address"] = array_address(self.rng)
        seed_stream(self.rng, search_layout.TRIAL, search_layout.SEARCH_STREAM, seed)

    def hand(self, game: Game, owner: int) -> Hand:
        sample_hand(game.states, LANE, owner, self.work, self.rng)
        return tuple(self.work["hand"][: game.rules.hand_size].tolist())


def unseen_cards(game: Game, owner: int) -> list[int]:
    """Every physical card of the deck and of the owner's hand."""
    state = game.states[LANE]
    deck = state["deck"][int(state["drawn"]) : game.rules.deck_size].tolist()
    return sorted(deck + [card for card in game.hands[owner] if card != NO_CARD])


def candidates(game: Game, owner: int) -> list[list[int]]:
    """For each slot the places, in the list of unseen cards, of those it could hold; [-1] for an empty slot."""
    unseen, possible = unseen_cards(game, owner), game.states[LANE]["possible"][owner].tolist()
    return [
        [NO_CARD] if card == NO_CARD else [n for n, kind in enumerate(unseen) if possible[slot] >> kind & 1]
        for slot, card in enumerate(game.hands[owner])
    ]


def listed_hands(game: Game, owner: int) -> Counter[Hand]:
    """Every consistent hand by kinds, and in how many ways physical cards make it."""
    unseen = unseen_cards(game, owner)
    hands: Counter[Hand] = Counter()
    for places in itertools.product(*candidates(game, owner)):
        held = [place for place in places if place != NO_CARD]
        if len(set(held)) == len(held):
            hands[tuple(NO_CARD if place == NO_CARD else unseen[place] for place in places)] += 1
    return hands


def p_value(found: Counter[Hand], ways: Mapping[Hand, float]) -> float:
    """Of the chi-square test that hands were found in proportion to their ways; 0 if one was impossible."""
    if set(found) - set(ways):
        return 0.0
    scale = found.total() / sum(ways.values())
    classes = [(found[hand], scale * count) for hand, count in ways.items()]
    common = [pair for pair in classes if pair[1] >= MIN_EXPECTED]
    rare = [pair for pair in classes if pair[1] < MIN_EXPECTED]
    if rare:
        common.append((sum(pair[0] for pair in rare), sum(pair[1] for pair in rare)))
    square = sum((count - expected) ** 2 / expected for count, expected in common)
    return float(chdtrc(len(common) - 1, square)) if len(common) > 1 else 1.0


def sampled_p_value(game: Game, owner: int, sampler: int, count: int, seed: int) -> float:
    dealer = Dealer(sampler, seed)
    return p_value(Counter(dealer.hand(game, owner) for _ in range(count)), listed_hands(game, owner))


def real_positions(agent: str, rules: Rules, count: int, dice: random.Random) -> Iterator[Game]:
    """Positions at random turns of games of an agent with copies of itself."""
    seed = dice.randrange(10**6)
    results, moves = Table(rules, [find_agent(agent)]).play_with_moves(seed, count)
    for place, (result, row) in enumerate(zip(results, moves, strict=True)):
        game = Game(rules, seed + place)
        for move in row[: dice.randrange(int(result["turns"]))]:
            game.make(int(move))
        yield game


def can_be_listed(game: Game, owner: int) -> bool:
    """Whether there is a choice, and not too much of it."""
    return 1 < math.prod(map(len, candidates(game, owner))) <= MAX_LISTED


def with_possible(rules: Rules, deck: list[int], *possible: tuple[int, ...]) -> Game:
    """A dealt game in which the first seat's slots can be these kinds, hints or no hints."""
    game = Game(rules, deck=deck)
    for slot, kinds in enumerate(possible):
        game.states[LANE]["possible"][0, slot] = sum(1 << kind for kind in kinds)
    return game


def planes_of(cards: list[int]) -> tuple[int, int]:
    counts = Counter(cards)
    return sum((n & 1) << c for c, n in counts.items()), sum((n >> 1) << c for c, n in counts.items())


def all_cards(game: Game) -> Counter[int]:
    """Where every physical card is, by the planes of the state: deck, hands, discards and fireworks."""
    state = game.states[LANE]
    total: Counter[int] = Counter()
    planes = [(state["deck_low"], state["deck_high"]), (state["discard_low"], state["discard_high"])]
    planes += [(state["hand_low"][seat], state["hand_high"][seat]) for seat in range(game.rules.players)]
    for low, high in [*planes, (state["played"], 0)]:
        for kind in range(MAX_KINDS):
            total[kind] += (int(low) >> kind & 1) + 2 * (int(high) >> kind & 1)
    return +total
