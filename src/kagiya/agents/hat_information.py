"""Hat information: one hint tells every other seat what one of its cards is.

Source
    Bouzy 2017, sections 3.2 and 5.3, after Cox et al. 2015, to whom he refers for the details. The number of a hand is
    the kind of its target, the card most likely to fit; a hint carries the sum of the numbers that its giver sees.
Published
    Tables 1 and 2 (bouzy-1, bouzy-2): 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5
    cards a hand.
Where the source is silent
    All but the idea. Cox et al.'s list of moves without its second rule (useless cards go early, `eager`) comes near
    for four and five players; with that rule five players with five cards fall by more than a point. For two and
    three players there are fewer hints than kinds; how he cuts them is not known. Here a kind's number is reduced
    modulo the hints there are (`cut=identities`); cutting as Cox et al. do (`cut=parts`) is far better for three.
    With four players and five cards his falls to 24.40, ours does not. What is discarded does not explain it: nearly
    all discards are of cards known to be useless, and imperfect games are those that run out of turns.
    By rules without empty hints there are fewer messages: `hats/codes.py`. For five players with four cards these
    are 12 to 16; with the eight of Cox et al. (`hints=kinds`) it scores 5.22 points less (20,000 common decks, rules
    quuxplusone), for with so few numbers identities are a bad cut.
"""

from kagiya.agents.hats.information_player import information_agent, information_parameters

AGENT = information_agent(
    "hat-information",
    "one hint tells every other seat what its likeliest card is",
    "what its likeliest playable card is",
    "Bouzy2017",
    information_parameters(cut="identities", hints="all"),
    eager=0,
)
