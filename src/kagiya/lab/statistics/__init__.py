"""From games to numbers: means and intervals, differences on common decks, the sequential test, regret, pace."""
