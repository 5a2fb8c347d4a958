"""Positions as text: what the writer prints, what the reader fills in, and what it refuses."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given

from kagiya.cards import cards_name, parse_cards
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import MAX_TURNS, STATE, States
from kagiya.engine.position import PositionError, parse_position, position_text
from kagiya.rules import Rules
from tests.strategies import any_choice, any_game, careful_choice, examples

SMALL = "rules standard(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3) players=2"  # R1 R1 R2 R3 Y1 Y1 Y2 Y3


def same_record(left: States, right: States) -> bool:
    return bool(np.array_equal(left.view(np.int64), right.view(np.int64)))


def assert_round_trip(game: Game) -> None:
    text = game.position()
    rules, states = parse_position(text)
    assert rules == game.rules
    assert same_record(states, game.states), text
    assert position_text(rules, states, 0) == text


@given(game=any_game())
@examples(400)
def test_any_position_is_read_back_word_for_word(game: Game) -> None:
    assert_round_trip(game)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["standard", "goodman", "bouzy", "hle-small"])
def test_every_position_of_a_game_is_read_back(name: str, players: int, rng: random.Random) -> None:
    game = Game(Rules.preset(name, players), seed=rng.randrange(10**6))
    while not game.is_over:
        assert_round_trip(game)
        game.make(careful_choice(game, rng))
    assert_round_trip(game)


def test_a_change_to_any_word_is_noticed_by_the_comparison_above() -> None:
    game = Game(Rules(players=3), seed=5)
    _, states = parse_position(game.position())
    words = states.view(np.int64)
    assert len(words) * 8 == STATE.itemsize
    for word in range(len(words)):
        words[word] += 1
        assert not same_record(states, game.states)
        words[word] -= 1


def test_a_game_goes_on_from_its_text_as_it_would_have(rng: random.Random) -> None:
    for seed in range(20):
        game = Game(Rules(players=3), seed=seed)
        for _ in range(15):
            if not game.is_over:
                game.make(careful_choice(game, rng))
        twin = Game.from_position(game.position())
        while not game.is_over:
            move = any_choice(game, rng)
            game.make(move)
            twin.make(move)
        assert same_record(twin.states, game.states)


# What the text looks like.

DEALT = """\
{rules}
moves 0; tokens 3; lives 3
alice R1 R2
bob Y1 R3
deck Y2 R1 Y1 Y3"""

LATER = """\
{rules}
moves 5; tokens 2; lives 3
fireworks R2
discards Y1
alice Y2(2!)#4 R1#5
bob R3(R!)#3 Y1(Y)#6
deck Y3"""

LAST = """\
{rules}
moves 7; tokens 3; lives 2
fireworks R3
discards Y1 Y2
alice R1#5 --
bob Y1(Y)#6 Y3#7
left 1"""


def test_the_text_of_a_game_as_it_goes_on() -> None:
    rules = Rules(colors=2, copies=(2, 1, 1), hand_size=2, hint_tokens=3)
    written = f"rules {rules.text()} players=2"
    game = Game(rules, deck=parse_cards("R1 R2 Y1 R3 Y2 R1 Y1 Y3"))
    assert game.position() == DEALT.format(rules=written)
    for move in ("play 1", "hint alice 2", "play 1", "discard 1", "hint bob red"):
        game.make(move)
    assert game.position() == LATER.format(rules=written)
    game.make("play 1")
    game.make("play 1")
    assert game.position() == LAST.format(rules=written)


def test_semicolons_and_newlines_are_the_same_and_order_is_free() -> None:
    text = LATER.format(rules=SMALL)
    one_line = "; ".join(reversed(text.split("\n")))
    assert same_record(parse_position(one_line)[1], parse_position(text)[1])
    shouted = text.replace("alice", " ALICE ").replace("turn", "\tTURN").replace("Y2(2!)", "y2( 2! )")
    assert "ALICE" in shouted
    assert same_record(parse_position(shouted)[1], parse_position(text)[1])


# What is filled in.


def test_hands_alone_make_a_position() -> None:
    rules, states = parse_position("alice R1 R2 R3 R4 R5; bob G1 G2 G3 G4 G5; cathy B1 B2 B3 B4 B5")
    game = Game.from_state(rules, states, 0)
    assert rules == Rules(players=3)
    assert (game.turn, game.seat, game.tokens, game.lives, game.points) == (0, 0, 8, 3, 0)
    assert game.deck_left == 35
    assert states[0]["deck"][15:17].tolist() == parse_cards("R1 R1")
    assert states[0]["order"][:3].tolist() == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]


def test_a_seat_alone_sets_the_turn() -> None:
    hands = "alice R1 R2 R3 R4 R5; bob G1 G2 G3 G4 G5"
    assert Game.from_position(f"seat bob; {hands}").turn == 1
    assert Game.from_position(f"seat Alice; moves 8; {hands}").turn == 8
    assert Game.from_position(f"turn 8; {hands}").turn == 8  # as older versions wrote it


def test_three_dots_stand_for_the_other_cards_in_order() -> None:
    game = Game.from_position(f"{SMALL}; alice R1 R2; bob Y1 R3; deck Y3 ...")
    assert cards_name(game.states[LANE]["deck"][4:8]) == "Y3 R1 Y1 Y2"
    game = Game.from_position(f"{SMALL}; alice R1 R2; bob Y1 R3; discards R1; deck Y3 Y2 Y1 ...")
    assert cards_name(game.states[LANE]["deck"][5:8]) == "Y3 Y2 Y1"


def test_knowledge_is_written_short_or_long() -> None:
    hands = "alice R1 R2{} R3 R4 R5; bob G1 G2 G3 G4 G5"
    for short, long in (
        ("(R!)", "(R!,*)"),
        ("(2!)", "(*,2!)"),
        ("(RG,2!)", "(gr, 2!)"),
        ("", "(*)"),
        ("(12)", "(*,21)"),
    ):
        assert same_record(parse_position(hands.format(short))[1], parse_position(hands.format(long))[1])
    state = parse_position(hands.format("(RG,2!)"))[1][0]
    assert state["possible"][0, 1] == 1 << 1 | 1 << 11
    assert state["told"][0, 1] == 2


def test_a_single_color_may_be_named_although_all_are_open() -> None:
    rules = Rules(colors=1, hand_size=2)
    game = Game(rules, seed=1)
    game.make("hint bob red")
    assert game.position().count("(R!)") == 2
    assert_round_trip(game)


# Derived fields, counted by hand.


def test_masks_follow_from_fireworks_and_discards() -> None:
    game = Game.from_position(
        "fireworks R2 G5; discards W1 W1 W1 B3 B4 B3 Y1 R4; alice R1 R3 R3 R4 R5; bob G1 G2 G3 G4 Y1; tokens 4"
    )
    state = game.states[LANE]
    assert mask_names(state["played"]) == "R1 R2 G1 G2 G3 G4 G5"
    assert mask_names(state["playable"]) == "R3 Y1 W1 B1"
    assert mask_names(state["useless"]) == "R1 R2 G1 G2 G3 G4 G5 W1 W2 W3 W4 W5 B3 B4 B5"
    assert game.reachable_points == 7 + 3 + 5 + 2
    assert state["fireworks"].tolist() == [2, 0, 5, 0, 0, 0]


def mask_names(mask: int) -> str:
    return cards_name(card for card in range(30) if int(mask) >> card & 1)


# What is refused. Each text differs from a good one in one place.

GOOD = (
    "rules standard players=2; moves 3; tokens 5; lives 2; fireworks R1; discards G1;"
    " alice R1 R2 R3 R4 R5; bob B1 B2 B3 B4 B5"
)


def test_the_text_that_the_bad_ones_spoil_is_good() -> None:
    assert_round_trip(Game.from_position(GOOD))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("moves 3", "round 3", "round: no such section; expected one of rules, moves"),
        ("moves 3", "moves 3; turn 3", "moves: this section is given twice"),
        ("moves 3", "moves x", "moves: expected an integer, not 'x'"),
        ("moves 3", "moves", "moves: expected an integer, not ''"),
        ("moves 3", "moves -1", "moves: expected an integer, not '-1'"),
        ("moves 3", "moves 3.0", "moves: expected an integer"),
        ("moves 3", "moves ²", "moves: expected an integer"),
        ("moves 3", "moves 999", "moves: expected at most"),
        ("moves 3", f"moves {'9' * 5000}", "moves: "),
        ("moves 3", "moves 3; seat alice", "seat: expected bob after 3 moves"),
        ("moves 3", "seat cathy", "seat: expected one of alice, bob, not 'cathy'"),
        ("tokens 5", "tokens 9", "tokens: expected at most 8 here, not 9"),
        ("lives 2", "lives 4", "lives: expected at most 3 here, not 4"),
        ("rules standard players=2", "rules standart players=2", "rules: no rules named 'standart'"),
        ("rules standard players=2", "rules", "rules: "),
        ("rules standard players=2", "rules standard(lives=0)", "rules: lives must be"),
        ("rules standard players=2", "rules standard(lifes=3)", "rules: no rule named 'lifes'"),
        ("rules standard players=2", "rules standard(lives=3", "rules: "),
        ("rules standard players=2", "rules standard players=1", "rules: players must be"),
        ("rules standard players=2", "rules standard players=two", "rules: expected an integer, not 'two'"),
        ("rules standard players=2", "rules standard players=3", "cathy: this hand is missing"),
        ("rules standard players=2", "rules standard(colors=4) players=2", "bob: B1 is not a card of this game"),
        ("rules standard players=2", "rules standard(copies=3/2/2/2)", "alice: R5 is not a card .* ranks 1-4"),
        ("bob B1 B2 B3 B4 B5", "", "bob: this hand is missing"),
        ("bob B1", "cathy B1", "cathy: no such seat; expected 2 players"),
        ("bob B1", "zoe B1", "zoe: no such section"),
        ("fireworks R1", "fireworks R1 R2", "fireworks: a color is given twice"),
        ("fireworks R1", "fireworks P1", "fireworks: P1 is not a card of this game"),
        ("fireworks R1", "fireworks X1", "fireworks: 'X1' is not a card"),
        ("fireworks R1", "fireworks --", "fireworks: -- is not a card of this game"),
        ("fireworks R1", "fireworks R5", "alice: one R5 too many; expected 1 in all"),
        ("discards G1", "discards G1 G1 G1 G1", "discards: one G1 too many; expected 3 in all"),
        ("discards G1", "discards B5", "bob: one B5 too many"),
        ("alice R1", "alice R1 R1", "alice: expected 5 slots .*, not 6"),
        ("alice R1", "alice", "alice: expected 5 slots .*, not 4"),
        ("alice R1", "alice --", "alice: expected a full hand"),
        ("alice R1", "alice ??", "alice: .* is not a slot"),
        ("alice R1", "alice R1)", "alice: 'R1\\)' is not a slot"),
        ("alice R1", "alice R1()", "alice: R1\\(\\): expected letters of RYGWB"),
        ("alice R1", "alice R1(!)", "expected letters of RYGWB"),
        ("alice R1", "alice R1(Y)", "alice: R1\\(Y\\): expected the card's own R in 'Y'"),
        ("alice R1", "alice R1(2!)", "expected the card's own 1 in '2!'"),
        ("alice R1", "alice R1(RG!)", "expected a single one in 'RG!'"),
        ("alice R1", "alice R1(*!)", "expected a single one"),
        ("alice R1", "alice R1(R,12!)", "expected a single one in '12!'"),
        ("alice R1", "alice R1(RP)", "expected letters of RYGWB, or \\*, not 'RP'"),
        ("alice R1", "alice R1(R,1,2)", "expected letters of 12345"),
        ("alice R1", "alice R1(R)(1)", "is not a slot"),
        ("alice R1", "alice R1#1", "alice: #1 is in another slot, or in the deck"),
        ("alice R1", "alice R1#12", "alice: #12 is in another slot, or in the deck"),
        ("alice R1", "alice R1#11", "alice: expected the oldest card first"),
        ("alice R1", "alice R1#x", "is not a slot"),
        ("alice R1", "alice R1#100", "is not a slot"),
        ("discards G1", "discards G1; deck G1", "deck: expected R1 .* as well"),
        ("discards G1", "discards G1; deck R5 ...", "deck: one R5 too many"),
        ("discards G1", "discards G1; deck ... R1", "deck: '...' is not a card"),
        ("discards G1", "discards G1; left 2", "left: expected only when the deck is empty, but it has 38 cards"),
    ],
)
def test_bad_text_names_its_section(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(PositionError, match=message):
        parse_position(GOOD.replace(old, new, 1))


def test_text_without_hands_is_refused() -> None:
    for text in ("", ";;\n", "rules standard players=2; moves 3"):
        with pytest.raises(PositionError, match="alice: no hand is given"):
            parse_position(text)


LAST_ROUND = f"{SMALL}; moves 5; discards Y1 Y2; fireworks R2; alice R1 R3; bob Y1 Y3; deck; left 2"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("left 2", "left 3", "left: expected at most 2 here, not 3"),
        ("left 2", "left -1", "left: expected an integer"),
        ("alice R1 R3; bob Y1 Y3; deck; left 2", "alice R3 --; bob Y1 Y3", "alice: expected a full hand"),
        ("alice R1 R3; bob Y1 Y3; deck", "alice R3 --; bob Y1 Y3; deck R1", "left: expected only when"),
        (
            "discards Y1 Y2; fireworks R2; alice R1 R3",
            "discards Y1 Y2 R1; fireworks R2; alice R3 --",
            "alice: expected a full",
        ),
    ],
)
def test_hands_deck_and_turns_left_must_agree(old: str, new: str, message: str) -> None:
    assert_round_trip(Game.from_position(LAST_ROUND))
    with pytest.raises(PositionError, match=message):
        parse_position(LAST_ROUND.replace(old, new, 1))


def test_an_empty_slot_belongs_to_those_who_moved_in_the_last_round() -> None:
    one_gone = LAST_ROUND.replace("Y1 Y2;", "Y1 Y2 R1;").replace("R1 R3", "R3 --").replace("left 2", "left 1")
    game = Game.from_position(one_gone)  # bob is to move, so alice has moved
    assert (game.seat, game.hands[0]) == (1, (2, -1))
    assert_round_trip(game)
    with pytest.raises(PositionError, match="alice: expected a full hand"):
        parse_position(one_gone.replace("moves 5", "moves 6"))
    with pytest.raises(PositionError, match="alice: expected the empty slot last"):
        parse_position(one_gone.replace("R3 --", "-- R3"))
    vacated = one_gone.replace("R3 --", "-- R3").replace("hint_tokens=3", "hint_tokens=3, drawn_card=vacated")
    assert Game.from_position(vacated).hands[0] == (-1, 2)


def test_a_card_whose_play_ended_the_game_is_not_replaced() -> None:
    bombed = f"{SMALL}; moves 1; lives 0; discards R2; alice R1 --; bob Y1 R3"
    assert Game.from_position(bombed).is_over
    with pytest.raises(PositionError, match="alice: expected a full hand"):
        parse_position(bombed.replace("lives 0", "lives 1"))


@given(game=any_game())
@examples(100)
def test_a_position_is_never_so_late_that_its_game_outgrows_the_log(game: Game) -> None:
    # The reader allows for the longest game from here; so a real position must always be early enough.
    deck_left, rules = game.deck_left, game.rules
    assert game.turn + 2 * (deck_left + rules.players) + game.tokens + rules.colors <= MAX_TURNS


WORDS = [
    "alice",
    "bob",
    "rules",
    "standard",
    "(",
    ")",
    "R1",
    "R1(R!)",
    "G1#3",
    "--",
    "...",
    ";",
    "\n",
    "turn",
    "1",
    "*",
]


def test_nonsense_is_refused_and_never_crashes(rng: random.Random) -> None:
    parts, refused = GOOD.replace(";", " ; ").split(" "), 0
    for _ in range(2000):
        text = parts.copy()
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 2)] = rng.sample(WORDS, rng.randint(0, 2))
        try:
            rules, states = parse_position(" ".join(text))
        except PositionError:
            refused += 1
        else:
            assert_round_trip(Game.from_state(rules, states, 0))
    assert 0 < refused < 2000  # some of it made sense
