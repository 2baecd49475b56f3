"""`veil reproduce`: run the papers' experiments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, command
from veil.cli.options import limited_number
from veil.cli.output import print_json, print_problems, print_text
from veil.cli.workers import ClusterOptions
from veil.errors import problem
from veil.files import check_folder, result_folder
from veil.report import Progress, Table, has_matplotlib

if TYPE_CHECKING:
    from pathlib import Path

    from veil.report import Report

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME]...", help="Experiments; without a name, all but those of hours.")
]
Out = Annotated[str, typer.Option(metavar="FOLDER", help="Folder for CSV and PNG files.")]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer iterations: for a quick look, not for comparison.")]
Seconds = Annotated[
    float | None,
    limited_number("seconds", help="Time for each position, or the work of it for each move."),
]
Matches = Annotated[
    int | None, limited_number("matches", help="Matches per player or cell, in experiments that have such a number.")
]
StoreFile = Annotated[
    str | None,
    typer.Option("--store", metavar="FILE", help="Store matches and points here, and continue from them."),
]
ListThem = Annotated[bool, typer.Option("--list", help="Only list the experiments.")]


@command
def reproduce(
    call: Call,
    names: Names = None,
    out: Out = "reproduced",
    quick: Quick = False,
    seconds: Seconds = None,
    matches: Matches = None,
    store: StoreFile = None,
    list_them: ListThem = False,
    *,
    workers: ClusterOptions,
) -> None:
    """Run the papers' experiments; print their figures beside ours, and write CSV and PNG."""
    from veil_lab import (
        EXPERIMENTS,
        check_counted,
        check_timed,
        choose_experiments,
        find_experiment,
        find_gaps,
        give_workers,
        keep_pieces,
    )

    if list_them:
        call.answer(lambda: {"experiments": list(EXPERIMENTS)}, lambda: "\n".join(EXPERIMENTS))
        return
    wanted, left_out = (names, []) if names else choose_experiments(quick)
    chosen = [find_experiment(name) for name in wanted]  # all names are checked before the first one runs
    if seconds is not None:
        check_timed(wanted)
    if matches is not None:
        check_counted(wanted)
    given = {"seconds": seconds, "matches": matches}
    more = {name: value for name, value in given.items() if value is not None}
    workers.check()
    check_folder(out)
    if left_out:
        print_problems([problem("takes-hours", names=", ".join(left_out))])
    figures, reports = has_matplotlib(), []
    with keep_pieces(store), workers.open(call) as executor, give_workers(executor):
        for name, experiment in zip(wanted, chosen, strict=True):
            files: list[Path] = []
            with Progress(f"running {name}"):
                report = experiment(call.seed, quick, **more)
                call.attempt(partial(_write, report, out, figures, files))
            reports.append(report.as_json() | {"files": [str(path) for path in files]})
            if not call.json:  # each as soon as it is done
                print_text(f"{report.as_text()}\n  files: {', '.join(map(str, files)) or 'none'}\n")
    print_problems(call.problems)
    gaps = find_gaps(wanted, reports)
    if gaps and not call.json:
        lines = Table(("experiment", "not reproduced", "why"), gaps).as_lines()
        print_text("\n".join(["not reproduced, and why:", *(f"  {line}" for line in lines)]))
    if call.json:
        failures = {"failures": [entry.as_json() for entry in call.failures]} if call.failures else {}
        print_json({"experiments": reports, "not_reproduced": [gap._asdict() for gap in gaps]} | failures)
    if not figures:
        print_problems([problem("no-figures")])
    call.finish()


def _write(report: Report, folder: str, figures: bool, files: list[Path]) -> None:
    """Write the files of a report; `files` gets their paths."""
    files += report.write(result_folder(folder), figures)
