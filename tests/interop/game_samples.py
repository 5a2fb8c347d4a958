"""Games and rules that hanab.live can play, for the tests of its formats."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.deals import VARIANTS, Variant
from kagiya.rules import Rules
from tests.strategies import any_choice, any_game, careful_choice


def live_rules_of(variant: Variant, players: int, more: int, empty_hints: bool) -> Rules:
    """The rules of a variant, with a card more or less where a hand can hold it."""
    usual = 5 if players < 4 else 4
    return Rules(
        players=players,
        hand_size=min(5, usual + more),
        colors=variant.colors,
        copies=variant.copies,
        empty_hints=empty_hints,
    )


def any_live_rules(options: bool = True) -> st.SearchStrategy[Rules]:
    """Any of their variants that we play, with and without options."""
    more = st.sampled_from([-1, 0, 1]) if options else st.just(0)
    empty = st.booleans() if options else st.just(False)
    return st.builds(live_rules_of, st.sampled_from(VARIANTS), st.integers(2, 5), more, empty)


def any_live_game(options: bool = True) -> st.SearchStrategy[Game]:
    return any_game(any_live_rules(options))


def record_of(game: Game, end: str = "") -> GameRecord:
    return GameRecord.of(game, ["human"] * game.rules.players, end=end)


def finished(seed: int, rules: Rules, careful: bool = True) -> Game:
    """A game played to its end."""
    game, chooser = Game(rules, seed=seed), random.Random(seed)
    while not game.is_over:
        game.make((careful_choice if careful else any_choice)(game, chooser))
    return game
