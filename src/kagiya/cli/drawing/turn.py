"""What the person at the terminal is shown: the news, the table, and answers to questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from kagiya.cards import COLOR_LETTERS, COLOR_NAMES, SEAT_NAMES, Seat
from kagiya.cli.drawing.board import draw_position, draw_sentences, draw_your_view
from kagiya.cli.drawing.cards import QUIET, color_word
from kagiya.cli.drawing.losses import cost_text
from kagiya.cli.drawing.story import LEGEND, draw_end, rules_line
from kagiya.engine.game import Game
from kagiya.lab.statistics.regret import move_costs
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.view.observation import Observation, observe

HELP = (
    ("play 1", "p 1", "play the card in slot 1"),
    ("discard 2", "d 2", "discard the card in slot 2; a token comes back"),
    ("hint {partner} red", "h {initial} r", "tell {partner} which cards are red; costs a token"),
    ("hint {partner} 3", "h {initial} 3", "tell {partner} which cards are threes"),
    ("moves", "m", "list what is legal now"),
    ("history", "s", "all moves so far"),
    ("table", "t", "draw the table again"),
    ("why", "w", "what the others' last moves were for"),
    ("hint?", "h?", "what a partner would do in your place"),
    ("undo", "u", "take back your last move, and what came after it"),
    ("quit", "q", "leave the game; it is saved"),
)


def draw_your_turn(view: Observation, seats: Sequence[str], console: Console) -> RenderableType:
    """What happened since the person's last move, that move included, and the table now."""
    title = Text.assemble((" YOUR TURN ", "bold reverse"), f"  turn {view.turn + 1}, you are {SEAT_NAMES[view.seat]}")
    news = list(_sentences(view, view.turn - view.rules.players))
    return Group(
        Text(""),
        Rule(title, align="left", style=QUIET),
        *(news or [Text("The first move of the game is yours.")]),
        Text(""),
        draw_your_view(view, seats, console),
    )


def draw_welcome(
    rules: Rules, names: Sequence[str], place: Seat, seed: int | str | None, conventions: Mapping[str, str]
) -> RenderableType:
    """Who is at the table, by what rules, and what the partners' hints mean."""
    seats = (f"{SEAT_NAMES[seat]} {'(you)' if seat == place else name}" for seat, name in enumerate(names))
    title = Text.assemble((", ".join(seats), "bold"), ("" if seed is None else f"   seed {seed}", QUIET))
    told = (Text(f"{name}: {convention}") for name, convention in conventions.items() if convention)
    return Group(title, rules_line(rules), *told, Text(LEGEND, QUIET), Text("Type ? for help.", QUIET))


def draw_last_turn(game: Game, names: Sequence[str], place: Seat, console: Console) -> RenderableType:
    """The end of a game: the news, all hands open, what it came to, and which moves cost points."""
    news = list(_sentences(observe(game, place), game.turn - game.rules.players))
    return Group(
        Text(""),
        Rule(Text.assemble((" THE END ", "bold reverse"), f"  after {game.turn} turns"), align="left", style=QUIET),
        *news,
        Text(""),
        draw_position(game, names, None, console),
        draw_end(game),
        *_costly_moves(game, place),
    )


def _costly_moves(game: Game, place: Seat) -> Iterator[Text]:
    """The moves that made points impossible, and the table of all losses."""
    games = [game.beginning()]
    for move in game.moves:
        games.append(games[-1].copy())
        games[-1].make(move)
    costs = move_costs(games)
    for (event, sentence), cost in zip(draw_sentences(game.events, game.rules, place), costs, strict=True):
        if cost.total > 0:
            yield Text.assemble((f"{event.turn + 1:>3}  ", QUIET), sentence, "; ", cost_text(cost, is_open=True))


def draw_history(view: Observation) -> RenderableType:
    """Every move so far."""
    return Group(*_sentences(view, 0)) if view.turn else Text("nothing has happened yet")


def draw_help(view: Observation) -> RenderableType:
    """All that may be typed."""
    partner = SEAT_NAMES[(view.seat + 1) % view.rules.players]
    table = Table.grid(padding=(0, 3, 0, 0))
    for row in HELP:
        words, short, meaning = (cell.format(partner=partner, initial=partner[0]) for cell in row)
        table.add_row(Text(words, "bold"), short, Text(meaning, QUIET))
    letters = ", ".join(f"{COLOR_LETTERS[c].lower()} {COLOR_NAMES[c]}" for c in range(view.rules.colors))
    return Group(table, Text(f"colors: {letters}; slots count from 1, from the left", QUIET))


def draw_moves(view: Observation) -> RenderableType:
    """The legal moves, one line for each kind and receiver."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for verb, moves in _kinds(view):
        values = Text("  ").join(_value(move) for move in moves)
        table.add_row(Text(verb, "bold"), values if moves else Text("not now", QUIET))
    return table


def _kinds(view: Observation) -> Iterator[tuple[str, list[Move]]]:
    legal = view.legal_moves
    yield "play", [move for move in legal if move.is_play]
    yield "discard", [move for move in legal if move.is_discard]
    for offset in range(1, view.rules.players):
        name = SEAT_NAMES[Seat((view.seat + offset) % view.rules.players)]
        yield f"hint {name}", [move for move in legal if move.offset == offset]


def _value(move: Move) -> Text:
    if move.color is not None:
        return color_word(move.color)
    return Text(str((move.rank if move.rank is not None else move.slot or 0) + 1))


def _sentences(view: Observation, first: int) -> Iterator[Text]:
    for event, sentence in draw_sentences(view.history, view.rules, view.seat):
        if event.turn >= first:
            yield Text.assemble((f"{event.turn + 1:>3}  ", QUIET), sentence)
