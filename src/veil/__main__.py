"""The command `veil`, also as `python -m veil`. It is small, so that signals are handled while the rest is imported."""

from __future__ import annotations

import gc
import sys
from functools import partial

from veil import signals

YOUNG = 100_000  # objects between two garbage collections: importing makes many objects and no garbage


def main() -> None:
    """Run the command line of this process and end it."""
    signals.listen()
    gc.set_threshold(YOUNG)
    words = sys.argv[1:]
    try:
        from veil.cli import run, say_end  # after signals are noted
        from veil.limits import catch_end_of_processor_time

        signals.set_last_words(partial(say_end, words=words))
        catch_end_of_processor_time()
        code = run(words)
    except KeyboardInterrupt:
        code = signals.INTERRUPTED
    gc.freeze()  # no garbage collection on the way out
    signals.finish(code)


if __name__ == "__main__":
    main()
