"""Many games between some agents: what to play, the pieces it is cut into, and who plays them."""
