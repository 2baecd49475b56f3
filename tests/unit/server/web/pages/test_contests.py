"""Tournaments in the browser: started, watched, stopped, gone on with; matches of a cell; those of a class."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any, ClassVar
from unittest.mock import patch

import pytest

from tests.support.classroom import Classroom, Visitor, open_class
from tests.support.studio import FIRST_PLAYER, RULES, LocalWorker, StudioClient, games_loaded_once
from veil.match import run_tournament
from veil.server.web.host.answers import read_question
from veil.server.web.host.contests import ContestPlan, Contests, Entrant
from veil.server.web.host.settings import StudioConfig
from veil.server.web.jobs.contests import tell_tables
from veil.server.web.jobs.game_sources import GameSource


def wait_for(look: Callable[[], Any], is_there: Callable[[Any], Any]) -> Any:
    """What is looked at, as soon as it is there."""
    while not is_there(found := look()):
        sleep(0.05)
    return found


def play_out(client: StudioClient, contest: str) -> dict[str, Any]:
    """The state of a contest at its end."""
    return wait_for(lambda: client.ask(f"/contests/{contest}/state"), lambda shown: shown["state"] != "running")


def test_a_tournament_is_started_watched_and_replayed_from_a_cell(studio: StudioClient) -> None:
    wanted = {"games": ["kuhn_poker"], "players": ["first", "random"], "matches": 3, "seed": 5}
    contest = studio.ask("/contests/new", wanted)["contest"]
    shown = play_out(studio, contest)
    assert (shown["state"], shown["report"]["done"], shown["report"]["total"]) == ("done", 6, 6)
    tables = run_tournament(["kuhn_poker"], ["first", "random"], matches=3, seed=5).standings
    (table,) = shown["report"]["tables"]
    assert {name: row["mean"] for name, row in table["players"].items()} == {
        name: mean.value for name, mean in tables[0].overall.items()
    }
    assert [row["player"] for row in shown["report"]["ranking"]["players"]]
    cell = studio.ask(f"/contests/{contest}/cell?game=kuhn_poker&player=random&against=first")
    assert cell["count"] == 6
    match = cell["matches"][0]
    assert match["kept"]
    asked = {key: match[key] for key in ("game", "seats", "number")}
    events = studio.follow(f"/contests/{contest}/replay", asked | {"view": "second"})
    assert events[-1][0] == "done"
    assert [data["round"] for name, data in events if name == "progress" and "round" in data] == list(
        range(match["rounds"] + 1)
    )
    assert studio.get(f"/contests/{contest}").status_code == 200
    assert contest in studio.get("/matches").text
    assert studio.get(f"/contests/{contest}/csv").text.startswith("game,player")
    studio.ask(f"/contests/{contest}/delete", {})
    assert studio.get(f"/contests/{contest}").status_code == 404
    assert not list((studio.folder / "contests").glob("*"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": ["own:file=/etc/passwd"]}, "studio-no-player"),
        ({"players": ["cheat"]}, "studio-no-player"),
        ({"players": ["nobody"]}, "unknown-player"),
        ({"games": ["/etc/passwd"]}, "unknown-game"),
        ({"matches": 10**6}, "studio-bad-request"),
        ({"players": []}, "studio-bad-request"),
    ],
)
def test_what_cannot_be_played_is_refused_before_it_begins(studio: StudioClient, change: Any, code: str) -> None:
    wanted = {"games": ["kuhn_poker"], "players": ["random", "first"]} | change
    assert studio.refusal("/contests/new", wanted) == code
    assert studio.refusal("/contests/nothing-here/state") == "studio-refused"


def test_the_options_of_players_are_explained(studio: StudioClient) -> None:
    players = {row["name"]: row for row in studio.ask("/contests/players")}
    assert "own" not in players
    (models,) = [option for option in players["hyperplay"]["options"] if option["name"] == "models"]
    assert models["about"]
    assert models["default"].isdecimal()


def test_a_contest_that_ran_when_the_studio_ended_is_stopped_and_keeps_its_matches(tmp_path: Path) -> None:
    contests = Contests(StudioConfig(folder=tmp_path))
    plan = ContestPlan(title="t", games=[GameSource(name="kuhn_poker")], players=[], matches=1, seconds=None)
    name = contests.add(plan)
    assert Contests(StudioConfig(folder=tmp_path)).read(name).state == "stopped"


def test_tables_name_people_and_not_files(tmp_path: Path) -> None:
    contests = Contests(StudioConfig(folder=tmp_path))
    spec = f"own:file={tmp_path}/contests/x.py"
    plan = ContestPlan(title="t", games=[], players=[Entrant(spec=spec, label="Ann")], matches=1, seconds=1.0)
    plan.problems = {"problems": [{"message": f"{spec} cannot be run"}]}
    name = contests.add(plan)
    contests.keep_report(name, f'{{"tables": [{{"players": {{"{spec}": 1}}}}], "csv": "g,{spec},1"}}'.encode())
    text = contests.tell(name).decode()
    assert str(tmp_path) not in text
    assert text.count("Ann") == 4


def test_a_file_is_not_entered_where_the_system_has_no_walls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.server.web.pages.contests.has_all_walls", lambda: False)
    with games_loaded_once(), open_class(tmp_path / "studio") as classroom:
        announced = {"title": "Cup", "games": ["kuhn_poker"], "players": ["random"], "matches": 1, "seconds": 20}
        enter = f"/contests/{classroom.host.ask('/contests/class', announced)['contest']}/enter"
        ann = classroom.join("Ann")
        assert ann.refusal(enter, {"text": FIRST_PLAYER.read_text()}) == "studio-refused"
        assert not list((tmp_path / "studio").rglob("*.py"))
        ann.ask(enter, {"spec": "first"})


class NotingWorker(LocalWorker):
    """A worker that notes what it is told to play, and plays nothing."""

    told: ClassVar[list[dict[str, Any]]] = []

    async def _exchange(self, function: str, arguments: dict[str, Any], on_progress: Any) -> bytes:
        self.told.append(arguments["settings"])
        return json.dumps({"done": 0, "total": 0} | tell_tables(None)).encode()


def announce_cup(classroom: Classroom) -> tuple[str, Visitor, Visitor]:
    """A tournament for which Ann has entered a file and Bob a player of Veil."""
    ann, bob = classroom.join("Ann"), classroom.join("Bob")
    announced = {"title": "Cup", "games": ["kuhn_poker"], "players": ["random"], "matches": 1, "seconds": 60}
    assert ann.refusal("/contests/class", announced) == "studio-refused"
    contest = classroom.host.ask("/contests/class", announced)["contest"]
    ann.ask(f"/contests/{contest}/enter", {"text": "raise SystemError"})
    ann.ask(f"/contests/{contest}/enter", {"text": FIRST_PLAYER.read_text()})  # in place of the first one
    bob.ask(f"/contests/{contest}/enter", {"spec": "first"})
    return contest, ann, bob


def test_a_class_enters_players_whose_files_run_isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.server.web.pages.contests.has_all_walls", lambda: True)
    with open_class(tmp_path / "studio") as classroom:
        contest, ann, bob = announce_cup(classroom)
        assert ann.refusal(f"/contests/{contest}/enter", {"spec": "own:file=/etc/passwd"}) == "studio-no-player"
        assert ann.refusal(f"/contests/{contest}/enter", {"spec": "random"}) == "studio-refused"
        (listed,) = ann.ask("/room/state")["contests"]
        assert listed["players"] == ["random", "Ann", "Bob: first"]
        assert str(tmp_path) not in str(listed)
        assert ann.refusal(f"/contests/{contest}/go", {}) == "studio-refused"
        with patch("veil.server.web.host.contests.StudioWorker", NotingWorker):
            classroom.host.ask(f"/contests/{contest}/go", {})
            assert play_out(classroom.host, contest)["state"] == "done"
        (told,) = NotingWorker.told
        assert (told["isolated"], told["memory"], told["seconds"], told["jobs"]) == (True, 1.0, 60, 1)
        assert Path(told["players"][1].removeprefix("own:file=")).read_text() == FIRST_PLAYER.read_text()
        assert bob.refusal(f"/contests/{contest}/enter", {"spec": "hyperplay"}) == "studio-refused"


@pytest.mark.slow
@pytest.mark.nightly
def test_the_table_of_a_class_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.server.web.pages.contests.has_all_walls", lambda: True)
    with games_loaded_once(), open_class(tmp_path / "studio") as classroom:
        contest, _, _ = announce_cup(classroom)
        classroom.host.ask(f"/contests/{contest}/go", {})
        shown = play_out(classroom.host, contest)  # a guest may not ask so often
        assert shown["problems"] is None
        (table,) = shown["report"]["tables"]
        assert set(table["players"]) == {"random", "Ann", "Bob: first"}
        assert all(row["errors"] == 0 for row in table["players"].values())
        assert str(tmp_path) not in str(shown)


def test_a_class_enters_rules(tmp_path: Path) -> None:
    with games_loaded_once(), open_class(tmp_path / "studio") as classroom:
        host, ann = classroom.host, classroom.join("Ann")
        announced = {"title": "Rules", "takes_rules": True, "players": ["random", "first"], "matches": 1}
        contest = host.ask("/contests/class", announced)["contest"]
        ann.ask("/workbench/save", {"name": "cups", "text": RULES.read_text()})
        for _ in range(2):
            ann.ask(f"/contests/{contest}/enter", {"game": "cups"})
        host.ask(f"/contests/{contest}/go", {})
        assert [table["game"] for table in play_out(host, contest)["report"]["tables"]] == ["cups (Ann)"]


def test_two_who_enter_at_once_are_both_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with games_loaded_once(), open_class(tmp_path / "studio") as classroom:
        announced = {"title": "Cup", "games": ["kuhn_poker"], "players": ["random"], "matches": 1, "seconds": 20}
        contest = classroom.host.ask("/contests/class", announced)["contest"]
        contests = Contests(StudioConfig(folder=tmp_path / "studio"))

        async def read_while_bob_enters(request: Any, kind: Any) -> Any:
            given = await read_question(request, kind)
            plan = contests.read(contest)
            plan.players.append(Entrant(spec="hyperplay", label="Bob: hyperplay", person="bob"))
            contests.write(contest, plan)
            return given

        monkeypatch.setattr("veil.server.web.pages.contests.read_question", read_while_bob_enters)
        classroom.join("Ann").ask(f"/contests/{contest}/enter", {"spec": "first"})
        assert [entrant.label for entrant in contests.read(contest).players] == [
            "random",
            "Bob: hyperplay",
            "Ann: first",
        ]
