"""Cox et al.'s information strategy: a hint tells four others to which of eight parts one of their cards belongs.

Source
    Cox, De Silva, DeOrsey, Kenter, Retter and Tobin 2015, for five players with four cards: the list of moves as quoted
    by other programs, targets and parts as in the authors' own simulator HanSim.
Published
    cox: five players, points kept after a bomb, empty hints illegal. HanSim ends a game with the fourth error, which
    makes no difference to a player that plays only what must fit.
Where the source is silent
    Other numbers of players and cards. Rallabhandi 2018 remarks that the authors do not use all hints there are; for
    all tables but their own the three or four messages for each receiver of `hats/hint_slots.py` are used, or all
    hints where empty ones are legal. At their own table `hints=all` uses them too and gains 0.069 +- 0.008 points
    (20,000 common decks, rules quuxplusone).
"""

from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo
from kagiya.agents.hats.hearing import knowledge_hearing
from kagiya.agents.hats.information import INFORMATION_WORDS, REASONS, act, numbers_heard, observe
from kagiya.agents.hats.information_parameters import information_parameters
from kagiya.agents.hats.knowledge import believe

AGENT = CompiledAgent(
    AgentInfo(
        id="cox-information",
        summary="one hint tells every other seat to which part of its kinds a card belongs",
        family="hat players",
        paper="Cox2015",
        parameters=information_parameters(cut="parts", eager=5, hints="kinds"),
        reasons=REASONS,
        memory_words=INFORMATION_WORDS,
    ),
    act,
    observe,
    believe=believe,
    hearing=knowledge_hearing(numbers_heard),
)
