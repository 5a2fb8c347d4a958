"""What pages need compiled besides the table itself: chances of cards, and reasons in words."""

from __future__ import annotations

from kagiya._jit import is_cached, kernels
from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.lab.review.chances import chances
from kagiya.lab.table.sitting import Sitting
from kagiya.lab.table.warm import CompileStep

SIMPLE = "careful"  # an agent that gives reasons
LAST = ("kagiya.view.kernels.possible_kinds", "kagiya.lab.review.chance_kernels.card_chances")


def page_steps() -> list[CompileStep]:
    """One step, which tries everything once."""
    return [CompileStep("the pages", all(is_cached(kernels[name]) for name in LAST), _try_everything)]


def _try_everything() -> None:
    chances(Game(), Seat(0))
    Sitting(Game(), SIMPLE).step()
