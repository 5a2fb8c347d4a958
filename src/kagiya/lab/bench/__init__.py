"""How fast: the table, the searches, the ways of dealing hidden cards."""
