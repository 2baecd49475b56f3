"""A short tour that needs no terminal: `make demo`."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

from veil.cli import run

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
MONTY = '[{"random": "(hide_car 3)", "contestant": "(choose 1)"}, {"random": "(open_door 2)"}]'


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
    folder = tempfile.mkdtemp(prefix="veil-demo-")
    say("From rules text to a ground program: this game hides pieces on 64 cells")
    veil("check 'blind_breakthrough(width=8, height=8)'")
    say("A quarter of a million random games of it, in native code, 256 worlds at once")
    veil("sim 'blind_breakthrough(width=8, height=8)' --playouts 250000")
    say("What can a player know? The host of Monty Hall has opened door 2")
    moves = Path(folder) / "moves.json"
    moves.write_text(MONTY, encoding="utf-8")
    veil(f"infoset monty_hall --role contestant --moves {shlex.quote(str(moves))}")
    say("Kuhn poker, the whole game: its size, and its exact equilibrium by linear programming")
    veil("tree kuhn_poker")
    veil("solve kuhn_poker --method lp")
    say("Liar's dice, 221,155 nodes, until nobody can win a hundredth against the policy")
    veil(f"solve liars_dice --method dcfr --target 0.01 --json --plot {shlex.quote(folder + '/liars_dice.png')}")
    say("Players meet. HyperPlay takes its models for the truth, HyperPlay-II does not: see exploding_bomb")
    players = "random hyperplay:models=10,playouts=10 hyperplay2:models=5,simulations=2"
    veil(f"tournament krieg_tictactoe exploding_bomb --players {players} --games 5 --out {shlex.quote(folder)}")
    say("A table of a paper beside ours (few iterations here)")
    veil(f"reproduce its-table1 --quick --out {shlex.quote(folder)}")
    say("What is wrong is said where it is wrong")
    path = Path(folder) / "broken.kif"
    path.write_text(BROKEN, encoding="utf-8")
    print(BROKEN)
    veil(f"check {shlex.quote(str(path))}")
    say(f"Plots and tables were written to {folder}; `veil games` lists the games, `veil players` who plays")


if __name__ == "__main__":
    main()
