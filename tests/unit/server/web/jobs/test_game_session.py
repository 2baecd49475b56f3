import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.studio import StudioClient
from veil.errors import VeilError
from veil.server.web.host.browser_players import check_players
from veil.server.web.host.sessions import read_session


def finish(studio: StudioClient, address: str) -> Any:
    """Play first moves until the end; the last view."""
    view = studio.ask(f"{address}/view")
    while not view["over"]:
        move = view["choices"][0]["move"]
        view = studio.ask(f"{address}/move", {"round": view["round"], "move": move})
    return view


def test_a_game_is_played_to_its_end_and_then_everything_is_told(studio: StudioClient) -> None:
    address = studio.start("krieg_tictactoe", role="xplayer")
    first = studio.ask(f"{address}/view")
    assert first["role"] == "xplayer"
    assert first["players"] == {"xplayer": "human", "oplayer": "random"}
    assert len(first["choices"]) == 9
    assert all(len(choice["cells"]) == 1 for choice in first["choices"])
    last = finish(studio, address)
    assert set(last["goals"]) == {"xplayer", "oplayer"}
    assert last["choices"] == []
    events = studio.follow(f"{address}/reveal", {})
    assert [name for name, _ in events] == ["progress"] * (last["round"] + 1) + ["done"]
    rounds = [data for name, data in events if name == "progress"]
    assert all(entry["known"]["exact"] for entry in rounds)
    told = [entry["moves"]["xplayer"] for entry in rounds[1:]]
    assert told == [entry["move"] for entry in last["record"]]


def test_rounds_without_a_choice_are_played_at_once(studio: StudioClient) -> None:
    view = studio.ask(f"{studio.start('kuhn_poker', role='first')}/view")
    assert view["round"] == 2
    assert len(view["choices"]) == 2
    assert view["record"][0]["percepts"][0].startswith("you hold the")


def test_a_game_goes_on_after_its_process_has_ended(studio: StudioClient) -> None:
    address = studio.start("krieg_tictactoe", players={"oplayer": "hyperplay:models=4,playouts=2"}, seconds=0.2)
    view = studio.ask(f"{address}/view")
    view = studio.ask(f"{address}/move", {"round": 0, "move": "(mark 2 2)"})
    belief = studio.ask(f"{address}/belief")
    from veil.server.web.jobs import game_session

    game_session._open.clear()
    assert studio.ask(f"{address}/view") == view
    assert studio.ask(f"{address}/belief") == belief
    finish(studio, address)


def test_a_late_click_of_an_old_page_changes_nothing(studio: StudioClient) -> None:
    address = studio.start("krieg_tictactoe")
    view = studio.ask(f"{address}/move", {"round": 0, "move": "(mark 2 2)"})
    assert studio.ask(f"{address}/move", {"round": 0, "move": "(mark 1 1)"}) == view


def test_a_move_that_is_not_legal_is_refused(studio: StudioClient) -> None:
    address = studio.start("krieg_tictactoe")
    assert studio.refusal(f"{address}/move", {"round": 0, "move": "(mark 9 9)"}) == "studio-bad-request"
    assert studio.ask(f"{address}/view")["round"] == 0


def test_who_resigns_sees_the_truth_and_nobody_else_does(studio: StudioClient) -> None:
    address = studio.start("kuhn_poker")
    ((name, data),) = studio.follow(f"{address}/reveal", {})
    assert (name, data["problems"][0]["code"]) == ("failed", "studio-not-over")
    view = studio.ask(f"{address}/resign", {})
    assert view["over"]
    assert view["resigned"]
    assert studio.follow(f"{address}/reveal", {})[-1][0] == "done"
    move = {"round": view["round"], "move": "bet"}
    assert studio.refusal(f"{address}/move", move) == "studio-over"


def test_the_worlds_are_those_of_the_record(studio: StudioClient) -> None:
    address = studio.start("kuhn_poker", role="first")
    belief = studio.ask(f"{address}/belief")
    assert (belief["exact"], belief["count"], belief["worlds"]) == (True, 2, 2)
    worlds = [studio.ask(f"{address}/world?number={number}") for number in range(2)]
    assert [world["chance"] for world in worlds] == [0.5, 0.5]
    assert worlds[0]["scene"] != worlds[1]["scene"]
    assert studio.ask(f"{address}/world?number=2")["scene"] is None
    assert studio.refusal(f"{address}/world?number=-1") == "studio-bad-request"


def test_a_hint_values_every_move_and_says_why(studio: StudioClient) -> None:
    address = studio.start("krieg_tictactoe")
    ((name, hint),) = studio.follow(f"{address}/hint", {"player": "hyperplay:models=4,playouts=4", "seconds": 0.2})
    assert name == "done"
    assert len(hint["moves"]) == 9
    values = [entry["value"] for entry in hint["moves"]]
    assert values == sorted(values, reverse=True)
    assert hint["reason"]["worlds"] == 1


def test_where_value_was_lost_is_told_decision_by_decision(studio: StudioClient) -> None:
    address = studio.start("krieg_tictactoe")
    finish(studio, address)
    *rounds, (name, total) = studio.follow(
        f"{address}/judge", {"player": "hyperplay:models=4,playouts=4", "seconds": 0.1}
    )
    assert name == "done"
    losses = [entry["loss"] for _, entry in rounds]
    assert rounds
    assert min(losses) >= 0.0
    assert total["lost"] == pytest.approx(sum(losses))


@pytest.mark.parametrize(
    "spec",
    [
        "own:file=x.py",
        "policy:x.json",
        "human",
        "cheat",
        "hyperplay:opponents=policy:file=/etc/passwd",
        "remote:port=1",
        "openspiel:os:system",
    ],
)
def test_players_that_read_files_see_everything_or_ask_elsewhere_are_refused(studio: StudioClient, spec: str) -> None:
    with pytest.raises(VeilError):
        check_players({"oplayer": spec})
    question = {"game": "krieg_tictactoe", "players": {"oplayer": spec}}
    assert studio.refusal("/play/new", question) == "studio-no-player"
    address = studio.start("krieg_tictactoe")
    ((name, data),) = studio.follow(f"{address}/hint", {"player": spec})
    assert (name, data["problems"][0]["code"]) == ("failed", "studio-no-player")


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"game": "nothing"}, "unknown-game"),
        ({"game": "/etc/passwd"}, "unknown-game"),
        ({"game": "own:../token"}, "studio-bad-name"),
        ({"game": "own:nothing"}, "studio-no-game"),
        ({"game": "kuhn_poker", "role": "third"}, "unknown-role"),
        ({"game": "kuhn_poker", "role": "random"}, "bad-seat"),
        ({"game": "kuhn_poker", "players": {"second": "nobody"}}, "unknown-player"),
        ({"game": "kuhn_poker", "seconds": 0}, "studio-bad-request"),
        ({"game": "kuhn_poker", "seconds": 1e9}, "studio-bad-request"),
        ({"game": "kuhn_poker", "seed": -1}, "studio-bad-request"),
        ({"game": ["kuhn_poker"]}, "studio-bad-request"),
        ([], "studio-bad-request"),
    ],
)
def test_a_game_that_makes_no_sense_is_refused(studio: StudioClient, question: Any, code: str) -> None:
    assert studio.refusal("/play/new", question) == code


def test_a_file_with_other_moves_than_the_seed_deals_is_refused(studio: StudioClient) -> None:
    address = studio.start("kuhn_poker")
    studio.ask(f"{address}/view")
    path: Path = studio.session_file(address)
    data = json.loads(path.read_text())
    data["seed"] += 1
    data["rounds"][0]["moves"]["random"] = "(deal ace ace)"
    path.write_text(json.dumps(data))
    from veil.server.web.jobs import game_session

    game_session._open.clear()
    assert studio.refusal(f"{address}/view") == "studio-bad-session"


def test_the_file_holds_what_is_needed_to_go_on(studio: StudioClient) -> None:
    address = studio.start("kuhn_poker", seed=5)
    studio.ask(f"{address}/view")
    session = read_session(studio.session_file(address))
    assert session.seed == 5
    assert len(session.rounds) == len(session.thinking) == 2
    assert "random" in session.rounds[0].moves
