"""Each tactic in a short position: what it must do, and what it must not notice.

Names without a prefix are read as the competition framework reads its rules, `hle-` names as Brooks's program does.
A card's parentheses hold what its owner knows: R1(R!,1) was named red and can only be a one (see the position's form in
`kagiya.engine.position`).
"""

from collections.abc import Iterator

import pytest

from kagiya.agents.tactics._tactic import tactics, use
from tests.agents.positions import tactic_move, tactic_moves

ARROW = "->"

PLAYS = {
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

DISCARDS = {
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

TELLS = {
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

LARGEST = {
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

UNBLOCKING = {
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

TABLES = (PLAYS, DISCARDS, TELLS, LARGEST, UNBLOCKING)


def cases() -> Iterator[tuple[str, str, str, str]]:
    for table in TABLES:
        for title, text in table.items():
            lines = [line.strip() for line in text.strip().splitlines()]
            position = "\n".join(line for line in lines if ARROW not in line)
            for line in lines:
                if ARROW in line:
                    tactic, move = line.split(f" {ARROW} ")
                    yield title, tactic, position, move


@pytest.mark.parametrize(
    ("tactic", "position", "move"), [pytest.param(*case[1:], id=f"{case[0]}: {case[1]}") for case in cases()]
)
def test_a_tactic_in_a_position(tactic: str, position: str, move: str) -> None:
    assert tactic_move(tactic, position) == move


def test_a_random_card_of_the_next_seat_may_be_told_by_rank_or_color() -> None:
    position = "alice Y4 Y4 G4;  bob R1(R!,1!) W2 G2;  cathy W3 B4 B5"
    hints = {"hint bob 1", "hint bob red", "hint bob 2", "hint bob white", "hint bob green"}
    assert tactic_moves("tell-next-at-random", position) == hints


def test_a_coin_decides_how_a_card_that_fits_is_told_whatever_is_known() -> None:
    position = "alice Y4 Y4 G4;  bob G2 R1(R!,1!) W1;  cathy B1 B4 B5"
    assert tactic_moves("tell-next-playable-at-random", position) == {"hint bob 1", "hint bob red"}
    assert tactic_moves("hle-tell-playable-at-random", position) == {"hint bob 1", "hint bob red"}


def test_only_one_lineage_tells_the_other_seats_by_a_coin() -> None:
    position = "alice Y4 Y4 G4;  bob G2 R2 W3;  cathy B4 B1 B5"
    assert tactic_moves("tell-next-playable-at-random", position) == {"nothing"}
    assert tactic_moves("hle-tell-playable-at-random", position) == {"hint cathy 1", "hint cathy blue"}


def test_a_random_discard_may_be_any_card() -> None:
    assert tactic_moves("discard-random", "alice Y4 Y4 G4;  bob G2 R2 W3") == {f"discard {n}" for n in (1, 2, 3)}


def test_every_tactic_has_a_position_here() -> None:
    assert {use(case[1]).tactic.name for case in cases()} == set(tactics())
