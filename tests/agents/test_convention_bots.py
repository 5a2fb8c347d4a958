"""The convention bots in whole games: the originals' figures, strange rules, strange partners."""

import math
from collections.abc import Callable

import pytest

from kagiya import Match, find_agent, parse_rules, play_match

Games = Callable[[int], int]

# The original programs, run again by us, for 2, 3, 4 and 5 players: mean, its standard error, deviation of a game.
ORIGINALS = {
    "simplebot": ((16.917, 0.009, 2.79), (18.478, 0.007, 2.34), (19.322, 0.006, 1.88), (18.495, 0.004, 1.32)),
    "valuebot": ((19.784, 0.008, 2.45), (19.433, 0.005, 1.63), (19.392, 0.005, 1.47), (17.750, 0.004, 1.30)),
    "holmesbot": ((20.752, 0.013, 2.64), (20.868, 0.009, 1.73), (20.477, 0.008, 1.52), (18.404, 0.007, 1.44)),
    "holmesbot(safe=yes)": ((20.773, 0.026, 2.64), (20.822, 0.017, 1.73), (20.487, 0.015, 1.52), (18.501, 0.013, 1.44)),
    "smartbot": ((23.110, 0.009, 1.88), (23.307, 0.007, 1.36), (22.439, 0.007, 1.39), (20.675, 0.007, 1.42)),
    "smartbot(safe=yes)": ((23.120, 0.019, 1.88), (23.301, 0.014, 1.36), (22.448, 0.014, 1.39), (20.641, 0.014, 1.42)),
    "cheatbot": ((24.903, 0.001, 0.45), (24.981, 0.001, 0.16), (24.975, 0.001, 0.19), (24.955, 0.001, 0.26)),
    "hanabirs-cheat": ((24.821, 0.004, 0.58), (24.978, 0.001, 0.17), (24.973, 0.001, 0.20), (24.962, 0.002, 0.24)),
}
BOMBS = {
    "simplebot": (0, 0, 0, 0),
    "valuebot": (0, 0, 0, 0),
    "holmesbot": (0.0644, 0.1161, 0.2702, 0.5669),
    "smartbot": (0.0041, 0.0181, 0.0262, 0.0806),
    "smartbot(safe=yes)": (0, 0, 0, 0),
    "holmesbot(safe=yes)": (0, 0, 0, 0),
    "cheatbot": (0, 0, 0, 0),
    "hanabirs-cheat": (0, 0, 0, 0),
}
BOMB_GAMES = 10_000  # over which the bombs were counted
LENGTHS = {
    "smartbot": (63.9, 59.3, 59.9, 55.1),
    "holmesbot": (66.8, 60.7, 60.7, 55.4),
    "cheatbot": (53.9, 45.7, 47.0, 42.5),
}
STRANGE_RULES = (
    "bouzy",  # partners may give empty hints
    "goodman",
    "standard(hand_size=1)",
    "standard(colors=6, hand_size=3)",
    "standard(discard_at_full_tokens=true)",
    "standard(hint_tokens=1, lives=1)",
    "standard(copies=1/1/1, colors=6, hand_size=2)",
    "standard(hint_tokens=12, lives=5, token_for_five=false)",
)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ORIGINALS)
def test_a_bot_plays_as_the_original_did(name: str, players: int, games: Games) -> None:
    count = max(games(10_000), 40)
    match = Match.of(parse_rules("quuxplusone", players), [find_agent(name)], count, seed=1_000_000)
    result = play_match(match)
    mean, error, deviation = ORIGINALS[name][players - 2]
    assert abs(result.summary.mean - mean) <= 3 * math.hypot(deviation / math.sqrt(count), error) + 0.0005
    bombs, expected = float((result.results["lives"] == 0).mean()), BOMBS[name][players - 2]
    assert abs(bombs - expected) <= 3 * math.sqrt(expected * (1 - expected) * (1 / count + 1 / BOMB_GAMES))
    if name in LENGTHS:
        turns = result.results["turns"]
        assert abs(turns.mean() - LENGTHS[name][players - 2]) <= 3 * turns.std() / math.sqrt(count) + 0.1


@pytest.mark.parametrize("partner", ["random", "smartbot"])
@pytest.mark.parametrize("name", ORIGINALS)
def test_a_bot_bears_partners_with_other_conventions_by_any_rules(name: str, partner: str, games: Games) -> None:
    for text in STRANGE_RULES:
        for players in (2, 3, 5):
            rules = parse_rules(text, players)
            seats = [find_agent(partner if seat % 2 else name) for seat in range(players)]
            result = play_match(Match.of(rules, seats, games(50), seed=3), workers=1)
            assert result.error is None, f"{text}: {result.error}"
