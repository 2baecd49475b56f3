"""Searchers that play random games from the worlds of a belief: Monte Carlo, PIMC, MMD, single-point decisions."""
