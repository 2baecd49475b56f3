"""Games and players of Veil in other tools, and those of other tools in Veil. Each module needs its own extra."""
