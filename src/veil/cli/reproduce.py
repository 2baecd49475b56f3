"""`veil reproduce`: the papers' tables and figures, theirs beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.call import Call, command
from veil.cli.output import print_json, print_problems
from veil.errors import problem
from veil.files import result_folder
from veil.report import Progress, has_matplotlib

Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which ones; all without a name.")]
Out = Annotated[str, typer.Option(metavar="FOLDER", help="Where CSV and PNG files go.")]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer iterations: to look, not to compare.")]
ListThem = Annotated[bool, typer.Option("--list", help="Only say which there are.")]


@command
def reproduce(
    call: Call, names: Names = None, out: Out = "reproduced", quick: Quick = False, list_them: ListThem = False
) -> None:
    """Run the papers' experiments; print their figures beside ours, and write CSV and PNG."""
    from veil.lab import EXPERIMENTS, find_experiment

    if list_them:
        call.answer(lambda: {"experiments": list(EXPERIMENTS)}, lambda: "\n".join(EXPERIMENTS))
        return
    wanted = list(names or EXPERIMENTS)
    chosen = [find_experiment(name) for name in wanted]  # all names are checked before the first one runs
    folder, figures, reports = result_folder(out), has_matplotlib(), []
    for name, experiment in zip(wanted, chosen, strict=True):
        with Progress(f"running {name}"):
            report = experiment(call.seed, quick)
            files = report.write(folder, figures)
        reports.append(report.as_json() | {"files": [str(path) for path in files]})
        if not call.json:  # each as soon as it is there
            print(report.as_text())
            print(f"  files: {', '.join(map(str, files))}\n")
    if call.json:
        print_json({"experiments": reports})
    if not figures:
        print_problems([problem("no-figures")])
