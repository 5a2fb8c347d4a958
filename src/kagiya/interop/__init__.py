"""Other Hanabi programs: their numbers, settings and file formats. Nothing below imports this."""
