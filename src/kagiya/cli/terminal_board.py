"""The table in the terminal: cards and what may be known of them, hands, what lies in the middle, moves in sentences.

Everything is in color and readable without. Also points lost: by a move, by each seat, and on average of a match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya import Card, Color, Game, Observation, Rank, Rules, Seat, card_color, card_name
from kagiya.cards import COLOR_LETTERS, COLOR_NAMES, HIDDEN_CARD, NO_CARD, SEAT_NAMES, each_color, each_rank, make_card
from kagiya.cli.console import QUIET, out
from kagiya.cli.text_table import ColumnKind, TextCell, TextColumn, TextTable, draw_page, name_cell, number_cell
from kagiya.engine.game import Event
from kagiya.engine.sentences import Tone, Word, describe
from kagiya.lab.pace import Risk, efficiency, pace_risk, required_efficiency
from kagiya.lab.regret import INDIRECT, REGRETS, SOURCES, MoveCost
from kagiya.lab.summary import RegretSummary, Summary
from kagiya.view.table_view import Labels, TableCard, TableHand, TableView

# By color: red, yellow, green, white, blue, purple. Terminals of 16 colors take the nearest they have: these shades
# are chosen so that it is the right one.
TILES = (
    "bold #ffffff on #b8262e",
    "bold #201a00 on #e0b000",
    "bold #ffffff on #118a2f",
    "bold #202020 on #e9e9e4",
    "bold #ffffff on #1f5fd0",
    "bold #ffffff on #8a2ab8",
)
INKS = ("#e03c3c", "#b8960a", "#159a3c", "default", "#4080ff", "#b050e0")
HIDDEN_TILE = "bold #c8c8c8 on #4d4d52"
ANY = "·"  # nothing known: every value is possible
RISK_STYLES = {Risk.LOW: "default", Risk.MEDIUM: "yellow", Risk.HIGH: "bold yellow", Risk.ZERO: "bold red"}
CAUSES = dict(zip(SOURCES, ("a needed card is gone", "a needed card is gone", "the game is over"), strict=True))
REGRET_COLUMNS = (TextColumn("direct", leaves=3), TextColumn("indirect", leaves=3), TextColumn("total", leaves=4))
NAME_WIDTH = 12
NEWEST, NEXT_DISCARD = "new", "next"  # under a person's and the partners' cards
CERTAIN = 1e-9  # exact chances are sums of fractions; this is their rounding error
STYLES = {Tone.SEAT: "bold", Tone.RANK: "bold", Tone.GOOD: "bold green", Tone.BAD: "bold red"}


def draw_position(game: Game, seats: Sequence[str], eyes: Seat | None, console: Console) -> RenderableType:
    """The table from one seat's eyes, or with all cards open."""
    view = TableView.of_game(game, eyes, Labels(players=seats))
    rows = [row for hand in view.hands for row in _hand_rows(hand, view.rules)]
    return _beside(rows, view, console)


def draw_your_view(view: Observation, seats: Sequence[str], console: Console) -> RenderableType:
    """What the person at the terminal sees: partners in turn order, their own hand last and with its chances."""
    seen = TableView.of_observation(view, Labels(players=seats))
    others = ([*_hand_rows(hand, view.rules)[:-1], _ages(hand), []] for hand in seen.in_turn_order[:-1])
    rows = [row for hand in others for row in hand]
    return _beside([*rows, *_own_rows(seen.mine, view.rules)], seen, console)


def _beside(rows: Sequence[Sequence[Text]], view: TableView, console: Console) -> RenderableType:
    """Hands on the left, the board on the right; one above the other where the terminal is narrow."""
    size, colors = view.rules.hand_size, view.rules.colors
    width, board_width = NAME_WIDTH + 1 + size * (_slot_width(colors) + 1), 10 + 5 * colors
    hands = _hands_grid(rows, size, colors)
    if console.width < width + 2 + board_width:
        return Group(draw_board(view), Text(""), hands)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=width)
    grid.add_column(width=board_width)
    grid.add_row(hands, draw_board(view))
    return grid


def _hands_grid(rows: Sequence[Sequence[Text]], size: int, colors: int) -> Table:
    """All hands, one below the other, the slots in columns."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=NAME_WIDTH, no_wrap=True)
    for _ in range(size):
        grid.add_column(width=_slot_width(colors), no_wrap=True)
    grid.add_row("", *(Text(f"  {slot + 1}", QUIET) for slot in range(size)))
    for row in rows:
        grid.add_row(*row)
    return grid


def _slot_width(colors: int) -> int:
    return max(colors, 5)


def _hand_rows(hand: TableHand, rules: Rules) -> list[list[Text]]:
    """A hand: its cards, the colors and the ranks that each can have; and an empty row."""
    pointer = "▶ " if hand.is_to_move else "  "
    return [*_card_rows(hand, Text(f"{pointer}{hand.name}", "bold"), hand.player, rules), []]


def _own_rows(hand: TableHand, rules: Rules) -> list[list[Text]]:
    """The same of the person's own hand, with how likely each card is to fit, and to be useless."""
    return [
        *_card_rows(hand, Text("▶ you", "bold reverse"), SEAT_NAMES[hand.seat], rules),
        [
            Text("  playable", QUIET),
            *_by_slot(hand, lambda card: chance_word(card.chances.fits if card.chances else 0)),
        ],
        [
            Text("  useless", QUIET),
            *_by_slot(hand, lambda card: chance_word(card.chances.useless if card.chances else 0)),
        ],
        _ages(hand),
        [],
    ]


def _ages(hand: TableHand) -> list[Text]:
    """Which card was drawn last, and which is the oldest that no hint has named."""
    newest = max((card.order for card in hand.held), default=None)
    unnamed = [card.order for card in hand.held if not (card.marks.told_color or card.marks.told_rank)]
    words = {newest: NEWEST, min(unnamed, default=None): NEXT_DISCARD}
    return [Text(""), *_by_slot(hand, lambda card: Text(words.get(card.order, ""), QUIET))]


def _card_rows(hand: TableHand, name: Text, player: str, rules: Rules) -> list[list[Text]]:
    colors, ranks = rules.colors, rules.ranks
    return [
        [name, *(tile(card.card, card.marks.playable, card.marks.useless) for card in hand.cards)],
        [
            Text(f"  {player}", QUIET),
            *_by_slot(hand, lambda card: open_colors(card.possible.colors, colors, card.marks.told_color)),
        ],
        [Text(""), *_by_slot(hand, lambda card: open_ranks(card.possible.ranks, ranks, card.marks.told_rank))],
    ]


def _by_slot(hand: TableHand, draw: Callable[[TableCard], Text]) -> list[Text]:
    return [Text("") if card.card == NO_CARD else Text(" ") + draw(card) for card in hand.cards]


def chance_word(chance: float) -> Text:
    """A chance in percent; only what is certain is shown as certain."""
    if chance < CERTAIN:
        return Text("0%", QUIET)
    if chance > 1 - CERTAIN:
        return Text("100%", "bold green")
    return Text(f"{min(max(round(100 * chance), 1), 99)}%")


def draw_board(view: TableView) -> Table:
    """What lies in the middle, for all to see."""
    rules = view.rules
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=QUIET)
    grid.add_column()
    grid.add_row("fireworks", Text(" ").join(_top(Color(color), high) for color, high in enumerate(view.fireworks)))
    grid.add_row("points", f"{view.points} of {rules.perfect_score}")
    grid.add_row("tokens", _counters("●", "○", view.tokens, rules.hint_tokens, "cyan"))
    grid.add_row("lives", _counters("♥", "♡", view.lives, rules.lives, "red"))
    grid.add_row("deck", _deck(view))
    grid.add_row("pace", pace_text(view.pace, rules.players))
    grid.add_row("discards", _discards(view))
    return grid


def _discards(view: TableView) -> RenderableType:
    """A line for each color."""
    lines = []
    for color, row in zip(each_color(view.rules.colors), view.discards, strict=True):
        cards = [make_card(color, rank) for rank in each_rank(view.rules.ranks) for _ in range(row[rank])]
        if cards:
            lines.append(Text(" ").join(card_word(card) for card in cards))
    return Group(*lines) if lines else Text("none", QUIET)


def _top(color: Color, height: int) -> Text:
    """The top card of a firework."""
    if height == 0:
        return Text(f" {COLOR_LETTERS[color]}· ", QUIET)
    return tile(make_card(color, Rank(height - 1)))


def _counters(full: str, empty: str, count: int, of: int, style: str) -> Text:
    return Text.assemble((full * count, style), (empty * (of - count), QUIET), f" {count}")


def _deck(view: TableView) -> Text:
    if view.turns_left is None:
        return Text(f"{view.deck_left} card{'' if view.deck_left == 1 else 's'}")
    left = f", {view.turns_left} turn{'' if view.turns_left == 1 else 's'} left" if view.turns_left else ""
    return Text(f"empty{left}", "bold yellow")


def tile(card: Card, fits: bool = False, is_useless: bool = False) -> Text:
    """A card as it lies on the table, four characters wide; one that fits now points upwards."""
    if card == NO_CARD:
        return Text(" -- ", QUIET)
    if card == HIDDEN_CARD:
        return Text(" ?? ", HIDDEN_TILE)
    if is_useless:
        return Text(f" {card_name(card)} ", f"dim {INKS[card_color(card)]}")
    return Text(f" {card_name(card)}{'↑' if fits else ' '}", TILES[card_color(card)])


def card_word(card: Card) -> Text:
    """A card inside a sentence."""
    return Text(card_name(card), f"bold {INKS[card_color(card)]}")


def color_word(color: Color) -> Text:
    """A color inside a sentence."""
    return Text(COLOR_NAMES[color], f"bold {INKS[color]}")


def open_colors(colors: Iterable[int], of: int, is_told: bool) -> Text:
    """The colors still possible of those in the game, by letter; underlined if a hint has named it."""
    listed = sorted(set(colors))
    if len(listed) == of and not is_told:
        return Text(ANY, QUIET)
    strong = "bold underline " if is_told else "bold " if len(listed) == 1 else ""
    return Text.assemble(*((COLOR_LETTERS[color], f"{strong}{INKS[color]}") for color in listed))


def open_ranks(ranks: Iterable[int], of: int, is_told: bool) -> Text:
    """The ranks still possible of those in the game; underlined if a hint has named it."""
    listed = sorted(set(ranks))
    if len(listed) == of and not is_told:
        return Text(ANY, QUIET)
    strong = "bold underline" if is_told else "bold" if len(listed) == 1 else ""
    return Text("".join(str(rank + 1) for rank in listed), strong)


def draw_sentences(events: Iterable[Event], rules: Rules, you: Seat | None = None) -> Iterator[tuple[Event, Text]]:
    """Each event with its sentence; `events` start at the beginning of the game. `you` is addressed as such."""
    for sentence in describe(events, rules, you):
        yield sentence.event, Text.assemble(*map(_colored, sentence.words))


def _colored(word: Word) -> tuple[str, str]:
    return word.text, STYLES.get(word.tone, "") if word.color is None else f"bold {INKS[word.color]}"


def cost_text(cost: MoveCost, is_open: bool) -> Text:
    """What a move cost, in words; nothing if nothing. Who does not see all hands is not told of indirect losses."""
    parts = []
    if cost.direct:
        parts.append(f"costs {points_word(cost.direct)}: {CAUSES[cost.source or '']}")
    if is_open and cost.indirect > 0:
        parts.append(f"leaves no turn for {points_word(cost.indirect)}")
    if is_open and cost.indirect < 0:
        parts.append(f"{points_word(-cost.indirect)} of it had no turn left anyway")
    return Text(", ".join(parts), "bold red" if cost.total > 0 else "red")


def points_word(points: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{points} point{'' if points == 1 else 's'}"


def pace_text(now: int | None, players: int) -> Text:
    """A pace in the color of its risk; a dash where there is none."""
    return Text("-", QUIET) if now is None else Text(str(now), RISK_STYLES[pace_risk(now, players)])


def needed_text(game: Game) -> Text:
    """Cards that each hint to come must get, on average; a dash once the deck is empty."""
    required = required_efficiency(game)
    return Text("-", QUIET) if required is None else Text(f"{float(required):.2f}")


def metrics_text(game: Game) -> Text:
    """The efficiency of a position in one line; its pace stands beside the deck."""
    so_far = efficiency(game)
    had = Text("-", QUIET) if so_far is None else Text(f"{float(so_far):.2f}")
    return Text.assemble(("efficiency needed ", QUIET), needed_text(game), (", so far ", QUIET), had)


def draw_game_losses(costs: Sequence[MoveCost], players: int) -> RenderableType:
    """Who lost the points of one game."""
    if all(cost.is_free for cost in costs):
        return Text("No move cost a point.", "green")
    rows = [dict.fromkeys((*SOURCES, INDIRECT), 0) for _ in range(players)]
    for turn, cost in enumerate(costs):
        row = rows[turn % players]
        row[INDIRECT] += cost.indirect
        if cost.source:
            row[cost.source] += cost.direct
    return Group(*draw_page([losses_table(SEAT_NAMES[:players], rows, 0)], out.width))


def draw_regret(regret: RegretSummary, agents: Sequence[str]) -> TextTable:
    """Who lost the points of a match, on average of a game."""
    is_mixed = len(set(agents)) > 1
    table = losses_table(SEAT_NAMES[: len(agents)], regret.seats, 2)
    if is_mixed:
        table.columns.insert(1, TextColumn("agent", ColumnKind.NAME))
        for row, agent in zip(table.rows, [*agents, ""], strict=True):
            row.cells.insert(1, name_cell(agent))
    return table


def losses_table(names: Sequence[str], rows: Sequence[Mapping[str, float]], digits: int) -> TextTable:
    """A line for each seat and one for the team: direct regret by source, indirect, and both together."""
    heads = (*SOURCES, *REGRETS)
    table = TextTable(
        [TextColumn("points lost", ColumnKind.LABEL, style="default"), *(TextColumn(head) for head in heads)]
    )
    for name, row in zip(names, rows, strict=True):
        table.add(name, *_cells(row, digits))
    team = {key: sum(row[key] for row in rows) for key in (*SOURCES, INDIRECT)}
    table.add("team", *_cells(team, digits), style="bold")
    return table


def _cells(row: Mapping[str, float], digits: int) -> list[TextCell]:
    by_source = [row[source] for source in SOURCES]
    direct, indirect = sum(by_source), row[INDIRECT]
    return [number_cell(value, digits) for value in (*by_source, direct, indirect, direct + indirect)]


def regret_cells(found: Summary) -> list[TextCell]:
    """Mean regret of a team: direct, indirect, total."""
    lost = found.regret
    values = (None, None, None) if lost is None else (lost.direct, lost.indirect, lost.total)
    return [number_cell(value, 2) for value in values]
