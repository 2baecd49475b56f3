"""`veil tune`: better numbers for a game: the values of its constants that come closest to an aim."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import typer

from veil.cli.call import Call, Options, command
from veil.cli.game_call import GroundOptions
from veil.cli.options import limited_number, list_names
from veil.cli.workers import ClusterOptions
from veil.errors import fail
from veil.files import check_writable, write_text
from veil.report import Progress, ReportPage, page_as_html, page_as_text
from veil.review import (
    AIMS,
    TuneConfig,
    TuneWorkers,
    Tuning,
    TuningStore,
    VariantConfig,
    VariedGame,
    make_tuning_page,
    open_varied,
    read_aim,
    read_variation,
    tune as tune_game,
)

JOBS_PER_CORE = 4  # more processes do not help
MATCHES = 64
DEFAULTS = VariantConfig()

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A rules file, or a name from `veil games`.")]
Vary = Annotated[
    list[str],
    typer.Option(
        metavar="NAME=VALUES",
        help="A constant of the rules, or a parameter, and its values: 1..9, 10..90..10 or 3,4,5. It may be repeated.",
    ),
]
Aim = Annotated[str, typer.Option(help=f"{list_names(AIMS)}; length=12 rounds, luck=30 percent.")]
Player = Annotated[str, typer.Option("--player", metavar="SPEC", help="The strong player of unsolved games.")]
Matches = Annotated[int, limited_number("matches", help="Matches of the best variants, if they are not solved.")]
MaxNodes = Annotated[int, limited_number("nodes", help="Solve variants with up to this number of nodes.")]
Jobs = Annotated[int, limited_number("processes", help="Processes that judge variants.")]
StoreFile = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Keep results here; the same command continues from them.")
]
Html = Annotated[str | None, typer.Option("--html", metavar="FILE.html", help="Write the result as a printable page.")]
Out = Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the rules with the best values.")]


@dataclass(kw_only=True)
class TuneFiles(Options):
    """The files that are written."""

    html: Html = None
    out: Out = None

    def check(self, *inputs: str | None) -> None:
        """Refuse files that cannot be written, or that the command reads."""
        for name in (self.html, self.out):
            if name is None:
                continue
            check_writable(name)
            for file in inputs:
                if file and os.path.exists(file) and os.path.exists(name) and os.path.samefile(file, name):
                    raise fail("output-over-input", name=name)


@dataclass(kw_only=True)
class TuneCall(GroundOptions, Call):
    """The options of the call."""


@command
def tune(
    call: TuneCall,
    game: GameName,
    *,
    vary: Vary,
    aim: Aim = "fair",
    player: Player = DEFAULTS.player,
    matches: Matches = MATCHES,
    max_nodes: MaxNodes = DEFAULTS.max_nodes,
    jobs: Jobs = 1,
    store: StoreFile = None,
    outputs: TuneFiles,
    workers: ClusterOptions,
) -> None:
    """Find the values of named constants with which a game is fair, lasts as long as it should, or rewards skill.

    Every variant is solved if its tree fits; the others are played by strong players, the better ones more often.
    Ctrl-C ends the search and prints what is known; --store goes on from there.
    """
    varied = open_varied(game, [read_variation(text) for text in vary])
    variant = replace(DEFAULTS, player=player, max_nodes=max_nodes, limits=call.make_limits())
    config = TuneConfig(aim=read_aim(aim), matches=matches, seed=call.seed, variant=variant)
    workers.check(jobs)
    outputs.check(game, store)
    with workers.open(call) as executor:
        tuning = _run(varied, config, store, TuneWorkers(jobs=_limit_jobs(jobs), executor=executor))
    page = make_tuning_page(tuning)
    written = {}
    if outputs.html is not None and call.attempt(partial(write_text, outputs.html, page_as_html(page))):
        written["html"] = outputs.html
    if outputs.out is not None and tuning.best is not None:
        text = varied.make_text(tuning.best.setting)
        if call.attempt(partial(write_text, outputs.out, text)):
            written["out"] = outputs.out
    call.answer(lambda: _as_json(tuning) | {"page": page.as_json()} | written, lambda: _as_text(page, written))
    if tuning.interrupted:
        raise KeyboardInterrupt


def _limit_jobs(jobs: int) -> int:
    return min(jobs, (os.cpu_count() or 1) * JOBS_PER_CORE)


def _run(varied: VariedGame, config: TuneConfig, store: str | None, workers: TuneWorkers) -> Tuning:
    """Tune with a display of progress."""
    with TuningStore(store) as kept, Progress("judging variants") as progress:

        def listen(done: int, total: int, note: str) -> None:
            progress.count(done, total)
            progress.say(note)

        return tune_game(varied, config, kept, replace(workers, progress=listen))


def _as_json(tuning: Tuning) -> dict[str, Any]:
    names = [entry.name for entry in tuning.varied.variations]
    return {
        "aim": str(tuning.config.aim),
        "best": None if tuning.best is None else dict(zip(names, tuning.best.setting, strict=True)),
        "variants": [
            {
                "setting": dict(zip(names, variant.setting, strict=True)),
                "score": None if variant.score is None else variant.score.value,
                "half": None if variant.score is None else variant.score.half,
                "meaning": "" if variant.score is None else variant.score.meaning,
                "from": variant.basis,
            }
            for variant in tuning.variants
        ],
        "interrupted": tuning.interrupted,
        "seconds": round(tuning.seconds, 3),
    }


def _as_text(page: ReportPage, written: dict[str, str]) -> str:
    return "\n".join([page_as_text(page), *(f"written to {name}" for name in written.values())])
