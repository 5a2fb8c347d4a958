"""The page of a cell: its numbers, its scores, who lost the points (by seat, source and agent), and its games.

Another cell can be set beside it: the paired difference on common decks, and the decks on which they differ most. A
stored game is reviewed from here: it is read from the store, kept, and looked at there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from kagiya.cards import SEAT_NAMES
from kagiya.drawing.canvas import Child, Markup, element
from kagiya.drawing.charts import ScoreSample, distribution
from kagiya.lab.regret import INDIRECT, SOURCES
from kagiya.lab.store.cells import EVENTS, ORDERS, DeckPair, StoredGame, find_stored_game
from kagiya.lab.store.store import Store
from kagiya.lab.summary import Summary
from kagiya.web import results_overview as overview, results_queries as queries
from kagiya.web.pages import (
    Address,
    ElsewhereError,
    Message,
    NotHereError,
    RefusedError,
    link,
    scrolled,
    sentence,
    table,
)
from kagiya.web.review.reviewed_game import ReviewedGame, put_away
from kagiya.web.server_state import ServerState


def compare_form(answer: queries.CellAnswer, address: Address, prefix: str) -> Markup:
    """Which cell; guests and hosts are offered that the store has by the same rules."""
    chosen = queries.read_members(address, prefix) or ("", "")
    guests, hosts = (sorted({pair[place] for pair in answer.others}) for place in (0, 1))
    values = {name: address.query.get(f"{prefix}{name}", "") for name in ("run", "code")}
    away = address.with_query(**{f"{prefix}{name}": None for name in ("guest", "host", "run", "code")})
    return element(
        "form",
        overview.choice_of("guest", "Guest", guests, chosen[0], "with"),
        overview.choice_of("host", "Host", hosts, chosen[-1], "with"),
        overview.field_of("run", "Run", values["run"], "with", size="6", placeholder="any"),
        overview.field_of("code", "Code", values["code"], "with", size="12", placeholder="the newest"),
        element("button", "Compare", type="submit", id="compare", class_="main"),
        link(away, "Take it away", "compare-not") if any(chosen) else None,
        class_="filters",
        data_do="compare",
        id="compare-form",
        aria_label="The other cell",
    )


def comparison(beside: queries.Beside, name: str) -> Markup:
    """The difference in words and numbers."""
    paired, found = beside.paired, beside.paired.difference
    if found.decks < 2:
        return element("p", f"{sentence(found.verdict())} Play both with the same --seed.", id="verdict")
    facts = [
        ("Difference", f"{found.mean:+.2f} ± {found.se:.2f}", f"95 %: {overview.interval_text(found.interval)}"),
        ("Common decks", f"{found.decks:,}", f"correlation of the scores {found.correlation:.2f}"),
        ("Ahead on", f"{paired.ahead:,}", f"level on {paired.level:,}, behind on {paired.behind:,}"),
    ]
    return element(
        "div",
        element("p", element("strong", sentence(found.verdict())), id="verdict"),
        facts_list(facts),
        element(
            "div",
            _decks(f"Decks on which {name} leads most", paired.best_for_first, "lead"),
            _decks(f"Decks on which {beside.name} leads most", paired.best_for_second, "trail"),
            class_="three",
        ),
    )


def facts_list(rows: Sequence[tuple[str, str, str]]) -> Markup:
    """Names, values, and what is to be said of each."""
    items = [
        element("div", element("dt", name), element("dd", value, element("small", more, class_="soft")))
        for name, value, more in rows
    ]
    return element("dl", items, class_="numbers")


def _decks(name: str, pairs: Sequence[DeckPair], prefix: str) -> Markup | None:
    if not pairs:
        return None
    rows = [
        (
            f"deck {pair.seed}",
            _game(pair.first, pair.first_seating, pair.seed, f"{prefix}-{place}-first"),
            _game(pair.second, pair.second_seating, pair.seed, f"{prefix}-{place}-second"),
        )
        for place, pair in enumerate(pairs)
    ]
    drawn = table(name, ("Deck", "This cell", "The other"), rows, frozenset({1, 2}))
    return scrolled(drawn, f"{prefix}-decks", name)


def _game(score: float, seating: int, seed: int, id_: str) -> Markup:
    return element("a", f"{score:g} points", href=str(queries.review_address(seating, seed)), id=id_)


HEADS = {"discard": "Discards", "play": "Misplays", "bomb": "Bombs", INDIRECT: "Lack of turns"}


def regret_tables(answer: queries.CellAnswer) -> Markup:
    """Points lost in a game, on average."""
    regret = answer.summary.regret
    assert regret is not None  # there is a game, else there would be no page
    players = answer.teams[0].players
    whole = {**regret.sources, INDIRECT: regret.indirect}
    by_seat = [(_seat(answer, seat), regret.seats[seat]) for seat in range(players)]
    agents = [(agent, lost) for agent, lost in answer.by_agent.items()]
    return element(
        "section",
        element("h2", "Points lost"),
        element(
            "p",
            f"{regret.direct:.2f} ± {regret.direct_se:.2f} a game directly, by moves that made them impossible; "
            f"{regret.indirect:.2f} ± {regret.indirect_se:.2f} because too few turns were left.",
        ),
        _lost("Points lost in a game, by seat and source", "Seat", [*by_seat, ("all seats", whole)], "by-seat"),
        _lost("Points lost in a game by one seat of each agent", "Agent", agents, "by-agent")
        if len(agents) > 1
        else None,
    )


def _seat(answer: queries.CellAnswer, seat: int) -> str:
    """A seat, with its agent if it is always the same."""
    sitting = {team.seats[seat] for team in answer.teams}
    return f"{SEAT_NAMES[seat]}, {sitting.pop()}" if len(sitting) == 1 else SEAT_NAMES[seat]


def _lost(name: str, first: str, rows: Sequence[tuple[str, Mapping[str, float]]], id_: str) -> Markup:
    sources = (*SOURCES, INDIRECT)
    drawn: list[tuple[Child, ...]] = [
        (who, *(f"{lost[source]:.2f}" for source in sources), f"{sum(lost.values()):.2f}") for who, lost in rows
    ]
    heads = (first, *(HEADS[source] for source in sources), "Together")
    return scrolled(table(name, heads, drawn, frozenset(range(1, 6))), id_, name)


ORDER_NAMES = {"seed": "by deck", "worst": "worst first", "median": "nearest the median", "best": "best first"}
SEATINGS_SHOWN = 10
BESIDE = "with_"  # names of the other cell's values


def read_cell(address: Address) -> queries.CellAddress:
    """The cell that an address names."""
    members = queries.read_members(address)
    if members is None:
        raise RefusedError(
            "Whose games? The address of a cell has a guest and a host; the table of results leads there."
        )
    return queries.CellAddress(replace(queries.read_choice(address), agent=None), members)


def read_beside(address: Address, cell: queries.CellAddress) -> queries.CellAddress | None:
    """The other cell, by the same rules; another run or another code only if it is named."""
    members = queries.read_members(address, BESIDE)
    if members is None:
        return None
    other = queries.read_choice(address, BESIDE)
    return queries.CellAddress(
        replace(other, rules=cell.choice.rules, players=cell.choice.players, agent=None), members
    )


class CellPage(overview.StorePage[queries.CellAnswer]):
    """`/results/cell`."""

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        self.cell = read_cell(address)
        self.title = queries.members_name(self.cell.members)
        event = queries.read_name(address, "event", (*EVENTS, "all"), "all")
        self.event = None if event == "all" else event
        self.order = queries.read_name(address, "order", tuple(ORDERS), "seed")
        question = queries.CellQuestion(
            self.cell, self.event, self.order, queries.read_page(address, "page"), read_beside(address, self.cell)
        )
        super().__init__(state, address, visitor, question)

    def receive(self, message: Message) -> Address | None:
        """The other cell was chosen."""
        if message["do"] != "compare":
            return super().receive(message)
        chosen = {f"{BESIDE}{name}": message.get(name, "").strip() or None for name in ("guest", "host", "run", "code")}
        address = self.address.with_query(**chosen)
        read_beside(address, self.cell)
        return address

    def draw_answer(self, answer: queries.CellAnswer) -> Markup:
        """From the whole to single games."""
        return element(
            "div",
            self._top(answer),
            element(
                "div",
                element("section", element("h2", "Scores"), _scores(answer)),
                regret_tables(answer),
                class_="pair",
            ),
            element(
                "section",
                element("h2", "Beside another cell"),
                compare_form(answer, self.address, BESIDE),
                comparison(answer.beside, self.title) if answer.beside else None,
            ),
            _extremes(answer),
            self._games(answer),
            class_="panels results cell",
        )

    def plain(self, answer: queries.CellAnswer) -> dict[str, Any]:
        """The same for programs."""
        return {"members": list(self.cell.members), **answer.to_json()}

    def _top(self, answer: queries.CellAnswer) -> Markup:
        team = answer.teams[0]
        back = Address(
            queries.OVERVIEW, queries.choice_values(replace(self.cell.choice, rules=team.preset, players=team.players))
        )
        return element(
            "section",
            element("p", link(back, "← All results", "back")),
            element("h1", self.title),
            element("p", f"Rules {team.preset}, {team.players} players.", _mixed(answer), class_="soft"),
            _numbers(answer.summary, answer.perfect),
            _seatings(answer),
        )

    def _games(self, answer: queries.CellAnswer) -> Markup:
        pages = max(1, -(-answer.listed // queries.GAMES_SHOWN))
        which = "All games" if self.event is None else f"Games: {EVENTS[self.event].name}"
        name = f"{which}, {ORDER_NAMES[self.order]}"
        return element(
            "section",
            element("h2", "Games"),
            overview.choice_links(self.address, "event", _events(answer), self.event or "all", "Games by event"),
            overview.choice_links(self.address, "order", ORDER_NAMES, self.order, "Order of the games"),
            overview.games_table(name, answer.games, "game"),
            overview.pager(self.address, "page", answer.page, pages, f"{answer.listed:,} games"),
        )


def _mixed(answer: queries.CellAnswer) -> str:
    codes, terms = ({getattr(team, name) for team in answer.teams} for name in ("code", "terms"))
    by_seats = {team.seats: team for team in answer.teams}
    if len(terms) > 1:
        return f" Games under {len(terms)} different terms are counted together."
    if len(answer.teams) > len(by_seats):
        return f" Games of {len(codes)} versions of the code are counted together."
    if not all(team.is_newest for team in answer.teams):
        return " Played by older code: the same agents may move otherwise now."
    return ""


def _numbers(summary: Summary, perfect: int) -> Markup:
    rows = [
        ("Games", f"{summary.games:,}", ""),
        ("Mean score", f"{summary.mean:.2f} ± {summary.se:.2f}", f"95 %: {overview.interval_text(summary.interval())}"),
        ("Standard deviation", f"{summary.sd:.2f}", f"of scores from 0 to {perfect}"),
        (
            "Perfect games",
            overview.percent(summary.perfect_rate),
            f"95 %: {overview.interval_text(summary.perfect_interval(), True)}",
        ),
        (
            "Bombed games",
            overview.percent(summary.bomb_rate),
            f"95 %: {overview.interval_text(summary.bomb_interval(), True)}",
        ),
        ("Turns", f"{summary.mean_turns:.1f}", f"{summary.mean_points:.2f} cards played, bombed games included"),
    ]
    return facts_list(rows)


def _seatings(answer: queries.CellAnswer) -> Markup:
    rows = [
        (
            f"seating {team.seating}",
            " + ".join(team.seats),
            f"{team.games:,}",
            f"{team.seeds[0][0]} to {team.seeds[-1][1] - 1}",
            element("code", team.code[:10], title=team.code),
            "newest" if team.is_newest else "older",
            team.terms or "none",
        )
        for team in answer.teams[:SEATINGS_SHOWN]
    ]
    heads = ("Seating", "Seats", "Games", "Decks", "Code", "Age", "Terms")
    more = len(answer.teams) - SEATINGS_SHOWN
    return element(
        "details",
        element("summary", "Seats, decks and code", id="seatings-shown"),
        scrolled(table("Who sat where", heads, rows, frozenset({2})), "seatings", "Who sat where"),
        element("p", f"And {more:,} more.", class_="soft") if more > 0 else None,
    )


def _scores(answer: queries.CellAnswer) -> Markup:
    second = _sample("the other", answer.beside.summary) if answer.beside else None
    return element("div", distribution(_sample("this cell", answer.summary), second), class_="picture")


def _sample(name: str, summary: Summary) -> ScoreSample:
    return ScoreSample(name, summary.histogram, summary.mean, summary.se if summary.games > 1 else None)


def _extremes(answer: queries.CellAnswer) -> Markup:
    names = {"worst": "Worst", "median": "Median", "best": "Best"}
    lists: list[Child] = [
        element("div", overview.games_table(f"{names[order]} games", games, order, brief=True))
        for order, games in answer.extremes.items()
    ]
    return element("section", element("h2", "Worst, median and best games"), element("div", lists, class_="three"))


def _events(answer: queries.CellAnswer) -> dict[str, str]:
    games = answer.summary.games
    counted = ((key, event.name, answer.events[key]) for key, event in EVENTS.items())
    shares = {key: f"{name}: {count:,} ({overview.percent(count / games)})" for key, name, count in counted}
    return {"all": f"all games: {games:,}", **shares}


@dataclass(frozen=True)
class GameQuestion(queries.StoreQuestion[StoredGame]):
    """Asked for one game."""

    seating: int
    seed: int

    def answer(self, store: Store) -> StoredGame:
        """The game is played again and checked."""
        return find_stored_game(store, self.seating, self.seed)


class StoredReview(overview.StorePage[StoredGame]):
    """`/review/store/SEATING/SEED`: leads to the review of that game."""

    title = "A stored game"

    def __init__(self, state: ServerState, address: Address, visitor: str, seating: str, seed: str) -> None:
        self._folder = state.reviews.folder
        super().__init__(state, address, visitor, GameQuestion(_number(seating), _number(seed)))

    def draw_answer(self, answer: StoredGame) -> NoReturn:
        """Goes on to the review as soon as the game is there."""
        raise ElsewhereError(put_away([story_of(answer)], self._folder))

    plain = draw_answer


def story_of(game: StoredGame) -> ReviewedGame:
    """The game with where it comes from: run and code stand in its source."""
    source = {
        **game.record.source,
        "format": "store",
        "seating": str(game.seating),
        "seed": str(game.seed),
        "code": game.code,
    }
    if game.run is not None:
        source["run"] = str(game.run)
    about = f"deck {game.seed} of seating {game.seating} in the store"
    return ReviewedGame.of_record(replace(game.record, source=source), about)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise NotHereError(f"A stored game is found at /review/store/SEATING/DECK, both numbers, not {text!r:.60}.")
    return int(text)
