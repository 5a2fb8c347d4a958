"""Playing: what is known of a card, what is likely enough, and what else must be so."""

import pytest

from tests.agents.tactics.cases import Case, check, read_cases

CASES = {
    "both parts were named": """
        alice Y2 R1(R!,1!) G1(G!,1!);  bob Y4 Y4 G4
        play-known -> play 2
        hle-play-known -> play 2
    """,
    "a part is known because hints have passed the card by": """
        alice Y2 R1(R,1!) G3;  bob Y4 Y4 G4
        play-known -> play 2
        hle-play-known -> nothing
        hle-play-safe -> play 2
    """,
    "what is known does not fit": """
        fireworks R1;  alice Y2 R1(R!,1!) R3(R!,3!);  bob Y4 Y4 G4
        play-known -> nothing
        hle-play-known -> nothing
        play-safe -> nothing
        hle-play-safe -> nothing
    """,
    "a rank that fits in every color is enough": """
        alice Y2 G1(1!) R1(1!);  bob Y4 Y4 G4
        play-known -> nothing
        play-safe -> play 2
        hle-play-safe -> play 2
    """,
    "cards seen elsewhere are counted, or are not": """
        fireworks R1;  alice Y2 R2(R!,12) G3;  bob R1 R1 G4
        play-safe -> play 2
        hle-play-safe -> nothing
        play-probably-safe(1) -> play 2
    """,
    "equally likely slots": """
        alice R1(1!) Y1(1!) G3;  bob Y4 Y4 G4
        play-probably-safe(0.6) -> play 2
        hle-play-probably-safe(0.6) -> play 1
    """,
    "one in two: six ones left that fit, six that do not": """
        fireworks R1 Y1 G1;  alice Y5 R1(1!) G3;  bob Y4 Y4 G4
        play-probably-safe(0.6) -> nothing
        play-probably-safe(0.5) -> play 2
        hle-play-probably-safe(0.6) -> nothing
        hle-play-probably-safe(0.5) -> play 2
    """,
    "all tokens are there": """
        tokens 8;  alice Y5 R1(1!) G3;  bob Y4 Y4 G4
        play-likeliest-at-full-tokens -> play 2
    """,
    "a token is missing": """
        tokens 7;  alice Y5 R1(1!) G3;  bob Y4 Y4 G4
        play-likeliest-at-full-tokens -> nothing
    """,
}


@pytest.mark.parametrize("case", read_cases(CASES), ids=str)
def test_a_play(case: Case) -> None:
    check(case)
