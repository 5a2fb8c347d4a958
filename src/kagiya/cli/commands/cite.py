"""`kagiya cite`: what belongs into the bibliography of a paper."""

from __future__ import annotations

from typing import Annotated

import typer


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
    from kagiya.agents.register import find_agent
    from kagiya.lab.papers.bibliography import kagiya_source, sources, sources_of

    found = sources_of([find_agent(text) for text in agents]) if agents else [kagiya_source(), *sources().values()]
    typer.echo("\n\n".join(source.bibtex() for source in found))
