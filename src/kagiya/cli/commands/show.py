"""`kagiya show` plays one game before your eyes, `kagiya replay` shows one that was saved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import complain, err, interruption, out, write_plain
from kagiya.cli.run_options import late_bar, make_ready

Metrics = Annotated[
    bool, typer.Option("--metrics", help="Add pace and efficiency as hanab.live counts them; to --json also the costs.")
]
Turns = Annotated[str, typer.Option("--turn", "-t", help="Only this turn, or these: 12, 3-9; 0 is the deal.")]

if TYPE_CHECKING:
    from kagiya.agents.convention_reader import Heard


@dataclass(frozen=True)
class Reasons:
    """Why the moves of a game were made: of each a text or a search's explanation, and what the seats heard in it."""

    why: Sequence[Any] = ()
    hearings: Sequence[Sequence[Heard]] = ()
    genuine: Sequence[bool] = ()  # of a game played before: not what the agents say when they are asked again

    def to_json(self) -> dict[str, Any]:
        """What stands in the record besides the game; nothing without --why."""
        told: dict[str, Any] = {"reasons": [str(reason) for reason in self.why]} if self.why else {}
        if any(not isinstance(reason, str) for reason in self.why):
            told["searches"] = [None if isinstance(reason, str) else reason.to_json() for reason in self.why]
        if any(self.hearings):
            told["heard"] = [[each.to_json() for each in heard] for heard in self.hearings]
        return told | ({"genuine": list(self.genuine)} if self.genuine else {})


@dataclass(frozen=True)
class ShowOptions:
    """How a game is to be shown."""

    eyes: kagiya.Seat | None
    brief: bool = False
    turns: tuple[int, int] | None = None  # only these, the first to the last
    metrics: bool = False


NOTHING_TOLD = Reasons()


def show(
    agents: options.Agents,
    players: options.Players = None,
    seed: options.Seed = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    as_seen_by: options.AsSeenBy = "all",
    brief: options.Brief = False,
    as_json: options.Json = False,
    save: options.Save = None,
    why: Annotated[bool, typer.Option("--why", help="Say with each move why it was made, if the agent can.")] = False,
    metrics: Metrics = False,
    turn: Turns = "",
) -> None:
    """Play one game and show it turn by turn, in color, with the points that moves cost.

    [bold]Examples[/]
      kagiya show careful
      kagiya show careful random --seed 7 --as-seen-by bob    his cards hidden
      kagiya show careful --players 5 --brief           one line per turn
      kagiya show smartbot --turn 10-12 --why           only these turns
      kagiya show "rules(play-safe, discard-oldest)" --why
      kagiya show "ris-mcts(rules=goodman)" --why       what a search weighed
      kagiya show hanabirs-info --why                   what each seat reads
      kagiya show smartbot --deals live --seed 17       hanab.live's p3v0s17
      kagiya show careful --save game.json              for kagiya replay
    """

    from kagiya.lab.replayed_decisions import seats_code, stamped

    parsed, seated = options.read_seating(agents, players, rules)
    viewer = options.read_viewer(as_seen_by, parsed.players)
    planned = kagiya.Match.of(parsed, seated, 1, seed, deals=deals)
    options.check_writable(save)
    make_ready(seated)
    record, told, broken = play_one(planned, why)
    told = with_own_reasons(record, seated, told)
    if save:  # with the code that played it, by which `replay --why` knows whether reasons are genuine
        record = stamped(record, seats_code(seated))
    save_record(record, save)
    present(record, ShowOptions(viewer, brief, read_turns(turn, record.turns), metrics), as_json, told)
    if isinstance(broken, KeyboardInterrupt):
        complain(f"interrupted in turn {record.turns + 1}; this is the game up to there")
        raise interruption()
    if broken is not None:
        raise broken


def replay(
    file: options.Games,
    as_seen_by: options.AsSeenBy = "all",
    turn: Turns = "",
    brief: options.Brief = False,
    as_json: options.Json = False,
    metrics: Metrics = False,
    why: Annotated[bool, typer.Option("--why", help="Ask the agents again why they made each move.")] = False,
    number: options.GameNumber = None,
) -> None:
    """Show a recorded game; every move is played again and checked, and a damaged record is refused.

    It may be one of ours, or of any format that [bold]kagiya convert[/] reads, such as a link of hanab.live.

    [bold]Examples[/]
      kagiya replay game.json
      kagiya replay game.json --turn 12 --as-seen-by cathy
      kagiya replay game.json --turn 3-9 --why
      kagiya replay game.json --brief --metrics
      kagiya replay game.json --game 1                   of a file with several
    """
    record = options.read_one(file, number)
    from kagiya.lab.replayed_decisions import recorded_agents

    viewer = options.read_viewer(as_seen_by, record.rules.players)
    turns = read_turns(turn or linked_turn(record), record.turns)
    agents = recorded_agents(record, file) if why else []
    make_ready(agents)
    told = recalled_reasons(record, agents) if why else NOTHING_TOLD
    present(record, ShowOptions(viewer, brief, turns, metrics), as_json, told)


def recalled_reasons(record: kagiya.GameRecord, agents: Sequence[kagiya.Agent]) -> Reasons:
    """Why the moves of a saved game were made: the genuine reasons if the same code can think the same again."""
    from kagiya.lab.replayed_decisions import ReplayedDecisions
    from kagiya.lab.table.table import PERSON

    seats = [None if name == PERSON else agent for name, agent in zip(record.seats, agents, strict=True)]
    recollection = ReplayedDecisions(record, seats)
    found = list(recollection)
    if any(each.thought and not each.is_genuine for each in found):
        unknown = "the file does not say what code played" if recollection.code is None else "the code is another now"
        reason = "not all their moves follow from the seed" if recollection.is_same_code else unknown
        err.print(f"the agents were asked again: {reason}", style="dim")
    why = [each.why for each in found]
    told = Reasons(why, [each.heard for each in found], [each.is_genuine for each in found])
    return with_own_reasons(record, agents, told)


def with_own_reasons(record: kagiya.GameRecord, agents: Sequence[kagiya.Agent], told: Reasons) -> Reasons:
    """The same, with the evaluator's reason where a search kept its move."""
    from kagiya.lab.table.session import own_reason

    def whole(reason: Any, game: kagiya.Game) -> Any:
        if not (isinstance(reason, kagiya.Explanation) and reason.keeps_own):
            return reason
        return replace(reason, own_reason=own_reason(reason, game, agents[reason.seat], record.seed or 0))

    games = chain([record.deal()], record.replay())
    return replace(told, why=[whole(*each) for each in zip(told.why, games, strict=False)])


def linked_turn(record: kagiya.GameRecord) -> str:
    """The turn that a link names: where the game stands before that move is made."""
    named = record.source.get("turn", "")
    return str(min(max(int(named) - 1, 0), record.turns)) if named.isdecimal() and len(named) < 5 else ""


def read_turns(text: str, played: int) -> tuple[int, int] | None:
    """``12`` or ``3-9``, of a game of `played` turns; None for all."""
    if not text:
        return None
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()) or len(text) > 9:
        raise ValueError(f"--turn takes a turn or two with a dash between them, such as 12 or 3-9, not {text!r}")
    chosen = int(first), int(last or first)
    if not 0 <= chosen[0] <= chosen[1] <= played:
        raise ValueError(f"turns of this game are 0 (the deal) to {played}, not {text}")
    return chosen


def play_one(
    planned: kagiya.Match, why: bool
) -> tuple[kagiya.GameRecord, Reasons, kagiya.AgentError | KeyboardInterrupt | None]:
    """One game, as far as it went, the reasons if wanted, and what broke it off if something did."""
    from kagiya.runtime.interrupts import at_interrupt

    table, seed = planned.new_table(), planned.seed
    told = Reasons()
    broken: kagiya.AgentError | KeyboardInterrupt | None = None
    try:
        with late_bar("playing", None), at_interrupt(table.stop) if table.has_searches else nullcontext():
            if why:
                words = table.play_explained(seed)
                reasons = [found or word for found, word in zip(table.explanations, words, strict=True)]
                told = Reasons(reasons, table.hearings)
            else:
                table.play_game(seed)
    except (kagiya.AgentError, KeyboardInterrupt) as error:
        broken = error
    return table.record(), told, broken


def present(record: kagiya.GameRecord, look: ShowOptions, as_json: bool, told: Reasons = NOTHING_TOLD) -> None:
    """The game on stdout, for a machine or for people."""
    if as_json:
        measured = {"metrics": turn_metrics(record)} if look.metrics else {}
        write_plain(json.dumps(record.to_json() | told.to_json() | measured))
    else:
        draw_record(record, look, told)


def draw_record(record: kagiya.GameRecord, look: ShowOptions, because: Reasons = NOTHING_TOLD) -> None:
    """The whole game on the screen, or one turn of it; who lost the points if all hands are open."""
    from kagiya.cli import terminal_board, terminal_game
    from kagiya.lab.regret import move_costs

    out.print(terminal_game.draw_heading(record, look.eyes, look.brief))
    games = [record.deal(), *record.replay()]
    told = terminal_game.MoveStory(record, look.eyes, move_costs(games), because.why, look.metrics, because.hearings)
    chosen = games if look.turns is None else games[look.turns[0] : look.turns[1] + 1]
    if look.brief:
        out.print(terminal_game.draw_brief(chosen, told))
    else:
        for game in chosen:
            out.print(terminal_game.draw_turn(game, told, out))
    if look.turns is None:
        out.print(terminal_game.draw_end(games[-1], record.end))
        if look.eyes is None:
            out.print(terminal_board.draw_game_losses(told.costs, record.rules.players))


def turn_metrics(record: kagiya.GameRecord) -> list[dict[str, Any]]:
    """For each move what it cost, and pace and efficiency after it."""
    from kagiya.lab import pace, regret

    games = [record.deal(), *record.replay()]
    costs = regret.move_costs(games)
    return [cost.to_json() | pace.position_metrics(game) for cost, game in zip(costs, games[1:], strict=True)]


def save_record(record: kagiya.GameRecord, path: Path | None) -> None:
    """Write the game if a file was named, and say so."""
    if path is not None:
        record.write(path)
        err.print(f"saved: kagiya replay {path}", style="dim")
