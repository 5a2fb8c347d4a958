"""Waiting, stopping and working in the background: interrupts, time limits, workers, child processes."""
