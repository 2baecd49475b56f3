"""`review_game`: a review of a game for its designer, from its rules alone.

1. Random games in lanes: length, branching, goals of the seats, draws; moves, goals and percepts that never occurred.
2. These games with a fluent per rule: rules that never fire; turn markers that restrict no role.
3. Random games with exact beliefs: bits of uncertainty per role and round; percepts that tell nothing or everything.
4. Matches with the same searcher in all seats; and a solver, if the tree fits.
5. Flaws of the rules (`judge_soundness`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from veil.engine import Game, as_game
from veil.errors import Problem, phrase
from veil.limits import check_limit
from veil.players import PLAYERS
from veil.report import count_things, find_column, label_text
from veil.review import RandomTally, judge_soundness, tally_random_games
from veil.review.findings import find_rule_slips, find_telling, find_unfair, find_unused
from veil.review.hidden import HiddenTally, measure_hidden
from veil.review.seats import ExactSeats, SeatReport, judge_exactly, judge_random, judge_searchers

HIDDEN_SHARE, SEARCH_SHARE, SOLVE_SHARE = 0.2, 0.4, 0.2  # of the seconds
HIDDEN_GAMES = 64  # maximal number of games that are followed with beliefs
METHOD = "cfr+"
MAX_ROUNDS_SHOWN = 12
SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewConfig:
    """Limits on the work of a review."""

    games: int = 1024  # random games
    player: str = "hyperplay:models=20,playouts=10"  # the player in all seats
    matches: int = 20  # maximal number of matches between equal players
    seconds: float = 20.0  # approximate time for beliefs, matches and solving; random games come on top
    max_rounds: int = 1000  # of a game
    max_worlds: int = 20_000  # of a belief that is followed
    max_nodes: int = 2_000_000  # of a tree that is solved

    def __post_init__(self) -> None:
        limits = {"games": "playouts", "matches": "matches", "seconds": "seconds", "max_rounds": "rounds"}
        for name, kind in (limits | {"max_worlds": "histories", "max_nodes": "nodes"}).items():
            check_limit(kind, getattr(self, name), name)
        PLAYERS.parse(self.player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The results of a review."""

    game: Game
    config: ReviewConfig
    tally: RandomTally
    seats: list[SeatReport]  # random play first, then the searcher
    exact: ExactSeats | None  # None if the tree does not fit
    hidden: dict[str, HiddenTally]
    findings: list[Problem]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the review as plain data."""
        lengths = self.tally.lengths
        return {
            "game": self.game.name,
            "games": self.tally.games,
            "unfinished": self.tally.games - self.tally.ended,
            "length": {"mean": sum(lengths) / len(lengths), "min": min(lengths), "max": max(lengths)}
            if lengths
            else None,
            "branching": {role: self.tally.branching(number) for number, role in enumerate(self.game.roles)},
            "seats": [report.as_json() for report in self.seats],
            "exact": self.exact and self.exact.as_json(),
            "hidden": {
                role: {"bits": known.mean_bits(), "bits_by_round": known.by_round(), "beliefs_lost": known.lost}
                for role, known in self.hidden.items()
            },
            "findings": [entry.as_json() | {"severity": entry.severity} for entry in self.findings],
            "seconds": round(self.seconds, 3),
        }

    def as_text(self) -> str:
        """Return the figures as text; the findings are messages and are shown beside it."""
        column = find_column([*self.game.roles, "equal players"])
        lines = [f"{self.game.name}: {count_things(self.tally.games, 'random game')}"]
        lines += [label_text(label, text, column) for label, text in self._facts()]
        return "\n".join(lines)

    def _facts(self) -> list[tuple[str, str]]:
        lengths = self.tally.lengths
        facts = []
        if lengths:
            mean = sum(lengths) / len(lengths)
            facts.append(("length", f"{mean:.1f} rounds in the mean, {min(lengths)} to {max(lengths)}"))
        for number, role in enumerate(self.game.roles):
            branching = self.tally.branching(number)
            facts.append((role, "nothing to decide" if branching is None else f"{branching:.1f} moves per decision"))
        for report in self.seats:
            label = "random play" if report.play == "random" else "equal players"
            facts.append((label, _describe_seats(report)))
        if self.exact is not None:
            value = ", ".join(f"{role} {worth:.4g}" for role, worth in self.exact.value.items())
            how = f"{self.exact.method}, exploitability {self.exact.exploitability:.2g}, {self.exact.nodes:,} nodes"
            facts.append(("solved", f"{value} ({how})"))
        else:
            facts.append(("solved", phrase("review-unsolved", nodes=self.config.max_nodes)))
        facts += [("hidden", f"from {role}: {_describe_hidden(known)}") for role, known in self.hidden.items()]
        return [*facts, ("reviewed in", f"{self.seconds:.1f} s")]


def review_game(game: Game | str | os.PathLike[str], config: ReviewConfig | None = None, *, seed: int = 0) -> Review:
    """Review a game: `print(veil.review_game("kuhn_poker").as_text())`. The findings are in `.findings`."""
    game, config, start = as_game(game), config or ReviewConfig(), perf_counter()
    games, max_rounds = config.games, config.max_rounds
    soundness = judge_soundness(game, seed)
    tally = tally_random_games(game, games, seed, max_rounds)
    by_chance = judge_random(game, tally.goals, tally.lengths)
    slips = list(find_rule_slips(game, games, seed, max_rounds))
    hidden = measure_hidden(
        game,
        min(games, HIDDEN_GAMES),
        seed,
        max_rounds=max_rounds,
        max_worlds=config.max_worlds,
        deadline=perf_counter() + HIDDEN_SHARE * config.seconds,
    )
    searched = None
    if not any(entry.code.startswith("stuck") for entry in soundness.flaws):
        deadline = perf_counter() + SEARCH_SHARE * config.seconds
        searched = judge_searchers(game, config.player, config.matches, seed, max_rounds=max_rounds, deadline=deadline)
    exact = judge_exactly(game, METHOD, max_nodes=config.max_nodes, seconds=SOLVE_SHARE * config.seconds)
    reports = [by_chance] + ([searched] if searched is not None else [])
    findings = [
        *game.rules.problems,
        *soundness.flaws,
        *slips,
        *find_unused(game, tally, searched),
        *find_telling(game, tally, hidden),
        *(finding for report in reports for finding in find_unfair(report)),
    ]
    return Review(
        game=game,
        config=config,
        tally=tally,
        seats=reports,
        exact=exact,
        hidden=hidden,
        findings=sorted(findings, key=lambda entry: SEVERITIES.index(entry.severity)),
        seconds=perf_counter() - start,
    )


def _describe_seats(report: SeatReport) -> str:
    """Return goals, draws and length for one way of playing, as text."""
    if not report.games:
        return "no game has ended"
    goals = ", ".join(f"{role} {mean}" for role, mean in report.goals.items())
    draws = "" if report.draws is None else f"; equal goals in {100 * report.draws:.0f} %"
    rounds = "" if report.rounds is None else f"; {report.rounds:.1f} rounds"
    who = "" if report.play == "random" else f" ({report.play}, {count_things(report.games, 'match', 'matches')})"
    return f"{goals}{draws}{rounds}{who}"


def _describe_hidden(known: HiddenTally) -> str:
    """Return the mean bits, and the bits after each of the first rounds, as text."""
    mean, by_round = known.mean_bits(), known.by_round()
    if mean is None:
        return "not followed: too many worlds from the first round on"
    shown = " ".join(f"{bits:.1f}" for bits in by_round[:MAX_ROUNDS_SHOWN])
    more = " ..." if len(by_round) > MAX_ROUNDS_SHOWN else ""
    lost = f"; {count_things(known.lost, 'belief')} outgrew the limit" if known.lost else ""
    return f"{mean:.1f} bits in the mean; by round {shown}{more}{lost}"
