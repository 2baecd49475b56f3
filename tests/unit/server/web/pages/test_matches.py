"""The page of matches: only files of its folder, never changed; tables, heat, replays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import veil
from tests.support.studio import StudioClient, open_studio
from veil.match import MatchConfig, Store, TournamentConfig, play_matches
from veil.server.web.host.results import ResultFolder


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    players = {"first": "hyperplay:models=5,playouts=5", "second": "first"}
    log = veil.run_match("kuhn_poker", players, seed=1, config=MatchConfig(reports=True))
    (folder / "kuhn.jsonl").write_text(log.as_lines() * 2)
    with Store(str(folder / "small.sqlite")) as store:
        config = TournamentConfig(games=("kuhn_poker",), players=("first", "random"), matches=3)
        play_matches(config, store)
    (folder / "notes.txt").write_text("no results")
    (folder / "other.sqlite").write_bytes(b"SQLite format 3\0" + bytes(84))
    os.symlink("/etc/passwd", folder / "link.jsonl")
    return folder


@pytest.fixture(scope="module")
def archive(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    with open_studio(tmp_path_factory.mktemp("studio"), results=results) as client:
        yield client


def test_only_logs_and_stores_are_listed(results: Path, archive: StudioClient):
    assert {entry.name for entry in ResultFolder(results).files()} == {"kuhn.jsonl", "small.sqlite"}
    text = archive.get("/matches").text
    assert "kuhn.jsonl" in text
    assert "notes.txt" not in text


@pytest.mark.parametrize("name", ["notes.txt", "link.jsonl", "../x", "/etc/passwd", "", "other.sqlite", "nothing"])
def test_nothing_else_can_be_opened(archive: StudioClient, name: str):
    assert archive.refusal(f"/matches/open?file={name}") == "studio-no-results"
    assert archive.get(f"/matches/view?file={name}").status_code == 404


def test_a_store_gives_cross_tables_and_csv_and_stays_as_it_is(results: Path, archive: StudioClient):
    before = (results / "small.sqlite").read_bytes()
    found = archive.ask("/matches/open?file=small.sqlite")
    assert found["matches"] == 6
    (table,) = found["tables"]
    assert {entry["player"] for entry in table["cross"]} == {"first", "random"}
    csv = archive.get("/matches/csv?file=small.sqlite")
    assert csv.headers["content-type"].startswith("text/csv")
    assert csv.text.startswith("game,player,against")
    assert (results / "small.sqlite").read_bytes() == before


def test_a_match_is_replayed_as_the_referee_saw_it(archive: StudioClient):
    listed = archive.ask("/matches/open?file=kuhn.jsonl")
    assert listed["count"] == 2
    entry = listed["matches"][1]
    events = archive.follow("/matches/replay", {"file": "kuhn.jsonl", "number": 1, "game": entry["game"]})
    rounds = [data for name, data in events if name == "progress"]
    assert [shown["round"] for shown in rounds] == list(range(entry["rounds"] + 1))
    assert events[-1] == ("done", events[-1][1])
    assert events[-1][1]["goals"] == entry["goals"]
    assert any(shown.get("thoughts", {}).get("first", {}).get("moves") for shown in rounds)


def test_a_match_is_replayed_as_a_role_could_know_it(archive: StudioClient):
    events = archive.follow(
        "/matches/replay", {"file": "kuhn.jsonl", "number": 0, "game": "kuhn_poker", "view": "second"}
    )
    rounds = [data for name, data in events if name == "progress"]
    assert rounds[0]["record"] == "start"
    assert all(set(shown.get("moves", {})) <= {"second"} for shown in rounds)
    chances = [piece["chance"] for badge in _pieces(rounds[2]["scene"]) for piece in badge]
    assert any(0 < chance < 1 for chance in chances)  # the other's card


def _pieces(scene: Any) -> list[Any]:
    cells = [cell["pieces"] for board in scene["boards"] for cell in board["cells"]]
    return cells + [badge["pieces"] for badge in scene["badges"]]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"number": 7}, "no-such-match"),
        ({"view": "nobody"}, "unknown-role"),
        ({"game": "leduc_poker"}, "studio-other-rules"),
    ],
)
def test_what_cannot_be_replayed_says_why(archive: StudioClient, more: Any, code: str):
    events = archive.follow("/matches/replay", {"file": "kuhn.jsonl", "number": 0, "game": "kuhn_poker"} | more)
    (name, data) = events[-1]
    assert name == "failed"
    assert data["problems"][0]["code"] == code


def test_rules_that_nobody_has_saved_are_asked_for(archive: StudioClient):
    assert (
        archive.refusal("/matches/replay", {"file": "kuhn.jsonl", "number": 0, "game": "mine"}) == "studio-other-rules"
    )


def test_a_log_that_somebody_was_sent_is_replayed_without_being_stored(results: Path, studio: StudioClient):
    given = {"name": "sent.jsonl", "text": (results / "kuhn.jsonl").read_text()}
    assert "A match from a file" in studio.get("/replay").text
    listed = studio.ask("/replay/open", given)
    assert listed["count"] == 2
    events = studio.follow("/replay/replay", given | {"number": 0, "game": "kuhn_poker", "view": "second"})
    rounds = [data for name, data in events if name == "progress"]
    assert len(rounds) == listed["matches"][0]["rounds"] + 1
    for text, code in (("", "bad-match"), ("{}", "bad-match"), (given["text"][:300], "bad-match")):
        assert studio.refusal("/replay/open", {"text": text}) == code
    assert not list(studio.folder.rglob("*sent*"))
