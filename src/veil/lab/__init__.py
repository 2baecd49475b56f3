"""Measurements that stand beside other people's: benchmarks now, the papers' tables and figures later."""
