"""The referee's key: why a player cannot compute what is hidden.

The seed of a match is a small number that a player can guess. So where a guest plays (a player that somebody else has
written: `is_guest`), everything random follows from a key of 128 bits as well, which no player is handed:

1. The referee draws its key once, and keeps it in a file that only the user can read: `VEIL_KEY`, or else
   `veil/referee.key` in the user's folder for data. So the same seed and the same players give the same log again.
2. The key of a match is a keyed hash of its seed, its rules and its players in their seats. One match does not tell
   the key of another, and two matches with the same seed in other seats do not share their chance.
3. The chance moves, the replacements of errors and the seeds of the seats are keyed hashes with the key of the match.
4. The log contains the key of the match, at its end. With it, the match can be repeated anywhere.

Without a guest there is no key, and seeds mean the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_hex

from veil.engine import Game
from veil.errors import fail
from veil.players import is_guest
from veil.private_folders import make_private_folder, read_private_file, write_private_file
from veil.streams import KEY_DIGITS, hash_with_key, is_key, player_seed

VARIABLE = "VEIL_KEY"
MAX_FILE = 1000  # bytes of a key file that are read


def key_file() -> Path:
    """Return the file `VEIL_KEY`, or else the one in the usual folder for data of the user."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    base = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(base) / "veil" / "referee.key"


def referee_key() -> str:
    """Return the key of this user's referee, which is drawn at the first call.

    Refuse a file that is there and holds no key, or that others can read. If no file can be made, the key lasts as
    long as the process.
    """
    return _read_key(key_file())


@lru_cache(maxsize=8)
def _read_key(path: Path) -> str:
    with suppress(FileNotFoundError):
        return _open_key(path)
    drawn = token_hex(KEY_DIGITS // 2)
    try:
        if VARIABLE not in os.environ:
            make_private_folder(path.parent)
        write_private_file(path, f"{drawn}\n".encode())
    except FileExistsError:  # another process was faster
        return _open_key(path)
    except OSError:
        return drawn
    return drawn


def _open_key(path: Path) -> str:
    try:
        key = read_private_file(path, MAX_FILE).decode(errors="replace").strip()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise fail("bad-key-file", name=str(path), what=error.strerror or str(error)) from None
    if not is_key(key):
        raise fail("bad-key-file", name=str(path), what=f"it does not hold {KEY_DIGITS} hexadecimal digits")
    return key


def choose_match_key(game: Game, specs: Mapping[str, str], seed: int) -> str | None:
    """Return the key of a match between these players, in the order of the roles; None if no guest plays."""
    if not any(is_guest(spec) for spec in specs.values()):
        return None
    return hash_with_key(referee_key(), "match", seed, game.fingerprint, *specs.values())


def served_seed(seed: int, number: int) -> int:
    """Return the seed of a player in match `number` of a manager elsewhere. The manager cannot compute it."""
    return player_seed(seed, 0, hash_with_key(referee_key(), "served match", seed, number))
