"""Many games in compiled code with no Python in the loop, and the state records that games are dealt from.

Arrays belong to the caller; lanes are indices into them. Each seat's agent is an address (see `kagiya._jit.arrays`) in
`acts` and `observes` (NO_KERNEL for none); `memory` holds a row of integers per lane and seat (`memory.py`), `params` a
row of numbers per seat, `rng` the streams. `deal` copies a template made from `Rules`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, kernel_caller, kernel_signatures
from kagiya.cards import MAX_PLAYERS, MAX_RANKS, NO_CARD, NO_MOVE, MoveNumber, each_seat
from kagiya.engine import game_kernels
from kagiya.engine.layout import GAME, STATE, TEMPLATE, Lane, Memory, Params, States, Streams
from kagiya.engine.memory import Words, clear_memory
from kagiya.engine.regret_kernels import SOURCES, attainable_score, charge_regret, is_free, reachable_score
from kagiya.rules import BombScore, DrawnCard, Rules

ACT, OBSERVE, TACTIC, PART, DIALOGUE = kernel_signatures(STATE)
NO_KERNEL = -1  # in `acts`: the seat is played from Python; in `observes`: this seat needs no telling

call_act, call_observe, call_tactic = kernel_caller(ACT), kernel_caller(OBSERVE), kernel_caller(TACTIC)
call_part, call_dialogue = kernel_caller(PART), kernel_caller(DIALOGUE)


RESULT = np.dtype(
    [
        ("seed", np.int64),
        ("score", np.int64),
        ("points", np.int64),
        ("reachable", np.int64),  # the most points the discards still allowed at the end
        ("lives", np.int64),
        ("turns", np.int64),
        ("regret", np.int64, (MAX_PLAYERS, len(SOURCES))),  # points lost by each seat's moves, by source
        ("indirect", np.int64, (MAX_PLAYERS,)),  # points that its moves left no turns for
    ]
)

Addresses = npt.NDArray[np.int64]  # [seat] of a kernel, or NO_KERNEL
Moves = npt.NDArray[np.uint8]  # [turn] of one game, or [game, turn]
Results = npt.NDArray[Any]  # [game] of RESULT

# What stops `play_on`.
GAME_OVER, PYTHON_TO_MOVE, ILLEGAL_MOVE = 0, 1, 2

BAD_MOVE = 255


@kernel
def tell_observers(states: States, i: Lane, memory: Memory, params: Params, observes: Addresses, move: int) -> None:
    """Every seat that listens hears the move announced, before it takes effect."""
    for seat in each_seat(states[i]["players"]):
        if observes[seat] != NO_KERNEL:
            call_observe(observes[seat], states, i, seat, memory, params, move)


@kernel
def make_move(states: States, i: Lane, memory: Memory, params: Params, observes: Addresses, move: int) -> None:
    """Announce a legal move to all seats and carry it out."""
    tell_observers(states, i, memory, params, observes, move)
    game_kernels.apply_move(states, i, move)


@kernel
def write_log(states: States, i: Lane, moves: Moves, shown: Words, move: int) -> None:
    """Note a move, and what it shows to all: the slots it touches or the card it turns up."""
    turn, made = states[i]["turn"], MoveNumber(move)
    moves[turn] = made
    if len(shown) > 0:
        if game_kernels.is_hint(made):
            shown[turn] = game_kernels.touched_slots(states, i, made)
        else:
            shown[turn] = states[i]["hands"][states[i]["seat"], game_kernels.slot_of(made)]


@kernel
def write_bad_move(states: States, i: Lane, moves: Moves, shown: Words, move: int) -> None:
    """Note an illegal move, which is not made: BAD_MOVE in `moves`, the number itself in `shown`."""
    turn = states[i]["turn"]
    moves[turn] = BAD_MOVE
    if len(shown) > 0:
        shown[turn] = move


@kernel
def play_on(
    states: States,
    i: Lane,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    moves: Moves,
    shown: Words,
    results: Results,
    game: int,
    move: MoveNumber,
) -> int:
    """Make `move` (NO_MOVE for none), then play the compiled seats until the game ends, a Python seat is to
    move, or a move is illegal.

    `moves` receives each move at its turn number; `shown` what each showed, unless it is empty; the row
    `game` of `results` the regret.
    """
    state = states[i]
    reachable, attainable = reachable_score(states, i), attainable_score(states, i)
    while not game_kernels.is_over(states, i):
        seat = state["seat"]
        if move == NO_MOVE:
            if acts[seat] == NO_KERNEL:
                return PYTHON_TO_MOVE
            move = call_act(acts[seat], states, i, seat, memory, params, rng)
        if not game_kernels.is_legal(states, i, move):
            write_bad_move(states, i, moves, shown, move)
            return ILLEGAL_MOVE
        write_log(states, i, moves, shown, move)
        free = is_free(states, i, move)
        make_move(states, i, memory, params, observes, move)
        if not free:
            reachable, attainable = charge_regret(states, i, results, game, seat, move, reachable, attainable)
        move = NO_MOVE
    return GAME_OVER


@kernel
def finish_game(
    states: States, i: Lane, memory: Memory, params: Params, rng: Streams, acts: Addresses, observes: Addresses
) -> None:
    """For searches: play to the end with nothing noted; an illegal move ends the game where it stands."""
    state = states[i]
    while not game_kernels.is_over(states, i):
        seat = state["seat"]
        move = call_act(acts[seat], states, i, seat, memory, params, rng)
        if not game_kernels.is_legal(states, i, move):
            return
        make_move(states, i, memory, params, observes, move)


@kernel
def write_result(states: States, i: Lane, seed: int, results: Results, game: int) -> None:
    """The outcome of the game in lane `i`, as row `game` of the results."""
    row = results[game]
    row["seed"] = seed
    row["score"] = game_kernels.score(states, i)
    row["points"] = game_kernels.points(states, i)
    row["reachable"] = game_kernels.reachable_points(states, i)
    row["lives"] = states[i]["lives"]
    row["turns"] = states[i]["turn"]


@kernel
def play_games(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    extents: Words,
    moves: Moves,
    shown: Words,
    results: Results,
    seed: int,
) -> int:
    """Play one game per row of `results` (all zero before), dealt from lane TEMPLATE by seeds counting up from `seed`.

    `moves[game]` receives the moves. Returns the number of games finished: fewer than asked for means
    that the next one met an illegal move, its row of `moves` ending in BAD_MOVE. `shown` may be empty.
    """
    for game in range(len(results)):
        game_kernels.deal(states, TEMPLATE, GAME, rng, seed + game)
        clear_memory(memory, GAME, extents)
        stopped = play_on(states, GAME, memory, params, rng, acts, observes, moves[game], shown, results, game, NO_MOVE)
        if stopped != GAME_OVER:
            return game
        write_result(states, GAME, seed + game, results, game)
    return len(results)


def sorted_deck(rules: Rules) -> list[int]:
    """All cards of the game, color by color, lowest rank first."""
    return [
        color * MAX_RANKS + rank
        for color in range(rules.colors)
        for rank, copies in enumerate(rules.copies)
        for _ in range(copies)
    ]


@lru_cache(maxsize=64)
def _template(rules: Rules) -> States:
    states = np.zeros(1, STATE)
    state = states[0]
    cards = sorted_deck(rules)
    for name in ("players", "hand_size", "colors", "ranks", "empty_hints", "discard_limit"):
        state[name] = getattr(rules, name)
    state["max_tokens"] = state["tokens"] = rules.hint_tokens
    state["max_lives"] = state["lives"] = rules.lives
    state["token_for_five"] = rules.token_for_five
    state["bomb_keeps_score"] = rules.bomb_score is BombScore.KEEP
    state["draw_into_vacated"] = rules.drawn_card is DrawnCard.VACATED
    state["deck_size"], state["turns_left"] = len(cards), rules.players
    state["kinds"] = sum(1 << card for card in set(cards))
    state["playable"] = sum(1 << MAX_RANKS * color for color in range(rules.colors))
    for card in set(cards):
        low, high = cards.count(card) & 1, cards.count(card) >> 1
        state["copies_low"] |= low << card
        state["copies_high"] |= high << card
    state["deck_low"], state["deck_high"] = state["copies_low"], state["copies_high"]
    state["deck"] = NO_CARD
    state["deck"][: len(cards)] = cards
    state["hands"] = state["order"] = NO_CARD
    return states


def write_template(rules: Rules, states: States, i: int) -> None:
    """Put an undealt game with these rules into lane `i`: full tokens, sorted deck, empty hands."""
    states[i] = _template(rules)[0]


def write_deck(rules: Rules, states: States, i: int, deck: Sequence[int]) -> None:
    """The same with the deck in a given order, top card first; hands still to be dealt."""
    if sorted(deck) != sorted_deck(rules):
        raise ValueError(f"the deck must hold exactly the {rules.deck_size} cards of these rules")
    write_template(rules, states, i)
    states[i]["deck"][: len(deck)] = deck
