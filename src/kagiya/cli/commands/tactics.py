"""`kagiya tactics`: the rules from which agents are composed."""

from __future__ import annotations

import json

import typer

from kagiya.cli import options


def tactics(shown: options.Format = options.Shown.TEXT, as_json: options.Json = False) -> None:
    """List the tactics that an agent [bold]rules(...)[/] can be made of, each with what it does.

    A number in parentheses sets its threshold; lives=, tokens= and deck= say
    when it may be used: at least that many lives, at most that many tokens or
    cards in the deck. The first tactic that has a move makes it.

    [bold]Examples[/]
      kagiya tactics
      kagiya match "rules(play-probably-safe(0.6, lives=2), discard-oldest)"
    """
    from kagiya.agents.tactics._tactic import tactics as register

    found = register().values()
    if as_json:
        typer.echo(json.dumps([{"name": t.name, "meaning": t.meaning, "value": t.value} for t in found]))
        return
    from kagiya.cli.drawing.page import print_page
    from kagiya.cli.drawing.tactics import draw_tactics

    print_page([draw_tactics(found)], shown)
