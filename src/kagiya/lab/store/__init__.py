"""The store: every game of every experiment in one file, and what can be asked of it."""
