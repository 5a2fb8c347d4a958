"""HLE's game and state objects: the rules by its parameter names, its numbers of moves, and its chance turns."""

from __future__ import annotations

import enum
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_HAND, NO_CARD, NO_MOVE, parse_cards
from kagiya.engine.batch import sorted_deck, write_template
from kagiya.engine.game import Game
from kagiya.engine.game_kernels import deal_hands, is_over, legal_moves
from kagiya.engine.layout import STATE, STATE_OFFSETS, TOLD_BOTH, States, new_states
from kagiya.interop.hle import turn_kernels as turn
from kagiya.interop.hle.cards_and_moves import (
    CHANCE_PLAYER_ID,
    HanabiCard,
    HanabiCardKnowledge,
    HanabiHistoryItem,
    HanabiMove,
    tells,
)
from kagiya.moves import Move
from kagiya.rl.bits_kernels import LAST_FIELDS
from kagiya.rl.vectors import num_uids, rules_from_config, uid_to_move
from kagiya.rules import Rules
from kagiya.spec import near

if TYPE_CHECKING:
    from kagiya.interop.hle.hle_observation import HanabiObservation


class AgentObservationType(enum.IntEnum):
    """What a vector says of the cards."""

    MINIMAL = 0
    CARD_KNOWLEDGE = 1
    SEER = 2


DEFAULTS: dict[str, Any] = {
    "players": 2,
    "colors": 5,
    "ranks": 5,
    "hand_size": None,  # 5, or 4 with four and more players
    "max_information_tokens": 8,
    "max_life_tokens": 3,
    "seed": -1,
    "random_start_player": False,
    "observation_type": int(AgentObservationType.CARD_KNOWLEDGE),
}
MAX_KEPT = 100_000


class KeptVectors(dict[Any, Any]):
    """What was made once is kept: `make` is called for a key that is not there. What is kept is not pickled."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make

    def __missing__(self, key: Any) -> Any:
        made = self._make(key)
        if len(self) < MAX_KEPT:
            self[key] = made
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return KeptVectors, (self._make,)


def _slots(mask: int) -> tuple[int, ...]:
    return tuple(slot for slot in range(MAX_HAND) if mask >> slot & 1)


class HanabiGame:
    """The rules, and the dice that deal game after game; `seed` fixes that sequence (ours, not HLE's)."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self._params = {**DEFAULTS, **read_parameters(params or {})}
        self.rules = rules_from_config(self._params)
        if self._params["hand_size"] is None:
            self._params["hand_size"] = self.rules.hand_size
        ours = [uid_to_move(uid, self.rules) for uid in range(num_uids(self.rules))]
        self.moves = [int(move) for move in ours]  # by their numbers
        self._theirs = [theirs(move) for move in ours]
        self._numbers = {move: uid for uid, move in enumerate(self._theirs)}
        self.kind = _kind(self._params["observation_type"])
        self.items = KeptVectors(self._item)  # of history, by what a kernel told of a move
        self._sorted = np.array(sorted_deck(self.rules))
        self.undealt, self.no_move = _undealt(self.rules), np.full((1, LAST_FIELDS), NO_MOVE)
        self.dealt_to = [player for player in range(self.rules.players) for _ in range(self.rules.hand_size)]
        self._uids = KeptVectors(self._numbers_of)  # by mask
        seed = self._params["seed"]
        self._dice = random.Random(None if seed == -1 else seed)

    def new_initial_state(
        self, deck: Sequence[int] | str | None = None, position: Game | str | None = None
    ) -> HanabiState:
        """A game before the deal; beyond HLE, from a given deck (our numbers, top card first) or a position."""
        return HanabiState(self, deck=deck, position=position)

    def shuffled_deck(self) -> npt.NDArray[np.int64]:
        """The deck of the next game: sorted by dice, which is quicker than a shuffle."""
        rolled = np.frombuffer(self._dice.randbytes(8 * len(self._sorted)), np.uint64)
        return self._sorted[rolled.argsort()]

    def start_player(self) -> int:
        """Who begins the next game."""
        return self._dice.randrange(self.rules.players) if self._params["random_start_player"] else 0

    def parameter_string(self) -> str:
        """All parameters, a line each."""
        return "".join(f"{name}={_text(self._params[name])}\n" for name in reversed(DEFAULTS))

    num_players = tells("rules.players", "How many sit at the table.")
    num_colors = tells("rules.colors", "Colors in the game.")
    num_ranks = tells("rules.ranks", "Ranks in the game.")
    hand_size = tells("rules.hand_size", "Cards in a full hand.")
    max_information_tokens = tells("rules.hint_tokens", "Hint tokens at the start.")
    max_life_tokens = tells("rules.lives", "Lives at the start.")

    def observation_type(self) -> AgentObservationType:
        """What a vector says of the cards."""
        return self.kind

    def max_moves(self) -> int:
        """How many numbers of moves there are."""
        return num_uids(self.rules)

    def num_cards(self, color: int, rank: int) -> int:
        """Copies of a card."""
        return self.rules.copies[rank] if 0 <= color < self.rules.colors and 0 <= rank < self.rules.ranks else 0

    def get_move_uid(self, move: HanabiMove) -> int:
        """The number of a move; -1 for one that has none."""
        return self._numbers.get(move, -1)

    def get_move(self, move_uid: int) -> HanabiMove:
        """The move with this number."""
        if not isinstance(move_uid, int | np.integer) or not 0 <= move_uid < len(self._theirs):
            raise ValueError(f"under these rules the numbers of moves are 0-{len(self._theirs) - 1}, not {move_uid!r}")
        return self._theirs[move_uid]

    def uids(self, legal: int) -> list[int]:
        """The numbers of the moves in a mask of ours."""
        return list(self._uids[legal])

    def _numbers_of(self, legal: int) -> list[int]:
        return [uid for uid, move in enumerate(self.moves) if legal >> move & 1]

    def _item(self, key: tuple[int, ...]) -> HanabiHistoryItem:
        number, player, scored, gained, card, revealed, newly = key
        new = () if self.kind is AgentObservationType.SEER else _slots(newly)
        return HanabiHistoryItem(self._theirs[number], player, bool(scored), bool(gained), card, _slots(revealed), new)

    def number(self, move: HanabiMove) -> int:
        """The number of a move, which must have one."""
        number = self._numbers.get(move)
        if number is None:
            raise ValueError(f"{move} is not a move under these rules")
        return number

    def ours(self, move: HanabiMove) -> int:
        """The number of our move for theirs."""
        return self.moves[self.number(move)]


def _undealt(rules: Rules) -> npt.NDArray[np.int64]:
    """A game before the deal, as a row of words."""
    states = new_states(1)
    write_template(rules, states, 0)
    return states.view(np.int64)


def theirs(move: Move) -> HanabiMove:
    """Our move as theirs."""
    if move.slot is not None:
        return HanabiMove.get_play_move(move.slot) if move.is_play else HanabiMove.get_discard_move(move.slot)
    assert move.offset is not None
    if move.color is not None:
        return HanabiMove.get_reveal_color_move(move.offset, move.color)
    assert move.rank is not None
    return HanabiMove.get_reveal_rank_move(move.offset, move.rank)


def read_parameters(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with their types; a name that HLE does not know has no effect, as there, but a warning."""
    read: dict[str, Any] = {}
    for name, value in params.items():
        if name not in DEFAULTS:
            what = f"{name!r} is not a parameter of the game and has no effect: {near(str(name), DEFAULTS)}"
            warnings.warn(what, stacklevel=3)
            continue
        read[name] = _truth(value) if name == "random_start_player" else _whole(name, value)
        if reason := _why_not(name, read[name]):
            raise ValueError(f"{name}={value}: {reason}")
    return read


def _why_not(name: str, number: int) -> str:
    """Why this value, which HLE has, cannot be had here; empty if it can."""
    if name == "hand_size" and number > MAX_HAND:
        return f"a position of Kagiya has room for {MAX_HAND} cards in a hand, and its moves are numbered for as many"
    if name == "max_information_tokens" and number == 0:
        return "the rules of Kagiya need at least one hint token; nobody could give a hint or discard without any"
    return ""


def _whole(name: str, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an integer, not {value!r}") from None
    if number != value and str(number) != str(value):
        raise ValueError(f"{name} must be an integer, not {value!r}")
    return number


def _kind(number: int) -> AgentObservationType:
    if number not in list(AgentObservationType):
        raise ValueError(f"observation_type is 0 (minimal), 1 (card knowledge) or 2 (seer), not {number}")
    return AgentObservationType(number)


def _truth(value: Any) -> bool:
    if str(value).lower() not in ("0", "1", "true", "false"):
        raise ValueError(f"random_start_player is true or false, not {value!r}")
    return str(value).lower() in ("1", "true")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Where a state record's words are.
SEAT, TOKENS, LIVES, TAKEN = (STATE_OFFSETS[name] for name in ("seat", "tokens", "lives", "drawn"))
TURNS_LEFT, PLAYED = STATE_OFFSETS["turns_left"], STATE_OFFSETS["played"]
FIREWORKS, HANDS, POSSIBLE, TOLD_WORDS = (STATE_OFFSETS[name] for name in ("fireworks", "hands", "possible", "told"))
KINDS, DECK_SIZE, DECK = (STATE_OFFSETS[name] for name in ("kinds", "deck_size", "deck"))

known = lru_cache(maxsize=100_000)(HanabiCardKnowledge)


def as_states(row: npt.NDArray[np.int64]) -> States:
    """The record that a row of words is: an array on the same memory, made ten times faster than by `view`."""
    return np.ndarray(1, STATE, row)


class HanabiEndOfGameType(enum.IntEnum):
    """Why a game is over."""

    NOT_FINISHED = 0
    OUT_OF_LIFE_TOKENS = 1
    OUT_OF_CARDS = 2
    COMPLETED_FIREWORKS = 3


class HanabiState:
    """A game. Chance is to move while cards are to be dealt; players are HLE's, of whom any may start.

    Our seat 0 moves first, so the player in our seat s is (s + start) mod players.
    """

    def __init__(
        self, game: HanabiGame, deck: Sequence[int] | str | None = None, position: Game | str | None = None
    ) -> None:
        self._game, self._start = game, game.start_player()
        self._history: tuple[HanabiHistoryItem, ...] = ()
        self._discards: tuple[int, ...] = ()
        self._last = game.no_move
        self._is_over, self._score = False, 0
        self._undealt = self.first_deals = len(game.dealt_to)  # items with which the history begins
        if position is not None:
            self._place(position)
        else:
            self._take(self._shuffled() if deck is None else self._dealt(deck).states.view(np.int64))

    def _take(self, row: npt.NDArray[np.int64]) -> None:
        """Go on from this record, as a row of words; nothing is ever written into one that was taken."""
        self._row, self.states = row, as_states(row)
        self._read: list[int] | None = None

    def _shuffled(self) -> npt.NDArray[np.int64]:
        """A deal of the game's own dice, which needs no check."""
        row = self._game.undealt.copy()
        row[DECK : DECK + self._game.rules.deck_size] = self._by_seat(self._game.shuffled_deck())
        deal_hands(as_states(row), 0)
        return row

    def _dealt(self, deck: Sequence[int] | str) -> Game:
        cards = parse_cards(deck) if isinstance(deck, str) else deck
        return Game(self._game.rules, deck=self._by_seat(np.array(cards)).tolist())

    def _place(self, position: Game | str) -> None:
        table = position.copy() if isinstance(position, Game) else Game.from_position(position)
        if table.rules != self._game.rules:
            raise ValueError("the position has other rules than the game")
        self._take(table.states.view(np.int64))
        self._start = self._undealt = self.first_deals = 0
        self._is_over = bool(is_over(self.states, 0))
        self._score = sum(self.fireworks()) if self.life_tokens() else 0

    def _by_seat(self, deck: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """HLE deals to player 0 first, we to the player who starts."""
        size, dealt = self._game.rules.hand_size, self.first_deals
        return deck if self._start == 0 else np.append(np.roll(deck[:dealt], -self._start * size), deck[dealt:])

    def shown_row(self) -> npt.NDArray[np.int64]:
        """The record as it is seen: a card that is to be dealt is not in the hand yet."""
        if not self._undealt:
            return self._row
        if self._is_first_deal:
            raise ValueError("a vector shows a table at which all hands have been dealt; deal the cards first")
        row, player = self._row.copy(), self._history[-1].player()
        place = MAX_HAND * self._seat(player) + len(self.cards(player))
        row[HANDS + place], row[POSSIBLE + place], row[TOLD_WORDS + place] = NO_CARD, 0, 0
        row[TAKEN] -= self._undealt
        return row

    @property
    def _words(self) -> list[int]:
        """The record as a list of words, which Python reads ten times faster; cards not dealt yet are left out."""
        if self._read is None:
            self._read = self._row[:DECK].tolist()
        return self._read

    def _player(self, seat: int) -> int:
        return (seat + self._start) % self._game.rules.players

    def _seat(self, player: int) -> int:
        return (player - self._start) % self._game.rules.players

    def copy(self) -> HanabiState:
        """A state that goes on by itself."""
        other = HanabiState.__new__(HanabiState)
        other.__dict__ = self.__dict__.copy()  # nothing in it is changed in place
        return other

    def observation(self, player: SupportsIndex) -> HanabiObservation:
        """What a player sees."""
        from kagiya.interop.hle.hle_observation import HanabiObservation

        return HanabiObservation(self, self._game, player)

    def cur_player(self) -> int:
        """Whose turn it is; -1 is chance."""
        return CHANCE_PLAYER_ID if self._undealt else self._player(self._words[SEAT])

    def deal_random_card(self) -> None:
        """The next card of the deck goes to whom it is due."""
        if not self._undealt:
            raise ValueError("no card is to be dealt now: a player is to move")
        size = self._game.rules.hand_size
        if self._is_first_deal:
            player, index = divmod(self._game.rules.players * size - self._undealt, size)
        else:
            player, index = self._history[-1].player(), size - 1
        self._undealt -= 1
        card = self._words[HANDS + MAX_HAND * self._seat(player) + index]
        self._history += (HanabiHistoryItem.dealt(card, player),)

    def deal_all(self) -> None:
        """All cards that are due."""
        if self._undealt == self.first_deals > 0:
            self._history = tuple(map(HanabiHistoryItem.dealt, self._first_cards(), self._game.dealt_to))
            self._undealt = 0
        while self._undealt:
            self.deal_random_card()

    def _first_cards(self) -> list[int]:
        """The cards of the first deal, player by player."""
        players, size = self._game.rules.players, self._game.rules.hand_size
        cards: list[int] = self._row[HANDS : HANDS + MAX_HAND * players].tolist()
        rows = [MAX_HAND * self._seat(player) for player in range(players)]
        return [card for row in rows for card in cards[row : row + size]]

    @property
    def _is_first_deal(self) -> bool:
        return not self._history or self._history[-1].deal_to_player() >= 0

    def apply_move(self, move: HanabiMove) -> None:
        """The player to move moves; an illegal move is refused with the reason."""
        if self._undealt:
            raise ValueError(f"{move} cannot be made: a card is to be dealt first")
        self._undealt = self._make(self._game.number(move))[turn.DRAWN]

    def make_turn(self, number: int) -> None:
        """The move with this number, and the deal that is due after it."""
        news = self._make(number)
        if news[turn.DRAWN]:
            self._history += (HanabiHistoryItem.dealt(news[turn.DRAWN_CARD], news[turn.PLAYER]),)

    def _make(self, number: int) -> list[int]:
        """Make the move with this number, and tell what it showed."""
        row, last = self._row.copy(), np.empty((1, turn.TURN_FIELDS), np.int64)
        states, ours = as_states(row), self._game.moves[number]
        last[0, turn.NUMBER] = number
        if not turn.make_turn(states, 0, self._start, last, ours):
            reason = Game.from_state(self._game.rules, self.states, 0).why_illegal(ours)
            raise ValueError(f"{self._game.get_move(number)} is not legal: {reason}")
        news: list[int] = last[0].tolist()
        self._row, self.states, self._last, self._read = row, states, last, None
        self._is_over, self._score = bool(news[turn.ENDED]), news[turn.SCORE]
        self._history += (self._game.items[tuple(news[turn.NUMBER : turn.AFTER_KEY])],)
        if news[turn.SHOWN] >= 0 and not news[turn.HAS_SCORED]:
            self._discards += (news[turn.SHOWN],)
        return news

    def deck_size(self) -> int:
        """Cards not dealt yet."""
        return self._words[DECK_SIZE] - self._words[TAKEN] + self._undealt

    def discard_pile(self) -> list[HanabiCard]:
        """Cards lost, in their order."""
        return [HanabiCard.of(card) for card in self._discards]

    def fireworks(self) -> list[int]:
        """Cards played of each color."""
        return self._words[FIREWORKS : FIREWORKS + self._game.rules.colors]

    def cards(self, player: int) -> list[int]:
        """A player's hand, open, in our numbers; what is to be dealt is not there yet."""
        size, first = self._game.rules.hand_size, HANDS + MAX_HAND * self._seat(player)
        held = [card for card in self._words[first : first + size] if card != NO_CARD]
        if not self._undealt:
            return held
        if self._is_first_deal:
            return held[: max(self._game.rules.players * size - self._undealt - size * player, 0)]
        return held[:-1] if self._history[-1].player() == player else held

    def player_hands(self) -> list[list[HanabiCard]]:
        """All hands, open."""
        return [[HanabiCard.of(card) for card in self.cards(player)] for player in range(self._game.rules.players)]

    def knowledge(self, player: int) -> list[HanabiCardKnowledge]:
        """What hints say of a player's cards; a seer is told everything."""
        rules, cards, row = self._game.rules, self.cards(player), MAX_HAND * self._seat(player)
        if self._game.kind is AgentObservationType.SEER:
            return [known(1 << card, TOLD_BOTH, rules.colors, rules.ranks) for card in cards]
        words = self._words
        return [
            known(words[POSSIBLE + row + slot], words[TOLD_WORDS + row + slot], rules.colors, rules.ranks)
            for slot in range(len(cards))
        ]

    def end_of_game_status(self) -> HanabiEndOfGameType:
        """Whether and why the game is over."""
        if not self._is_over:
            return HanabiEndOfGameType.NOT_FINISHED
        if self.life_tokens() == 0:
            return HanabiEndOfGameType.OUT_OF_LIFE_TOKENS
        is_complete = sum(self.fireworks()) == self._game.rules.colors * self._game.rules.ranks
        return HanabiEndOfGameType.COMPLETED_FIREWORKS if is_complete else HanabiEndOfGameType.OUT_OF_CARDS

    def legal_moves(self) -> list[HanabiMove]:
        """What the player to move may do, by the numbers of moves; nothing while a card is to be dealt."""
        return [] if self._undealt else [self._game.get_move(uid) for uid in self._game.uids(self.legal_mask())]

    def legal_mask(self) -> int:
        """The same as a mask of our moves. HLE lists moves after the end too: those that a game going on would have."""
        states = self.states
        if self._is_over:
            row = self._row.copy()
            row[LIVES], row[TURNS_LEFT], row[PLAYED] = 1, 1, 0
            states = as_states(row)
        return int(legal_moves(states, 0))

    def move_is_legal(self, move: HanabiMove) -> bool:
        """Whether the player to move may do this."""
        if self._undealt or self._game.get_move_uid(move) < 0:
            return False
        return bool(self.legal_mask() >> self._game.ours(move) & 1)

    def card_playable_on_fireworks(self, color: int, rank: int) -> bool:
        """Whether this card would score."""
        return 0 <= color < self._game.rules.colors and 0 <= rank == self.fireworks()[color] < self._game.rules.ranks

    def information_tokens(self) -> int:
        """Hint tokens left."""
        return self._words[TOKENS]

    def life_tokens(self) -> int:
        """Lives left."""
        return self._words[LIVES]

    num_players = tells("_game.rules.players", "How many sit at the table.")
    score = tells("_score", "Cards played, or 0 without a life.")
    is_terminal = tells("_is_over", "Whether the game is over.")

    def move_history(self) -> list[HanabiHistoryItem]:
        """All moves and deals."""
        return list(self._history)

    def __str__(self) -> str:
        from kagiya.interop.hle.hle_observation import table_text

        return table_text(self)

    __repr__ = __str__
