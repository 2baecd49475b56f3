"""The pictures of the page about boards. `make contact-sheet`, or `python docs/boards.py`, draws them anew.

`boards.png` shows every bundled game after some random rounds; `belief.png` what is true beside what a role can know.
Files may be given instead, and are drawn on a page of their own: `python docs/boards.py --out sheet.png rules/*.kif`.
Pages are turned into pictures by `chromium-headless-shell` (Debian's package of that name).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

import matplotlib.image as mpl_image
import numpy as np

import veil
from veil.boards import Scene, fill_belief, fill_state, plan_views, render_page
from veil.engine import Game, State, record_of
from veil.games import FAMILIES

IMAGES = Path(__file__).parent / "images"
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
WIDTH, TALL = 1500, 9000  # pixels of the window; what stays empty is cut away
SHARE = 0.7  # of a random game that has been played in the picture
MAX_ROUNDS = 60
BELIEFS = {  # game: the role whose knowledge is shown, the seed of the random game, and how much of it is played
    "krieg_tictactoe": ("oplayer", 3, 0.7),
    "dark_hex": ("white", 5, 0.5),
    "battleships_in_fog": ("red", 4, 0.7),
    "monty_hall": ("contestant", 1, 0.7),
    "leduc_poker": ("first", 2, 0.7),
    "mastermind(pegs=3, colours=4)": ("breaker", 2, 0.25),
}


def play_some(game: Game, seed: int, share: float = SHARE) -> tuple[list[dict[str, str]], State]:
    """The joint moves of the first part of a random game, and the state after them."""
    rng, state = np.random.default_rng(seed), game.initial_state()
    moves: list[dict[str, str]] = []
    states: list[State] = []
    while not state.is_terminal and len(moves) < MAX_ROUNDS and all(state.legal(role) for role in game.roles):
        states.append(state)
        joint = state.random_joint_move(rng)
        moves.append(joint)
        state, _ = state.play(joint)
    rounds = round(share * len(states))
    return moves[:rounds], [*states, state][rounds]


def draw_states(names: list[str]) -> list[tuple[str, Scene]]:
    """Every game after some random rounds. What cannot be read or ground is told, and left out."""
    scenes = []
    for name in names:
        try:
            game = veil.load(name)
            scenes.append((Path(name).stem, fill_state(plan_views(game), play_some(game, seed=3)[1])))
        except veil.VeilError as error:
            print(f"{name}: {error.problems[0].message}")
    return scenes


def draw_beliefs() -> list[tuple[str, Scene]]:
    """What is true, and what a role knows, side by side."""
    scenes = []
    for name, (role, seed, share) in BELIEFS.items():
        game = veil.load(name)
        moves, state = play_some(game, seed, share)
        known = veil.believe(game, record_of(game, role, moves)).marginals()
        plan = plan_views(game)
        scenes.append((f"{name}: what is true", fill_state(plan, state)))
        scenes.append((f"{name}: what {role} knows", fill_belief(plan, known)))
    return scenes


def save_picture(page: str, picture: Path) -> None:
    """Turn a page into a picture, without the empty part below."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise SystemExit(f"no browser: install one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as folder:
        file, raw = Path(folder) / "page.html", Path(folder) / "page.png"
        file.write_text(page, encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        size = [f"--window-size={WIDTH},{TALL}", f"--screenshot={raw}"]
        subprocess.run([browser, *options, *size, file.as_uri()], check=True, capture_output=True, timeout=120)
        pixels = mpl_image.imread(raw)
    drawn = np.flatnonzero((pixels[:, :, :3] < 0.98).any(axis=(1, 2)))
    shown = np.ascontiguousarray(pixels[: drawn.max() + 12, :, :3])
    mpl_image.imsave(picture, shown, pil_kwargs={"optimize": True})
    print(picture)


def main() -> None:
    """Draw the pictures of the page, or one of some files."""
    parser = argparse.ArgumentParser(description="Pictures of boards.")
    parser.add_argument("games", nargs="*", help="names or rules files; all bundled games where there are none")
    parser.add_argument("--out", type=Path, default=IMAGES / "boards.png")
    words = parser.parse_args()
    save_picture(render_page(draw_states(words.games or list(FAMILIES)), "boards"), words.out)
    if not words.games:
        save_picture(render_page(draw_beliefs(), "beliefs"), IMAGES / "belief.png")


if __name__ == "__main__":
    main()
