"""The store: every game of every experiment in one folder, and what can be asked of it."""
