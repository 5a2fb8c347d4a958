"""Pictures of the game as SVG, from plain data: for the page, notebooks and documents. Standard library only."""
