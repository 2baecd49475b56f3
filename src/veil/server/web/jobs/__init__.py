"""The functions that run in the workers of the studio: games, beliefs, hints, solvers."""
