"""Telling clearly: which hint a receiver would best understand as an order to play."""

import pytest

from tests.agents.tactics.cases import Case, check, read_cases

CASES = {
    "one hint touches two cards that fit and one that does not, another a single one that fits": """
        fireworks R1 Y1 G1;  alice Y4 Y4 G4;  bob R2 Y2 B2;  cathy R4 R4 W4
        tell-most-playable -> hint bob 2
        tell-least-unplayable -> hint bob red
    """,
    "equally many that fit: the fewest others": """
        alice Y4 Y4 G4;  bob W3 W1 B4;  cathy R4 R4 Y3
        tell-most-playable -> hint bob 1
        tell-least-unplayable -> hint bob 1
    """,
    "cards that know the part already do not count": """
        alice Y4 Y4 G4;  bob W3(W!) W1 R1;  cathy R4 R4 Y3
        tell-least-unplayable -> hint bob 1
    """,
    "what is missing of a card that is known by half": """
        alice Y4 Y4 G4;  bob W3 W1(1!) B4;  cathy R4 R4 Y3
        tell-most-playable -> hint bob white
        tell-least-unplayable -> hint bob white
    """,
    "the first seat knows its card, the second has none, the third is told": """
        alice Y4 Y4 G4;  bob W3 W1(W!,1!) B4;  cathy R4 R4 Y3;  donald B1 W4 R3
        tell-most-playable -> hint donald 1
        tell-least-unplayable -> hint donald 1
        tell-clearest(0) -> hint bob 1
    """,
    "a hint that makes the card certain is clearest": """
        fireworks R1 Y1 G1 W1;  alice Y4 Y4 G4;  bob W3 W2(W) B4;  cathy R4 R4 Y3
        tell-clearest(0) -> hint bob 2
        tell-clearest(0.5) -> hint bob 2
    """,
    "nobody holds a card that fits, or there is no token": """
        alice Y4 Y4 G4;  bob W3 W2 B4;  cathy R4 R4 Y3
        tell-most-playable -> nothing
        tell-least-unplayable -> nothing
        tell-clearest(0) -> nothing
    """,
    "no token is left": """
        tokens 0;  alice Y4 Y4 G4;  bob W1 W2 B4;  cathy R4 R4 Y3
        tell-most-playable -> nothing
        tell-least-unplayable -> nothing
        tell-clearest(0) -> nothing
        tell-next-one -> nothing
        tell-five -> nothing
    """,
    "ones and fives": """
        fireworks R1;  alice Y4 Y4 G4;  bob R5(5!) R1 W1;  cathy R4 Y5 Y3
        tell-next-one -> hint bob 1
        tell-five -> hint cathy 5
    """,
    "the rank of a one is known, fives are nowhere": """
        alice Y4 Y4 G4;  bob R2 R1(1!) W3;  cathy R1 R4 Y3
        tell-next-one -> hint bob red
        tell-five -> nothing
    """,
}


@pytest.mark.parametrize("case", read_cases(CASES), ids=str)
def test_a_clear_hint(case: Case) -> None:
    check(case)
