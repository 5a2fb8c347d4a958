"""What the hints of our convention players mean, told to a person who sits down with them."""

from __future__ import annotations

from kagiya.agents._info import AgentInfo

SIMPLE = (
    "Every card that a hint touches can be played now. Play the cards you were told of, oldest first; hint only "
    "cards that can all be played."
)
VALUE = (
    "A hint says that every card it touches can be played now, but for one: a rank hint that touches the next player's "
    "next discard (the oldest card not told of) warns that this card is a last copy and must be kept."
)
HAT_HEAD = "A hint speaks to everybody at once, by a code over all hands that the giver sees. "
HAT_TAIL = "It can hardly be decoded in the head: type why to be told what the last hint means to you."
HAT_ANSWERS = HAT_HEAD + "It answers the question about each hand that helps most; so do some discards. " + HAT_TAIL

CONVENTIONS = {
    "simplebot": SIMPLE,
    "valuebot": VALUE,
    "holmesbot": VALUE + " It also counts cards and deduces what hints leave out.",
    "smartbot": (
        "A hint asks you to play the newest card that it touches and that is still in doubt, unless it makes a card "
        "known by itself. A rank hint on your next discard (the oldest card not told of) warns that it is valuable. "
        "Where a warning could have been given and was not, the card may go. Who discards a card known to fit has "
        "seen the same card as somebody's newest."
    ),
    "kagiya-two": (
        "As with smartbot: a hint asks you to play the newest card that it touches and that is still in doubt; a rank "
        "hint on your next discard (the oldest card not told of) warns that it is valuable. No hint only spends a "
        "token: with all tokens there, it still tells the truth that helps most."
    ),
    "hat-recommendation": HAT_HEAD + "It tells each of the others which card to play or to discard. " + HAT_TAIL,
    "cox-recommendation": HAT_HEAD + "It tells each of the others which card to play or to discard. " + HAT_TAIL,
    "hat-information": HAT_HEAD + "It tells each of the others what its likeliest playable card is. " + HAT_TAIL,
    "cox-information": HAT_HEAD + "It tells each of the others to which of some sets a card belongs. " + HAT_TAIL,
    "infobot": HAT_HEAD + "It answers, for each of the others, whether a card fits and then what it is. " + HAT_TAIL,
    "hanabirs-info": HAT_HEAD
    + "It answers the question about each hand that helps most; so do some discards. "
    + HAT_TAIL,
    "kagiya-hat": HAT_HEAD
    + "It answers the question about each hand that helps most; so do some discards. "
    + HAT_TAIL,
}


def convention_of(info: AgentInfo) -> str:
    """What a partner must know of an agent's hints; nothing if they mean what they say."""
    return info.convention or CONVENTIONS.get(info.id, "")
