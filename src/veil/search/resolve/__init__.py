"""Resolving: the part of the game that is left is built, and solved, at play time."""
