"""`kagiya serve`: the table, the review of games and the results, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kagiya.cli import options
from kagiya.cli.console import complain, out
from kagiya.runtime.interrupts import exit_at_once, interruption_code

MIN_THINK_SECONDS = 0.01  # seconds


def parse_time(text: str) -> float:
    """The time for a move, in seconds."""
    seconds = options.parse_seconds(text)
    if seconds < MIN_THINK_SECONDS:
        raise typer.BadParameter(f"must be at least {1000 * MIN_THINK_SECONDS:g}ms, not {text!r}")
    return seconds


def serve(
    file: Annotated[
        Path | None, typer.Argument(help="A game to review: a record, or what kagiya convert reads.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; another one lets others on the network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)] = 8025,
    think_time: Annotated[
        float,
        typer.Option(parser=parse_time, metavar="TIME", help="How long an agent may think about a move: 2s, 500ms."),
    ] = "2s",  # type: ignore[assignment]  # the default is parsed too
    tables: Annotated[int, typer.Option(help="How many tables may stand at once.", min=1)] = 200,
    agent: Annotated[list[str] | None, typer.Option(help="An agent of your own, module:name; may be repeated.")] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name by which visitors reach this computer; may be repeated.")
    ] = None,
    store: options.StoreFile = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Play with any agents, review any game and walk through the results, in a browser.

    Only this computer is let in unless --host says otherwise; --host 0.0.0.0 listens on all its addresses, and
    --allow-host names it to those who open the page by a name. Ctrl-C ends it; unfinished games are kept and go on when
    the server is started again.

    [bold]Examples[/]
      kagiya serve
      kagiya serve game.json                             review this game
      kagiya serve --port 9000 --think-time 5s --no-browser
    """
    from kagiya.web import app, server_state
    from kagiya.web.play.storage import tables_file
    from kagiya.web.review.reviewed_game import put_away, read_file

    stories = [] if file is None else read_file(file)
    state = server_state.ServerState(
        server_state.Limits(think=think_time, tables=tables, agents=tuple(agent or ())), store, data=tables_file()
    )
    allowed = app.checked_hosts(allow_host or ())
    listening = app.listen(host, port)
    address = app.address_of(listening)
    others = [app.address_of(listening, name) for name in app.names_for_others(host, allowed)]
    if stories:
        address = f"{address.rstrip('/')}{put_away(stories, state.reviews.folder)}"

    def ready() -> None:
        out.print(f"Kagiya is at {address} until Ctrl-C.", soft_wrap=True)
        if others:
            out.print(f"On other computers open {' or '.join(others)}", soft_wrap=True)
        if not no_browser and not app.open_browser(address):
            out.print("No browser could be opened: type the address into one.")

    with listening:
        try:
            app.serve(state, listening, frozenset({host, *allowed}), ready)
        except KeyboardInterrupt:
            complain("interrupted")
            exit_at_once(interruption_code())
