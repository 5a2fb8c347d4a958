"""`kagiya play`: a person sits down with agents."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.errors import FAILED, complain, interruption
from kagiya.cli.seating import Company, check_writable, read_company

DEFAULT_PARTNER = "careful"
DRAWN_SEEDS = 100_000  # short enough to be typed again


def play(
    agents: options.Partners = None,
    players: options.Players = None,
    seat: Annotated[str, typer.Option("--seat", help="Where you sit: 1, 2, ... or alice, bob, ...")] = "1",
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="Default: another game every time.")] = None,
    rules: options.Rules = "standard",
    save: options.Save = None,
) -> None:
    """Play a game yourself, with agents as partners. Your own cards stay hidden; at the table, type ? for help.

    One agent takes all other seats; several take them one by one, from seat 1 on.

    [bold]Examples[/]
      kagiya play
      kagiya play careful --players 4 --seat bob
      kagiya play careful random --seed 42 --save game.json
    """
    from kagiya.engine.game import check_seed

    company = read_company(agents or [DEFAULT_PARTNER], players, rules, seat)
    dealt = secrets.randbelow(DRAWN_SEEDS) if seed is None else seed
    check_seed(dealt)
    check_writable(save)
    make_ready(company.partners)
    sit_down(company, dealt, save)


def sit_down(company: Company, seed: int, save: Path | None) -> None:
    """Play the game to its end, or until the person leaves."""
    from kagiya.cli.commands.show import save_record
    from kagiya.cli.drawing.turn import draw_last_turn, draw_welcome
    from kagiya.cli.person import Left, Person, person_agent
    from kagiya.lab.table.stopping import at_interrupt
    from kagiya.lab.table.table import AgentError, Table

    table = Table(company.rules, company.seated(person_agent(Person(company.names))))
    out.print(draw_welcome(company.rules, company.names, company.place, seed))
    try:
        with at_interrupt(table.stop) if table.has_searches else nullcontext():
            table.play_game(seed)
    except AgentError:
        save_record(table.record(), save)
        raise
    except Left as left:
        say_goodbye(f"after {left.view.turn} turns, points {left.view.points}", left.is_wanted)
    except KeyboardInterrupt:
        out.print()
        complain("interrupted; nothing is saved")
        raise interruption() from None
    out.print(draw_last_turn(table.game(), company.names, company.place, out))
    save_record(table.record(), save)


def say_goodbye(standing: str, is_wanted: bool) -> None:
    """The game ends without an end: by the person's wish, or because nothing more can be read."""
    if is_wanted:
        out.print(f"You leave the table {standing}; nothing is saved. Thank you for playing.", soft_wrap=True)
        raise typer.Exit
    out.print()
    complain(f"the input ended before the game did, {standing}; nothing is saved")
    raise typer.Exit(FAILED)
