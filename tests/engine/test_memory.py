"""Memories with guard words: whatever is written beyond the declared words is found, and stays to be found."""

import random

import pytest

from kagiya.cards import MAX_PLAYERS
from kagiya.engine.memory import CANARY, GUARD_WORDS, MARGIN, Memories, clear_memory, copy_memory

DECLARED, KEPT = (3, 0, 7), (1, 0, 2)
LANE, OTHER = 1, 2


def new_memories() -> Memories:
    return Memories(3, DECLARED, KEPT)


def test_what_an_agent_declares_is_zero_and_may_be_written() -> None:
    memories = new_memories()
    for seat, words in enumerate(DECLARED):
        assert not memories.rows[:, seat, :words].any()
        memories.rows[:, seat, :words] = -1
    assert memories.damage() is None


def test_every_other_word_is_guarded() -> None:
    memories = new_memories()
    dice = random.Random(1)
    width = max(DECLARED) + GUARD_WORDS
    for seat in range(MAX_PLAYERS):
        for word in range(DECLARED[seat] if seat < len(DECLARED) else 0, width):
            lane, value = dice.randrange(3), dice.randrange(1 << 40)
            memories.rows[lane, seat, word] = value
            found = memories.damage()
            assert found is not None
            assert (found.seat, found.word, found.value) == (seat, word, value)
            memories.rows[lane, seat, word] = CANARY
    assert memories.damage() is None


@pytest.mark.parametrize("place", [0, MARGIN - 1, -MARGIN, -1])
def test_the_words_around_all_rows_are_guarded(place: int) -> None:
    memories = new_memories()
    memories._words[place] = 5
    found = memories.damage()
    assert found is not None
    assert found.seat is None
    assert "5 stands outside all memory" in str(found)
    memories.restore()
    assert memories.damage() is None


def test_a_new_game_wipes_what_is_not_kept_and_leaves_the_guards() -> None:
    memories = new_memories()
    memories.rows[LANE, 2, :7] = 9
    memories.rows[LANE, 0, 3] = 4
    clear_memory(memories.rows, LANE, memories.extents)
    assert memories.rows[LANE, 2, :7].tolist() == [9, 9, 0, 0, 0, 0, 0]
    assert str(memories.damage()).startswith("4 stands in memory[i, 0, 3], where alice has memory_words=3")


def test_a_copy_takes_the_words_along_and_hides_no_damage() -> None:
    memories = new_memories()
    memories.rows[LANE, 2, :7] = range(7)
    memories.rows[OTHER, 2, 7] = 1
    copy_memory(memories.rows, LANE, OTHER, memories.extents)
    assert memories.rows[OTHER, 2, :7].tolist() == list(range(7))
    assert memories.damage() is not None
