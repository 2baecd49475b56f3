"""Games by the text of their rules."""

from __future__ import annotations

import threading

import pytest

import veil
from tests.support.command import RACE
from veil.errors import VeilError
from veil.server.ggp import library
from veil.server.ggp.library import GameLibrary


def test_rules_are_read_once_also_by_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []

    def load(text: str) -> veil.Game:
        reads.append(text)
        return veil.load(text)

    monkeypatch.setattr(library, "read_game", load)
    games, kept = list[veil.Game](), GameLibrary(compiles=False)
    threads = [
        threading.Thread(target=lambda: games.append(kept.find(RACE, is_open=False)), daemon=True) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(games) == 8
    assert len(set(map(id, games))) == len(reads) == 1
    opened = kept.find(RACE, is_open=True)
    assert opened is not games[0]
    assert opened.names.percepts == [
        ["(played blue rest)", "(played blue step)"],
        ["(played red rest)", "(played red step)"],
    ]


def test_only_the_games_that_were_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MAX_GAMES", 2)
    kept = GameLibrary(compiles=False)
    texts = [f"{RACE} (note {number})" for number in range(3)]
    first = [kept.find(text, is_open=False) for text in texts]
    assert kept.find(texts[2], is_open=False) is first[2]
    assert kept.find(texts[0], is_open=False) is not first[0]


@pytest.mark.parametrize("rules", ["", "tic_tac_toe", "(role", "/etc/passwd"])
def test_what_holds_no_rules_is_refused_and_no_name_or_path(rules: str) -> None:
    with pytest.raises(VeilError):
        GameLibrary(compiles=False).find(rules, is_open=False)
