"""`veil infoset` from outside: a record or moves in; worlds, what is certain and an exit code out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Outcome, inside, refusal_of, veil

KEYS = ["game", "role", "round", "size", "exact", "sampler", "worlds", "certain", "possible", "marginals"]
KEYS += ["states_visited", "seconds", "opponents", "assumption"]
RECORD = [{"move": "(choose 1)", "sees": []}, {"move": "noop", "sees": ["3"]}]
MOVES = [{"random": "(hide_car 2)", "contestant": "(choose 1)"}, {"random": "(open_door 3)"}]
END = {"contestant": "switch"}


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return written(tmp_path / "record.json", RECORD)


@pytest.fixture
def moves(tmp_path: Path) -> Path:
    return written(tmp_path / "moves.json", MOVES)


def written(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def infoset(*words: str | Path, game: str = "monty_hall", role: str = "contestant", text: str | None = None) -> Outcome:
    return inside("infoset", game, "--role", role, *words, text=text)


def refused_once(outcome: Outcome) -> str:
    """The one message of a command that refused its input and printed nothing else."""
    message = refusal_of(outcome)
    assert outcome.out == ""
    assert sum(line.startswith("error: ") for line in message.splitlines()) == 1
    return message


# What comes out


def test_json_has_the_documented_keys_and_weights_that_add_up(record: Path) -> None:
    outcome = veil("infoset", "monty_hall", "--role", "contestant", "--record", record, "--json")  # as a process
    assert (outcome.code, outcome.err) == (0, "")
    found = outcome.json
    assert list(found) == KEYS
    assert found["game"] == "monty_hall(doors=3)"
    assert (found["role"], found["round"], found["size"]) == ("contestant", 2, 2)
    assert (found["exact"], found["sampler"]) == (True, "exact")
    assert sum(world["weight"] for world in found["worlds"]) == pytest.approx(1, abs=1e-12)
    assert {world["history"][0]["random"]: world["weight"] for world in found["worlds"]} == pytest.approx(
        {"(hide_car 1)": 1 / 3, "(hide_car 2)": 2 / 3}
    )
    for world in found["worlds"]:
        assert list(world) == ["history", "weight"]
        assert [joint["contestant"] for joint in world["history"]] == ["(choose 1)", "noop"]
    assert found["certain"] == ["(chosen 1)", "(closed 1)", "(closed 2)", "(round 3)"]
    assert found["possible"] == list(found["marginals"]) == [*found["certain"], "(car 2)", "(car 1)"]
    assert found["marginals"]["(car 2)"] == pytest.approx(2 / 3)
    assert found["states_visited"] == 7
    assert 0 <= found["seconds"] < 60


def test_a_record_and_the_moves_that_led_to_it_give_the_same(record: Path, moves: Path) -> None:
    told, played = infoset("--record", record, "--json").json, infoset("--moves", moves, "--json").json
    for found in (told, played):
        del found["seconds"]
    assert told == played


def test_a_record_of_a_finished_game_and_its_moves_give_the_same(tmp_path: Path) -> None:
    ended = [*RECORD, {"move": "switch", "sees": ["2"]}]
    by_moves = infoset("--moves", written(tmp_path / "moves.json", [*MOVES, END]), "--json")
    assert [world["weight"] for world in by_moves.json["worlds"]] == [1.0]
    by_record = infoset("--record", written(tmp_path / "record.json", ended), "--json")
    said = infoset("--record", "-", "--json", text=json.dumps({"rounds": ended, "over": True}))
    for outcome in (by_record, said):
        assert outcome.code == 0
        assert outcome.json["worlds"] == by_moves.json["worlds"]


def test_a_game_that_cannot_be_over_yet_is_not(tmp_path: Path) -> None:
    message = refused_once(infoset("--record", "-", text=json.dumps({"rounds": RECORD, "over": True})))
    assert "explains round 2: contestant cannot be told `noop: 3` there" in message


def test_a_finished_game_has_its_end(tmp_path: Path) -> None:
    found = infoset("--moves", written(tmp_path / "moves.json", [*MOVES, END]), "--json").json
    assert (found["round"], found["size"]) == (3, 1)
    assert found["worlds"][0]["history"][2] == {"random": "noop", "contestant": "switch"}


def test_text_shows_worlds_likeliest_first_and_what_is_certain(record: Path) -> None:
    outcome = infoset("--record", record)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "monty_hall(doors=3): contestant after 2 rounds: 2 histories"
    assert lines[1].split(maxsplit=1) == ["told", "(choose 1); noop: 3"]
    assert lines[3].split(maxsplit=1) == ["weights", "if the others move at random"]
    assert lines[4].split(maxsplit=1) == ["0.666667", "(hide_car 2) (choose 1); (open_door 3) noop"]
    assert lines[5].split(maxsplit=1) == ["0.333333", "(hide_car 1) (choose 1); (open_door 3) noop"]
    assert lines[6].split(maxsplit=1) == ["certain", "(chosen 1) (closed 1) (closed 2) (round 3)"]
    assert lines[7].split(maxsplit=1) == ["possible", "(car 2) 0.667, (car 1) 0.333"]


def test_a_record_may_come_from_standard_input_and_be_empty() -> None:
    found = infoset("--record", "-", "--json", text="[]").json
    assert (found["round"], found["size"]) == (0, 1)
    assert found["worlds"] == [{"history": [], "weight": 1.0}]


def test_a_record_may_be_written_as_people_write_it(record: Path, tmp_path: Path) -> None:
    """One notation on the command line, in a file, on standard input, in policies, in Python and in the studio."""
    told = "(choose 1); noop: 3"
    expected = infoset("--record", record).out.partition("told")[2].partition("; 1")[0]
    assert told in expected
    (tmp_path / "told.txt").write_text(f"{told}\n")
    for given in (told, "(choose 1);noop: 3", tmp_path / "told.txt"):
        assert told in infoset("--record", given).out
    found = infoset("--record", told, "--json").json
    assert found["marginals"] == infoset("--record", "-", "--json", text=f"{told}\n").json["marginals"]
    assert found["marginals"] == infoset("--record", record, "--json").json["marginals"]
    assert "missing.txt" in refused_once(infoset("--record", "missing.txt"))
    assert "round 1" in refused_once(infoset("--record", "(choose 7)"))
    assert "more `(` than `)`" in refused_once(infoset("--record", "noop: (3"))


def test_a_trace_will_do_as_moves(tmp_path: Path) -> None:
    trace = inside("trace", "krieg_tictactoe", "--json", "--rounds", "4", "--seed", "2")
    path = written(tmp_path / "trace.json", trace.out)
    outcome = infoset("--moves", path, "--json", game="krieg_tictactoe", role="oplayer")
    assert outcome.code == 0
    assert outcome.json["round"] == 4
    assert outcome.json["size"] == len(outcome.json["worlds"]) > 1


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("sampler", ["exact", "random", "hyperplay", "particle", "dfs", "csp", "asp", "auto"])
def test_every_sampler_can_be_asked_and_repeats_itself(record: Path, sampler: str) -> None:
    words: list[str | Path] = ["--record", record, "--json", "--sampler", sampler, "--count", "200", "--seed", "5"]
    one, two = infoset(*words).json, infoset(*words).json
    for found in (one, two):
        del found["seconds"]
    assert one == two
    assert one["sampler"] == ("exact" if sampler == "auto" else sampler)
    assert one["exact"] == (sampler in ("exact", "dfs", "csp", "asp", "auto"))
    assert sum(world["weight"] for world in one["worlds"]) == pytest.approx(1, abs=1e-9)
    assert {world["history"][0]["random"] for world in one["worlds"]} == {"(hide_car 1)", "(hide_car 2)"}


def test_what_opponents_do_says_what_they_know_if_they_are_given(tmp_path: Path) -> None:
    """First passes with a queen, and second bets: in equilibrium with every king and with every third jack.

    Against a first who answers at random a bet is worth half a chip more than a pass, with a king (3/2 and 1) as with a
    jack (-1/2 and -1): who is read as a HyperPlayer tells nothing by it, but for the noise of playouts.
    """
    quiet = {"move": "noop", "sees": []}
    told = [{"move": "noop", "sees": ["(card queen)"]}, quiet, {"move": "pass", "sees": []}]
    path = written(tmp_path / "told.json", json.dumps([*told, {"move": "noop", "sees": ["(played second bet)"]}]))
    words: list[str | Path] = ["--record", path, "--json"]
    shares = {}
    for opponents in ("uniform", "solve:lp", "hyperplay:temperature=0.2"):
        found = infoset(*words, "--opponents", opponents, game="kuhn_poker", role="first").json
        assert found["opponents"] == opponents
        shares[opponents] = found["marginals"]["(holds second king)"]
    assert shares["uniform"] == pytest.approx(0.5)
    assert shares["solve:lp"] == pytest.approx(0.995 / (0.995 + 0.335), abs=1e-6)
    assert shares["hyperplay:temperature=0.2"] == pytest.approx(0.5, abs=0.03)
    text = infoset("--record", path, "--opponents", "solve:lp", game="kuhn_poker", role="first").out
    assert "  weights       if the others are solve:lp" in text


# What is refused


def test_neither_or_both_of_record_and_moves_are_refused(record: Path, moves: Path) -> None:
    both: list[str | Path] = ["--record", record, "--moves", moves]
    neither = refused_once(infoset())
    assert '--record "noop: (card king); bet"' in neither
    assert "--moves FILE" in neither
    assert "--record and --moves both" in refused_once(infoset(*both))


def test_a_role_has_to_be_named(record: Path) -> None:
    assert "--role" in refused_once(inside("infoset", "monty_hall", "--record", record))


def test_an_unknown_role_is_refused(record: Path, moves: Path) -> None:
    for option, path in (("--record", record), ("--moves", moves)):
        assert "the roles are random, contestant" in refused_once(infoset(option, path, role="nobody"))


def test_an_unknown_sampler_is_refused(record: Path) -> None:
    message = refused_once(infoset("--record", record, "--sampler", "psychic"))
    assert "exact, random, hyperplay, particle, dfs, csp, asp, auto" in message


@pytest.mark.parametrize(
    "spec", ["psychics", "hyperplay:mix=0", "hyperplay:colour=red", "policy", "policy:no/such/file"]
)
def test_opponents_that_there_are_not_are_refused(record: Path, spec: str) -> None:
    assert refused_once(infoset("--record", record, "--opponents", spec))


def test_an_unknown_game_is_refused(record: Path) -> None:
    assert "chess_on_mars" in refused_once(infoset("--record", record, game="chess_on_mars"))


@pytest.mark.parametrize("option", ["--record", "--moves"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, option: str) -> None:
    assert "missing.json" in refused_once(infoset(option, tmp_path / "missing.json"))
    assert refused_once(infoset(option, tmp_path))
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00[]")
    assert "bytes.json" in refused_once(infoset(option, tmp_path / "bytes.json"))


@pytest.mark.parametrize("option", ["--record", "--moves"])
@pytest.mark.parametrize("text", ["", "[", '"noop"x', "[" * 100_000], ids=["empty", "open", "a word", "deep"])
def test_what_is_not_json_is_refused(option: str, text: str) -> None:
    assert "not JSON" in refused_once(infoset(option, "-", text=text))


@pytest.mark.parametrize(
    "value", [{}, "noop", ["noop"], [{"move": 1}], [{"move": "noop", "sees": "3"}], [{"move": "("}]], ids=str
)
def test_what_is_no_record_is_refused_with_an_example(value: object) -> None:
    message = refused_once(infoset("--record", "-", text=json.dumps(value)))
    assert 'write it as in "(choose 1): 2; noop", or as JSON' in message


def test_illegal_moves_are_refused_with_their_round(tmp_path: Path) -> None:
    wrong = written(tmp_path / "moves.json", [MOVES[0], {"random": "(open_door 1)"}])
    assert "round 2: (open_door 1) is not legal for random" in refused_once(infoset("--moves", wrong))


@pytest.mark.parametrize("sampler", ["exact", "hyperplay", "auto"])
def test_a_record_that_nothing_explains_is_refused_with_its_round(tmp_path: Path, sampler: str) -> None:
    wrong = written(tmp_path / "record.json", [RECORD[0], {"move": "noop", "sees": ["1"]}])
    message = refused_once(infoset("--record", wrong, "--sampler", sampler))
    assert "explains round 2: contestant cannot be told `noop: 1` there" in message


def test_a_refusal_in_json_is_one_object(tmp_path: Path) -> None:
    wrong = written(tmp_path / "record.json", [RECORD[0], {"move": "noop", "sees": ["1"]}])
    outcome = infoset("--record", wrong, "--json")
    assert "explains round 2" in refusal_of(outcome)
    assert outcome.json["errors"][0]["code"] == "unexplained"


def test_samplers_that_prove_nothing_say_that_they_are_lost(tmp_path: Path) -> None:
    wrong = written(tmp_path / "record.json", [RECORD[0], {"move": "noop", "sees": ["1"]}])
    message = refused_once(infoset("--record", wrong, "--sampler", "particle"))
    assert "particle found no history that explains round 2" in message


@pytest.mark.nightly
def test_an_infoset_too_large_for_exact_is_refused_and_auto_goes_on(tmp_path: Path) -> None:
    trace = inside("trace", "blind_breakthrough", "--json", "--rounds", "14").out
    path = written(tmp_path / "trace.json", trace)
    message = refused_once(infoset("--moves", path, "--sampler", "exact", game="blind_breakthrough", role="black"))
    assert "more than 2,000,000 histories explain round" in message
    assert "--sampler auto" in message
    found = infoset("--moves", path, "--json", game="blind_breakthrough", role="black").json
    assert (found["exact"], found["size"]) == (False, None)
    assert found["sampler"] in ("particle", "hyperplay")
    assert sum(world["weight"] for world in found["worlds"]) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("words", [["--count", "0"], ["--count", "many"], ["--seed", "-1"], ["--seconds", "soon"]])
def test_numbers_that_make_no_sense_are_refused(record: Path, words: list[str]) -> None:
    assert words[0] in refused_once(infoset("--record", record, *words))


@pytest.mark.parametrize("seconds", ["nan", "-1", "0"])
def test_a_time_that_is_no_time_is_refused(record: Path, seconds: str) -> None:
    assert "seconds must be" in refused_once(infoset("--record", record, "--seconds", seconds))
