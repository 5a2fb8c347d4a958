"""The genetic algorithm: islands of lists that breed apart and now and then send their best to the next one.

Every random choice comes from the run's seed, the generation and the island, so a run that was interrupted goes on as
if it had not been, with any number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from kagiya.lab.evolution.operators import Breed
from kagiya.lab.evolution.racing import Entry, Play, race
from kagiya.lab.evolution.rule_sets import Uses

# Seeds of decks: those of matches and reports count up from small numbers, these from far away.
FITNESS_SEED = 1 << 40
CHOICE_SEED = 1 << 41
MAP_SEED = 1 << 42
DECKS_PER_RUN = 1 << 28  # seeds set apart for each value of --seed
EMIGRANTS = 2


@dataclass(frozen=True)
class Plan:
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
        _at_least("islands", self.islands, 1)
        if self.population < least:
            raise ValueError(
                f"the population must be at least {least}, four for each island, not {self.population}"
                f" (--population, --islands)"
            )
        _at_least("games", self.games, 32)
        _at_least("exchange", self.exchange, 1)
        _at_least("tournament", self.tournament, 1)
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


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"{name} must be an integer of at least {least}, not {value}")


def sizes(total: int, islands: int) -> list[int]:
    """A number shared out among islands."""
    return [total * (place + 1) // islands - total * place // islands for place in range(islands)]


def first_lists(plan: Plan, breed: Breed, start: Sequence[Uses]) -> list[list[Uses]]:
    """The first population: random lists, and those to start from on every island."""
    groups = []
    for island, size in enumerate(sizes(plan.population, plan.islands)):
        dice = Random(f"{plan.seed}/0/{island}")
        groups.append([*start[:size], *(breed.random(dice) for _ in range(size - len(start[:size])))])
    return groups


def next_lists(plan: Plan, breed: Breed, generation: int, islands: Sequence[Sequence[Entry]]) -> list[list[Uses]]:
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


def child(plan: Plan, breed: Breed, lists: Sequence[Uses], dice: Random) -> Uses:
    """A new list: two parents, each the best of a few drawn, crossed and mutated."""
    first, second = (parent(plan, lists, dice) for _ in range(2))
    made = breed.cross(first, second, dice) if dice.random() < plan.crossover else first
    return breed.mutate(made, plan.mutation, dice)


def parent(plan: Plan, lists: Sequence[Uses], dice: Random) -> Uses:
    """The best of some lists drawn; they are ranked, so the least place is the best."""
    return lists[min(dice.randrange(len(lists)) for _ in range(plan.tournament))]


def exchanged(islands: Sequence[Sequence[Entry]]) -> list[list[Entry]]:
    """Each island's best take the places of the last ones on the next island, ranked behind its own best."""
    if len(islands) == 1:
        return [list(islands[0])]
    return [[*own[:1], *islands[place - 1][:EMIGRANTS], *own[1:-EMIGRANTS]] for place, own in enumerate(islands)]


def evolve_once(
    plan: Plan, breed: Breed, generation: int, islands: Sequence[Sequence[Entry]], start: Sequence[Uses], play: Play
) -> list[list[Entry]]:
    """One generation, ranked; the first if there are no islands yet."""
    groups = next_lists(plan, breed, generation, islands) if islands else first_lists(plan, breed, start)
    return race(groups, plan.games, plan.decks(generation), play)
