"""The command `veil serve-player`."""

from __future__ import annotations

import json
import logging

import pytest

from tests.support.command import inside, refusal_of
from veil.cli.commands.serve_player import log_to_terminal


def test_it_says_where_it_listens_and_ends_in_time() -> None:
    outcome = inside("serve-player", "first", "--port", "0", "--for", "0.05")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("first listens at 127.0.0.1:")


def test_as_json_it_says_where_it_listens_for_programs() -> None:
    outcome = inside("serve-player", "first", "--port", "0", "--for", "0.05", "--json")
    told = json.loads(outcome.out)
    assert (told["player"], told["host"], told["port"] > 0) == ("first", "127.0.0.1", True)


@pytest.mark.parametrize(
    "words",
    [
        ["nobody"],
        ["human"],
        ["cheat"],
        ["hyperplay:models=0"],
        ["policy:file=none.json"],
        ["first", "--port", "99999"],
        ["first", "--host", "no such host"],
        ["first", "--matches", "0"],
        ["first", "--margin", "-1"],
        ["first", "--dialect", "D"],
        ["first", "--log", "loud"],
        ["first", "--for", "0"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_served_is_refused(words: list[str]) -> None:
    port = [] if "--port" in words else ["--port", "0"]
    refusal_of(inside("serve-player", *words, *port))


def test_lines_of_the_log_are_made_visible_and_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("veil.serve-player")
    with log_to_terminal("warning"):
        log.info("unheard")
        log.warning("match %s: refused", "m\x1b[31m1")
    log.warning("unheard too")
    shown = capsys.readouterr().err
    assert shown.endswith("WARNING match m␛[31m1: refused\n")
    assert shown.count("\n") == 1
