"""The room of a class: the door, own spaces, people against each other, spectators, exercises, secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.classroom import Classroom, Visitor, open_class
from tests.support.studio import games_loaded_once


@pytest.fixture
def classroom(tmp_path: Path) -> Iterator[Classroom]:
    with games_loaded_once(), open_class(tmp_path / "studio") as opened:
        yield opened


def sit_down(classroom: Classroom, game: str, spectators: str = "end") -> tuple[Visitor, Visitor, str]:
    """Two people at a table; the address of their game."""
    ann, bob = classroom.join("Ann"), classroom.join("Bob")
    table = ann.ask("/room/open", {"game": game, "spectators": spectators})["table"]
    role = next(role for role, name in ann.ask("/room/state")["tables"][0]["seats"].items() if not name)
    bob.ask("/room/sit", {"table": table, "role": role})
    session = ann.ask("/room/start", {"table": table})["session"]
    assert bob.ask("/room/start", {"table": table})["session"] == session  # it is started once
    return ann, bob, f"/play/{session}"


def play_out(address: str, people: list[Visitor]) -> dict[str, Any]:
    for _ in range(60):
        for person in people:
            view = person.ask(f"{address}/view")
            if view["over"]:
                return view
            if view["choices"]:
                person.ask(f"{address}/move", {"round": view["round"], "move": view["choices"][0]["move"]})
    raise AssertionError("the game does not end")


def test_nobody_is_in_without_the_link_and_a_name(classroom: Classroom) -> None:
    stranger = Visitor(classroom.host.client, classroom.host.folder)
    assert stranger.get("/").status_code == 403
    assert stranger.get("/join?token=wrong").status_code == 403
    assert stranger.post("/join", {"name": "Eve"}).status_code == 403
    assert stranger.get(f"/join?token={classroom.token}").status_code == 200
    assert "Your name" in stranger.get("/").text  # until there is a name, every page is the door
    assert stranger.post("/room/open", {"game": "kuhn_poker"}).status_code == 403
    classroom.join("Ann")
    assert stranger.refusal("/join", {"name": "Ann"}) == "studio-name-taken"


def test_two_people_play_each_other_to_the_end(classroom: Classroom) -> None:
    ann, bob, address = sit_down(classroom, "krieg_tictactoe")
    assert ann.ask(f"{address}/view")["choices"]
    waiting = bob.ask(f"{address}/view")
    assert (waiting["choices"], waiting["waiting"]) == ([], False)
    end = play_out(address, [ann, bob])
    assert set(end["goals"].values()) in ({0, 100}, {50})
    assert {row["name"] for row in classroom.host.ask("/room/state")["results"]} <= {"Ann", "Bob"}
    assert ann.follow(f"{address}/reveal", {})[-1][0] == "done"
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        person.ask(f"{address}/view")
        assert {row["name"] for row in person.ask("/room/state")["results"]} == {name}  # one's own alone


def test_who_is_not_seated_gets_nothing(classroom: Classroom) -> None:
    _, _, address = sit_down(classroom, "krieg_tictactoe")
    eve = classroom.join("Eve")
    for path in ("/view", "/belief", "/about", "/download"):
        assert eve.refusal(f"{address}{path}") == "studio-refused"
    for path, data in (("/move", {"round": 0, "move": "(mark 1 1)"}), ("/resign", {}), ("/reveal", {}), ("/hint", {})):
        assert eve.refusal(f"{address}{path}", data) == "studio-refused"
    assert eve.ask(f"{address}/watch")["scene"] is None
    assert classroom.host.ask(f"{address}/watch")["scene"] is not None


def test_a_move_of_one_changes_nothing_that_the_other_is_told(classroom: Classroom) -> None:
    """Both choose at once: until the second has chosen, it gets the same bytes whatever the first did."""
    ann, bob, address = sit_down(classroom, "simultaneous_krieg_tictactoe")
    asked = ("/view", "/belief?model=uniform", "/belief?model=hyperplay", "/world?number=0", "/about")
    before = [bob.get(f"{address}{path}").content for path in asked]
    view = ann.ask(f"{address}/view")
    ann.ask(f"{address}/move", {"round": view["round"], "move": view["choices"][3]["move"]})
    assert ann.ask(f"{address}/view")["choices"] == []  # the own move is made
    assert [bob.get(f"{address}{path}").content for path in asked] == before
    assert bob.refusal(f"{address}/move", {"round": 0, "move": "(mark 9 9)"}) == "studio-bad-request"
    assert [bob.get(f"{address}{path}").content for path in asked] == before


def test_games_with_the_same_record_look_the_same_to_a_person(classroom: Classroom) -> None:
    """What Ann marks is hidden from Bob: two games that differ in it alone give Bob the same answers."""
    told = []
    for mark, names in (("(mark 1 1)", ("Ann", "Bob")), ("(mark 3 3)", ("Cleopatra", "Desdemona"))):
        ann, bob = map(classroom.join, names)
        table = ann.ask("/room/open", {"game": "krieg_tictactoe"})["table"]
        bob.ask("/room/sit", {"table": table, "role": "oplayer"})
        address = f"/play/{ann.ask('/room/start', {'table': table})['session']}"
        ann.ask(f"{address}/move", {"round": 0, "move": mark})
        bob.ask(f"{address}/move", {"round": 1, "move": "(mark 2 2)"})
        answers = [bob.get(f"{address}{path}").text for path in ("/view", "/belief", "/world?number=1", "/about")]
        told.append([answer.replace(names[0], "[ann]").replace(names[1], "[bob]") for answer in answers])
    assert told[0] == told[1]


def test_a_spectator_sees_what_the_table_allows(classroom: Classroom) -> None:
    ann, bob, address = sit_down(classroom, "krieg_tictactoe", "side")
    eve = classroom.join("Eve")
    ann.ask(f"{address}/move", {"round": 0, "move": "(mark 2 2)"})
    bob.ask(f"{address}/move", {"round": 1, "move": "(mark 1 1)"})
    shown = eve.ask(f"{address}/watch")
    assert shown["as"] == "xplayer"
    pieces = [piece for cell in shown["scene"]["boards"][0]["cells"] for piece in cell["pieces"]]
    assert any(piece["chance"] == 1.0 for piece in pieces)
    assert any(piece["chance"] < 1.0 for piece in pieces)  # what X does not know, the spectator does not see
    ann.ask(f"{address}/resign", {})
    assert eve.ask(f"{address}/watch")["over"]


def test_everybody_has_a_space_of_their_own(classroom: Classroom) -> None:
    ann, bob = classroom.join("Ann"), classroom.join("Bob")
    ann.ask("/workbench/save", {"text": "(role ann)", "name": "mine"})
    assert bob.get("/workbench?game=own:mine").status_code == 404
    bob.ask("/workbench/save", {"text": "(role bob)", "name": "mine", "overwrites": False})
    assert "(role ann)" in ann.get("/workbench?game=own:mine").text
    assert (
        ann.refusal("/workbench/save", {"text": "(role eve)", "name": "mine", "overwrites": False}) == "studio-exists"
    )
    assert bob.get("/matches").status_code == 403
    own = ann.start("monty_hall")
    assert bob.refusal(f"{own}/view") == "studio-refused"


def test_an_exercise_comes_back_with_its_result(classroom: Classroom) -> None:
    ann = classroom.join("Ann")
    task = {"title": "Stay or switch?", "text": "<b>Which</b> is better?", "game": "monty_hall"}
    assert ann.refusal("/room/exercise", task) == "studio-refused"  # the host alone hands out
    classroom.host.ask("/room/exercise", task)
    (entry,) = ann.ask("/room/state")["exercises"]
    wanted = {"game": entry["game"], "role": entry["role"], "exercise": entry["id"]}
    assert ann.refusal("/play/new", wanted | {"seed": 1}) == "studio-refused"  # with which she knows the answer
    session = ann.ask("/play/new", wanted)["session"]
    play_out(f"/play/{session}", [ann])
    ann.ask(f"/play/{session}/view")
    (row,) = classroom.host.ask("/room/state")["results"]
    assert (row["name"], row["exercise"], row["goal"] in (0, 100)) == ("Ann", entry["id"], True)


def test_a_person_who_asks_too_often_waits(tmp_path: Path) -> None:
    with open_class(tmp_path / "studio", most_questions=20) as classroom:
        ann, bob = classroom.join("Ann"), classroom.join("Bob")
        statuses = [ann.get("/status").status_code for _ in range(30)]
        assert statuses[0] == 200
        assert statuses[-1] == 429
        assert bob.get("/status").status_code == 200


def test_who_gives_up_is_named_and_the_other_one_has_not(classroom: Classroom) -> None:
    ann, bob, address = sit_down(classroom, "krieg_tictactoe")
    ann.ask(f"{address}/resign", {})
    for person in (ann, bob):
        view = person.ask(f"{address}/view")
        assert (view["over"], view["resigned_by"]) == (True, "xplayer")
    told = {row["name"]: row["what"] for row in classroom.host.ask("/room/state")["results"]}
    assert told == {"Ann": "game", "Bob": "the other gave up"}
    assert classroom.host.ask("/room/state")["tables"][0]["over"]


def test_people_stand_up_and_the_host_tidies_the_room(classroom: Classroom) -> None:
    host, ann, bob = classroom.host, classroom.join("Ann"), classroom.join("Bob")
    table = ann.ask("/room/open", {"game": "kuhn_poker"})["table"]
    assert bob.refusal("/room/leave", {"table": table}) == "studio-refused"  # sits nowhere
    assert bob.refusal("/room/close", {"table": table}) == "studio-refused"  # another one's
    bob.ask("/room/sit", {"table": table, "role": "second"})
    ann.ask("/room/leave", {"table": table})
    assert bob.ask("/room/state")["tables"][0]["seats"] == {"first": "", "second": "Bob"}
    host.ask("/room/close", {"table": table})
    assert bob.refusal("/room/sit", {"table": table, "role": "first"}) == "studio-refused"
    host.ask("/room/exercise", {"title": "One", "game": "monty_hall"})
    (entry,) = ann.ask("/room/state")["exercises"]
    for path, given in (("/room/withdraw", {"exercise": entry["id"]}), ("/room/remove", {"name": "Ann"})):
        assert bob.refusal(path, given) == "studio-refused"
        host.ask(path, given)
    assert host.ask("/room/state")["exercises"] == []
    assert [entry["name"] for entry in host.ask("/room/state")["people"]] == ["the host", "Bob"]
    assert ann.post("/room/open", {"game": "kuhn_poker"}).status_code == 403


def test_a_game_that_has_started_is_not_closed(classroom: Classroom) -> None:
    ann, _, _ = sit_down(classroom, "kuhn_poker")
    table = ann.ask("/room/state")["tables"][0]["id"]
    assert ann.refusal("/room/leave", {"table": table}) == "studio-refused"
    classroom.host.ask("/room/close", {"table": table})
    assert ann.ask("/room/state")["tables"][0]["session"]


def test_results_of_poker_are_in_chips(classroom: Classroom) -> None:
    ann, bob, address = sit_down(classroom, "kuhn_poker")
    end = play_out(address, [ann, bob])
    assert end["scale"] == {"low": 48.0, "high": 52.0, "unit": "chips", "zero": 50, "scale": 1}
    for person in (ann, bob):
        person.ask(f"{address}/view")
    scores = {row["role"]: row["score"] for row in classroom.host.ask("/room/state")["results"]}
    assert scores == {
        role: f"{goal - 50:+g} {'chip' if abs(goal - 50) == 1 else 'chips'}" for role, goal in end["goals"].items()
    }
