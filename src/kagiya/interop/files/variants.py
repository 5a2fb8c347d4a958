"""The options of hanab.live and our rules for its variants, and the sentence for those that we cannot play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kagiya.engine.record import RecordError
from kagiya.lab.deals.variants import VARIANTS, Variant, find_variant
from kagiya.rules import MAX_HAND, MAX_PLAYERS, BombScore, DrawnCard, Rules, RulesError

PLAYED = "No Variant, 3 to 6 plain suits, Critical Fours and Scarce Ones"

# Options that change nothing in the moves or are read elsewhere, and those that change what we cannot change.
SWITCHES = ("timed", "speedrun", "deckPlays")  # the last is refused where somebody makes use of it
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
        raise RecordError(
            f"hanab.live has no variant with {rules.colors} colors and {'/'.join(map(str, rules.copies))} copies"
        )
    return variant


def live_rules(variant: Variant, players: int, options: Mapping[str, Any]) -> Rules:
    """Our rules for a game of theirs; what we cannot play is refused by its name."""
    if not 2 <= players <= MAX_PLAYERS:
        raise RecordError(f"a game of {players} players; 2 to {MAX_PLAYERS} can play here")
    _check_options(options)
    hand = (5 if players < 4 else 4) + bool(options.get("oneExtraCard")) - bool(options.get("oneLessCard"))
    if hand > MAX_HAND:
        raise RecordError(f"oneExtraCard: hands of {hand} cards; here a hand holds at most {MAX_HAND}")
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
        (rules.bomb_score is not BombScore.ZERO, "with them a bombed game scores 0"),
        (not rules.token_for_five, "with them a finished color always gives a token back"),
        (rules.drawn_card is not DrawnCard.END, "with them a drawn card becomes the newest of the hand"),
    )
    return next((reason for stands, reason in obstacles if stands), "")
