"""HyperPlay against the Cheat, who is shown the true state: models x playouts, and why more of them were no better.

1. The Cheat is fully resourced: its playouts are doubled as long as twice as many win against as many.
2. HyperPlay plays against it with every number of models and of playouts, with the article's sampler, with our default,
   and with our default and playouts in which everybody takes a win that is at hand (`playout=decisive`).
3. In Blind Breakthrough more uniform playouts make HyperPlay worse. Two explanations are put to the test, each by a
   change that leaves everything else as it was. "Random replies reward a race": then playouts with replies that punish
   it are better, and the better the more there are. "The noise of few playouts acted as a mixed strategy": then many
   playouts with near-equal moves drawn at random (`mix=`) are as good as few.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from veil.lab.papers.article import ARTICLE, HP, OURS, SAMPLER_OF, SETTINGS_REMARK, THEIRS
from veil.lab.papers.contests import AGAINST, Contest, Side, compare
from veil.match import MatchConfig
from veil.report import Report, draw_lines

CHEAT = "cheat:models=1,playouts={0}"
CHEATING = MatchConfig(allow_cheat=True)
CHEAT_PLAYOUTS = (4, 8, 16, 32, 64, 128, 256, 512)
DECISIVE = f"{OURS}, decisive"
PLAYERS = {**SAMPLER_OF, DECISIVE: ",playout=decisive"}  # setting -> what it adds to the spec of HyperPlay
CONTESTS = (
    Contest("krieg_tictactoe(size=3)", ("xplayer", "oplayer"), AGAINST),
    Contest("blind_breakthrough(width=5, height=5)", ("white", "black"), AGAINST),
)
SMALL, LARGE = HP.format(8, 8), HP.format(64, 64)
CAUSES = {  # what is tried: the player
    "few uniform playouts": SMALL,
    "many uniform playouts": LARGE,
    "many, moves within 3 % are mixed": f"{LARGE},mix=0.03",
    "many, moves within 10 % are mixed": f"{LARGE},mix=0.1",
    "many, moves within 20 % are mixed": f"{LARGE},mix=0.2",
    "few decisive playouts": f"{SMALL},playout=decisive",
    "few careful playouts": f"{SMALL},playout=careful",
    "many decisive playouts": f"{LARGE},playout=decisive",
    "many decisive ones, moves within 3 % are mixed": f"{LARGE},playout=decisive,mix=0.03",
    "many uniform playouts, opponents read": f"{LARGE},opponents=hyperplay",
    "decisive playouts, opponents read": f"{HP.format(64, 16)},playout=decisive,opponents=hyperplay",
    "perfect-information search in every world": "pimc:worlds=20,iterations=300",
}


class Challenge(NamedTuple):
    """A game, and how the matches against its Cheat are played."""

    contest: Contest
    cheat: str
    matches: int
    seed: int

    def play(self, spec: str) -> Side:
        """What a player gets against the Cheat, in both seats."""
        return compare(self.contest, spec, self.cheat, self.matches, self.seed, CHEATING)[0]


def cheat(seed: int = 0, quick: bool = False) -> Report:
    """HyperPlay against the Cheat over a grid of models and playouts."""
    matches, sizes = (4, (1, 8)) if quick else (100, (1, 8, 64))
    steps: list[tuple[Any, ...]] = []
    rows: list[tuple[Any, ...]] = []
    lines: dict[str, list[float]] = {}
    challenges = []
    for contest in CONTESTS:
        playouts = find_resources(contest, 6 * matches, seed, quick, steps)
        challenges.append(Challenge(contest, CHEAT.format(playouts), matches, seed))
        for models in sizes:
            for count in sizes:
                sides = {name: challenges[-1].play(HP.format(models, count) + more) for name, more in PLAYERS.items()}
                rows.append((contest.game, models, count, playouts, *_cells(sides)))
                if models == count:
                    for name, side in sides.items():
                        lines.setdefault(f"{contest.game}, {name}", []).append(side.mean.known)
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
        rows=rows,
        remarks=[
            "Theirs are in an appendix that is not among our papers; the slides say that the models are a credible "
            "substitute for the true game and competitive even against a Cheat. 50 would be as good as the Cheat.",
            SETTINGS_REMARK,
            f"{DECISIVE}: playout=decisive, in playouts everybody takes a move that wins at once.",
        ],
        figures={"hyperplay-cheat.png": lambda path: draw_lines(path, sizes, lines, "models = playouts", "mean goal")},
        parts=[_explain(challenges[-1], quick), _show_resources(steps, 6 * matches, seed)],
    )


def find_resources(contest: Contest, matches: int, seed: int, quick: bool, steps: list[tuple[Any, ...]]) -> int:
    """Playouts of a Cheat whom twice as many would not make better; every step is added to `steps`."""
    playouts = CHEAT_PLAYOUTS[0]
    for twice in CHEAT_PLAYOUTS[1 : 3 if quick else None]:
        against = CHEAT.format(twice), CHEAT.format(playouts)
        mean = compare(contest, *against, matches, seed, CHEATING)[0].mean
        steps.append((contest.game, twice, playouts, str(mean)))
        if mean.known - (mean.half or 0.0) <= 50:  # twice the resources win no more
            break
        playouts = twice
    return playouts


def _cells(sides: dict[str, Side]) -> tuple[str, ...]:
    return (*(str(side.mean) for side in sides.values()), sides[THEIRS].samplers, sides[OURS].samplers)


def _explain(challenge: Challenge, quick: bool) -> Report:
    """Step 3: what helps and what does not, everything else being equal."""
    tried = dict(list(CAUSES.items())[:: 5 if quick else 1])
    rows = []
    for name, spec in tried.items():
        side = challenge.play(spec)
        rows.append((name, spec, str(side.mean), round(side.states), round(side.seats[0][0].rounds(), 1)))
    return Report(
        name="hyperplay-cheat-why",
        title=f"why more uniform playouts are no better against the Cheat in {challenge.contest.game}",
        source="ours",
        settings={"matches": challenge.matches, "Cheat": challenge.cheat, "seed": challenge.seed},
        columns=("what is tried", "player", "mean goal", "states per decision", "rounds of a match"),
        rows=rows,
        remarks=[
            "Uniform replies reward a race: if that is so, decisive playouts are better, and more of them better "
            "still. Noise acted as mixing: if that is so, mixing near-equal moves of many playouts brings back what "
            "few had.",
        ],
    )


def _show_resources(steps: list[tuple[Any, ...]], matches: int, seed: int) -> Report:
    return Report(
        name="hyperplay-cheat-resources",
        title="Cheat against Cheat with fewer playouts",
        source="the slides: a Cheat is fully resourced when more would not make it better",
        settings={"matches": matches, "seed": seed},
        columns=("game", "playouts", "against", "mean goal"),
        rows=steps,
    )
