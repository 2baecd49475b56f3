"""Iterations per second of the solvers beside OpenSpiel, as JSON; the same as `veil bench solve --json`."""

import sys

from veil.cli import run

sys.exit(run(["bench", "solve", "--json", *sys.argv[1:]]))
