"""What the addresses of the results say: which teams, which cell, what is measured, where a stored game is."""

from __future__ import annotations

from dataclasses import replace

from kagiya.lab.store.cells import MEASURES, Members
from kagiya.lab.store.queries import GameFilter
from kagiya.rules import MAX_PLAYERS
from kagiya.web.views import Address, RefusedError

OVERVIEW, CELL = "/results", "/results/cell"
LONGEST = 2_000  # characters of an agent's text
BETWEEN = " + "  # between the agents of a team


def read_choice(address: Address, prefix: str = "") -> GameFilter:
    """The choice in an address; what is empty is not chosen."""
    return GameFilter(
        rules=read_text(address, f"{prefix}rules"),
        players=read_integer(address, f"{prefix}players", 2, MAX_PLAYERS),
        agent=read_text(address, f"{prefix}agent"),
        run=read_integer(address, f"{prefix}run", 1),
        code=read_text(address, f"{prefix}code"),
        older=read_text(address, f"{prefix}older") is not None,
    )


def choice_values(choice: GameFilter) -> dict[str, str]:
    """The inverse of `read_choice`."""
    values = {
        "rules": choice.rules,
        "players": choice.players,
        "agent": choice.agent,
        "run": choice.run,
        "code": choice.code,
        "older": "yes" if choice.older else None,
    }
    return {name: str(value) for name, value in values.items() if value is not None}


def read_text(address: Address, name: str) -> str | None:
    """A text; None if there is none or only blanks."""
    text = address.query.get(name, "").strip()
    if len(text) > LONGEST:
        raise RefusedError(f"{name} in the address has {len(text):,} characters; {LONGEST:,} are read.")
    return text or None


def read_integer(address: Address, name: str, low: int, high: int = 2**31 - 1) -> int | None:
    """An integer; None if there is none."""
    text = read_text(address, name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and low <= int(text) <= high):
        expected = f"from {low} to {high}" if high < 2**31 - 1 else f"of at least {low}"
        raise RefusedError(f"{name} must be an integer {expected}, not {text!r:.60}.")
    return int(text)


def read_page(address: Address, name: str) -> int:
    """Which page of a list, from 1."""
    return read_integer(address, name, 1, 1_000_000) or 1


def read_name(address: Address, name: str, known: dict[str, object] | tuple[str, ...], default: str) -> str:
    """One of some names."""
    text = read_text(address, name) or default
    if text not in known:
        raise RefusedError(f"{name} is one of {', '.join(known)}, not {text!r:.60}.")
    return text


def read_measure(address: Address) -> str:
    """What is measured."""
    return read_name(address, "measure", tuple(MEASURES), "score")


def read_members(address: Address, prefix: str = "") -> Members | None:
    """Whose cell it is: `guest` and `host`, or a `team` in its seats; None if nobody is named."""
    team = read_text(address, f"{prefix}team")
    if team is not None:
        return tuple(team.split(BETWEEN))
    host = read_text(address, f"{prefix}host")
    guest = read_text(address, f"{prefix}guest") or host
    return None if guest is None else (guest, host or guest)


def member_values(members: Members, prefix: str = "") -> dict[str, str]:
    """The inverse of `read_members`."""
    if len(members) == 2:
        return {f"{prefix}guest": members[0], f"{prefix}host": members[1]}
    return {f"{prefix}team": BETWEEN.join(members)}


def cell_address(choice: GameFilter, members: Members) -> Address:
    """The page of a cell; the choice of an agent has no say there."""
    return Address(CELL, {**choice_values(replace(choice, agent=None)), **member_values(members)})


def review_address(seating: int, seed: int) -> Address:
    """Where a stored game is reviewed."""
    return Address(f"/review/store/{seating}/{seed}")


def members_name(members: Members) -> str:
    """How a cell is called."""
    if len(members) != 2:
        return BETWEEN.join(members)
    return f"{members[0]} with itself" if members[0] == members[1] else f"{members[0]} as a guest of {members[1]}"
