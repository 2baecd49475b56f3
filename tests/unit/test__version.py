"""The commit that `veil --version` names is that of the repository, and nothing where there is none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from veil import _version
from veil._version import find_commit

ROOT = Path(__file__).resolve().parents[2]


def test_a_copy_of_the_repository_names_its_commit() -> None:
    done = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        pytest.skip("this is no repository")
    assert find_commit() == f" (commit {done.stdout[:10]})"


def test_packed_references_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git, module = tmp_path / ".git", tmp_path / "src" / "veil" / "_version.py"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs\n{'ab' * 20} refs/heads/other\n{'cd' * 20} refs/heads/main\n")
    monkeypatch.setattr(_version, "__file__", str(module))
    assert find_commit() == f" (commit {'cd' * 5})"


def test_an_installed_package_names_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_version, "__file__", str(tmp_path / "lib" / "veil" / "_version.py"))
    assert find_commit() == ""
