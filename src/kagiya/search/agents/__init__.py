"""The searches of the register, one module for each family."""
