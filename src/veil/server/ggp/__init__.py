"""The GGP protocol: messages of game controllers, players that serve them, and the other side."""
