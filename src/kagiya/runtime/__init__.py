"""Waiting, stopping and working in the background: what matches, training and pages share."""
