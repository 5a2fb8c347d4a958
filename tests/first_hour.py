"""What a newcomer does with a page, done by a program of its own: its files saved, its commands and code run.

Run as ``python first_hour.py PAGE`` in an empty folder, with Kagiya installed and nothing of the clone at hand. The
figures of the page are played again with fewer games, and must lie within four standard errors.
"""

import doctest
import importlib.util
import math
import re
import shlex
import sys
from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"<!-- (?:file|part of): (?:examples/)?(\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
FIRST_FILE = re.compile(r"```python\n([^>]*?)```\n\nSave it as `(\S+)`", re.DOTALL)
FIGURE = re.compile(r"`([^`]+)`: \*\*(\d+\.\d+) ± (\d+\.\d+)\*\*")
GAMES = {"python": 60, "compiled": 2000, "search": 4}
TOO_LONG = ("kagiya league", "kagiya play")
NEEDS = re.compile(r"<!-- needs: (\w+) -->\n```python\n.*?^```", re.MULTILINE | re.DOTALL)


def save_files(text: str) -> None:
    """The files that the page shows, in whole or in parts."""
    for name, code in FILE.findall(text):
        with Path(name).open("a") as file:
            file.write(f"\n\n{code}" if file.tell() else code)
    for code, name in FIRST_FILE.findall(text):
        Path(name).write_text(code)


def run_commands(text: str) -> list[str]:
    """Every command of the page; what failed."""
    from typer.testing import CliRunner

    from kagiya.cli.command_line import app

    serve_for_a_moment()
    lines = [line[2:] for kind, block in FENCE.findall(text) if kind == "console" for line in block.splitlines()]
    failed = []
    for line in lines:
        if line.startswith("kagiya ") and not line.startswith(TOO_LONG):
            result = CliRunner().invoke(app, shlex.split(line)[1:], prog_name="kagiya")
            failed += [f"{line}: {result.output} {result.exception!r}"] if result.exit_code else []
    return failed


def serve_for_a_moment() -> None:
    """Let `kagiya serve` end as soon as it could be visited; any port will do, and no browser is opened."""
    from kagiya.web import app

    listen = app.listen
    app.listen = lambda host, port: listen("127.0.0.1", 0)
    app.serve = lambda state, listening, hosts, when_ready: when_ready()
    app.open_browser = lambda address: True


def run_code(page: Path, text: str) -> list[str]:
    """Every Python session of the page, but those that need a program that is not here; what failed."""
    text = NEEDS.sub(lambda block: block[0] if importlib.util.find_spec(block[1]) else "", text)
    examples = "\n".join(block for kind, block in FENCE.findall(text) if kind == "python" and ">>>" in block)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0), out=said.append)
    return said


def check_figures(text: str) -> list[str]:
    """Every figure of the page, played again; which are wrong."""
    from kagiya import Match, Rules, find_agent, play_match

    wrong = []
    for name, mean, error in FIGURE.findall(text):
        agent = find_agent(name)
        kind = "search" if agent.is_search else "compiled" if agent.is_compiled else "python"
        found = play_match(Match.of(Rules(players=3), [agent], GAMES[kind], 10_001)).summary
        if abs(found.mean - float(mean)) > 4 * math.hypot(found.se, float(error)):
            wrong.append(f"{name}: the page says {mean} ± {error}, played {found.mean:.2f} ± {found.se:.2f}")
    return wrong


def main() -> None:
    """All of it, or the reasons why not."""
    page = Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    sys.path.insert(0, "")
    save_files(text)
    if failed := run_code(page, text) + run_commands(text) + check_figures(text):
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
