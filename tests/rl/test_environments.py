"""Gymnasium's and PettingZoo's own tests of conformance, and what theirs do not ask."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from kagiya import Game, Rules
from kagiya.rl import ActionError, Encoding, Episodes, Partners

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from pettingzoo import test as petting  # noqa: E402

from kagiya.rl.gymnasium_env import HanabiGymEnv, HanabiVectorEnv  # noqa: E402
from kagiya.rl.pettingzoo_env import env, parallel_env, read_config  # noqa: E402

SMALL = {"colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}


def test_gymnasium_checks_the_environment() -> None:
    check_env(gymnasium.make("kagiya/Hanabi-v0").unwrapped)
    check_env(gymnasium.make("kagiya/Hanabi-v0", players=3, partners="iggi").unwrapped, skip_render_check=True)
    assert made_picture().shape == (400, 800, 3)


def made_picture() -> Any:
    drawn = gymnasium.make("kagiya/Hanabi-v0", render_mode="rgb_array")
    drawn.reset(seed=1)
    return drawn.render()


def test_episodes_of_the_gymnasium_environments() -> None:
    """Rewards, the vectors of all seats, colors by another name; the mask is that of the seat to move all the same."""
    episodes = Episodes(reward="points", every_seat=True, permuted=True)
    one = gymnasium.make("kagiya/Hanabi-v0", players=3, episodes=episodes)
    many = gymnasium.make_vec("kagiya/Hanabi-v0", num_envs=2, players=3, episodes=episodes, render_mode="rgb_array")
    for made, shape in ((one, (3, 956)), (many, (2, 3, 956))):
        seen, info = made.reset(seed=4)
        assert seen.shape == made.observation_space.shape == shape
        assert seen in made.observation_space
        assert info["action_mask"].shape[-1:] == (30,)
        assert info["action_mask"].ndim == len(shape) - 1
        made.step(np.full(shape[:-2], 10) if len(shape) > 2 else 10)
    assert len(many.render()) == 2


def test_a_seed_for_each_environment() -> None:
    made = HanabiVectorEnv(3)
    seen, _ = made.reset(seed=[4, 9, 4])
    np.testing.assert_array_equal(seen[0], seen[2])
    assert made.batch.seeds.tolist() == [4, 9, 4]


def test_ids_make_one_game_or_many() -> None:
    many = gymnasium.make_vec("kagiya.rl.gymnasium_env:kagiya/Hanabi-v0", num_envs=2, players=3, partners=["iggi"])
    assert isinstance(many, HanabiVectorEnv)
    assert many.reset(seed=1)[0].shape == (2, 956)
    one = gymnasium.make("kagiya.rl.gymnasium_env:kagiya/HanabiSmall-v0")
    assert one.reset(seed=1)[0].shape == one.observation_space.shape


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_environments(mode: AutoresetMode) -> None:
    made = HanabiVectorEnv(8, Rules(players=2), autoreset_mode=mode)
    seen, info = made.reset(seed=3)
    dice, ends = np.random.default_rng(0), 0
    for _ in range(80):
        assert seen in made.observation_space
        masks = info["action_mask"]
        actions = np.array([dice.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        seen, rewards, ended, cut, info = made.step(actions)
        ends += ended.sum()
        assert rewards.shape == ended.shape == cut.shape == (8,)
        if ended.any() and mode is AutoresetMode.SAME_STEP:
            assert info["final_obs"].shape == seen.shape
        if ended.any() and mode is AutoresetMode.DISABLED:
            seen, info = made.reset(options={"reset_mask": ended.copy()})
    assert ends > 8


def test_arrays_are_reused_where_the_user_asks() -> None:
    made = HanabiVectorEnv(2, copy=False)
    assert made.reset(seed=0)[0] is made.step(np.array([5, 5]))[0]


def test_an_illegal_action_raises_or_is_replaced() -> None:
    made = HanabiGymEnv(illegal="raise")
    made.reset(seed=1)
    with pytest.raises(ActionError, match="discard 1"):
        made.step(np.int64(0))
    other = HanabiGymEnv()
    other.reset(seed=1)
    assert [other.step(np.int64(action))[-1]["replaced"] for action in (0, 5)] == [True, False]
    assert other.game().turn == 2
    many, infos = HanabiVectorEnv(2), list[Any]()
    many.reset(seed=1)
    infos += [many.step(np.array([0, 5]))[-1], many.step(np.array([5, 5]))[-1]]
    assert [info["replaced"].tolist() for info in infos] == [[True, False], [False, False]]
    table = env()
    table.reset(seed=1)
    table.step(0)
    assert table.infos == {"player_0": {"replaced": True}, "player_1": {}}
    for action in ("play 1", 1.5, None):
        with pytest.raises(ActionError, match="must be integers"):
            other.step(action)  # type: ignore[arg-type]


def test_nothing_can_be_asked_before_the_first_game() -> None:
    in_turn, at_once = env(render_mode="ansi"), parallel_env()
    for ask in (
        HanabiGymEnv(render_mode="ansi").render,
        in_turn.render,
        in_turn.state,
        lambda: in_turn.step(1),
        lambda: in_turn.observe("player_0"),
        lambda: at_once.step({}),
    ):
        with pytest.raises(ActionError, match="call reset first"):
            ask()


def test_agents_that_are_not_there() -> None:
    at_once = parallel_env()
    at_once.reset(seed=1)
    with pytest.raises(ValueError, match="player_0 is to move and gave no action"):
        at_once.step({"player_1": 20})
    in_turn = env()
    in_turn.reset(seed=1)
    with pytest.raises(ValueError, match="'player_7' is not at this table"):
        in_turn.observe("player_7")


@pytest.mark.parametrize("config", [{}, {"players": 5}, {**SMALL, "random_start_player": True}], ids=str)
def test_pettingzoo_checks_the_environment(config: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they advise against spaces that hanabi_v5 has too
        petting.api_test(env(**config), num_cycles=300)
        petting.seed_test(lambda: env(**config), num_cycles=100)
        petting.parallel_api_test(parallel_env(**config), num_cycles=200)
        petting.parallel_seed_test(lambda: parallel_env(**config), num_cycles=50)
        petting.state_test(env(**config), parallel_env(**config), num_cycles=30)


def test_pettingzoo_counts_cycles() -> None:
    class Module:
        """What their test wants in place of a module."""

        options = {"max_life_tokens": 8}  # eight moves cannot end a game then  # noqa: RUF012
        env = staticmethod(lambda **config: env(**config, **Module.options))
        parallel_env = staticmethod(lambda **config: parallel_env(**config, **Module.options))

    petting.max_cycles_test(Module)


def test_pettingzoo_renders() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        petting.render_test(lambda render_mode=None: env(render_mode=render_mode))


def test_long_games_are_not_cut() -> None:
    """Hints and discards only: with two players, sixty moves and more."""
    made, lengths = env(), []
    for seed in range(20):
        made.reset(seed=seed)
        moves = 0
        while not made.terminations[made.agent_selection]:
            mask = made.observe(made.agent_selection)["action_mask"]
            legal = np.flatnonzero(mask)
            quiet = [*legal[legal >= 10], *legal[legal < 5], *legal]
            made.step(int(quiet[0]))
            moves += 1
        lengths.append(moves)
        assert not any(made.truncations.values())
    assert min(lengths) > 60


def test_whoever_starts_moves_first() -> None:
    made = env(players=4, random_start_player=True)
    starts = set()
    for seed in range(40):
        made.reset(seed=seed)
        starts.add(made.agent_selection)
        masks = {agent: made.observe(agent)["action_mask"].any() for agent in made.agents}
        assert masks == {agent: agent == made.agent_selection for agent in made.agents}
    assert len(starts) == 4


def test_a_seed_repeats_a_run_of_many_episodes() -> None:
    first, again = env(), env()
    for each in (first, again):
        each.reset(seed=9)
        each.reset()
    np.testing.assert_array_equal(first.state(), again.state())


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"colours": 5}, "did you mean colors"),
        ({"observation_type": "all"}, "observation_type"),
        ({"players": 9}, "players"),
        ({"players": "2"}, "players must be an integer of at least 1, not '2'"),
        ({"ranks": 0}, "ranks must be an integer of at least 1, not 0"),
        ({"hand_size": 0}, "hand_size must be an integer of at least 1, not 0"),
        ({"max_cycles": -1}, "max_cycles"),
        ({"random_start_player": "yes"}, "random_start_player is True or False, not 'yes'"),
    ],
)
def test_what_cannot_be_is_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_config(config).rules()


@pytest.mark.parametrize("kind", [HanabiGymEnv, HanabiVectorEnv])
def test_episodes_of_another_kind_are_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"expected Episodes\(...\), not 'points'"):
        kind(episodes="points")


def test_a_seed_of_numpys_fixes_all_that_follows() -> None:
    runs = [HanabiVectorEnv(2) for _ in range(2)]
    for made in runs:
        made.reset(seed=np.int64(4))  # type: ignore[arg-type]
    np.testing.assert_array_equal(runs[0].reset()[0], runs[1].reset()[0])


def test_partners_and_encodings_pass_through() -> None:
    made = HanabiVectorEnv(
        4, Rules(players=3), partners=Partners("smartbot", 1), encoding=Encoding("minimal", "float32")
    )
    seen, info = made.reset(seed=5)
    assert seen.dtype == np.float32
    assert info["seat"].tolist() == [1] * 4


def test_environments_begin_from_decks_and_positions() -> None:
    games = [Game(Rules(players=2), seed=seed) for seed in (3, 4)]
    decks = [game.deck or () for game in games]
    many = HanabiVectorEnv(3, Rules(players=2), autoreset_mode=AutoresetMode.DISABLED)
    many.reset(seed=1, options={"decks": decks, "again": True})
    for _ in range(2):
        assert many.batch.vectors.tolist() == [Encoding().encode(games[n]).tolist() for n in (0, 1, 0)]
        many.reset(options={"reset_mask": np.array([False, True, False])})  # the games 0, 1, 2, ... of the list go on
        assert many.batch.vectors[1].tolist() == Encoding().encode(games[0]).tolist()
        many.reset(seed=1, options={"decks": decks, "again": True})
    with pytest.raises(ValueError, match="a reset of some lanes takes no decks"):
        many.reset(options={"reset_mask": np.ones(3, np.bool_), "decks": decks})
    with pytest.raises(ValueError, match="reset_mask, decks, positions and again, not deck"):
        many.reset(options={"deck": decks[0]})
    for table in (env(players=2), parallel_env(players=2)):
        table.reset(seed=1, options={"deck": decks[1]})
        seen = table.unwrapped._batch.vectors[0, 0]
        assert seen.tolist() == Encoding().encode(games[1]).tolist()
