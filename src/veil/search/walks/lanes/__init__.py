"""Walks in lanes, 256 at a time, for games of any size: Algorithm 1 begins in `walk_kernels`."""
