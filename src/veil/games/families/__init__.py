"""The families by kind, a module each; `veil.games.catalogue` puts them together."""
