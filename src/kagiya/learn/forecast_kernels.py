"""What a position whose cards are all known is worth: features that a search may count in its samples, and their value.

The evaluation function (`feature_kernels.py`) sees a position as the seat to move does. A sample of a search has all
hands settled, so that what is held, and how much of it is known to its holders, can simply be counted. What a count is
worth changes in the course of a game, so that each comes twice: as it is, and times the share of the deck that is left.
"""

from kagiya._jit import kernel, popcount, stack_array
from kagiya.cards import MAX_RANKS, Card, Kinds, each_seat, each_slot
from kagiya.engine.kernels import points, reachable_points
from kagiya.engine.layout import Lane, Params, States
from kagiya.kinds import kind_bit
from kagiya.learn.feature_kernels import Features
from kagiya.learn.network_kernels import MAX_WIDTH, finish_network, start_layer
from kagiya.view.kernels import critical_kinds

FORECAST_NAMES = (
    "points",
    "tokens",
    "lives",
    "deck",  # cards not drawn yet
    "turns_left",  # once the deck is empty; before, the players and one
    "reachable",  # points that discards still allow
    "kinds_playable",  # kinds in some hand that fit now
    "kinds_useful",  # kinds in some hand that will fit some time
    "chain",  # points that the hands alone would give if all knew what they hold
    "cards",  # in all hands
    "repeats",  # cards of a kind that another slot holds too
    "useless",
    "critical",
    "touched",  # cards that a hint has touched
    "useless_touched",
    "critical_touched",
    "playable_touched",
    "known_playable",  # by hints alone: no kind left that will fit only later
    "known_useless",
    "seats_that_can_play",  # that hold a card known to be playable
)
COUNTS = len(FORECAST_NAMES)
FORECAST_FEATURES = 2 * COUNTS
(
    POINTS,
    TOKENS,
    LIVES,
    DECK,
    TURNS_LEFT,
    REACHABLE,
    KINDS_PLAYABLE,
    KINDS_USEFUL,
    CHAIN,
    CARDS,
    REPEATS,
    USELESS,
    CRITICAL,
    TOUCHED,
    USELESS_TOUCHED,
    CRITICAL_TOUCHED,
    PLAYABLE_TOUCHED,
    KNOWN_PLAYABLE,
    KNOWN_USELESS,
    SEATS_THAT_CAN_PLAY,
) = range(COUNTS)

forecast_features = stack_array("float64", FORECAST_FEATURES)
forecast_units = stack_array("float64", MAX_WIDTH)


@kernel
def write_forecast_features(states: States, i: Lane, out: Features) -> None:
    """Count what there is to count in a position with all hands settled."""
    state = states[i]
    left = state["deck_size"] - state["drawn"]
    out[POINTS], out[TOKENS], out[LIVES], out[DECK] = points(states, i), state["tokens"], state["lives"], left
    out[TURNS_LEFT] = state["turns_left"] if left == 0 else state["players"] + 1
    out[REACHABLE] = reachable_points(states, i)
    held = count_cards(states, i, out)
    out[KINDS_PLAYABLE] = popcount(held & state["playable"])
    out[KINDS_USEFUL] = popcount(held & ~state["useless"])
    out[CHAIN] = chain_length(states, i, held)
    share = left / state["deck_size"]
    for place in range(COUNTS):
        out[COUNTS + place] = share * out[place]


@kernel
def count_cards(states: States, i: Lane, out: Features) -> Kinds:
    """The features that add up over cards; returns the kinds in all hands."""
    state, critical = states[i], critical_kinds(states, i)
    playable, useless = state["playable"] & ~state["useless"], state["useless"]
    for place in range(CARDS, COUNTS):
        out[place] = 0.0
    held = Kinds(0)
    for seat in each_seat(state["players"]):
        can_play = False
        for slot in each_slot(state["hand_size"]):
            card: Card = state["hands"][seat, slot]
            if card < 0:
                continue
            kind, possible = kind_bit(card), state["possible"][seat, slot]
            touched, seen = state["told"][seat, slot] != 0, held & kind != 0
            held |= kind
            out[CARDS] += 1.0
            out[REPEATS] += seen
            out[TOUCHED] += touched
            out[USELESS] += kind & useless != 0
            out[USELESS_TOUCHED] += touched and kind & useless != 0
            out[CRITICAL] += kind & critical != 0
            out[CRITICAL_TOUCHED] += touched and kind & critical != 0
            out[PLAYABLE_TOUCHED] += touched and kind & playable != 0
            out[KNOWN_USELESS] += possible & ~useless == 0
            if possible & playable and possible & ~(playable | useless) == 0:
                out[KNOWN_PLAYABLE] += 1.0
                can_play = True
        out[SEATS_THAT_CAN_PLAY] += can_play
    return held


@kernel
def chain_length(states: States, i: Lane, held: Kinds) -> int:
    """How many of these kinds can be played one after the other."""
    state, length = states[i], 0
    for color in range(state["colors"]):
        rank = state["fireworks"][color]
        while rank < state["ranks"] and held >> (MAX_RANKS * color + rank) & 1:
            length += 1
            rank += 1
    return length


@kernel
def forecast(states: States, i: Lane, rows: Params, row: int) -> float:
    """The final score that a network expects; its numbers begin with the row."""
    inputs, units = forecast_features(), forecast_units()
    write_forecast_features(states, i, inputs)
    start_layer(rows, row, 0, inputs, FORECAST_FEATURES, units)
    finish_network(rows, row, 0, units)
    return points(states, i) + units[0]
