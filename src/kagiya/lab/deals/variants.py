"""The variants of hanab.live that we can play: their names, numbers and decks."""

from __future__ import annotations

from dataclasses import dataclass

from kagiya.rules import STANDARD_COPIES, Rules

SUITS: dict[int, tuple[str, ...]] = {
    3: ("red", "green", "blue"),
    4: ("red", "yellow", "green", "blue"),
    5: ("red", "yellow", "green", "blue", "purple"),
    6: ("red", "yellow", "green", "blue", "purple", "teal"),
}
CRITICAL_FOURS = (3, 2, 2, 1, 1)
SCARCE_ONES = (2, 2, 2, 2, 1)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of their variants: its name, its number in links and seeds, and what it is made of."""

    name: str
    number: int
    colors: int
    copies: tuple[int, ...] = STANDARD_COPIES

    @property
    def suits(self) -> tuple[str, ...]:
        return SUITS[self.colors]


VARIANTS = (
    Variant("No Variant", 0, 5),
    Variant("6 Suits", 1, 6),
    Variant("4 Suits", 15, 4),
    Variant("3 Suits", 18, 3),
    Variant("Critical Fours (6 Suits)", 1821, 6, CRITICAL_FOURS),
    Variant("Critical Fours (5 Suits)", 1822, 5, CRITICAL_FOURS),
    Variant("Scarce Ones (6 Suits)", 2393, 6, SCARCE_ONES),
    Variant("Scarce Ones (5 Suits)", 2394, 5, SCARCE_ONES),
)


def find_variant(rules: Rules) -> Variant | None:
    """Their variant with this deck, if there is one."""
    deck = rules.colors, rules.copies
    return next((variant for variant in VARIANTS if (variant.colors, variant.copies) == deck), None)
