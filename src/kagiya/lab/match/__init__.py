"""Many games between some agents: what to play, the chunks it is cut into, and who plays them."""
