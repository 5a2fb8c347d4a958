"""The rules of a game as data, and the presets that carry the names of their users.

Papers play by different rules and their scores differ accordingly, so no score is shown without the
`caption` of its rules: how a bombed game counts, and whether a hint may touch no card.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any

from kagiya.cards import MAX_COLORS, MAX_COPIES, MAX_HAND, MAX_PLAYERS, MAX_RANKS
from kagiya.spec import near, parse_spec

STANDARD_COPIES = (3, 2, 2, 2, 1)
MAX_TOKENS = 20
MAX_LIVES = 20
MAX_DECK = 60


class BombScore(StrEnum):
    """What a game counts when the last life is lost."""

    ZERO = "zero"
    KEEP = "keep"


class DrawnCard(StrEnum):
    """Where a drawn card goes; agents that say "oldest" or break ties by slot depend on it."""

    END = "end"  # the others close up and it becomes the last slot, as in the Hanabi Learning Environment
    VACATED = "vacated"  # it takes the place of the card that left, as in the Java competition framework


class RulesError(ValueError):
    """An impossible combination of rules, or one out of range."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One set of rules. `hand_size` 0 stands for the usual one: 5 cards for 2-3 players, 4 for 4-5."""

    players: int = 2
    hand_size: int = 0
    colors: int = 5
    copies: tuple[int, ...] = STANDARD_COPIES  # of each rank, lowest first; its length is the number of ranks
    hint_tokens: int = 8
    lives: int = 3
    empty_hints: bool = False  # may a hint touch no card?
    discard_at_full_tokens: bool = False
    discard_below: int = 0  # a discard needs fewer tokens than this, or 0: than there are in the game
    bomb_score: BombScore = BombScore.ZERO
    token_for_five: bool = True  # does finishing a color give a token back?
    drawn_card: DrawnCard = DrawnCard.END

    def __post_init__(self) -> None:
        _check_range("players", self.players, 2, MAX_PLAYERS)
        if self.hand_size == 0:
            object.__setattr__(self, "hand_size", 5 if self.players < 4 else 4)
        if not isinstance(self.copies, tuple | list):
            raise RulesError(f"copies must list the copies of each rank, like (3, 2, 2, 2, 1), not {self.copies!r}")
        object.__setattr__(self, "copies", tuple(self.copies))
        object.__setattr__(self, "bomb_score", _choice(BombScore, "bomb_score", self.bomb_score))
        object.__setattr__(self, "drawn_card", _choice(DrawnCard, "drawn_card", self.drawn_card))
        _check(self)

    @property
    def ranks(self) -> int:
        """How many ranks there are."""
        return len(self.copies)

    @property
    def deck_size(self) -> int:
        """How many cards there are."""
        return self.colors * sum(self.copies)

    @property
    def perfect_score(self) -> int:
        """The highest score there is."""
        return self.colors * self.ranks

    @property
    def discard_limit(self) -> int:
        """One may discard with fewer tokens than this."""
        if self.discard_at_full_tokens:
            return self.hint_tokens + 1
        return min(self.discard_below or self.hint_tokens, self.hint_tokens)

    def why_no_discard(self, tokens: int) -> str:
        """Why nothing may be discarded with so many tokens; empty if something may."""
        if tokens < self.discard_limit:
            return ""
        there = f"all {tokens}" if tokens == self.hint_tokens else f"{tokens} of {self.hint_tokens}"
        return f"{there} hint tokens are there, so nothing may be discarded"

    def caption(self) -> str:
        """One line to stand beside every score played by these rules."""
        bomb = "a bomb scores 0" if self.bomb_score is BombScore.ZERO else "a bomb keeps the points"
        hints = "empty hints legal" if self.empty_hints else "empty hints illegal"
        return f"{self.players} players, {self.hand_size} cards; {bomb}; {hints}"

    def text(self) -> str:
        """The nearest preset and what differs from it, e.g. ``standard(lives=4)``; without the players."""
        return min((_difference(self, name) for name in PRESETS), key=lambda text: text.count("="))

    def to_json(self) -> dict[str, Any]:
        """Plain data; `Rules.from_json` is the inverse.

        `discard_below` is left out where it says nothing, as in what was written before there was such a rule.
        """
        data = {**asdict(self), "copies": list(self.copies)}
        return data if self.discard_below else {key: data[key] for key in data if key != "discard_below"}

    @classmethod
    def from_json(cls, data: Any) -> Rules:
        """Build and check rules from plain data; unknown or missing keys are refused."""
        names = {field.name for field in fields(cls)}
        if not isinstance(data, dict) or {*data, "discard_below"} != names:
            raise RulesError(f"rules must be an object with exactly the keys {', '.join(sorted(names))}")
        if not isinstance(data["copies"], list):
            raise RulesError("copies must be a list of numbers")
        return cls(**data)

    @classmethod
    def preset(cls, name: str, /, players: int = 2, **changes: Any) -> Rules:
        """The preset of this name for this number of players, with single rules changed."""
        if name not in PRESETS:
            raise RulesError(f"no rules named {name!r}; {near(name, PRESETS)}")
        known = {field.name for field in fields(cls)}
        if unknown := set(changes) - known:
            raise RulesError(f"no rule named {min(unknown)!r} can be changed; {near(min(unknown), known)}")
        return replace(PRESETS[name], **({"players": players, "hand_size": 0} | _own_hand(name) | changes))


def parse_rules(text: str, players: int = 2) -> Rules:
    """Rules as written on the command line: ``standard``, ``bouzy(hand_size=3)``; inverse of `Rules.text`."""
    spec = parse_spec(text)
    if "players" in dict(spec.named):
        raise RulesError(f"{text!r}: the number of players is given apart from the rules")
    if spec.values:
        raise RulesError(f"{text!r}: write what differs as key=value, not {spec.values[0]}")
    return Rules.preset(spec.name, players, **{key: _parse_value(key, str(value)) for key, value in spec.named})


def _parse_value(key: str, text: str) -> Any:
    try:
        if key == "copies":
            return tuple(int(part) for part in text.split("/"))
        return int(text) if text.isdecimal() and len(text) < 10 else {"true": True, "false": False}.get(text, text)
    except ValueError:
        raise RulesError(f"copies are written lowest rank first, like 3/2/2/2/1, not {text!r}") from None


def _own_hand(name: str) -> dict[str, int]:
    # HLE's small games deal two cards to any number of players.
    return {"hand_size": 2} if name.endswith("small") else {}


def _difference(rules: Rules, name: str) -> str:
    base = Rules.preset(name, rules.players)
    changed = [f.name for f in fields(rules) if getattr(rules, f.name) != getattr(base, f.name)]
    listed = ", ".join(f"{key}={_value_text(getattr(rules, key))}" for key in changed)
    return f"{name}({listed})" if listed else name


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return str(value).lower()


def _choice(kind: type[StrEnum], name: str, value: Any) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise RulesError(f"{name} must be one of {', '.join(kind)}, not {value!r}") from None


def _check_range(name: str, value: Any, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RulesError(f"{name} must be an integer from {low} to {high}, not {value!r}")


def _check(rules: Rules) -> None:
    _check_range("hand_size", rules.hand_size, 1, MAX_HAND)
    _check_range("colors", rules.colors, 1, MAX_COLORS)
    _check_range("the number of ranks", rules.ranks, 1, MAX_RANKS)
    for copies in rules.copies:
        _check_range("copies of a rank", copies, 1, MAX_COPIES)
    _check_range("hint_tokens", rules.hint_tokens, 1, MAX_TOKENS)
    _check_range("lives", rules.lives, 1, MAX_LIVES)
    _check_range("discard_below", rules.discard_below, 0, MAX_TOKENS)
    for name in ("empty_hints", "discard_at_full_tokens", "token_for_five"):
        if not isinstance(getattr(rules, name), bool):
            raise RulesError(f"{name} must be true or false, not {getattr(rules, name)!r}")
    if rules.discard_at_full_tokens and rules.discard_below:
        raise RulesError("discard_at_full_tokens and discard_below contradict each other; one of them must be off")
    if rules.deck_size > MAX_DECK:
        raise RulesError(f"the deck would have {rules.deck_size} cards; the table has room for {MAX_DECK}")
    dealt = rules.players * rules.hand_size
    if dealt > rules.deck_size:
        raise RulesError(f"{dealt} cards are dealt to {rules.players} players but the deck has {rules.deck_size}")


PRESETS: dict[str, Rules] = {
    "standard": Rules(),
    "hle": Rules(),
    "hle-small": Rules(colors=2, hand_size=2, hint_tokens=3, lives=1),
    "hle-very-small": Rules(colors=1, hand_size=2, hint_tokens=3, lives=1),
    "goodman": Rules(bomb_score=BombScore.KEEP, drawn_card=DrawnCard.VACATED),
    "brooks": Rules(),
    "van-den-bergh": Rules(drawn_card=DrawnCard.VACATED, empty_hints=True, token_for_five=False),
    "rallabhandi": Rules(drawn_card=DrawnCard.VACATED, empty_hints=True),
    "bouzy": Rules(bomb_score=BombScore.KEEP, empty_hints=True, discard_below=7),
    "quuxplusone": Rules(bomb_score=BombScore.KEEP),
}
"""Rules by the name of who plays by them. ``standard`` is the printed rule book."""
