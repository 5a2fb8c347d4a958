"""Whatever is wrong with the words of a command: one line that says what, and no traceback."""

import errno
from pathlib import Path

import pytest

from kagiya.cli.console import sentence
from kagiya.engine.record import write_whole
from tests.cli.command import complaint, run

PLAYERS = "tests.cli.players:"

WRONG = [
    ("match carefull", "no agent named 'carefull'; did you mean careful"),
    ("match nosuchmodule:Agent", "there is no module 'nosuchmodule'"),
    (f"match {PLAYERS}Nobody", "has no agent 'Nobody'; there are "),
    (f"match {PLAYERS}Particular", "missing 1 required positional argument: 'taste'; give it a default"),
    (f"match {PLAYERS}NoPlayer", "is not an agent: it needs a method act(observation)"),
    ("match careful(speed=2)", "careful has no parameter 'speed'"),
    ("match careful(", "missing"),
    ("match careful --players 7", "players must be an integer from 2 to 5, not 7"),
    ("match careful --players 1", "players must be an integer from 2 to 5, not 1"),
    ("match careful random careful --players 2", "3 agents for 2 players"),
    ("match careful --games -5", "the number of games must be an integer of at least 1, not -5"),
    ("match careful --games 0", "the number of games must be"),
    ("match careful --workers 0", "the number of workers must be"),
    ("match careful --seed -1", "a seed is an integer from 0"),
    ("match careful --rules goodmann", "no rules named 'goodmann'; did you mean goodman?"),
    ("match careful --rules standard(lifes=4)", "did you mean lives"),
    ("match careful --rules standard(lives=99)", "lives must be an integer"),
    ("show careful --as-seen-by dave", "nobody here is called 'dave'"),
    ("show careful --as-seen-by 4", "seats are 1 to 3, not 4"),
    ("show careful --seed -1", "a seed is an integer from 0"),
    ("show careful --save /no/such/folder/game.json", "/no/such/folder/game.json"),
    ("show careful --save /", "/: is a folder"),
    ("play careful --seat emily", "nobody here is called 'emily'"),
    ("play careful random --players 4", "2 agents and you for 4 players"),
    ("play careful --seed -1", "a seed is an integer from 0"),
    ("match ris-mcts(rollout=careful-python)", "ris-mcts: rollout=careful-python is written in Python"),
    ("match ris-mcts(rollout=ris-mcts)", "ris-mcts: rollout=ris-mcts is a search itself"),
    ("match ris-mcts(rollout=nobody)", "no agent named 'nobody'"),
    (
        "match ris-mcts(time=fast)",
        "ris-mcts: time must be a duration such as 40ms, 2s or 0.04, at most 3600s, not fast",
    ),
    ("match ris-mcts(time=-1s)", "ris-mcts: time must be a duration"),
    ("match ris-mcts(time=2h)", "ris-mcts: time must be a duration"),
    ("match ris-mcts(iterations=0)", "ris-mcts: iterations must be a number from 1 to 10000000, whole, not 0"),
    ("match ris-mcts(iterations=1.5)", "ris-mcts: iterations must be a number"),
    ("match ris-mcts(iterations=9,time=1s)", "ris-mcts: both iterations and time are given; choose one of them"),
    (
        "match ris-mcts(rules=nonsense)",
        "ris-mcts: rules=nonsense is not known; there are all, brooks, goodman (or list(",
    ),
    ("match ris-mcts(rules=list(nonsense))", "nonsense"),
    ("match mo-ismcts(backup=all)", "mo-ismcts has no parameter 'backup'"),
    ("match ris-mcts(defect=yes)", "ris-mcts has no parameter 'defect'"),
    ("match predictor(model=seated)", "predictor: model=seated does not work with predictor(model=seated)"),
    ("match predictor(model=seated) careful-python", "careful-python at the table, which is written in Python"),
    ("evolve --population 1", "the population must be at least 16, four for each island, not 1"),
    ("evolve --players 6", "players must be an integer from 2 to 5, not 6"),
    ("evolve --generations 0", "--generations must be an integer of at least 1, not 0"),
    ("evolve --rules goodmann", "no rules named 'goodmann'; did you mean goodman?"),
    ("evolve --workers 0", "the number of workers must be"),
    ("evolve --rule-set all --start play-sfae", "no tactic named 'play-sfae'; did you mean play-safe"),
    ("evolve --folder /proc/no/such", "/proc/no"),
    ("dev map-elites --cells 1", "cells must be an integer of at least 2, not 1"),
    ("dev map-elites --picture map.gif", "map.gif: a picture ends in"),
    ("match ris-mcts(rules=list(play-just-hinted(0)))", "play-just-hinted reads notes of hints"),
    ("replay /no/such/game.json", "/no/such/game.json: No such file or directory"),
    ("replay /", "/: Is a directory"),
]


@pytest.mark.parametrize(("words", "reason"), WRONG, ids=[words for words, _ in WRONG])
def test_a_wrong_word_is_answered_in_one_line(words: str, reason: str) -> None:
    assert reason in complaint(run(*words.split(" ")))


USAGE = [
    ("match", "AGENT is missing (see kagiya match --help)"),
    ("match careful --games many", "--games must be an integer, not 'many' (see kagiya match --help)"),
    ("serve --port 99999", "--port must be an integer from 0 to 65535, not '99999' (see kagiya serve --help)"),
    ("compare careful vdb --confidence most", "--confidence must be a number such as 0.7, 500, 10k or 1e4, not 'most'"),
    ("tournament careful --time 4x", "--time must be a duration such as 40ms, 2s or 0.04, not '4x'"),
    ("serve --think-time 1ms", "--think-time must be at least 10ms, not '1ms'"),
    ("agents --format tex", "--format must be one of text, markdown, latex, csv, not 'tex'"),
    ("figure pie", "KIND must be one of scores, regret, sources, crossplay, curve, posterior, not 'pie'"),
    ("--color often agents", "--color must be one of auto, always, never, not 'often' (see kagiya --help)"),
    ("hepl", "there is no command 'hepl'; did you mean help? (see kagiya --help)"),
    ("frobnicate", "there is no command 'frobnicate' (see kagiya --help)"),
    ("dev bnech", "there is no command 'bnech'; did you mean bench? (see kagiya dev --help)"),
    ("match careful --player 3", "there is no option --player; did you mean --players? (see kagiya match --help)"),
    ("--frob", "there is no option --frob (see kagiya --help)"),
    ("match careful --games", "option '--games' requires an argument"),
]


@pytest.mark.parametrize(("words", "said"), USAGE, ids=[words for words, _ in USAGE])
def test_a_usage_error_is_one_line_too_and_has_its_own_exit_code(words: str, said: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert result.stderr.startswith(f"kagiya: {said}")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{")
    assert "no readable JSON" in complaint(run("replay", str(file)))
    file.write_text('{"format": 1}')
    assert "missing" in complaint(run("replay", str(file)))


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("Raises", "alice (seat 1, tests.cli.players:Raises), turn 3 of game 7: raised ZeroDivisionError"),
        ("Nonsense", "alice (seat 1, tests.cli.players:Nonsense), turn 1 of game 7: returned 'hello'"),
        ("Illegal", "alice (seat 1, tests.cli.players:Illegal), turn 1 of game 7: 'discard 1' is illegal"),
    ],
)
@pytest.mark.parametrize("command", ["match", "show"])
def test_a_bad_player_is_named_with_seat_turn_and_cause(command: str, player: str, reason: str) -> None:
    assert reason in complaint(run(command, PLAYERS + player, "random", "--seed", "7"))


def test_a_player_that_cannot_be_made_is_one_line_too() -> None:
    assert "no such luck" in complaint(run("match", f"{PLAYERS}Unmakeable"))


def test_debug_shows_where_an_error_came_from() -> None:
    result = run("--debug", "match", "carefull")
    assert result.exit_code == 1
    assert type(result.exception).__name__ == "SpecError"
    result = run("--debug", "match", f"{PLAYERS}Raises")
    assert type(result.exception).__name__ == "AgentError"


def test_debug_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAGIYA_DEBUG", "1")
    assert type(run("match", "carefull").exception).__name__ == "SpecError"


def test_a_full_disk_is_named_with_the_file_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    file = tmp_path / "game.json"
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(file, b"{}")
    remedy = "make room on that disk, or name a place on another"
    assert sentence(caught.value) == f"{file}: No space left on device; {remedy}"


def test_a_full_disk_is_recognized_behind_an_error_of_ours() -> None:
    def store() -> None:
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as error:
            raise ValueError(f"games cannot be written: {error.strerror}") from None

    with pytest.raises(ValueError, match="games cannot be written") as caught:
        store()
    assert sentence(caught.value).endswith("; make room on that disk, or name a place on another")


def test_an_error_that_nobody_foresaw_says_its_kind_and_how_to_see_more() -> None:
    assert sentence(KeyError("x")) == "KeyError: 'x' (kagiya --debug ... shows the traceback)"
    assert sentence(ValueError("seven")) == "seven"
    assert sentence(OSError("plain")).startswith("OSError: plain")
