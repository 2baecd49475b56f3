from pathlib import Path

import pytest

from veil.errors import VeilError
from veil.match import Round
from veil.server.web.host.sessions import ID, SessionFolder, StudioSession, read_session, write_session
from veil.server.web.jobs.game_sources import GameSource


def make_session() -> StudioSession:
    return StudioSession(
        source=GameSource(name="kuhn_poker"),
        role="first",
        players={"first": "human", "second": "random"},
        seed=1,
        play_seconds=1.0,
        rounds=[Round(moves={"first": "noop"}, sees={"first": ["(card king)"]}, errors={"second": "late"})],
    )


def test_a_game_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_session(tmp_path / "x.json", make_session())
    assert read_session(tmp_path / "x.json") == make_session()


def test_a_damaged_file_is_refused_in_one_message(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for content in ("", "{", "[]", '{"format": "another"}'):
        path.write_text(content)
        with pytest.raises(VeilError, match="cannot be read"):
            read_session(path)


def test_names_of_games_cannot_be_guessed_and_lead_nowhere_else(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path / "played", 100)
    names = {folder.add(make_session()) for _ in range(20)}
    assert len(names) == 20
    assert all(ID.fullmatch(name) for name in names)
    for name in ("../token", "x", "a" * 16, "", "..%2ftoken", "a" * 15 + "/"):
        with pytest.raises(VeilError, match="no such game"):
            folder.path(name)


def test_the_oldest_games_make_room(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path, 20)
    for _ in range(120):
        folder.add(make_session())
    assert len(list(tmp_path.iterdir())) <= 20 + 50


def test_a_game_that_is_being_played_can_be_read_by_its_user_alone(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path / "played", 100)
    path = folder.path(folder.add(make_session()))
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
