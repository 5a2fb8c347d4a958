"""Short positions as text, each with what some tactics must do in it, and what they must not notice.

Names without a prefix are read as the competition framework reads its rules, `hle-` names as Brooks's program does.
A card's parentheses hold what its owner knows: R1(R!,1) was named red and can only be a one (see the position's form in
`kagiya.engine.position`).
"""

from dataclasses import dataclass

from tests.agents.positions import tactic_move

ARROW = "->"


@dataclass(frozen=True)
class Case:
    """A tactic in a position, and its move there."""

    title: str
    tactic: str
    position: str
    move: str

    def __str__(self) -> str:
        return f"{self.tactic}: {self.title}"


def read_cases(texts: dict[str, str]) -> list[Case]:
    """A case for each line with an arrow; the lines above are the position."""
    found = []
    for title, text in texts.items():
        lines = [line.strip() for line in text.strip().splitlines()]
        position = "\n".join(line for line in lines if ARROW not in line)
        for line in lines:
            if ARROW in line:
                tactic, move = (part.strip() for part in line.split(ARROW))
                found.append(Case(title, tactic, position, move))
    return found


def check(case: Case) -> None:
    """The tactic does what the case says."""
    assert tactic_move(case.tactic, case.position) == case.move
