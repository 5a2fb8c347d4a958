"""Lists as text and back, and operators that never leave their representation."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from kagiya.agents.register import find_agent
from kagiya.agents.tactics.vocabulary import tactics
from kagiya.lab.training.algorithm import (
    LONGEST,
    EvolutionPlan,
    FreeLists,
    Orders,
    breed_of,
    child,
    exchanged,
    random_use,
    sizes,
)
from kagiya.lab.training.rule_lists import (
    RULE_SETS,
    FitnessSum,
    RacedList,
    list_text,
    read_list,
    rules_of,
    tactic_kinds,
)
from kagiya.spec import SpecError
from tests.strategies import examples

SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("rule_set", RULE_SETS)
@examples(40)
@given(seed=SEEDS)
def test_a_list_can_be_written_and_read_back(rule_set: str, seed: int) -> None:
    uses = breed_of(rule_set).random(Random(seed))
    assert read_list(list_text(uses)) == uses
    assert find_agent(f"rules({list_text(uses)})").reasons[:-1] == tuple(map(str, uses))


@pytest.mark.parametrize("rule_set", RULE_SETS)
@examples(60)
@given(seed=SEEDS, rate=st.floats(0, 1))
def test_children_are_lists_of_the_same_representation(rule_set: str, seed: int, rate: float) -> None:
    breed, dice = breed_of(rule_set), Random(seed)
    first, second = breed.random(dice), breed.random(dice)
    for uses in (first, second, breed.cross(first, second, dice), breed.mutate(first, rate, dice)):
        breed.check(uses)
        assert len(set(uses)) == len(uses)
        assert read_list(list_text(uses)) == uses


@examples(60)
@given(seed=SEEDS)
def test_ordered_crossover_keeps_a_stretch_in_place_and_the_order_of_the_others(seed: int) -> None:
    breed, dice = Orders(rules_of("canaan")), Random(seed)
    first, second = breed.random(dice), breed.random(dice)
    start, end = sorted(Random(dice.getstate()[1][0]).randrange(len(first) + 1) for _ in range(2))
    made = breed.cross(first, second, Scripted([start, end]))
    assert made[start:end] == first[start:end]
    rest = [item for item in (*second[end:], *second[:end]) if item not in made[start:end]]
    assert [*made[:start], *made[end:]] == rest


class Scripted(Random):
    """Dice that fall as told."""

    def __init__(self, values: list[int]) -> None:
        super().__init__(0)
        self.values = values

    def randrange(self, *bounds: int) -> int:  # type: ignore[override]
        return self.values.pop(0)


def test_a_mutation_rate_of_nought_leaves_an_order_alone_and_changes_a_free_list_once() -> None:
    dice = Random(5)
    order = breed_of("canaan").random(dice)
    assert breed_of("canaan").mutate(order, 0.0, dice) == order
    free = FreeLists().random(dice)
    assert any(FreeLists().mutate(free, 0.0, dice) != free for _ in range(20))


def test_canaans_rules_are_those_of_the_paper_that_are_built() -> None:
    # 72 and 50 with three finesse rules, OsawaDiscard, LegalRandom and three rules contained in others
    assert len(rules_of("canaan")) == 72 - 8
    assert len(rules_of("canaan-old")) == 50 - 8
    assert len(set(rules_of("canaan"))) == 64


def test_every_tactic_can_be_drawn() -> None:
    dice = Random(1)
    assert {random_use(dice).tactic.name for _ in range(5_000)} == set(tactics())
    assert sum(map(len, tactic_kinds().values())) == len(tactics())


def test_lists_that_a_representation_cannot_hold_are_refused() -> None:
    with pytest.raises(SpecError, match="not an order of the 64 rules"):
        breed_of("canaan").check(read_list("play-safe, discard-oldest"))
    with pytest.raises(SpecError, match=f"1 to {LONGEST} tactics, not 30"):
        FreeLists().check(read_list(", ".join(f"play-probably-safe(0.{place + 10})" for place in range(30))))
    with pytest.raises(SpecError, match="no tactic named 'play-sfae'; did you mean play-safe"):
        read_list("play-sfae")
    with pytest.raises(SpecError, match="a list of tactics was expected"):
        read_list("threshold=0.5")
    with pytest.raises(SpecError, match="no rule set named 'canan'; did you mean canaan"):
        breed_of("canan")


@examples(30)
@given(total=st.integers(0, 300), islands=st.integers(1, 20))
def test_a_number_is_shared_out_whole(total: int, islands: int) -> None:
    assert sum(sizes(total, islands)) == total
    assert max(sizes(total, islands)) - min(sizes(total, islands)) <= 1


def test_islands_send_their_best_to_the_next_one_and_keep_their_size_and_their_own_best() -> None:
    lists = [
        [RacedList(read_list(f"play-probably-safe(0.{island}{place})"), FitnessSum()) for place in range(6)]
        for island in (1, 2, 3)
    ]
    after = exchanged(lists)
    assert [len(island) for island in after] == [6, 6, 6]
    for place, island in enumerate(after):
        assert island[0] == lists[place][0]
        assert island[1:3] == lists[place - 1][:2]
    assert exchanged(lists[:1]) == lists[:1]


def test_a_better_parent_is_chosen_more_often() -> None:
    plan, dice = EvolutionPlan(crossover=0.0, mutation=0.0), Random(3)
    lists = [breed_of("canaan").random(dice) for _ in range(10)]
    drawn = [lists.index(child(plan, breed_of("canaan"), lists, dice)) for _ in range(500)]
    assert drawn.count(0) > drawn.count(3) > drawn.count(9)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"population": 1}, "the population must be at least 16, four for each island, not 1"),
        ({"population": 8, "islands": 3}, "at least 12"),
        ({"islands": 0}, "islands must be an integer of at least 1, not 0"),
        ({"elite": 101}, "the elite must be from 0 to half the population, not 101"),
        ({"games": 5}, "games must be an integer of at least 32, not 5"),
        ({"mutation": 1.5}, "mutation must be a share from 0 to 1, not 1.5"),
        ({"seed": -1}, "the seed of an evolution must be from 0 to 4095, not -1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        EvolutionPlan(**settings)
