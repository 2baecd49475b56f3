"""The POGDDL files of the article's authors, where they are at hand: their domains, and problems of many sizes.

They are not part of Veil. They are looked for in a folder that is given, in `$VEIL_CORPUS`, or in `../shared/corpus`.
In the authors' program Racko and Battleship also end as soon as a role has gained.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from veil.engine import Game, GroundLimits, load

CORPUS = "../shared/corpus"
DOMAINS = {"racko": "Racko.pog", "battleship": "LongBattleship.pog", "gops": "Gops.pog"}
PATIENT = GroundLimits(max_seconds=3600.0)  # a busy machine takes minutes for what needs seconds of the processor
ENDS_ON_GAIN = ("racko", "battleship")


class FilePair(NamedTuple):
    """A domain and a problem."""

    domain: Path
    problem: Path
    end_on_gain: bool

    @property
    def name(self) -> str:
        """The names of both files."""
        return f"{self.domain.name} {self.problem.name}"

    def load(self) -> Game:
        """Return the game, ground however long that takes."""
        return load([self.domain, self.problem], PATIENT, end_on_gain=self.end_on_gain)


class AuthorsFiles(NamedTuple):
    """All POGDDL files of a folder, by name."""

    folder: str
    paths: dict[str, Path]

    def find_pair(self, game: str, size: tuple[int, int]) -> FilePair | None:
        """Return the files of a game in one size, as the article's table names it; None if one is missing."""
        domain = self.paths.get(DOMAINS[game])
        problem = self.paths.get(f"{game}-{size[0]}.{size[1]}.pog")
        return FilePair(domain, problem, game in ENDS_ON_GAIN) if domain and problem else None


def find_files(folder: str | None = None) -> AuthorsFiles:
    """Return the files of a folder and of the folders in it; none if there is no such folder."""
    place = folder or os.environ.get("VEIL_CORPUS", CORPUS)
    return AuthorsFiles(place, {path.name: path for path in sorted(Path(place).rglob("*.pog"))})
