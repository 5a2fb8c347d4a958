"""The drop-in beside HLE: the same dicts, texts and histories when both deal the same cards."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from kagiya import Game, Rules
from kagiya.engine.batch import sorted_deck
from kagiya.interop.hle import pyhanabi, rl_env

CONFIGS: list[dict[str, Any]] = [
    *({"players": players} for players in range(2, 6)),
    {"players": 2, "observation_type": 2},
    {"players": 3, "observation_type": 0, "random_start_player": True},
    {"players": 2, "colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1},
    {"players": 4, "colors": 4, "ranks": 3, "hand_size": 3, "max_life_tokens": 5},
]
PLAIN = ("current_player", "current_player_offset", "life_tokens", "information_tokens", "num_players", "deck_size")
KEYS = (*PLAIN, "fireworks", "legal_moves", "legal_moves_as_int", "observed_hands", "discard_pile", "card_knowledge")


@pytest.fixture
def theirs(peer: Callable[[str], Any]) -> Any:
    return peer("hanabi_learning_environment.rl_env")


def quiet(legal: list[int], hand_size: int, rng: random.Random) -> int:
    """A legal move, more often a hint or a discard than a play, so that games last."""
    calm = [uid for uid in legal if not hand_size <= uid < 2 * hand_size]
    return rng.choice(calm if calm and rng.random() < 0.8 else legal)


def dealt(state: Any, rules: Rules) -> list[int]:
    """The cards that HLE has dealt, in their order, and after them the others in any order."""
    moves = [item.move() for item in state.move_history() if item.deal_to_player() >= 0]
    deck = [move.color() * 5 + move.rank() for move in moves]
    rest = sorted_deck(rules)
    for card in deck:
        rest.remove(card)
    return deck + rest


def items(history: list[Any]) -> list[tuple[Any, ...]]:
    return [
        (
            *(str(each), each.player(), each.scored(), each.information_token(), each.color(), each.rank()),
            *(each.card_info_revealed(), each.card_info_newly_revealed(), each.deal_to_player(), each.move().type()),
        )
        for each in history
    ]


def test_agents_written_for_hle_find_their_base_class() -> None:
    class Discarder(rl_env.Agent):
        def __init__(self, config: Mapping[str, Any]) -> None: ...

        def reset(self, config: Mapping[str, Any]) -> None: ...

        def act(self, observation: dict[str, Any]) -> int:
            return 0

    assert Discarder({}).act({}) == 0


def compare(ours: dict[str, Any], other: dict[str, Any]) -> None:
    """After the end too, where HLE lists moves that cannot be made any more."""
    assert ours["current_player"] == other["current_player"]
    for mine, known in zip(ours["player_observations"], other["player_observations"], strict=True):
        assert list(mine) == list(known)
        for key in (*KEYS, "vectorized"):
            assert mine[key] == known[key], key
        a, b = mine["pyhanabi"], known["pyhanabi"]
        assert (str(a), str(a.legal_moves())) == (str(b), str(b.legal_moves()))
        assert items(a.last_moves()) == items(b.last_moves())
        for hand, their_hand in zip(a.card_knowledge(), b.card_knowledge(), strict=True):
            assert list(map(str, hand)) == list(map(str, their_hand))


@pytest.mark.peers
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_same_dicts_when_both_deal_the_same_cards(config: dict[str, Any], theirs: Any, rng: random.Random) -> None:
    seed = rng.randrange(10**6)
    other, mine = theirs.HanabiEnv({**config, "seed": seed}), rl_env.HanabiEnv(config)
    assert mine.num_moves() == other.num_moves()
    assert mine.vectorized_observation_shape() == other.vectorized_observation_shape()
    for _ in range(2):
        chosen: list[int] = []
        results: list[Any] = []
        told = other.reset()
        start = told["current_player"]
        results.append((told, 0, False, {}))
        while not results[-1][2]:
            legal = results[-1][0]["player_observations"][results[-1][0]["current_player"]]["legal_moves_as_int"]
            chosen.append(quiet(legal, mine.game.hand_size(), rng))
            results.append(other.step(chosen[-1]))
        mine.game.start_player = lambda start=start: start  # type: ignore[method-assign,misc]
        compare(mine.reset(deck=dealt(other.state, mine.game.rules)), results[0][0])
        for action, (seen, reward, done, _) in zip(chosen, results[1:], strict=True):
            again = mine.step(action)
            assert (again[1], again[2], again[3]) == (reward, done, {})
            compare(again[0], seen)
        assert mine.state is not None
        assert items(mine.state.move_history()) == items(other.state.move_history())
        assert (str(mine.state), str(mine.state.legal_moves())) == (str(other.state), str(other.state.legal_moves()))
        for uid in range(mine.num_moves()):
            legal = other.state.move_is_legal(other.game.get_move(uid))
            assert mine.state.move_is_legal(mine.game.get_move(uid)) == legal
        assert int(mine.state.end_of_game_status()) == int(other.state.end_of_game_status())


@pytest.mark.peers
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_same_while_a_card_is_to_be_dealt(config: dict[str, Any], theirs: Any, rng: random.Random) -> None:
    """Their encoder encodes there too, and most games end there."""
    config = {**config, "random_start_player": False}
    game, other = pyhanabi.HanabiGame(config), theirs.pyhanabi.HanabiGame({**config, "seed": rng.randrange(10**6)})
    encoder, their_encoder = pyhanabi.ObservationEncoder(game), theirs.pyhanabi.ObservationEncoder(other)
    their_states = [other.new_initial_state()]
    while not their_states[-1].is_terminal():
        following = their_states[-1].copy()
        if following.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
            following.deal_random_card()
        else:
            legal = sorted(other.get_move_uid(move) for move in following.legal_moves())
            following.apply_move(other.get_move(quiet(legal, game.hand_size(), rng)))
        their_states.append(following)
    state = game.new_initial_state(deck=dealt(their_states[-1], game.rules))
    for number, (item, seen) in enumerate(zip(their_states[-1].move_history(), their_states[1:], strict=True)):
        if item.deal_to_player() >= 0:
            state.deal_random_card()
        else:
            state.apply_move(game.get_move(other.get_move_uid(item.move())))
        for player in range(game.num_players() if number >= state.first_deals - 1 else 0):
            mine, known = state.observation(player), seen.observation(player)
            assert encoder.encode(mine) == their_encoder.encode(known)
            told = [[each.move().to_dict() for each in view.last_moves()] for view in (mine, known)]
            assert told[0] == told[1]


@pytest.mark.peers
def test_their_agents_run_unchanged(theirs: Any, peer: Callable[[str], Any]) -> None:
    agent_class = peer("hanabi_learning_environment.agents.simple_agent").SimpleAgent
    env = rl_env.make("Hanabi-Full", num_players=3)
    agents = [agent_class({"players": 3}) for _ in range(3)]
    seen, done, moves = env.reset(), False, 0
    while not done:
        actions = [agent.act(view) for agent, view in zip(agents, seen["player_observations"], strict=True)]
        current = seen["current_player"]
        assert [action is not None for action in actions] == [player == current for player in range(3)]
        seen, _, done, _ = env.step(actions[current])
        moves += 1
    assert moves > 5


@pytest.mark.parametrize("name", rl_env.PRESETS)
def test_presets(name: str) -> None:
    env = rl_env.make(name, 2)
    seen = env.reset()
    assert len(seen["player_observations"][0]["vectorized"]) == env.vectorized_observation_shape()[0]


def test_chance_turns() -> None:
    game = pyhanabi.HanabiGame({"players": 3, "seed": 4})
    state = game.new_initial_state()
    for dealt_cards in range(15):
        assert state.cur_player() == pyhanabi.CHANCE_PLAYER_ID
        assert [len(hand) for hand in state.player_hands()] == [min(max(dealt_cards - 5 * p, 0), 5) for p in range(3)]
        assert state.deck_size() == 50 - dealt_cards
        assert state.legal_moves() == []
        with pytest.raises(ValueError, match="deal the cards first"):
            pyhanabi.ObservationEncoder(game).encode(state.observation(0))
        state.deal_random_card()
    assert state.cur_player() == 0
    state.apply_move(pyhanabi.HanabiMove.get_play_move(2))
    assert (state.cur_player(), len(state.player_hands()[0]), state.deck_size()) == (-1, 4, 35)
    assert sum(pyhanabi.ObservationEncoder(game).encode(state.observation(0))[253:288]) == 35  # cards in the deck
    with pytest.raises(ValueError, match="a card is to be dealt first"):
        state.apply_move(pyhanabi.HanabiMove.get_play_move(0))
    state.deal_random_card()
    assert (state.cur_player(), len(state.player_hands()[0]), state.deck_size()) == (1, 5, 34)
    with pytest.raises(ValueError, match="no card is to be dealt"):
        state.deal_random_card()


def containers(value: Any) -> list[Any]:
    """Every dict and list in what an environment hands out."""
    if not isinstance(value, dict | list):
        return []
    inside = value.values() if isinstance(value, dict) else value
    return [value, *(found for each in inside for found in containers(each))]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_what_is_handed_out_is_nobody_elses(config: dict[str, Any], rng: random.Random) -> None:
    """Whatever a user does to a dict or list, later ones and other players' are as they should be."""
    seed = rng.randrange(10**6)
    spoiled, clean = (rl_env.HanabiEnv({**config, "seed": seed}) for _ in range(2))
    found, expected, done = spoiled.reset(), clean.reset(), False
    while not done:
        handed = containers(found)
        assert len({id(each) for each in handed}) == len(handed)
        seen = expected["player_observations"]
        for mine, known in zip(found["player_observations"], seen, strict=True):
            assert [mine[key] for key in (*KEYS, "vectorized")] == [known[key] for key in (*KEYS, "vectorized")]
        action = quiet(seen[expected["current_player"]]["legal_moves_as_int"], clean.game.hand_size(), rng)
        for each in handed:
            each.clear()
        found, _, _, _ = spoiled.step(action)
        expected, _, done, _ = clean.step(action)


def test_an_observation_stays_what_it_was() -> None:
    env = rl_env.make("Hanabi-Full", 3)
    seen = env.reset()["player_observations"][1]["pyhanabi"]
    before = str(seen), items(seen.last_moves()), env.observation_encoder.encode(seen)
    for action in (5, 5, 5):
        env.step(action)
    assert (str(seen), items(seen.last_moves()), env.observation_encoder.encode(seen)) == before
    again = pickle.loads(pickle.dumps(seen))
    assert (str(again), items(again.last_moves())) == before[:2]


def test_a_subclass_adds_to_the_dicts() -> None:
    class Louder(rl_env.HanabiEnv):
        def _extract_dict_from_backend(self, player_id: int, observation: Any) -> dict[str, Any]:
            return super()._extract_dict_from_backend(player_id, observation) | {"loud": player_id}

    env = Louder({"players": 2})
    assert [each["loud"] for each in env.reset()["player_observations"]] == [0, 1]
    assert [each["loud"] for each in env.step(5)[0]["player_observations"]] == [0, 1]


def test_numpys_integers_are_numbers_of_players_and_colors() -> None:
    env = rl_env.make("Hanabi-Full", 2)
    env.reset()
    assert env.state is not None
    assert str(env.state.observation(np.int64(1))) == str(env.state.observation(1))
    assert pyhanabi.color_idx_to_char(np.int64(1)) == "Y"
    for player in (1.5, "1", None):
        with pytest.raises(ValueError, match="player must be an integer"):
            env.state.observation(player)  # type: ignore[arg-type]


def test_everything_copies_and_pickles() -> None:
    env = rl_env.make("Hanabi-Full", 2)
    env.reset()
    env.step(np.int64(5))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = env.step(6)[0]["player_observations"][0]["vectorized"]
    assert [other.step(6)[0]["player_observations"][0]["vectorized"] for other in others] == [expected] * 2


def test_a_seed_fixes_the_sequence_of_games() -> None:
    first, again = (rl_env.HanabiEnv({"seed": 5}) for _ in range(2))
    for _ in range(3):
        first.reset()
        again.reset()
        assert str(first.state) == str(again.state)


def test_positions() -> None:
    game = Game(Rules(players=2), seed=3)
    game.make("play 1")
    env = rl_env.HanabiEnv({"players": 2})
    seen = env.reset(position=game.position())
    assert seen["current_player"] == 1
    with pytest.raises(ValueError, match="other rules"):
        rl_env.HanabiEnv({"players": 3}).reset(position=game.position())


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (99, "0-19"),
        (-1, "0-19"),
        (0, "is not legal"),
        (1.0, "a number or a dict"),
        (True, "a number or a dict"),
        ("PLAY", "a number or a dict"),
        ({}, "action_type"),
        ({"action_type": "PLAY"}, "lacks 'card_index'"),
        ({"action_type": "REVEAL_COLOR", "target_offset": 1, "color": "Z"}, "letters"),
        ({"action_type": "REVEAL_COLOR", "target_offset": 5, "color": "R"}, "."),
        ({"action_type": "PLAY", "card_index": [1]}, "card_index must be an integer"),
        ({"action_type": "REVEAL_RANK", "target_offset": 1, "rank": 1.5}, "rank must be an integer, not 1.5"),
    ],
)
def test_bad_actions_are_refused(action: Any, message: str) -> None:
    env = rl_env.make("Hanabi-Full", 2)
    env.reset()
    with pytest.raises(ValueError, match=message):
        env.step(action)
    env.step(5)


def test_unknown_parameters_have_no_effect_but_a_warning() -> None:
    with pytest.warns(UserWarning, match="'player' is not a parameter .* has no effect: did you mean players"):
        assert rl_env.HanabiEnv({"player": 3}).players == 2


def test_plain_classes_as_in_hle() -> None:
    """HLE's own agents have no `reset`, and environments of others leave methods out."""

    class Player(rl_env.Agent):
        def __init__(self, config: Mapping[str, Any]) -> None: ...

    class World(rl_env.Environment): ...

    for call in (lambda: Player({}).act({}), lambda: Player({}).reset({}), lambda: rl_env.Agent({}), World().reset):
        with pytest.raises(NotImplementedError):
            call()


def test_cards_by_name() -> None:
    card = pyhanabi.HanabiCard(color=1, rank=2)
    assert (str(card), card.valid(), card == pyhanabi.HanabiCard(1, 2), hash(card) == hash(card)) == ("Y3", *[True] * 3)
    assert [pyhanabi.HanabiCard(*pair).valid() for pair in ((-1, -1), (0, -1), (-1, 0))] == [False] * 3
    assert pickle.loads(pickle.dumps(card)) == card


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="hand_size=7: a position of Kagiya has room for 5 cards"):
        rl_env.HanabiEnv({"hand_size": 7})
    with pytest.raises(ValueError, match="max_information_tokens=0: the rules of Kagiya need at least one hint token"):
        rl_env.HanabiEnv({"max_information_tokens": 0})
    with pytest.raises(ValueError, match="must be an integer"):
        rl_env.HanabiEnv({"players": 2.5})
    with pytest.raises(ValueError, match="players must be an integer, not inf"):
        rl_env.HanabiEnv({"players": float("inf")})
    with pytest.raises(ValueError, match="the number of ranks must be an integer from 1 to 5, not 0"):
        rl_env.HanabiEnv({"ranks": 0})
    with pytest.raises(ValueError, match="the number of ranks must be an integer from 1 to 5, not 10000000000000000"):
        rl_env.HanabiEnv({"ranks": 10**16})
    with pytest.raises(ValueError, match="observation_type is 0"):
        rl_env.HanabiEnv({"observation_type": 7})
    with pytest.raises(ValueError, match="random_start_player is true or false, not 'yes'"):
        rl_env.HanabiEnv({"random_start_player": "yes"})
    with pytest.raises(ValueError, match="Unknown environment"):
        rl_env.make("Hanabi-Huge")
    with pytest.raises(AttributeError, match="does not offer 'ffi'"):
        pyhanabi.ffi  # noqa: B018
    env = rl_env.make()
    with pytest.raises(ValueError, match="call reset first"):
        env.step(5)


def test_questions_beyond_the_cards_of_the_game() -> None:
    """HLE answers some of them from beside its arrays."""
    state = pyhanabi.HanabiGame({"ranks": 3, "colors": 2}).new_initial_state(deck=None)
    while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
        state.deal_random_card()
    known = state.observation(0).card_knowledge()[0][0]
    assert [known.rank_plausible(rank) for rank in (-1, 0, 2, 3, 5)] == [False, True, True, False, False]
    assert [known.color_plausible(color) for color in (-1, 0, 1, 2)] == [False, True, True, False]
    assert not state.card_playable_on_fireworks(9, 0)
    assert not state.card_playable_on_fireworks(-1, 0)
    assert not state.move_is_legal(pyhanabi.HanabiMove.get_play_move(9))
    assert state._game.num_cards(0, 9) == state._game.num_cards(0, -1) == 0
    with pytest.raises(ValueError, match="numbers of moves"):
        state._game.get_move(1.5)  # type: ignore[arg-type]
