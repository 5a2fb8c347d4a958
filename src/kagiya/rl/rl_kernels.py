"""The compiled part of a learner's batch: games begun and stepped, vectors and masks of legal moves written.

There is no Python in the loop and no allocation. Vectors come as bytes, floats or packed bytes. The numbers of moves
are the Hanabi Learning Environment's: discards, plays, color hints, rank hints, then perhaps the no-op of seats that
are not to move.

Lane n of `states` is game n; the lane behind the last game holds the template that games are dealt from, and those
behind it the games that were given to begin with. `acts`, `observes` and `params` have a row for each team of the pool
of partners and each seat that the learner can have beside it.
`lanes[i]` is what a batch knows of game i, `style` how vectors are written and episodes begun.

A batch calls `begin_all` and `step_all` only. Both take their arrays as plain tuples, in the order of `Games`,
`ShownTurn` and `Stepped`: to hand over a named tuple costs a call from Python a microsecond more.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya import cards
from kagiya._jit import kernel, popcount
from kagiya.engine import game_kernels as game
from kagiya.engine.batch import call_act, tell_observers
from kagiya.engine.dice import below, next_word, seed_stream
from kagiya.engine.layout import STREAMS, Lane, Memory, States, Streams
from kagiya.engine.memory import Words, clear_memory
from kagiya.moves import FIRST_DISCARD
from kagiya.rl.bits_kernels import WORD_BITS, Bits, Colors, Last, forget_last_move, note_move, note_outcome, write_bits
from kagiya.rl.vectors import BELIEF, NO_VECTOR

Bytes = npt.NDArray[np.int8]  # [row, entry]: vectors as bytes, one for each entry or for eight; masks too
Floats = npt.NDArray[np.float32]  # [row, entry]: vectors as floats

# How a vector is written.
AS_BYTES, AS_FLOATS, AS_BITS = 0, 1, 2

# The places of a style.
KIND, OWN_HAND, NUMBERS = 0, 1, 2


@kernel
def unpack(words: Bits, row: int, out: Bytes, target: int) -> None:
    """A byte for every bit."""
    size = out.shape[1]
    for word in range((size + WORD_BITS - 1) // WORD_BITS):
        bits, first = words[row, word], word * WORD_BITS
        for bit in range(min(WORD_BITS, size - first)):
            out[target, first + bit] = bits >> bit & 1


@kernel
def unpack_floats(words: Bits, row: int, out: Floats, target: int) -> None:
    """A float for every bit."""
    size = out.shape[1]
    for word in range((size + WORD_BITS - 1) // WORD_BITS):
        bits, first = words[row, word], word * WORD_BITS
        for bit in range(min(WORD_BITS, size - first)):
            out[target, first + bit] = bits >> bit & 1


@kernel
def pack(words: Bits, row: int, out: Bytes, target: int) -> None:
    """Eight bits in a byte, the first one lowest, as `numpy.unpackbits(bitorder="little")` reads them."""
    for byte in range(out.shape[1]):
        value = words[row, byte >> 2] >> 8 * (byte & 3) & 255
        out[target, byte] = value - 256 if value > 127 else value


@kernel
def write_vector(
    states: States,
    i: Lane,
    observer: cards.Seat,
    last: Last,
    colors: Colors,
    words: Bits,
    style: Words,
    out: Bytes,
    floats: Floats,
    target: int,
) -> None:
    """One seat's vector into row `target` of `out`, or of `floats`, in the style of an `Encoding`."""
    if style[KIND] == NO_VECTOR:
        return
    write_bits(states, i, observer, words, 0, last, colors, style[KIND], style[OWN_HAND])
    if style[NUMBERS] == AS_BYTES:
        unpack(words, 0, out, target)
    elif style[NUMBERS] == AS_BITS:
        pack(words, 0, out, target)
    else:
        unpack_floats(words, 0, floats, target)
        if style[KIND] == BELIEF:
            write_beliefs(states, i, observer, colors, floats, target)


@kernel
def write_beliefs(states: States, i: Lane, observer: cards.Seat, colors: Colors, out: Floats, target: int) -> None:
    """In place of the cards that hints leave open, at the end of a vector, their chances: as many copies of each as are
    not on the table, hands being left out of account (JaxMARL's and SAD's "v0 belief")."""
    state = states[i]
    players, hand_size, ranks = state["players"], state["hand_size"], state["ranks"]
    of_slot = state["colors"] * ranks + state["colors"] + ranks
    place = out.shape[1] - players * hand_size * of_slot
    for offset in range(players):
        seat = (observer + offset) % players
        for slot in cards.each_slot(hand_size):
            if state["hands"][seat, slot] != cards.NO_CARD:
                write_belief(states, i, state["possible"][seat, slot], colors, out, target, place)
            place += of_slot


@kernel
def write_belief(
    states: States, i: Lane, possible: cards.Kinds, colors: Colors, out: Floats, target: int, place: int
) -> None:
    """The chances of one slot."""
    state = states[i]
    total = 0
    for card in range(cards.MAX_COLORS * cards.MAX_RANKS):
        if possible >> card & 1:
            total += copies_off_the_table(states, i, card)
    for card in range(cards.MAX_COLORS * cards.MAX_RANKS):
        if possible >> card & 1:
            at = place + colors[i, card // cards.MAX_RANKS] * state["ranks"] + card % cards.MAX_RANKS
            out[target, at] = copies_off_the_table(states, i, card) / total


@kernel
def copies_off_the_table(states: States, i: Lane, card: int) -> int:
    """Copies of a card that were neither played nor discarded."""
    state = states[i]
    copies = (state["copies_low"] >> card & 1) + 2 * (state["copies_high"] >> card & 1)
    lost = (state["discard_low"] >> card & 1) + 2 * (state["discard_high"] >> card & 1)
    return copies - lost - (state["played"] >> card & 1)


@kernel
def write_own_hand(states: States, i: Lane, observer: cards.Seat, colors: Colors, out: Bytes, target: int) -> None:
    """The own cards as numbers among colors times ranks, -1 for an empty slot: what a belief is to learn."""
    state = states[i]
    for slot in cards.each_slot(state["hand_size"]):
        card = state["hands"][observer, slot]
        number = colors[i, card // cards.MAX_RANKS] * state["ranks"] + card % cards.MAX_RANKS if card >= 0 else -1
        out[target, slot] = number


@kernel
def write_mask(states: States, i: Lane, observer: cards.Seat, colors: Colors, out: Bytes, target: int) -> None:
    """1 for every legal move. A seat that is not to move has the no-op alone, if the mask has a place for it."""
    state = states[i]
    hand_size, ranks, is_to_move = state["hand_size"], state["ranks"], observer == state["seat"]
    legal, slots = game.legal_moves(states, i) if is_to_move else 0, (1 << hand_size) - 1
    bits = legal >> FIRST_DISCARD & slots | (legal & slots) << hand_size
    first_rank = 2 * hand_size + (state["players"] - 1) * state["colors"]
    for offset in cards.each_offset(1, state["players"]):
        hints, first_color = legal >> game.hint_move(offset, 0), 2 * hand_size + (offset - 1) * state["colors"]
        for color in cards.each_color(state["colors"]):
            bits |= (hints >> color & 1) << (first_color + colors[i, color])
        bits |= (hints >> cards.MAX_COLORS & (1 << ranks) - 1) << (first_rank + (offset - 1) * ranks)
    bits |= (not is_to_move) << (first_rank + (state["players"] - 1) * ranks)  # the no-op, if there is one
    for place in range(out.shape[1]):
        out[target, place] = bits >> place & 1


@kernel
def move_of(states: States, i: Lane, colors: Colors, number: int) -> cards.MoveNumber:
    """Our move for a number of theirs; NO_MOVE if they have none with it."""
    state = states[i]
    hand_size, others, ranks = state["hand_size"], state["players"] - 1, state["ranks"]
    if number < 0:
        return cards.NO_MOVE
    if number < 2 * hand_size:
        return (
            game.discard_move(cards.Slot(number))
            if number < hand_size
            else game.play_move(cards.Slot(number - hand_size))
        )
    hint = number - 2 * hand_size
    if hint < others * state["colors"]:
        for color in cards.each_color(state["colors"]):
            if colors[i, color] == hint % state["colors"]:
                return game.hint_color(cards.Offset(1 + hint // state["colors"]), cards.Color(color))
    hint -= others * state["colors"]
    if hint < others * ranks:
        return game.hint_rank(cards.Offset(1 + hint // ranks), cards.Rank(hint % ranks))
    return cards.NO_MOVE


Teams = npt.NDArray[np.int64]  # [row, seat] of addresses
TeamParams = npt.NDArray[np.float64]  # [row, seat, parameter]
Weights = npt.NDArray[np.float64]  # [entry]: how likely it is, all being 1 together
LaneFacts = npt.NDArray[np.int64]  # [lane, fact]
Numbers = npt.NDArray[np.float32]  # [lane]

# The facts of a lane: the seed of its game and of its next one, the team, the learner's seat (ALL_SEATS if there are no
# partners), what had been earned at the learner's last move, the seat whose partner made an illegal move (or NO_FAULT,
# or NO_TURN if games end before the learner's turn again and again), whether the game is over and nothing was dealt
# since, the place of the next game in the list of those that were given, and how far its dice are ahead of the seed.
SEED, NEXT_SEED, TEAM, LEARNER, EARNED, FAULT, IS_OVER, NEXT_GIVEN, DICE = 0, 1, 2, 3, 4, 5, 6, 7, 8
LANE_FACTS = 9
ALL_SEATS = -1
NO_SEED = -1
NO_FAULT, NO_TURN = -1, -2

# The places of a style behind those of an encoding: from one seed of a lane to its next, whether colors are permuted,
# the learner's seat (or ALL_SEATS, or DRAWN), how rewards are counted, whether all seats' vectors are written, when a
# game that ended is followed by the next, whether legal actions are drawn for illegal ones, how many games were given,
# and whether they begin again after the last.
STRIDE, PERMUTED, LEARNERS_SEAT, REWARD, EVERY_SEAT, NEXT_GAME, REPLACED, GIVEN, AGAIN = 3, 4, 5, 6, 7, 8, 9, 10, 11
DRAWN = -2
BY_SCORE, BY_POINTS, AT_THE_END = 0, 1, 2
AT_ONCE, BY_NEXT_STEP, BY_RESET = 0, 1, 2

DRAW_STREAM = STREAMS  # behind those of the deck and the seats


class Games(NamedTuple):
    """The arrays that the games of a batch are made of, which its kernels hand on to each other."""

    states: States
    memory: Memory
    params: TeamParams
    rng: Streams
    acts: Teams
    observes: Teams
    extents: Words
    last: Last
    colors: Colors
    lanes: LaneFacts
    style: Words
    weights: Weights


@kernel
def begin_episode(games: Games, i: Lane) -> None:
    """Begin the lane's next game, one of those given or of its next seed, and draw who plays in it."""
    lanes, style = games.lanes, games.style
    if lanes[i, NEXT_GIVEN] < style[GIVEN]:
        begin_given(games, i)
        return
    seed = lanes[i, NEXT_SEED]
    lanes[i, SEED], lanes[i, NEXT_SEED] = seed, seed + style[STRIDE]
    game.deal(games.states, len(lanes), i, games.rng, seed)
    seat_players(games, i)


@kernel
def begin_given(games: Games, i: Lane) -> None:
    """Begin the next of the given games. It takes none of the lane's seeds, but its dice are those of the seed that its
    turn would have; what was earned before it was given does not count."""
    states, lanes, style = games.states, games.lanes, games.style
    place = lanes[i, NEXT_GIVEN]
    states[i] = states[len(lanes) + 1 + place]
    lanes[i, SEED], lanes[i, DICE] = lanes[i, NEXT_SEED] + lanes[i, DICE], lanes[i, DICE] + style[STRIDE]
    for seat in range(states[i]["players"]):
        seed_stream(games.rng, i, 1 + seat, lanes[i, SEED])
    seat_players(games, i)
    lanes[i, SEED], lanes[i, EARNED] = NO_SEED, earned(states, i, style)
    lanes[i, NEXT_GIVEN] = place + style[STRIDE]
    if style[AGAIN]:
        lanes[i, NEXT_GIVEN] %= style[GIVEN]


@kernel
def seat_players(games: Games, i: Lane) -> None:
    """Draw the team, the learner's seat and the places of the colors for the game that stands in lane `i`."""
    states, rng, lanes, style = games.states, games.rng, games.lanes, games.style
    seed_stream(rng, i, DRAW_STREAM, lanes[i, SEED])
    clear_memory(games.memory, i, games.extents)
    forget_last_move(games.last, i)
    lanes[i, TEAM] = draw_team(rng, i, games.weights)
    lanes[i, LEARNER] = style[LEARNERS_SEAT]
    if style[LEARNERS_SEAT] == DRAWN:
        lanes[i, LEARNER] = below(rng, i, DRAW_STREAM, states[i]["players"])
    lanes[i, EARNED], lanes[i, FAULT], lanes[i, IS_OVER] = 0, NO_FAULT, 0
    if style[PERMUTED]:
        permute_colors(states, i, rng, games.colors)


@kernel
def draw_team(rng: Streams, i: Lane, weights: Weights) -> int:
    """An entry of the pool, by its weight."""
    left = next_word(rng, i, DRAW_STREAM) / 4294967296.0
    for entry in range(len(weights) - 1):
        left -= weights[entry]
        if left < 0:
            return entry
    return len(weights) - 1


@kernel
def permute_colors(states: States, i: Lane, rng: Streams, colors: Colors) -> None:
    """New places for the colors of this game, all orders being equally likely."""
    count = states[i]["colors"]
    for color in range(count):
        colors[i, color] = color
    for color in range(count - 1, 0, -1):
        other = below(rng, i, DRAW_STREAM, color + 1)
        colors[i, color], colors[i, other] = colors[i, other], colors[i, color]


@kernel
def play_partners(games: Games, i: Lane) -> None:
    """Let the partners move until the learner is to move, the game is over, or a partner's move is illegal."""
    states, params = games.states, games.params
    team, learner = team_row(games, i), games.lanes[i, LEARNER]
    while learner != ALL_SEATS and states[i]["seat"] != learner and not game.is_over(states, i):
        seat = states[i]["seat"]
        move = call_act(games.acts[team, seat], states, i, seat, games.memory, params[team], games.rng)
        if not game.is_legal(states, i, move):
            games.lanes[i, FAULT] = seat
            return
        make_and_note(games, i, move)


@kernel
def team_row(games: Games, i: Lane) -> int:
    """Where the lane's team is, seated around the learner: a row for each of the learner's seats."""
    return games.lanes[i, TEAM] * games.states[i]["players"] + max(games.lanes[i, LEARNER], 0)


@kernel
def make_and_note(games: Games, i: Lane, move: int) -> None:
    """Announce a legal move to the partners, make it, and keep what it showed."""
    states, team = games.states, team_row(games, i)
    note_move(states, i, games.last, move)
    tell_observers(states, i, games.memory, games.params[team], games.observes[team], move)
    game.apply_move(states, i, move)
    note_outcome(states, i, games.last)


@kernel
def is_legal_action(games: Games, i: Lane, action: int) -> bool:
    """Whether the seat to move has this action."""
    move = move_of(games.states, i, games.colors, action)
    return move != cards.NO_MOVE and game.is_legal(games.states, i, move)


@kernel
def first_illegal(games: Games, actions: Words) -> int:
    """The first lane whose action is not legal; -1 if all are. Where the next game is due, any action will do; where
    legal ones are drawn for illegal ones, that is done."""
    lanes, style = games.lanes, games.style
    for i in range(len(actions)):
        if lanes[i, IS_OVER] and style[NEXT_GAME] == BY_NEXT_STEP:
            continue
        if style[REPLACED] and not lanes[i, IS_OVER] and not is_legal_action(games, i, actions[i]):
            actions[i] = legal_action(games, i)
        if not is_legal_action(games, i, actions[i]):
            return i
    return -1


@kernel
def legal_action(games: Games, i: Lane) -> int:
    """A legal action, all being equally likely, by the lane's own dice."""
    legal = game.legal_moves(games.states, i)
    left = below(games.rng, i, DRAW_STREAM, popcount(legal))
    action = 0
    while True:
        left -= legal >> move_of(games.states, i, games.colors, action) & 1
        if left < 0:
            return action
        action += 1


@kernel
def earned(states: States, i: Lane, style: Words) -> int:
    """What the game is worth so far, as rewards are counted."""
    if style[REWARD] == BY_POINTS:
        return game.points(states, i)
    if style[REWARD] == AT_THE_END and not game.is_over(states, i):
        return 0
    return game.score(states, i)


@kernel
def seat_shown(states: States, i: Lane, lanes: LaneFacts) -> cards.Seat:
    """The seat whose vector is written: the learner's, or that of the seat to move."""
    return states[i]["seat"] if lanes[i, LEARNER] == ALL_SEATS else lanes[i, LEARNER]


MAX_PASSED_OVER = 10_000  # games in a row that partners end before the learner's turn; then there will be no other


class ShownTurn(NamedTuple):
    """What the learner sees, and the words in which a vector's bits are put together."""

    words: Bits
    vectors: Bytes
    floats: Floats
    masks: Bytes
    seats: Words


class Stepped(NamedTuple):
    """What a step is given, and what came of it; vectors and scores are those of games that ended."""

    actions: Words
    rewards: Numbers
    ended: Bytes
    vectors: Bytes
    floats: Floats
    scores: Words


@kernel
def begin_until_learner(games: Games, i: Lane) -> None:
    """Begin the lane's next game. One that partners end before the learner has moved is passed over."""
    for _ in range(MAX_PASSED_OVER):
        begin_episode(games, i)
        play_partners(games, i)
        if not game.is_over(games.states, i) or games.lanes[i, FAULT] != NO_FAULT:
            return
    games.lanes[i, FAULT] = NO_TURN


@kernel
def begin_all(game_arrays: tuple[Any, ...], shown_arrays: tuple[Any, ...], which: Bytes) -> None:
    """Begin a game in every lane that is marked in `which`."""
    games, shown = Games(*game_arrays), ShownTurn(*shown_arrays)
    for i in range(len(games.lanes)):
        if which[i, 0]:
            begin_until_learner(games, i)
            write_turns(games, shown, i, i + 1)


BLOCK = 64  # lanes that stay in the processor's nearest cache from one stage of a step to the next


@kernel
def step_all(game_arrays: tuple[Any, ...], shown_arrays: tuple[Any, ...], step_arrays: tuple[Any, ...]) -> int:
    """Step every game; of those that end the last vectors and scores are kept, and the next is dealt when it is due.
    Returns the first lane whose action is illegal, no game having moved then, or -1.

    Stage by stage, each with a loop of its own: a call copies every number that its arrays consist of, and one for each
    lane and stage took half the time.
    """
    games, shown, step = Games(*game_arrays), ShownTurn(*shown_arrays), Stepped(*step_arrays)
    illegal, lanes = first_illegal(games, step.actions), len(games.lanes)
    if illegal >= 0:
        return illegal
    for first in range(0, lanes, BLOCK):
        end = min(first + BLOCK, lanes)
        make_moves(games, step.actions, first, end)
        count_rewards(games, step, first, end)
        end_games(games, shown, step, first, end)
        write_turns(games, shown, first, end)
    return -1


@kernel
def make_moves(games: Games, actions: Words, first: int, end: int) -> None:
    """Make the learner's moves and the partners' after them, where the games are not over."""
    states, last, colors = games.states, games.last, games.colors
    for i in range(first, end):
        if games.lanes[i, IS_OVER]:
            continue
        move = move_of(states, i, colors, actions[i])
        if games.style[LEARNERS_SEAT] != ALL_SEATS:
            make_and_note(games, i, move)
            play_partners(games, i)
        else:
            note_move(states, i, last, move)
            game.apply_move(states, i, move)
            note_outcome(states, i, last)


@kernel
def count_rewards(games: Games, step: Stepped, first: int, end: int) -> None:
    """What was earned meanwhile, and which games it ended; of those that were over before, neither."""
    states, lanes = games.states, games.lanes
    for i in range(first, end):
        step.rewards[i], step.ended[i, 0] = 0, 0
        if not lanes[i, IS_OVER]:
            worth = earned(states, i, games.style)
            step.rewards[i], lanes[i, EARNED] = worth - lanes[i, EARNED], worth
            step.ended[i, 0] = lanes[i, IS_OVER] = game.is_over(states, i)


@kernel
def end_games(games: Games, shown: ShownTurn, step: Stepped, first: int, end: int) -> None:
    """Keep scores and last vectors of games that ended, and begin the next ones that are due."""
    for i in range(first, end):
        if not games.lanes[i, IS_OVER]:
            continue
        if step.ended[i, 0]:
            step.scores[i] = game.score(games.states, i)
            write_vectors(games, shown.words, step.vectors, step.floats, i, i + 1)
        if not step.ended[i, 0] or games.style[NEXT_GAME] == AT_ONCE:
            begin_until_learner(games, i)


@kernel
def write_turns(games: Games, shown: ShownTurn, first: int, end: int) -> None:
    """What the learner sees of these games: vectors, masks and whose they are."""
    states, seats = games.states, shown.seats
    write_vectors(games, shown.words, shown.vectors, shown.floats, first, end)
    for i in range(first, end):
        seats[i] = seat_shown(states, i, games.lanes)
        if not games.style[EVERY_SEAT]:
            write_mask(states, i, seats[i], games.colors, shown.masks, i)
            continue
        players = states[i]["players"]
        for seat in cards.each_seat(players):
            write_mask(states, i, seat, games.colors, shown.masks, i * players + seat)


@kernel
def write_vectors(games: Games, words: Bits, vectors: Bytes, floats: Floats, first: int, end: int) -> None:
    """The vectors of these games: of the seats that the learner sees with, or of all."""
    states, last, colors, style = games.states, games.last, games.colors, games.style
    for i in range(first, end):
        if not style[EVERY_SEAT]:
            seat = seat_shown(states, i, games.lanes)
            write_vector(states, i, seat, last, colors, words, style, vectors, floats, i)
            continue
        players = states[i]["players"]
        for seat in cards.each_seat(players):
            write_vector(states, i, seat, last, colors, words, style, vectors, floats, i * players + seat)
