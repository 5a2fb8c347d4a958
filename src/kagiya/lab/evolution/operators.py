"""How lists are made, crossed and mutated: as orders of fixed rules, or as free lists with thresholds as genes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from kagiya.agents.tactics._tactic import ALWAYS, TacticUse, tactics
from kagiya.lab.evolution.rule_sets import ALL_TACTICS, RULE_SETS, Uses, list_text, rules_of, tactic_kinds
from kagiya.spec import SpecError, near

LONGEST = 24  # tactics in a free list
SHORTEST = 2
GRID = 100  # thresholds are hundredths, so that a list's text is exact
MOST_DECK = 30  # a limit on the deck above this hardly ever matters
HAS_LIMIT = 0.25  # how often a new gene has a limit on lives or tokens; on the deck half as often


class Breed(Protocol):
    """A representation: what lists there are, and how new ones come from old ones."""

    @property
    def longest(self) -> int:
        """How many tactics a list may have."""
        ...

    def random(self, dice: Random) -> Uses:
        """Any list."""
        ...

    def cross(self, first: Uses, second: Uses, dice: Random) -> Uses:
        """A list with something of both."""
        ...

    def mutate(self, uses: Uses, rate: float, dice: Random) -> Uses:
        """A list a little different; `rate` says how much."""
        ...

    def check(self, uses: Uses) -> None:
        """Refuse a list that this representation cannot hold."""
        ...


def breed_of(rule_set: str) -> Breed:
    """The representation that goes with a rule set."""
    if rule_set not in RULE_SETS:
        raise SpecError(f"no rule set named {rule_set!r}; {near(rule_set, RULE_SETS)}")
    return FreeLists() if rule_set == ALL_TACTICS else Orders(rules_of(rule_set))


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
    low, high = {"lives": (2, 3), "tokens": (0, 7), "deck": (0, MOST_DECK)}[field]
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
