"""`veil reproduce`: the papers' tables and figures, theirs beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.options import Json, Seed
from veil.cli.output import busy, out_folder, print_json

Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which ones; all without a name.")]
Out = Annotated[str, typer.Option(metavar="FOLDER", help="Where CSV and PNG files go.")]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer iterations: to look, not to compare.")]
ListThem = Annotated[bool, typer.Option("--list", help="Only say which there are.")]


def reproduce(
    names: Names = None,
    out: Out = "reproduced",
    quick: Quick = False,
    list_them: ListThem = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Run the papers' experiments; print their figures beside ours, and write CSV and PNG."""
    from veil.lab import EXPERIMENTS, find_experiment
    from veil.report import has_matplotlib

    if list_them:
        print_json({"experiments": list(EXPERIMENTS)}) if json else print("\n".join(EXPERIMENTS))
        return
    wanted = list(names or EXPERIMENTS)
    chosen = [find_experiment(name) for name in wanted]  # all names are checked before the first one runs
    folder, figures, reports = out_folder(out), has_matplotlib(), []
    for name, experiment in zip(wanted, chosen, strict=True):
        with busy(f"running {name}"):
            report = experiment(seed, quick)
            files = report.write(folder, figures)
        reports.append(report.as_json() | {"files": [str(path) for path in files]})
        if not json:
            print(report.as_text())
            print(f"  files: {', '.join(map(str, files))}\n")
    if json:
        print_json({"experiments": reports})
    elif not figures:
        print("no figures were drawn: pip install 'veil-games[plots]'")
