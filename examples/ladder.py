"""Five agents for the tutorial; each plays like the one before it, but for one thing that it does better."""

from kagiya import Move, card_color, card_rank


class First:
    """Plays what surely fits, tells what fits, discards the oldest card."""

    def act(self, observation):
        for slot in observation.mine.playable_slots:
            return Move.play(slot)
        hint = self.hint(observation) if observation.tokens > 0 else None
        if hint is not None:
            return hint
        if observation.tokens < observation.rules.discard_limit:
            return Move.discard(self.spare_slot(observation.mine))
        return observation.legal_moves[-1]

    def hint(self, observation):
        for hand in observation.others:
            for slot in hand.playable_slots:
                if not hand.is_rank_told(slot):
                    return Move.hint_rank(hand.offset, card_rank(hand.cards[slot]))
                if not hand.is_color_told(slot):
                    return Move.hint_color(hand.offset, card_color(hand.cards[slot]))
        return None

    def spare_slot(self, hand):
        return hand.oldest_slot


def promised_slot(observation, seat):
    """The newest card that the last hint to this seat touched; None if the seat has moved since."""
    for event in reversed(observation.history):
        if event.seat == seat:
            return None
        if event.move.is_hint and (event.seat + event.move.offset) % observation.rules.players == seat:
            return event.touched[-1]
    return None


def touched_slots(hand, hint):
    if hint.color is not None:
        return [slot for slot in hand.slots if card_color(hand.cards[slot]) == hint.color]
    return [slot for slot in hand.slots if card_rank(hand.cards[slot]) == hint.rank]


class Promiser(First):
    """A hint is a promise: the newest card that it touches fits now."""

    def act(self, observation):
        slot = promised_slot(observation, observation.seat)
        if slot is not None and observation.lives > 1 and observation.mine.playable_chance(slot) > 0:
            return Move.play(slot)
        return super().act(observation)

    def hint(self, observation):
        for move in observation.legal_moves:
            if move.is_hint and self.is_promise(observation, move):
                return move
        return None

    def is_promise(self, observation, hint):
        hand = observation.hand(hint.offset)
        newest = touched_slots(hand, hint)[-1]
        return newest in hand.playable_slots and hand.playable_chance(newest) < 1


class Keeper(Promiser):
    """Discards the card that is least likely to be a last copy."""

    def spare_slot(self, hand):
        def loss(slot):
            is_told = hand.is_color_told(slot) or hand.is_rank_told(slot)
            return hand.critical_chance(slot) - hand.useless_chance(slot) + (0.2 if is_told else 0)

        return min(hand.slots, key=loss)


def news(hand, hint):
    """The slots of which a hint tells something new."""
    is_told = hand.is_rank_told if hint.color is None else hand.is_color_told
    return [slot for slot in touched_slots(hand, hint) if not is_told(slot)]


class Chooser(Keeper):
    """Gives the hint that tells most, and promises no card twice."""

    def hint(self, observation):
        hints = [move for move in observation.legal_moves if move.is_hint and self.is_promise(observation, move)]
        return max(hints, key=lambda hint: self.worth(observation, hint), default=None)

    def worth(self, observation, hint):
        hand = observation.hand(hint.offset)
        fitting = [slot for slot in news(hand, hint) if slot in hand.playable_slots]
        useful = [slot for slot in news(hand, hint) if slot not in hand.useless_slots]
        return 0.7 * len(fitting) + 0.3 * len(useful) - 0.5 * hint.offset

    def is_promise(self, observation, hint):
        hand = observation.hand(hint.offset)
        if promised_slot(observation, hand.seat) is not None:
            return False
        card = hand.cards[touched_slots(hand, hint)[-1]]
        return super().is_promise(observation, hint) and card not in self.expected_cards(observation)

    def expected_cards(self, observation):
        """What the others are going to play in any case."""
        cards = set()
        for hand in observation.others:
            promised = promised_slot(observation, hand.seat)
            cards |= {hand.cards[slot] for slot in hand.slots if slot == promised or hand.playable_chance(slot) == 1}
        return cards


class Saver(Chooser):
    """With nothing to promise, tells of last copies, unless that could be taken for a promise."""

    def hint(self, observation):
        promise = super().hint(observation)
        if promise is not None:
            return promise
        hints = [move for move in observation.legal_moves if move.is_hint and self.saved(observation, move)]
        honest = [hint for hint in hints if not self.is_misleading(observation, hint)]
        return max(honest, key=lambda hint: self.saved(observation, hint), default=None)

    def saved(self, observation, hint):
        hand = observation.hand(hint.offset)
        return sum(observation.is_critical(hand.cards[slot]) for slot in news(hand, hint))

    def is_misleading(self, observation, hint):
        hand = observation.hand(hint.offset)
        newest = touched_slots(hand, hint)[-1]
        if newest in hand.playable_slots:
            return False
        named = [card for card in hand.possible_cards(newest) if hint.color in (None, card_color(card))]
        left = [card for card in named if hint.rank in (None, card_rank(card))]
        return any(observation.is_playable(card) for card in left)
