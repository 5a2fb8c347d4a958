"""`kagiya check`: what every agent promises, tried on anybody's."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from kagiya.cli import options
from kagiya.cli.console import out
from kagiya.cli.errors import FAILED
from kagiya.cli.progress import late_bar


def check(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Yours as [bold]module:name[/], or any other.")],
    games: Annotated[
        int | None, typer.Option("--games", "-n", help="Games by each set of rules. Default: a few seconds' worth.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Of the first game.")] = 1,
    as_json: options.Json = False,
) -> None:
    """Check an agent: by all rules and numbers of players, with every index checked, with hidden cards dealt again.

    It plays in a process of its own, so that a crash or an endless loop is reported like any other mistake.
    Nothing is measured but the time per move. A kernel that has not returned for 30 s, or for the seconds in
    the environment variable KAGIYA_KERNEL_TIMEOUT, is taken for endless; so is an agent in Python that is silent ten
    times as long.

    [bold]Examples[/]
      kagiya check mymodule:MyAgent
      kagiya check vdb --games 5
      kagiya check careful --games 2 --json
    """
    from kagiya.agents.register import find_agent
    from kagiya.cli.drawing.checks import draw_finding, draw_verdict
    from kagiya.engine.game import check_seed
    from kagiya.lab.checks.battery import Size, default_games
    from kagiya.lab.checks.finding import Finding
    from kagiya.lab.checks.process import check_apart

    found = find_agent(agent)
    check_seed(seed)
    if games is not None and games < 1:
        raise ValueError(f"the number of games must be an integer of at least 1, not {games}")
    findings: list[Finding] = []
    with late_bar("checking", None):
        for step in check_apart(found.text, Size(games or default_games(found), seed)):
            if isinstance(step, Finding):
                findings.append(step)
                if not as_json:
                    out.print(draw_finding(step))
    passed = all(each.passed for each in findings)
    if as_json:
        typer.echo(json.dumps({"agent": found.text, "passed": passed, "checks": [each.to_json() for each in findings]}))
    else:
        out.print(draw_verdict(found.text, passed))
    if not passed:
        raise typer.Exit(FAILED)
