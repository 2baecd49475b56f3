"""How large the sizes of a search may be; more is a slip of the hand."""

MAX_WORLDS, MAX_WORK, MAX_THREADS = 1_000_000, 1_000_000_000, 1024
