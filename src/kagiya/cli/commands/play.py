"""`kagiya play` and `review`: a person sits down with agents, and walks through the turns that cost points."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import kagiya
from kagiya.cards import SEAT_NAMES
from kagiya.cli import options
from kagiya.cli.console import FAILED, complain, err, interruption, out
from kagiya.cli.run_options import make_ready

if TYPE_CHECKING:
    from kagiya.cli.play_session import PlaySession
    from kagiya.lab.regret import CostlyTurn


DEFAULT_PARTNER = "careful"
DRAWN_SEEDS = 100_000  # short enough to be typed again


@dataclass(frozen=True)
class Start:
    """Who plays, and from where."""

    seating: options.ChosenSeats
    begun: kagiya.Game
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
    number: options.GameNumber = None,
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
    from kagiya.cli.play_session import PlaySession, last_game_file

    options.check_writable(save)
    file = save or last_game_file()
    is_saved = resume or source is not None
    is_changed = {"--rules": rules != "standard" or None, "--deals": deals != "own" or None}
    check_options(is_saved, {"--players": players, "--seed": seed, **is_changed}, turn)
    if is_saved:
        start = saved_start(read_saved(source, number, file), source or str(file), turn, agents, seat)
    else:
        start = new_start(options.seat_person(agents or [DEFAULT_PARTNER], players, rules, seat or "1"), seed, deals)
    make_ready(start.seating.partners)
    if not resume:
        keep_unfinished(file)
    sit_down(PlaySession(start.seating, start.begun, start.seed, file, start.source), save is not None)


def check_options(is_saved: bool, of_new_games: Mapping[str, object], turn: int | None) -> None:
    """Refuse options that would be ignored."""
    given = [name for name, value in of_new_games.items() if value is not None]
    if is_saved and given:
        raise ValueError(f"a saved game keeps its players, deck and rules: leave out {' and '.join(given)}")
    if turn is not None and not is_saved:
        raise ValueError("--turn is a turn of a saved game: name the file with --from FILE, or give --resume")


def keep_unfinished(file: Path) -> None:
    """An unfinished game is not overwritten by the next one: it is moved to a file of its own."""
    from kagiya.cli.play_session import place_of_person

    if not file.is_file():
        return  # nothing yet, or a device, which may have no end
    try:
        record = kagiya.GameRecord.read(file)
        *_, last = record.replay()
    except (OSError, ValueError):  # no game, or one without a move
        return
    if not last.is_over and place_of_person(record) in {event.seat for event in last.events}:
        file = file.resolve()
        kept = file.with_stem(f"{file.stem}-before")
        file.replace(kept)
        err.print(f"your unfinished game is kept: kagiya play --resume --save {kept}", style="dim", soft_wrap=True)


def new_start(seating: options.ChosenSeats, seed: int | None, deals: str) -> Start:
    """A game dealt from a seed, or from one that is drawn."""
    from kagiya.engine.game import check_seed
    from kagiya.lab.deals import OWN, check_deals, dealt_game, seed_text

    dealt = secrets.randbelow(DRAWN_SEEDS) if seed is None else seed
    check_seed(dealt)
    check_deals(deals, seating.rules)
    source = {} if deals == OWN else {"seed": seed_text(seating.rules, dealt)}
    return Start(seating, dealt_game(seating.rules, dealt, deals), dealt, source)


def read_saved(source: str | None, number: int | None, file: Path) -> kagiya.GameRecord:
    """The game of ``--from``, of any format; else the last one of a person, which is ours."""
    if source is not None:
        return options.read_one(source, number)
    if number is not None:
        raise ValueError("--game chooses from a file with several games: name it with --from FILE")
    if not file.exists():
        raise ValueError(f"{file}: there is no such game; `kagiya play` begins one")
    return kagiya.GameRecord.read(file)


def saved_start(record: kagiya.GameRecord, file: str, turn: int | None, agents: list[str] | None, seat: str) -> Start:
    """A game from a file, played on with the partners it had, unless others are named."""
    from kagiya.agents.register import check_file_agent
    from kagiya.cli.play_session import place_of_person, truncated

    begun, place = truncated(record, turn), place_of_person(record)
    sits = options.read_seat(seat, record.rules.players) if seat else place or kagiya.Seat(0)
    others = [text for number, text in enumerate(record.seats) if number != sits]
    if not agents and set(record.seats) == {"human"}:
        raise ValueError(f"{file}: people played this game; name the agents to play on with: kagiya play AGENT --from")
    if not agents and "human" in others:
        raise ValueError(f"in {file} a person sits elsewhere: sit there, or name the agents that you want to play with")
    for text in [] if agents else others:
        check_file_agent(text, file)
    seating = options.seat_person(agents or others, record.rules.players, record.rules.text(), SEAT_NAMES[sits])
    return Start(seating, begun, record.seed, record.source)


def sit_down(evening: PlaySession, is_named: bool) -> None:
    """Play the game to its end, or until the person leaves."""
    from kagiya.cli import play_session, terminal_game

    seating = evening.seating
    conventions = {agent.text: agent.info.convention for agent in seating.partners}
    out.print(terminal_game.draw_welcome(seating.rules, seating.names, seating.place, evening.deal, conventions))
    command = command_of(seating)
    again = f"{command} play --resume{f' --save {evening.file}' if is_named else ''}"
    try:
        finished = evening.play()
    except kagiya.AgentError:
        evening.save()
        raise
    except play_session.QuitGame as left:
        evening.save()
        turns = "1 turn" if left.view.turn == 1 else f"{left.view.turn} turns"
        say_goodbye(f"after {turns}, points {left.view.points}", left.is_wanted, again)
    except KeyboardInterrupt:
        evening.save()
        out.print()
        complain(f"interrupted; go on with: {again}")
        raise interruption() from None
    evening.save()
    out.print(terminal_game.draw_last_turn(finished, seating.names, seating.place, out))
    err.print(f"saved: {command} review {evening.file}", style="dim", soft_wrap=True)


def command_of(seating: options.ChosenSeats) -> str:
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


DEFAULT_ADVISER = "smartbot"
PROMPT = "your move here (Enter: show what was played; ? for help)> "
JUDGED_DEALS = 200


def review(
    file: options.Games,
    adviser: Annotated[
        str, typer.Option("--adviser", help="Who gives advice. Default: the partners of the game, else smartbot.")
    ] = "",
    seat: Annotated[
        str, typer.Option("--seat", help="Whose moves: a seat, or all. Default: the person's, if one played.")
    ] = "",
    number: options.GameNumber = None,
) -> None:
    """Go through the moves of a saved game that cost points: what was known, what the adviser would do, try again.

    At each of them you see the table as the player saw it, and may type a move of your own: it is played out from
    there, and so is the one that was made. "judge" tries every legal move, "why" tells what the others meant, "?"
    lists what else may be typed. Without a terminal the answers are just printed.

    [bold]Examples[/]
      kagiya review game.json
      kagiya review game.json --adviser smartbot --seat all
    """
    record = options.read_one(file, number)
    from kagiya.lab.regret import costly_turns
    from kagiya.lab.table.table import PERSON

    advising = find_adviser(record, adviser, file)
    make_ready([advising])
    usual = str(record.seats.index(PERSON) + 1) if record.seats.count(PERSON) == 1 else "all"
    walk(record, list(costly_turns(record, options.read_viewer(seat or usual, record.rules.players))), advising)


def find_adviser(record: kagiya.GameRecord, text: str, file: str) -> kagiya.Agent:
    """The agent asked for; else a partner that plays by what it may see; else the default."""
    from kagiya.lab.replayed_decisions import recorded_agents
    from kagiya.lab.table.table import PERSON

    if text:
        return kagiya.find_agent(text)
    agents = recorded_agents(record, file)
    fair = [agent for agent, name in zip(agents, record.seats, strict=True) if name != PERSON and not agent.info.mark]
    return fair[0] if fair else kagiya.find_agent(DEFAULT_ADVISER)


def walk(record: kagiya.GameRecord, turns: list[CostlyTurn], adviser: kagiya.Agent) -> None:
    """Turn by turn: the question, what the person would do, the answer."""
    from kagiya.cli.terminal_game import draw_answer, draw_cost_summary, draw_question

    out.print(draw_cost_summary(len(turns), sum(turn.cost.total for turn in turns)))
    for turn in turns:
        out.print(draw_question(turn, record.seats, out))
        move = ask_move(turn, ReviewServices(record, turn, adviser))
        out.print(draw_answer(turn, kagiya.explain(turn.before, adviser, record.seed or 0), adviser.text))
        if move is not None:
            try_move(turn, move, adviser)


@dataclass(frozen=True)
class ReviewServices:
    """What may be asked for at a turn of a review."""

    record: kagiya.GameRecord
    turn: CostlyTurn
    adviser: kagiya.Agent

    def answer(self, text: str) -> bool:
        """Deal with words that are no move; says whether this was one."""
        from kagiya.cli.terminal_game import draw_review_help

        if text in ("?", "help"):
            out.print(draw_review_help())
        elif text in ("judge", "j"):
            self.judge()
        elif text in ("why", "w"):
            self.say_why()
        else:
            return False
        return True

    def judge(self) -> None:
        """Every legal move on the same samples of what the player could not see."""
        from kagiya.cli.terminal_game import draw_judgement
        from kagiya.lab.table.table import SeatingError

        try:
            found = kagiya.judge(self.turn.before, self.adviser, JUDGED_DEALS, seed=self.record.seed or 0)
        except SeatingError as error:
            out.print(f"No: {error}", markup=False)
        else:
            out.print(draw_judgement(replace(found, made=self.turn.after.moves[-1])))

    def say_why(self) -> None:
        """The reasons that the adviser would have had for the moves since the player's last one."""
        from kagiya.cli.terminal_game import draw_reasons

        view = kagiya.observe(self.turn.before, self.turn.before.seat)
        reasons, seed = [], self.record.seed or 0
        for event in view.since_my_last_turn:
            game = self.turn.before.copy()
            while game.turn > event.turn:
                game.undo()
            reasons.append((event, kagiya.explain(game, self.adviser, seed, view.seat), None))
        out.print(draw_reasons(reasons, view))


def ask_move(turn: CostlyTurn, services: ReviewServices) -> kagiya.Move | None:
    """The move that the person would make, asked for until it is legal; None if the input has ended."""
    from kagiya.cli.play_session import read_move
    from kagiya.moves import MoveError

    view = kagiya.observe(turn.before, turn.before.seat)
    while True:
        try:
            text = input(PROMPT).strip().lower()
        except EOFError:
            out.print()
            return None
        if not sys.stdin.isatty():
            out.print(text, markup=False)
        if text in ("q", "quit"):
            raise typer.Exit
        if not text:
            return None
        if services.answer(text):
            continue
        try:
            return read_move(text, view)
        except MoveError as error:
            out.print(f"No: {error}", markup=False)


def try_move(turn: CostlyTurn, move: kagiya.Move, adviser: kagiya.Agent) -> None:
    """Play on from the person's move and from the one that was made, with the same cards to come."""
    from kagiya.cli.terminal_game import draw_trial
    from kagiya.moves import move_name

    tried = turn.before.copy()
    tried.make(move)
    ends = [game if game.is_over else kagiya.play_from(game, adviser) for game in (tried, turn.after)]
    name = move_name(move, turn.before.seat, turn.before.rules.players)
    out.print(draw_trial(name, ends[0].points, ends[1].points, adviser.text))
