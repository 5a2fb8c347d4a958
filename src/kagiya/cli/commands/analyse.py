"""`kagiya analyse` says what recorded games come to, `kagiya agree` how often an agent moves as they did."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.progress import late_bar
from kagiya.cli.records import Games, read_all


def analyse(
    source: Games,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """What recorded games come to, as for matches: scores, who lost the points and how, pace, efficiency.

    Games by different rules are told apart. The players may have been people or other programs; the file may be of any
    format that [bold]kagiya convert[/] reads.

    [bold]Examples[/]
      kagiya analyse game.json
      kagiya analyse game.json --format markdown
      kagiya analyse game.json --json
    """
    records = read_all(source)
    from kagiya.lab.review import analysis

    with late_bar("analysing", None):
        found = analysis.analyse(records)
    if as_json:
        typer.echo(json.dumps([each.to_json() for each in found]))
        return
    from kagiya.cli.drawing.analysis import draw_analysis
    from kagiya.cli.drawing.page import print_page

    print_page([part for each in found for part in draw_analysis(each)], shown)


def agree(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Who is asked, in every seat.", show_default=False)],
    source: Games,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """How often an agent, in each seat and after the same moves, makes the move that was made.

    It is asked at every turn as if it sat in that seat and had heard all moves before, and never plays.

    [bold]Examples[/]
      kagiya agree smartbot game.json
      kagiya agree "rules(play-safe, discard-oldest)" game.json --json
    """
    from kagiya.agents.register import find_agent

    chosen = find_agent(agent)
    records = read_all(source)
    for rules in dict.fromkeys(record.rules for record in records):
        if reason := chosen.why_not(rules):
            raise ValueError(reason)
    make_ready([chosen])
    from kagiya.lab.review.agreement import agreement

    with late_bar("asking", len(records)) as advance:
        found = agreement(records, chosen, advance)
    if as_json:
        typer.echo(json.dumps(found.to_json()))
        return
    from kagiya.cli.drawing.analysis import draw_agreement
    from kagiya.cli.drawing.page import print_page

    print_page(draw_agreement(found, chosen.info.mark), shown)
