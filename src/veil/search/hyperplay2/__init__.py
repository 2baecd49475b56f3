"""HyperPlay-II: imperfect-information simulations with a player with beliefs in every role (section 6)."""
