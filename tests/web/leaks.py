"""All that one seat receives from the server, and the same game with the cards it cannot see dealt again."""

import itertools
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from unittest.mock import patch

from starlette.testclient import TestClient

from kagiya.agents.register import find_agent
from kagiya.cards import Card, Seat, card_name
from kagiya.engine.game import Game
from kagiya.lab.table.determinization import plausible_game
from kagiya.lab.table.session import play_from
from kagiya.lab.table.table import PERSON
from kagiya.moves import Move, move_name
from kagiya.rules import parse_rules
from kagiya.view.observation import observe
from kagiya.web.app import COOKIE, make_app
from kagiya.web.play.table_agents import TableAgents
from kagiya.web.play.web_tables import TablePlan
from kagiya.web.server_state import ServerState
from tests.web.live_page import live
from tests.web.play.guests import HERE, LIVE, Guest

RULES = ("standard", "hle-small", "bouzy", "standard(colors=6)", "standard(hand_size=3)", "standard(colors=3)")
AGENTS = ("smartbot", "vdb", "careful", "hat-recommendation", "holmesbot", "random")
SEEDS = (1_907_365_218, 1_350_846_729)  # of two tables with a given deck: digits that no figure has by chance


@dataclass(frozen=True)
class Position:
    """A game that was played so far, and who looks at it."""

    rules: str
    deck: tuple[Card, ...]
    moves: tuple[Move, ...]
    seats: tuple[str, ...]
    eyes: int

    @property
    def game(self) -> Game:
        game = Game(parse_rules(self.rules, len(self.seats)), deck=self.deck)
        for move in self.moves:
            game.make(move)
        return game


def some_position(dice: random.Random, players: int, number: int = 0) -> Position:
    """In the middle of a game of some agents, one of whom is a person at the web table; rules take turns."""
    rules = parse_rules(RULES[(players + number) % len(RULES)], players)
    able = [name for name in AGENTS if find_agent(name).why_not(rules) is None]
    agents = [dice.choice(able) for _ in range(players)]
    dealt = Game(rules, dice.randrange(10**6))
    played = play_from(dealt, agents)
    turns = dice.randrange(len(played.moves)) if len(played.moves) else 0
    eyes = dice.randrange(players)
    seats = tuple(PERSON if seat == eyes or dice.random() < 0.2 else name for seat, name in enumerate(agents))
    return Position(rules.text(), dealt.deck or (), tuple(played.moves[:turns]), seats, eyes)


def dealt_again(position: Position, dice: random.Random) -> Position:
    """Other cards in the deck and in the hand of the one who looks, of which nothing it knows could tell."""
    game = plausible_game(observe(position.game, Seat(position.eyes)), dice.randrange(10**6))
    assert game.moves == position.moves
    return replace(position, deck=game.deck or ())


def received(position: Position, seed: int) -> list[str]:
    """All that the seat's browser gets while these moves are made: frames, then pages, JSON and refusals."""
    state = ServerState()
    words = (f"word{number}" for number in itertools.count())
    state.tables.new_word = lambda: next(words)
    with (
        patch.object(TableAgents, "wake", lambda bots: None),  # agents move as they did in the game
        TestClient(make_app(state), base_url=HERE, cookies={COOKIE: "me"}) as client,
    ):
        return _play(client, state, position, seed)


def _play(client: TestClient, state: ServerState, position: Position, seed: int) -> list[str]:
    deck = " ".join(map(card_name, position.deck))
    rules = parse_rules(position.rules, len(position.seats))
    names = tuple(f"player{seat}" for seat in range(rules.players))
    address = str(state.tables.set_up("me", TablePlan(rules, position.seats, names, 0.0, seed, deck)))
    name = address.split("/")[2]
    opened = state.tables.visit(name)
    address = f"/table/{name}/{opened.table.setup.secrets[position.eyes]}"
    with live(client, LIVE + address, headers={"cookie": f"{COOKIE}=me"}) as socket:
        page = Guest(socket)
        page.receive()
        for turn, move in enumerate(position.moves):
            if turn % rules.players == position.eyes:
                text = move_name(move, Seat(position.eyes), rules.players)
                page.do("move", move=text, turn=turn)
            else:
                opened.table.make(Seat(turn % rules.players), move, turn)
                page.receive()
        _do_all(page, position)
        frames = [json.dumps(frame) for frame in page.frames]
        page.do("go", to=address)
        _ask_coach(client, page, position)
    return [*frames, *_ask_all(client, address, name, len(position.moves))]


def _do_all(page: Guest, position: Position) -> None:
    """What can be done besides moving, and what is refused."""
    turn = len(position.moves)
    for message in (
        {"move": "fly", "turn": turn},
        {"move": "play 9", "turn": turn},
        {"move": "discard 1", "turn": turn + 1},
        {"move": "play 1", "turn": turn - 1},
    ):
        page.do("move", **message)
    page.do("type", line="hint nobody red", turn=turn, branch=0)
    page.do("note", card=observe(position.game, Seat(position.eyes)).mine.order(0), value="mine")
    page.do("replace", agent="careful")
    page.do("fly")
    for value in (0, turn // 2, "live"):
        page.do("look", value=value)
    page.do("go", to="/")


def _ask_coach(client: TestClient, page: Guest, position: Position) -> None:
    """What this seat can have worked out; how many frames say how far it is depends on the machine."""
    turn, players = len(position.moves), len(position.seats)
    mine = turn - (turn - position.eyes) % players
    page.do("look", value=mine)
    addresses = (page.address.partition("?")[0], page.address)
    questions = [("coach", {"turn": mine, "judge": "careful"})]
    questions += [("tell", {"turn": earlier}) for earlier in range(max(0, mine - players), turn)]
    for what, about in questions:
        page.do(what, branch=0, **about)
        while any('"thinking":true' in client.get(f"/json{address}").text for address in addresses):
            time.sleep(0.01)


def _ask_all(client: TestClient, address: str, name: str, turn: int) -> list[str]:
    """Pages and JSON of the seat, of the table, and of what is not for this seat."""
    turns = dict.fromkeys((turn // 2, *range(max(0, turn - 5), turn + 1)))
    queries = ("", "?turn=-1", "?turn=x", "?tab=notes", *(f"?turn={number}" for number in turns))
    own = [f"{address}{query}" for query in queries]
    own.append(f"{address}/game.json")
    foreign = [f"/table/{name}/wrong", f"/table/{name}", f"/review/table/{name}", f"/review/game/{name}", "/"]
    answers = [client.get(f"{front}{path}") for path in [*own, *foreign] for front in ("", "/json")]
    return [f"{answer.status_code} {answer.text} {sorted(answer.headers.items())}" for answer in answers]


def first_difference(one: Sequence[str], other: Sequence[str]) -> str:
    """Where two sequences of answers part; empty if they do not."""
    for number, (left, right) in enumerate(itertools.zip_longest(one, other, fillvalue="")):
        if left != right:
            place = next((at for at, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1]), 0)
            start = max(0, place - 80)
            return f"answer {number}: ...{left[start : place + 120]}... and ...{right[start : place + 120]}..."
    return ""
