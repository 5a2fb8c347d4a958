"""From searched games to a network: rows of training data, the fit, and Goodman's three iterations."""
