"""What hat players share: messages as hints, what the whole table knows of every card, recommendations.

The hat principle: the giver of a hint adds up, modulo a number that everybody knows, one number for each hand it sees;
each receiver subtracts the numbers of the hands it sees too, and is left with its own.
"""
