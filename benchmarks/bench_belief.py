"""Speed of beliefs, as JSON; the same as `veil bench belief --json`."""

import sys

from veil.cli import run

sys.exit(run(["bench", "belief", "--json", *sys.argv[1:]]))
