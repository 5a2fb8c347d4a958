"""`kagiya agents`, `tactics`, `check` and `cite`: who can play, their rules, their promises tried, their BibTeX."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import FAILED, out, write_plain
from kagiya.cli.run_options import late_bar

if TYPE_CHECKING:
    from kagiya.agents.api import AgentType


@options.grouped
def agents(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", autocompletion=options.agent_names, help="Say everything about these."),
    ] = None,
    *,
    output: options.Output,
) -> None:
    """List all agents with their mean scores; or say everything about some: parameters, source, published scores.

    [bold]Examples[/]
      kagiya agents
      kagiya agents ris-mcts vdb
      kagiya agents --json
    """

    from kagiya.cli.agent_tables import draw_agents, list_agents
    from kagiya.lab.league import measured_league

    types = [kagiya.find_agent(name).type for name in names] if names else list(kagiya.agent_types().values())
    if names and output.shown is options.TableFormat.TEXT and not output.as_json:
        out.print(draw_agents(types, measured_league()))
        return
    output.present(
        lambda: {"agents": [describe(kind) for kind in types]}, lambda: list_agents(types, measured_league())
    )


def describe(kind: AgentType) -> dict[str, Any]:
    """An agent's label as plain data."""
    from kagiya.lab.league import measured_league

    cells = measured_league().rows.get(kind.info.id, {})
    measured = {str(players): {"mean": cell.mean, "se": cell.se} for players, cell in sorted(cells.items())}
    found = {"mark": kind.info.mark, "is_compiled": kind.is_compiled, "is_search": kind.is_search}
    parameters = [asdict(parameter) | {"values": parameter.range_text()} for parameter in kind.info.parameters]
    published = [figure.to_json() for figure in kagiya.published_figures(kind.info.id)]
    return asdict(kind.info) | found | {"parameters": parameters, "measured": measured, "published": published}


@options.grouped
def tactics(*, output: options.Output) -> None:
    """List the tactics that an agent [bold]rules(...)[/] can be made of, each with what it does.

    A number in parentheses sets its threshold; lives=, tokens= and deck= say
    when it may be used: at least that many lives, at most that many tokens or
    cards in the deck. The first tactic that has a move makes it.

    [bold]Examples[/]
      kagiya tactics
      kagiya match "rules(play-probably-safe(0.6, lives=2), discard-oldest)"
    """
    from kagiya.agents.tactics.vocabulary import tactics as register
    from kagiya.cli.agent_tables import draw_tactics

    tactics = register().values()
    found = [{"name": each.name, "meaning": each.meaning, "value": each.value} for each in tactics]
    output.present(lambda: found, lambda: [draw_tactics(tactics)])


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
    from kagiya.cli.dev_tables import draw_finding, draw_verdict
    from kagiya.engine.game import check_seed
    from kagiya.lab.checks import Finding, Size, check_apart, default_games

    found = kagiya.find_agent(agent)
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
        write_plain(json.dumps({"agent": found.text, "passed": passed, "checks": [asdict(each) for each in findings]}))
    else:
        out.print(draw_verdict(found.text, passed))
    if not passed:
        raise typer.Exit(FAILED)


def cite(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="The agents that were used. Default: all.", show_default=False),
    ] = None,
) -> None:
    """Print BibTeX of Kagiya and of the sources of agents, those inside their parameters included.

    [bold]Examples[/]
      kagiya cite
      kagiya cite smartbot "ris-mcts(rollout=vdb)"
    """
    from kagiya.lab.papers.bibliography import kagiya_source, sources, sources_of

    found = (
        sources_of([kagiya.find_agent(text) for text in agents]) if agents else [kagiya_source(), *sources().values()]
    )
    write_plain("\n\n".join(source.bibtex() for source in found))
