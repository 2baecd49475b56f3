"""HyperPlay-II: imperfect-information simulations, with a player who believes in every role (section 6)."""
