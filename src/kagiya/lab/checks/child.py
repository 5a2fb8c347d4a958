"""The process that checks an agent: it may crash or hang, and its parent tells of it. A line of JSON for every step."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from kagiya.agents.register import rebuild_agent
from kagiya.lab.checks.battery import Size, check_agent
from kagiya.lab.checks.finding import Finding


def main() -> None:
    """Check the agent named by the arguments: its text, the games by each rules, the first seed."""
    text, games, seed = sys.argv[1:]
    words, sys.stdout = sys.stdout, sys.stderr  # what the agent prints is not for the parent
    for step in check_agent(rebuild_agent(text), Size(int(games), int(seed))):
        kind = "finding" if isinstance(step, Finding) else "stage"
        words.write(json.dumps({kind: asdict(step)}) + "\n")
        words.flush()


if __name__ == "__main__":
    main()
