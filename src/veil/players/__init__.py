"""Players: thin stateful shells around belief, search and solve. `roster.PLAYERS` is the table of them."""
