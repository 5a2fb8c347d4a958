"""What the conventions say, the slow and obvious way, for tests to compare with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from kagiya.agents.playable_now import DISCARDABLE, NEXT_SEAT, PLAYABLE_NOW
from kagiya.cards import MAX_PLAYERS, MAX_RANKS, NO_CARD, NO_MOVE, mask_cards
from kagiya.engine.game import LANE, Game
from kagiya.moves import MOVES, Move
from kagiya.search import search_layout
from kagiya.search.deals.past_moves import hear_move
from tests.search.deals.hidden_hands import unseen_cards


def mask_of(numbers: Iterable[int]) -> int:
    return sum(1 << int(number) for number in set(numbers))


def names(hint: Move, card: int) -> bool:
    """Whether the hint would touch this card."""
    if card == NO_CARD:
        return False
    return card // MAX_RANKS == hint.color if hint.color is not None else card % MAX_RANKS == hint.rank


def receiver_of(game: Game, hint: Move) -> int:
    assert hint.offset is not None
    return (game.seat + hint.offset) % game.rules.players


def touched(game: Game, hint: Move) -> list[int]:
    hand = game.hands[receiver_of(game, hint)]
    return [slot for slot, card in enumerate(hand) if names(hint, card)]


def fits(game: Game, card: int) -> bool:
    return game.fireworks[card // MAX_RANKS] == card % MAX_RANKS


def fitting_kinds(game: Game) -> set[int]:
    kinds = [MAX_RANKS * color + rank for color in range(game.rules.colors) for rank in range(game.rules.ranks)]
    return {card for card in kinds if fits(game, card)}


def played_kinds(game: Game) -> set[int]:
    return {MAX_RANKS * color + rank for color, top in enumerate(game.fireworks) for rank in range(top)}


def kinds_meant(game: Game, offset: int, convention: int) -> set[int]:
    """What a hint at one card says of it to the seat so many places on; no kinds if nothing."""
    if convention == PLAYABLE_NOW or (convention in (NEXT_SEAT, DISCARDABLE) and offset == 1):
        return fitting_kinds(game)
    is_before = offset == game.rules.players - 1
    return played_kinds(game) if convention == DISCARDABLE and is_before else set()


def hints(game: Game, receivers: int = MAX_PLAYERS) -> list[Move]:
    """Ranks before colors for the next seat, then for the one after it, whether or not they touch a card."""
    found = [move for move in MOVES if move.offset and move.offset < min(game.rules.players, 1 + receivers)]
    return sorted(found, key=lambda move: (move.offset, move.rank is None, move))


def heard(game: Game, convention: int) -> Any:
    """The record of a search that has followed the game."""
    work, again = np.zeros(1, search_layout.SEARCH)[0], game.beginning()
    work["convention"] = convention
    for move in game.moves:
        hear_move(again.states, LANE, work, int(move))
        again.make(move)
    return work


def masks_in(work: Any) -> dict[int, int]:
    """What has been said, by `order`."""
    return {order: int(kinds) for order, kinds in enumerate(work["convention_masks"]) if kinds}


def said_in(game: Game, convention: int) -> dict[int, int]:
    """The same from the game's moves alone."""
    again, said = game.beginning(), dict[int, set[int]]()
    for move in game.moves:
        if move.is_play and convention in (NEXT_SEAT, DISCARDABLE):
            lasting = played_kinds(again) if convention == DISCARDABLE else set[int]()
            said = {order: kinds for order, kinds in said.items() if kinds <= lasting}
        meant = kinds_meant(again, move.offset, convention) if move.offset else set()
        slots = touched(again, move) if meant else []
        if len(slots) == 1:
            order = int(again.states[LANE]["order"][receiver_of(again, move), slots[0]])
            said[order] = (said.get(order, set()) & meant) or meant
        again.make(move)
    return {order: mask_of(kinds) for order, kinds in said.items()}


def misread(game: Game, convention: int) -> list[Move]:
    """Hints that touch one card and say what is not so, though its owner must think that it could."""
    deck = unseen_cards(game, game.seat)  # and the giver's hand, which the giver does not see
    found = []
    for hint in hints(game):
        assert hint.offset is not None
        meant = kinds_meant(game, hint.offset, convention)
        receiver, slots = receiver_of(game, hint), touched(game, hint)
        if len(slots) != 1 or game.hands[receiver][slots[0]] in meant:
            continue
        unseen = [*deck, *(card for card in game.hands[receiver] if card != NO_CARD)]
        known = int(game.states[LANE]["possible"][receiver, slots[0]])
        if any(card in meant and known >> card & 1 and names(hint, card) for card in unseen):
            found.append(hint)
    return found


def told_alone(game: Game, convention: int) -> int:
    """The hint that calls a card playable."""
    offsets = range(1, game.rules.players if convention == PLAYABLE_NOW else 2)
    return first_alone(game, convention, offsets, fitting_kinds(game))


def told_played(game: Game) -> int:
    """The hint that calls a card of the seat before discardable."""
    offset = game.rules.players - 1
    return first_alone(game, DISCARDABLE, range(offset, offset + 1), played_kinds(game)) if offset > 1 else NO_MOVE


def first_alone(game: Game, convention: int, offsets: Iterable[int], kinds: set[int]) -> int:
    said = said_in(game, convention)
    for offset in offsets:
        receiver = (game.seat + offset) % game.rules.players
        for slot, card in enumerate(game.hands[receiver]):
            order = int(game.states[LANE]["order"][receiver, slot])
            if card not in kinds or said.get(order, 0) >> card & 1:
                continue
            for hint in hints(game):
                if hint.offset == offset and touched(game, hint) == [slot]:
                    return hint if game.tokens else NO_MOVE
    return NO_MOVE


def news(game: Game, hint: Move) -> int:
    """For how many cards it is: those whose color or rank the hints so far leave open."""
    receiver, count = receiver_of(game, hint), 0
    for slot in touched(game, hint):
        cards = mask_cards(int(game.states[LANE]["possible"][receiver, slot]))
        parts = {card // MAX_RANKS if hint.color is not None else card % MAX_RANKS for card in cards}
        count += len(parts) > 1
    return count


def most_news(game: Game, forbidden: int) -> int:
    allowed = [hint for hint in hints(game) if touched(game, hint) and not forbidden >> hint & 1]
    return max(allowed, key=lambda hint: news(game, hint)) if allowed and game.tokens else NO_MOVE
