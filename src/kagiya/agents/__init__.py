"""The players: one module each, found by the register; `tactics` holds the rules that they share."""
