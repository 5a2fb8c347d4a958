"""HLE's state: a game with its chance turns."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
import numpy.typing as npt

from kagiya.cards import NO_CARD
from kagiya.engine.game import Game
from kagiya.engine.kernels import deal_hands, is_legal, is_over, legal_moves
from kagiya.engine.layout import STATE, STATE_OFFSETS, TOLD_BOTH, States
from kagiya.interop.hle.game import AgentObservationType, HanabiGame
from kagiya.interop.hle.pieces import (
    CHANCE_PLAYER_ID,
    HanabiCard,
    HanabiCardKnowledge,
    HanabiHistoryItem,
    HanabiMove,
)
from kagiya.interop.hle.turn_kernels import (
    AFTER_KEY,
    DRAWN,
    DRAWN_CARD,
    ENDED,
    HAS_SCORED,
    NUMBER,
    PLAYER,
    SCORE,
    SHOWN,
    TURN_FIELDS,
    make_turn,
)
from kagiya.rules import MAX_HAND

if TYPE_CHECKING:
    from kagiya.interop.hle.observation import HanabiObservation

# Where a state record's words are.
SEAT, TOKENS, LIVES, TAKEN = (STATE_OFFSETS[name] for name in ("seat", "tokens", "lives", "drawn"))
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

    def __init__(self, game: HanabiGame, deck: Sequence[int] | None = None, position: Game | str | None = None) -> None:
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

    def _dealt(self, deck: Sequence[int]) -> Game:
        return Game(self._game.rules, deck=self._by_seat(np.array(deck)).tolist())

    def _place(self, position: Game | str) -> None:
        table = position.copy() if isinstance(position, Game) else Game.from_position(position)
        if table.rules != self._game.rules:
            raise ValueError("the position has other rules than the game")
        self._take(table.states.view(np.int64))
        self._start = self._undealt = self.first_deals = 0
        self._is_over = bool(is_over(self.states, 0))
        self._score = sum(self.fireworks()) if self.life_tokens() else 0

    def _by_seat(self, deck: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """HLE deals to player 0 first, we to whoever starts."""
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
        from kagiya.interop.hle.observation import HanabiObservation

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
        self._undealt = self._make(self._game.number(move))[DRAWN]

    def make_turn(self, number: int) -> None:
        """The move with this number, and the deal that is due after it."""
        news = self._make(number)
        if news[DRAWN]:
            self._history += (HanabiHistoryItem.dealt(news[DRAWN_CARD], news[PLAYER]),)

    def _make(self, number: int) -> list[int]:
        """Make the move with this number, and tell what it showed."""
        row, last = self._row.copy(), np.empty((1, TURN_FIELDS), np.int64)
        states, ours = as_states(row), self._game.moves[number]
        last[0, NUMBER] = number
        if not make_turn(states, 0, self._start, last, ours):
            reason = Game.from_state(self._game.rules, self.states, 0).why_illegal(ours)
            raise ValueError(f"{self._game.get_move(number)} is not legal: {reason}")
        news: list[int] = last[0].tolist()
        self._row, self.states, self._last, self._read = row, states, last, None
        self._is_over, self._score = bool(news[ENDED]), news[SCORE]
        self._history += (self._game.items[tuple(news[NUMBER:AFTER_KEY])],)
        if news[SHOWN] >= 0 and not news[HAS_SCORED]:
            self._discards += (news[SHOWN],)
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

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._is_over

    def legal_moves(self) -> list[HanabiMove]:
        """What the player to move may do, by the numbers of moves; nothing while a card is to be dealt."""
        return [self._game.get_move(uid) for uid in self.legal_uids()]

    def legal_uids(self) -> list[int]:
        """The same as numbers."""
        return [] if self._undealt else self._game.uids(int(legal_moves(self.states, 0)))

    def move_is_legal(self, move: HanabiMove) -> bool:
        """Whether the player to move may do this."""
        if self._undealt or self._game.get_move_uid(move) < 0:
            return False
        return bool(is_legal(self.states, 0, self._game.ours(move)))

    def card_playable_on_fireworks(self, color: int, rank: int) -> bool:
        """Whether this card would score."""
        return 0 <= color < self._game.rules.colors and 0 <= rank == self.fireworks()[color] < self._game.rules.ranks

    def information_tokens(self) -> int:
        """Hint tokens left."""
        return self._words[TOKENS]

    def life_tokens(self) -> int:
        """Lives left."""
        return self._words[LIVES]

    def num_players(self) -> int:
        """How many sit at the table."""
        return self._game.rules.players

    def score(self) -> int:
        """Cards played, or 0 without a life."""
        return self._score

    def move_history(self) -> list[HanabiHistoryItem]:
        """All moves and deals."""
        return list(self._history)

    def __str__(self) -> str:
        from kagiya.interop.hle.observation import table_text

        return table_text(self)

    __repr__ = __str__
