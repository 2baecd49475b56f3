"""The common settings of the OOS paper's experiments: its games, players and budgets, and its printed figures."""

from __future__ import annotations

from typing import NamedTuple

PAPER = (
    "Lisý, Lanctot & Bowling, Online Monte Carlo Counterfactual Regret Minimization for Search in Imperfect "
    "Information Games (2015)"
)
GOOFSPIEL, DICE, POKER = "II-GS(6)", "LD(1,1)", "GP(3,3,2,2)"
LARGE_GOOFSPIEL, LARGE_DICE, LARGE_POKER = "II-GS(13)", "LD(2,2)", "GP(4,6,4,4)"
GAMES = {  # the paper's name -> ours
    GOOFSPIEL: "ii_goofspiel(cards=6, order=ascending, lowest=0)",
    DICE: "liars_dice(dice1=1, dice2=1, faces=6)",
    POKER: "generic_poker(types=3, copies=3, raises=2, bets=2)",
    LARGE_GOOFSPIEL: "ii_goofspiel(cards=13, order=ascending, lowest=0)",
    LARGE_DICE: "liars_dice(dice1=2, dice2=2, faces=6)",
    LARGE_POKER: "generic_poker(types=4, copies=6, raises=4, bets=4)",
}
QUICK_GAMES = {  # games of the same kinds, small enough for a quick look
    GOOFSPIEL: "ii_goofspiel(cards=3, order=ascending, lowest=0)",
    DICE: "liars_dice(dice1=1, dice2=1, faces=2)",
    POKER: "generic_poker(types=2, copies=2, raises=1, bets=1)",
    LARGE_GOOFSPIEL: "ii_goofspiel(cards=4, order=ascending, lowest=0)",
    LARGE_DICE: "liars_dice(dice1=1, dice2=1, faces=3)",
    LARGE_POKER: "generic_poker(types=2, copies=2, raises=1, bets=2)",
}
SMALLER = "Smaller games of the same kind and less work than in the paper: to look, not to compare."
SMALL = (GOOFSPIEL, DICE, POKER)
POKER_VALUE = -0.1114  # chips of the first player; a linear program over GP(3,3,2,2) gives -0.111353
OOS_IST, OOS_PST = (f"oos:target={target},delta=0.9,epsilon=0.4" for target in ("ist", "pst"))
UCT, RM = "ismcts:select=uct", "ismcts:select=rm"
# What the public program of the authors does where the text is silent, or says something else (docs: online search).
PROGRAM_WALKS = "ties=first,grow=history,renew=true,starts=memory,lost=random"
PROGRAM_GAMMA = 0.1


class MoveBudget(NamedTuple):
    """The budget of a move."""

    seconds: float  # as in the paper
    pace: dict[str, int]  # states that OOS, UCT and RM visit per second on one core

    def count_states(self, seconds: float | None = None) -> dict[str, int]:
        """Return as many states as the players visit in `seconds` seconds, or in those of the paper."""
        return {name: round(pace * (seconds or self.seconds)) for name, pace in self.pace.items()}


# Players have no clock: with states a seed gives one result on any machine, busy or not, with any number of workers.
# The paper gives equal time to its players, and they are not equally fast, so each has its own number of states, by
# the paces that `python benchmarks/bench_paces.py` has measured.
BUDGETS = {
    GOOFSPIEL: MoveBudget(0.1, {"OOS": 7_500_000, "UCT": 6_900_000, "RM": 7_600_000}),
    DICE: MoveBudget(0.1, {"OOS": 5_900_000, "UCT": 4_800_000, "RM": 6_300_000}),
    POKER: MoveBudget(0.1, {"OOS": 6_900_000, "UCT": 5_300_000, "RM": 7_300_000}),
    LARGE_GOOFSPIEL: MoveBudget(1.0, {"OOS": 1_600_000, "UCT": 1_850_000, "RM": 1_730_000}),
    LARGE_DICE: MoveBudget(5.0, {"OOS": 2_760_000, "UCT": 2_000_000, "RM": 2_110_000}),
    LARGE_POKER: MoveBudget(1.0, {"OOS": 2_550_000, "UCT": 1_800_000, "RM": 1_760_000}),
}
BUDGET_REMARK = (
    "How many walks the paper's program made in its time is not known. Ours may be many times as many, and the cells "
    "depend on it: oos-fig4-budgets."
)
IN_FULL = "In full"  # how the remark on the cost of a run as large as the paper's begins
QUICK_STATES = 2000
MATCHES, QUICK_MATCHES = 500, 4  # per cell


class Extent(NamedTuple):
    """The amount of play and of work."""

    seed: int
    quick: bool
    matches: int
    seconds: float | None = None  # per move; None: as in the paper

    @classmethod
    def choose(cls, seed: int, quick: bool, matches: int | None, seconds: float | None, usual: int = MATCHES) -> Extent:
        """Return the extent with the given number of matches, or the usual one, or a few."""
        return cls(seed, quick, matches or (QUICK_MATCHES if quick else usual), seconds)

    def choose_states(self, game: str) -> dict[str, int]:
        """Return the states that OOS, UCT and RM visit for a move of a game, by the paper's name."""
        if self.quick:
            return dict.fromkeys(BUDGETS[game].pace, QUICK_STATES)
        return BUDGETS[game].count_states(self.seconds)

    def tell_work(self, game: str) -> list[str]:
        """Return a remark on the work of a move."""
        if self.quick:
            return [SMALLER]
        paper, ours = BUDGETS[game].seconds, self.seconds or BUDGETS[game].seconds
        note = "" if ours == paper else f", where the paper has {paper:g} s"
        return [f"A move takes as many states as {ours:g} s on one core{note}."]

    def tell_hours(self, game: str, moves: float, cells: int) -> list[str]:
        """Return a remark on what cells with `moves` moves per match cost in full, if this run is smaller."""
        paper = BUDGETS[game].seconds
        if self.quick or (self.matches >= MATCHES and (self.seconds or paper) >= paper):
            return []
        hours = count_hours(moves, paper, cells)
        return [
            f"{IN_FULL}, {MATCHES} matches per cell and moves of {paper:g} s, these cells take {hours:,.0f} hours of "
            f"one core: a match had {moves:.1f} moves of searchers."
        ]


def count_hours(moves: float, seconds: float, cells: int = 1) -> float:
    """Return the hours of one core that cells take with the paper's matches, of `moves` moves of `seconds` each."""
    return MATCHES * cells * moves * seconds / 3600


def name_player(kind: str, **options: object) -> str:
    """Return a spec with further options: `name_player("ismcts:select=uct", iterations=100)`."""
    more = ",".join(f"{name}={value}" for name, value in options.items())
    if not more:
        return kind
    return f"{kind},{more}" if ":" in kind else f"{kind}:{more}"


def choose_games(quick: bool) -> dict[str, str]:
    """Return our games by the paper's names."""
    return QUICK_GAMES if quick else GAMES


class PrintedCell(NamedTuple):
    """A cell of figure 4: mean and half of a 95 % interval, as the paper prints them."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:g} ± {self.half:g}"

    def meets(self, mean: float, half: float) -> bool:
        """Return whether this interval and another one have a number in common."""
        return abs(self.mean - mean) <= self.half + half


COLUMNS = ("OOS", "UCT", "RM", "RND")  # the row moves first
_PRINTED = {
    GOOFSPIEL: """
        49.3(2.7) 50.0(1.3) 50.5(1.3) 83.1(1.5)
        51.2(2.2) 62.9(2.6) 62.7(2.5) 84.0(2.1)
        52.3(1.4) 70.6(1.7) 73.1(2.1) 87.8(1.4)
        17.1(2.2) 15.7(2.2) 10.3(1.8) 49.7(3.0)""",
    DICE: """
        48.5(2.0) 51.7(2.0) 56.8(2.8) 83.3(1.5)
        45.7(2.0) 49.7(2.0) 52.9(2.8) 87.2(1.3)
        47.9(2.8) 49.0(2.8) 54.3(2.8) 84.8(2.0)
        16.9(1.5) 19.5(1.6) 18.1(2.2) 47.7(2.0)""",
    POKER: """
        0.25(0.53) -0.45(0.10) -0.40(0.10) 1.85(0.16)
        0.53(0.10) 0.21(0.15) 0.20(0.15) 1.35(0.36)
        0.39(0.13) 0.21(0.40) -0.12(0.32) 1.75(0.44)
        -2.17(0.20) -2.22(0.54) -3.24(0.55) 1.07(0.61)""",
    LARGE_GOOFSPIEL: """
        49.2(2.5) 28.3(3.9) 35.1(4.2) 83.0(3.2)
        69.2(4.0) 70.0(2.8) 61.0(3.0) 90.6(1.8)
        67.5(4.0) 73.8(2.7) 67.5(2.9) 92.8(1.5)
        19.6(3.4) 6.2(1.5) 4.9(1.3) 49.0(3.0)""",
    LARGE_DICE: """
        49.9(3.7) 55.4(2.3) 53.3(3.7) 91.3(1.7)
        49.8(2.2) 56.2(3.1) 49.8(3.1) 93.7(1.5)
        53.3(3.5) 51.7(4.0) 51.0(4.0) 88.7(2.0)
        7.3(1.6) 12.9(2.1) 12.7(2.1) 47.3(3.0)""",
    LARGE_POKER: """
        -0.54(0.47) -1.79(0.27) -2.19(0.32) 8.36(0.54)
        -0.07(0.35) 0.22(0.10) -0.76(0.18) 9.48(0.40)
        -0.12(0.38) -0.28(0.17) -0.97(0.22) 9.09(0.44)
        -3.25(0.43) -3.91(0.27) -4.12(0.31) 2.51(0.51)""",
}


def read_printed(game: str) -> dict[tuple[str, str], PrintedCell]:
    """Return the cells of figure 4 for a game: (first mover, second mover) -> what the paper prints."""
    rows = [line.split() for line in _PRINTED[game].strip().splitlines()]
    cells = {}
    for first, row in zip(COLUMNS, rows, strict=True):
        for second, text in zip(COLUMNS, row, strict=True):
            mean, _, half = text.rstrip(")").partition("(")
            cells[first, second] = PrintedCell(float(mean), float(half))
    return cells
