"""A short tour that needs no terminal: `make demo`."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

from veil.cli.main import run

BROKEN = """\
(role white)
(init (step 1))
(<= (legal white (go ?x)) (true (step 1)) (not (true (step ?x))))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 3)))
(<= (true (step 9)) terminal)
(goal white 100)
(succ 1 2) (succ 2 3)
"""


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n=== {text}", flush=True)


def veil(line: str) -> None:
    print(f"$ veil {line}", flush=True)
    code = run(shlex.split(line))
    sys.stdout.flush()
    sys.stderr.flush()
    if code:
        print(f"(exit code {code})", flush=True)


def main() -> None:
    sys.stderr = sys.stdout  # one stream, so that commands and messages stay in order
    say("The bundled games: rules files with parameters")
    veil("games")
    say("Any rules file becomes a ground program; this one has hidden pieces on 64 cells")
    veil("check 'blind_breakthrough(width=8, height=8)'")
    say("Who knows what, round by round: the host of Monty Hall shows one door")
    veil("trace monty_hall --seed 1")
    say("A game of Krieg-TicTacToe: the percepts are all a player ever learns")
    veil("trace 'krieg_tictactoe(size=3)' --seed 7")
    say("A quarter of a million random games, in native code, 256 worlds at once")
    veil("sim 'blind_breakthrough(width=8, height=8)' --playouts 250000")
    say("The whole of Leduc poker: 9,457 nodes, and its exact equilibrium by linear programming")
    veil("tree leduc_poker")
    veil("solve leduc_poker --method lp")
    say("Liar's dice by regret minimisation, until nobody can win more than a thousandth against it")
    veil("solve liars_dice --method dcfr --target 0.001")
    say("The banker and the thief: a figure of a paper beside ours (few iterations here)")
    with tempfile.TemporaryDirectory() as folder:
        veil(f"reproduce its-table1 --quick --out {shlex.quote(folder)}")
    say("What is wrong is said where it is wrong")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "broken.kif"
        path.write_text(BROKEN, encoding="utf-8")
        print(BROKEN)
        veil(f"check {shlex.quote(str(path))}")


if __name__ == "__main__":
    main()
