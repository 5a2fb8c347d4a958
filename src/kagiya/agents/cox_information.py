"""Cox et al.'s information strategy: a hint tells four others to which of eight parts one of their cards belongs.

Source
    Cox, De Silva, DeOrsey, Kenter, Retter and Tobin 2015, for five players with four cards: the list of moves as quoted
    by other programs, targets and parts as in the authors' own simulator HanSim.
Published
    cox: five players, points kept after a bomb, empty hints illegal. HanSim ends a game with the fourth error, which
    makes no difference to a player that plays only what must fit.
Where the source is silent
    Other numbers of players and cards. Rallabhandi 2018 remarks that the authors do not use all hints there are; for
    all tables but their own the three or four messages for each receiver of `hats/codes.py` are used, or all
    hints where empty ones are legal. At their own table `hints=all` uses them too and gains 0.069 +- 0.008 points
    (20,000 common decks, rules quuxplusone).
"""

from kagiya.agents.hats.information_player import information_agent, information_parameters

AGENT = information_agent(
    "cox-information",
    "one hint tells every other seat to which part of its kinds a card belongs",
    "to which of some sets a card belongs",
    "Cox2015",
    information_parameters(cut="parts", hints="kinds"),
    eager=5,
)
