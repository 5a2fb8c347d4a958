"""Agents of other programs at our table, and ours at theirs: the same moves on the same cards, and nobody peeks."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kagiya import Game, GameRecord, Match, Rules, Table, find_agent, observe, play_match
from kagiya.agents.register import check_file_agent
from kagiya.cards import Seat
from kagiya.interop.hle import config, move_to_uid, rl_env
from kagiya.interop.hle.guests import Guest, seen_state
from kagiya.interop.hle.hle_observation import HanabiObservation
from kagiya.interop.told_seats import HleAgent, NumberedAgent, hle_agent
from kagiya.lab.table.table import AgentError, SeatingError
from kagiya.rl import Batch, Encoding
from kagiya.rules import parse_rules
from kagiya.spec import SpecError
from tests.interop.hle.test_drop_in import KEYS, dealt, items, quiet

SIMPLE = "hanabi_learning_environment.agents.simple_agent"
ODD_RULES = [Rules(players=2), Rules(players=4), Rules(players=2, colors=2, hand_size=2, hint_tokens=3, lives=1)]


class First:
    """Plays its oldest card."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings, self.resets = settings, 0

    def reset(self, settings: dict[str, Any]) -> None:
        assert settings == self.settings
        self.resets += 1

    def act(self, observation: dict[str, Any]) -> Any:
        assert observation["current_player_offset"] == 0
        assert observation["legal_moves_as_int"]
        return {"action_type": "PLAY", "card_index": 0}


class Newest(First):
    """Plays its newest card, by a number of numpy's."""

    def act(self, observation: dict[str, Any]) -> Any:
        size = observation["pyhanabi"]._game.hand_size()
        return np.int64(size + len(observation["observed_hands"][0]) - 1)


class Silent(First):
    """Makes no move."""

    def act(self, observation: dict[str, Any]) -> Any:
        return None


class Wild(First):
    """Makes a move that cannot be."""

    def act(self, observation: dict[str, Any]) -> Any:
        return {"action_type": "REVEAL_RANK", "rank": 7, "target_offset": 1}


class Fresh:
    """Has no reset, and may play one game."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.turns = 0

    def act(self, observation: dict[str, Any]) -> Any:
        self.turns += 1
        assert self.turns < 3  # three lives lost by two players
        return 5


@pytest.mark.parametrize("rules", ODD_RULES, ids=lambda rules: f"{rules.players}-{rules.text()}")
def test_a_guest_is_shown_the_dict_of_rl_env(rules: Rules, rng: random.Random) -> None:
    env = rl_env.HanabiEnv(config(rules))
    for seed in range(3):
        game = Game(rules, seed)
        seen, done = env.reset(deck=game.deck), False
        while not done:
            seat = seen["current_player"]
            expected = seen["player_observations"][seat]
            state = seen_state(env.game, observe(game, Seat(seat)))
            found = env._extract_dict_from_backend(seat, HanabiObservation.of(state, seat))
            assert list(found) == list(expected)
            for key in (*KEYS, "vectorized"):
                assert found[key] == expected[key], key
            assert str(found["pyhanabi"]) == str(expected["pyhanabi"])
            assert items(found["pyhanabi"].last_moves()) == items(expected["pyhanabi"].last_moves())
            uid = quiet(expected["legal_moves_as_int"], rules.hand_size, rng)
            game.make(env.game.moves[uid])
            seen, _, done, _ = env.step(uid)
        assert game.is_over


def test_a_guest_plays_at_our_table() -> None:
    table = Table(Rules(players=2), [find_agent(f"hle({__name__}:{name})") for name in ("First", "Newest")])
    for seed in range(2):
        table.play_game(seed)
    assert {move.slot for move in table.game().moves[::2]} == {0}
    assert {move.slot for move in table.game().moves[1::2]} == {4}
    guest = table.players[0]
    assert isinstance(guest, Guest)
    assert guest._player.resets == 2
    assert guest._player.settings == {**config(Rules(players=2)), "observation_type": 1}


def test_a_guest_without_a_reset_is_made_anew() -> None:
    table = Table(Rules(players=2), [find_agent(f"hle({__name__}:Fresh)")])
    for seed in range(2):
        table.play_game(seed)


@pytest.mark.parametrize(
    ("name", "message"),
    [("Silent", "returned None: an action is a number or a dict"), ("Wild", "returned .* is not a move under these")],
)
def test_what_is_no_move_is_told(name: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        Table(Rules(players=2), [find_agent(f"hle({__name__}:{name})")]).play_game(0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hle", "write hle"),
        ("hle(careful)", "write hle"),
        ("hle(a:B, c:D)", "write hle"),
        (f"hle({__name__}:Frist)", "did you mean First"),
        (f"hle({__name__}:SIMPLE)", "no method act"),
        ("hle(no_such_module:Agent)", "there is no module"),
    ],
)
def test_what_is_no_guest_is_refused(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        find_agent(text)


def test_rules_that_hle_lacks_are_refused() -> None:
    agent = find_agent(f"hle({__name__}:First)")
    with pytest.raises(SeatingError, match="plays by HLE's rules: they have at most 5 colors"):
        Table(Rules(players=2, colors=6), [agent])


def test_files_name_no_guests_unless_they_are_trusted() -> None:
    with pytest.raises(SpecError, match="--trust-modules"):
        check_file_agent(f"hle({__name__}:First)", "a file")


@pytest.mark.peers
def test_hles_own_agent_makes_its_moves_here(peer: Callable[[str], Any], rng: random.Random) -> None:
    simple, theirs = peer(SIMPLE).SimpleAgent, peer("hanabi_learning_environment.rl_env")
    for players in (2, 3, 5):
        env, rules = theirs.HanabiEnv({"players": players, "seed": rng.randrange(10**6)}), Rules(players=players)
        agents, actions = [simple({"players": players}) for _ in range(players)], []
        seen, done = env.reset(), False
        while not done:
            current = seen["current_player"]
            actions.append(agents[current].act(seen["player_observations"][current]))
            seen, _, done, _ = env.step(actions[-1])
        game, guest = Game(rules, deck=dealt(env.state, rules)), Guest(simple)
        guest.start(rules, Seat(0), rng)
        for action in actions:
            move = guest.act(observe(game, game.seat))
            assert rl_env.HanabiEnv(config(rules)).game.get_move(move_to_uid(move, rules)).to_dict() == action
            game.make(move)
        assert (game.is_over, game.score) == (True, env.state.score())


def hle_score(env: Any, agents: list[Any]) -> int:
    """The score of one game of HLE's environment."""
    seen, done = env.reset(), False
    while not done:
        current = seen["current_player"]
        seen, _, done, _ = env.step(agents[current].act(seen["player_observations"][current]))
    return int(env.state.score())


@pytest.mark.peers
def test_hles_own_agent_scores_here_as_there(peer: Callable[[str], Any], games: Callable[[float], int]) -> None:
    """`KAGIYA_TEST_SCALE=250 pytest tests/interop -k scores_here_as_there` plays 10,000 games there and here."""
    simple, theirs = peer(SIMPLE).SimpleAgent, peer("hanabi_learning_environment.rl_env")
    count, agents = games(40), [simple({"players": 2}) for _ in range(2)]
    env = theirs.HanabiEnv({"players": 2, "seed": 1})
    there = np.array([hle_score(env, agents) for _ in range(count)])
    match = Match.of(Rules(players=2), [find_agent(f"hle({SIMPLE}:SimpleAgent)")], count, seed=1)
    here = play_match(match).summary
    error = math.hypot(there.std(ddof=1) / math.sqrt(count), here.se)
    assert abs(there.mean() - here.mean) <= 3 * error, (
        f"{there.mean():.3f} there, {here.mean:.3f} here, s.e. {error:.3f}"
    )


def played(agent: str, rules: Rules, seed: int) -> Game:
    table = Table(rules, [find_agent(agent)])
    table.play_game(seed)
    return table.game()


@pytest.mark.parametrize("rules", [Rules(players=2), Rules(players=3), parse_rules("goodman", 3)], ids=Rules.text)
@pytest.mark.parametrize("agent", ["smartbot", "random"])
def test_our_agent_told_by_numbers_moves_as_at_its_table(agent: str, rules: Rules) -> None:
    game, players = played(agent, rules, seed=4), rules.players
    actions = [move_to_uid(move, game.rules) for move in game.moves]
    assert game.deck is not None
    pairs = [divmod(card, 5) for card in game.deck]
    for seat in range(players):
        told = NumberedAgent(agent, game.rules, seat, seed=4)
        answers = [told.act(pairs, actions[:turn]) for turn in range(len(actions))]
        expected = [uid if turn % players == seat else told.no_op for turn, uid in enumerate(actions)]
        assert answers == expected


def test_what_its_seat_cannot_see_does_not_matter(rng: random.Random) -> None:
    rules = Rules(players=2)
    deck = list(Game(rules, 8).deck or ())
    answers = set()
    for _ in range(5):
        hidden = deck[:5] + deck[10:]
        rng.shuffle(hidden)
        shown = [divmod(card, 5) for card in (*hidden[:5], *deck[5:10], *hidden[5:])]
        told = NumberedAgent("smartbot", rules, seat=0)
        first = told.act(shown, [])
        answers.add((first, told.act(shown, [first, told.no_op])))
    assert answers == {(first, told.no_op)}


def test_a_deck_may_be_text_as_records_have_it_everywhere() -> None:
    rules = Rules(players=2)
    record = GameRecord.of(Game(rules, 8), ["a", "b"])
    game = Game(rules, deck=record.deck)
    assert game.position() == Game(rules, 8).position()
    vector = Encoding().encode(game)
    assert (Batch(rules, 1).reset(decks=[record.deck])[0] == vector).all()
    seen = rl_env.HanabiEnv(config(rules)).reset(deck=record.deck)
    assert seen["player_observations"][0]["vectorized"] == vector.tolist()
    told = [NumberedAgent("smartbot", rules, seat=0).act(deck, []) for deck in (record.deck, list(game.deck or ()))]
    assert told[0] == told[1]


def test_bad_numbers_are_refused() -> None:
    rules = Rules(players=2)
    with pytest.raises(ValueError, match="seat 2 is not at a table of 2"):
        NumberedAgent("smartbot", rules, 2)
    with pytest.raises(ValueError, match="no card of color 9"):
        NumberedAgent("smartbot", rules, 0).act([(9, 0)], [])
    with pytest.raises(ValueError, match="plays with"):
        NumberedAgent("kagiya-two", Rules(players=3), 0)


def moves_of(env: Any, agents: list[HleAgent], seen: dict[str, Any]) -> list[dict[str, Any]]:
    """A game that these agents play, all being asked at every turn."""
    done, made = False, []
    while not done:
        answers = [agent.act(view) for agent, view in zip(agents, seen["player_observations"], strict=True)]
        action = answers[seen["current_player"]]
        assert action is not None
        assert sum(answer is not None for answer in answers) == 1
        made.append(action)
        seen, _, done, _ = env.step(action)
    return made


@pytest.mark.parametrize("players", [2, 4])
def test_our_agent_plays_as_an_hle_agent(players: int) -> None:
    env = rl_env.HanabiEnv({"players": players})
    agents = [hle_agent("smartbot")({"players": players, "num_episodes": 3}) for _ in range(players)]
    for seed in (4, 5):  # the agents see for themselves that another game has begun
        game = played("smartbot", Rules(players=players), seed)
        made = moves_of(env, agents, env.reset(deck=game.deck))
        assert made == [env._tables._move_dicts[move_to_uid(move, game.rules)] for move in game.moves]


@pytest.mark.peers
def test_our_agent_plays_in_hle(peer: Callable[[str], Any]) -> None:
    env = peer("hanabi_learning_environment.rl_env").HanabiEnv({"players": 3, "seed": 7, "random_start_player": True})
    seen = env.reset()
    start, rules = seen["current_player"], Rules(players=3)
    made = moves_of(env, [HleAgent({"players": 3}, agent="smartbot") for _ in range(3)], seen)
    deck = dealt(env.state, rules)
    hands = [deck[5 * player : 5 * player + 5] for player in range(3)]
    turned = [card for seat in range(3) for card in hands[(seat + start) % 3]] + deck[15:]
    told = [NumberedAgent("smartbot", rules, seat) for seat in range(3)]
    game = Game(rules, deck=turned)
    mine = rl_env.HanabiEnv({"players": 3})
    for action in made:
        actions = [move_to_uid(move, rules) for move in game.moves]
        uid = told[game.seat].act([divmod(card, 5) for card in turned], actions)
        assert mine._tables._move_dicts[uid] == action
        game.make(mine.game.moves[uid])


def test_an_hle_agent_that_comes_late_is_told() -> None:
    env = rl_env.HanabiEnv({"players": 2})
    seen = env.reset()
    for _ in range(2):
        seen, *_ = env.step(5)
    late = HleAgent({"players": 2}, agent="smartbot")
    with pytest.raises(ValueError, match="this game began before"):
        late.act(seen["player_observations"][seen["current_player"]])
    with pytest.raises(ValueError, match="lacks 'pyhanabi'"):
        late.act({"current_player_offset": 0})
    with pytest.raises(ValueError, match="plays with"):
        HleAgent({"players": 3}, agent="kagiya-two")


@pytest.mark.peers
@pytest.mark.parametrize("settings", [{"players": 2}, {"players": 3, "random_start_player": True}], ids=str)
def test_our_agent_plays_as_an_openspiel_bot(settings: dict[str, Any], peer: Callable[[str], Any]) -> None:
    pyspiel = peer("pyspiel")
    from kagiya.interop.openspiel_bot import OpenSpielBot

    theirs, players = pyspiel.load_game("hanabi", settings), settings["players"]
    bots = [OpenSpielBot(theirs, player, "smartbot") for player in range(players)]
    game = played("smartbot", Rules(players=players), seed=6)
    assert game.deck is not None
    for bot in bots:
        bot.restart()
    state, undealt = theirs.new_initial_state(), None
    while not state.is_terminal():
        if state.is_chance_node():
            undealt = undealt or order_of_deals(state, list(game.deck), players)
            state.apply_action(undealt.pop(0))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    found = [item.action for item in state.full_history() if item.player >= 0]
    assert found == [move_to_uid(move, game.rules) for move in game.moves]
    assert state.returns()[0] == game.score


def order_of_deals(state: Any, deck: list[int], players: int) -> list[int]:
    """The deck as OpenSpiel deals it, to player 0 first; who begins shows when the hands are dealt."""
    trial = state.clone()
    while trial.is_chance_node():
        trial.apply_action(trial.legal_actions()[0])
    start = trial.current_player()
    hands = [deck[5 * seat : 5 * seat + 5] for seat in range(players)]
    return [card for player in range(players) for card in hands[(player - start) % players]] + deck[5 * players :]


@pytest.mark.peers
def test_an_openspiel_bot_at_the_wrong_game_or_turn(peer: Callable[[str], Any]) -> None:
    pyspiel = peer("pyspiel")
    from kagiya.interop.openspiel_bot import OpenSpielBot

    with pytest.raises(ValueError, match="the game is tic_tac_toe, not hanabi"):
        OpenSpielBot(pyspiel.load_game("tic_tac_toe"), 0, "smartbot")
    game = pyspiel.load_game("hanabi", {"players": 2})
    with pytest.raises(ValueError, match="players are 0-1, not 2"):
        OpenSpielBot(game, 2, "smartbot")
    with pytest.raises(ValueError, match="not player 1's turn"):
        OpenSpielBot(game, 1, "smartbot").step(game.new_initial_state())
