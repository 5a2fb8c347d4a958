"""Where a result comes from: the code of the agents, the commit, and the files that results are kept in."""
