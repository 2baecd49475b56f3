"""The whole game in memory: the explicit tree, its sequences, equilibrium, best response, exploitability."""
