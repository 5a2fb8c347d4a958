"""A game as hanab.live keeps it, deck and numbered actions, turned into a record and back; its options and variants.

For variants that we cannot play there is a sentence that says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from kagiya import cards
from kagiya.engine.game import LANE, Game
from kagiya.engine.record import BROKEN_OFF, SETTLED, GameRecord, RecordError, end_of, is_settled
from kagiya.lab.deals import VARIANTS, Variant, find_variant
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, MoveError
from kagiya.rules import BombScore, DrawnCard, Rules, RulesError

PLAYED = "No Variant, 3 to 6 plain suits, Critical Fours and Scarce Ones"

# Options that change nothing in the moves or are read elsewhere, and those that change what we cannot change.
SWITCHES = ("timed", "speedrun", "deckPlays")  # the last is refused where a player makes use of it
HARMLESS = ("variant", "startingPlayer", "timed", "timeBase", "timePerTurn", *SWITCHES)
OURS = ("emptyClues", "oneExtraCard", "oneLessCard")
NOT_OURS = {
    "cardCycle": "hands that are reordered by a discard",
    "allOrNothing": "ending the game with 0 once a perfect score is out of reach",
    "detrimentalCharacters": "players with a handicap",
}


def variant_named(name: Any) -> Variant:
    """The variant of this name; one that we cannot play is refused by its name."""
    for variant in VARIANTS:
        if variant.name == name:
            return variant
    raise RecordError(f"the variant {str(name)[:80]!r} cannot be played here; there are {PLAYED}")


def variant_numbered(number: int) -> Variant:
    """The variant that stands in links and seeds by this number."""
    for variant in VARIANTS:
        if variant.number == number:
            return variant
    raise RecordError(f"hanab.live's variant number {number} cannot be played here; there are {PLAYED}")


def variant_of(rules: Rules) -> Variant:
    """Their variant for these rules; the options come on top."""
    variant = find_variant(rules)
    if variant is None:
        copies = "/".join(map(str, rules.copies))
        raise RecordError(f"hanab.live has no variant with {rules.colors} colors and {copies} copies")
    return variant


def live_rules(variant: Variant, players: int, options: Mapping[str, Any]) -> Rules:
    """Our rules for a game of theirs; what we cannot play is refused by its name."""
    if not 2 <= players <= cards.MAX_PLAYERS:
        raise RecordError(f"a game of {players} players; 2 to {cards.MAX_PLAYERS} can play here")
    _check_options(options)
    hand = (5 if players < 4 else 4) + bool(options.get("oneExtraCard")) - bool(options.get("oneLessCard"))
    if hand > cards.MAX_HAND:
        raise RecordError(f"oneExtraCard: hands of {hand} cards; here a hand holds at most {cards.MAX_HAND}")
    try:
        return Rules(
            players=players,
            hand_size=hand,
            colors=variant.colors,
            copies=variant.copies,
            empty_hints=bool(options.get("emptyClues")),
        )
    except RulesError as error:
        raise RecordError(f"rules: {error}") from None


def is_option(name: str) -> bool:
    """Whether it is an option of hanab.live, whatever it does."""
    return name in HARMLESS or name in OURS or name in NOT_OURS


def _check_options(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if name in OURS or name in NOT_OURS or name in SWITCHES:
            if not isinstance(value, bool):
                raise RecordError(f"options: {name} must be true or false, not {str(value)[:80]!r}")
            if value and name in NOT_OURS:
                raise RecordError(f"the option {name} ({NOT_OURS[name]}) cannot be played here")
        elif not is_option(name):
            raise RecordError(f"options: {str(name)[:80]!r} is not an option that is known here")


def live_options(rules: Rules) -> dict[str, Any]:
    """The options with which hanab.live plays these rules, in the order of its exports; others are refused."""
    if reason := why_not_live(rules):
        raise RecordError(f"hanab.live cannot play these rules: {reason}")
    variant, usual = variant_of(rules), 5 if rules.players < 4 else 4
    stated = {
        "variant": variant.name if variant.number else None,
        "emptyClues": rules.empty_hints,
        "oneExtraCard": rules.hand_size == usual + 1,
        "oneLessCard": rules.hand_size == usual - 1,
    }
    return {name: value for name, value in stated.items() if value}


def why_not_live(rules: Rules) -> str:
    """Why they cannot play these rules, in a sentence; empty if they can."""
    usual = 5 if rules.players < 4 else 4
    obstacles = (
        (find_variant(rules) is None, "no variant of theirs has this deck"),
        (abs(rules.hand_size - usual) > 1, f"their hands hold {usual} cards, or one more or less"),
        (rules.hint_tokens != 8, f"they have 8 hint tokens, not {rules.hint_tokens}"),
        (rules.lives != 3, f"they have 3 lives, not {rules.lives}"),
        (rules.discard_at_full_tokens, "with them nobody discards when no token is missing"),
        (rules.discard_limit < rules.hint_tokens, "with them one may discard when a single token is missing"),
        (rules.bomb_score is not BombScore.ZERO, "with them a bombed game scores 0"),
        (not rules.token_for_five, "with them a finished color always gives a token back"),
        (rules.drawn_card is not DrawnCard.END, "with them a drawn card becomes the newest of the hand"),
    )
    return next((reason for stands, reason in obstacles if stands), "")


PLAY, DISCARD, COLOR_HINT, RANK_HINT, END, VOTE = range(6)
NORMAL, STRIKEOUT = 1, 2
ENDS = {3: "timeout", 4: "terminated", 5: "speedrun", 6: "idle", 10: "vote"}
OTHER_ENDS = {
    7: "a player whose handicap allows no move",
    8: "a lost perfect score (allOrNothing)",
    9: "a player who cannot move (allOrNothing)",
}
NUMBERS_OF_ENDS = {name: number for number, name in ENDS.items()}
NOBODY = -1  # who ended a game by vote or by not moving


class Action(NamedTuple):
    """One action by their numbers; a play or discard in the wild may come without its value."""

    kind: int
    target: int
    value: int | None = None


@dataclass(frozen=True, slots=True)
class LiveGame:
    """What their formats hold of a game."""

    players: int
    variant: Variant
    deck: tuple[tuple[int, int], ...]  # suit and rank (1-5), top card first
    actions: tuple[Action, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """Who moves first; seats of a record are counted from there."""
        start = self.options.get("startingPlayer", 0)
        if type(start) is not int or not 0 <= start < self.players:
            raise RecordError(f"options: startingPlayer must be one of the {self.players} players, not {start!r}")
        return start


def to_record(live: LiveGame, source: Mapping[str, str]) -> GameRecord:
    """The record of their game, played move by move; what cannot be is refused with the number of the move."""
    rules = live_rules(live.variant, live.players, live.options)
    deck = [_card(number, *card, live.variant) for number, card in enumerate(live.deck)]
    if len(deck) != rules.deck_size:
        raise RecordError(f"deck: {len(deck)} cards; {live.variant.name} has {rules.deck_size}")
    turned = _turned(rules, live.start)
    try:
        game = Game(rules, deck=[deck[order] for order in turned])
    except ValueError as error:
        raise RecordError(f"deck: {error}") from None
    end, remarks = _play(game, live)
    record = GameRecord.of(game, [PERSON] * live.players, end=end)
    return replace(record, suits=live.variant.suits, source={**source, **remarks})


def _card(number: int, suit: int, rank: int, variant: Variant) -> cards.Card:
    if not 0 <= suit < variant.colors:
        raise RecordError(f"deck: card {number + 1} is of suit {suit}; {variant.name} has suits 0-{variant.colors - 1}")
    if not 1 <= rank <= cards.MAX_RANKS:
        raise RecordError(f"deck: card {number + 1} has rank {rank}; {variant.name} has ranks 1-{cards.MAX_RANKS}")
    return cards.make_card(cards.Color(suit), cards.Rank(rank - 1))


def _turned(rules: Rules, start: int) -> list[int]:
    """For each place of our deck the place in theirs: the first player to move is dealt to first."""
    dealt = rules.players * rules.hand_size
    first = [(place + start * rules.hand_size) % dealt for place in range(dealt)]
    return first + list(range(dealt, rules.deck_size))


def _play(game: Game, live: LiveGame) -> tuple[str, dict[str, str]]:
    """Make the moves; how the game ended, and what should be remembered of it."""
    places = {order: place for place, order in enumerate(_turned(game.rules, live.start))}
    for number, action in enumerate(live.actions, start=1):
        if game.is_over:
            return end_of(game), _left_out(live.actions[number - 1 :])
        if action.kind in (END, VOTE):
            return _told_end(game, number, action), {"ended_by": str(action.target)}
        try:
            _make(game, number, action, places, live)
        except RecordError:
            if is_settled(game):
                return SETTLED, _left_out(live.actions[number - 1 :])
            raise
        if live.options.get("speedrun") and not game.is_over and game.reachable_points < game.rules.perfect_score:
            return "speedrun", _left_out(live.actions[number:])
    return SETTLED if not game.is_over and is_settled(game) else end_of(game), {}


def _left_out(actions: Sequence[Action]) -> dict[str, str]:
    """Real files have moves after the end, which the site does not count either."""
    moves = sum(action.kind < END for action in actions)
    return {"moves_after_the_end": str(moves)} if moves else {}


def _told_end(game: Game, number: int, action: Action) -> str:
    if action.value in ENDS:
        return ENDS[action.value]
    if action.value == NORMAL:  # some programs write it; the site does not
        return SETTLED if is_settled(game) else end_of(game)
    if action.value == STRIKEOUT:
        raise RecordError(f"move {number}: the game ends by the last life lost, but {game.lives} are left")
    if action.value in OTHER_ENDS:
        raise RecordError(f"move {number}: the game ends by {OTHER_ENDS[action.value]}, which there is not here")
    told = ", ".join(f"{value} {name}" for value, name in ENDS.items())
    raise RecordError(f"move {number}: the game is ended by the number {action.value!r}; known are {told}")


def _make(game: Game, number: int, action: Action, places: Mapping[int, int], live: LiveGame) -> None:
    name = cards.SEAT_NAMES[game.seat]
    try:
        move = _move(game, action, places, live)
    except (MoveError, RecordError) as error:
        raise RecordError(f"move {number}, {name}: {error}") from None
    if reason := game.why_illegal(move):
        if move.color is not None:  # by the name that the suit has where it was played
            reason = reason.replace(f" {cards.COLOR_NAMES[move.color]}'", f" {live.variant.suits[move.color]}'")
        raise RecordError(f"move {number}, {name}: {reason}")
    game.make(move)


def _move(game: Game, action: Action, places: Mapping[int, int], live: LiveGame) -> Move:
    if action.kind in (PLAY, DISCARD):
        held = game.states[LANE]["order"][game.seat].tolist()
        place = places.get(action.target)
        if place not in held:
            if live.options.get("deckPlays") and place == game.rules.deck_size - 1:
                raise RecordError("the last card played straight from the deck (deckPlays), which cannot be done here")
            raise RecordError(f"card {action.target} is not in the hand")
        return Move.play(held.index(place)) if action.kind == PLAY else Move.discard(held.index(place))
    if action.kind not in (COLOR_HINT, RANK_HINT):
        raise RecordError(f"{action.kind} is not a kind of action; they are 0 to {VOTE}")
    if not 0 <= action.target < game.rules.players:
        raise RecordError(f"a hint for player {action.target}; there are {game.rules.players}, counted from 0")
    offset = (action.target - live.start - game.seat) % game.rules.players
    if offset == 0:
        raise RecordError("a hint goes to another seat")
    return _hint(offset, action, game.rules)


def _hint(offset: int, action: Action, rules: Rules) -> Move:
    value = -1 if action.value is None else action.value
    if action.kind == COLOR_HINT:
        if not 0 <= value < rules.colors:
            raise RecordError(f"a hint of color {action.value}; there are 0-{rules.colors - 1}")
        return Move.hint_color(offset, cards.Color(value))
    if not 1 <= value <= rules.ranks:
        raise RecordError(f"a hint of rank {action.value}; there are 1-{rules.ranks}")
    return Move.hint_rank(offset, cards.Rank(value - 1))


def from_record(record: GameRecord, form: str) -> LiveGame:
    """Their form of our record; rules that they do not have are refused.

    Where plays came without a value in the same form, they leave without one.
    """
    options = kept_options(record)
    live = LiveGame(record.rules.players, variant_of(record.rules), (), (), options)
    turned = _turned(record.rules, live.start)
    ours = cards.parse_cards(record.deck)
    deck = {
        order: (int(cards.card_color(card)), cards.card_rank(card) + 1)
        for order, card in zip(turned, ours, strict=True)
    }
    bare = record.source.get("plays") == "bare" and record.source.get("format") == form
    actions = (*_actions(record, turned, live.start, None if bare else 0), *_end_action(record))
    return replace(live, deck=tuple(deck[order] for order in range(len(ours))), actions=actions)


def kept_options(record: GameRecord) -> dict[str, Any]:
    """The options that the game came with, if they still say its rules; else those of its rules."""
    stated = live_options(record.rules)
    try:
        kept = json.loads(record.source.get("options", "null"))
        variant = variant_of(record.rules)
        if isinstance(kept, dict) and kept.get("variant", "No Variant") == variant.name:
            return kept if live_rules(variant, record.rules.players, kept) == record.rules else stated
    except (ValueError, RecursionError):
        pass
    return stated


def _actions(record: GameRecord, turned: Sequence[int], start: int, value: int | None) -> Iterator[Action]:
    game = record.deal()
    for move in record.moves:
        if move.slot is not None:
            order = turned[int(game.states[LANE]["order"][game.seat, move.slot])]
            yield Action(PLAY if move.is_play else DISCARD, order, value)
        else:
            assert move.offset is not None
            target = (game.seat + move.offset + start) % record.rules.players
            yield _hint_action(move, target)
        game.make(move)


def _hint_action(move: Move, target: int) -> Action:
    if move.color is not None:
        return Action(COLOR_HINT, target, int(move.color))
    assert move.rank is not None
    return Action(RANK_HINT, target, move.rank + 1)


def _end_action(record: GameRecord) -> list[Action]:
    """A normal end and a bomb append nothing, nor does a failed speedrun; what was broken off does."""
    if record.end not in BROKEN_OFF or record.end == "speedrun":
        return []
    by = record.source.get("ended_by", "")
    target = int(by) if by.removeprefix("-").isdecimal() and len(by) < 4 else NOBODY
    kind = VOTE if record.end == "vote" else END
    return [Action(kind, target, NUMBERS_OF_ENDS[record.end])]
