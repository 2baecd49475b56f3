"""Matches: the referee, records of what happened, tournaments and where their results are kept."""
