"""Who the other players are: a posterior over policies for every seat, and policies drawn from it."""
