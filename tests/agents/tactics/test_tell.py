"""Telling: which card a hint is for, by rank or by color, and whom it is told."""

import pytest

from tests.agents.tactics.cases import Case, check, read_cases

CASES = {
    "a card fits": """
        alice Y4 Y4 G4;  bob G3 R2 W1;  cathy B1 B2 B3
        tell-playable -> hint bob 1
        hle-tell-playable -> hint bob 1
        tell-next-playable -> hint bob 1
        tell-last-playable -> hint bob white
        tell-anything -> hint bob 3
    """,
    "no token is left": """
        tokens 0;  fireworks R1;  alice Y4 Y4 G4;  bob R1(1!) R2 W1;  cathy B1 B2 B3
        tell-playable -> nothing
        tell-next-playable -> nothing
        tell-useless -> nothing
        tell-playable-or-useless -> nothing
        tell-next-unknown -> nothing
        tell-rest-of-played -> nothing
        tell-last-copy -> nothing
        tell-dispensable -> nothing
        tell-last-playable -> nothing
        tell-next-single-playable -> nothing
        tell-most-new -> nothing
        tell-most-new-in-turn -> nothing
        tell-next-at-random -> nothing
        tell-next-playable-at-random -> nothing
        tell-anything -> nothing
        hle-tell-playable -> nothing
        hle-tell-useless -> nothing
        hle-tell-most -> nothing
        hle-tell-playable-at-random -> nothing
    """,
    "its rank is known": """
        alice Y4 Y4 G4;  bob G3 R2 W1(1!);  cathy B1 B2 B3
        tell-playable -> hint bob white
        hle-tell-playable -> hint bob white
        tell-next-playable -> hint bob white
        tell-rest-of-playable -> hint bob white
        hle-tell-rest-of-playable -> hint bob white
    """,
    "the next seat knows its card, the one after does not": """
        alice Y4 Y4 G4;  bob G3 R2 W1(W!,1!);  cathy B2 B1 B3
        tell-playable -> hint cathy 1
        hle-tell-playable -> hint cathy 1
        tell-next-playable -> nothing
        tell-rest-of-playable -> nothing
        tell-last-playable -> hint cathy blue
    """,
    "known because hints have passed the card by": """
        alice Y4 Y4 G4;  bob G3 R2 W1(W,1!);  cathy B2 B3 B3
        tell-playable -> nothing
        hle-tell-playable -> hint bob white
    """,
    "a useless card": """
        fireworks R1;  alice Y4 Y4 G4;  bob G3 R1 W2;  cathy B2 B3 B3
        tell-useless -> hint bob 1
        hle-tell-useless -> hint bob red
        tell-playable-or-useless -> hint bob 1
    """,
    "the first useless card is known, the second is not": """
        fireworks R1;  alice Y4 Y4 G4;  bob R1(R!,1!) R1(1!) W2;  cathy B2 B3 B3
        tell-useless -> nothing
        hle-tell-useless -> hint bob red
    """,
    "useless cards can wait while all tokens are there": """
        tokens 8;  fireworks R1;  alice Y4 Y4 G4;  bob R1 G3 W2;  cathy B2 B1 B3
        tell-playable-or-useless -> hint cathy 1
        tell-useless -> hint bob 1
    """,
    "the next seat's first card not fully known": """
        alice Y4 Y4 G4;  bob R1(R!,1!) G3 W2;  cathy B2 B1 B3
        tell-next-unknown -> hint bob green
        hle-tell-next-unknown -> hint bob green
    """,
    "a color known because hints have passed the card by": """
        alice Y4 Y4 G4;  bob G3(G) R2 W2;  cathy B2 B1 B3
        tell-next-unknown -> hint bob 3
        hle-tell-next-unknown -> hint bob green
    """,
    "cards known by half: one is played, one fits, one is too high": """
        fireworks R1;  alice Y4 Y4 G4;  bob R1(1!) R2(R!) R3(3!);  cathy B2 B1 B3
        tell-rest-of-playable -> hint bob 2
        tell-rest-of-played -> hint bob red
        tell-rest-of-unplayable -> hint bob red
        hle-tell-rest-of-playable -> hint bob 2
        hle-tell-rest-of-useless -> hint bob red
        hle-tell-rest-of-unplayable -> hint bob red
    """,
    "a card known by half is cut off": """
        discards R1 R1 R1;  alice Y4 Y4 G4;  bob R4(R!) Y1 G3;  cathy B2 B1 B3
        tell-rest-of-played -> nothing
        tell-rest-of-unplayable -> hint bob 4
        hle-tell-rest-of-useless -> hint bob 4
        hle-tell-rest-of-unplayable -> nothing
    """,
    "last copies, by seat number": """
        seat bob;  discards G3;  alice Y4 W3 G3(3!);  bob Y2 Y3 Y4;  cathy B5 B1 B3
        tell-last-copy -> hint alice green
    """,
    "a finished color": """
        fireworks R5;  alice Y4 Y4 G4;  bob G3 R2 W2;  cathy B2 R3 B3
        tell-dispensable -> hint bob red
        hle-tell-dispensable -> hint bob red
    """,
    "a rank on every firework": """
        fireworks R1 Y1 G1 W1 B1;  alice Y4 Y4 G4;  bob G3 R1 W2;  cathy B2 R3 B3
        tell-dispensable -> hint bob 1
        hle-tell-dispensable -> hint bob 1
    """,
    "already played, and one part is known": """
        fireworks R2;  alice Y4 Y4 G4;  bob G3 R1(1!) W2;  cathy B2 R2(R!) B3
        tell-dispensable -> hint bob red
        hle-tell-dispensable -> hint bob red
    """,
    "already played, but no single hint says so": """
        fireworks R2;  alice Y4 Y4 G4;  bob G3 R1 W2;  cathy B2 R2 B3
        tell-dispensable -> nothing
        hle-tell-dispensable -> nothing
    """,
    "by seat number, or in turn order": """
        seat bob;  fireworks R5;  alice Y4 Y4 R4;  bob G3 G2 W2;  cathy B2 R3 B3
        tell-dispensable -> hint alice red
        hle-tell-dispensable -> hint cathy red
    """,
    "a hint that touches a card alone: the rank does not, the color does": """
        alice Y4 Y4 G4;  bob R1 W1 W3;  cathy B2 R3 B3
        tell-next-single-playable -> hint bob red
    """,
    "neither touches the first alone, the second's rank does": """
        fireworks R1;  alice Y4 Y4 G4;  bob W1 W2 R2;  cathy B2 R3 B3
        tell-next-single-playable -> hint bob 1
    """,
    "a seat's last slot that fits": """
        alice Y4 Y4 G4;  bob R1 W1 W3;  cathy B1 R3 B3
        tell-last-playable -> hint bob white
    """,
    "the receiver's first slot is empty, as it is in the last round": """
        rules goodman(colors=1, hand_size=3);  deck;  left 1
        fireworks R1;  discards R1 R1 R3 R4;  alice R2 R3 R4;  bob -- R5 R2
        tell-playable -> hint bob 2
        tell-most-new -> hint bob 2
        hle-tell-most -> hint bob red
        tell-next-unknown -> hint bob 5
        tell-anything -> hint bob 5
    """,
    "its color is known": """
        alice Y4 Y4 G4;  bob R1 W1(W!) W3;  cathy B1 R3 B3
        tell-last-playable -> hint bob 1
    """,
}


@pytest.mark.parametrize("case", read_cases(CASES), ids=str)
def test_a_hint(case: Case) -> None:
    check(case)
