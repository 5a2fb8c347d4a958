"""Hat recommendation: one hint tells every other seat what to do.

Source
    Bouzy 2017, sections 3.2 and 5.3, after Cox et al. 2015, to whom he refers for the details. The number of a hand is
    a slot to play or a slot to discard; a hint carries the sum of the numbers that its giver sees.
Published
    Table 1 (bouzy-1): 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5 cards a hand.
Where the source is silent
    When to hint. By Cox et al.'s list a player with a token and nothing to play always hints, which is up to 1.5
    points too low for three players. Here a player who was told to discard does so unless somebody else should play
    a card and was not told (`spare`). Looking at all but one of the others instead gives 22.85 23.86 23.91 for three
    players, but costs four and five players 0.2 to 0.4. Plays that fail count as plays.
    By rules without empty hints there are fewer messages: see `hats/codes.py`. They do not suffice for two players,
    nor for three with more than three cards; there the player says so before the game.
"""

from kagiya.agents.hats.recommendation_player import advice_agent

AGENT = advice_agent(
    "hat-recommendation", "one hint tells every other seat what to play or discard", "Bouzy2017", spare=True
)
