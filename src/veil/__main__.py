"""The command `veil`, also as `python -m veil`. Kept small, so that Ctrl-C is understood while the rest is imported."""

from __future__ import annotations

import gc
import sys

from veil import signals

YOUNG = 100_000  # objects between two collections: to import makes many and leaves no garbage


def main() -> None:
    """Run the command line of this process and end it."""
    gc.set_threshold(YOUNG)
    signals.listen()
    try:
        from veil.cli import run
        from veil.limits import hear_end_of_processor_time

        hear_end_of_processor_time()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = signals.INTERRUPTED
    gc.freeze()  # nothing is looked through once more on the way out
    sys.exit(signals.exit_code(code))


if __name__ == "__main__":
    main()
