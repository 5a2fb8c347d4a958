"""A game of states and moves as HLE's `game_example.py` plays it, with everything printed on the way."""

import random

from hanabi_learning_environment import pyhanabi

assert pyhanabi.cdef_loaded()
assert pyhanabi.lib_loaded()
game = pyhanabi.HanabiGame({"players": 3, "random_start_player": True})
encoder = pyhanabi.ObservationEncoder(game, enc_type=pyhanabi.ObservationEncoderType.CANONICAL)
state, lines = game.new_initial_state(), [game.parameter_string()]
while not state.is_terminal():
    if state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
        state.deal_random_card()
        continue
    observation = state.observation(state.cur_player())
    lines += [f"{state} {state.fireworks()} {state.discard_pile()} {state.player_hands()}", str(observation)]
    lines += [str(item) for item in observation.last_moves()]
    for player in range(game.num_players()):
        assert len(encoder.encode(state.observation(player))) == encoder.shape()[0]
    state.apply_move(random.choice(state.legal_moves()))
assert state.end_of_game_status() != pyhanabi.HanabiEndOfGameType.NOT_FINISHED
