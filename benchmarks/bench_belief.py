"""Speed of beliefs, as JSON; the same as `veil bench belief --json`."""

import sys

from veil.cli.main import run

sys.exit(run(["bench", "belief", "--json", *sys.argv[1:]]))
