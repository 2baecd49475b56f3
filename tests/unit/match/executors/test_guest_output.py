"""What a guest prints, as it arrives on standard error."""

from __future__ import annotations

import io
import os
import sys
import time

import pytest

from veil.match.executors import guest_output
from veil.match.executors.guest_output import LONGEST_LINE, GuestOutput


class Terminal(io.StringIO):
    """Standard error that notes each piece, as a progress bar sees it."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return len(text)


def copy(monkeypatch: pytest.MonkeyPatch, *parts: bytes, pause: float = 0.05) -> list[str]:
    """The pieces that reach standard error when a guest writes these parts one after the other."""
    terminal, output = Terminal(), GuestOutput()
    monkeypatch.setattr(sys, "stderr", terminal)
    guest = os.dup(output.writer.fileno())
    output.begin()
    for part in parts:
        os.write(guest, part)
        time.sleep(pause)
    os.close(guest)
    output.end()
    return terminal.pieces


def test_a_line_that_is_written_in_parts_arrives_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert copy(monkeypatch, b"first\ntyped:", b" ", b"nothing\nlast") == ["first\n", "typed: nothing\n", "last"]


def test_a_character_that_is_cut_in_two_arrives_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert copy(monkeypatch, b"na\xc3", b"\xafve\n") == ["na\u00efve\n"]


def test_a_line_without_an_end_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    long = b"x" * (LONGEST_LINE + 1)
    assert copy(monkeypatch, long, b"y") == [long.decode(), "y"]


def test_what_is_too_much_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest_output, "MAX_OUTPUT", 4)
    assert copy(monkeypatch, b"abcdef") == ["abcd", guest_output.TOO_MUCH.format(megabytes=0)]
