"""What of a game is shown, and through whose eyes: all of it stands in the address."""

from __future__ import annotations

from dataclasses import dataclass

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.lab.review.hand_chances import Basis
from kagiya.lab.table.persons import PERSON
from kagiya.web.review.reviewed_game import ReviewedGame
from kagiya.web.views import Address, RefusedError

ALL, EVERYTHING = "all", "everything"  # eyes that are no seat's
SORTS = ("value", "behind", "visits", "zoo", "move")
TABS = ("why", "happened", "worst", "beliefs", "what-if")  # panels of which a phone shows one
DEALS = (20, 50, 200)
USUAL_JUDGE = "smartbot"
MAIN = "main"  # the branch that is the game itself
WAYS: dict[str, tuple[Basis, str]] = {  # by which a seat knows its cards
    "hints": (Basis.HINTS, "by hints"),
    "convention": (Basis.CONVENTION, "by convention"),
    "moves": (Basis.PAST_MOVES, "by past moves"),
}


@dataclass(frozen=True)
class ReviewQuery:
    """One way of looking at a game."""

    turn: int
    eyes: str
    newest_left: bool
    tab: str
    sort: str
    judges: tuple[str, ...]  # one, or two side by side
    deals: int
    branch: str
    way: str  # by which a seat knows its cards

    @classmethod
    def at(cls, address: Address, story: ReviewedGame) -> ReviewQuery:
        """What the address asks for; what it does not say is the usual."""
        query = address.query
        turn = address.number("turn", story.first_turn)
        judges = tuple(dict.fromkeys(filter(None, (query.get("judge") or USUAL_JUDGE, query.get("second", "")))))
        return cls(
            turn=min(max(turn, story.first_turn), story.last_turn),
            eyes=_choice(
                "eyes", query.get("eyes", usual_eyes(story)), (*SEAT_NAMES[: story.rules.players], ALL, EVERYTHING)
            ),
            newest_left=_choice("newest", query.get("newest", "right"), ("left", "right")) == "left",
            tab=_choice("tab", query.get("tab", TABS[0]), TABS),
            sort=_choice("sort", query.get("sort", SORTS[0]), SORTS),
            judges=judges,
            deals=_deals(address),
            branch=query.get("branch", MAIN),
            way=_choice("way", query.get("way", "hints"), tuple(WAYS)),
        )

    @property
    def seat(self) -> Seat | None:
        """The seat whose eyes these are."""
        return Seat(SEAT_NAMES.index(self.eyes)) if self.eyes in SEAT_NAMES else None

    @property
    def sees_truth(self) -> bool:
        """Whether cards are shown that nobody at the table could see."""
        return self.eyes == EVERYTHING


def usual_eyes(story: ReviewedGame) -> str:
    """A person's if one played, else the first seat's."""
    places = [SEAT_NAMES[seat] for seat, text in enumerate(story.seats) if text == PERSON]
    return (*places, SEAT_NAMES[0])[0]


def _choice(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise RefusedError(f"{name} in the address is one of {', '.join(known)}, not {value!r:.60}.")
    return value


def _deals(address: Address) -> int:
    deals = address.number("deals", DEALS[1])
    if deals not in DEALS:
        raise RefusedError(f"deals in the address is one of {', '.join(map(str, DEALS))}, not {deals}.")
    return deals
