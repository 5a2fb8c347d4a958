"""A whole game for the eye: where it was dealt, every turn, and what it came to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from kagiya.agents.conventions.convention_reader import Heard
from kagiya.cards import COLOR_LETTERS, COLOR_NAMES, SEAT_NAMES, Seat
from kagiya.cli.drawing.board import draw_position, draw_sentences
from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.hearing import brief_hearing, draw_hearing
from kagiya.cli.drawing.losses import cost_text, metrics_text, needed_text, pace_text
from kagiya.cli.drawing.search import draw_search
from kagiya.engine.endings import BROKEN_OFF, SETTLED, UNFINISHED
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.statistics.pace import pace
from kagiya.lab.statistics.regret import MoveCost
from kagiya.rules import Rules, parse_rules
from kagiya.search.explanation import Explanation

LEGEND = (
    "Below each card stand the colors and ranks that its owner still holds possible (· any, underlined: told by a "
    "hint). R1↑ fits now; a card without background can never score."
)


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


def who(seats: Sequence[str]) -> str:
    """The agents: one name if they are all the same, otherwise by seat."""
    if len(set(seats)) == 1:
        return f"{seats[0]}, {len(seats)} players"
    return ", ".join(f"{SEAT_NAMES[seat]} {agent}" for seat, agent in enumerate(seats))


def rules_line(rules: Rules) -> Text:
    """What must stand beside every score."""
    return Text(f"{rules.text()}: {rules.caption()}", QUIET)


def rules_lines(texts: Iterable[str]) -> list[Text]:
    """What each of these rules says of bombs and empty hints, for any number of players."""
    captions = {text: parse_rules(text, 2).caption().split("; ", 1)[1] for text in texts}
    return [Text(f"{text}: {caption}", QUIET) for text, caption in captions.items()]


@dataclass(frozen=True)
class Told:
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
        return cost_text(self.costs[turn - 1], is_open=self.eyes is None)


def draw_turn(game: Game, told: Told, console: Console) -> RenderableType:
    """The move just made in words, why it was made and what it cost, and the table after it."""
    sentences = list(draw_sentences(game.events, game.rules, None))
    title = Text(f"turn {game.turn}" if sentences else "the deal", "bold")
    rule = Rule(title, align="left", style=QUIET)
    lines = [*_remarks(sentences[-1][1], game, told), Text("")] if sentences else []
    return Group(rule, *lines, draw_position(game, told.record.seats, told.eyes, console))


def _remarks(sentence: Text, game: Game, told: Told) -> list[RenderableType]:
    reason, cost, search = told.reason(game.turn), told.cost(game.turn), told.search(game.turn)
    because: list[RenderableType] = [Text("because: ", "italic dim") + reason] if reason else []
    if search is not None and search.moves:
        because = [draw_search(search)]
    metrics, heard = [metrics_text(game)] if told.with_metrics else [], draw_hearing(told.heard(game.turn), told.eyes)
    return [sentence, *because, *heard, *([cost] if cost else []), *metrics]


def draw_brief(games: Iterable[Game], told: Told) -> Table:
    """The whole game, one line for each turn: the move, and how things stand after it."""
    table = Table.grid(padding=(0, 2, 0, 0))
    extra = [*(["pace", "needed"] if told.with_metrics else []), *(["because"] if told.reasons else [])]
    for name in ("turn", "", "points", "tokens", "lives", *extra):
        table.add_column(Text(name, QUIET), justify="left" if name in ("", "because") else "right")
    table.show_header = True
    for game in games:
        if game.turn:
            *_, (_, sentence) = draw_sentences(game.events, game.rules)
            cost = told.cost(game.turn)
            what = Text("\n").join([sentence, cost]) if cost else sentence
            standing = (str(number) for number in (game.points, game.tokens, game.lives))
            metrics = [pace_text(pace(game), game.rules.players), needed_text(game)] if told.with_metrics else []
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
