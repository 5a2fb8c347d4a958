"""A game known only as one seat sees it: the other hands, then what happens; never its own hand or the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.cards import MAX_RANKS, NO_CARD, SEAT_NAMES, Card, MoveNumber, Seat, card_name, parse_card
from kagiya.engine.batch import NO_KERNEL, make_move, sorted_deck
from kagiya.engine.game import LANE, Game
from kagiya.engine.game_kernels import hint_kinds
from kagiya.engine.layout import GAME, SEEN
from kagiya.lab.table.decision import Decision, decide_at
from kagiya.lab.table.determinization import fitting_hand, replay
from kagiya.lab.table.table import Table
from kagiya.moves import MOVES, Move, parse_move
from kagiya.rules import Rules
from kagiya.view.observation import Observation, observe
from kagiya.view.view_kernels import censor


class EventError(ValueError):
    """What was told cannot have happened; the game stands as it stood before."""


class SeatGame:
    """One seat's own game, told event by event, with the moves that agents would make there.

    >>> game = SeatGame(Rules(players=2), seat=1, hands={0: ["R1", "R2", "G1", "B5", "W3"]}, agent="smartbot")
    >>> game.tell("hint bob 1", touched=[0, 3])  # by alice
    >>> game.ask().move  # bob is to move
    <Move play 1>
    >>> game.tell("play 1", card="Y1")  # the card that he turned up; what he drew he does not see

    The agent hears everything as it would at a table. Where its kernels look into its own hand, they find one that fits
    all that the seat knows so far; for an agent that does not look at its hand it makes no difference which.
    """

    def __init__(
        self,
        rules: Rules,
        seat: int,
        hands: Mapping[int, Sequence[int | str]],
        agent: str | Agent | object | None = None,
        seed: int = 0,
    ) -> None:
        for number in (seat, *hands):
            if not _is_whole(number) or not 0 <= number < rules.players:
                raise EventError(f"seat {number!r} is not at a table of {rules.players}")
        if seat in hands:
            raise EventError(f"the deal: {SEAT_NAMES[seat]} does not see its own hand; give the other hands only")
        self.rules, self.seat, self.seed = rules, Seat(seat), seed
        self._moves: list[int] = []
        self._known: list[int | None] = []  # by place in the deck: the card, None for one of its own hand
        self._open: dict[int, int] = {}  # by place in the deck: the kinds that hints leave of an own card
        self._write_hands(hands)
        self._game = self._fitting(self._known, self._open, "the deal")
        self._table: Table | None = None
        if agent is not None:
            self._sit_down(as_agent(agent))

    def _write_hands(self, hands: Mapping[int, Sequence[int | str]]) -> None:
        everything = sum({1 << card for card in sorted_deck(self.rules)})
        for seat in range(self.rules.players):
            if seat == self.seat:
                places = range(len(self._known), len(self._known) + self.rules.hand_size)
                self._open |= dict.fromkeys(places, everything)
                self._known += [None] * self.rules.hand_size
                continue
            cards = [self._as_card(card, "the deal") for card in hands.get(seat, ())]
            if len(cards) != self.rules.hand_size:
                name, size = SEAT_NAMES[seat], self.rules.hand_size
                raise EventError(f"the deal: {name} has {size} cards at the start, not {len(cards)}")
            self._known += cards

    def _sit_down(self, agent: Agent) -> None:
        self._table = table = Table(self.rules, [agent])
        table.start_game(self.seed)
        for seat in range(self.rules.players):
            if seat != self.seat:
                table.observes[seat] = NO_KERNEL
        self._show()

    def _show(self) -> None:
        """The table stands where the game stands."""
        if self._table is not None:
            self._table.states[GAME] = self._game.states[LANE]
            self._table.log = self._game.log
            censor(self._table.states, GAME, SEEN, self.seat)

    @property
    def turn(self) -> int:
        """How many moves were made."""
        return len(self._moves)

    @property
    def is_my_turn(self) -> bool:
        """Whether this seat is to move."""
        return not self._game.is_over and self._game.seat == self.seat

    @property
    def is_over(self) -> bool:
        """Whether the game is over, which every seat sees."""
        return self._game.is_over

    @property
    def observation(self) -> Observation:
        """What the seat knows now."""
        return observe(self._game, self.seat)

    def ask(self) -> Decision:
        """The move that the agent makes here, with its reason. It rolls its dice, so ask once for each move."""
        if self._table is None:
            raise ValueError("nobody sits here; give the game an agent")
        if not self.is_my_turn:
            raise ValueError(f"it is not {SEAT_NAMES[self.seat]}'s turn")
        return decide_at(self._table, self.seed)

    def tell(
        self,
        move: Move | int | str,
        touched: Collection[int] | None = None,
        card: int | str | None = None,
        drawn: int | str | None = None,
    ) -> None:
        """The seat to move made this move.

        `touched`: the slots (from 0) that a hint pointed at, needed if they are this seat's. `card`: the card that was
        turned up, needed if it is this seat's. `drawn`: the card that another seat drew, if the deck had one.
        """
        number = self.turn + 1
        if self._game.is_over:
            raise EventError(f"event {number}: the game is over")
        made = self._read(move, number)
        known, kinds = self._known[:], dict(self._open)
        if made.is_hint:
            self._learn_hint(made, touched, kinds, number)
        else:
            self._learn_card(made, card, known, kinds, number)
            self._learn_draw(drawn, known, kinds, number)
        fitting = self._fitting(known, kinds, f"event {number}")
        if reason := fitting.why_illegal(made):
            raise EventError(f"event {number}: {reason}")
        if not made.is_hint and len(known) == len(self._known) and self._goes_on_after(fitting, made):
            raise EventError(f"event {number}: say which card {SEAT_NAMES[self._game.seat]} drew")
        self._carry_out(fitting, made)
        self._known, self._open = known, kinds

    @staticmethod
    def _goes_on_after(game: Game, made: Move) -> bool:
        """Whether the deck has a card for the seat that makes this move, and the game does not end by it."""
        after = game.copy()
        after.make(made)
        return game.deck_left > 0 and not after.is_over

    def _read(self, move: Move | int | str, number: int) -> Move:
        try:
            if isinstance(move, str):
                return parse_move(move, self._game.seat, self.rules.players)
        except ValueError as error:
            raise EventError(f"event {number}: {error}") from None
        if not _is_whole(move) or not 0 <= move < len(MOVES):
            raise EventError(f"event {number}: moves are texts, or numbers from 0 to {len(MOVES) - 1}, not {move!r}")
        return MOVES[move]

    def _learn_hint(self, made: Move, touched: Collection[int] | None, kinds: dict[int, int], number: int) -> None:
        assert made.offset is not None
        if touched is not None and not (isinstance(touched, Collection) and all(map(_is_whole, touched))):
            raise EventError(f"event {number}: touched lists slots, counted from 0, not {touched!r}")
        receiver = (self._game.seat + made.offset) % self.rules.players
        if receiver != self.seat:
            self._compare_touched(made, receiver, touched, number)
            return
        if touched is None:
            raise EventError(
                f"event {number}: say which slots the hint touched: only the table can tell what is in your own hand"
            )
        named = int(hint_kinds(self._game.states, LANE, MoveNumber(made)))
        for slot, place in enumerate(self._game.states[LANE]["order"][self.seat].tolist()):
            if place != NO_CARD:
                kinds[place] &= named if slot in touched else ~named
        if not set(touched) <= {slot for slot, card in enumerate(self._game.hands[self.seat]) if card != NO_CARD}:
            raise EventError(f"event {number}: slots {list(touched)} are not all in the hand")

    def _compare_touched(self, made: Move, receiver: int, touched: Collection[int] | None, number: int) -> None:
        named, hand = int(hint_kinds(self._game.states, LANE, MoveNumber(made))), self._game.hands[receiver]
        seen = [slot for slot, card in enumerate(hand) if card >= 0 and named >> card & 1]
        if touched is not None and sorted(touched) != seen:
            name = SEAT_NAMES[receiver]
            raise EventError(f"event {number}: the hint touches slots {seen} of {name}'s hand, not {sorted(touched)}")

    def _learn_card(
        self, made: Move, card: int | str | None, known: list[int | None], kinds: dict[int, int], number: int
    ) -> None:
        seat, slot = self._game.seat, made.slot
        held = self._game.hands[seat]
        if slot is None or slot >= len(held) or held[slot] == NO_CARD:
            raise EventError(f"event {number}: {SEAT_NAMES[seat]} has no card in that slot")
        shown = None if card is None else self._as_card(card, f"event {number}")
        if seat != self.seat:
            if shown is not None and shown != held[slot]:
                is_it = card_name(Card(held[slot]))
                raise EventError(f"event {number}: that card is {is_it}, not {card_name(Card(shown))}")
            return
        if shown is None:
            raise EventError(f"event {number}: say which card was turned up; nobody has seen it before")
        place = int(self._game.states[LANE]["order"][seat, slot])
        if not kinds.pop(place) >> shown & 1:
            raise EventError(f"event {number}: hints said that the card is not {card_name(Card(shown))}")
        known[place] = shown

    def _learn_draw(self, drawn: int | str | None, known: list[int | None], kinds: dict[int, int], number: int) -> None:
        is_own = self._game.seat == self.seat
        if self._game.deck_left == 0 or (is_own and drawn is not None):
            if drawn is not None:
                why = "the deck is empty" if self._game.deck_left == 0 else "a seat does not see what it draws itself"
                raise EventError(f"event {number}: no card was drawn: {why}")
            return
        if is_own:
            kinds[len(known)] = int(self._game.states[LANE]["kinds"])
            known.append(None)
        elif drawn is not None:
            known.append(self._as_card(drawn, f"event {number}"))

    def _as_card(self, card: int | str, where: str) -> int:
        try:
            number = int(parse_card(card)) if isinstance(card, str) else card
        except ValueError as error:
            raise EventError(f"{where}: {error}") from None
        if not _is_whole(number) or number not in sorted_deck(self.rules):
            raise EventError(f"{where}: {card!r} is not a card of these rules")
        return int(number)

    def _fitting(self, known: Sequence[int | None], kinds: Mapping[int, int], where: str) -> Game:
        """The game so far from a deck that fits all that is known; what was told cannot be true if there is none."""
        left = Counter(sorted_deck(self.rules))
        for card in known:
            if card is not None:
                left[card] -= 1
                if left[card] < 0:
                    raise EventError(
                        f"{where}: there are only {self.rules.copies[card % MAX_RANKS]} {card_name(Card(card))}"
                    )
        own = fitting_hand(kinds, list(left.elements()))
        if own is None:
            raise EventError(f"{where}: none of the cards left fit what is known of the hand of the seat")
        deck = [own[place] if card is None else card for place, card in enumerate(known)]
        return replay(self.rules, [*deck, *(left - Counter(own.values())).elements()], self._moves)

    def _carry_out(self, game: Game, made: Move) -> None:
        self._game = game
        self._show()
        if self._table is not None:
            table = self._table
            make_move(table.states, GAME, table.memory, table.params, table.observes, int(made))
            table.check_memory()
        game.make(made)
        self._moves.append(int(made))
        self._show()


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
