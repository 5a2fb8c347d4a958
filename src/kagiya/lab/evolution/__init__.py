"""Rule lists that improve by themselves: a genetic algorithm, and a map of the best lists of every style."""
