"""`veil play`: who sits down is told what there is to know, and can leave."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command import RACE, inside

PLAY = ["play", "kuhn_poker", "--as", "first", "--against", "first"]


def seed_of(text: str) -> int:
    """The seed that was told."""
    found = re.search(r"seed +(\d+); --seed (\d+) deals the same again", text)
    assert found is not None
    assert found[1] == found[2]
    return int(found[1])


def without_seed(text: str) -> list[str]:
    return [line for line in text.splitlines() if "deals the same again" not in line]


def test_every_game_is_another_one_and_can_be_repeated() -> None:
    first, second = (inside(*PLAY, text="2\n2\n").out for _ in range(2))
    assert seed_of(first) != seed_of(second)  # equal once in a million runs
    again = inside(*PLAY, "--seed", str(seed_of(first)), text="2\n2\n").out
    assert again == first


def test_cards_differ_where_no_seed_is_given() -> None:
    """One of three cards: ten games deal the same with probability 3 ** -9, about once in twenty thousand runs."""
    dealt = {re.search(r"first sees (\(card \w+\))", inside(*PLAY, text="2\n2\n").out)[1] for _ in range(10)}  # type: ignore[index]
    assert len(dealt) > 1


def test_a_match_with_a_person_has_a_seed_that_is_told_too() -> None:
    words = ["match", "matching_pennies", "--player", "even=human", "--player", "odd=random"]
    seeds = {inside(*words, text="1\n").out.splitlines()[0] for _ in range(2)}
    assert len(seeds) == 2
    assert all(re.fullmatch(r"seed \d+", seed) for seed in seeds)
    assert (
        inside("match", "matching_pennies", "--player", "even=first", "--player", "odd=first", "--json").json["seed"]
        == 0
    )


def test_the_game_the_role_and_the_others_are_introduced() -> None:
    out = inside(*PLAY, "--seed", "1", text="2\n2\n").out
    lines = out.splitlines()
    assert lines[0] == "kuhn_poker: Three cards, one in each hand, and one chip to bet."
    assert "  rules       A deck of jack, queen and king;" in out
    assert "  hidden      Everyone sees the own card" in out
    assert "  you are     first; second is played by first, random is chance" in lines
    assert "  goal        from 48 to 52, as high as you can" in lines
    assert "`quit` leaves the game" in " ".join(out.split())


def test_a_rules_file_introduces_itself_by_its_first_comment(tmp_path: Path) -> None:
    path = tmp_path / "race.kif"
    path.write_text(f"; A race\n;\n; Who is the first to reach 3?\n; It is short.\n{RACE}")
    out = inside("play", path, "--as", "red", "--against", "first", "--seed", "1", text="quit\n").out
    assert out.splitlines()[0] == "race"
    assert "Who is the first to reach 3? It is short." in out


def test_the_own_state_is_shown_as_far_as_the_role_can_know_it() -> None:
    out = inside(*PLAY, "--seed", "1", text="2\n2\n").out
    card = re.search(r"first sees \(card (\w+)\)", out)[1]  # type: ignore[index]
    known = re.search(r"  known   (.*)", out)[1]  # type: ignore[index]
    assert f"(holds first {card})" in known
    assert "holds second" not in known
    assert known.endswith("(2 histories possible)")


def test_too_many_histories_are_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.cli.own_view.SAMPLER", "exact:max_worlds=1")
    out = inside("play", "krieg_tictactoe", "--as", "oplayer", "--against", "first", "--seed", "1", text="1\n" * 40).out
    assert out.count("too many histories are possible to say what is certain") == 1


@pytest.mark.parametrize("text", ["quit\n", "help\nQUIT\n", "what?\nquit\n"])
def test_who_leaves_ends_the_game_without_an_error(text: str) -> None:
    outcome = inside(*PLAY, "--seed", "1", text=text)
    assert (outcome.code, outcome.err) == (0, "first has left the game; it is not counted\n")
    assert "the game is over" not in outcome.out


def test_help_lists_the_moves_again() -> None:
    out = inside(*PLAY, "--seed", "1", text="help\n2\n2\n").out
    assert out.count("    1 bet\n    2 pass\n") >= 2
