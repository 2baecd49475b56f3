"""Beliefs over states after each of many records at once: what players inside simulations believe."""
