"""Who plays whom: leagues, comparisons, cross-play, tournaments, experiments from a file."""
