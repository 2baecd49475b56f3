"""Policies as files: what is written can be read, and nonsense is refused with one clear message."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.equilibrium_games import GUESS, prepared
from tests.support.refusals import refused
from veil import load
from veil.equilibrium.policy import FORMAT, Policy, check_rules, check_table, policy_of, slots_of
from veil.equilibrium.response import uniform_policy

CARDS = ["liars_dice(dice1=1, dice2=1, faces=2)", "kuhn_poker", "monty_hall", GUESS]
RECORD = "noop"  # ann's only infoset in GUESS


def guess_file(table: Any, **other: Any) -> str:
    """A policy file for GUESS."""
    rules = prepared(GUESS).tree.game.fingerprint
    return json.dumps({"format": FORMAT, "game": "rules", "rules": rules, "made": {}, "policies": table} | other)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "policy.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", CARDS)
def test_a_saved_policy_comes_back_as_it_was(tmp_path: Path, name: str) -> None:
    tree = prepared(name).tree
    rng = np.random.default_rng(1)
    numbers = rng.random(tree.flat.num_slots)
    numbers /= np.add.reduceat(numbers, tree.flat.slot_start[:-1]).repeat(np.diff(tree.flat.slot_start))
    policy = policy_of(tree, numbers, {"method": "by hand", "seed": 3})
    policy.save(tmp_path / "policy.json")
    again = Policy.load(tmp_path / "policy.json")
    assert again == policy
    back, missing = slots_of(tree, again)
    assert missing == 0
    assert back == pytest.approx(numbers, abs=1e-15)
    assert [path.name for path in tmp_path.iterdir()] == ["policy.json"]


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    tree = prepared(GUESS).tree
    policy_of(tree, np.array([0.25, 0.75]), {"method": "by hand"}).save(tmp_path / "policy.json")
    assert json.loads((tmp_path / "policy.json").read_text()) == {
        "format": "veil policy 1",
        "game": "rules",
        "rules": tree.game.fingerprint,
        "made": {"method": "by hand"},
        "policies": {"ann": {RECORD: {"heads": 0.25, "tails": 0.75}}},
    }


def test_tables_of_plain_numbers_are_checked_as_files_are() -> None:
    table = {"ann": {RECORD: {"heads": np.float64(0.25), "tails": np.float32(0.75)}}}
    assert check_table(table) is table
    for value, said in ((float("nan"), "heads is nan, not between 0 and 1"), (float("inf"), "heads is inf, not")):
        assert said in refused("bad-policy", partial(check_table, {"ann": {RECORD: {"heads": value}}}))


def test_a_policy_is_asked_by_role_and_record() -> None:
    policy = policy_of(prepared(GUESS).tree, np.array([0.25, 0.75]))
    assert policy.at("ann", RECORD) == {"heads": 0.25, "tails": 0.75}
    assert RECORD in refused("unknown-infoset", lambda: policy.at("ann", f"{RECORD}x"))
    assert "ann" in refused("unknown-role", lambda: policy.at("bob", RECORD))
    assert policy.get("ann", "nothing like it") is None
    assert policy.get("bob", RECORD) is None


def test_a_policy_is_asked_by_a_record() -> None:
    tree = prepared("kuhn_poker").tree
    policy = policy_of(tree, np.tile([0.25, 0.75], 12))
    record = tree.game.record("first").then("noop", "(card king)").then("noop", [])
    assert policy.at(record) == policy.at("first", "noop: (card king); noop") == {"bet": 0.25, "pass": 0.75}
    refused("unknown-infoset", lambda: policy.at(record.then("noop", [])))


def test_a_role_without_a_record_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="a role and the text of its record"):
        policy_of(prepared(GUESS).tree, np.array([0.25, 0.75])).at("ann")


def test_what_is_asked_for_can_be_changed_without_harm() -> None:
    policy = policy_of(prepared(GUESS).tree, np.array([0.25, 0.75]))
    row = policy.at("ann", RECORD)
    assert row is not None
    row["heads"] = 9.0
    assert policy.at("ann", RECORD) == {"heads": 0.25, "tails": 0.75}


NOT_A_POLICY = {
    "empty file": ("", "not JSON"),
    "half a file": ('{"format": "veil policy 1", "ga', "not JSON"),
    "endless lists": ("[" * 100_000, "not JSON"),
    "endless nesting": (guess_file({})[:-1] + ', "more": ' + "[" * 100_000, "not JSON"),
    "a list": ("[]", 'does not say "format": "veil policy 1"'),
    "another format": (guess_file({}, format="veil policy 2"), 'does not say "format": "veil policy 1"'),
    "no format": ("{}", 'does not say "format": "veil policy 1"'),
    "no game at all": ('{"format": "veil policy 1"}', '"game" must be a text'),
    "a text as history": (guess_file({}, made="by hand"), '"made" must be an object'),
    "no name of a game": (guess_file({}, game=None), '"game" must be a text'),
    "no fingerprint": (guess_file({}, rules=7), '"rules" must be a text'),
    "no table": (guess_file(None), '"policies" must be an object'),
    "a list as table": (guess_file([]), '"policies" must be an object'),
    "a number as role": (guess_file({"ann": 1}), '"policies" must be an object'),
    "a number as infoset": (guess_file({"ann": {RECORD: 1}}), "must be an object of move: probability"),
    "no move": (guess_file({"ann": {RECORD: {}}}), "must be an object of move: probability"),
    "a text": (guess_file({"ann": {RECORD: {"heads": "1"}}}), "the probability of heads is not a number"),
    "a bool": (guess_file({"ann": {RECORD: {"heads": True}}}), "the probability of heads is not a number"),
    "nothing": (guess_file({"ann": {RECORD: {"heads": None}}}), "the probability of heads is not a number"),
    "negative": (guess_file({"ann": {RECORD: {"heads": -0.5, "tails": 1.5}}}), "heads is -0.5, not between 0 and 1"),
    "above one": (guess_file({"ann": {RECORD: {"heads": 1.5, "tails": -0.5}}}), "heads is 1.5, not between 0 and 1"),
    "not a number": (guess_file({"ann": {RECORD: {"heads": float("nan")}}}), "not JSON"),
    "infinite": (guess_file({"ann": {RECORD: {"heads": float("inf")}}}), "not JSON"),
    "too little": (guess_file({"ann": {RECORD: {"heads": 0.4, "tails": 0.5}}}), "add up to 0.9, not to 1"),
    "all zero": (guess_file({"ann": {RECORD: {"heads": 0, "tails": 0}}}), "add up to 0, not to 1"),
    "too much": (guess_file({"ann": {RECORD: {"heads": 0.5, "tails": 0.501}}}), "add up to 1.001, not to 1"),
}


@pytest.mark.parametrize("case", NOT_A_POLICY)
def test_a_file_that_is_no_policy_is_refused(tmp_path: Path, case: str) -> None:
    text, expected = NOT_A_POLICY[case]
    path = written(tmp_path, text)
    said = refused("bad-policy", lambda: Policy.load(path))
    assert said.startswith(f"error: {path}: ")
    assert expected in said
    assert len(said) < 600


def test_an_integer_that_no_float_can_hold_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, guess_file({"ann": {RECORD: {"heads": 10**400}}}))
    refused("bad-policy", lambda: Policy.load(path))


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00\x80 not text"], ids=["missing", "binary"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "policy.json"
    if content is not None:
        path.write_bytes(content)
    assert str(path) in refused("unreadable-file", lambda: Policy.load(path))


def test_a_folder_is_no_policy(tmp_path: Path) -> None:
    refused("unreadable-file", lambda: Policy.load(tmp_path))


NOT_OF_THIS_GAME = {
    "unknown role": ({"bob": {}}, "there is no role bob; the roles are ann"),
    "chance": ({"random": {"start": {"heads": 1}}}, "there is no role random; the roles are ann"),
    "unknown record": ({"ann": {"noop: (card king)": {"heads": 1}}}, "ann is never told `noop: (card king)`"),
    "unknown move": ({"ann": {RECORD: {"edge": 1}}}, "has no move edge; its moves are heads, tails"),
}


@pytest.mark.parametrize("case", NOT_OF_THIS_GAME)
def test_what_the_game_has_not_is_refused(tmp_path: Path, case: str) -> None:
    table, expected = NOT_OF_THIS_GAME[case]
    policy = Policy.load(written(tmp_path, guess_file(table)))
    said = refused("bad-policy", lambda: slots_of(prepared(GUESS).tree, policy, "mine.json"))
    assert said.startswith("error: mine.json: ")
    assert expected in said


def test_a_policy_for_other_rules_is_refused() -> None:
    policy = policy_of(prepared("kuhn_poker").tree, uniform_policy(prepared("kuhn_poker").form))
    said = refused("bad-policy", lambda: slots_of(prepared(GUESS).tree, policy))
    assert "made for other rules (kuhn_poker), not for rules" in said
    refused("bad-policy", lambda: check_rules(load(GUESS), policy))
    check_rules(load("kuhn_poker"), policy)


def test_rules_in_another_layout_are_the_same_rules() -> None:
    policy = policy_of(prepared(GUESS).tree, np.array([0.5, 0.5]))
    check_rules(load("; a comment\n" + GUESS.replace(" (side", "\n   (side")), policy)


def test_infosets_that_are_missing_are_counted_and_uniform() -> None:
    tree = prepared("kuhn_poker").tree
    full = policy_of(tree, np.tile([1.0, 0.0], 12))
    records = list(full.table["first"])
    partial = Policy(
        game=full.game, rules=full.rules, table={"first": {records[0]: full.table["first"][records[0]]}}, made={}
    )
    numbers, missing = slots_of(tree, partial)
    assert missing == 11
    assert numbers.tolist() == [1.0, 0.0, *([0.5] * 22)]
    numbers, missing = slots_of(tree, Policy(game="", rules=full.rules, table={}))
    assert (missing, set(numbers)) == (12, {0.5})


def test_moves_that_are_missing_have_probability_zero(tmp_path: Path) -> None:
    policy = Policy.load(written(tmp_path, guess_file({"ann": {RECORD: {"tails": 1}}})))
    assert slots_of(prepared(GUESS).tree, policy)[0].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("pair", [(0.33333, 0.66666), (0.33334, 0.66667), (-0.00001, 1.00001), (1, 0)])
def test_rounded_probabilities_are_accepted_and_add_up_to_one(tmp_path: Path, pair: tuple[float, float]) -> None:
    heads, tails = pair
    policy = Policy.load(written(tmp_path, guess_file({"ann": {RECORD: {"heads": heads, "tails": tails}}})))
    numbers, _ = slots_of(prepared(GUESS).tree, policy)
    assert numbers.sum() == pytest.approx(1, abs=1e-15)
    assert (numbers >= 0).all()
    assert numbers == pytest.approx(pair, abs=1e-4)


def test_how_it_was_made_may_be_left_out(tmp_path: Path) -> None:
    assert Policy.load(written(tmp_path, guess_file({}, made=None))).made == {}


def test_a_policy_comes_from_a_text_as_well(tmp_path: Path) -> None:
    text = guess_file({"ann": {RECORD: {"tails": 1}}})
    assert Policy.parse(text) == Policy.load(written(tmp_path, text))
    assert refused("bad-policy", lambda: Policy.parse("{}", "mine")).startswith("error: mine: it does not say")


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    assert Policy.load(written(tmp_path, "\ufeff" + guess_file({}))).table == {}


def test_saving_over_a_file_replaces_it(tmp_path: Path) -> None:
    policy = policy_of(prepared(GUESS).tree, np.array([0.25, 0.75]))
    path = written(tmp_path, "old")
    policy.save(str(path))
    assert Policy.load(path) == policy


def test_saving_where_there_is_no_folder_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    policy = policy_of(prepared(GUESS).tree, np.array([0.25, 0.75]))
    said = refused("unwritable-file", lambda: policy.save(tmp_path / "no" / "policy.json"))
    assert str(tmp_path / "no" / "policy.json") in said
    assert not list(tmp_path.iterdir())


def test_saving_over_a_folder_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    policy = policy_of(prepared(GUESS).tree, np.array([0.25, 0.75]))
    (tmp_path / "folder").mkdir()
    refused("unwritable-file", lambda: policy.save(tmp_path / "folder"))
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


@pytest.mark.parametrize("place", ["file/policy.json", "x" * 300, "/", "", "nul\0byte"])
def test_saving_to_an_impossible_place_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    (tmp_path / "file").write_text("a file, not a folder")
    monkeypatch.chdir(tmp_path)
    policy = policy_of(prepared(GUESS).tree, np.array([0.25, 0.75]))
    refused("unwritable-file", lambda: policy.save(place))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
