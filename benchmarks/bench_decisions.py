"""How long players think by default, as JSON; the same as `veil bench decisions --json`."""

import sys

from veil.cli.main import run

sys.exit(run(["bench", "decisions", "--json", *sys.argv[1:]]))
