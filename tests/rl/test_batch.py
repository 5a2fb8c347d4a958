"""Batches: the same games as `Game` plays them, partners that move as at a table, ends, copies, and bad input."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kagiya import Game, Rules, Table, find_agent
from kagiya.rl import ActionError, Batch, Encoding, Episodes, Partners
from kagiya.rl.vectors import move_to_uid, uid_to_move

LANES = 6


def chosen(masks: npt.NDArray[np.bool_], rng: random.Random) -> list[int]:
    """A legal action for each lane, plays being rarer so that games last."""
    return [rng.choice([*np.flatnonzero(mask), *np.flatnonzero(mask)[-8:]]) for mask in masks]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("encoding", [Encoding(), Encoding("minimal", "packed"), Encoding("belief", "float32")])
def test_lanes_are_the_games_of_their_seeds(players: int, encoding: Encoding, rng: random.Random) -> None:
    rules = Rules(players=players)
    batch = Batch(rules, LANES, encoding)
    batch.reset(10)
    games = [Game(rules, seed=10 + lane) for lane in range(LANES)]
    for _ in range(60):
        actions = chosen(batch.masks, rng)
        scores = [game.score for game in games]
        for game, action in zip(games, actions, strict=True):
            game.make(uid_to_move(action, rules))
        vectors, rewards, ended = batch.step(actions)
        assert rewards.tolist() == [game.score - score for game, score in zip(games, scores, strict=True)]
        assert ended.tolist() == [game.is_over for game in games]
        for lane, game in enumerate(games):
            if game.is_over:
                np.testing.assert_array_equal(batch.final_vectors[lane], encoding.encode(game))
                assert batch.final_scores[lane] == game.score
                games[lane] = Game(rules, seed=int(batch.seeds[lane]))
            np.testing.assert_array_equal(vectors[lane], encoding.encode(games[lane]))
            assert batch.seats[lane] == games[lane].seat
    assert (batch.seeds % LANES == (10 + np.arange(LANES)) % LANES).all()
    assert batch.seeds.max() >= 10 + LANES, "no game ended"


def test_every_seat(rng: random.Random) -> None:
    rules = Rules(players=3)
    batch = Batch(rules, 2, Encoding(no_op=True), Episodes(every_seat=True))
    batch.reset(4)
    games = [Game(rules, seed=4 + lane) for lane in range(2)]
    for _ in range(12):
        actions = chosen(batch.masks[np.arange(2), batch.seats, :-1], rng)
        batch.step(actions)
        for lane, game in enumerate(games):
            game.make(uid_to_move(actions[lane], rules))
            if batch.ended[lane]:
                return
            for seat in range(3):
                np.testing.assert_array_equal(batch.vectors[lane, seat], Encoding().encode(game, seat))
                assert batch.masks[lane, seat, -1] == (seat != game.seat)
                assert batch.masks[lane, seat, :-1].any() == (seat == game.seat)


def test_the_next_game_in_the_next_step(rng: random.Random) -> None:
    at_once, later = (
        Batch(Rules(players=2), 1, episodes=Episodes(next_game=when)) for when in ("at once", "next step")
    )
    at_once.reset(3)
    later.reset(3)
    for _ in range(60):
        actions = chosen(at_once.masks, rng)
        at_once.step(actions)
        later.step(actions)
        if later.ended[0]:
            np.testing.assert_array_equal(later.vectors, at_once.final_vectors)
            assert not later.masks.any()
            later.step([-7])
            assert (later.rewards[0], later.ended[0]) == (0, False)
        np.testing.assert_array_equal(later.vectors, at_once.vectors)
    assert later.seeds[0] > 3


def test_the_next_game_by_reset_alone(rng: random.Random) -> None:
    batch = Batch(Rules(players=2), 2, episodes=Episodes(next_game="reset"))
    batch.reset(3)
    while not batch.ended.any():
        batch.step(chosen(batch.masks, rng))
    over = batch.ended.copy()
    with pytest.raises(ActionError, match="the game is over; begin the next one first"):
        batch.step([5, 5])
    others = batch.vectors[~over].copy()
    batch.begin(over)
    np.testing.assert_array_equal(batch.vectors[~over], others)
    batch.step(chosen(batch.masks, rng))


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("name", ["smartbot", "piers", "cox-recommendation"])
def test_partners_move_as_at_a_table(name: str, seat: int) -> None:
    """The learner makes the moves that its seat made at a table of these agents: then all others make theirs."""
    rules = Rules(players=5)
    table = Table(rules, [find_agent(name)])
    batch = Batch(rules, 3, partners=Partners(name, seat))
    batch.reset(20)
    stories = [[int(move) for move in _played(table, 20 + lane).moves] for lane in range(3)]
    finals: list[int | None] = [None] * 3
    turns = [seat] * 3
    while None in finals:
        actions = [
            move_to_uid(stories[lane][turns[lane]], rules)
            if finals[lane] is None
            else int(np.argmax(batch.masks[lane]))
            for lane in range(3)
        ]
        batch.step(actions)
        for lane in range(3):
            turns[lane] += 5
            if finals[lane] is None and batch.ended[lane]:
                finals[lane] = int(batch.final_scores[lane])
    assert finals == [_played(table, 20 + lane).score for lane in range(3)]


def _played(table: Table, seed: int) -> Game:
    table.play_game(seed)
    return table.game()


def test_a_pool_is_drawn_by_its_weights() -> None:
    batch = Batch(Rules(players=3), 400, partners=Partners({"iggi": 3, "vdb": 1, "random": 0}))
    batch.reset(0)
    teams, learners = batch._facts[:, 2], batch._facts[:, 3]
    assert 250 < (teams == 0).sum() < 350  # 300 +- 8.7
    assert not (teams == 2).any()
    assert set(learners) == {0, 1, 2}


def test_permuted_colors_are_another_name_for_the_same_game(rng: random.Random) -> None:
    """With hands shown, a vector whose colors are put back is the vector of the game that was played."""
    rules = Rules(players=2)
    batch = Batch(rules, LANES, episodes=Episodes(permuted=True))
    batch.reset(3)
    games = [Game(rules, seed=3 + lane) for lane in range(LANES)]
    assert len({tuple(row) for row in batch._colors[:, :5]}) > 1
    for _ in range(10):
        actions = chosen(batch.masks, rng)
        batch.step(actions)
        for lane, game in enumerate(games):
            if batch.ended[lane]:
                return
            game.make(uid_to_move(_straight(actions[lane], batch._colors[lane], rules), rules))
            hand = batch.vectors[lane][:125].reshape(5, 5, 5)[:, batch._colors[lane, :5], :]
            np.testing.assert_array_equal(hand.ravel(), Encoding().encode(game)[:125])


def _straight(action: int, places: npt.NDArray[np.int64], rules: Rules) -> int:
    first = 2 * rules.hand_size
    if not first <= action < first + rules.colors:
        return action
    return first + int(np.flatnonzero(places[: rules.colors] == action - first)[0])


def test_decks_and_positions() -> None:
    rules = Rules(players=2)
    games = [Game(rules, seed=seed) for seed in (5, 6)]
    batch = Batch(rules, 2)
    batch.reset(decks=[game.deck or () for game in games])
    np.testing.assert_array_equal(batch.vectors[1], Encoding().encode(games[1]))
    for game in games:
        game.make("hint bob 1" if game.why_illegal("hint bob 1") is None else "play 1")
    batch.reset(positions=[game.position() for game in games])
    np.testing.assert_array_equal(batch.vectors[0], Encoding().encode(Game.from_position(games[0].position())))


def _given_twice(batch: Batch) -> None:
    array = np.zeros_like(batch.vectors)
    batch.write_into(vectors=array, final_vectors=array)


@pytest.mark.parametrize("numbers", ["int8", "float32", "packed"])
def test_the_callers_arrays(numbers: str, rng: random.Random) -> None:
    batches = [Batch(Rules(players=3), 4, Encoding(numbers=numbers), Episodes(every_seat=True)) for _ in range(2)]
    for batch in batches:
        batch.reset(1)
    names = ("vectors", "masks", "rewards", "ended", "seats", "final_vectors", "final_scores")
    arrays = {name: np.ones_like(getattr(batches[0], name)) for name in names}
    batches[0].write_into(**arrays)
    for _ in range(100):
        actions = chosen(batches[1].masks[np.arange(4), batches[1].seats], rng)
        for batch in batches:
            batch.step(actions)
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, getattr(batches[1], name))
            assert np.shares_memory(array, getattr(batches[0], name))


def test_a_position_that_partners_end_is_passed_over(rng: random.Random) -> None:
    game = Game(Rules(players=2), seed=1)
    while not game.is_over:
        before = game.copy()
        game.make(rng.choice([move for move in game.legal_moves if not move.is_play] or game.legal_moves))
    batch = Batch(game.rules, partners=Partners("iggi", seat=1 - before.seat))
    batch.reset(5, positions=[before])
    assert batch.seeds.tolist() == [5]
    batch.step(chosen(batch.masks, rng))


def test_games_that_never_reach_the_learner_are_given_up() -> None:
    """One card to play, and the partner plays it."""
    batch = Batch(Rules(players=2, colors=1, copies=(3,), hand_size=1), partners=Partners("iggi", seat=1))
    with pytest.raises(RuntimeError, match="iggi ends every game before the learner's first turn"):
        batch.reset(0)


def test_a_game_from_a_deck_has_no_seed() -> None:
    batch = Batch(lanes=2)
    batch.reset(5, decks=[Game(batch.rules, seed=seed).deck or () for seed in (1, 2)])
    assert batch.seeds.tolist() == [-1, -1]
    batch.begin([True, False])
    assert batch.seeds.tolist() == [5, -1]


def begun(batch: Batch, lane: int) -> str:
    """The game that a lane begins with, as the text of its position."""
    return Game.from_state(batch.rules, batch._states, lane).position()


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_sequence_of_given_games(again: bool, count: int) -> None:
    """Lane n plays the games n, n + lanes and so on; then its seeds, or the list again."""
    batch = Batch(Rules(players=3), 3)
    decks = [Game(batch.rules, seed=seed).deck or () for seed in range(100, 100 + count)]
    given = [Game(batch.rules, deck=deck).position() for deck in decks]
    batch.reset(5, decks=decks, again=again)
    next_seed = [5, 6, 7]
    for turn in range(6):
        for lane in range(3):
            place = lane + 3 * turn
            if again or place < count:
                assert (begun(batch, lane), batch.seeds[lane]) == (given[place % count], -1)
            else:
                assert batch.seeds[lane] == next_seed[lane]
                assert begun(batch, lane) == Game(batch.rules, seed=next_seed[lane]).position()
                next_seed[lane] += 3
        batch.begin([True] * 3)
    batch.reset(5)
    assert batch.seeds.tolist() == [5, 6, 7]


def test_a_position_is_stepped_to_its_end_again_and_again(rng: random.Random) -> None:
    """With partners, whose dice differ from time to time though the cards do not."""
    rules = Rules(players=3)
    game = Game(rules, seed=9)
    game.make("play 1")
    batch = Batch(rules, 2, partners=Partners("random", seat=1))
    batch.reset(3, positions=[game.position()], again=True)
    seen = set()
    for _ in range(60):
        _, _, ended = batch.step(chosen(batch.masks, rng))
        seen |= {batch.vectors[lane].tobytes() for lane in np.flatnonzero(ended)}
        assert (batch.seeds == -1).all()
    assert seen == {Encoding().encode(Game.from_position(game.position()), 1).tobytes()}
    copied = batch.copy()
    actions = chosen(batch.masks, rng)
    for vectors in zip(batch.step(actions)[0], copied.step(actions)[0], strict=True):
        np.testing.assert_array_equal(*vectors)


def test_copies_and_pickles_go_on_alike(rng: random.Random) -> None:
    batch = Batch(Rules(players=3), 4, episodes=Episodes("end"), partners="smartbot")
    batch.reset(7)
    for _ in range(5):
        batch.step(chosen(batch.masks, rng))
    others = [batch.copy(), pickle.loads(pickle.dumps(batch))]
    for _ in range(25):
        actions = chosen(batch.masks, rng)
        batch.step(actions)
        for other in others:
            other.step(actions)
            np.testing.assert_array_equal(batch.vectors, other.vectors)
            np.testing.assert_array_equal(batch.rewards, other.rewards)


@pytest.mark.parametrize("seat", [None, 1])
def test_mixed_teams_sit_after_the_learner(seat: int | None) -> None:
    """Their moves are those of a table where the learner's seat has another agent and makes its moves."""
    rules = Rules(players=4)
    batch = Batch(rules, 3, partners=Partners([["smartbot", "iggi", "piers"]], seat))
    batch.reset(40)
    for lane in range(3):
        seated, learner = batch.partners_in(lane), int(batch.seats[lane])
        assert seated[learner] is None
        assert [seated[(learner + offset) % 4] for offset in (1, 2, 3)] == ["smartbot", "iggi", "piers"]
        table = Table(rules, [find_agent(name or "vdb") for name in seated])
        moves = [int(move) for move in _played(table, 40 + lane).moves]
        one = Batch(rules, partners=Partners([["smartbot", "iggi", "piers"]], learner))
        one.reset(40 + lane)
        for move in moves[learner::4]:
            one.step([move_to_uid(move, rules)])
            if one.ended[0]:
                break
        assert (bool(one.ended[0]), int(one.final_scores[0])) == (True, _played(table, 40 + lane).score)


def test_who_sits_in_a_lane() -> None:
    batch = Batch(players=3, lanes=8, partners={"iggi": 1, ("smartbot", "vdb"): 1})
    batch.reset(0)
    assert batch.pool == [["iggi"], ["smartbot", "vdb"]]
    assert set(batch.teams) == {0, 1}
    for lane, team in enumerate(batch.teams):
        seated = batch.partners_in(lane)
        assert seated[int(batch.seats[lane])] is None
        assert {name for name in seated if name} == set(batch.pool[team])
    alone = Batch(players=2)
    alone.reset()
    assert alone.partners_in(0) == [None, None]


def test_masks_are_truth_values_and_a_step_may_have_no_vectors(rng: random.Random) -> None:
    with_vectors, without = Batch(players=2, lanes=3), Batch("standard", 3, Encoding("none"), players=2)
    for batch in (with_vectors, without):
        batch.reset(5)
    assert (without.vectors.shape, without.encoding.parts(without.rules)) == ((3, 0), [])
    for _ in range(30):
        assert with_vectors.masks.dtype == np.bool_
        np.testing.assert_array_equal(with_vectors.masks, without.masks)
        actions = chosen(with_vectors.masks, rng)
        for batch in (with_vectors, without):
            batch.step(actions)
        np.testing.assert_array_equal(with_vectors.final_scores, without.final_scores)


def test_a_seed_for_each_lane() -> None:
    batch, other = Batch(lanes=3), Batch(lanes=3)
    batch.reset([7, 3, 7])
    assert batch.seeds.tolist() == [7, 3, 7]
    np.testing.assert_array_equal(batch.vectors[0], batch.vectors[2])
    other.reset(np.arange(4, 7))  # type: ignore[arg-type]
    assert other.seeds.tolist() == [4, 5, 6]


def test_a_legal_action_is_drawn_for_an_illegal_one(rng: random.Random) -> None:
    """By the lane's own dice, so that the same run again has the same."""
    runs = []
    for _ in range(2):
        batch, dice = Batch(players=3, lanes=4, episodes=Episodes(illegal="replace", permuted=True)), random.Random(3)
        batch.reset(1)
        for _ in range(40):
            masks, actions = batch.masks.copy(), [dice.randrange(-1, 31) for _ in range(4)]
            given = np.array(actions)
            batch.step(given)
            assert given.tolist() == actions
            legal = [0 <= action < 30 and bool(mask[action]) for action, mask in zip(actions, masks, strict=True)]
            np.testing.assert_array_equal(batch.replaced, ~np.array(legal))
        runs.append(batch.vectors.tolist())
    assert runs[0] == runs[1]
    batch = Batch(lanes=300, episodes=Episodes(illegal="replace"))
    batch.reset(1)
    batch.step([0] * 300)  # nobody discards while no hint was given
    assert len(set(batch._last[:, 0])) == 15
    with pytest.raises(ActionError, match="must be integers"):
        batch.step(["play 1"] * 300)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], "one action for each of 3 lanes"),
        ([0.0, 1.0, 2.0], "must be integers"),
        (["play 1"] * 3, "must be integers"),
        ([5, 5, 20], "lane 2: actions are 0-19, not 20"),
        ([5, -1, 5], "lane 1: actions are 0-19, not -1"),
        ([0, 5, 5], "lane 0: action 0 .discard 1.: "),
    ],
)
def test_bad_actions_are_refused_and_nothing_moves(actions: Any, message: str) -> None:
    batch = Batch(Rules(players=2), 3)
    batch.reset(1)
    before = batch.vectors.copy()
    with pytest.raises(ActionError, match=message):
        batch.step(actions)
    np.testing.assert_array_equal(batch.vectors, before)
    batch.step([5, 5, 5])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Batch(lanes=0), "at least one lane"),
        (lambda: Batch("goodman"), "vectors list a hand from the oldest card on"),
        (lambda: Batch(5), r"expected Rules\(...\) or the name of rules, not 5"),  # type: ignore[arg-type]
        (lambda: Batch(partners=[5]), "a team of partners is an agent or a list of agents, not 5"),  # type: ignore[list-item]
        (lambda: Batch(players=3, partners=[["iggi", "careful-python"]]), "^careful-python is a Python agent"),
        (lambda: Batch("gooodman"), "did you mean goodman"),
        (lambda: Batch(Rules(players=3), players=2), "players=2, but the rules are for 3"),
        (lambda: Batch(players=3, partners=[["iggi", "vdb", "iggi"]]), "has 2 partners, not 3: iggi, vdb, iggi"),
        (lambda: Batch(lanes=2).reset([1]), "there are 1 seeds for 2 lanes"),
        (lambda: Batch(lanes=2).reset([1, -1]), "a seed is an integer"),
        (lambda: Episodes(illegal="skip"), "illegal is 'raise' or 'replace', not 'skip'"),
        (lambda: Batch(encoding="minimal"), r"expected Encoding\(...\), not 'minimal'"),  # type: ignore[arg-type]
        (lambda: Batch(episodes="score"), r"expected Episodes\(...\), not 'score'"),  # type: ignore[arg-type]
        (lambda: Batch().reset(decks=np.zeros((1, 50, 2), int)), "the deck must hold exactly the 50 cards"),
        (lambda: Batch(partners=Partners("smartbot", 7)), "seat 7 is not at a table"),
        (lambda: Batch(partners="ris-mcts(iterations=5)"), "searches"),
        (lambda: Batch(partners=Partners({"iggi": -1.0})), "weights"),
        (lambda: Batch(partners=Partners({"iggi": "a"})), "weights of partners are numbers"),  # type: ignore[dict-item]
        (lambda: Batch(partners=Partners("iggi", seat=-1)), "seat -1 is not at a table of 2"),
        (lambda: Batch(partners=Partners("iggi", seat=1.0)), "seat 1.0 is not at a table of 2"),  # type: ignore[arg-type]
        (lambda: Batch(partners=5), "partners are an agent, a list"),  # type: ignore[arg-type]
        (lambda: Batch(lanes=2).reset(2**63 - 1), "a seed is an integer"),
        (lambda: Batch().write_into(vector=np.zeros(1)), "did you mean vectors"),
        (lambda: Batch().write_into(masks=[0] * 20), "masks: a numpy array is written, not list"),  # type: ignore[arg-type]
        (
            lambda: Batch().write_into(masks=np.zeros((1, 19), np.bool_)),
            "must be bool of shape .1, 20., not",
        ),
        (lambda: Batch().write_into(masks=np.zeros((1, 20))), "must be bool .* not float64"),
        (lambda: Batch(lanes=2).write_into(masks=np.zeros((2, 40), np.bool_)[:, ::2]), "contiguous"),
        (lambda: Batch().write_into(masks=np.broadcast_to(np.False_, (1, 20))), "read-only"),
        (lambda: _given_twice(Batch()), "vectors and final_vectors lie in the same memory"),
        (lambda: Batch(Rules(players=2), partners="cox-recommendation"), "cox-recommendation"),
        (lambda: Episodes("points!"), "way to count rewards"),
        (lambda: Batch().reset(seed=-1), "seed"),
        (lambda: Batch(lanes=2).reset(decks=[range(50)]), "deck"),
        (lambda: Batch().reset(decks=[]), "no games were given: there are no decks"),
        (lambda: Batch().reset(positions=[Game(Rules(players=3))]), "game 0: it has other rules"),
        (lambda: Batch().step([0]), "call reset first"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
