"""HyperPlay against the Cheat, who is shown the true state: models x playouts, and why more of them were no better.

1. The Cheat is fully resourced: its playouts are doubled as long as twice as many win against the old number.
2. HyperPlay plays against it with every number of models and of playouts, with the article's sampler, with our default,
   and with our default and playouts in which every role takes a win that is at hand (`playout=decisive`).
3. In Blind Breakthrough more uniform playouts make HyperPlay worse. Two explanations are tested, each by a change that
   leaves everything else as it was. "Random replies reward a race": then playouts with replies that punish it are
   better, and they are better still if there are more of them and if the replies look further ahead. "The noise of few
   playouts acted as a mixed strategy": then many playouts with near-equal moves drawn at random (`mix`) are as good as
   few. Every change is tried in both games, so that a cure for one of them is not taken for a general cure.

The players with the longest decisions (`COSTLY`) would cost more than all others together, so they play fewer matches;
the table says how many each played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veil.match import MatchConfig
from veil.report import Report, draw_panels
from veil_lab.papers.article import (
    ARTICLE,
    HP,
    KRIEG,
    NO_APPENDIX,
    OURS,
    SAMPLER_OF,
    SETTINGS_REMARK,
    THEIRS,
    say_fewer,
    say_size,
)
from veil_lab.papers.contests import AGAINST, Contest, Side, compare
from veil_lab.series import give_workers, open_workers

CHEAT = "cheat:models=1,playouts={0}"
CHEATING = MatchConfig(allow_cheat=True)
CHEAT_PLAYOUTS = (4, 8, 16, 32, 64, 128, 256, 512)
SIZES = (100, (1, 8, 64)), (4, (1, 8))  # matches, models and playouts: full, quick
CHEATS = 4  # factor of the number of matches between Cheats
DECISIVE = f"{OURS}, decisive"
PLAYERS = {**SAMPLER_OF, DECISIVE: ",playout=decisive"}  # setting -> addition to the spec of HyperPlay
CONTESTS = (
    Contest(KRIEG, ("xplayer", "oplayer"), AGAINST),
    Contest("blind_breakthrough(width=5, height=5)", ("white", "black"), AGAINST),
)
SMALL, MIDDLE, LARGE = HP.format(8, 8), HP.format(64, 8), HP.format(64, 64)
MIXED = LARGE.replace("hyperplay", "hyperplay_mixed", 1)  # of the laboratory
READ = "opponents=hyperplay"
CAREFUL = f"{MIDDLE},playout=careful"
PIMC = "pimc:worlds=20,iterations=100"
MOST = f"{HP.format(64, 128)},playout=decisive"
READING = f"{LARGE},{READ}", f"{HP.format(64, 16)},playout=decisive,{READ}"
COSTLY = {CAREFUL, MOST, *READING, PIMC, f"{PIMC},playout=decisive"}
FEWER = 0.4  # share of the matches that the costly ones play
CAUSES = {  # what is tried: the player
    "few uniform playouts": SMALL,
    "many uniform playouts": LARGE,
    "many, moves within 3 % are mixed": f"{MIXED},mix=0.03",
    "many, moves within 10 % are mixed": f"{MIXED},mix=0.1",
    "many, moves within 20 % are mixed": f"{MIXED},mix=0.2",
    "few decisive playouts": f"{SMALL},playout=decisive",
    "many decisive playouts": f"{LARGE},playout=decisive",
    "most decisive playouts": MOST,
    "few careful playouts": f"{SMALL},playout=careful",
    "more careful playouts": CAREFUL,
    "many uniform playouts, opponents read": READING[0],
    "decisive playouts, opponents read": READING[1],
    "tree search in every world, uniform playouts": PIMC,
    "tree search in every world, decisive playouts": f"{PIMC},playout=decisive",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A game, and the matches against its Cheat; equal matches are played once."""

    contest: Contest
    playouts: int  # of the Cheat
    matches: int
    seed: int
    _played: dict[str, Side] = field(default_factory=dict)  # by spec

    def play(self, spec: str) -> Side:
        """Return the side of a player against the Cheat, in both seats."""
        if spec not in self._played:
            cheat = CHEAT.format(self.playouts)
            self._played[spec] = compare(self.contest, spec, cheat, self.count(spec), self.seed, CHEATING)[0]
        return self._played[spec]

    def count(self, spec: str) -> int:
        """Return the number of matches of a player: fewer if its decisions are costly."""
        return max(1, round(FEWER * self.matches)) if spec in COSTLY else self.matches


def cheat(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Return HyperPlay against the Cheat over a grid of models and playouts."""
    usual, sizes = SIZES[quick]
    matches = matches or usual
    steps: list[tuple[Any, ...]] = []
    with open_workers(alone=quick) as workers, give_workers(workers):
        playouts = [find_resources(contest, CHEATS * matches, seed, quick, steps) for contest in CONTESTS]
        challenges = [
            Challenge(contest=contest, playouts=count, matches=matches, seed=seed)
            for contest, count in zip(CONTESTS, playouts, strict=True)
        ]
        grid = [_play_grid(challenge, sizes) for challenge in challenges]
        why = _explain(challenges, quick)
    panels = {
        challenge.contest.game: {name: [cells[size, size][name].mean for size in sizes] for name in PLAYERS}
        for challenge, cells in zip(challenges, grid, strict=True)
    }
    return Report(
        name="hyperplay-cheat",
        title="mean goal of HyperPlay against the Cheat, by models and playouts per model",
        source=f"{ARTICLE}, section 4.2; the slides",
        settings={"matches": matches, "seed": seed},
        columns=(
            "game",
            "models",
            "playouts",
            "playouts of the Cheat",
            *(f"mean goal, {name}" for name in PLAYERS),
            f"worlds from, {THEIRS}",
            f"worlds from, {OURS}",
        ),
        rows=[
            (challenge.contest.game, *size, challenge.playouts, *_cells(sides))
            for challenge, cells in zip(challenges, grid, strict=True)
            for size, sides in cells.items()
        ],
        remarks=[
            *say_size(quick, matches=(matches, SIZES[0][0]), most_models_and_playouts=(sizes[-1], SIZES[0][1][-1])),
            *say_fewer(quick, matches, SIZES[0][0]),
            "Theirs are in an appendix that is not among our papers; the slides say that the models are a credible "
            "substitute for the true game and competitive even against a Cheat. 50 would be as good as the Cheat.",
            SETTINGS_REMARK,
            f"{DECISIVE}: playout=decisive, in playouts everybody takes a move that wins at once.",
        ],
        gaps=[("mean goals against the Cheat", NO_APPENDIX), *_find_gaps(challenges, grid, sizes[-1])],
        figures={
            "hyperplay-cheat.png": lambda path: draw_panels(path, sizes, panels, "models = playouts", "mean goal")
        },
        parts=[why, _show_resources(steps, CHEATS * matches, seed)],
    )


def _find_gaps(
    challenges: Sequence[Challenge], grid: Sequence[dict[tuple[int, int], dict[str, Side]]], most: int
) -> list[tuple[str, str]]:
    """Return the games in which HyperPlay with most models and uniform playouts is clearly behind the Cheat."""
    behind = []
    for challenge, cells in zip(challenges, grid, strict=True):
        for name in (THEIRS, OURS):
            mean = cells[most, most][name].mean
            if mean.half is not None and mean.known + mean.half < 50:
                behind.append(f"{mean} in {challenge.contest.game} ({name}, {most} x {most})")
    return [("competitive against a Cheat, where 50 is as good", "; ".join(behind))] if behind else []


def _play_grid(challenge: Challenge, sizes: Sequence[int]) -> dict[tuple[int, int], dict[str, Side]]:
    """Return (models, playouts) -> setting -> the side of HyperPlay (step 2)."""
    return {
        (models, playouts): {name: challenge.play(HP.format(models, playouts) + more) for name, more in PLAYERS.items()}
        for models in sizes
        for playouts in sizes
    }


def find_resources(contest: Contest, matches: int, seed: int, quick: bool, steps: list[tuple[Any, ...]]) -> int:
    """Return the playouts of a Cheat that twice as many would not improve; every step is added to `steps`."""
    playouts = CHEAT_PLAYOUTS[0]
    for twice in CHEAT_PLAYOUTS[1 : 3 if quick else None]:
        against = CHEAT.format(twice), CHEAT.format(playouts)
        mean = compare(contest, *against, matches, seed, CHEATING)[0].mean
        steps.append((contest.game, twice, playouts, str(mean)))
        if mean.half is None or mean.known - mean.half <= 50:  # twice the resources are not shown to win more
            break
        playouts = twice
    return playouts


def _cells(sides: Mapping[str, Side]) -> tuple[str, ...]:
    return (*(str(side.mean) for side in sides.values()), sides[THEIRS].samplers, sides[OURS].samplers)


def _explain(challenges: Sequence[Challenge], quick: bool) -> Report:
    """Return what helps and what does not, with everything else equal (step 3)."""
    tried = dict(list(CAUSES.items())[:: 5 if quick else 1])
    return Report(
        name="hyperplay-cheat-why",
        title="why more uniform playouts are no better against the Cheat, and what is",
        source="ours",
        settings={
            "Cheat": ", ".join(f"{CHEAT.format(one.playouts)} in {one.contest.game}" for one in reversed(challenges)),
            "seed": challenges[0].seed,
        },
        columns=("game", "what is tried", "player", "matches", "mean goal", "states per decision", "rounds of a match"),
        rows=[_try(challenge, name, spec) for challenge in reversed(challenges) for name, spec in tried.items()],
        remarks=[
            "Uniform replies reward a race: if that is so, decisive playouts are better, and more of them better "
            "still. Noise acted as mixing: if that is so, mixing near-equal moves of many playouts brings back what "
            "few had.",
        ],
    )


def _try(challenge: Challenge, name: str, spec: str) -> tuple[Any, ...]:
    side = challenge.play(spec)
    costs = round(side.states), round(side.seats[0][0].rounds(), 1)
    return (challenge.contest.game, name, spec, challenge.count(spec), str(side.mean), *costs)


def _show_resources(steps: list[tuple[Any, ...]], matches: int, seed: int) -> Report:
    return Report(
        name="hyperplay-cheat-resources",
        title="Cheat against Cheat with fewer playouts",
        source="the slides: a Cheat is fully resourced when more would not make it better",
        settings={"matches": matches, "seed": seed},
        columns=("game", "playouts", "against", "mean goal"),
        rows=steps,
    )
