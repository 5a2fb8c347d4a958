"""What only maintainers need: measurements of speed, and the pages that are written from results and code."""
