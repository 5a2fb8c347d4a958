"""Searches: players that try their moves out on deals they could be facing."""
