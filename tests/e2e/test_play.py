"""`veil play`: who sits down is told what there is to know, and can leave."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.command import COMMAND, PATIENCE, RACE, inside
from veil.games import FAMILIES

FIRST_PLAYER = """
class Player:
    def start(self, seat): pass
    def offer(self, legal): self.legal = legal
    def play(self, observation): return self.legal[0]
    def stop(self, observation): pass
    def report(self): return {}
"""
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
    assert "  goal        from -2 chips to +2 chips, as high as you can" in lines
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
    mine, theirs = re.search(r"\n first  (.*)\nsecond  (.*)\n", out).groups()  # type: ignore[union-attr]
    assert mine == f"[{card}]"
    others = sorted({"jack", "queen", "king"} - {card})
    assert theirs == " ".join(f"[{other} 50 %]" for other in others)
    words = " ".join(out.split())
    assert "2 histories possible, if the others play like `best`; what may be there has its probability beside" in words


def test_a_belief_that_is_too_large_is_sampled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.cli.belief_boards.SAMPLER", "auto:max_worlds=1,particles=20")
    out = inside("play", "krieg_tictactoe", "--as", "oplayer", "--against", "first", "--seed", "1", text="1\n" * 40).out
    assert re.search(r"known   \d+ histor(y|ies) sampled; there are more", out)
    assert "the truth:" in out


@pytest.mark.parametrize("text", ["quit\n", "help\nQUIT\n", "what?\nquit\n"])
def test_who_leaves_ends_the_game_without_an_error(text: str) -> None:
    outcome = inside(*PLAY, "--seed", "1", text=text)
    assert (outcome.code, outcome.err) == (0, "first has left the game; it is not counted\n")
    assert "the game is over" not in outcome.out


def test_help_lists_the_moves_again() -> None:
    out = inside(*PLAY, "--seed", "1", text="help\n2\n2\n").out
    assert out.count("    1 bet\n    2 pass\n") >= 2


KRIEG = ["play", "krieg_tictactoe", "--as", "oplayer", "--against", "first", "--seed", "7"]


def test_the_truth_is_told_at_the_end_and_not_before() -> None:
    out = inside(*PLAY, "--seed", "1", text="2\n2\n").out
    before, after = out.split("the truth:\n")
    mine = re.search(r"first sees \(card (\w+)\)", before)[1]  # type: ignore[index]
    theirs = re.search(r"second  \[(\w+)\]", after)[1]  # type: ignore[index]
    assert f"random (deal {theirs})" in after
    assert theirs != mine
    assert f"second  [{theirs}]" not in before


def test_what_is_shown_does_not_depend_on_what_is_hidden() -> None:
    """The same card, another opponent's: every word is the same until the opponent's play shows the difference."""
    shown: dict[str, dict[str, str]] = {}
    for seed in range(12):
        before, after = inside(*PLAY, "--seed", str(seed), text="2\n2\n").out.split("the truth:\n")
        mine = re.search(r"first sees \(card (\w+)\)", before)[1]  # type: ignore[index]
        theirs = re.search(r"second  \[(\w+)\]", after)[1]  # type: ignore[index]
        first_prompt = before.split("first> ")[0]
        shown.setdefault(mine, {})[theirs] = "\n".join(without_seed(first_prompt))
    pairs = [list(texts.values()) for texts in shown.values() if len(texts) == 2]
    assert pairs  # all opponents' cards equal, for each own card: less than once in a thousand choices of seeds
    assert all(first == second for first, second in pairs)


def test_a_move_is_taken_back_and_another_one_is_played() -> None:
    straight = inside(*KRIEG, text="5\n3\nquit\n").out
    wandering = inside(*KRIEG, text="5\n1\nundo\n3\nquit\n").out
    assert wandering.splitlines()[-12:] == straight.splitlines()[-12:]
    assert "oplayer so far:\n  1.  wait: your turn\n  2.  mark 2 2: the mark is set\n" in wandering


def test_where_nothing_was_chosen_nothing_is_taken_back() -> None:
    out = inside(*KRIEG, text="undo\nquit\n").out
    assert "oplayer> there is no move of yours to take back" in out


def test_moves_against_people_are_not_taken_back() -> None:
    words = ["play", "matching_pennies", "--as", "even", "--player", "odd=human"]
    assert "undo is for games against machines" in inside(*words, text="undo\n1\n1\n").out


def test_a_saved_game_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    whole = inside(*KRIEG, text="5\n3\n1\n1\n1\n1\n1\n").out
    left = inside(*KRIEG, text=f"5\n3\nsave {file}\nquit\n")
    assert left.code == 0
    assert f"--as oplayer --resume '{file}'` goes on" in left.out
    again = inside(*KRIEG[:4], "--resume", file, text="1\n1\n1\n1\n1\n")
    assert again.out.split("the truth:")[1] == whole.split("the truth:")[1]
    assert "oplayer so far:" in again.out


def test_the_line_that_goes_on_with_a_saved_game_names_the_game_as_it_was_named(tmp_path: Path) -> None:
    rules = tmp_path / "my rules.kif"
    rules.write_text(FAMILIES["matching_pennies"].rules_text())
    file = tmp_path / "g.json"
    left = inside("play", rules, "--as", "even", text=f"save {file}\nquit\n").out
    line = left.partition("saved; `veil ")[2].partition("`")[0]
    assert shlex.split(line)[:2] == ["play", str(rules)]
    assert inside(*shlex.split(line), text="heads\n").code == 0


def test_a_saved_game_can_be_resumed_at_the_prompt(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    out = inside(*KRIEG, text=f"resume\nresume {file}\nsave\n5\nsave {file}\n1\nresume\nquit\n").out
    assert "resume needs the name of a file" in out
    assert f"error: {file}: No such file or directory" in out
    assert "save needs the name of a file" in out
    assert out.count("oplayer so far:") == 1


def test_a_saved_game_runs_no_code_that_nobody_has_named(tmp_path: Path) -> None:
    """A file from somebody else may say that a file beside it plays. It plays if the person says so, too."""
    evil, file, mark = tmp_path / "evil.py", tmp_path / "game.json", tmp_path / "it has run"
    evil.write_text(f"open({str(mark)!r}, 'w')\n{FIRST_PLAYER}")
    spec, words = f"own:file={evil}", ["play", "matching_pennies", "--as", "even"]
    left = inside(*words, "--player", f"odd={spec}", text=f"save {file}\nquit\n").out
    again = shlex.split(left.partition("saved; `veil ")[2].partition("`")[0])
    mark.unlink()
    outcome = inside(*words, "--resume", file, text="heads\n")
    assert (outcome.code, f"{spec} plays odd" in outcome.err) == (2, True)
    assert f"{spec} plays odd" in inside(*words, text=f"resume {file}\nquit\n").out
    assert not mark.exists()
    assert inside(*again, text="heads\n").code == 0
    assert mark.exists()


@pytest.mark.parametrize("more", [["--against", "first"], ["--seed", "1"], ["--player", "odd=first"]])
def test_a_saved_game_has_its_seats_already(tmp_path: Path, more: list[str]) -> None:
    outcome = inside("play", "matching_pennies", "--as", "even", "--resume", tmp_path / "x.json", *more)
    assert outcome.code == 2
    assert "a saved game has its players and its seed" in outcome.err


def test_hints_and_beliefs_are_given_at_the_prompt() -> None:
    out = inside(*KRIEG, text="belief\nhint first\nhint cheat\nquit\n").out
    assert "(cell 1 1 xplayer) 11.1 %" in " ".join(out.split())
    assert "hint    (mark 1 1), says first" in out
    assert "error: cheat cannot give hints" in out


@pytest.mark.slow
def test_on_a_terminal_the_boards_are_in_colour() -> None:
    """The command as a process on a terminal of its own, played by its keyboard."""
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*COMMAND, *KRIEG], stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(slave)
    os.write(master, b"5\nbelief\nquit\n")
    shown = b""
    with suppress(OSError):  # the end of a terminal
        while part := os.read(master, 4096):
            shown += part
    os.close(master)
    assert process.wait(timeout=PATIENCE) == 0
    text = shown.decode()
    assert "\x1b[1m\x1b[33m◯\x1b[0m" in text  # certain, bold
    assert "\x1b[2m\x1b[36m✕.2\x1b[0m" in text  # unlikely, dim
