"""A game looked at again: every move judged, what other agents think, what else could have happened."""
