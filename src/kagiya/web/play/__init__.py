"""Tables that are played at: the moves on disk, agents that move one by one, the page of a seat, the lobby."""
