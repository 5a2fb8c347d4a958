"""Environments for learners: vectors, masks and batches of games, by the numbers of the Hanabi Learning Environment."""

from kagiya.rl.encoding import Encoding
from kagiya.rl.rl_batch import ActionError, Batch, Episodes, Partners
from kagiya.rl.vectors import move_to_uid, uid_to_move

__all__ = ["ActionError", "Batch", "Encoding", "Episodes", "Partners", "move_to_uid", "uid_to_move"]
