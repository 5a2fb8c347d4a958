"""Pictures of cards, hands, tables and results for the terminal. Nothing here decides anything."""
