"""What one seat can know of a position: unseen cards, chances, and the `Observation` of Python agents."""
