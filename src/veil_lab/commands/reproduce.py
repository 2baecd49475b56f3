"""`veil reproduce`: run the papers' experiments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import Call, Options, command
from veil.cli.options import limited_number
from veil.cli.output import print_json, print_problems, print_text
from veil.cli.workers import ClusterOptions
from veil.errors import problem
from veil.files import check_folder, result_folder, write_text
from veil.report import Progress, has_matplotlib

if TYPE_CHECKING:
    from pathlib import Path

    from veil.report import Report
    from veil_lab.results import ExperimentRun

ALL = "all"
Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]...", help="Experiments; all stands for all but those of hours. Without a name, list them."
    ),
]
Out = Annotated[str, typer.Option(metavar="FOLDER", help="Folder for files: JSON (the run as data), CSV and PNG.")]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer iterations: for a quick look, not for comparison.")]
Seconds = Annotated[
    float | None,
    limited_number("seconds", help="Time for each position, or the work of it for each move."),
]
Matches = Annotated[
    int | None, limited_number("matches", help="Matches per player or cell, in experiments that have such a number.")
]
Positions = Annotated[
    int | None, limited_number("matches", help="Positions per size, in experiments that have such a number.")
]
Game = Annotated[str | None, typer.Option(help="Only these games of a table (racko,gops), where they can be chosen.")]
StoreFile = Annotated[
    str | None,
    typer.Option("--store", metavar="FILE", help="Store matches and points here, and continue from them."),
]
Jobs = Annotated[
    int | None, limited_number("processes", help="Processes of this machine; as many as it has processors by default.")
]


@dataclass(kw_only=True)
class ExtentOptions(Options):
    """The options for the size of a run."""

    seconds: Seconds = None
    matches: Matches = None
    positions: Positions = None
    game: Game = None

    @property
    def given(self) -> dict[str, Any]:
        """The options that were given, by name."""
        return {name: value for name, value in vars(self).items() if value is not None}


@command
def reproduce(
    call: Call,
    names: Names = None,
    out: Out = "reproduced",
    quick: Quick = False,
    store: StoreFile = None,
    jobs: Jobs = None,
    *,
    extent: ExtentOptions,
    workers: ClusterOptions,
) -> None:
    """Run the papers' experiments: theirs beside ours, as text, JSON, CSV and PNG. Without a name, list them."""
    from veil_lab import (  # help needs none of it
        find_kept,
        give_workers,
        keep_pieces,
        limit_jobs,
        list_experiments,
        perform,
        read_runs,
        show_list,
    )

    given = extent.given
    if not names:
        entries = list_experiments()
        if quick or given or store or jobs or workers.cluster:
            call.warn(problem("nothing-named"))
        call.answer(lambda: {"experiments": entries}, lambda: show_list(entries))
        return
    wanted = _choose(names, quick, given)
    workers.check(jobs or 1)
    check_folder(out)
    kept, figures, results = read_runs(find_kept()), has_matplotlib(), list[dict[str, Any]]()
    with keep_pieces(store), limit_jobs(jobs), workers.open(call) as executor, give_workers(executor):
        for name in wanted:
            files: list[Path] = []
            with Progress(f"running {name}"):
                report, run = perform(name, call.seed, quick, given, kept.get(name))
                call.attempt(partial(_write, report, run, out, figures, files))
            results.append(_as_json(report, run, files))
            if not call.json:  # each as soon as it is done
                print_text(_as_text(report, run, files))
    print_problems(call.problems)
    if call.json:
        failures = {"failures": [entry.as_json() for entry in call.failures]} if call.failures else {}
        print_json({"experiments": results} | failures)
    if not figures:
        print_problems([problem("no-figures")])
    call.finish()


def _choose(names: list[str], quick: bool, given: dict[str, Any]) -> list[str]:
    """Return the experiments to run, each once; refuse wrong names and options before the first one runs."""
    from veil_lab import (  # help needs none of it
        check_counted,
        check_game,
        check_placed,
        check_timed,
        choose_experiments,
        find_experiment,
    )

    short, left_out = choose_experiments(quick)
    wanted = list(dict.fromkeys(one for name in names for one in (short if name == ALL else [name])))
    for name in wanted:
        find_experiment(name)
    if "seconds" in given:
        check_timed(wanted)
    if "matches" in given:
        check_counted(wanted)
    if "positions" in given:
        check_placed(wanted)
    if "game" in given:
        check_game(wanted, given["game"])
    if ALL in names and left_out:
        print_problems([problem("takes-hours", names=", ".join(left_out))])
    return wanted


def _write(report: Report, run: ExperimentRun, folder: str, figures: bool, files: list[Path]) -> None:
    """Write the files of a run; `files` gets their paths."""
    from veil_lab import RunFile, spell_run  # help needs none of it

    place = RunFile(result_folder(folder), run.experiment, run.quick)
    write_text(place.path, spell_run(run))
    files += [place.path, *report.write(place.folder, figures)]


def _as_text(report: Report, run: ExperimentRun, files: list[Path]) -> str:
    """Return a run for people: the tables, its size, and the verdict on each claim that it decides."""
    from veil_lab import show_verdicts  # help needs none of it

    parts = [report.as_text(), "", f"  size: {'; '.join(run.size) or 'ours alone'}", *show_verdicts(run)]
    return "\n".join([*parts, f"  files: {', '.join(map(str, files)) or 'none'}", ""])


def _as_json(report: Report, run: ExperimentRun, files: list[Path]) -> dict[str, Any]:
    """Return a run as plain data."""
    from veil_lab import judge_run  # help needs none of it

    verdicts = [verdict.as_json() for verdict in judge_run(run)]
    about = {"size": run.size, "seconds": run.seconds, "versions": run.versions, "ran": run.ran}
    return report.as_json() | about | {"verdicts": verdicts, "files": [str(path) for path in files]}
