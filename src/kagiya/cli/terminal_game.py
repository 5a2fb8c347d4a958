"""A game in the terminal: every turn with its reasons, all that a person who plays is shown and may ask, costly turns.

Also what seats hear by their conventions, what a search found, and the terminal as an SVG picture for the README.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.color import parse_rgb_hex
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from kagiya import Explanation, Game, Observation, Rules, observe
from kagiya.agents.convention_reader import Heard, message_text
from kagiya.cards import COLOR_LETTERS, COLOR_NAMES, SEAT_NAMES, Seat
from kagiya.cli import terminal_board as board
from kagiya.cli.console import QUIET
from kagiya.cli.text_table import rules_line, who
from kagiya.engine.game import Event
from kagiya.engine.record import BROKEN_OFF, SETTLED, UNFINISHED, GameRecord
from kagiya.lab.pace import pace
from kagiya.lab.regret import CostlyTurn, MoveCost, move_costs
from kagiya.lab.review.judging import Judgement
from kagiya.moves import Move, move_name

STYLE = "italic dim"
SHOWN = 5  # moves
LEGEND = (
    "Below each card stand the colors and ranks that its owner still holds possible (· any, underlined: told by a "
    "hint). R1↑ fits now; a card without background can never score."
)
AGES = (
    f"{board.NEWEST}: drawn last; {board.NEXT_DISCARD}: the oldest card that no hint has named, which most players "
    "discard next."
)
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
REVIEW_HELP = (
    ("play 1", "p 1", "try a move: it is played out from here, and so is the one that was made; any legal move"),
    ("judge", "j", "every legal move on the same deals of the hidden cards"),
    ("why", "w", "what the others' last moves were for, as the adviser plays"),
    ("Enter", "", "show what was played, and what the adviser would do"),
    ("quit", "q", "stop"),
)
Reason = tuple[Event, Explanation, Move | None]  # what the partner would do now in the person's place
WIDTH = 96
# Of the picture: rich's own themes have a gray that is hard to read on their ground. Normal colors, then bright ones.
NORMAL = "1a1a1a f4005f 98e024 fd971f 9d65ff f4005f 58d1eb c4c5b5"
BRIGHT = "a8a8a8 ff4d4d 98e024 e0d561 9d65ff f4005f 58d1eb f6f6ef"
SHADES: list[tuple[int, int, int]] = [parse_rgb_hex(shade) for shade in f"{NORMAL} {BRIGHT}".split()]
THEME = TerminalTheme((12, 12, 12), (230, 230, 230), SHADES[:8], SHADES[8:])
# rich's own frame names fonts to be fetched from the web.
FRAME = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
    }}
    .{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
    <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def draw_heading(record: GameRecord, eyes: Seat | None, is_brief: bool = False) -> RenderableType:
    """Which game this is."""
    seed = "" if record.seed is None else f"seed {record.seed}, "
    if "seed" in record.source:
        seed = f"deal {record.source['seed']}, "
    seen = "all hands open" if eyes is None else f"through the eyes of {SEAT_NAMES[eyes]}"
    title = Text.assemble((who(record.seats), "bold"), (f"   {seed}{seen}", QUIET))
    lines = [title, rules_line(record.rules), *_called_otherwise(record)]
    return Group(*lines, *([] if is_brief else [Text(LEGEND, QUIET)]), Text(""))


def _called_otherwise(record: GameRecord) -> list[Text]:
    """Suits that have other names where the game was played; here they are drawn by our letters."""
    ours = zip(record.suits, COLOR_NAMES, COLOR_LETTERS, strict=False)
    other = [f"{letter} is {name} there" for name, own, letter in ours if name != own]
    return [Text(f"Suits where it was played: {', '.join(other)}.", QUIET)] if other else []


@dataclass(frozen=True)
class MoveStory:
    """A game to be told: its record, whose eyes see it, and what is known of its moves."""

    record: GameRecord
    eyes: Seat | None
    costs: Sequence[MoveCost]
    reasons: Sequence[Any] = ()  # words, or the explanations of searches
    with_metrics: bool = False
    hearings: Sequence[Sequence[Heard]] = ()  # what the seats heard in each move

    def heard(self, turn: int) -> Sequence[Heard]:
        """What the seats heard in the move before this turn."""
        return self.hearings[turn - 1] if turn <= len(self.hearings) else ()

    def reason(self, turn: int) -> Text:
        """Why the move before this turn was made, as far as its agent told, in one sentence."""
        return Text(str(self.reasons[turn - 1]) if turn <= len(self.reasons) else "", "italic dim")

    def search(self, turn: int) -> Explanation | None:
        """What the search found that made the move before this turn, if it was one."""
        found = self.reasons[turn - 1] if turn <= len(self.reasons) else None
        return found if isinstance(found, Explanation) else None

    def cost(self, turn: int) -> Text:
        """What the move before this turn cost."""
        return board.cost_text(self.costs[turn - 1], is_open=self.eyes is None)


def draw_turn(game: Game, told: MoveStory, console: Console) -> RenderableType:
    """The move just made in words, why it was made and what it cost, and the table after it."""
    sentences = list(board.draw_sentences(game.events, game.rules, None))
    title = Text(f"turn {game.turn}" if sentences else "the deal", "bold")
    rule = Rule(title, align="left", style=QUIET)
    lines = [*_remarks(sentences[-1][1], game, told), Text("")] if sentences else []
    return Group(rule, *lines, board.draw_position(game, told.record.seats, told.eyes, console))


def _remarks(sentence: Text, game: Game, told: MoveStory) -> list[RenderableType]:
    reason, cost, search = told.reason(game.turn), told.cost(game.turn), told.search(game.turn)
    because: list[RenderableType] = [Text("because: ", "italic dim") + reason] if reason else []
    if search is not None and search.moves:
        because = [draw_search(search)]
    metrics, heard = (
        [board.metrics_text(game)] if told.with_metrics else [],
        draw_hearing(told.heard(game.turn), told.eyes),
    )
    return [sentence, *because, *heard, *([cost] if cost else []), *metrics]


def draw_brief(games: Iterable[Game], told: MoveStory) -> Table:
    """The whole game, one line for each turn: the move, and how things stand after it."""
    table = Table.grid(padding=(0, 2, 0, 0))
    extra = [*(["pace", "needed"] if told.with_metrics else []), *(["because"] if told.reasons else [])]
    for name in ("turn", "", "points", "tokens", "lives", *extra):
        table.add_column(Text(name, QUIET), justify="left" if name in ("", "because") else "right")
    table.show_header = True
    for game in games:
        if game.turn:
            *_, (_, sentence) = board.draw_sentences(game.events, game.rules)
            cost = told.cost(game.turn)
            what = Text("\n").join([sentence, cost]) if cost else sentence
            standing = (str(number) for number in (game.points, game.tokens, game.lives))
            metrics = (
                [board.pace_text(pace(game), game.rules.players), board.needed_text(game)] if told.with_metrics else []
            )
            heard = brief_hearing(told.heard(game.turn), told.eyes)
            why = [Text("\n").join([told.reason(game.turn), *heard])] if told.reasons else []
            table.add_row(Text(str(game.turn), QUIET), what, *standing, *metrics, *why)
    return table


def draw_end(game: Game, end: str = UNFINISHED) -> RenderableType:
    """How the game stands at its end, or where it was broken off."""
    rules = game.rules
    if end in BROKEN_OFF:
        state = Text(f"Broken off ({end}), which counts as 0.", "bold red")
    elif end == SETTLED:
        state = Text("Ended: nothing more could be scored.", "bold")
    elif game.is_bombed:
        state = Text("The last life is lost.", "bold red")
    elif not game.is_over:
        state = Text(f"Broken off: {SEAT_NAMES[game.seat]} is to move.", "bold yellow")
    elif game.points == rules.perfect_score:
        state = Text("Perfect!", "bold green")
    else:
        state = Text("The game is over.", "bold")
    counted = 0 if end in BROKEN_OFF else game.score
    score = Text.assemble(
        ("Score ", "bold"),
        (str(counted), "bold green" if counted else "bold red"),
        f" of {rules.perfect_score}",
        f"   points {game.points}, lives {game.lives}, turns {game.turn}",
    )
    return Group(Rule(style=QUIET), Text.assemble(state, "  ", score), rules_line(rules))


def draw_hearing(heard: Sequence[Heard], eyes: Seat | None) -> list[RenderableType]:
    """The number that a move carries, and what each seat makes of it."""
    carried, lines = hearing_lines(heard, eyes)
    table = Table.grid(padding=(0, 1, 0, 0))
    for name, words in lines:
        table.add_row(Text(f"  {name}", "bold"), Text(words, STYLE))
    return [*([Text(carried, STYLE)] if carried else []), *([table] if lines else [])]


def brief_hearing(heard: Sequence[Heard], eyes: Seat | None) -> list[Text]:
    """The same as plain lines."""
    carried, lines = hearing_lines(heard, eyes)
    return [*([Text(carried, STYLE)] if carried else []), *(Text(" ".join(line), STYLE) for line in lines)]


def hearing_lines(heard: Sequence[Heard], eyes: Seat | None) -> tuple[str, list[tuple[str, str]]]:
    """What is common to all, and each seat's name and words; through the eyes of one seat only its own.

    What another seat knows of its cards follows in part from the hand of the one who looks.
    """
    common = message_text(heard)
    shown = [each for each in heard if eyes is None or each.seat == eyes]
    return common, [(SEAT_NAMES[each.seat], ("" if common else _number(each)) + each.words()) for each in shown]


def _number(heard: Heard) -> str:
    return f"(of {heard.message} modulo {heard.modulus}) " if heard.modulus > 1 else ""


def draw_search(found: Explanation) -> RenderableType:
    """How much was searched, the best moves with their values, and the line that is expected."""
    own = [Text(found.own_reason, "italic dim")] if found.own_reason else []
    parts: list[RenderableType] = [*own, Text(effort(found), "italic dim"), Padding(draw_moves(found), (0, 0, 0, 2))]
    parts += [Text(f"takes {SEAT_NAMES[each.seat]} for: {each.likely(SHOWN)}", "italic dim") for each in found.allies]
    if found.own_hand:
        parts.append(Text(f"its own hand: {found.own_hand}", "italic dim"))
    if words := found.line_words():
        parts.append(Text(f"expects: {words}", "italic dim"))
    return Group(*parts)


def effort(found: Explanation) -> str:
    """How long the search looked, and how deep if it grew a tree."""
    time = "" if found.seconds is None else f" in {1000 * found.seconds:,.0f} ms"
    if found.is_flat:
        return f"tried its moves in {found.iterations:,} deals{time}"
    mean = "" if found.mean_depth is None else f" (mean {found.mean_depth:.1f})"
    true = "" if found.true_share is None else f"; in {found.true_share:.0%} no partner's card was swapped for another"
    return f"searched: {found.iterations:,} iterations{time}; tree depth {found.depth}{mean}{true}"


def draw_moves(found: Explanation) -> Table:
    """The best moves: what each is worth, and how often it was tried."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for estimate in found.moves[:SHOWN]:
        style = "bold" if estimate.move == found.chosen else ""
        tried = f"{estimate.visits:,} {'deal' if found.is_flat else 'visit'}{'' if estimate.visits == 1 else 's'}"
        given = f"+ {found.head_start:g}: the evaluator's own move" if style and found.head_start else ""
        row = [Text(tried, QUIET, justify="right"), Text(given, QUIET)]
        table.add_row(Text(found.name(estimate.move), style), estimate.worth(), *row)
    if len(found.moves) > SHOWN:
        table.add_row(Text(f"and {len(found.moves) - SHOWN} more", QUIET))
    return table


def draw_your_turn(view: Observation, seats: Sequence[str], console: Console) -> RenderableType:
    """What happened since the person's last move, that move included, and the table now."""
    title = Text.assemble((" YOUR TURN ", "bold reverse"), f"  turn {view.turn + 1}, you are {SEAT_NAMES[view.seat]}")
    news = list(_sentences(view, view.turn - view.rules.players))
    return _table_before(title, news or [Text("The first move of the game is yours.")], view, seats, console)


def _table_before(
    title: Text, news: Sequence[Text], view: Observation, seats: Sequence[str], console: Console
) -> RenderableType:
    """A turn as the player to move sees it."""
    rule = Rule(title, align="left", style=QUIET)
    return Group(Text(""), rule, *news, Text(""), board.draw_your_view(view, seats, console))


def draw_welcome(
    rules: Rules, names: Sequence[str], place: Seat, seed: int | str | None, conventions: Mapping[str, str]
) -> RenderableType:
    """Who is at the table, by what rules, and what the partners' hints mean."""
    seats = (f"{SEAT_NAMES[seat]} {'(you)' if seat == place else name}" for seat, name in enumerate(names))
    title = Text.assemble((", ".join(seats), "bold"), ("" if seed is None else f"   seed {seed}", QUIET))
    told = (Text(f"{name}: {convention}") for name, convention in conventions.items() if convention)
    return Group(title, rules_line(rules), *told, Text(f"{LEGEND} {AGES}", QUIET), Text("Type ? for help.", QUIET))


def draw_last_turn(game: Game, names: Sequence[str], place: Seat, console: Console) -> RenderableType:
    """The end of a game: the news, all hands open, what it came to, and which moves cost points."""
    news = list(_sentences(observe(game, place), game.turn - game.rules.players))
    return Group(
        Text(""),
        Rule(Text.assemble((" THE END ", "bold reverse"), f"  after {game.turn} turns"), align="left", style=QUIET),
        *news,
        Text(""),
        board.draw_position(game, names, None, console),
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
    for (event, sentence), cost in zip(board.draw_sentences(game.events, game.rules, place), costs, strict=True):
        if cost.total > 0:
            yield Text.assemble((f"{event.turn + 1:>3}  ", QUIET), sentence, "; ", board.cost_text(cost, is_open=True))


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


def draw_legal_moves(view: Observation) -> RenderableType:
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
        return board.color_word(move.color)
    return Text(str((move.rank if move.rank is not None else move.slot or 0) + 1))


def _sentences(view: Observation, first: int) -> Iterator[Text]:
    for event, sentence in board.draw_sentences(view.history, view.rules, view.seat):
        if event.turn >= first:
            yield Text.assemble((f"{event.turn + 1:>3}  ", QUIET), sentence)


def draw_reasons(reasons: Sequence[Reason], view: Observation) -> RenderableType:
    """A line for each partner's move since the person's last, with the move that it asks the person for."""
    if not reasons:
        return Text("nobody has moved since your last turn")
    return Group(*(_reason(*reason, view) for reason in reasons))


def _reason(event: Event, found: Explanation, asked: Move | None, view: Observation) -> Text:
    move = move_name(event.move, event.seat, view.rules.players)
    words = _words(found, view) if found.chosen == event.move else "asked again, it would make another move"
    if asked is not None and (asked.slot in event.touched or asked.slot in _heard_slots(found, view)):
        words += f"; asks you to {'play' if asked.is_play else 'discard'} slot {(asked.slot or 0) + 1}"
    return Text.assemble((f"{SEAT_NAMES[event.seat]}, {move}: ", "bold"), words)


def _heard_slots(found: Explanation, view: Observation) -> set[int]:
    return {fact.slot for heard in found.heard if heard.seat == view.seat for fact in heard.facts}


def _words(found: Explanation, view: Observation) -> str:
    """What may be told: a partner sees the person's cards, and what a search expects or others hear would show them."""
    effort = f"tried its moves in {found.iterations:,} deals" if found.is_flat else f"{found.iterations:,} iterations"
    searched = "; ".join(filter(None, (found.own_reason, effort)))
    said = searched if found.moves else found.reason or "the only move considered"
    return "; ".join((said, *(str(heard) for heard in found.heard if heard.seat == view.seat)))


def draw_advice(found: Explanation, adviser: str) -> RenderableType:
    """What a partner would do in the person's place, and why."""
    return Text.assemble((f"{adviser} would {found.name(found.chosen)}", "bold"), (f": {found}", QUIET))


def draw_cost_summary(costs: int, points: int) -> RenderableType:
    """How many turns there were to look at."""
    if not costs:
        return Text("No move cost a point: there is nothing to review.")
    turns = "1 turn" if costs == 1 else f"{costs} turns"
    return Text(f"{turns} cost {points} point{'' if points == 1 else 's'} in all.", "bold")


def draw_question(turn: CostlyTurn, seats: Sequence[str], console: Console) -> RenderableType:
    """The table as the player saw it, before the outcome of the move is shown."""
    view = observe(turn.before, turn.before.seat)
    title = Text(f"turn {view.turn + 1}, {SEAT_NAMES[view.seat]} ({seats[view.seat]})", "bold")
    news = list(_sentences(view, view.turn - view.rules.players + 1))
    return _table_before(title, news, view, seats, console)


def draw_answer(turn: CostlyTurn, found: Explanation, adviser: str) -> RenderableType:
    """What was done and what it cost, and what the adviser would have done and why."""
    *_, (_, sentence) = board.draw_sentences(turn.after.events, turn.after.rules)
    advice = f"{adviser} would {found.name(found.chosen)}"
    same = "; the same move" if found.chosen == turn.after.moves[-1] else ""
    return Group(
        Text.assemble("played: ", sentence),
        board.cost_text(turn.cost, is_open=True),
        Text.assemble((advice + same, "bold"), (f": {found}", QUIET)),
    )


def draw_review_help() -> RenderableType:
    """All that may be typed at a turn of a review."""
    table = Table.grid(padding=(0, 3, 0, 0))
    for words, short, meaning in REVIEW_HELP:
        table.add_row(Text(words, "bold"), short, Text(meaning, QUIET))
    return table


def draw_judgement(found: Judgement) -> RenderableType:
    """Every legal move with the score to expect and how far it is behind; the move that was made is marked."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for each in found.moves:
        behind = f"behind by {each.behind:.2f} ± {each.behind_error:.2f}" if each.move != found.best else "best"
        marks = [word for word, is_so in (("played", each.move == found.made), ("a mistake", each.is_mistake)) if is_so]
        name = move_name(int(each.move), found.seat, found.players)
        style = "bold" if each.move == found.made else ""
        table.add_row(
            Text(f"  {name}", style), f"{each.value:.2f} ± {each.error:.2f}", behind, Text(", ".join(marks), style)
        )
    return Group(Text(f"on the same {found.deals:,} deals, {found.evaluator} playing on in all seats:", QUIET), table)


def draw_trial(move: str, tried: int, played: int, adviser: str) -> RenderableType:
    """What a move of the person's would have led to, beside what was played."""
    return Text(f"{move}: {tried} points, the move played {played}, if {adviser} plays on in all seats.")


def recording_console() -> Console:
    """A console that keeps what is printed on it, in color."""
    return Console(file=io.StringIO(), record=True, width=WIDTH, force_terminal=True, color_system="truecolor")


def write_terminal_picture(path: Path, title: str, shown: RenderableType) -> None:
    """Draw what a terminal would show of this."""
    console = recording_console()
    console.print(shown)
    console.save_svg(str(path), title=title, theme=THEME, code_format=FRAME, unique_id="kagiya")
