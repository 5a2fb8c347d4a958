"""Discarding: what is useless, what is likely to be, and whose turn it is to go."""

import pytest

from tests.agents.positions import tactic_moves
from tests.agents.tactics.cases import Case, check, read_cases

CASES = {
    "both parts are known": """
        fireworks R2;  alice Y2 R1(R!,1!) R2(R!,2!);  bob Y4 Y4 G4
        discard-known-useless -> discard 2
        hle-discard-known-useless -> discard 2
        discard-useless -> discard 2
    """,
    "no token is missing": """
        tokens 8;  fireworks R2;  alice Y2 R1(R!,1!) R2(R!,2!);  bob Y4 Y4 G4
        discard-known-useless -> nothing
        hle-discard-known-useless -> nothing
        discard-useless -> nothing
        discard-probably-useless(0) -> nothing
        hle-discard-probably-useless(0) -> nothing
        hle-discard-most-confident -> nothing
        discard-least-necessary -> nothing
        discard-oldest -> nothing
        discard-random -> nothing
        discard-unidentified -> nothing
        discard-highest -> nothing
    """,
    "its color is finished": """
        fireworks R5;  alice Y2 R3(R!) R1;  bob Y4 Y4 G4
        discard-known-useless -> discard 2
        hle-discard-known-useless -> discard 2
    """,
    "its rank is on every firework": """
        fireworks R1 Y2 G1 W1 B3;  alice Y2 W1(1!) R1;  bob Y4 Y4 G4
        discard-known-useless -> discard 2
        hle-discard-known-useless -> discard 2
    """,
    "every color it can have has passed its rank, but not every color of the game": """
        fireworks R1 Y1;  alice Y2 R1(RY,1!) R1;  bob Y4 Y4 G4
        discard-known-useless -> nothing
        hle-discard-known-useless -> nothing
        discard-useless -> discard 2
    """,
    "a part is known because hints have passed the card by": """
        fireworks R2;  alice Y2 R1(R,1!) G3;  bob Y4 Y4 G4
        discard-known-useless -> discard 2
        hle-discard-known-useless -> nothing
    """,
    "useless by the cards seen elsewhere": """
        fireworks R1;  alice Y2 R1(R!,12) G3;  bob R2 R2 G4
        discard-known-useless -> nothing
        discard-useless -> discard 2
        discard-probably-useless(1) -> discard 2
    """,
    "above a lost card, its color known": """
        fireworks R1;  discards R2 R2;  alice Y2 R4(R!,345) G3;  bob Y4 Y4 G4
        discard-cut-off -> discard 2
        hle-discard-cut-off -> discard 2
        discard-known-useless -> nothing
    """,
    "above a lost card in either color it can have": """
        discards R2 R2 Y2 Y2;  alice G2 R4(RY,345) G3;  bob Y4 Y4 G4
        discard-cut-off -> nothing
        hle-discard-cut-off -> discard 2
        hle-discard-most-confident -> discard 2
    """,
    "above a lost card, for who counts the ones": """
        fireworks R1;  discards R2 R2;  alice Y2 R4(R!,145) G3;  bob R1 R1 G4
        discard-cut-off -> discard 2
        hle-discard-cut-off -> nothing
    """,
    "equally useless slots": """
        fireworks R1;  alice R1(R!,1!) R1(R!,1!) G3;  bob Y4 Y4 G4
        discard-probably-useless(1) -> discard 2
        hle-discard-probably-useless(0.99) -> discard 1
    """,
    "nothing is surely useless": """
        fireworks R1;  alice Y5(5!) G1(1!) W3;  bob Y4 Y4 G4
        discard-probably-useless(1) -> nothing
        discard-probably-useless(0) -> discard 2
        hle-discard-probably-useless(0.99) -> nothing
        hle-discard-probably-useless(0) -> discard 2
        hle-discard-most-confident -> discard 2
        discard-useless -> nothing
    """,
    "one slot is useless by counting, the next by its hints": """
        fireworks R1;  alice R1(R!,12) R1(R!,1!) G3;  bob R2 R2 G4
        hle-discard-probably-useless(0) -> discard 1
        hle-discard-most-confident -> discard 2
    """,
    "fives are always the last copy": """
        alice Y5(5!) G1(1!) W5(5!);  bob Y4 Y4 G4
        discard-least-necessary -> discard 2
    """,
    "age is not slot": """
        discards W1 W1 W2 W2;  alice R3#9 Y4#6 G2#8;  bob Y4 Y5 G4
        discard-oldest -> discard 2
    """,
    "what nothing is known of": """
        alice R3(R!) Y3(3!) G2(YGWB,1245);  bob Y4 Y5 G4
        discard-unidentified -> discard 3
    """,
    "something is known of everything": """
        alice R3(R!) Y3(3!) G2(G);  bob Y4 Y5 G4
        discard-unidentified -> nothing
    """,
    "the highest rank known": """
        alice R2(2!) Y4(4) G4(4!);  bob Y4 Y5 G3
        discard-highest -> discard 2
    """,
    "no rank is known": """
        alice R2(R!) Y4(34) G4;  bob Y4 Y5 G3
        discard-highest -> nothing
    """,
}


@pytest.mark.parametrize("case", read_cases(CASES), ids=str)
def test_a_discard(case: Case) -> None:
    check(case)


def test_a_random_discard_may_be_any_card() -> None:
    assert tactic_moves("discard-random", "alice Y4 Y4 G4;  bob G2 R2 W3") == {f"discard {n}" for n in (1, 2, 3)}
