"""Flat searches: every move on the same samples, and the race between the moves."""
