"""Cards, what is known of them, moves and history items, with the methods of HLE's `pyhanabi` objects."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter, index
from typing import Any, SupportsIndex

from kagiya.cards import COLOR_LETTERS, MAX_RANKS, Card
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK

COLOR_CHAR = list(COLOR_LETTERS[:5])
CHANCE_PLAYER_ID = -1


class HanabiMoveType(enum.IntEnum):
    """What a move does."""

    INVALID = 0
    PLAY = 1
    DISCARD = 2
    REVEAL_COLOR = 3
    REVEAL_RANK = 4
    DEAL = 5


def whole(name: str, number: Any) -> int:
    """An integer as Python's own; numpy's are taken too."""
    try:
        return index(number)
    except TypeError:
        raise ValueError(f"{name} must be an integer, not {number!r}") from None


def tells(part: str, meaning: str) -> Callable[[Any], int]:
    """A method that tells a number its object has; HLE has methods where Python would have attributes."""
    read = attrgetter(part)

    def told(self: Any) -> int:
        number: int = read(self)
        return number

    told.__doc__ = meaning
    return told


def color_idx_to_char(color_idx: SupportsIndex) -> str | None:
    """The letter of a color; None for -1."""
    if not isinstance(color_idx, SupportsIndex) or not -1 <= index(color_idx) < len(COLOR_LETTERS):
        raise AssertionError(f"colors are 0-{len(COLOR_LETTERS) - 1}, not {color_idx!r}")
    return None if index(color_idx) == -1 else COLOR_LETTERS[color_idx]


def color_char_to_idx(color_char: str) -> int:
    """The number of a color's letter."""
    if not isinstance(color_char, str) or len(color_char) != 1 or color_char not in COLOR_LETTERS:
        raise ValueError(f"a color is one of the letters {COLOR_LETTERS}, not {color_char!r}")
    return COLOR_LETTERS.index(color_char)


@dataclass(frozen=True, init=False)
class HanabiCard:
    """A card; color and rank are -1 for one that is not seen."""

    _color: int
    _rank: int

    def __init__(self, color: int, rank: int) -> None:
        object.__setattr__(self, "_color", color)
        object.__setattr__(self, "_rank", rank)

    @classmethod
    def of(cls, card: int) -> HanabiCard:
        """Our card as theirs."""
        return _CARDS[card] if card >= 0 else _UNSEEN

    color = tells("_color", "From 0.")
    rank = tells("_rank", "From 0.")

    def valid(self) -> bool:
        """Whether it is seen."""
        return self._color >= 0 and self._rank >= 0

    def to_dict(self) -> dict[str, Any]:
        """{"color": "R", "rank": 0}; a card that is not seen has None and -1."""
        return {"color": color_idx_to_char(self._color), "rank": self._rank}

    def __str__(self) -> str:
        return f"{COLOR_LETTERS[self._color]}{self._rank + 1}" if self.valid() else "XX"

    __repr__ = __str__


_CARDS = tuple(HanabiCard(card // MAX_RANKS, card % MAX_RANKS) for card in range(len(COLOR_LETTERS) * MAX_RANKS))
_UNSEEN = HanabiCard(-1, -1)


@dataclass(frozen=True)
class HanabiCardKnowledge:
    """What hints say of a card: `_possible` are the kinds they leave open, `_told` what they named."""

    _possible: int
    _told: int
    _colors: int
    _ranks: int

    def _any(self) -> int:
        return (self._possible & -self._possible).bit_length() - 1

    def color(self) -> int | None:
        """The color, if a hint named it."""
        return self._any() // MAX_RANKS if self._told & TOLD_COLOR else None

    def rank(self) -> int | None:
        """The rank, if a hint named it."""
        return self._any() % MAX_RANKS if self._told & TOLD_RANK else None

    def color_plausible(self, color_index: int) -> bool:
        """Whether hints leave this color open."""
        return 0 <= color_index < self._colors and bool(self._possible >> MAX_RANKS * color_index & 31)

    def rank_plausible(self, rank_index: int) -> bool:
        """Whether hints leave this rank open."""
        kinds = (MAX_RANKS * color + rank_index for color in range(self._colors))
        return 0 <= rank_index < self._ranks and any(self._possible >> kind & 1 for kind in kinds)

    def to_dict(self) -> dict[str, Any]:
        """What hints named; None where they named nothing."""
        color = self.color()
        return {"color": None if color is None else COLOR_LETTERS[color], "rank": self.rank()}

    def __str__(self) -> str:
        color, rank = self.color(), self.rank()
        told = f"{'X' if color is None else COLOR_LETTERS[color]}{'X' if rank is None else rank + 1}"
        colors = "".join(COLOR_LETTERS[each] for each in range(self._colors) if self.color_plausible(each))
        return f"{told}|{colors}{''.join(str(each + 1) for each in range(self._ranks) if self.rank_plausible(each))}"

    __repr__ = __str__


@dataclass(frozen=True)
class HanabiMove:
    """A move; what it does not have is -1."""

    _type: HanabiMoveType
    _card_index: int = -1
    _target_offset: int = -1
    _color: int = -1
    _rank: int = -1

    @staticmethod
    def get_discard_move(card_index: int) -> HanabiMove:
        """Discard the card in this place of the hand."""
        return HanabiMove(HanabiMoveType.DISCARD, _card_index=whole("card_index", card_index))

    @staticmethod
    def get_play_move(card_index: int) -> HanabiMove:
        """Play the card in this place of the hand."""
        return HanabiMove(HanabiMoveType.PLAY, _card_index=whole("card_index", card_index))

    @staticmethod
    def get_reveal_color_move(target_offset: int, color: int) -> HanabiMove:
        """Tell the player at this offset which cards have this color."""
        target = whole("target_offset", target_offset)
        return HanabiMove(HanabiMoveType.REVEAL_COLOR, _target_offset=target, _color=whole("color", color))

    @staticmethod
    def get_reveal_rank_move(target_offset: int, rank: int) -> HanabiMove:
        """Tell the player at this offset which cards have this rank."""
        target = whole("target_offset", target_offset)
        return HanabiMove(HanabiMoveType.REVEAL_RANK, _target_offset=target, _rank=whole("rank", rank))

    def type(self) -> HanabiMoveType:
        """What it does."""
        return self._type

    card_index = tells("_card_index", "Of a play or discard.")
    target_offset = tells("_target_offset", "Of a hint.")
    color = tells("_color", "Of a color hint or a deal.")
    rank = tells("_rank", "Of a rank hint or a deal.")

    def to_dict(self) -> dict[str, Any]:
        """The form that `rl_env` takes as an action."""
        if self._type == HanabiMoveType.DEAL:
            return {"action_type": self._type.name, **HanabiCard(self._color, self._rank).to_dict()}
        parts: dict[str, Any] = {"card_index": self._card_index, "target_offset": self._target_offset}
        parts |= {"color": color_idx_to_char(self._color), "rank": self._rank}
        return {"action_type": self._type.name} | {name: part for name, part in parts.items() if part not in (-1, None)}

    def __str__(self) -> str:
        if self._type == HanabiMoveType.DEAL:
            return f"(Deal {HanabiCard(self._color, self._rank)})"
        if self._type in (HanabiMoveType.PLAY, HanabiMoveType.DISCARD):
            return f"({self._type.name.capitalize()} {self._card_index})"
        if self._type == HanabiMoveType.REVEAL_COLOR:
            return f"(Reveal player +{self._target_offset} color {color_idx_to_char(self._color)})"
        return f"(Reveal player +{self._target_offset} rank {self._rank + 1})"

    __repr__ = __str__


_DEALS = [HanabiMove(HanabiMoveType.DEAL, _color=card.color(), _rank=card.rank()) for card in (*_CARDS, _UNSEEN)]


@dataclass(frozen=True)
class HanabiHistoryItem:
    """One move of the story, with what it showed; a deal's player is -1."""

    _move: HanabiMove
    _player: int = CHANCE_PLAYER_ID
    _scored: bool = False
    _information_token: bool = False
    _card: int = -1
    _revealed: tuple[int, ...] = ()
    _newly_revealed: tuple[int, ...] = ()
    _deal_to: int = -1

    @staticmethod
    @cache
    def dealt(card: int, player: int) -> HanabiHistoryItem:
        """A card that was dealt; -1 if it is not seen."""
        return HanabiHistoryItem(_DEALS[card], _deal_to=player)

    def seen_from(self, player: int, players: int, is_seer: bool) -> HanabiHistoryItem:
        """The same with players counted from this one, whose own cards are hidden unless it is a seer."""
        if self._deal_to < 0:
            return replace(self, _player=(self._player - player) % players)
        offset = (self._deal_to - player) % players
        move = HanabiMove(HanabiMoveType.DEAL) if offset == 0 and not is_seer else self._move
        return HanabiHistoryItem(move, _deal_to=offset)

    def move(self) -> HanabiMove:
        """What was done."""
        return self._move

    player = tells("_player", "By whom.")
    deal_to_player = tells("_deal_to", "To whom a card was dealt.")
    scored = tells("_scored", "Whether a card was added to the fireworks.")
    information_token = tells("_information_token", "Whether a token came back.")

    def color(self) -> int:
        """Of the card that was played or discarded."""
        return HanabiCard.of(self._card).color()

    def rank(self) -> int:
        """Of the card that was played or discarded."""
        return HanabiCard.of(self._card).rank()

    def card_info_revealed(self) -> list[int]:
        """Places in the hand that a hint touched."""
        return list(self._revealed)

    def card_info_newly_revealed(self) -> list[int]:
        """Those of them that had not been told this before."""
        return list(self._newly_revealed)

    def __str__(self) -> str:
        words = [str(self._move)]
        if self._player >= 0:
            words.append(f"by player {self._player}")
        words += ["scored"] * self._scored + ["info_token"] * self._information_token
        if self._card >= 0:
            words.append(str(HanabiCard.of(Card(self._card))))
        if self._revealed:
            words.append(f"reveal {','.join(map(str, self._revealed))}")
        return f"<{' '.join(words)}>"

    __repr__ = __str__
