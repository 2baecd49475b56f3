"""Findings: what a designer may want to change. Each is a message of the catalogue, with the line if there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veil.engine import Game
from veil.errors import Problem, phrase, problem
from veil.review import RandomTally, WatchedRules, find_dead_rules, find_idle_markers, place_of_rule
from veil.review.hidden import NOTHING, HiddenTally
from veil.review.seats import SeatReport
from veil.vocabulary import RANDOM

NAMES = ("undefined-", "unasked-", "capital-constant")  # codes of warnings of names
MAX_WORDS = 6  # moves or percepts that a message names
MARKER_GAMES = 256
MIN_GAP = 1.0  # goals between exact results that count as a difference
MIN_MATCHES = 5  # before a move counts as never chosen
MIN_ROUNDS = 3  # in which a percept was seen before it is judged


def find_rule_slips(
    game: Game, watched: WatchedRules | None, games: int, seed: int, max_rounds: int
) -> Iterator[Problem]:
    """Yield rules that never fire, those with a common cause together, and turn markers that restrict no role."""
    for idle in find_idle_markers(game, min(games, MARKER_GAMES), seed, max_rounds):
        place = place_of_rule(game, "legal", idle.role)
        share = round(100 * idle.states / max(1, idle.seen))
        yield problem("review-idle-turn", place, marker=idle.marker, role=idle.role, share=share)
    dead = {game.rules.source.place(rule.node.offset) for rule in find_dead_rules(game.rules.rules)}
    causes = [entry for entry in game.rules.problems if entry.code.startswith("undefined-")]
    if dead and causes:
        lines = ", ".join(map(str, sorted({place.line for place in dead})))
        yield problem("review-dead-rules", causes[0].place, lines=lines)
    named = {entry.place.line for entry in game.rules.problems if entry.place and entry.code.startswith(NAMES)}
    for place in () if watched is None else watched.silent:
        if place not in dead and place.line not in named:  # its cause is known
            yield problem("review-silent-rule", place, games=games)
    if watched is None:
        yield problem("review-rules-unwatched")


def find_unused(game: Game, tally: RandomTally, searched: SeatReport | None) -> Iterator[Problem]:
    """Yield moves, goal values and percepts that did not occur in play."""
    names, program = game.names, game.program
    for role_id, role in enumerate(game.roles):
        words, legal = names.moves[role_id], tally.was_legal[role_id]
        never = [word for word, was_legal in zip(words, legal, strict=True) if not was_legal]
        if never:
            place = place_of_rule(game, "legal", role, never[0])
            yield problem("review-never-legal", place, role=role, games=tally.games, words=_list(never))
        if role == RANDOM:
            continue
        reached = {int(row[role_id]) for row in tally.goals}
        missing = [str(value) for value in sorted(set(program.goals[role_id]) - reached)]
        if missing and reached:
            place = place_of_rule(game, "goal", role, missing[0])
            yield problem("review-goal-unreached", place, role=role, games=tally.ended, words=_list(missing))
        if searched is not None and searched.games >= MIN_MATCHES:
            chosen = searched.moves.get(role, set())
            idle = [word for word, was in zip(words, legal, strict=True) if was and word not in chosen]
            if idle:
                yield problem(
                    "review-never-chosen", role=role, games=searched.games, play=searched.play, words=_list(idle)
                )


def find_telling(game: Game, tally: RandomTally, hidden: dict[str, HiddenTally]) -> Iterator[Problem]:
    """Yield roles that are told nothing, and percepts that tell nothing or everything."""
    for role, known in hidden.items():
        role_id = game.names.role_id(role)
        seen = tally.was_seen[role_id]
        if not seen.any():
            bits = known.mean_bits().value
            if tally.decides_later[role_id] and (bits is None or bits > NOTHING):
                yield problem("review-told-nothing", place_of_rule(game, "sees"), role=role)
            continue
        unseen = [word for word, was in zip(game.names.percepts[role_id], seen, strict=True) if not was]
        if unseen:
            yield problem(
                "review-percept-unseen",
                place_of_rule(game, "sees", role, unseen[0]),
                role=role,
                games=tally.games,
                words=_list(unseen),
            )
        often = {word: entry for word, entry in known.percepts.items() if entry.rounds >= MIN_ROUNDS}
        empty = sorted(word for word, entry in often.items() if entry.information <= NOTHING)
        if empty:
            yield problem(
                "review-percept-empty", place_of_rule(game, "sees", role, empty[0]), role=role, words=_list(empty)
            )
        full = sorted(word for word, entry in often.items() if entry.left <= NOTHING and entry.doubtful == entry.rounds)
        if full:
            yield problem(
                "review-percept-full", place_of_rule(game, "sees", role, full[0]), role=role, words=_list(full)
            )


def find_unfair(report: SeatReport) -> Iterator[Problem]:
    """Yield a finding if the intervals of the best and the worst seat do not touch."""
    known = {
        role: mean
        for role, mean in report.goals.items()
        if mean.value is not None and (report.is_exact or mean.half is not None)
    }
    if len(known) < 2:
        return
    best = max(known, key=lambda role: known[role].known)
    worst = min(known, key=lambda role: known[role].known)
    noise = (known[best].half or 0.0) + (known[worst].half or 0.0)
    if known[best].known - known[worst].known > max(noise, MIN_GAP if report.is_exact else 0.0):
        yield problem(
            "review-seats", play=report.name, best=best, worst=worst, high=str(known[best]), low=str(known[worst])
        )


def _list(words: Sequence[str]) -> str:
    """Return the first few words, and how many more there are."""
    more = phrase("and-more-moves", count=len(words)) if len(words) > MAX_WORDS else ""
    return ", ".join(words[:MAX_WORDS]) + more
