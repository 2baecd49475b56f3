"""`python -m veil_lab.results`, in a checkout: write the pages about results from the runs that are kept."""

from __future__ import annotations

import sys
from pathlib import Path

from veil.errors import VeilError
from veil_lab.results.generation import RESULTS, write_all

if __name__ == "__main__":
    here = Path.cwd()
    if not (here / RESULTS).is_dir():
        sys.exit(f"there is no folder {RESULTS} here: run this at the top of a checkout")
    try:
        changed = write_all(here)
    except VeilError as error:
        sys.exit(str(error))
    sys.stdout.write("".join(f"{path}\n" for path in changed) or "everything is as the data make it\n")
