"""The features the slow and obvious way, from lists of cards, for tests to compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kagiya.agents.playable_now import PLAYABLE_NOW
from kagiya.cards import MAX_PLAYERS, MAX_RANKS, NO_CARD
from kagiya.engine.game import LANE, Game
from kagiya.moves import Move
from tests.search.deals.convention_by_hand import fits, receiver_of, said_in
from tests.search.deals.hidden_hands import unseen_cards


def copies(game: Game, card: int) -> int:
    return game.rules.copies[card % MAX_RANKS]


def lost(game: Game) -> Counter[int]:
    """The discards: what is neither on the fireworks nor in a hand nor in the deck."""
    seen: Counter[int] = Counter(int(card) for hand in game.hands for card in hand if card != NO_CARD)
    seen += Counter(int(card) for card in game.states[LANE]["deck"][: game.rules.deck_size] if card >= 0)
    seen += Counter(MAX_RANKS * color + rank for color, top in enumerate(game.fireworks) for rank in range(top))
    whole = Counter({card: copies(game, card) for card in all_kinds(game)})
    return whole - seen


def all_kinds(game: Game) -> list[int]:
    return [MAX_RANKS * color + rank for color in range(game.rules.colors) for rank in range(game.rules.ranks)]


def still_scores(game: Game, card: int) -> bool:
    """Whether the kind can still be played: not played yet, and it and all below it not lost."""
    color, rank = divmod(card, MAX_RANKS)
    top, gone = game.fireworks[color], lost(game)
    needed = [MAX_RANKS * color + each for each in range(top, rank + 1)]
    return rank >= top and all(gone[each] < copies(game, each) for each in needed)


def same_color(game: Game, card: int) -> list[int]:
    """The kinds of a card's color that can still be played."""
    color = card // MAX_RANKS
    return [each for each in all_kinds(game) if each // MAX_RANKS == color and still_scores(game, each)]


def share(cards: list[int], good: Iterable[int]) -> float:
    good = set(good)
    return sum(card in good for card in cards) / len(cards) if cards else 0.0


def candidates(game: Game, owner: int, slot: int, said: dict[int, int]) -> list[int]:
    """The cards that a slot can be, as its owner believes and as far as the seat to move can tell."""
    possible = int(game.states[LANE]["possible"][owner, slot])
    unseen = unseen_cards(game, game.seat)
    if owner != game.seat:
        unseen += [card for card in game.hands[owner] if card != NO_CARD]
    cards = [card for card in unseen if possible >> card & 1]
    mask = said.get(int(game.states[LANE]["order"][owner, slot]), 0)
    return [card for card in cards if mask >> card & 1] or cards


def hand_features(game: Game, owner: int, said: dict[int, int]) -> list[float]:
    kinds = all_kinds(game)
    playable = [card for card in kinds if fits(game, card)]
    almost = [card for card in kinds if card % MAX_RANKS and card - 1 in playable and still_scores(game, card)]
    useless = [card for card in kinds if not still_scores(game, card)]
    best, informed, cards = [0.0, 0.0, 0.0], 0, 0
    for slot, held in enumerate(game.hands[owner]):
        if held == NO_CARD:
            continue
        found = candidates(game, owner, slot, said)
        best = [max(a, share(found, b)) for a, b in zip(best, (playable, almost, useless), strict=True)]
        left = [card for card in kinds if int(game.states[LANE]["possible"][owner, slot]) >> card & 1]
        informed += len({card // MAX_RANKS for card in left}) == 1
        informed += len({card % MAX_RANKS for card in left}) == 1
        cards += 1
    return [*best, informed / (2 * max(cards, 1))]


def state_features(game: Game, convention: int = PLAYABLE_NOW) -> list[float]:
    rules, players = game.rules, game.rules.players
    perfect = rules.colors * rules.ranks
    undealt = rules.deck_size - players * rules.hand_size
    said = said_in(game, convention)
    hands = [hand_features(game, (game.seat + n) % players, said) for n in range(players)]
    hands += [[0.0] * 4] * (MAX_PLAYERS - players)
    left = players + 1 if game.deck_left else int(game.states[LANE]["turns_left"])
    dead = sum(not still_scores(game, card) for card in all_kinds(game)) - game.points
    piles = [sum(top >= rank for top in game.fireworks) / rules.colors for rank in (5, 4, 3, 2, 1)]
    table = [game.points / perfect, game.tokens / rules.hint_tokens, game.lives / rules.lives]
    return [
        *table,
        game.deck_left / max(undealt, 1),
        *(number for hand in hands for number in hand),
        left / players,
        dead / perfect,
        *piles,
    ]


def all_features(game: Game, move: Move, convention: int = PLAYABLE_NOW) -> list[float]:
    """The 38 numbers of a move: a hint is made, and seen by the seat that made it."""
    if move.is_hint:
        return [*after_hint(game, move, convention), *[0.0] * 7]
    state, slot = state_features(game, convention), move.slot
    assert slot is not None
    found = candidates(game, game.seat, slot, said_in(game, convention))
    if move.is_play:
        playable = [card for card in all_kinds(game) if fits(game, card)]
        above = {card: card + 1 for card in playable if (card % MAX_RANKS) + 1 < game.rules.ranks}
        ending = [card for card in playable if card not in above or not still_scores(game, above[card])]
        return [*state, 1.0, share(found, playable), share(found, ending), *[0.0] * 4]
    gone = lost(game)
    useless = [card for card in all_kinds(game) if not still_scores(game, card)]
    last = [card for card in all_kinds(game) if still_scores(game, card) and gone[card] == copies(game, card) - 1]
    above_it = {card: len([each for each in same_color(game, card) if each >= card]) for card in last}
    points = sum(above_it.get(card, 0) for card in found) / max(len(found), 1)
    return [*state, 0.0, 0.0, 0.0, 1.0, share(found, useless), share(found, last), points]


def after_hint(game: Game, move: Move, convention: int) -> list[float]:
    """The features after the hint, for the seat that gives it: a token less, and the receiver has learned something."""
    heard = game.copy()
    heard.make(move)
    receiver = receiver_of(game, move)
    before, trial = state_features(game, convention), game.copy()
    trial.states[LANE]["possible"][receiver] = heard.states[LANE]["possible"][receiver]
    place = 4 + 4 * ((receiver - game.seat) % game.rules.players)
    before[1] = (game.tokens - 1) / game.rules.hint_tokens
    before[place : place + 4] = hand_features(trial, receiver, said_in(heard, convention))
    return before
