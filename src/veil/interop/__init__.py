"""Games and players of Veil in the tools of others, and theirs in Veil. Each module needs its own extra."""
