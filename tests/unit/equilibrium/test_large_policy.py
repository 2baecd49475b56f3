"""Policies in arrays: the same strategies as in JSON, in a file that nobody can take for another."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import veil
from tests.support.damage import damage, join_file, split_file
from tests.support.refusals import refused
from veil.engine import load
from veil.equilibrium import Budget, Policy, prepare, prepare_walk, slots_of, solve_prepared
from veil.equilibrium.array_file import ALIGNMENT, map_arrays, write_arrays
from veil.equilibrium.evaluation import evaluate_policy
from veil.equilibrium.large_policy import ArrayTable
from veil.equilibrium.policy import bad_policy
from veil.equilibrium.response import to_behaviour
from veil.equilibrium.streaming.walk_policy import walk_policy_of, walk_slots_of
from veil.errors import VeilError
from veil.search.opponents.policy import PolicyOpponents
from veil.search.opponents.table import make_opponents

GAME = "leduc_poker"


def make_policy(name: str = GAME, seed: int = 1) -> Policy:
    """A random policy in arrays."""
    walk = prepare_walk(load(name), threads=1)
    weights = np.random.default_rng(seed).random(walk.form.num_slots)
    return walk_policy_of(walk, to_behaviour(walk.form, weights), {"method": "chance"})


def save(policy: Policy, folder: Path) -> Path:
    path = folder / "policy.veil"
    policy.save(path)
    return path


def test_a_file_gives_the_strategies_that_were_saved(tmp_path: Path) -> None:
    policy = make_policy()
    read = Policy.load(save(policy, tmp_path))
    assert (read.game, read.rules, read.made) == (policy.game, policy.rules, {"method": "chance"})
    assert list(read.table) == list(policy.table) == ["first", "second"]
    for role, rows in policy.table.items():
        assert list(read.table[role]) == list(rows)
        assert len(read.table[role]) == len(rows) == 468
        for record, row in rows.items():
            assert read.at(role, record) == pytest.approx(dict(row), abs=1e-6)


def test_records_and_moves_are_those_of_the_tree_and_so_is_the_worth(tmp_path: Path) -> None:
    policy, game = make_policy(), load(GAME)
    expected = veil.evaluate(game, policy)  # on the tree
    assert expected.missing == 0
    as_json = Policy.parse(policy.as_text())
    assert veil.evaluate(game, as_json).nash_conv == pytest.approx(expected.nash_conv, abs=1e-12)
    walk = prepare_walk(game, threads=1)
    for same in (policy, as_json, Policy.load(save(policy, tmp_path))):
        slots, missing = walk_slots_of(walk, same)
        assert missing == 0
        assert slots == pytest.approx(walk_slots_of(walk, policy)[0], abs=1e-6)
    assert veil.evaluate(game, tmp_path / "policy.veil").nash_conv == pytest.approx(expected.nash_conv, abs=1e-5)


def test_a_symmetric_policy_is_so_in_its_file_and_worth_the_same_on_the_walk_and_the_tree(tmp_path: Path) -> None:
    game = load("dark_hex(2, abrupt)")
    walk = prepare_walk(game, threads=1, symmetries=True)
    solution = solve_prepared(walk, "pcfr+", Budget(iterations=16))
    read = Policy.load(save(solution.policy, tmp_path))
    slots, missing = walk_slots_of(walk, read)
    assert walk.symmetries == 2
    assert walk.is_symmetric(slots)
    assert missing == 0
    walked, expected = evaluate_policy(walk, read), veil.evaluate(game, read)
    assert walked.value == pytest.approx(expected.value, abs=1e-9)
    assert walked.best_response == pytest.approx(expected.best_response, abs=1e-9)
    assert walked.nash_conv == pytest.approx(solution.nash_conv, abs=1e-6)


def test_a_record_that_does_not_exist_is_answered_with_the_nearest(tmp_path: Path) -> None:
    policy = Policy.load(save(make_policy("kuhn_poker"), tmp_path))
    assert policy.get("first", "noop: (card king); noop; bet; bet; bet; bet") is None
    assert policy.get("first", "nonsense") is policy.get("first", "") is None
    assert policy.get("second", "start") is None  # there is no choice yet
    assert "(card king)" in refused("unknown-infoset", lambda: policy.at("first", "noop: (card kin); noop"))
    refused("unknown-role", lambda: policy.at("third", "start"))


def test_a_player_and_opponents_read_it(tmp_path: Path) -> None:
    path, game = save(make_policy("kuhn_poker"), tmp_path), load("kuhn_poker")
    log = veil.run_match(game, {"first": f"policy:file={path}", "second": "random"})
    assert sum(log.goals.values()) == 100
    assert sum(log.errors.values()) == 0
    opponents = make_opponents(f"policy:{path}", game)
    assert isinstance(opponents, PolicyOpponents)
    assert isinstance(opponents.policy.table, ArrayTable)


def test_other_rules_and_other_files_are_refused(tmp_path: Path) -> None:
    path = save(make_policy("kuhn_poker"), tmp_path)
    assert "other rules (kuhn_poker)" in refused("bad-policy", lambda: veil.evaluate(GAME, path))
    data = path.read_bytes()
    path.write_bytes(data[:-ALIGNMENT])
    assert "bytes instead of" in refused("bad-policy", lambda: Policy.load(path))
    path.write_bytes(data[:40])
    assert "its header is damaged" in refused("bad-policy", lambda: Policy.load(path))
    assert "JSON is read here" in refused("bad-policy", lambda: Policy.parse(data.decode("latin-1")))
    write_arrays(path, {"format": "veil solve 1"}, {"x": np.zeros(3)})
    assert "it is no policy" in refused("bad-policy", lambda: Policy.load(path))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("0 probabilities", lambda values: values * np.nan),
        ("0 probabilities", lambda values: values + 1),
        ("0 probabilities", lambda values: values[:-1]),
        ("0 0 child", lambda values: values + 1000),
        ("0 0 token", lambda values: values - 1),
        ("0 0 legal", lambda values: values + 1),
        ("0 1 offset", lambda values: values + 1),
        ("1 0 child_start", lambda values: values[::-1]),
    ],
)
def test_a_file_whose_numbers_lead_nowhere_is_refused(name: str, change: object, tmp_path: Path) -> None:
    path = save(make_policy("kuhn_poker"), tmp_path)
    about, arrays = map_arrays(path, bad_policy)
    changed = {**arrays, name: np.ascontiguousarray(change(arrays[name])).astype(arrays[name].dtype)}  # type: ignore[operator]
    other = tmp_path / "changed.veil"
    write_arrays(other, about, changed)
    assert "it is no policy" in refused("bad-policy", lambda: Policy.load(other))


def test_probabilities_that_do_not_add_up_are_refused_where_they_are_used(tmp_path: Path) -> None:
    path = save(make_policy("kuhn_poker"), tmp_path)
    about, arrays = map_arrays(path, bad_policy)
    other = tmp_path / "changed.veil"
    write_arrays(other, about, {**arrays, "0 probabilities": arrays["0 probabilities"] * np.float32(0.5)})
    policy, walk = Policy.load(other), prepare_walk(load("kuhn_poker"), threads=1)
    refused("bad-policy", lambda: walk_slots_of(walk, policy))
    refused("bad-policy", lambda: policy.at("first", next(iter(policy.table["first"]))))


def test_a_mapped_file_cannot_be_changed_and_shares_its_bytes(tmp_path: Path) -> None:
    table = Policy.load(save(make_policy(), tmp_path)).table
    assert isinstance(table, ArrayTable)
    chances = table.roles["first"].probabilities
    assert not chances.flags.writeable
    assert not chances.flags.owndata
    assert chances.nbytes == 4 * prepare(GAME).form.role_slots[1]


def first_level(header: dict[str, Any]) -> Any:
    return header["about"]["roles"][0]["levels"][0]


WRONG: dict[str, Callable[[dict[str, Any]], object]] = {
    "a shape beyond memory": lambda header: header["arrays"]["0 0 child"].update(shape=[0, 2**62]),
    "a shape whose size overflows": lambda header: header["arrays"]["0 0 child"].update(shape=[2**60, 2**60]),
    "a negative shape": lambda header: header["arrays"]["0 0 child"].update(shape=[-1, -1]),
    "many dimensions": lambda header: header["arrays"]["0 0 child"].update(shape=[1] * 70),
    "objects": lambda header: header["arrays"]["0 0 child"].update(type="O"),
    "a place outside": lambda header: header["arrays"]["0 0 child"].update(offset=2**62),
    "a negative place": lambda header: header["arrays"]["0 0 child"].update(offset=-64),
    "a table of two dimensions": lambda header: header["arrays"]["0 0 legal"].update(shape=[1, 1]),
    "places that are no whole numbers": lambda header: header["arrays"]["0 0 token"].update(type="<f4"),
    "more infosets than there are": lambda header: header["about"]["roles"][0].update(infosets=2**62),
    "less infosets than none": lambda header: header["about"]["roles"][0].update(infosets=-1),
    "infosets that are no number": lambda header: header["about"]["roles"][0].update(infosets=1e308),
    "a role twice": lambda header: header["about"]["roles"][1].update(name="first"),
    "no name of a role": lambda header: header["about"]["roles"][1].update(name=None),
    "words that are none": lambda header: first_level(header)["words"].__setitem__(0, True),
    "the same word twice": lambda header: first_level(header)["words"].__setitem__(0, first_level(header)["words"][1]),
    "a word of two rounds": lambda header: first_level(header)["words"].__setitem__(0, "a; b"),
    "moves that are none": lambda header: header["about"]["roles"][0]["levels"][1]["moves"].__setitem__(0, [[], {}]),
    "no roles": lambda header: header["about"].update(roles={"a": 1}),
    "no rules": lambda header: header["about"].update(rules=["x"]),
}


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_header_that_cannot_be_right_is_refused(wrong: str, tmp_path: Path) -> None:
    path = save(make_policy("kuhn_poker"), tmp_path)
    header, body = split_file(path.read_bytes())
    WRONG[wrong](header)
    path.write_bytes(join_file(header, body))
    refused("bad-policy", lambda: Policy.load(path))


def test_a_header_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.veil"
    path.write_bytes(join_file(b'{"about":' + b"[" * 100_000, b""))
    refused("bad-policy", lambda: Policy.load(path))


def test_records_that_would_be_listed_for_ever_are_not_walked(tmp_path: Path) -> None:
    """Sixty rounds with two ways to go on and no choice: 2**60 records, and none of them in the policy."""
    levels, arrays = 60, {"0 probabilities": np.zeros(0, np.float32)}
    numbers = {"legal": [0], "child_start": [0, 2], "token": [0, 1], "child": [0, 0], "offset": [0, 0]}
    for depth in range(levels):
        arrays |= {f"0 {depth} {what}": np.array(values, np.int32) for what, values in numbers.items()}
    words = [{"words": ["a", "b"], "moves": [["wait"]]}] * levels
    roles = [{"name": "first", "infosets": 0, "levels": words}]
    write_arrays(tmp_path / "p", {"format": "veil policy arrays 1", "game": "g", "rules": "r", "roles": roles}, arrays)
    assert list(Policy.load(tmp_path / "p").table["first"]) == []


@pytest.mark.parametrize("many", [150, pytest.param(5000, marks=pytest.mark.nightly)])
def test_a_damaged_file_is_refused_or_read_and_never_anything_else(many: int, tmp_path: Path) -> None:
    path, rng = save(make_policy("kuhn_poker"), tmp_path), Random(1)
    data, tree = path.read_bytes(), prepare("kuhn_poker").tree
    walk, refusals = prepare_walk(load("kuhn_poker"), threads=1), 0
    for _ in range(many):
        path.write_bytes(damage(data, rng))
        try:
            policy = Policy.load(path)
        except VeilError:
            refusals += 1
            continue
        assert repr(policy)
        for use in (lambda: slots_of(tree, policy), lambda: walk_slots_of(walk, policy), policy.as_text):  # noqa: B023
            with suppress(VeilError):
                use()
        with suppress(VeilError):
            policy.at("first", "noop: (card kin)")
    assert refusals > many / 3
