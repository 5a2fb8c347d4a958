"""What the pages for playing and for reviewing a game are drawn from: the table, the move log, the way through it."""
