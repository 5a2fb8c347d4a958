"""`kagiya play`: a person sits down with agents."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import err, out
from kagiya.cli.errors import FAILED, complain, interruption
from kagiya.cli.records import GameNumber, read_one
from kagiya.cli.seating import Seating, check_writable, read_seat, seat_person

if TYPE_CHECKING:
    from kagiya.cli.evening import Evening
    from kagiya.engine.game import Game
    from kagiya.engine.record import GameRecord

DEFAULT_PARTNER = "careful"
DRAWN_SEEDS = 100_000  # short enough to be typed again


@dataclass(frozen=True)
class Start:
    """Who plays, and from where."""

    seating: Seating
    begun: Game
    seed: int | None
    source: Mapping[str, str] = field(default_factory=dict)  # the name of the deal elsewhere, among others


def play(
    agents: options.Partners = None,
    players: options.Players = None,
    seat: Annotated[str, typer.Option("--seat", help="Where you sit: 1, 2, ... or alice, bob, ... Default: 1.")] = "",
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="Default: another game every time.")] = None,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    save: options.Save = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last game, or that of --save.")] = False,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Play on from a game: any file or link that replay reads."),
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", "-t", help="With --from: after this turn.")] = None,
    number: GameNumber = None,
) -> None:
    """Play a game yourself, with agents as partners. Your own cards stay hidden; at the table, type ? for help.

    One agent takes all other seats; several take them one by one, from seat 1 on. The game is saved at every turn:
    leave when you like. "undo" takes a move back, "why" tells what partners meant, "hint?" what they would do.

    [bold]Examples[/]
      kagiya play
      kagiya play careful --players 4 --seat bob
      kagiya play smartbot --seed 42 --save game.json
      kagiya play smartbot --deals live --seed 17        hanab.live's p3v0s17
      kagiya play --resume --save game.json
      kagiya play --from game.json --turn 3 --seat bob   instead of bob
      kagiya play smartbot --from game.txt --turn 3      a hanab.live link
    """
    from kagiya.cli.evening import Evening, last_game_file

    check_writable(save)
    file = save or last_game_file()
    is_saved = resume or source is not None
    is_changed = {"--rules": rules != "standard" or None, "--deals": deals != "own" or None}
    check_options(is_saved, {"--players": players, "--seed": seed, **is_changed}, turn)
    if is_saved:
        start = saved_start(read_saved(source, number, file), turn, agents, seat)
    else:
        start = new_start(seat_person(agents or [DEFAULT_PARTNER], players, rules, seat or "1"), seed, deals)
    make_ready(start.seating.partners)
    if not resume:
        keep_unfinished(file)
    sit_down(Evening(start.seating, start.begun, start.seed, file, start.source), save is not None)


def check_options(is_saved: bool, of_new_games: Mapping[str, object], turn: int | None) -> None:
    """Refuse options that would be ignored."""
    given = [name for name, value in of_new_games.items() if value is not None]
    if is_saved and given:
        raise ValueError(f"a saved game keeps its players, deck and rules: leave out {' and '.join(given)}")
    if turn is not None and not is_saved:
        raise ValueError("--turn is a turn of a saved game: name the file with --from FILE, or give --resume")


def keep_unfinished(file: Path) -> None:
    """A game that somebody has left is not overwritten by the next one: it gets a file of its own."""
    from kagiya.cli.evening import place_of_person
    from kagiya.engine.record import GameRecord

    try:
        record = GameRecord.read(file)
        *_, last = record.replay()
    except (OSError, ValueError):  # no file, no game, or one without a move
        return
    if not last.is_over and place_of_person(record) in {event.seat for event in last.events}:
        kept = file.with_stem(f"{file.stem}-before")
        file.replace(kept)
        err.print(f"your unfinished game is kept: kagiya play --resume --save {kept}", style="dim", soft_wrap=True)


def new_start(seating: Seating, seed: int | None, deals: str) -> Start:
    """A game dealt from a seed, or from one that is drawn."""
    from kagiya.engine.game import check_seed
    from kagiya.lab.deals.live_deals import OWN, check_deals, dealt_game, seed_text

    dealt = secrets.randbelow(DRAWN_SEEDS) if seed is None else seed
    check_seed(dealt)
    check_deals(deals, seating.rules)
    source = {} if deals == OWN else {"seed": seed_text(seating.rules, dealt)}
    return Start(seating, dealt_game(seating.rules, dealt, deals), dealt, source)


@dataclass(frozen=True)
class Saved:
    """A game that is played on, and where it was read."""

    record: GameRecord
    source: str


def read_saved(source: str | None, number: int | None, file: Path) -> Saved:
    """The game of ``--from``, of any format; else the last one of a person, which is ours."""
    from kagiya.engine.record import GameRecord

    if source is not None:
        return Saved(read_one(source, number), source)
    if number is not None:
        raise ValueError("--game chooses from a file with several games: name it with --from FILE")
    if not file.exists():
        raise ValueError(f"{file}: there is no such game; `kagiya play` begins one")
    return Saved(GameRecord.read(file), str(file))


def saved_start(saved: Saved, turn: int | None, agents: list[str] | None, seat: str) -> Start:
    """A game from a file, played on with the partners it had, unless others are named."""
    from kagiya.agents.register import check_file_agent
    from kagiya.cli.evening import place_of_person, truncated

    record, file = saved.record, saved.source
    begun, place = truncated(record, turn), place_of_person(record)
    sits = read_seat(seat, record.rules.players) if seat else place or Seat(0)
    others = [text for number, text in enumerate(record.seats) if number != sits]
    if not agents and set(record.seats) == {"human"}:
        raise ValueError(f"{file}: people played this game; name the agents to play on with: kagiya play AGENT --from")
    if not agents and "human" in others:
        raise ValueError(f"in {file} a person sits elsewhere: sit there, or name the agents that you want to play with")
    for text in [] if agents else others:
        check_file_agent(text, file)
    seating = seat_person(agents or others, record.rules.players, record.rules.text(), SEAT_NAMES[sits])
    return Start(seating, begun, record.seed, record.source)


def sit_down(evening: Evening, is_named: bool) -> None:
    """Play the game to its end, or until the person leaves."""
    from kagiya.cli.drawing.turn import draw_last_turn, draw_welcome
    from kagiya.cli.person import Left
    from kagiya.lab.table.table import AgentError

    seating = evening.seating
    conventions = {agent.text: agent.info.convention for agent in seating.partners}
    out.print(draw_welcome(seating.rules, seating.names, seating.place, evening.deal, conventions))
    command = command_of(seating)
    again = f"{command} play --resume{f' --save {evening.file}' if is_named else ''}"
    try:
        finished = evening.play()
    except AgentError:
        evening.save()
        raise
    except Left as left:
        evening.save()
        turns = "1 turn" if left.view.turn == 1 else f"{left.view.turn} turns"
        say_goodbye(f"after {turns}, points {left.view.points}", left.is_wanted, again)
    except KeyboardInterrupt:
        evening.save()
        out.print()
        complain(f"interrupted; go on with: {again}")
        raise interruption() from None
    evening.save()
    out.print(draw_last_turn(finished, seating.names, seating.place, out))
    err.print(f"saved: {command} review {evening.file}", style="dim", soft_wrap=True)


def command_of(seating: Seating) -> str:
    """How Kagiya must be called to go on: a file that names modules needs to be trusted."""
    from kagiya.agents.register import module_names
    from kagiya.spec import parse_spec

    is_own = any(True for agent in seating.partners for _ in module_names(parse_spec(agent.text)))
    return "kagiya --trust-modules" if is_own else "kagiya"


def say_goodbye(standing: str, is_wanted: bool, again: str) -> None:
    """The game ends without an end: by the person's wish, or because nothing more can be read."""
    if is_wanted:
        out.print(f"You leave the table {standing}. Go on with:\n{again}", soft_wrap=True)
        raise typer.Exit
    out.print()
    complain(f"the input ended before the game did, {standing}; go on with: {again}")
    raise typer.Exit(FAILED)
