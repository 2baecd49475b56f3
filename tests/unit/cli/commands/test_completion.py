"""Scripts for the tab key: they name every command, and bash and its completion accept them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.support.command import inside
from veil.cli.main import list_commands

ASK = 'COMP_WORDS=({words}); COMP_CWORD={place}; _veil; echo "${{COMPREPLY[@]}}"'


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_names_every_command_and_its_options(shell: str) -> None:
    script = inside("completion", shell).out
    assert all(name in script for name in list_commands())
    assert "policy-out" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "place", "found"), [("veil sol", 1, "solve solvers"), ("veil solve --policy-o", 2, "--policy-out")]
)
def test_bash_completes(words: str, place: int, found: str) -> None:
    script = inside("completion", "bash").out
    asked = script + ASK.format(words=words, place=place)
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == found.split()
    assert done.stderr == ""
