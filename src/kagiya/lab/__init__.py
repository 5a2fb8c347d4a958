"""The laboratory: agents at a table, matches of many games, leagues, statistics, figures and benchmarks."""
