"""The page of analysis: what it asks, answered by its workers in this process."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.studio import StudioClient, open_studio

SESSION = {"session": "a-session-of-a-test", "game": "kuhn_poker"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with open_studio(tmp_path_factory.mktemp("studio")) as client:
        yield client


def ask(session: StudioClient, what: str, **more: Any) -> Any:
    return session.ask(f"/analysis/{what}", SESSION | more)


def solve(session: StudioClient, method: str = "cfr+", seconds: float = 2.0) -> Any:
    """Let a solver run to its end."""
    course = ask(session, "solve", method=method, seconds=seconds)
    while course["running"]:
        time.sleep(0.05)
        course = ask(session, "look")
    return course


def test_the_page_offers_all_solvers_and_samplers(session: StudioClient):
    text = session.get("/analysis?game=leduc_poker").text
    assert 'value="leduc_poker"' in text
    assert all(f'value="{name}"' in text for name in ("pcfr+", "lp", "csp", "auto"))


def test_a_desk_knows_the_size_of_the_game_and_begins_with_the_uniform_policy(session: StudioClient):
    opened = ask(session, "open")
    assert opened["size"]["nodes"] == 58
    assert opened["size"]["infosets"] == {"first": 6, "second": 6}
    assert opened["exploitability"] == pytest.approx(11 / 24)  # of the uniform policy, by hand and by OpenSpiel
    assert opened["policy"] == "uniform"


def test_a_solver_draws_its_curve_and_its_policy_stays_on_the_desk(session: StudioClient):
    course = solve(session, "lp")
    assert course["value"]["first"] == pytest.approx(-1 / 18)
    assert course["exploitability"] < 1e-9
    course = solve(session, "cfr", 0.5)
    assert len(course["points"]) > 3
    assert course["points"][-1][2] < course["points"][0][2]
    assert course["stopped_by"] == "seconds"
    assert course["policy"].startswith("cfr, ")


def test_a_solver_can_be_stopped_and_the_best_so_far_is_kept(session: StudioClient):
    assert ask(session, "solve", method="cfr", seconds=600.0)["running"]
    stopped = ask(session, "stop")
    assert not stopped["running"]
    assert stopped["stopped_by"] == "interrupted"
    assert stopped["exploitability"] < 11 / 24


def test_the_policy_is_shown_by_infoset_with_what_moves_are_worth(session: StudioClient):
    ask(session, "load", text=json.dumps(uniform_policy_file()), name="uniform")
    found = ask(session, "browse", role="second", text="king")
    assert found["count"] == 2
    (entry,) = [entry for entry in found["infosets"] if "bet" in entry["record"]]
    moves = {move["words"]: move for move in entry["moves"]}
    assert moves["bet"]["value"] == pytest.approx(2.0)  # the king wins a pot of two chips each
    assert moves["pass"]["value"] == pytest.approx(-1.0)
    assert [move["chance"] for move in entry["moves"]] == [0.5, 0.5]
    assert entry["reach"] == pytest.approx(1 / 3 * 1 / 2)  # second has the king, first bets
    solve(session, "lp")
    (entry,) = ask(session, "browse", role="second", text="king bet")["infosets"]
    assert entry["moves"][0]["words"] == "bet"  # with the best card one calls
    assert entry["moves"][0]["chance"] == pytest.approx(1.0)


def test_a_best_response_says_what_it_wins_and_where(session: StudioClient):
    ask(session, "load", text=json.dumps(uniform_policy_file()), name="mine.json")
    found = ask(session, "respond", role="first")
    assert found["best"] - found["value"] == pytest.approx(0.5 - 0.125)
    assert found["deviations"][0]["gain"] > 0
    assert found["count"] >= len(found["deviations"]) > 0


def uniform_policy_file() -> dict[str, Any]:
    from veil import load

    return {
        "format": "veil policy 1",
        "game": "kuhn_poker",
        "rules": load("kuhn_poker").fingerprint,
        "policies": {},
    }


def test_the_value_of_information_of_asking_is_that_of_the_article(session: StudioClient):
    chosen = {"session": "another-session", "game": "exploding_bomb"}
    session.ask("/analysis/open", chosen)
    infosets = session.ask("/analysis/browse", chosen | {"role": "agent"})["infosets"]
    (first,) = [entry for entry in infosets if entry["record"] == "noop"]
    moves = session.ask("/analysis/inform", chosen | {"infoset": first["infoset"]})["moves"]
    assert {move["words"]: move["value"] for move in moves} == {"ask which wire": 45, "wait": 0}


def test_a_policy_that_is_saved_can_be_loaded(session: StudioClient):
    solve(session, "lp")
    saved = ask(session, "save")
    assert saved["name"] == "kuhn_poker.json"
    loaded = ask(session, "load", text=saved["text"], name="again")
    assert loaded["missing"] == 0
    assert loaded["exploitability"] < 1e-9


@pytest.mark.parametrize("record", ["noop: (card king)", '[{"move": "noop", "sees": ["(card king)"]}]'])
def test_a_record_in_words_or_json_is_explored(session: StudioClient, record: str):
    game = session.ask("/analysis/open", SESSION)
    role = game["roles"][0]
    found = ask(session, "explore", role=role, record=record)
    assert found["count"] == len(found["worlds"]) > 0
    assert sum(world["chance"] for world in found["worlds"]) == pytest.approx(1.0)
    assert found["scene"]["boards"] or found["scene"]["badges"]


def test_a_game_without_a_tree_can_still_be_explored(session: StudioClient):
    chosen = {"session": "a-large-session", "game": "krieg_tictactoe"}
    opened = session.ask("/analysis/open", chosen)
    assert opened["size"] is None
    assert opened["problems"][0]["severity"] == "error"
    assert session.refusal("/analysis/solve", chosen) == opened["problems"][0]["code"]
    assert session.ask("/analysis/explore", chosen | {"role": "xplayer"})["count"] == 1


@pytest.mark.parametrize(
    ("what", "more", "code"),
    [
        ("solve", {"method": "nonsense"}, "unknown-method"),
        ("solve", {"seconds": -1}, "studio-bad-request"),
        ("browse", {"role": "nobody"}, "unknown-role"),
        ("inform", {"infoset": 10_000}, "studio-bad-request"),
        ("load", {"text": "{}"}, "bad-policy"),
        ("explore", {"role": "first", "record": "noop: (card king"}, "bad-record"),
        ("explore", {"role": "first", "record": "dance"}, "unexplained"),
        ("explore", {"role": "first", "sampler": "crystal_ball"}, "unknown-sampler"),
        ("open", {"game": "/etc/passwd"}, "unknown-game"),
        ("open", {"session": "../../x"}, "studio-bad-request"),
    ],
)
def test_what_makes_no_sense_is_refused_with_one_message(session: StudioClient, what: str, more: Any, code: str):
    assert session.refusal(f"/analysis/{what}", SESSION | more) == code


def test_own_rules_are_analysed_from_the_library(tmp_path: Path):
    from veil import load

    with open_studio(tmp_path) as client:
        text = load("matching_pennies").rules.source.text
        (tmp_path / "games").mkdir()
        (tmp_path / "games" / "mine.kif").write_text(text)
        opened = client.ask("/analysis/open", {"session": "own-session-1", "game": "own:mine"})
        assert opened["size"]["nodes"] == 7
