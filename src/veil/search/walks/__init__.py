"""Searchers that grow a table of infosets by random walks: Online Outcome Sampling, ISMCTS, Smooth UCT.

`contract` says what a walker does, and `search` searches with any walker. Walkers walk on an explicit tree (`tree/`)
or in lanes (`lanes/`), for games whose tree does not fit into memory.
"""
