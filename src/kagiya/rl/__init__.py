"""Environments for learners: vectors, masks and batches of games, by the numbers of the Hanabi Learning Environment."""

from kagiya.rl.encoding import Encoding
from kagiya.rl.rl_batch import ActionError, Batch, Episodes, Partners

__all__ = ["ActionError", "Batch", "Encoding", "Episodes", "Partners"]
