"""What every agent promises, anybody's: the checks, and the process of its own that they are made in."""
