"""Walks on the explicit tree of a game that fits into memory."""
