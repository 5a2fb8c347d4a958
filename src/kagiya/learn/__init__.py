"""Learned evaluations: features of positions and moves, networks that play without PyTorch, and their agents."""
