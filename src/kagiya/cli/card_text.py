"""Cards and what may be known of them, in color and yet readable without."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from kagiya.cards import COLOR_LETTERS, COLOR_NAMES, HIDDEN_CARD, NO_CARD, Card, Color, card_color, card_name

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
QUIET = "bright_black"
ANY = "·"  # nothing known: every value is possible


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
    """The colors still possible out of so many, by letter; underlined if a hint has named it."""
    listed = sorted(set(colors))
    if len(listed) == of and not is_told:
        return Text(ANY, QUIET)
    strong = "bold underline " if is_told else "bold " if len(listed) == 1 else ""
    return Text.assemble(*((COLOR_LETTERS[color], f"{strong}{INKS[color]}") for color in listed))


def open_ranks(ranks: Iterable[int], of: int, is_told: bool) -> Text:
    """The ranks still possible out of so many; underlined if a hint has named it."""
    listed = sorted(set(ranks))
    if len(listed) == of and not is_told:
        return Text(ANY, QUIET)
    strong = "bold underline" if is_told else "bold" if len(listed) == 1 else ""
    return Text("".join(str(rank + 1) for rank in listed), strong)
