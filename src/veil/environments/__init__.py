"""Games as environments for learning: the vector environment, PettingZoo, Gymnasium. Each needs its own extra."""
