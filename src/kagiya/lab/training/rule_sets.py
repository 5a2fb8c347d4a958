"""What a list may be made of: Canaan et al.'s rules, each as it stands, or every tactic with any threshold and limits.

Canaan et al. 2018 evolve an order of 50 rules of the competition framework, or of 72 with their own. Here they are as
our tactics. Not built: the framework's three finesse rules. Contained in others: PlayUniquePossibleCard in play-safe,
DiscardIfCertain in discard-known-useless, DiscardOldestNoInfoFirst, which by a slip does what discard-unidentified
does, and OsawaDiscard, which is discard-known-useless and discard-cut-off in a row. LegalRandom ends every list.
"""

from __future__ import annotations

from functools import cache

from kagiya.agents.tactics.vocabulary import TacticUse, parse_use, tactics, use
from kagiya.spec import SpecError, parse_spec

CHANCES = ("0", "0.2", "0.4", "0.6", "0.8")
HINTED = ("play-just-hinted", "play-just-hinted-alone", "play-newest-just-hinted", "play-newest-just-hinted-alone")

CANAAN_OLD = (
    "play-known",
    *(f"play-probably-safe({chance})" for chance in (*CHANCES, "0.25")),
    *(f"play-probably-safe({chance}, lives=2)" for chance in CHANCES),
    *(f"play-probably-safe({chance}, lives=2, deck=0)" for chance in ("0", "0.1")),
    "play-safe",
    "tell-rest-of-playable",
    "tell-next-one",
    "tell-last-playable",
    "tell-playable",
    "tell-useless",
    "tell-dispensable",
    "tell-dispensable(tokens=3)",
    "tell-five",
    "tell-playable-or-useless",
    "tell-most-new",
    "tell-next-playable-at-random",
    "tell-next-playable",
    "tell-next-at-random",
    "tell-next-unknown",
    "discard-highest",
    "discard-least-necessary",
    "discard-oldest",
    *(f"discard-probably-useless({chance})" for chance in CHANCES),
    "discard-random",
    "discard-known-useless",
    "discard-unidentified",
    "discard-cut-off",
    "unblock",
)
# The life that just-hinted cards may cost: the paper says 0 or 1, the program published later 2.
CANAAN_NEW = (
    "play-just-hinted(0)",
    *(f"{name}({chance}, lives=2)" for chance in ("0", "0.6", "0.8", "1") for name in HINTED),
    "tell-most-playable",
    "tell-least-unplayable",
    *(f"tell-clearest({weight})" for weight in ("0", "0.1", "0.5")),
)
RULES = {"canaan-old": CANAAN_OLD, "canaan": CANAAN_OLD + CANAAN_NEW}
ALL_TACTICS = "all"
RULE_SETS = (*RULES, ALL_TACTICS)

Uses = tuple[TacticUse, ...]


def rules_of(name: str) -> Uses:
    """The rules of a set in which each has a fixed threshold."""
    return tuple(use(text) for text in RULES[name])


def list_text(uses: Uses) -> str:
    """A list as it is written inside ``rules(...)``."""
    return ", ".join(map(str, uses))


def read_list(text: str) -> Uses:
    """The inverse of `list_text`."""
    spec = parse_spec(f"rules({text})")
    if spec.named or not spec.values:
        raise SpecError(f"a list of tactics was expected, not {text!r}")
    return tuple(parse_use(item) for item in spec.values)


@cache
def tactic_kinds() -> dict[str, list[str]]:
    """The names of all tactics by what they do: play, tell or discard; what gives a token back counts as a discard."""
    kinds: dict[str, list[str]] = {"play": [], "tell": [], "discard": []}
    for name in tactics():
        first = name.removeprefix("hle-").partition("-")[0]
        kinds[first if first in kinds else "discard"].append(name)
    return kinds
