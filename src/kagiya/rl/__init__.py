"""Environments for learners: vectors, masks and batches of games, by the numbers of the Hanabi Learning Environment."""

from kagiya.rl.batch import ActionError, Batch, Episodes
from kagiya.rl.encoding import Encoding
from kagiya.rl.partners import Partners

__all__ = ["ActionError", "Batch", "Encoding", "Episodes", "Partners"]
