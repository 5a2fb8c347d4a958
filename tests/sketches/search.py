"""A sketch, to prove that the interface carries search: a flat Monte Carlo player over any compiled agents.

It sits in a Python seat and sees only its observation. It guesses its own hand, rebuilds the whole game
that would have led here (state and every seat's memory) by dealing and replaying the public story, tries
each move and lets compiled agents play to the end.
"""

import random

import numpy as np

from kagiya import Agent, PythonAgent, kernel
from kagiya.agents.api import AgentInfo
from kagiya.engine.batch import finish_game, make_move, sorted_deck, write_deck
from kagiya.engine.game_kernels import deal_hands, legal_moves, points
from kagiya.engine.memory import clear_memory, copy_memory
from kagiya.lab.table.table import Table
from kagiya.moves import MOVES, Move
from kagiya.view.observation import Observation

FRESH, ROOT, TRIAL = np.int64(0), np.int64(1), np.int64(2)


@kernel
def rebuild(states, memory, params, observes, moves, turns, extents):
    """From the dealt game in lane FRESH to the position after `turns` moves in lane ROOT, memories included."""
    states[ROOT] = states[FRESH]
    clear_memory(memory, ROOT, extents)
    for turn in range(turns):
        make_move(states, ROOT, memory, params, observes, np.int64(moves[turn]))


@kernel
def try_moves(states, memory, params, rng, acts, observes, extents, totals):
    """Play every legal move of the position in ROOT to the end once and add up the points."""
    legal = legal_moves(states, ROOT)
    for move in range(len(totals)):
        if legal >> move & 1:
            states[TRIAL] = states[ROOT]
            copy_memory(memory, ROOT, TRIAL, extents)
            make_move(states, TRIAL, memory, params, observes, move)
            finish_game(states, TRIAL, memory, params, rng, acts, observes)
            totals[move] += points(states, TRIAL)


class FlatSearch(PythonAgent):
    """Monte Carlo over every move, with `model` in all seats after it."""

    info = AgentInfo(id="sketch-search", summary="flat search, a sketch", family="sketches", paper="Kagiya")

    def __init__(self, model: Agent, guesses: int = 20) -> None:
        self.model, self.guesses = model, guesses

    def start(self, rules, seat, dice):
        super().start(rules, seat, dice)
        self.table = Table(rules, [self.model])
        self.first_hands = None

    def act(self, observation: Observation) -> Move:
        totals = np.zeros(len(MOVES), np.int64)
        for _ in range(self.guesses):
            self.set_up(observation, self.guess(observation))
            table = self.table
            extents = table.memories.extents
            try_moves(table.states, table.memory, table.params, table.rng, table.acts, table.observes, extents, totals)
        return max(observation.legal_moves, key=lambda move: (totals[move], -move))

    def guess(self, observation: Observation) -> dict[int, int]:
        """A hand that fits the hints and the unseen cards: slot -> card."""
        unseen = [card for card, copies in observation.unseen.items() for _ in range(copies)]
        slots = sorted(observation.mine.slots, key=lambda slot: len(observation.mine.possible_cards(slot)))
        while True:
            pool: list[int] = list(unseen)
            hand: dict[int, int] = {}
            for slot in slots:
                fitting = [card for card in pool if card in observation.mine.possible_cards(slot)]
                if not fitting:
                    break
                hand[slot] = self.dice.choice(fitting)
                pool.remove(hand[slot])
            else:
                return hand

    def set_up(self, observation: Observation, hand: dict[int, int]) -> None:
        """Lane ROOT becomes the position that this guess of the own hand makes of the public story."""
        table = self.table
        deck = known_deck(observation, hand, self.dice)
        write_deck(self.rules, table.states, int(FRESH), deck)
        deal_hands(table.states, FRESH)
        moves = observation._log.moves
        rebuild(
            table.states, table.memory, table.params, table.observes, moves, observation.turn, table.memories.extents
        )
        table.rng[TRIAL] = table.rng[ROOT]


def known_deck(observation: Observation, hand: dict[int, int], dice: random.Random) -> list[int]:
    """The deck in the order it was dealt, as far as it is known; the rest shuffled."""
    state, rules = observation.states[0], observation.rules
    deck = [-1] * rules.deck_size
    for seat in range(rules.players):
        for slot in range(rules.hand_size):
            if (order := int(state["order"][seat, slot])) >= 0:
                card = int(state["hands"][seat, slot])
                deck[order] = hand[slot] if seat == observation.seat else card
    for order, card in departed(observation).items():
        deck[order] = card
    rest = sorted_deck(rules)
    for card in deck:
        if card >= 0:
            rest.remove(card)
    dice.shuffle(rest)
    return [card if card >= 0 else rest.pop() for card in deck]


def departed(observation: Observation) -> dict[int, int]:
    """The cards played and discarded, by their place in the deck: follow the slots through the story."""
    rules, drawn = observation.rules, observation.rules.players * observation.rules.hand_size
    places = [[seat * rules.hand_size + slot for slot in range(rules.hand_size)] for seat in range(rules.players)]
    found: dict[int, int] = {}
    for event in observation.history:
        if event.card is not None and event.move.slot is not None:
            found[places[event.seat].pop(event.move.slot)] = event.card
            if drawn < rules.deck_size:
                places[event.seat].append(drawn)
                drawn += 1
    return found
