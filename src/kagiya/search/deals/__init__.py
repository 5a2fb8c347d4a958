"""What a seat knows of the hidden cards, and samples of them that fit it."""
