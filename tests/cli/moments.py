"""Code that a child runs before the command, to say on stderr when the moment for a signal has come, and Ctrl-C."""

import signal
import subprocess

from tests.children import finish, read_until

# A few chunks of games have been played, and more are on the way.
PLAYED = "played"
SAY_PLAYED = """
import sys, kagiya.lab.table.table as home
play, calls = home.Table.play_with_moves, 0
def announced(*words):
    global calls
    results = play(*words)
    calls += 1
    if calls == 5:
        print("played", file=sys.stderr, flush=True)
    return results
home.Table.play_with_moves = announced
"""

# A search is to make the second move of a game: it thinks, or is about to.
THINKING = "thinking"
SAY_THINKING = """
import sys, threading, time, kagiya.engine.layout as layout, kagiya.lab.table.table as home
def watch(table):
    while table.states[layout.GAME]["turn"] != 1:
        time.sleep(0.01)
    print("thinking", file=sys.stderr, flush=True)
sit = home.Table.__init__
def watched(table, *words):
    sit(table, *words)
    if table.has_searches:
        threading.Thread(target=watch, args=[table], daemon=True).start()
home.Table.__init__ = watched
"""


def interrupt(process: subprocess.Popen[str], moment: str, by: signal.Signals = signal.SIGINT) -> tuple[str, str]:
    """Send Ctrl-C, or another signal, at the moment; what the command wrote to stdout and stderr until it ended."""
    read_until(process, moment)
    process.send_signal(by)
    code, output, errors = finish(process)
    assert code == 128 + by, errors
    assert "Traceback" not in errors
    return output, errors
