"""What runs in the workers of the studio: games, beliefs, hints, solvers."""
