"""Models of opponents: how the other roles are assumed to play."""
