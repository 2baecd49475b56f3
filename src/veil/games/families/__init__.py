"""The families of games, one module for each kind; `veil.games.catalogue` makes one table of them."""
