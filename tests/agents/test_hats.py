"""Hat players: what a hint says is heard alike by everybody, and survives partners who know no convention."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from kagiya import Game, Match, Rules, explain, find_agent, parse_rules, play_match
from kagiya.agents.hats.codes import (
    ANY_HINT,
    KIND,
    MAX_USUAL_CLASSES,
    TOUCH,
    Code,
    capacity,
    classes_to,
    count_classes,
    count_messages,
    hint_for,
    hint_of_class,
    hint_with_message,
    message_of,
    message_of_class,
    message_of_hint,
)
from kagiya.agents.hats.decisions import PARTS, kinds_of_part, part_of
from kagiya.agents.hats.public_table import SETS, public_set
from kagiya.cards import NO_MOVE, Kinds, MoveNumber, Seat, Slot, mask_cards
from kagiya.engine.game_kernels import apply_move, is_legal, is_over
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import SeatingError, Table
from kagiya.rules import MAX_DECK
from tests.agents.conventions import choice

Games = Callable[[int], int]
KNOWING = ("kagiya-hat", "hanabirs-info", "infobot", "hat-information", "cox-information")
ADVISING = ("hat-recommendation", "cox-recommendation")

TELLS_ALL = "tells everybody what to do"
PLAYS_AS_TOLD = "plays {slot}, as it was told"
DISCARDS_AS_TOLD = "discards {slot}, as it was told"
TELLS_OF_ONE_CARD = "tells everybody about one card each"
ANSWERS = "answers everybody's questions with a hint"
SIGNALS = "discards {slot}, which is useless, and answers questions by choosing it"
DISCARDS_USELESS = "discards {slot}, which is useless"
MUST_FIT = "plays {slot}, which must fit"


def able(name: str) -> list[int]:
    """With how many players an agent plays by the standard rules."""
    return [players for players in (2, 3, 4, 5) if find_agent(name).why_not(Rules(players=players)) is None]


def play_by_hand(name: str, rules: Rules, seed: int) -> Iterator[Table]:
    """The table before every move of a game."""
    table = Table(rules, [find_agent(name)])
    kind = table.agents[0].compiled
    assert kind.observe is not None
    table.start_game(seed)
    while not is_over(table.states, GAME):
        yield table
        seat = table.states[GAME]["seat"]
        move = kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)
        for other in range(rules.players):
            kind.observe(table.states, GAME, other, table.memory, table.params, move)
        apply_move(table.states, GAME, move)


# Four players with three cards: 0-2 play a slot, 3-5 discard one. Bob should play 1, cathy 3, donald 1: the sum is 2,
# the rank of donald's first card.
ALL_CAN_PLAY = "tokens 5;  alice G3 W4 B3;  bob R1 R4 Y3;  cathy G4 W3 Y1;  donald B1 W2 G2;  deck G4 R3 ..."
# Bob should discard his four.
BOB_CANNOT = "tokens 5;  alice G3 W4 B3;  bob R4 R3 Y3;  cathy G4 W3 Y1;  donald B1 W2 G2;  deck G4 R3 ..."


@pytest.mark.parametrize("name", ADVISING)
def test_one_hint_tells_three_seats_what_to_do(name: str) -> None:
    assert choice(name, ALL_CAN_PLAY) == ("hint donald 1", TELLS_ALL)
    assert choice(name, ALL_CAN_PLAY, "hint donald 1") == ("play 1", PLAYS_AS_TOLD)
    assert choice(name, ALL_CAN_PLAY, "hint donald 1", "play 1") == ("play 3", PLAYS_AS_TOLD)


@pytest.mark.parametrize("name", ADVISING)
def test_what_was_told_is_too_old_after_two_plays(name: str) -> None:
    story = ("hint donald 1", "play 1", "play 3")
    assert choice(name, ALL_CAN_PLAY, *story)[1] == TELLS_ALL
    third = ALL_CAN_PLAY + ";  rules quuxplusone(hand_size=3, lives=3);  lives 1"
    assert choice(name, third, *story[:2])[1] == TELLS_ALL  # after two errors one play is enough


def test_who_was_told_to_discard_does_so_unless_there_is_news() -> None:
    assert choice("hat-recommendation", BOB_CANNOT) == ("hint donald blue", TELLS_ALL)
    assert choice("hat-recommendation", BOB_CANNOT, "hint donald blue") == ("discard 1", DISCARDS_AS_TOLD)
    assert choice("cox-recommendation", BOB_CANNOT, "hint donald blue")[1] == TELLS_ALL
    alice_can_play = BOB_CANNOT.replace("alice G3", "alice G1")
    assert choice("hat-recommendation", alice_can_play, "hint donald blue")[1] == TELLS_ALL


def test_hat_information_tells_the_kind_of_a_card() -> None:
    """R1 is number 0, Y1 5 and G2 11; hint number 16 goes to the second seat and names the second rank."""
    position = "rules bouzy(hand_size=3);  tokens 5;  alice G3 W4 B3;  bob R1 R4 Y3;  cathy Y1 W3 G4;  donald G2 W2 B4"
    assert choice("hat-information", position) == ("hint cathy 2", TELLS_OF_ONE_CARD)
    assert choice("hat-information", position, "hint cathy 2") == ("play 1", MUST_FIT)


def test_cox_information_tells_the_part_of_a_card() -> None:
    """Five ones are parts 0-4, then come blocks of eight: Y1 is 1, R2 5, B1 4 and W3 6, so the sum is 0 modulo 8."""
    position = """
        rules quuxplusone;  tokens 5;  alice G3 W4 B3 B4
        bob Y1 R4 Y3 G3;  cathy R2 W3 G4 W4;  donald B1 W2 B4 R4;  emily W3 Y4 Y4 G2
    """
    assert choice("cox-information", position) == ("hint bob 3", TELLS_OF_ONE_CARD)
    assert choice("cox-information", position, "hint bob 3") == ("play 1", MUST_FIT)


def test_five_players_with_four_cards_use_all_hints_or_the_eight_of_cox() -> None:
    def modulus(agent: str) -> int:
        return explain(Game(Rules(players=5), seed=1), agent).heard[0].modulus

    assert modulus("cox-information") == modulus("hat-information(hints=kinds)") == 8
    assert modulus("hat-information") == modulus("cox-information(hints=all)") == 12


def test_the_information_players_throw_useless_cards_away_early_or_not() -> None:
    position = "fireworks R1;  tokens 5;  alice R1(R!,1!) W4 B3;  bob W3 R4 Y3;  cathy G4 W3 G4"
    assert choice("cox-information", position) == ("discard 1", DISCARDS_USELESS)
    assert choice("hat-information", position)[1] == TELLS_OF_ONE_CARD


def test_hanabirs_info_answers_which_card_is_the_first_that_fits() -> None:
    """Bob's answer is 2, cathy's 3; of six messages number 5 is the last to cathy, one that misses her first card."""
    position = "tokens 5;  alice G3 W4 B3;  bob R4 R1 Y3;  cathy G4 W3 B1"
    move, reason = choice("hanabirs-info", position)
    assert reason == ANSWERS
    assert move in ("hint cathy white", "hint cathy blue", "hint cathy 3", "hint cathy 1")
    assert choice("hanabirs-info", position, move) == ("play 2", MUST_FIT)


@pytest.mark.parametrize("name", ["hanabirs-info", "infobot"])
def test_which_useless_card_goes_is_a_message(name: str) -> None:
    position = """
        fireworks R1 Y1;  tokens 0;  alice R1(R!,1!) Y1(Y!,1!) B3;  bob G1 R4 Y3;  cathy G4 W3 B4;  deck W4 R3 ...
    """
    assert choice(name, position) == ("discard 2", SIGNALS)
    assert choice(name, position, "discard 2") == ("play 1", MUST_FIT)
    assert choice(name, position.replace("bob G1", "bob G3")) == ("discard 1", SIGNALS)


def test_a_discard_by_hanabirs_info_says_that_nobody_else_needs_a_hint() -> None:
    position = "tokens 5;  fireworks R4;  alice R1(R!,1!) W4 B3;  bob R5(R!) G3 Y3;  cathy G4 W3 B4;  deck W4 R4 ..."
    assert choice("hanabirs-info", position)[1] == ANSWERS  # for bob holds the five
    without = position.replace("R5(R!)", "R2(R!)")
    assert choice("hanabirs-info", without) == ("discard 1", DISCARDS_USELESS)
    assert choice("hanabirs-info", without, "discard 1") == ("discard 1", DISCARDS_USELESS)  # what is red is no five
    assert choice("infobot", without, "discard 1") != ("discard 1", DISCARDS_USELESS)


def test_infobot_answers_whether_two_cards_fit() -> None:
    """Bob's answers no, yes are number 1, cathy's yes, no number 2; message 3 is the rank of cathy's first card."""
    position = "tokens 5;  alice G3 W4 B3;  bob R4 R1 Y3;  cathy Y1 W3 B4"
    assert choice("infobot", position) == ("hint cathy 1", ANSWERS)
    assert choice("infobot", position, "hint cathy 1") == ("play 2", MUST_FIT)


@pytest.mark.parametrize("name", ["seer-recommendation", "seer-information"])
def test_a_seer_waits_for_a_partner_who_can_play(name: str) -> None:
    position = "tokens 5;  alice G3 W4 B3;  bob R1 R4 Y3;  cathy G4 W3 B4"
    assert choice(name, position) == ("hint bob 1", "spends a token, for a partner can play")
    assert choice(name, position.replace("tokens 5", "tokens 0"))[0] == "discard 2"
    assert choice(name, position.replace("alice G3", "alice G1"))[0] == "play 1"
    nobody_can = position.replace("bob R1", "bob R3")
    assert choice(name, nobody_can)[0] == "discard 2"
    assert choice(name, nobody_can.replace("tokens 5", "tokens 8")) == (
        "hint bob 3",
        "spends a token, for nothing may be discarded",
    )


def test_the_seers_differ_in_useless_cards() -> None:
    position = "tokens 5;  fireworks W1;  alice G3 W1 B3;  bob R1 R4 Y3;  cathy G4 W3 B4"
    assert choice("seer-recommendation", position)[0] == "hint bob 1"
    assert choice("seer-information", position) == ("discard 2", DISCARDS_USELESS)


@pytest.mark.parametrize("name", KNOWING)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_keeps_the_same_public_table_and_it_is_true(name: str, players: int, games: Games) -> None:
    for rules in (Rules(players=players), parse_rules("bouzy", players)):
        for seed in range(max(games(5), 1)):
            for table in play_by_hand(name, rules, seed):
                sets = table.memory[GAME, :players, SETS : SETS + MAX_DECK]
                assert (sets == sets[0]).all(), f"seed {seed}"
                for owner in range(players):
                    for slot in range(rules.hand_size):
                        card = int(table.states[GAME]["hands"][owner, slot])
                        kinds = public_set(table.states, GAME, Seat(0), table.memory, Seat(owner), Slot(slot))
                        assert card < 0 or kinds >> card & 1, f"seed {seed}"


def assert_comes_back(table: Table, message: int, hint: MoveNumber, read: Callable[[MoveNumber], int]) -> None:
    """If a hand has a hint for a message, it is legal and carries that message."""
    if hint != NO_MOVE and table.states[GAME]["tokens"] > 0:
        assert is_legal(table.states, GAME, hint)
        assert read(hint) == message


@pytest.mark.parametrize("name", ADVISING)
def test_recommendations_without_a_hint_of_their_own_are_refused_before_the_game(name: str) -> None:
    assert able(name) == [4, 5]
    agent, crowded = find_agent(name), parse_rules("standard(hand_size=3)", 3)
    assert agent.why_not(crowded) is None
    assert all(agent.why_not(parse_rules("bouzy", players)) is None for players in (2, 3, 4, 5))
    with pytest.raises(SeatingError) as caught:
        Table(Rules(players=3), [agent])
    assert str(caught.value) == (
        f"{name} tells apart 10 recommendations with 5 cards a hand, but 3 players have only 6 hints that are legal "
        "for every hand; try rules with empty hints, like bouzy"
    )
    few = agent.why_not(parse_rules("bouzy(colors=3)", 2))
    assert few is not None
    assert few.endswith("2 players have only 8 different hints")


@pytest.mark.parametrize("code", [ANY_HINT, KIND, TOUCH], ids=["any-hint", "kind", "touch"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_message_comes_back_from_its_hint(code: Code, players: int) -> None:
    rules = Rules(players=players, empty_hints=code == ANY_HINT)
    for table in play_by_hand("hat-information", rules, 3):
        states, seat = table.states, table.states[GAME]["seat"]
        for message in range(capacity(states, GAME, code)):
            hint = hint_for(states, GAME, seat, message, code)
            assert_comes_back(table, message, hint, partial(message_of, states, GAME, code=code))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_message_comes_back_from_its_hint_by_hint_slots(players: int) -> None:
    for table in play_by_hand("hanabirs-info", Rules(players=players), 3):
        states, memory, params, seat = table.states, table.memory, table.params, table.states[GAME]["seat"]
        other = (seat + 1) % players  # reads the hint in its own copy of the table
        for message in range(count_messages(states, GAME, seat, memory, params, seat)):
            hint = hint_with_message(states, GAME, seat, memory, params, message)
            assert_comes_back(table, message, hint, partial(message_of_hint, states, GAME, other, memory, params))


def test_a_message_comes_back_from_its_hint_by_packed_classes() -> None:
    packed = 0
    for table in play_by_hand("infobot", Rules(players=5), 3):
        states, memory, params, seat = table.states, table.memory, table.params, table.states[GAME]["seat"]
        other = (seat + 1) % 5
        packed += classes_to(states, GAME, seat, memory, other) > MAX_USUAL_CLASSES
        for message in range(count_classes(states, GAME, seat, memory, params, seat)):
            hint = hint_of_class(states, GAME, seat, memory, params, message)
            assert_comes_back(table, message, hint, partial(message_of_class, states, GAME, other, memory, params))
    assert packed > 0


@pytest.mark.parametrize("parts", [3, 4, 8, 10, 40])
def test_every_kind_is_in_the_part_that_it_is_said_to_be_in(parts: int) -> None:
    """With three or four parts two messages do not identify a card: those for two players by strict rules."""
    all_kinds, useless = Kinds((1 << 25) - 1), Kinds(0b11)
    for kinds in (all_kinds, all_kinds & ~useless, all_kinds & 0b10101_11111):
        for card in mask_cards(kinds):
            part = part_of(card, kinds, useless, parts, PARTS)
            assert 0 <= part < parts
            assert kinds_of_part(part, kinds, useless, parts, PARTS) >> card & 1


@pytest.mark.parametrize("partner", ["random", "vdb", "smartbot"])
@pytest.mark.parametrize("name", KNOWING + ADVISING)
def test_a_partner_without_the_convention_breaks_nothing(name: str, partner: str, games: Games) -> None:
    for players in able(name):
        for seat in (0, players - 1):
            team = [find_agent(name)] * players
            team[seat] = find_agent(partner)
            result = play_match(Match.of(Rules(players=players), team, max(games(100), 2), seed=1), workers=1)
            assert result.error is None


@pytest.mark.parametrize("name", KNOWING)
def test_nobody_is_told_anything_through_an_empty_hand(name: str, games: Games) -> None:
    """With one card a hand is empty at the end; a hint was once given to it (seed 16)."""
    rules = parse_rules("standard(hand_size=1)", 2)
    result = play_match(Match.of(rules, [find_agent(name)] * 2, max(games(100), 20), seed=1), workers=1)
    assert result.error is None
