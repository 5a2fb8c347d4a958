"""Tree searches: which moves a node offers, which one is chosen, and the loops of iterations."""
