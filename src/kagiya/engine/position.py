"""One position as text and back, our FEN, and the table as plain text for `print(game)`.

The sections stand on lines of their own or between semicolons, in any order; only the hands are required::

    rules goodman(lives=4) players=3    standard if left out; players: as many as there are hands
    moves 12; tokens 5; lives 3         made so far; 0 (or `seat bob` alone), all tokens and lives if left out
    fireworks R2 G1                     the top cards; no card is played if left out
    discards R1 G1 G4
    alice R3 Y4(Y!) G1(1!)#17 -- B5(RB,45)
    bob ...                             slot 1 first; -- is an empty slot
    deck W1 R4 ...                      top card first; three dots, or no section: the other cards, sorted
    left 2                              turns left once the deck is empty; one for each seat if left out

In parentheses stand the colors and ranks that the hints leave open (``*`` or nothing: all of them), and
``!`` marks what a hint has named. ``#17`` is the card's place in the deck, its age; if left out, it is the
place from which the slot was dealt. A position must be playable; it need not be reachable. Every sum, mask and plane
of the state record is counted again. Texts of older versions have ``turn`` for ``moves``; turns are counted from 1
everywhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kagiya.cards import (
    COLOR_LETTERS,
    MAX_RANKS,
    NO_CARD,
    SEAT_NAMES,
    Card,
    Seat,
    card_color,
    card_name,
    card_rank,
    cards_name,
    mask_cards,
    parse_cards,
)
from kagiya.engine.batch import sorted_deck, write_template
from kagiya.engine.layout import MAX_TURNS, TOLD_COLOR, TOLD_RANK, States, new_states
from kagiya.rules import DrawnCard, Rules, parse_rules

__all__ = ["PositionError", "parse_position", "position_text"]


RANK_DIGITS = "12345"
ALL = "*"
REST = "..."
EMPTY = card_name(Card(NO_CARD))
PARENTHESES = re.compile(r"\([^()]*\)")
SLOT = re.compile(r"(\w\w)(?:\(([^()]*)\))?(?:#([0-9]{1,2}))?")


class PositionError(ValueError):
    """Text that is not a position; the message names the section and says what was expected."""


def dealt_place(rules: Rules, seat: int, slot: int) -> int:
    """The place in the deck from which a slot got its first card."""
    return seat * rules.hand_size + slot


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected an integer, not {text!r}")
    return int(text)


class PositionReader:
    """Fills a template's record; `stock` holds the cards of the game that are not placed yet."""

    def __init__(self, rules: Rules, sections: dict[str, str], state: Any) -> None:
        self.rules, self.sections, self.state = rules, sections, state
        self.copies = Counter(sorted_deck(rules))
        self.stock = self.copies.copy()

    def read(self) -> None:
        self.state["tokens"] = self.number("tokens", self.rules.hint_tokens, self.rules.hint_tokens)
        self.state["lives"] = self.number("lives", self.rules.lives, self.rules.lives)
        self.read_fireworks()
        self.read_discards()
        self.read_hands()
        self.read_deck()
        self.read_turn()
        self.check_empty_slots()
        self.check_places()

    def number(self, section: str, default: int, high: int) -> int:
        """The number that a section holds, from 0 to `high`."""
        try:
            value = whole_number(self.sections.get(section, str(default)))
        except ValueError as error:
            raise PositionError(f"{section}: {error}") from None
        if value > high:
            raise PositionError(f"{section}: expected at most {high} here, not {value}")
        return value

    def cards(self, section: str, text: str) -> list[Card]:
        """Cards of this game: no hidden ones, no empty slots."""
        try:
            cards = parse_cards(text)
        except ValueError as error:
            raise PositionError(f"{section}: {error}") from None
        for card in cards:
            if card not in self.copies:
                kinds = f"colors {COLOR_LETTERS[: self.rules.colors]} and ranks 1-{self.rules.ranks}"
                raise PositionError(f"{section}: {card_name(card)} is not a card of this game; expected {kinds}")
        return cards

    def place(self, section: str, cards: Iterable[int]) -> None:
        """Take cards from the stock; too many copies of one are noticed here."""
        for card in cards:
            if not self.stock[card]:
                name = card_name(Card(card))
                raise PositionError(f"{section}: one {name} too many; expected {self.copies[card]} in all sections")
            self.stock[card] -= 1

    def read_fireworks(self) -> None:
        tops = self.cards("fireworks", self.sections.get("fireworks", ""))
        heights = {int(card_color(card)): card_rank(card) + 1 for card in tops}
        if len(heights) < len(tops):
            raise PositionError("fireworks: a color is given twice; expected the top card of each")
        for color, height in heights.items():
            played = range(MAX_RANKS * color, MAX_RANKS * color + height)
            self.place("fireworks", played)
            self.state["fireworks"][color] = height
            self.state["played"] |= _mask(played)
        self.state["playable"] = _mask(self.next_cards())
        self.state["useless"] = self.state["played"]

    def next_cards(self) -> list[int]:
        """The card that each unfinished firework waits for."""
        heights = self.state["fireworks"][: self.rules.colors].tolist()
        return [MAX_RANKS * color + height for color, height in enumerate(heights) if height < self.rules.ranks]

    def read_discards(self) -> None:
        cards = self.cards("discards", self.sections.get("discards", ""))
        self.place("discards", cards)
        self.state["discard_low"], self.state["discard_high"] = planes_of(cards)
        lost = {card for card, count in Counter(cards).items() if count == self.copies[card]}
        for card in self.next_cards():
            missing = range(card, card - card % MAX_RANKS + self.rules.ranks)
            cut = min(lost.intersection(missing), default=missing.stop)
            self.state["useless"] |= _mask(range(cut, missing.stop))

    def read_hands(self) -> None:
        for name in SEAT_NAMES[self.rules.players :]:
            if name in self.sections:
                raise PositionError(f"{name}: no such seat; expected {self.rules.players} players")
        for seat in range(self.rules.players):
            held = self.read_hand(seat)
            self.place(SEAT_NAMES[seat], held)
            self.state["hand_low"][seat], self.state["hand_high"][seat] = planes_of(held)

    def read_hand(self, seat: int) -> list[Card]:
        name, size = SEAT_NAMES[seat], self.rules.hand_size
        if name not in self.sections:
            raise PositionError(f"{name}: this hand is missing; expected the hands of all players")
        words = PARENTHESES.sub(lambda match: re.sub(r"\s", "", match[0]), self.sections[name]).split()
        if len(words) != size:
            raise PositionError(f"{name}: expected {size} slots (-- for an empty one), not {len(words)}")
        return [self.read_slot(seat, slot, word) for slot, word in enumerate(words) if word != EMPTY]

    def read_slot(self, seat: int, slot: int, word: str) -> Card:
        """One card, what is known of it, and its place in the deck."""
        name, match = SEAT_NAMES[seat], SLOT.fullmatch(word)
        if not match:
            raise PositionError(
                f"{name}: {word!r} is not a slot; expected R3, R3(R!), R3(RG,3!)#17 and the like, or --"
            )
        card = self.cards(name, match[1])[0]
        known = self.knowledge(f"{name}: {word}", card, ALL if match[2] is None else match[2])
        self.state["hands"][seat, slot] = card
        self.state["possible"][seat, slot], self.state["told"][seat, slot] = known
        self.state["order"][seat, slot] = int(match[3] or dealt_place(self.rules, seat, slot))
        return card

    def knowledge(self, where: str, card: Card, text: str) -> tuple[int, int]:
        """What hints have left open and what they have named, from the text in parentheses."""
        first, comma, second = text.partition(",")
        if not comma:
            first, second = (ALL, first) if first[:1].isdigit() else (first, ALL)
        try:
            colors, color_told = _parse_open(first, COLOR_LETTERS[: self.rules.colors], card_color(card))
            ranks, rank_told = _parse_open(second, RANK_DIGITS[: self.rules.ranks], card_rank(card))
        except ValueError as error:
            raise PositionError(f"{where}: {error}") from None
        possible = _mask(MAX_RANKS * color + rank for color in colors for rank in ranks)
        return possible, TOLD_COLOR * color_told | TOLD_RANK * rank_told

    def read_deck(self) -> None:
        words = self.sections.get("deck", REST).split()
        is_open = words[-1:] == [REST]
        cards: list[int] = list(self.cards("deck", " ".join(words[:-1] if is_open else words)))
        self.place("deck", cards)
        rest = sorted(self.stock.elements())
        if rest and not is_open:
            raise PositionError(f"deck: expected {cards_name(rest)} as well, or discarded; write ... for the rest")
        cards += rest
        drawn = self.rules.deck_size - len(cards)
        self.state["drawn"], self.state["deck"] = drawn, NO_CARD
        self.state["deck"][drawn : self.rules.deck_size] = cards
        self.state["deck_low"], self.state["deck_high"] = planes_of(cards)

    def read_turn(self) -> None:
        """Whose turn it is and how many are left; so late that the game could outgrow its log is refused."""
        deck_left = self.rules.deck_size - int(self.state["drawn"])
        to_come = 2 * (deck_left + self.rules.players) + int(self.state["tokens"]) + self.rules.colors
        turn = self.number("moves", self.seat_named(), MAX_TURNS - to_come)
        self.state["turn"], self.state["seat"] = turn, turn % self.rules.players
        if "seat" in self.sections and self.seat_named() != self.state["seat"]:
            raise PositionError(f"seat: expected {SEAT_NAMES[self.state['seat']]} after {turn} moves")
        if deck_left and "left" in self.sections:
            raise PositionError(f"left: expected only when the deck is empty, but it has {deck_left} cards")
        self.state["turns_left"] = self.number("left", self.rules.players, self.rules.players)

    def seat_named(self) -> int:
        names = SEAT_NAMES[: self.rules.players]
        name = self.sections.get("seat", names[0]).lower()
        if name not in names:
            raise PositionError(f"seat: expected one of {', '.join(names)}, not {name!r}")
        return names.index(name)

    def check_empty_slots(self) -> None:
        """A slot stays empty when the deck was, or when the move that emptied it ended the game."""
        for seat, name in enumerate(SEAT_NAMES[: self.rules.players]):
            empty = [card == NO_CARD for card in self.state["hands"][seat, : self.rules.hand_size]]
            if sum(empty) > (seat in self.seats_without_draw()):
                raise PositionError(f"{name}: expected a full hand, or one slot empty after a move without a draw")
            if self.rules.drawn_card is DrawnCard.END and empty != sorted(empty):
                raise PositionError(f"{name}: expected the empty slot last, since cards close up by these rules")

    def seats_without_draw(self) -> set[int]:
        state, players = self.state, self.rules.players
        is_over = state["lives"] == 0 or state["played"] == state["kinds"]
        moves = players - int(state["turns_left"]) if state["drawn"] == state["deck_size"] else int(is_over)
        return {(int(state["turn"]) - back) % players for back in range(1, moves + 1)}

    def check_places(self) -> None:
        """Every card in a hand came from a place of its own, above the deck that is left."""
        seen: set[int] = set()
        for seat, name in enumerate(SEAT_NAMES[: self.rules.players]):
            places = [place for place in self.state["order"][seat].tolist() if place != NO_CARD]
            for place in places:
                if place in seen or place >= self.state["drawn"]:
                    raise PositionError(f"{name}: #{place} is in another slot, or in the deck; expected another place")
                seen.add(place)
            if self.rules.drawn_card is DrawnCard.END and places != sorted(places):
                raise PositionError(f"{name}: expected the oldest card first by these rules, not places {places}")


def _parse_open(text: str, letters: str, value: int) -> tuple[list[int], bool]:
    chosen, told = text.removesuffix("!").upper(), text.endswith("!")
    if chosen == ALL:
        chosen = letters
    if not chosen or not set(chosen) <= set(letters):
        raise ValueError(f"expected letters of {letters}, or *, not {text!r}")
    if told and len(chosen) > 1:
        raise ValueError(f"expected a single one in {text!r}, since a hint has named it")
    if letters[value] not in chosen:
        raise ValueError(f"expected the card's own {letters[value]} in {text!r}")
    return [letters.index(letter) for letter in chosen], told


def _mask(cards: Iterable[int]) -> int:
    return sum({1 << card for card in cards})


def planes_of(cards: Iterable[int]) -> tuple[int, int]:
    """A multiset of cards as two masks: the kinds with an odd number of copies, and those with two or three."""
    counts = Counter(cards)
    return _mask(card for card in counts if counts[card] & 1), _mask(card for card in counts if counts[card] & 2)


KEYWORDS = ("rules", "moves", "seat", "tokens", "lives", "fireworks", "discards", *SEAT_NAMES, "deck", "left")
OLDER = {"turn": "moves"}
PLAYERS = re.compile(r"\s+players=(\S*)$")


def position_text(rules: Rules, states: States, i: int) -> str:
    """The position in lane `i`, played by `rules`, in the form that `parse_position` reads."""
    state = states[i]
    deck = state["deck"][int(state["drawn"]) : rules.deck_size].tolist()
    lines = [
        f"rules {rules.text()} players={rules.players}",
        f"moves {state['turn']}; tokens {state['tokens']}; lives {state['lives']}",
        _listed("fireworks", _top_cards(state["fireworks"].tolist())),
        _listed("discards", multiset(int(state["discard_low"]), int(state["discard_high"]))),
        *(f"{SEAT_NAMES[seat]} {_hand_text(rules, state, seat)}" for seat in range(rules.players)),
        _listed("deck", deck),
        "" if deck else f"left {state['turns_left']}",
    ]
    return "\n".join(line for line in lines if line)


def parse_position(text: str) -> tuple[Rules, States]:
    """The inverse of `position_text`: the rules, and an array whose only lane holds the position."""
    sections = _sections(text)
    rules = _parse_rules(sections)
    states = new_states(1)
    write_template(rules, states, 0)
    PositionReader(rules, sections, states[0]).read()
    return rules, states


def _sections(text: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    for part in re.split(r"[;\n]", text):
        if not part.strip():
            continue
        keyword, rest = re.fullmatch(r"(\S+)\s*(.*)", part.strip()).groups()  # type: ignore[union-attr]
        keyword = OLDER.get(keyword.lower(), keyword.lower())
        if keyword not in KEYWORDS:
            raise PositionError(f"{keyword}: no such section; expected one of {', '.join(KEYWORDS)}")
        if keyword in sections:
            raise PositionError(f"{keyword}: this section is given twice; expected it once")
        sections[keyword] = rest
    return sections


def _parse_rules(sections: dict[str, str]) -> Rules:
    text = " " + sections.get("rules", "standard")
    hands = sum(name in sections for name in SEAT_NAMES)
    if not hands:
        raise PositionError("alice: no hand is given; expected the hands of all players")
    players = match[1] if (match := PLAYERS.search(text)) else str(max(2, hands))
    try:
        return parse_rules(PLAYERS.sub("", text), whole_number(players))
    except ValueError as error:
        raise PositionError(f"rules: {error}") from None


def _listed(keyword: str, cards: Sequence[int]) -> str:
    return f"{keyword} {cards_name(cards)}" if cards else ""


def _top_cards(fireworks: list[int]) -> list[int]:
    return [MAX_RANKS * color + height - 1 for color, height in enumerate(fireworks) if height]


def multiset(low: int, high: int) -> list[Card]:
    """The cards of two planes, each as often as it is there."""
    return [card for card in mask_cards(low | high) for _ in range((low >> card & 1) + 2 * (high >> card & 1))]


def _hand_text(rules: Rules, state: Any, seat: int) -> str:
    return " ".join(_slot_text(rules, state, seat, slot) for slot in range(rules.hand_size))


def _slot_text(rules: Rules, state: Any, seat: int, slot: int) -> str:
    card, place = Card(int(state["hands"][seat, slot])), int(state["order"][seat, slot])
    known = hidden_text(rules, state, seat, slot)
    if card == NO_CARD:
        return card_name(card)
    return f"{card_name(card)}{known}" + ("" if place == dealt_place(rules, seat, slot) else f"#{place}")


def hidden_text(rules: Rules, state: Any, seat: int, slot: int) -> str:
    """What hints say of a card, in parentheses: ``(R!,45)``; nothing if they say nothing."""
    if state["hands"][seat, slot] == NO_CARD:
        return ""
    told = int(state["told"][seat, slot])
    cards = list(mask_cards(int(state["possible"][seat, slot])))
    colors = _open_text({card_color(card) for card in cards}, COLOR_LETTERS[: rules.colors], told & TOLD_COLOR)
    ranks = _open_text({card_rank(card) for card in cards}, RANK_DIGITS[: rules.ranks], told & TOLD_RANK)
    parts = [part for part in (colors, ranks) if part != ALL]
    return f"({','.join(parts)})" if parts else ""


def _open_text(values: set[Any], letters: str, told: int) -> str:
    if len(values) == len(letters) and not told:
        return ALL
    return "".join(letters[value] for value in sorted(values)) + ("!" if told else "")


def table_text(rules: Rules, state: Any) -> str:
    """Everything on the table, hands open as far as the state has them: cards, and what their owners were told."""
    hands = [[card_name(Card(card)) + told for card, told in hand] for hand in _hands(rules, state)]
    widths = [max(map(len, column)) for column in zip(*hands, strict=True)]
    lines = [", ".join(_numbers(rules, state)), _list_line("fireworks", _fireworks(rules, state))]
    for seat, cards in enumerate(hands):
        row = "  ".join(card.ljust(width) for card, width in zip(cards, widths, strict=True))
        lines.append(f"{'>' if seat == state['seat'] else ' '} {SEAT_NAMES[seat]:<8}{row}".rstrip())
    return "\n".join([*lines, _list_line("discards", cards_name(_discards(state)) or "none")])


def hand_words(rules: Rules, state: Any, seat: Seat) -> str:
    """One hand in a line: ``R1 G3(3!) ??``."""
    return " ".join(card_name(Card(card)) + told for card, told in _hand(rules, state, seat))


def _hands(rules: Rules, state: Any) -> list[list[tuple[int, str]]]:
    return [list(_hand(rules, state, seat)) for seat in range(rules.players)]


def _hand(rules: Rules, state: Any, seat: int) -> Iterator[tuple[int, str]]:
    for slot in range(rules.hand_size):
        card = int(state["hands"][seat, slot])
        yield card, hidden_text(rules, state, seat, slot)


def _numbers(rules: Rules, state: Any) -> Sequence[str]:
    points, left = sum(state["fireworks"].tolist()), rules.deck_size - int(state["drawn"])
    seat = SEAT_NAMES[int(state["seat"])]
    ending = [] if left else [f"{state['turns_left']} turns left"]
    return (
        f"turn {int(state['turn']) + 1}, {seat} to move: {points} of {rules.perfect_score} points",
        f"{state['tokens']} tokens",
        f"{state['lives']} lives",
        f"{left} cards in the deck",
        *ending,
    )


def _fireworks(rules: Rules, state: Any) -> str:
    return " ".join(f"{COLOR_LETTERS[color]}{state['fireworks'][color]}" for color in range(rules.colors))


def _discards(state: Any) -> list[Card]:
    return multiset(int(state["discard_low"]), int(state["discard_high"]))


def _list_line(label: str, words: str) -> str:
    return f"  {label}  {words}"
