"""Tables that are played at: who sits there, the moves on disk, bots that move one by one, and the lobby."""
