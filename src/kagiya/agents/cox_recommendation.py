"""Cox et al.'s recommendation strategy: a hint is the sum, modulo eight, of what the four others should do.

Source
    Cox, De Silva, DeOrsey, Kenter, Retter and Tobin 2015, for five players with four cards, as quoted by other
    programs; and the authors' own simulator HanSim, whose differences are `source=program`.
Published
    cox: five players, points kept after a bomb, empty hints illegal. HanSim ends a game with the fourth error
    (`lives=4` in our rules), dares to follow an old recommendation after two (`errors=3`) and does not count plays
    that fail (`failures=no`).
Where the source is silent
    Other numbers of players. Rallabhandi 2018 remarks that the authors do not use all hints there are; here a hint
    that does not touch the first card is a message of its own (`hats/codes.py`), which gives nine messages for four
    players, one more than needed, and six for three, enough for hands of three cards. Elsewhere the player says before
    the game that there are too few; for two and three players with five cards empty hints must be legal.
"""

from kagiya.agents.hats.recommendation_player import advice_agent

AGENT = advice_agent(
    "cox-recommendation", "the sum of what all others should do, as receiver and kind of a hint", "Cox2015", spare=False
)
