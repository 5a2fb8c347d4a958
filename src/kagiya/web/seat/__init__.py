"""The page of a seat, drawn from an `Observation` alone: nothing here knows the whole game."""
