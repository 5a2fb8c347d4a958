"""Agents that play with a learned network."""
