"""The compiled engine and its slow twin agree on every move of thousands of games, whatever the rules."""
# mypy: allow-untyped-calls

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from kagiya.cards import Color, parse_cards
from kagiya.engine.batch import sorted_deck
from kagiya.engine.layout import STATE
from kagiya.engine.reference import ReferenceGame
from kagiya.moves import Move, parse_move
from kagiya.rules import MAX_DECK, PRESETS, BombScore, DrawnCard, Rules, RulesError
from tests.engine.compare import DisagreementError, Pair, differences
from tests.engine.policies import Policy, careful_move, random_move

Games = Callable[[int], int]

GAMES = 10_000  # over all rules together; KAGIYA_TEST_SCALE=100 makes it a million
CAREFUL = 0.2  # of the games; they last about four times as long as random ones
LOOK_CLOSER = 0.05  # of the positions are looked at closely: every single move is asked about

PRESET_RULES = list({Rules.preset(name, players): None for name in PRESETS for players in range(2, 6)})
ODD_RULES = [
    Rules(players=5, colors=6),
    Rules(players=2, colors=6, bomb_score=BombScore.KEEP, empty_hints=True, drawn_card=DrawnCard.VACATED),
    Rules(players=3, copies=(1, 1, 1), hand_size=3),
    Rules(players=5, copies=(1,), colors=5, hand_size=1),
    Rules(players=2, copies=(3,), colors=3, hand_size=3, hint_tokens=1, drawn_card=DrawnCard.VACATED),
    Rules(players=3, colors=1, copies=(3, 3, 3, 3, 3), hand_size=5),
    Rules(players=4, colors=4, copies=(3, 3, 3, 3, 3), hint_tokens=20, lives=20, token_for_five=False),
    Rules(
        players=2, colors=2, copies=(2, 1, 2), hand_size=3, discard_at_full_tokens=True, drawn_card=DrawnCard.VACATED
    ),
    Rules(players=2, hint_tokens=1, lives=1, discard_at_full_tokens=True, token_for_five=False),
    Rules(players=4, hand_size=1, empty_hints=True, discard_at_full_tokens=True, bomb_score=BombScore.KEEP),
    Rules(players=3, discard_below=1),
    Rules(players=2, hand_size=3, hint_tokens=3, discard_below=2, token_for_five=False),
    Rules(players=2, hint_tokens=2, discard_below=5),
]
RANDOM_RULES = 30


def any_rules(rng: random.Random) -> Rules:
    """Rules with every option drawn by lot, tried again until they are possible."""
    while True:
        ranks = rng.randint(1, 5)
        try:
            rules = Rules(
                players=rng.randint(2, 5),
                hand_size=rng.randint(1, 5),
                colors=rng.randint(1, 6),
                copies=tuple(rng.randint(1, 3) for _ in range(ranks)),
                hint_tokens=rng.choice([1, 2, 3, 8]),
                lives=rng.randint(1, 4),
                empty_hints=rng.random() < 0.5,
                discard_at_full_tokens=rng.random() < 0.5,
                discard_below=rng.choice([0, 0, 1, 2, 7]),
                bomb_score=rng.choice(list(BombScore)),
                token_for_five=rng.random() < 0.5,
                drawn_card=rng.choice(list(DrawnCard)),
            )
        except RulesError:
            continue
        if rules.deck_size <= MAX_DECK:
            return rules


def shuffled(rules: Rules, rng: random.Random) -> list[int]:
    deck = sorted_deck(rules)
    rng.shuffle(deck)
    return deck


def play_pair(rules: Rules, policy: Policy, rng: random.Random) -> None:
    """One game on both, compared after every move."""
    pair = Pair(rules, shuffled(rules, rng))
    while True:
        legal = pair.twin.legal_moves()
        pair.check(legal)
        if rng.random() < LOOK_CLOSER or not legal:
            pair.check_closely(legal)
        if not legal:
            return
        pair.apply(policy(pair.twin, legal, rng))


def play_pairs(rules: Rules, count: int, rng: random.Random) -> None:
    for game in range(count):
        play_pair(rules, careful_move if game % round(1 / CAREFUL) == 0 else random_move, rng)


def share(rule_sets: int) -> int:
    return -(-GAMES // rule_sets)


ALL_RULES = len(PRESET_RULES) + len(ODD_RULES) + RANDOM_RULES


@pytest.mark.parametrize("rules", [*PRESET_RULES, *ODD_RULES], ids=lambda rules: f"{rules.players}-{rules.text()}")
def test_agrees_under_chosen_rules(rules: Rules, games: Games, rng: random.Random) -> None:
    play_pairs(rules, games(share(ALL_RULES)), rng)


@pytest.mark.parametrize("number", range(RANDOM_RULES))
def test_agrees_under_rules_drawn_by_lot(number: int, games: Games, rng: random.Random) -> None:
    play_pairs(any_rules(rng), games(share(ALL_RULES)), rng)


def test_games_end_in_every_way(rng: random.Random) -> None:
    """The comparison would be worth little if the games it plays were all alike."""
    endings = Counter(ending(Rules(players=players), rng) for players in (2, 3, 4, 5) for _ in range(100))
    assert set(endings) == {"bombed", "perfect", "last round"}
    assert endings["last round"] > 100


def ending(rules: Rules, rng: random.Random) -> str:
    twin = ReferenceGame(rules, shuffled(rules, rng))
    while legal := twin.legal_moves():
        twin.apply(careful_move(twin, legal, rng))
    return "bombed" if twin.lives == 0 else "perfect" if twin.points() == rules.perfect_score else "last round"


def test_rules_that_are_accepted_can_be_dealt() -> None:
    with pytest.raises(RulesError, match="deck"):
        Rules(colors=6, copies=(3, 3, 3, 3, 3))


# The comparison itself can fail.


def test_a_change_to_any_word_of_the_record_is_reported(rng: random.Random) -> None:
    pair = Pair(Rules(players=3), shuffled(Rules(players=3), rng))
    for _ in range(6):
        pair.apply(random_move(pair.twin, pair.twin.legal_moves(), rng))
    assert differences(pair.states, 0, pair.twin) == []
    for word in range(len(pair.words)):
        pair.words[word] += 1
        assert len(differences(pair.states, 0, pair.twin)) == 1
        with pytest.raises(DisagreementError):
            pair.check(pair.twin.legal_moves())
        pair.words[word] -= 1
    assert len(pair.words) * 8 == STATE.itemsize


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("tokens", 7, r"tokens: engine 8, twin 7"),
        ("discards", [0], r"discard_low: engine \{\}, twin \{R1\}"),
        ("fireworks", [1, 0, 0, 0, 0], r"fireworks\[0\]: engine 0, twin 1; played: .*; playable: .*; useless: "),
        ("lives", 0, r"lives: engine 3, twin 0"),
    ],
)
def test_a_twin_gone_astray_is_reported(field: str, value: object, message: str) -> None:
    pair = Pair(Rules(players=2), sorted_deck(Rules(players=2)))
    setattr(pair.twin, field, value)
    with pytest.raises(DisagreementError, match=message):
        pair.check(pair.twin.legal_moves())


def test_a_missing_legal_move_and_a_wrong_single_answer_are_reported() -> None:
    pair = Pair(Rules(players=2), sorted_deck(Rules(players=2)))
    legal = pair.twin.legal_moves()
    with pytest.raises(DisagreementError, match=r"engine \['play 1'\], twin \[\]"):
        pair.check(legal - {Move.play(0)})
    with pytest.raises(DisagreementError, match=r"is_legal\(0\)"):
        pair.check_closely(legal - {Move.play(0)})


# The twin by itself.


def test_the_twin_refuses_what_is_not_legal() -> None:
    rules = Rules(players=2)
    twin = ReferenceGame(rules, sorted_deck(rules))
    for move in (Move.discard(0), Move.hint_color(2, Color(0)), Move.hint_color(1, Color(4)), -1, 54):
        with pytest.raises(ValueError, match="not legal"):
            twin.apply(move)
    with pytest.raises(ValueError, match="exactly the 50 cards"):
        ReferenceGame(rules, sorted_deck(rules)[1:])


def test_the_twin_knows_what_cards_are_worth() -> None:
    rules = Rules(players=2, colors=1, hand_size=2)
    twin = ReferenceGame(rules, parse_cards("R1 R2 R4 R2 R3 R1 R4 R1 R3 R5"))
    assert twin.critical() == set(parse_cards("R5"))
    for text in ("hint +1 2", "hint +1 1", "play 1", "discard 2"):
        twin.apply(parse_move(text))
    assert twin.playable() == set(parse_cards("R2"))
    assert twin.critical() == set(parse_cards("R2 R5"))
    assert twin.reachable_points() == 5
    twin.apply(parse_move("discard 1"))
    assert twin.useless() == set(parse_cards("R1 R2 R3 R4 R5"))
    assert twin.reachable_points() == twin.points() == 1
