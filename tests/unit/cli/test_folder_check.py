from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from veil import VeilError
from veil.cli import folder_check
from veil.cli.folder_check import Files, check_games, count_verdicts, files_as_text, find_games
from veil.cli.processor_time import find_processor_seconds

SOUND = """(role white) (init (step 1)) (succ 1 2) (legal white noop) (goal white 100)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 2)))"""


@pytest.mark.slow
def test_every_file_below_a_folder_has_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "good.kif").write_text(SOUND)
    (tmp_path / "bad.gdl").write_text("(role white")
    (tmp_path / "notes.txt").write_text("no rules")
    games = find_games(str(tmp_path))
    assert [path.name for (path,) in games] == ["bad.gdl", "good.kif"]
    done: list[int] = []
    verdicts = check_games(games, ["--seed", "1"], 120.0, done.append, jobs=1)
    assert [entry["verdict"] for entry in verdicts] == ["refused", "ok"]
    assert verdicts[0]["why"]
    assert done == [1, 1]
    assert count_verdicts(verdicts) == {"ok": 1, "from its rules": 0, "refused": 1, "time-out": 0, "broken": 0}
    assert "2 games: 1 ok, 0 from its rules, 1 refused, 0 time-out, 0 broken" in files_as_text(verdicts, 2)


@pytest.mark.slow
def test_ctrl_c_leaves_the_verdicts_that_were_found(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.gdl").write_text("(role white")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    verdicts = check_games(find_games(str(tmp_path)), [], 120.0, interrupt, jobs=1)
    assert [Path(entry["file"]).name for entry in verdicts] == ["0.gdl"]
    assert files_as_text(verdicts, 3).endswith("1 of 3 games: 0 ok, 0 from its rules, 1 refused, 0 time-out, 0 broken")


def test_a_problem_goes_with_its_domain_the_nearest_of_that_name(tmp_path: Path) -> None:
    texts = {
        "a/cards.pog": "; the domain\n(define (domain Cards) (:types card))",
        "a/one.pog": "(define (problem one) (:domain cards))",
        "b/cards.pog": "(define (domain cards))",
        "b/two.pog": "( define (problem two)\n (:domain CARDS) )",
        "c/three.pog": "(define (problem three) (:domain cards))",
        "c/lonely.pog": "(define (problem four) (:domain dice))",
        "c/unused.pog": "(define (domain unused))",
        "c/whole.pog": "(define (domain coins)) (define (problem five) (:domain coins))",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = [" ".join(str(path.relative_to(tmp_path)) for path in game) for game in find_games(str(tmp_path))]
    assert found == [
        "a/cards.pog a/one.pog",
        "b/cards.pog b/two.pog",
        "c/lonely.pog",
        "a/cards.pog c/three.pog",
        "b/cards.pog c/three.pog",
        "c/unused.pog",
        "c/whole.pog",
    ]


def test_a_folder_without_rules_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VeilError) as caught:
        find_games(str(tmp_path))
    assert caught.value.problems[0].code == "no-rules-in-folder"


def test_a_busy_machine_ends_no_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is processor time: a check that is kept waiting for longer than the limit goes on."""
    monkeypatch.setattr(folder_check, "STAGES", 0)
    monkeypatch.setattr(folder_check, "GRACE", 0.5)
    waits = [sys.executable, "-c", "import time; time.sleep(1.5); print('{\"ok\": true}')"]
    works = [sys.executable, "-c", "while True: pass"]
    commands = iter([waits, works])

    def start(files: Files, _: Sequence[str]) -> folder_check._Running:
        output = tempfile.TemporaryFile()  # noqa: SIM115
        return folder_check._Running(files, subprocess.Popen(next(commands), stdout=output), output)

    monkeypatch.setattr(folder_check, "_start", start)
    verdicts = check_games([(tmp_path / "a.kif",), (tmp_path / "b.kif",)], [], 1.0, lambda _: None, jobs=1)
    assert [entry["verdict"] for entry in verdicts] == ["ok", "time-out"]
    assert 0.5 <= verdicts[1]["seconds"] < 1.5


def test_the_processor_time_of_a_process_counts_those_that_it_started() -> None:
    work = "import time\nwhile time.process_time() < 0.3: pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}]); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 0.3 <= find_processor_seconds(process.pid) < 3.0
        process.communicate(b"\n")
    assert find_processor_seconds(process.pid) == 0.0
