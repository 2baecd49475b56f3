from __future__ import annotations

import sys
from io import StringIO

import pytest

from veil.terminal import error_console, is_watched


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_only_a_terminal_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, watched in ((Screen(), True), (StringIO(), False), (None, False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert is_watched() is watched


def test_all_share_one_console_on_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    assert error_console() is error_console()
    with error_console().status("outer"), error_console().status("inner"):  # two at once are allowed
        error_console().print("in between")
    assert "in between" in screen.getvalue()
