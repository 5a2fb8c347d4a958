"""Agents seated at a table: games by seed, the clock, the word to stop, compiling ahead."""
