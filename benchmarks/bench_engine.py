"""Playouts per second of the engine beside OpenSpiel, as JSON; the same as `veil bench engine --json`."""

import sys

from veil.cli import run

sys.exit(run(["bench", "engine", "--json", *sys.argv[1:]]))
