"""The shared vocabulary of rules: each tactic is a kernel that returns a move, or NO_MOVE if it has none."""
