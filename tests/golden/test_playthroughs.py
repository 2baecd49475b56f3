"""A random game of every family at its small size, as `veil trace` prints it, compared with the text on file.

`python -m tests.golden.test_playthroughs` writes the texts anew; look at the difference before you keep it.
"""

from pathlib import Path

import pytest

import veil
from veil.cli.commands.trace import play_random, trace_as_text
from veil.games import FAMILIES, Family

FOLDER = Path(__file__).with_name("playthroughs")
SEED, MAX_ROUNDS = 7, 60


def playthrough(family: Family) -> str:
    game = veil.load(family.sizes()["small"])
    return f"{game.name}, seed {SEED}\n{trace_as_text(play_random(game, SEED, MAX_ROUNDS))}\n"


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_random_game_goes_as_it_always_did(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert playthrough(family) == (FOLDER / f"{family.name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_belongs_to_a_family() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(FAMILIES)


if __name__ == "__main__":
    import os

    os.environ["COLUMNS"] = "120"
    for entry in FAMILIES.values():
        (FOLDER / f"{entry.name}.txt").write_text(playthrough(entry), encoding="utf-8")
