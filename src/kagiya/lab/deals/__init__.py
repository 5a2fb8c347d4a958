"""Decks that do not come from our own dice: hanab.live's, by the seeds that it gives them."""
