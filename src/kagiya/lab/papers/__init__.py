"""Published tables as data, measured again, and set beside the printed figures."""
