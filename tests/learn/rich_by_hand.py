"""The rich features the slow and obvious way, for tests to compare with."""

from __future__ import annotations

from kagiya.cards import MAX_RANKS, NO_CARD
from kagiya.engine.game import LANE, Game
from kagiya.learn.rich_feature_kernels import LIKELY
from kagiya.moves import Move
from kagiya.rules import MAX_PLAYERS
from tests.learn.by_hand import all_features, all_kinds, candidates, copies, lost, share, still_scores
from tests.search.deals.convention_by_hand import fits, receiver_of, said_in


def playable(game: Game) -> list[int]:
    return [card for card in all_kinds(game) if fits(game, card)]


def useless(game: Game) -> list[int]:
    return [card for card in all_kinds(game) if not still_scores(game, card)]


def critical(game: Game) -> list[int]:
    gone = lost(game)
    return [card for card in all_kinds(game) if still_scores(game, card) and gone[card] == copies(game, card) - 1]


def rich_hand(game: Game, owner: int, said: dict[int, int]) -> list[float]:
    held = {slot: int(card) for slot, card in enumerate(game.hands[owner]) if card != NO_CARD}
    if not held:
        return [0.0] * 7
    believed = {slot: candidates(game, owner, slot, said) for slot in held}
    truth = {slot: believed[slot] if owner == game.seat else [card] for slot, card in held.items()}
    chances = {slot: share(believed[slot], playable(game)) for slot in held}
    junk = {slot: share(believed[slot], useless(game)) for slot in held}
    best = next(slot for slot in held if chances[slot] == max(chances.values()))
    chop = [slot for slot in held if junk[slot] == max(junk.values())][-1]
    ranked = sorted(chances.values(), reverse=True)
    return [
        ranked[1] if len(ranked) > 1 else 0.0,
        sum(chance >= LIKELY for chance in chances.values()) / len(held),
        sum(share(cards, playable(game)) for cards in truth.values()) / len(held),
        share(truth[best], playable(game)),
        share(truth[chop], critical(game)),
        share(truth[chop], useless(game)),
        sum(len(set(cards)) for cards in believed.values()) / (len(held) * len(all_kinds(game))),
    ]


def rich_features(game: Game, move: Move, convention: int) -> list[float]:
    """All inputs of a rich network for a move."""
    players, seat = game.rules.players, game.seat
    said = said_in(game, convention)
    hands = [rich_hand(game, (seat + n) % players, said) for n in range(players)]
    if move.is_hint:
        heard, trial, receiver = game.copy(), game.copy(), receiver_of(game, move)
        heard.make(move)
        trial.states[LANE]["possible"][receiver] = heard.states[LANE]["possible"][receiver]
        hands[(receiver - seat) % players] = rich_hand(trial, receiver, said_in(heard, convention))
    hands += [[0.0] * 7] * (MAX_PLAYERS - players)
    dead = len(useless(game)) - game.points
    pace = game.points + game.deck_left + players - (len(all_kinds(game)) - dead)
    table = [players / MAX_PLAYERS, pace / len(all_kinds(game))]
    numbers = [number for hand in hands for number in hand]
    return [*all_features(game, move, convention), *table, *numbers, *rich_move(game, move, convention)]


def rich_move(game: Game, move: Move, convention: int) -> list[float]:
    if move.is_hint:
        receiver = receiver_of(game, move)
        offset = (receiver - game.seat) % game.rules.players
        kinds = [card for card in all_kinds(game) if move.color in (None, card // MAX_RANKS)]
        kinds = [card for card in kinds if move.rank in (None, card % MAX_RANKS)]
        touched = [int(card) for card in game.hands[receiver] if card in kinds]
        good, bad = (len([card for card in touched if card in group]) for group in (playable(game), useless(game)))
        size = game.rules.hand_size
        points = len(touched) == 1 and (convention == 1 or (convention == 2 and offset == 1))
        return [0.0] * 3 + [1.0, len(touched) / size, good / size, bad / size, float(points), offset / MAX_PLAYERS]
    assert move.slot is not None
    found = candidates(game, game.seat, move.slot, said_in(game, convention))
    if move.is_play:
        risky = [card for card in critical(game) if card not in playable(game)]
        last = [card for card in playable(game) if card % MAX_RANKS == game.rules.ranks - 1]
        return [share(found, risky), share(found, last), *[0.0] * 7]
    return [0.0, 0.0, share(found, playable(game)), *[0.0] * 6]
