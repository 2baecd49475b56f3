"""How players keep a clock of 0.1 s, as JSON; the same as `veil bench clock --json`."""

import sys

from veil.cli import run

sys.exit(run(["bench", "clock", "--json", *sys.argv[1:]]))
