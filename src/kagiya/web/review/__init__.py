"""The review of any game: what happened, why, what it cost, and what else could have happened."""
