"""A judge tries all legal moves of a turn on the same samples, and reads nothing that its seat cannot know."""

import threading
from collections.abc import Callable
from itertools import islice

import pytest

from kagiya import Game, Rules, Seat, judge, observe
from kagiya._jit import JIT_OFF
from kagiya.lab.review.judging import judge_game, mistakes
from kagiya.lab.review.opinions import opinions
from kagiya.lab.table.determinization import plausible_game
from kagiya.lab.table.table import SeatingError
from kagiya.moves import Move
from kagiya.runtime.interrupts import StoppedError
from tests.lab.review.games import THREE, game_at, played

pytestmark = pytest.mark.skipif(JIT_OFF, reason="games by the thousand take minutes without the compiler")

DEALS = 20
EVALUATORS = ("smartbot", "vdb", "confidence", "hat-information", "random")


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_a_judge_says_the_same_of_a_game_and_of_what_the_seat_knows_of_it(evaluator: str) -> None:
    record = played(agents=("smartbot", "vdb", "careful"))
    for turn in (0, 1, 19, 33, len(record.moves) - 1):
        game = game_at(record, turn)
        found = judge(game, evaluator, DEALS, seed=turn)
        assert {each.move for each in found.moves} == set(game.legal_moves)
        assert judge(observe(game, game.seat), evaluator, DEALS, seed=turn) == found
        assert judge(plausible_game(observe(game, game.seat), seed=turn), evaluator, DEALS, seed=turn) == found


def test_a_whole_game_is_judged_turn_by_turn_as_each_turn_is() -> None:
    record = played()
    for found in islice(judge_game(record, "vdb", DEALS, seat=1, seed=5), 4):
        assert found.seat == 1
        assert found.made == record.moves[found.turn]
        alone = judge(game_at(record, found.turn), "vdb", DEALS, seat=1, seed=5)
        assert alone.moves == found.moves
        assert alone.chosen == found.chosen


def test_a_game_set_up_from_a_position_is_reviewed_without_a_history() -> None:
    game = Game.from_position(game_at(played(), 20).position())
    for move in played().moves[20:23]:
        game.make(move)
    judged = list(judge_game(game, "vdb", 4))
    assert [each.turn for each in judged] == [20, 21, 22]
    assert [each.made for each in judged] == list(game.moves)
    assert opinions(game, ["vdb", "careful-python"]).made == game.moves


def test_to_throw_away_a_known_five_is_a_mistake_and_to_play_it_is_not() -> None:
    text = "turn 6; tokens 2; fireworks R4; alice R5(R!,5!) Y3; bob R3 Y2; rules standard(hand_size=2)"
    found = judge(text, "smartbot", 100)
    assert found.of(Move.discard(0)).is_mistake
    assert not found.of(Move.play(0)).is_mistake


def test_mistakes_come_worst_first() -> None:
    worst = mistakes(judge_game(played(agents=("random",), rules=Rules(players=3, lives=20)), "vdb", DEALS))
    losses = [each.verdict.behind for each in worst if each.verdict is not None]
    assert len(losses) > 1
    assert losses == sorted(losses, reverse=True)
    assert all(each.is_mistake for each in worst)


def test_a_mistake_found_with_some_dice_is_found_with_others() -> None:
    found, again = 0, 0
    for seed in range(2):
        record = played(seed, ("vdb",))
        runs = [judge_game(record, "vdb", 50, most_deals=1000, seat=0, seed=dice) for dice in (1, 2)]
        for first, second in zip(*runs, strict=True):
            found += first.is_mistake + second.is_mistake
            again += 2 * (first.is_mistake and second.is_mistake)
    assert found >= 20
    assert again >= 0.9 * found


def test_doubtful_turns_get_more_samples_for_the_moves_that_matter() -> None:
    record = played(agents=("vdb",))
    for found in islice(judge_game(record, "vdb", DEALS, most_deals=8 * DEALS, seat=1), 6):
        assert {each.move for each in found.moves} == set(game_at(record, found.turn).legal_moves)
        assert found.verdict is not None
        assert found.verdict.deals == found.deals in (DEALS, 2 * DEALS, 4 * DEALS, 8 * DEALS)
        assert all(DEALS <= each.deals <= found.deals for each in found.moves)
        assert [each.value for each in found.moves] == sorted((each.value for each in found.moves), reverse=True)
        whole = judge(game_at(record, found.turn), "vdb", found.deals)
        for each in found.moves:
            if each.deals == found.deals:
                assert each.value == pytest.approx(whole.of(each.move).value)
            else:
                assert each.value == pytest.approx(whole.of(each.move).value, abs=6 * each.behind_error + 0.5)


class Countdown:
    """Says to stop at the nth question."""

    def __init__(self, questions: int) -> None:
        self.questions = questions

    def is_set(self) -> bool:
        self.questions -= 1
        return self.questions < 0


def test_a_judge_can_be_stopped() -> None:
    game, steps = game_at(played(), 10), list[tuple[int, int]]()
    endless = 1_000_000
    with pytest.raises(StoppedError, match="stopped after 0 of 1000000 deals"):
        judge(game, "smartbot", endless, stop=Countdown(0))
    event = threading.Event()

    def enough(done: int, deals: int) -> None:
        steps.append((done, deals))
        if done >= 10:
            event.set()

    found = judge(game, "smartbot", endless, stop=event, progress=enough)
    assert found.deals == steps[-1][0] < endless
    assert found.moves == judge(game, "smartbot", found.deals).moves
    assert list(judge_game(played(), "smartbot", endless, stop=Countdown(0))) == []


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda game: judge(game, "careful-python"), "careful-python is written in Python"),
        (lambda game: judge(game, "depth-one"), "depth-one is a search"),
        (lambda game: judge(game, "kagiya-two"), "plays with 2 players, not 3"),
        (lambda game: judge(observe(game, Seat(0)), "cheatbot"), "cheatbot sees its own hand, which a player cannot"),
        (lambda game: judge(game, "vdb", deals=3), "deals must be an integer of at least 4, not 3"),
        (lambda game: judge(game, "vdb", seat=1), "it is alice's turn"),
        (lambda game: judge(observe(game, Seat(1)), "vdb"), "it is alice's turn"),
        (lambda game: judge(game, "vdb", seed=-1), "a seed is an integer"),
    ],
)
def test_what_cannot_be_judged_is_refused(call: Callable[[Game], object], reason: str) -> None:
    with pytest.raises((SeatingError, ValueError), match=reason):
        call(Game(THREE, 1))


def test_a_game_that_is_over_is_refused() -> None:
    game = Game(Rules(players=2, lives=1), seed=1)
    while not game.is_over:
        game.make(Move.play(0))
    with pytest.raises(ValueError, match="the game is over"):
        judge(game, "vdb")
    assert judge(Game(THREE, 1), "cheatbot", 4).evaluator == "cheatbot"
