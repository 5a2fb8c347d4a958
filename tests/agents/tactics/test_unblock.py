"""Unblocking: what is told so that a partner can go on."""

import pytest

from tests.agents.tactics.cases import Case, check, read_cases

CASES = {
    "bob has nothing safe to do": """
        tokens 0;  fireworks R1;  alice R1(R!,1!) Y4 G4;  bob W2 W3 W4;  cathy B2 B3 B4
        unblock -> discard 1
    """,
    "a token is left": """
        tokens 1;  fireworks R1;  alice R1(R!,1!) Y4 G4;  bob W2 W3 W4;  cathy B2 B3 B4
        unblock -> nothing
    """,
    "a five gives a token back too": """
        tokens 0;  fireworks R4;  alice Y4 R5(R!,5!) G4;  bob W2 W3 W4;  cathy B2 B3 B4
        unblock -> play 2
    """,
    "bob can give a token back himself": """
        tokens 0;  fireworks R1;  alice R1(R!,1!) Y4 G4;  bob R1(R!,1!) W3 W4;  cathy B2 B3 B4
        unblock -> nothing
    """,
    "bob can play, cathy can do nothing": """
        tokens 0;  fireworks R1;  alice R1(R!,1!) Y4 G4;  bob R2(R!,2!) W3 W4;  cathy B2 B3 B4
        unblock -> discard 1
    """,
    "everybody can play": """
        tokens 0;  fireworks R1;  alice R1(R!,1!) Y4 G4;  bob R2(R!,2!) W3 W4;  cathy B1(B!,1!) B3 B4
        unblock -> nothing
    """,
}


@pytest.mark.parametrize("case", read_cases(CASES), ids=str)
def test_an_unblocking_move(case: Case) -> None:
    check(case)
