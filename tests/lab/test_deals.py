"""hanab.live's decks by its seeds: the specification's vectors, and matches that are dealt by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya._jit import JIT_OFF
from kagiya.engine.game import Game
from kagiya.interop.files import read_games
from kagiya.lab.deals import (
    LENGTH,
    LIVE,
    TAP,
    VARIANTS,
    Variant,
    _places,
    _power_of_x,
    checksum,
    constants,
    dealt_game,
    live_deck,
    seed_text,
)
from kagiya.lab.store.cells import compare_on_common_decks
from kagiya.lab.store.queries import GameFilter, chosen_teams
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store, deals_of
from kagiya.rules import RulesError
from tests.regret_identities import unexplained

# The first cards of the deals by the letters of the site, as the specification lists them.
VECTORS = {
    "p2v0s1": "B5 P4 B3 R4 G1 B3 B1 R1 G2 G4 R2 B2 G2 P1 R2",
    "p3v0s1": "G3 G3 B1 Y3 R5 P4 G1 P5 R4 R2",
    "p4v0s1": "Y4 Y1 Y4 B3 B1 P4 B2 P1",
    "p5v0s1": "B3 G3 G2 Y3 P1 G3 R2 R4",
    "p6v0s1": "Y5 R4 P4 G2 B1 G5",
}
EXAMPLE = "215iupcvqbmewknwrxqr-vflgflkbhxjnshifakcy-duatsaopdumpg,031bla-ecoaeb,0"  # the whole deck of p2v0s8


@pytest.mark.parametrize("seed", VECTORS)
def test_the_vectors_of_the_specification(seed: str) -> None:
    deck = [f"{'RYGBP'[card // 5]}{card % 5 + 1}" for card in live_deck(seed, Rules())]
    assert " ".join(deck).startswith(VECTORS[seed])
    assert live_deck(f"legacy-1-{seed}", Rules()) == live_deck(seed, Rules())


def test_a_whole_real_deck() -> None:
    (record,) = read_games(EXAMPLE)
    assert record.deal().deck == dealt_game(Rules(), 8, LIVE).deck


def test_the_checksum_is_the_standard_one() -> None:
    assert checksum(b"123456789") == 0x995DC9BBDF1939FA


def test_jumping_ahead_is_stepping() -> None:
    """The jump by powers of x, compared with a few thousand steps one by one."""
    steps = 2000
    places, feed, tap = _places(1, 20, 10).tolist(), LENGTH - TAP, 0
    for _ in range(steps):
        feed, tap = (feed - 1) % LENGTH, (tap - 1) % LENGTH
        places[feed] = (places[feed] + places[tap]) % 2**64
    before = _places(1, 20, 10)[(LENGTH - TAP - np.arange(1 - LENGTH, 1)) % LENGTH]
    jumped = int((before * _power_of_x(steps)).sum(dtype=np.uint64))
    assert jumped == places[(LENGTH - TAP - (steps + 1 - LENGTH)) % LENGTH]
    assert len(set(constants().tolist())) == LENGTH


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_is_dealt_in_full(variant: Variant) -> None:
    rules = Rules(players=4, colors=variant.colors, copies=variant.copies)
    game = dealt_game(rules, 3, LIVE)
    assert sorted(game.deck or ()) == sorted(Game(rules, 3).deck or ())
    assert seed_text(rules, 3) == f"p4v{variant.number}s3"


def test_what_is_not_dealt_there_is_refused() -> None:
    with pytest.raises(RulesError, match=r"hanab\.live deals no such deck as standard\(colors=2\) has"):
        Match.of(Rules(colors=2), "careful", deals="live")
    with pytest.raises(RulesError, match="no deals named 'life'; did you mean live"):
        Match.of(Rules(), "careful", deals="life")
    with pytest.raises(ValueError, match=r"is not a seed of hanab\.live"):
        live_deck("p3v0", Rules())


@pytest.mark.parametrize("agent", ["iggi", "careful-python"])
def test_a_match_plays_the_decks_of_the_site(agent: str) -> None:
    match = Match.of(Rules(players=3), agent, 6, 1, deals="live")
    table = match.new_table()
    results = np.concatenate([table.play_chunk(seed, 1) for seed in range(1, 7)])
    assert np.array_equal(play_match(match, workers=1).results, results)
    assert not unexplained(results, match.rules).size
    table.play_game(4)
    record = table.record()
    assert record.deal().deck == dealt_game(Rules(players=3), 4, LIVE).deck
    assert (record.seed, record.source["seed"], record.score) == (4, "p3v0s4", int(results[3]["score"]))
    assert len(table.play_explained(4)) == record.turns
    assert table.record() == record


@pytest.mark.skipif(JIT_OFF, reason="the results are compared with those of our own deals, which take long")
def test_live_deals_are_stored_as_deals_of_their_own(tmp_path: Path) -> None:
    own, live = (Match.of(Rules(players=2), [find_agent("iggi")], 5, 1, deals=deals) for deals in ("own", "live"))
    with Store.open(tmp_path / "store") as store:
        first = run_matches([own, live], store)
        assert (first.computed, run_matches([live], store).computed) == (10, 0)
        mine, theirs = (seating.id for seating in first.seatings)
        assert [deals_of(store.catalog.seatings[each]["terms"]) for each in (mine, theirs)] == ["own", "live"]
        assert store.record(mine, 3).deal().deck == Game(Rules(players=2), 3).deck
        record = store.record(theirs, 3)
        assert record.deal().deck == dealt_game(Rules(players=2), 3, LIVE).deck
        assert record.source == {"seed": "p2v0s3"}


@pytest.mark.skipif(JIT_OFF, reason="plays too many games for the interpreter")
def test_a_deck_is_its_seed_and_who_shuffled(tmp_path: Path) -> None:
    """A seed of theirs and the same seed of ours are two decks: scores on them are not paired."""
    own, live = (Match.of(Rules(players=2), [find_agent("iggi")], 5, 1, deals=deals) for deals in ("own", "live"))
    with Store.open(tmp_path / "store") as store:
        run_matches([own, live], store)
        mine, theirs = chosen_teams(store.catalog, GameFilter())
        found = compare_on_common_decks(store, ("both", "live"), [mine, theirs], [theirs])
        assert (found.ahead, found.level, found.behind) == (0, 5, 0)
