"""Folders of the user alone: what others can write to is not used, and running games are not readable for others."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from veil.engine.lanes import cache
from veil.private_folders import (
    NotPrivateError,
    choose_private_folder,
    make_private_folder,
    read_private_file,
    write_private_file,
)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_the_users_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        folder = make_private_folder(tmp_path / "new" / "below")
    finally:
        os.umask(before)
    assert mode_of(folder) == 0o700


def test_a_folder_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir(mode=0o755)
    assert mode_of(make_private_folder(tmp_path / "old")) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_folder_that_others_can_write_to_is_refused(mode: int, tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(NotPrivateError, match="can be written to by other users"):
        make_private_folder(folder)
    assert mode_of(folder) == mode


def test_a_folder_that_others_can_replace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(NotPrivateError, match="which all users can write to"):
        make_private_folder(tmp_path / "open" / "mine")


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can give a folder away")
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", 65534, 65534)
    with pytest.raises(NotPrivateError, match="belongs to another user"):
        make_private_folder(tmp_path / "theirs")
    usual = tmp_path / "veil"
    assert choose_private_folder(tmp_path / "theirs", usual)[0] == tmp_path / "veil-private"
    assert choose_private_folder(usual, usual) == (usual, None)


def test_compiled_code_is_not_read_from_a_folder_that_others_can_write_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file there could be anybody's; it was loaded and run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "usual"))
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path / "shared"))
    monkeypatch.setattr(cache, "_said", set())
    assert cache.save("poisoned", b"code")
    (tmp_path / "shared").chmod(0o777)
    cache._choose_folder.cache_clear()
    assert cache.load("poisoned") is None
    assert cache.cache_folder() == tmp_path / "usual" / "veil-private"
    assert cache.save("sound", b"code")
    assert mode_of(tmp_path / "usual" / "veil-private") == 0o700
    assert "can be written to by other users, so compiled code is not read from there" in capsys.readouterr().err
    cache._choose_folder.cache_clear()


def test_a_private_file_is_written_once_and_read_by_its_user_only(tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_private_file(path, b"first")
    with pytest.raises(FileExistsError):
        write_private_file(path, b"second")
    assert read_private_file(path, 10) == b"first"
    assert [entry.name for entry in tmp_path.iterdir()] == ["key"]
    path.chmod(0o640)
    with pytest.raises(NotPrivateError):
        read_private_file(path, 10)


def test_a_private_file_is_no_link(tmp_path: Path) -> None:
    write_private_file(tmp_path / "key", b"first")
    (tmp_path / "link").symlink_to(tmp_path / "key")
    with pytest.raises(OSError, match="link"):
        read_private_file(tmp_path / "link", 10)
