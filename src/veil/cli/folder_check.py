"""`veil check --all FOLDER`: every game below a folder, each in a process of its own, several side by side.

A game is a rules file, or a POGDDL problem with its domain: the one in the same folder or, if there is none, any other
of that name. A game that takes too long is ended, and one that breaks `veil check` is reported as broken: no game harms
the others. Times are processor time, so that verdicts do not depend on how busy the machine is.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep
from typing import IO, Any

from veil.cli.processor_time import find_processor_seconds
from veil.engine import SUFFIXES
from veil.errors import VeilError, fail, phrase
from veil.files import read_bytes
from veil.report import Table
from veil.signals import INTERRUPTED, check_signals

STAGES = 4  # limits that a game may use up: one to ground, and three to bound a game that is played from its rules
GRACE = 30.0  # seconds beyond that: for the start of a process, and for kernels that are compiled
PATIENCE = 20.0  # seconds to wait for one of processor time, on a busy machine
PAUSE = 0.05  # seconds between two looks at the running processes
OK, FROM_RULES, REFUSED, TIME_OUT, BROKEN = "ok", "from its rules", "refused", "time-out", "broken"
VERDICTS = (OK, FROM_RULES, REFUSED, TIME_OUT, BROKEN)
PART = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\s+([^\s()]+)\s*\)", re.IGNORECASE)
ITS_DOMAIN = re.compile(r"\(\s*:domain\s+([^\s()]+)\s*\)", re.IGNORECASE)
MAX_PART = 1 << 24  # bytes of a file that may be a domain or a problem
Files = tuple[Path, ...]  # of one game


@dataclass
class _Running:
    """A check that is going on."""

    files: Files
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    begin: float = field(default_factory=perf_counter)
    spent: float = 0.0  # seconds of processor time, when it was last looked at

    def is_late(self, seconds: float) -> bool:
        """Return whether it has used up this processor time, or waits too long for it."""
        self.spent = max(self.spent, find_processor_seconds(self.process.pid))
        return self.spent >= seconds or perf_counter() - self.begin >= PATIENCE * seconds


def find_games(folder: str) -> list[Files]:
    """Return the files of all games below a folder, sorted. Raises `VeilError` if there are none."""
    files = sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    if not files:
        raise fail("no-rules-in-folder", name=folder, suffixes=", ".join(SUFFIXES))
    parts = {path: _read_part(path) for path in files}
    domains = {path: name for path, (kind, name) in parts.items() if kind == "domain"}
    games: list[Files] = []
    for path, (kind, name) in parts.items():
        found = [domain for domain, its_name in domains.items() if kind == "problem" and its_name == name]
        found = [domain for domain in found if domain.parent == path.parent] or found
        games += [(domain, path) for domain in found] or [(path,)]
    used = {domain for domain, *problem in games if problem}
    return [game for game in games if game[0] not in used or len(game) > 1]


def _read_part(path: Path) -> tuple[str, str]:
    """Return ("domain", its name) or ("problem", the name of its domain) for half a POGDDL game; else ("", "")."""
    try:
        text = read_bytes(path, MAX_PART).decode(errors="replace")
    except VeilError:  # the check will say why
        return "", ""
    text = re.sub(r";[^\n]*", "", text)
    titles = {kind.lower(): name.lower() for kind, name in PART.findall(text)}
    domain = ITS_DOMAIN.search(text)
    if "problem" in titles and "domain" not in titles and domain:
        return "problem", domain.group(1).lower()
    return ("domain", titles["domain"]) if "domain" in titles and "problem" not in titles else ("", "")


def check_games(
    games: Sequence[Files],
    options: Sequence[str],
    seconds: float,
    progress: Callable[[int], None],
    jobs: int | None = None,
) -> list[dict[str, Any]]:
    """Run `veil check` with these options on every game; return their verdicts in the order of the games.

    `seconds` is the limit of grounding among the options; `jobs` games are checked side by side, one per processor if
    it is None. After Ctrl-C there are only the verdicts that were found until then.
    """
    side_by_side = jobs or max(1, len(os.sched_getaffinity(0)))
    waiting, running, verdicts = list(games), list[_Running](), dict[Files, dict[str, Any]]()
    try:
        while waiting or running:
            check_signals()
            while waiting and len(running) < side_by_side:
                running.append(_start(waiting.pop(0), options))
            for check in list(running):
                is_late = check.is_late(STAGES * seconds + GRACE)
                if check.process.poll() is None and not is_late:
                    continue
                running.remove(check)
                if check.process.poll() == INTERRUPTED:  # Ctrl-C in a terminal goes to all processes
                    check.output.close()
                    continue
                verdicts[check.files] = _judge(check) | {"seconds": round(check.spent, 1)}
                progress(1)
            sleep(PAUSE)
    except KeyboardInterrupt:
        pass  # the caller sees that verdicts are missing
    finally:
        for check in running:
            check.process.kill()
            check.process.wait()
            check.output.close()
    return [verdicts[files] for files in games if files in verdicts]


def files_as_text(verdicts: Sequence[dict[str, Any]], games: int) -> str:
    """Return a table of the verdicts, and their counts; `games` is how many games there are."""
    rows = [(str(entry["file"]), entry["verdict"], entry["seconds"], entry["why"]) for entry in verdicts]
    lines = Table(("file", "verdict", "s", "why"), rows).as_lines()
    counts = count_verdicts(verdicts)
    done = str(games) if len(verdicts) == games else f"{len(verdicts)} of {games}"
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
    return "\n".join([*lines, "", f"{done} games: {summary}"])


def count_verdicts(verdicts: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return how many files have each verdict."""
    counts = Counter(str(entry["verdict"]) for entry in verdicts)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _start(files: Files, options: Sequence[str]) -> _Running:
    """Start the check of a game."""
    output = tempfile.TemporaryFile()  # noqa: SIM115  # `_judge` closes it
    command = [sys.executable, "-m", "veil", "check", *(str(path.resolve()) for path in files), "--json", *options]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL)
    return _Running(files, process, output)


def _judge(check: _Running) -> dict[str, Any]:
    """End a check and return its verdict, with the first reason."""
    late = check.process.poll() is None
    if late:
        check.process.kill()
    code, name = check.process.wait(), " + ".join(map(str, check.files))
    with check.output as output:
        output.seek(0)
        text = output.read()
    if late:
        return {"file": name, "verdict": TIME_OUT, "why": "", "warnings": 0}
    try:
        answer = json.loads(text)
    except ValueError:
        why = phrase("ended-with-code", code=code)
        return {"file": name, "verdict": BROKEN, "why": why, "warnings": 0}
    if not answer["ok"]:
        why, verdict = answer["errors"][0]["message"], REFUSED
    else:
        why, verdict = "", FROM_RULES if answer.get("states_per_second") else OK
    rate = {"states_per_second": answer["states_per_second"]} if answer.get("states_per_second") else {}
    warnings = len(answer.get("warnings", ()))
    return {"file": name, "verdict": verdict, "why": why, "warnings": warnings} | rate
