"""The genetic algorithm: islands of rule lists that breed apart and now and then send their best to the next one.

Lists are orders of fixed rules, or free lists with thresholds as genes. Every random choice comes from the run's seed,
the generation and the island, so a run that was interrupted goes on as if it had not been, with any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from kagiya.agents.tactics.vocabulary import ALWAYS, TacticUse, tactics
from kagiya.lab.training.rule_lists import (
    ALL_TACTICS,
    RULE_SETS,
    Play,
    RacedList,
    Uses,
    list_text,
    race,
    rules_of,
    tactic_kinds,
)
from kagiya.spec import SpecError, near

LONGEST = 24  # tactics in a free list
SHORTEST = 2
GRID = 100  # thresholds are hundredths, so that a list's text is exact
MAX_DECK_LIMIT = 30  # a limit on the deck above this hardly ever matters
HAS_LIMIT = 0.25  # how often a new gene has a limit on lives or tokens; on the deck half as often


@dataclass(frozen=True)
class Orders:
    """Canaan's representation: every rule of a fixed set, in some order."""

    rules: Uses

    @property
    def longest(self) -> int:
        return len(self.rules)

    def random(self, dice: Random) -> Uses:
        return tuple(dice.sample(self.rules, len(self.rules)))

    def cross(self, first: Uses, second: Uses, dice: Random) -> Uses:
        """Ordered crossover: a stretch of the first in its place, the rest in the order of the second."""
        start, end = sorted(dice.randrange(len(first) + 1) for _ in range(2))
        kept = set(first[start:end])
        others = [item for item in (*second[end:], *second[:end]) if item not in kept]
        return (*others[:start], *first[start:end], *others[start:])

    def mutate(self, uses: Uses, rate: float, dice: Random) -> Uses:
        """Each rule changes places with another one at this rate."""
        items = list(uses)
        for place in range(len(items)):
            if dice.random() < rate:
                other = dice.randrange(len(items))
                items[place], items[other] = items[other], items[place]
        return tuple(items)

    def check(self, uses: Uses) -> None:
        if sorted(map(str, uses)) != sorted(map(str, self.rules)):
            raise SpecError(f"not an order of the {len(self.rules)} rules: {list_text(uses)}")


@dataclass(frozen=True)
class FreeLists:
    """Lists of any tactics, each with a threshold and limits of its own; no tactic twice in exactly the same form."""

    longest: int = LONGEST

    def random(self, dice: Random) -> Uses:
        length = dice.randint(6, 14)
        return _without_repeats([random_use(dice) for _ in range(length)])[: self.longest]

    def cross(self, first: Uses, second: Uses, dice: Random) -> Uses:
        """The head of the first, then what the second has after a place nearby."""
        cut = dice.randint(1, len(first))
        start = max(0, min(len(second), cut + dice.randint(-2, 2)))
        return _without_repeats([*first[:cut], *second[start:]])[: self.longest]

    def mutate(self, uses: Uses, rate: float, dice: Random) -> Uses:
        """As many changes as tactics drawn at this rate, one at least."""
        items = list(uses)
        for _ in range(max(1, sum(dice.random() < rate for _ in uses))):
            dice.choice(CHANGES)(items, dice)
        found = _without_repeats(items)[: self.longest]
        return found if len(found) >= SHORTEST else uses

    def check(self, uses: Uses) -> None:
        if not 1 <= len(uses) <= self.longest:
            raise SpecError(f"a list has 1 to {self.longest} tactics, not {len(uses)}: {list_text(uses)}")


Breed = Orders | FreeLists  # a representation: what lists there are, and how new ones come from old ones


def breed_of(rule_set: str) -> Breed:
    """The representation that goes with a rule set."""
    if rule_set not in RULE_SETS:
        raise SpecError(f"no rule set named {rule_set!r}; {near(rule_set, RULE_SETS)}")
    return FreeLists() if rule_set == ALL_TACTICS else Orders(rules_of(rule_set))


def random_use(dice: Random) -> TacticUse:
    """Any tactic: as often one that plays as one that tells or discards."""
    kinds = tactic_kinds()
    name = dice.choice(kinds[dice.choice(sorted(kinds))])
    item = TacticUse(tactics()[name], dice.randrange(0, GRID + 1, 5) / GRID if tactics()[name].value else 0.0)
    for field, share in (("lives", HAS_LIMIT), ("tokens", HAS_LIMIT), ("deck", HAS_LIMIT / 2)):
        if dice.random() < share:
            item = with_limit(item, field, random_limit(field, dice))
    return item


def with_limit(item: TacticUse, field: str, value: float) -> TacticUse:
    """The same tactic with another limit."""
    limits = {"lives": item.lives, "tokens": item.tokens, "deck": item.deck} | {field: value}
    return TacticUse(item.tactic, item.value, limits["lives"], limits["tokens"], limits["deck"])


def random_limit(field: str, dice: Random) -> float:
    """A limit that sometimes binds."""
    low, high = {"lives": (2, 3), "tokens": (0, 7), "deck": (0, MAX_DECK_LIMIT)}[field]
    return float(dice.randint(low, high))


def _move(items: list[TacticUse], dice: Random) -> None:
    item = items.pop(dice.randrange(len(items)))
    items.insert(dice.randrange(len(items) + 1), item)


def _insert(items: list[TacticUse], dice: Random) -> None:
    items.insert(dice.randrange(len(items) + 1), random_use(dice))


def _remove(items: list[TacticUse], dice: Random) -> None:
    if len(items) > SHORTEST:
        items.pop(dice.randrange(len(items)))


def _exchange(items: list[TacticUse], dice: Random) -> None:
    items[dice.randrange(len(items))] = random_use(dice)


def _nudge(items: list[TacticUse], dice: Random) -> None:
    places = [place for place, item in enumerate(items) if item.tactic.value]
    if places:
        place = dice.choice(places)
        value = round(GRID * items[place].value + dice.gauss(0, 10))
        items[place] = replace(items[place], value=min(max(value, 0), GRID) / GRID)


def _limit(items: list[TacticUse], dice: Random) -> None:
    place, field = dice.randrange(len(items)), dice.choice(("lives", "tokens", "deck"))
    never = 0.0 if field == "lives" else ALWAYS
    value = never if dice.random() < 0.5 else random_limit(field, dice)
    items[place] = with_limit(items[place], field, value)


CHANGES: tuple[Callable[[list[TacticUse], Random], None], ...] = (_move, _insert, _remove, _exchange, _nudge, _limit)


def _without_repeats(items: list[TacticUse]) -> Uses:
    return tuple(dict.fromkeys(items))


# Seeds of decks: those of matches and reports count up from small numbers, these from far away.
FITNESS_SEED = 1 << 40
CHOICE_SEED = 1 << 41
MAP_SEED = 1 << 42
DECKS_PER_RUN = 1 << 28  # seeds set apart for each value of --seed
EMIGRANTS = 2


@dataclass(frozen=True)
class EvolutionPlan:
    """The settings of the algorithm; the defaults are Canaan et al.'s but for islands, games and how they are spent."""

    population: int = 200  # on all islands together
    elite: int = 20
    tournament: int = 5
    crossover: float = 0.9
    mutation: float = 0.1
    islands: int = 4
    exchange: int = 10  # generations between two exchanges
    games: int = 800  # in a generation, for the best lists
    seed: int = 1

    def __post_init__(self) -> None:
        least = 4 * self.islands
        check_least("islands", self.islands, 1)
        if self.population < least:
            raise ValueError(
                f"the population must be at least {least}, four for each island, not {self.population}"
                f" (--population, --islands)"
            )
        check_least("games", self.games, 32)
        check_least("exchange", self.exchange, 1)
        check_least("tournament", self.tournament, 1)
        if not 0 <= self.elite <= self.population // 2:
            raise ValueError(f"the elite must be from 0 to half the population, not {self.elite}")
        for name, share in (("crossover", self.crossover), ("mutation", self.mutation)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} must be a share from 0 to 1, not {share}")
        if not 0 <= self.seed < 1 << 12:
            raise ValueError(f"the seed of an evolution must be from 0 to {(1 << 12) - 1}, not {self.seed}")

    def decks(self, generation: int, start: int = FITNESS_SEED) -> int:
        """The seed of the first deck of a generation: the same decks for all lists, others in the next."""
        return start + self.seed * DECKS_PER_RUN + generation * self.games


def check_least(name: str, value: int, least: int) -> None:
    """Refuse a setting that is too small."""
    if value < least:
        raise ValueError(f"{name} must be an integer of at least {least}, not {value}")


def sizes(total: int, islands: int) -> list[int]:
    """A number shared out among islands."""
    return [total * (place + 1) // islands - total * place // islands for place in range(islands)]


def first_lists(plan: EvolutionPlan, breed: Breed, start: Sequence[Uses]) -> list[list[Uses]]:
    """The first population: random lists, and those to start from on every island."""
    groups = []
    for island, size in enumerate(sizes(plan.population, plan.islands)):
        dice = Random(f"{plan.seed}/0/{island}")
        groups.append([*start[:size], *(breed.random(dice) for _ in range(size - len(start[:size])))])
    return groups


def next_lists(
    plan: EvolutionPlan, breed: Breed, generation: int, islands: Sequence[Sequence[RacedList]]
) -> list[list[Uses]]:
    """The lists of a generation, from the ranked ones of the generation before."""
    if generation % plan.exchange == 0:
        islands = exchanged(islands)
    elites = sizes(plan.elite, plan.islands)
    groups = []
    for island, entries in enumerate(islands):
        dice = Random(f"{plan.seed}/{generation}/{island}")
        lists = [entry.uses for entry in entries]
        kept = list(dict.fromkeys(lists[: elites[island]]))
        children = [child(plan, breed, lists, dice) for _ in range(len(lists) - len(kept))]
        groups.append(kept + children)
    return groups


def child(plan: EvolutionPlan, breed: Breed, lists: Sequence[Uses], dice: Random) -> Uses:
    """A new list: two parents, each the best of a few drawn, crossed and mutated."""
    first, second = (parent(plan, lists, dice) for _ in range(2))
    made = breed.cross(first, second, dice) if dice.random() < plan.crossover else first
    return breed.mutate(made, plan.mutation, dice)


def parent(plan: EvolutionPlan, lists: Sequence[Uses], dice: Random) -> Uses:
    """The best of some lists drawn; they are ranked, so the least place is the best."""
    return lists[min(dice.randrange(len(lists)) for _ in range(plan.tournament))]


def exchanged(islands: Sequence[Sequence[RacedList]]) -> list[list[RacedList]]:
    """Each island's best take the places of the last ones on the next island, ranked behind its own best."""
    if len(islands) == 1:
        return [list(islands[0])]
    return [[*own[:1], *islands[place - 1][:EMIGRANTS], *own[1:-EMIGRANTS]] for place, own in enumerate(islands)]


def evolve_once(
    plan: EvolutionPlan,
    breed: Breed,
    generation: int,
    islands: Sequence[Sequence[RacedList]],
    start: Sequence[Uses],
    play: Play,
) -> list[list[RacedList]]:
    """One generation, ranked; the first if there are no islands yet."""
    groups = next_lists(plan, breed, generation, islands) if islands else first_lists(plan, breed, start)
    return race(groups, plan.games, plan.decks(generation), play)
