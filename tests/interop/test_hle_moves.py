"""Our moves and the Hanabi Learning Environment's numbers, without that program."""

import pytest

from kagiya.cards import Color, Rank
from kagiya.interop.hle import config, move_to_uid, num_uids, uid_to_move
from kagiya.moves import MOVES, Move, MoveError
from kagiya.rules import PRESETS, BombScore, DrawnCard, Rules, RulesError

ANY_SIZE = [
    Rules(players=players, colors=colors, hand_size=hand_size, copies=(3, 2, 2, 2, 1)[-ranks:])
    for players in range(2, 6)
    for colors in (2, 5, 6)
    for ranks in (3, 5)
    for hand_size in (1, 2)
]


@pytest.mark.parametrize(("players", "count"), [(2, 20), (3, 30), (4, 38), (5, 48)])
def test_the_full_game_has_the_published_number_of_moves(players: int, count: int) -> None:
    assert num_uids(Rules(players=players)) == count


@pytest.mark.parametrize("rules", ANY_SIZE)
def test_there_and_back_for_every_number(rules: Rules) -> None:
    moves = [uid_to_move(uid, rules) for uid in range(num_uids(rules))]
    assert len(set(moves)) == num_uids(rules)
    assert [move_to_uid(move, rules) for move in moves] == list(range(num_uids(rules)))


@pytest.mark.parametrize("rules", ANY_SIZE)
def test_every_other_move_is_refused(rules: Rules) -> None:
    possible = {uid_to_move(uid, rules) for uid in range(num_uids(rules))}
    others = set(MOVES) - possible
    assert others
    for move in others:
        with pytest.raises(MoveError, match="cannot be made under these rules"):
            move_to_uid(move, rules)


def test_numbers_by_hand() -> None:
    rules = Rules(players=3)  # hands of five: 0-4 discards, 5-9 plays, 10-19 colors, 20-29 ranks
    assert move_to_uid(Move.discard(0), rules) == 0
    assert move_to_uid(Move.play(0), rules) == 5
    assert move_to_uid(Move.hint_color(1, Color(0)), rules) == 10
    assert move_to_uid(Move.hint_color(2, Color(4)), rules) == 19
    assert move_to_uid(Move.hint_rank(1, Rank(0)), rules) == 20
    assert move_to_uid(Move.hint_rank(2, Rank(4)), rules) == 29


@pytest.mark.parametrize("number", [-1, 20, 54])
def test_numbers_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(MoveError, match=f"are 0-19, not {number}"):
        uid_to_move(number, Rules(players=2))


@pytest.mark.parametrize("number", [-1, 54])
def test_our_numbers_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(MoveError, match=f"are 0-53, not {number}"):
        move_to_uid(number, Rules(players=2))


def test_settings_of_the_small_game() -> None:
    assert config(PRESETS["hle-small"]) == {
        "players": 2,
        "colors": 2,
        "ranks": 5,
        "hand_size": 2,
        "max_information_tokens": 3,
        "max_life_tokens": 1,
    }


@pytest.mark.parametrize("ranks", range(1, 6))
def test_settings_need_their_copies(ranks: int) -> None:
    copies = {1: (3,), 2: (3, 1), 3: (3, 2, 1), 4: (3, 2, 2, 1), 5: (3, 2, 2, 2, 1)}[ranks]
    assert config(Rules(copies=copies, hand_size=2))["ranks"] == ranks
    with pytest.raises(RulesError, match="copies per rank"):
        config(Rules(copies=(2,) * ranks, hand_size=2))


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(colors=6), "at most 5 colors, not 6"),
        (Rules(empty_hints=True), "a hint must touch a card"),
        (Rules(discard_at_full_tokens=True), "nobody discards"),
        (Rules(discard_below=7), "a single token is missing"),
        (Rules(bomb_score=BombScore.KEEP), "scores 0"),
        (Rules(token_for_five=False), "gives a token back"),
        (Rules(drawn_card=DrawnCard.VACATED), "end of the hand"),
    ],
)
def test_rules_they_cannot_play_are_refused(rules: Rules, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        config(rules)
