"""A whole game for the eye: where it was dealt, every turn, and what it came to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.cli.drawing.board import draw_position
from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.sentences import tell
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.rules import Rules

LEGEND = (
    "Below each card stand the colors and ranks that its owner still holds possible (· any, underlined: told by a "
    "hint). R1↑ fits now; a card without background can never score."
)


def draw_heading(record: GameRecord, eyes: Seat | None, is_brief: bool = False) -> RenderableType:
    """Which game this is."""
    seed = "" if record.seed is None else f"seed {record.seed}, "
    seen = "all hands open" if eyes is None else f"through the eyes of {SEAT_NAMES[eyes]}"
    title = Text.assemble((who(record.seats), "bold"), (f"   {seed}{seen}", QUIET))
    lines = [title, rules_line(record.rules)]
    return Group(*lines, *([] if is_brief else [Text(LEGEND, QUIET)]), Text(""))


def who(seats: Sequence[str]) -> str:
    """The agents: one name if they are all the same, otherwise by seat."""
    if len(set(seats)) == 1:
        return f"{seats[0]}, {len(seats)} players"
    return ", ".join(f"{SEAT_NAMES[seat]} {agent}" for seat, agent in enumerate(seats))


def rules_line(rules: Rules) -> Text:
    """What must stand beside every score."""
    return Text(f"{rules.text()}: {rules.caption()}", QUIET)


def draw_turn(
    game: Game, record: GameRecord, eyes: Seat | None, console: Console, reasons: Sequence[str] = ()
) -> RenderableType:
    """The move just made in words, why it was made if that is known, and the table after it."""
    told = list(tell(game.events, game.rules, None))
    title = Text(f"turn {game.turn}" if told else "the deal", "bold")
    rule = Rule(title, align="left", style=QUIET)
    sentence = [told[-1][1], *_reason(game, reasons), Text("")] if told else []
    return Group(rule, *sentence, draw_position(game, record.seats, eyes, console))


def _reason(game: Game, reasons: Sequence[str]) -> list[Text]:
    """Why the last move was made, as far as its agent told."""
    known = game.turn <= len(reasons) and reasons[game.turn - 1]
    return [Text(f"because: {reasons[game.turn - 1]}", "italic dim")] if known else []


def draw_brief(games: Iterable[Game], reasons: Sequence[str] = ()) -> Table:
    """The whole game, one line for each turn: the move, and how things stand after it."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in ("turn", "", "points", "tokens", "lives", *(["because"] if reasons else [])):
        table.add_column(Text(name, QUIET), justify="left" if not name else "right")
    table.show_header = True
    for game in games:
        if game.turn:
            *_, (_, sentence) = tell(game.events, game.rules)
            why = [Text(reasons[game.turn - 1], "italic dim")] if game.turn <= len(reasons) else []
            standing = map(str, (game.points, game.tokens, game.lives))
            table.add_row(Text(str(game.turn), QUIET), sentence, *standing, *why)
    return table


def draw_end(game: Game) -> RenderableType:
    """How the game stands at its end, or where it was broken off."""
    rules = game.rules
    if game.is_bombed:
        state = Text("The last life is lost.", "bold red")
    elif not game.is_over:
        state = Text(f"Broken off: {SEAT_NAMES[game.seat]} is to move.", "bold yellow")
    elif game.points == rules.perfect_score:
        state = Text("Perfect!", "bold green")
    else:
        state = Text("The game is over.", "bold")
    score = Text.assemble(
        ("Score ", "bold"),
        (str(game.score), "bold green" if game.score else "bold red"),
        f" of {rules.perfect_score}",
        f"   points {game.points}, lives {game.lives}, turns {game.turn}",
    )
    return Group(Rule(style=QUIET), Text.assemble(state, "  ", score), rules_line(rules))
