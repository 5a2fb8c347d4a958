"""Hat players in words: what a seat is said to hear is true, is decoded from what it sees, and needs no convention."""

import random
from collections.abc import Callable, Iterator

import pytest

from kagiya import Rules, Table, explain, find_agent, parse_rules
from kagiya.agents.api import CompiledAgent
from kagiya.agents.convention_reader import Heard, facts_text, kinds_words, message_text
from kagiya.agents.register import agent_types
from kagiya.cards import Kinds, Seat, parse_cards
from kagiya.cli.terminal_game import brief_hearing
from kagiya.engine.batch import make_move
from kagiya.engine.game_kernels import apply_move, is_over
from kagiya.engine.layout import GAME, SEEN, States
from kagiya.lab.table.decision import hear_as, hear_move
from kagiya.lab.table.determinization import deal_hidden

Games = Callable[[int], int]
HATS = (
    "hanabirs-info",
    "kagiya-hat(deals=0)",
    "infobot",
    "hat-information",
    "hat-information(cut=parts)",
    "cox-information",
    "hat-recommendation",
    "cox-recommendation",
)


def play_heard(team: list[str], rules: Rules, seed: int) -> Iterator[tuple[Table, int, tuple[Heard, ...]]]:
    """Before every move of a game: the table, the move, and what the seats hear in it."""
    table = Table(rules, [find_agent(name) for name in team])
    table.start_game(seed)
    while not is_over(table.states, GAME):
        seat = int(table.states[GAME]["seat"])
        kind = table.agents[seat].compiled
        move = int(kind.act(table.states, GAME, seat, table.memory, table.params, table.rng))
        yield table, move, hear_move(table.states, table.memory, table.params, table.agents, move)
        make_move(table.states, GAME, table.memory, table.params, table.observes, move)


def able(name: str, players: int) -> list[Rules]:
    """The rules by which an agent can play: strict ones if possible, and Bouzy's."""
    strict, loose = Rules(players=players), parse_rules("bouzy", players)
    return [loose] if find_agent(name).why_not(strict) else [strict, loose]


def mask(text: str) -> Kinds:
    return Kinds(sum(1 << card for card in parse_cards(text)))


def test_every_hat_player_of_the_register_has_words() -> None:
    """But for the seers, who hear nothing: they see their cards."""
    family = [kind for kind in agent_types().values() if kind.info.family == "hat players"]
    silent = {
        kind.info.id for kind in family if isinstance(kind, CompiledAgent) and kind.hooks.convention_reader is None
    }
    assert silent == {"seer-recommendation", "seer-information"}


@pytest.mark.parametrize("name", HATS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_a_seat_is_said_to_know_is_true(name: str, players: int, games: Games) -> None:
    """The own numbers of all seats add up to the message, so each was decoded as it was meant."""
    said = 0
    for seed in range(max(games(4), 1)):
        for rules in able(name, players):
            for table, _, heard in play_heard([name], rules, seed):
                assert len({(each.message, each.modulus) for each in heard}) <= 1, f"seed {seed}"
                for each in heard:
                    said += len(each.facts)
                    cards = table.states[GAME]["hands"][each.seat]
                    assert all(fact.kinds >> int(cards[fact.slot]) & 1 for fact in each.facts), f"seed {seed}: {each}"
                if heard:
                    assert sum(each.number for each in heard) % heard[0].modulus == heard[0].message, f"seed {seed}"
    assert said > 20


@pytest.mark.parametrize("name", HATS)
@pytest.mark.parametrize("players", [2, 4])
def test_the_words_do_not_depend_on_cards_that_the_seat_cannot_see(name: str, players: int) -> None:
    dice, told = random.Random(5), 0
    for table, move, heard in play_heard([name], able(name, players)[0], 3):
        for each in heard:
            states = hidden_cards_dealt_again(table, each.seat, move, dice)
            again = hear_as(states, table.memory, table.params, table.agents[each.seat], each.seat, move)
            assert again == each
            told += bool((states[GAME]["hands"] != table.states[GAME]["hands"]).any())
    assert told > 10


def hidden_cards_dealt_again(table: Table, seat: Seat, move: int, dice: random.Random) -> States:
    """A copy in which a hint would touch the same slots."""
    states = table.states.copy()
    states[SEEN] = states[GAME]
    apply_move(states, SEEN, move)
    deal_hidden(states, GAME, seat, states[SEEN]["possible"][seat].tolist(), dice)
    return states


@pytest.mark.parametrize("partner", ["random", "vdb", "smartbot"])
@pytest.mark.parametrize("name", HATS)
def test_a_partner_without_the_convention_is_heard_all_the_same(name: str, partner: str, games: Games) -> None:
    lines = 0
    for seed in range(max(games(6), 1)):
        for _, _, heard in play_heard([name, partner, name], able(name, 3)[0], seed):
            assert all(each.seat != 1 for each in heard)
            lines += sum(len(str(each)) > 0 for each in heard)
    assert lines > 0


def test_hearing_changes_nothing_at_the_table() -> None:
    table = Table(Rules(players=4), [find_agent("infobot")])
    table.play_explained(5)
    explained = table.log.moves.copy()
    assert any(table.hearings)
    assert (table.play_game(5).moves == explained).all()


# Four players with three cards: 0-2 play a slot, 3-5 discard one.
ALL_CAN_PLAY = """
    rules quuxplusone(hand_size=3);  tokens 5
    alice G3 W4 B3;  bob R1 R4 Y3;  cathy G4 W3 Y1;  donald B4 W2 G2;  deck G4 R3 ...
"""


def test_a_hat_player_explains_its_hint() -> None:
    found = explain(ALL_CAN_PLAY, "hat-recommendation")
    assert [str(each) for each in found.heard] == [
        "bob hears 0: slot 1 is to be played",
        "cathy hears 2: slot 3 is to be played",
        "donald hears 3: slot 1 is to be discarded",
    ]
    assert str(found).startswith("tells everybody what to do; carries 5 modulo 6; bob hears 0: slot 1")
    assert found.to_json()["heard"][0] == {
        "seat": "bob",
        "message": 5,
        "modulus": 6,
        "number": 0,
        "slots": [{"slot": 1, "kinds": ["R1", "Y1", "G1", "W1", "B1"], "words": "to be played"}],
        "words": "hears 0: slot 1 is to be played",
    }


def test_a_discard_speaks_too() -> None:
    position = """
        rules quuxplusone(hand_size=3);  fireworks R1 Y1;  tokens 0
        alice R1(R!,1!) Y1(Y!,1!) B3;  bob G1 R4 Y3;  cathy G4 W3 B4;  deck W4 R3 ...
    """
    found = explain(position, "hanabirs-info")
    assert str(found.chosen) == "discard 2"
    assert message_text(found.heard) == "carries 1 modulo 2"
    assert [each.number for each in found.heard] == [1, 0]


def test_through_the_eyes_of_one_seat_only_its_own_line_is_drawn() -> None:
    heard = explain(ALL_CAN_PLAY, "hat-recommendation").heard
    assert len(brief_hearing(heard, None)) == 4
    mine = ["carries 5 modulo 6", "cathy hears 2: slot 3 is to be played"]
    assert [line.plain for line in brief_hearing(heard, Seat(2))] == mine
    assert len(brief_hearing(heard, Seat(0))) == 1


def test_seats_that_disagree_about_the_number_say_each_its_own() -> None:
    heard = [Heard(Seat(0), 4, 6, 1, ()), Heard(Seat(1), 5, 6, 5, ())]
    assert brief_hearing(heard, None)[0].plain == "alice (of 4 modulo 6) hears 1: nothing new"


def test_what_is_known_of_a_card_in_words() -> None:
    playable, useless, before = mask("R1 Y1 G2"), mask("G1"), mask("R1 Y1 G1 G2 R3 R4 R5 Y3 Y4 Y5 B5")

    def words(cards: str, before: Kinds = before) -> str:
        return kinds_words(mask(cards), before, playable, useless)

    assert words("G2") == "playable: G2"
    assert words("R1 Y1") == "playable: R1 or Y1"
    assert words("G1") == "useless: G1"
    assert words("R3") == "R3"
    assert words("R3 R4") == "not playable: R3 or R4"
    assert words("R3 R4", before=mask("R3 R4 R5")) == "R3 or R4"
    assert words("R3 R4 R5 Y3 Y4 Y5") == "not playable"
    assert words("R1 R3 R4 R5 Y3") == "one of 5 kinds"
    assert words("R1 R3", before=mask("R1")) == "open again, for what was concluded contradicts itself"
    assert facts_text([]) == ""
