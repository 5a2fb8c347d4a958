"""Telling most: which hint is the largest, and what counts as news."""

import pytest

from tests.agents.tactics.cases import Case, check, read_cases

CASES = {
    "two whites are more than anything else": """
        alice Y4 Y4 G4;  bob R1 W2 G3;  cathy W3 W4 B5
        tell-most-new -> hint cathy white
        tell-most-new-in-turn -> hint cathy white
        hle-tell-most -> hint cathy white
        hle-tell-most-new -> hint cathy white
    """,
    "what is known already is no news": """
        alice Y4 Y4 G4;  bob R1 W2(2!) G2(2!);  cathy W3(W!) W4(W!) B5
        tell-most-new -> hint bob 1
        tell-most-new-in-turn -> hint bob 1
        hle-tell-most -> hint bob 2
    """,
    "equals: ranks first here, card by card and color first there": """
        alice Y4 Y4 G4;  bob R3 W2 G1;  cathy W3 B4 Y5
        tell-most-new -> hint bob 1
        hle-tell-most -> hint bob red
    """,
    "equals: by seat number, or in turn order": """
        seat bob;  alice Y4 G2 R3;  bob Y4 G3 G4;  cathy W3 Y2 B5
        tell-most-new -> hint alice 2
        tell-most-new-in-turn -> hint cathy 2
    """,
    "the card that a hint is chosen for decides whether it is new": """
        alice Y4 Y4 G4;  bob W1(W!) W2 R3;  cathy B1 G4 R5
        hle-tell-most-new -> hint bob white
        hle-tell-most -> hint bob white
    """,
    "all is known": """
        alice Y4 Y4 G4;  bob R1(R!,1!) W2(W!,2!) R3(R!,3!);  cathy W3(W!,3!) B4(B!,4!) B5(B!,5!)
        tell-most-new -> nothing
        tell-most-new-in-turn -> hint bob 1
        hle-tell-most -> hint bob red
        hle-tell-most-new -> hint bob red
    """,
    "all is known and the next seat has no one": """
        alice Y4 Y4 G4;  bob R4(R!,4!) W2(W!,2!) R3(R!,3!);  cathy W3(W!,3!) B4(B!,4!) B5(B!,5!)
        tell-most-new-in-turn -> nothing
    """,
}


@pytest.mark.parametrize("case", read_cases(CASES), ids=str)
def test_the_largest_hint(case: Case) -> None:
    check(case)
