"""The command `veil`, also as `python -m veil`. Kept small, so that Ctrl-C is understood while the rest is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line of this process and end it."""
    try:
        from veil.cli import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
