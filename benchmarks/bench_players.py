"""Decisions per second of the players, as JSON; the same as `veil bench players --json`."""

import sys

from veil.cli import run

sys.exit(run(["bench", "players", "--json", *sys.argv[1:]]))
