"""Hat players believed: hands that fit what was decoded, partners who decode what a search does, honest moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya.agents.api import CompiledAgent
from kagiya.agents.hats.public_table import SETS
from kagiya.cards import NO_CARD
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME, REASON
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import Table
from kagiya.moves import FIRST_HINT
from kagiya.rules import MAX_DECK
from kagiya.search.deals.history import rebuild_memories
from kagiya.search.deals.past_moves import honest_moves, narrow_by_belief
from kagiya.search.flat_search import deal_hand, take_up_deal
from kagiya.search.nodes import begin_search, try_move
from kagiya.search.search_layout import DEALT, KNOWN, TRIAL
from kagiya.search.workspace import SearchWorkspace

Games = Callable[[int], int]
TABLED = ["hat-information", "cox-information", "hanabirs-info", "infobot", "kagiya-hat(deals=0)"]
ADVISED = ["hat-recommendation", "cox-recommendation"]
STRICT, EMPTY_HINTS = Rules(players=5), parse_rules("bouzy(hand_size=3)", 4)
ALL_RULES = [STRICT, EMPTY_HINTS, Rules(players=4), parse_rules("bouzy", 2)]
ABLE = [
    (evaluator, rules)
    for evaluator in TABLED + ADVISED
    for rules in ALL_RULES
    if find_agent(evaluator).why_not(rules) is None
]


@dataclass
class Turn:
    """A seat about to move in a game by the book, its search begun and its evaluator believed."""

    game: Game
    table: Table
    workspace: SearchWorkspace
    by_the_book: int  # the evaluator's own move

    @property
    def seat(self) -> int:
        return int(self.game.seat)

    @property
    def state(self) -> np.void:
        state: np.void = self.table.states[GAME]
        return state


def turns(evaluator: str, rules: Rules, count: int, search: str = "depth-one") -> Iterator[Turn]:
    """Games of the evaluator with itself, turn by turn."""
    searching, seated = (Table(rules, [find_agent(text)]) for text in (f"{search}(evaluator={evaluator})", evaluator))
    for seed in range(count):
        game = Game(rules, seed)
        while not game.is_over:
            watch(searching, game, seed)
            watch(seated, game, seed)
            workspace, kind = searching.workspaces[int(game.seat)], seated.agents[0].type
            assert isinstance(workspace, SearchWorkspace)
            assert isinstance(kind, CompiledAgent)
            move = int(kind.act(seated.states, GAME, int(game.seat), seated.memory, seated.params, seated.rng))
            turn = Turn(game, searching, workspace, move)
            believe(turn)
            yield turn
            game.make(move)


def believe(turn: Turn) -> None:
    """What a search does before it tries moves."""
    table, work = turn.table, turn.workspace.work
    begin_search(table.states, GAME, turn.seat, table.memory, work, table.rng)
    deal_hand(table.states, GAME, turn.seat, work)
    narrow_by_belief(GAME, turn.seat, table.memory, work)
    deal_hand(table.states, GAME, turn.seat, work)
    rebuild_memories(GAME, turn.seat, table.memory, work)


@pytest.mark.parametrize(("evaluator", "rules"), ABLE)
def test_what_is_believed_is_true_and_more_than_the_hints_say(evaluator: str, rules: Rules, games: Games) -> None:
    narrowed = 0
    for turn in turns(evaluator, rules, max(games(2), 1)):
        believed = turn.workspace.states[KNOWN]["possible"][turn.seat]
        for slot in range(rules.hand_size):
            card = int(turn.state["hands"][turn.seat, slot])
            if card != NO_CARD:
                assert int(believed[slot]) >> card & 1, turn.game.position()
                narrowed += believed[slot] != turn.state["possible"][turn.seat, slot]
    assert narrowed > 20


@pytest.mark.parametrize("rules", [STRICT, EMPTY_HINTS])
@pytest.mark.parametrize("evaluator", TABLED)
def test_the_others_keep_the_same_table_whichever_hand_is_believed(evaluator: str, rules: Rules, games: Games) -> None:
    """With a hand that does not fit they would have decoded other numbers, and would conclude what is wrong."""
    for turn in turns(evaluator, rules, max(games(2), 1)):
        tables = turn.workspace.memory[DEALT, : rules.players, SETS : SETS + MAX_DECK]
        for other in range(rules.players):
            assert np.array_equal(tables[other], tables[turn.seat]), turn.game.position()


@pytest.mark.parametrize("rules", [STRICT, EMPTY_HINTS])
@pytest.mark.parametrize("evaluator", TABLED + ADVISED)
def test_a_move_by_the_book_is_honest_and_many_other_hints_are_not(evaluator: str, rules: Rules, games: Games) -> None:
    hints, honest_hints = 0, 0
    for turn in turns(evaluator, rules, max(games(2), 1)):
        legal = int(turn.workspace.work["root_moves"])
        honest = int(honest_moves(turn.seat, turn.workspace.work, legal))
        assert honest >> turn.by_the_book & 1, (turn.game.position(), turn.by_the_book)
        misleading = legal & ~honest
        assert honest_moves(turn.seat, turn.workspace.work, misleading) == misleading  # where there is nothing else
        hints += (legal >> FIRST_HINT).bit_count()
        honest_hints += (honest >> FIRST_HINT).bit_count()
    assert honest_hints < 0.8 * hints, (honest_hints, hints)


@pytest.mark.parametrize("evaluator", TABLED + ADVISED)
def test_a_deviation_is_decoded_by_everybody_in_the_search(evaluator: str, games: Games) -> None:
    """Each seat remembers what it would if the same move had been made at a real table."""
    deviations = 0
    for turn in turns(evaluator, EMPTY_HINTS, max(games(1), 1), "depth-one-seer"):
        for move in range(FIRST_HINT, FIRST_HINT + 3):
            if move != turn.by_the_book and int(turn.workspace.work["root_moves"]) >> move & 1:
                take_up_deal(turn.workspace.work)
                try_move(turn.workspace.states, TRIAL, turn.workspace.work, move)
                found = turn.workspace.memory[TRIAL, : EMPTY_HINTS.players]
                assert np.array_equal(found[:, REASON + 1 :], remembered(evaluator, turn, move)), turn.game.position()
                deviations += 1
    assert deviations > 10


def remembered(evaluator: str, turn: Turn, move: int) -> npt.NDArray[np.int64]:
    """What the evaluator remembers in each seat when this move has been made; but for its reasons."""
    table, game = Table(turn.game.rules, [find_agent(evaluator)]), turn.game.copy()
    game.make(move)
    watch(table, game, 1)
    words: npt.NDArray[np.int64] = table.memory[GAME, : game.rules.players, REASON + 1 :]
    return words
