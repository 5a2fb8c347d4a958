"""Pages about the store of results: runs, cross-play and self-play, the games of a cell, two cells compared."""
