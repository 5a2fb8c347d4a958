"""Everything that a compiled agent may call, under one roof: `docs/kernels.md` lists it.

An agent's module imports from here, ``from kagiya.kernels import kernel, play_safe, NO_MOVE``. The agents of this
package import from the modules themselves, so that an edit of one does not compile them all again.
"""

# Filled lines, since these are lists of names and nothing else.
# ruff: noqa: I001
# fmt: off
from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents.tactics.noted import token_move, unblock
from kagiya.agents.tactics.play_or_discard import (
    cut_off_kinds, discard_cut_off, discard_highest, discard_known_useless, discard_least_necessary, discard_oldest,
    discard_probably_useless, discard_random, discard_unidentified, discard_useless, finished_kinds,
    hle_discard_cut_off, hle_discard_known_useless, hle_discard_most_confident, hle_discard_probably_useless,
    hle_play_known, hle_play_probably_safe, hle_play_safe, known_slot, known_useless_slot, passed_kinds, play_known,
    play_likeliest_at_full_tokens, play_probably_safe, play_safe,
)
from kagiya.agents.tactics.tell import (
    coin_hint, coin_hint_about, dispensable_hint, hle_tell_dispensable, hle_tell_most, hle_tell_most_new,
    hle_tell_next_unknown, hle_tell_playable, hle_tell_playable_at_random, hle_tell_rest_of_playable,
    hle_tell_rest_of_unplayable, hle_tell_rest_of_useless, hle_tell_useless, largest_hint, largest_hint_by_card,
    tell_anything, tell_dispensable, tell_last_copy, tell_last_playable, tell_most_new, tell_most_new_in_turn,
    tell_next_at_random, tell_next_playable, tell_next_playable_at_random, tell_next_single_playable,
    tell_next_unknown, tell_playable, tell_playable_or_useless, tell_rest_of_playable, tell_rest_of_played,
    tell_rest_of_unplayable, tell_useless,
)
from kagiya.agents.tactics.vocabulary import (
    ANY_CHANCE, COLOR_FIRST, FIRST_OR_NONE, FRAMEWORK, HALF_KNOWN, NAMED, NEXT, NEXT_ONLY, REPEATS, SEAT_ORDER, Mode,
    count_receivers, first_slot, hint_about, known_slots, last_slot, likeliest_slots, likely_slots, missing_hint,
    nth_offset, occupied_slots, oldest_slot, random_bit, random_move, slots_of, sure_slots, sure_slots_by_hints,
)
from kagiya.cards import (
    HIDDEN_CARD, MAX_COLORS, MAX_HAND, MAX_PLAYERS, MAX_RANKS, NO_CARD, NO_MOVE, Card, Color, Kinds, MoveNumber,
    Offset, Rank, Seat, Slot, Slots, each_color, each_offset, each_rank, each_seat, each_slot,
)
from kagiya.engine.dice import below, next_word
from kagiya.engine.game_kernels import (
    NO_SLOT, discard_move, discard_of, hint_color, hint_color_of, hint_kinds, hint_move, hint_offset, hint_rank,
    hint_rank_of, hint_receiver, hint_value, is_color_hint, is_discard, is_hint, is_legal, is_over, is_play,
    legal_hints, legal_moves, may_discard, named_color, named_rank, play_move, points, reachable_points, score,
    slot_of, told_part, touched_slots, value_kinds,
)
from kagiya.engine.layout import REASON, TOLD_BOTH, TOLD_COLOR, TOLD_RANK, Lane, Memory, Params, States, Streams
from kagiya.kinds import (
    UNKNOWN_COLOR, UNKNOWN_RANK, add_bit, add_planes, color_kinds, color_of, count_matching, is_single, kind_bit,
    only_color, only_rank, rank_kinds, rank_of, remove_bit, subtract_planes, undecided, within,
)
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT
from kagiya.view.view_kernels import (
    DEAL_TABLE, DealTable, count_deals, critical_kinds, deals_through, exact_chance, hand_chances, possible_kinds,
    public_planes, slot_chance, unseen_planes,
)

__all__ = [
    "ANY_CHANCE", "COLOR_FIRST", "DEAL_TABLE", "FIRST_DISCARD", "FIRST_HINT", "FIRST_OR_NONE", "FRAMEWORK",
    "HALF_KNOWN", "HIDDEN_CARD", "HINTS_PER_SEAT", "MAX_COLORS", "MAX_HAND", "MAX_PLAYERS", "MAX_RANKS", "NAMED",
    "NEXT", "NEXT_ONLY", "NO_CARD", "NO_MOVE", "NO_SLOT", "REASON", "REPEATS", "SEAT_ORDER", "TOLD_BOTH", "TOLD_COLOR",
    "TOLD_RANK", "UNKNOWN_COLOR", "UNKNOWN_RANK", "Card", "Color", "DealTable", "Kinds", "Lane", "Memory", "Mode",
    "MoveNumber", "Offset", "Params", "Rank", "Seat", "Slot", "Slots", "States", "Streams", "add_bit", "add_planes",
    "below", "coin_hint", "coin_hint_about", "color_kinds", "color_of", "count_deals", "count_matching",
    "count_receivers", "critical_kinds", "cut_off_kinds", "deals_through", "discard_cut_off", "discard_highest",
    "discard_known_useless", "discard_least_necessary", "discard_move", "discard_of", "discard_oldest",
    "discard_probably_useless", "discard_random", "discard_unidentified", "discard_useless", "dispensable_hint",
    "each_color", "each_offset", "each_rank", "each_seat", "each_slot", "exact_chance", "finished_kinds", "first_slot",
    "hand_chances", "hint_about", "hint_color", "hint_color_of", "hint_kinds", "hint_move", "hint_offset", "hint_rank",
    "hint_rank_of", "hint_receiver", "hint_value", "hle_discard_cut_off", "hle_discard_known_useless",
    "hle_discard_most_confident", "hle_discard_probably_useless", "hle_play_known", "hle_play_probably_safe",
    "hle_play_safe", "hle_tell_dispensable", "hle_tell_most", "hle_tell_most_new", "hle_tell_next_unknown",
    "hle_tell_playable", "hle_tell_playable_at_random", "hle_tell_rest_of_playable", "hle_tell_rest_of_unplayable",
    "hle_tell_rest_of_useless", "hle_tell_useless", "is_color_hint", "is_discard", "is_hint", "is_legal", "is_over",
    "is_play", "is_single", "kernel", "kind_bit", "known_slot", "known_slots", "known_useless_slot", "largest_hint",
    "largest_hint_by_card", "last_slot", "legal_hints", "legal_moves", "likeliest_slots", "likely_slots", "lowest_bit",
    "may_discard", "missing_hint", "named_color", "named_rank", "next_word", "nth_offset", "occupied_slots",
    "oldest_slot", "only_color", "only_rank", "passed_kinds", "play_known", "play_likeliest_at_full_tokens",
    "play_move", "play_probably_safe", "play_safe", "points", "popcount", "possible_kinds", "public_planes",
    "random_bit", "random_move", "rank_kinds", "rank_of", "reachable_points", "remove_bit", "score", "slot_chance",
    "slot_of", "slots_of", "subtract_planes", "sure_slots", "sure_slots_by_hints", "tell_anything", "tell_dispensable",
    "tell_last_copy", "tell_last_playable", "tell_most_new", "tell_most_new_in_turn", "tell_next_at_random",
    "tell_next_playable", "tell_next_playable_at_random", "tell_next_single_playable", "tell_next_unknown",
    "tell_playable", "tell_playable_or_useless", "tell_rest_of_playable", "tell_rest_of_played",
    "tell_rest_of_unplayable", "tell_useless", "token_move", "told_part", "touched_slots", "unblock", "undecided",
    "unseen_planes", "value_kinds", "within",
]
