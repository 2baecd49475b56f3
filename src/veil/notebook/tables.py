"""Games, records, beliefs, policies, solutions, trees, logs and tournaments as tables, for notebooks."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from veil.engine import EMPTY_RECORD
from veil.notebook.boards import draw_belief
from veil.notebook.html import MAX_ROWS, clean, cut_table, paragraph, table
from veil.report import count_things, read_header
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    from veil.belief import GameBag
    from veil.engine import Game, Record
    from veil.equilibrium import GameTree, Policy, Solution
    from veil.match import MatchLog, Mean, TournamentResult

MAX_HEADER = 3  # paragraphs of the comment at the top of the rules


def show_game(game: Game) -> str:
    """Return the name, the roles and the introduction of a game. Nothing is ground or compiled."""
    players = ", ".join(clean(role) for role in game.roles if role != RANDOM)
    chance = "with chance" if RANDOM in game.roles else ""
    about = [
        paragraph(f"<b>{clean(section.name)}</b> {clean(section.text)}" if section.name else clean(section.text))
        for section in read_header(game.rules.source.text)[:MAX_HEADER]
    ]
    return paragraph(f"<b>{clean(game.name)}</b>", f"roles: {players}", chance) + "".join(about)


def show_record(record: Record) -> str:
    """Return the rounds of a record: the own moves and what was seen."""
    head = paragraph(f"<b>{clean(record.role)}</b> was told", "the game is over" if record.over else "")
    if not record.rounds:
        return paragraph(f"<b>{clean(record.role)}</b> was told nothing yet ({EMPTY_RECORD})")
    rows = [(number, move, " ".join(sorted(seen))) for number, (move, seen) in enumerate(record.rounds, 1)]
    return head + table(("round", "own move", "percepts"), rows)


def show_bag(bag: GameBag) -> str:
    """Return a belief: its board if the game has one, its size, and the most likely uncertain fluents."""
    marginals = bag.marginals()
    uncertain = [(fluent, chance) for fluent, chance in marginals.items() if chance < 1.0]
    count = "1 world" if len(bag) == 1 else f"{len(bag):,} worlds"
    size = count if bag.exact or bag.size is None else f"{count} of {bag.size:,}"
    how = "all of them, with exact probabilities" if bag.exact else f"effective size {bag.effective:.4g}"
    facts = paragraph(f"<b>{clean(bag.game.name)}</b>", size, how, "" if bag.exact else clean(bag.sampler))
    rows = cut_table(("may hold", "probability"), uncertain) if uncertain else ""
    return draw_belief(bag.game, marginals) + facts + rows


def show_policy(policy: Policy) -> str:
    """Return a table per role: what it was told, and the probability of each move."""
    parts = [
        paragraph(
            f"<b>{clean(policy.game)}</b>",
            *(f"{clean(name)}: {clean(_short(fact))}" for name, fact in policy.made.items()),
        )
    ]
    for role, rows in policy.table.items():
        shown = list(islice(rows.items(), MAX_ROWS))
        moves = list(dict.fromkeys(move for _, row in shown for move in row))
        lines = [(record, *(row.get(move, "") for move in moves)) for record, row in shown]
        parts.append(table((f"{role} was told", *moves), lines, len(rows) - len(shown)))
    return "".join(parts)


def show_solution(solution: Solution) -> str:
    """Return the value of every role, what a best response wins more, and how the solution was made."""
    best = solution.evaluation.best_value.tolist()
    rows = [(role, value, b - value) for (role, value), b in zip(solution.value.items(), best, strict=True)]
    facts = paragraph(
        f"<b>{clean(solution.game.name)}</b>",
        f"{clean(solution.method)}, {count_things(solution.iterations, 'iteration')} in {solution.seconds:.2f} s",
        f"stopped by {clean(solution.stopped_by)}",
        f"exploitability {solution.exploitability:.3g} {clean(solution.game.utility.unit)}",
    )
    notes = "".join(paragraph(clean(note.message)) for note in solution.notes)
    return facts + table(("role", "value", "a best response wins more"), rows) + notes


def show_tree(tree: GameTree) -> str:
    """Return the size of a game tree, and the infosets of every role."""
    counts = tree.counts()
    facts = paragraph(
        f"<b>{clean(tree.game.name)}</b>",
        f"{counts['nodes']:,} nodes",
        f"{counts['terminals']:,} ends",
        f"depth {counts['depth']}",
    )
    return facts + table(("role", "infosets"), [(role, len(tree.infosets_of(n))) for n, role in enumerate(tree.roles)])


def show_log(log: MatchLog) -> str:
    """Return a match: who played, round by round what everybody did and saw, and the goals."""
    rows = [
        (
            number,
            *(entry.moves.get(role, "") for role in log.roles),
            "; ".join(f"{role}: {' '.join(seen)}" for role, seen in entry.sees.items() if seen),
        )
        for number, entry in enumerate(log.rounds, 1)
    ]
    players = ", ".join(f"{clean(role)}: {clean(spec)}" for role, spec in log.players.items())
    goals = ", ".join(f"{clean(role)} {goal}" for role, goal in log.goals.items())
    head = paragraph(f"<b>{clean(log.game)}</b>", players, f"goals: {goals}", f"seed {log.seed}")
    return head + cut_table(("round", *log.roles, "percepts"), rows)


def show_tournament(result: TournamentResult) -> str:
    """Return a cross table per game: the mean goal of the row against the column."""
    parts = []
    for standing in result.standings:
        others = standing.players if standing.cross else ()
        rows = [
            (spec, _mean(standing.overall[spec]), *(_mean(standing.cross.get((spec, other))) for other in others))
            for spec in standing.players
        ]
        parts.append(paragraph(f"<b>{clean(standing.game)}</b>", f"{len(result.results):,} matches in all"))
        parts.append(table(("player", "mean goal", *(f"against {spec}" for spec in others)), rows))
    return "".join(parts)


def _short(fact: object) -> str:
    return f"{fact:.3g}" if isinstance(fact, float) else str(fact)


def _mean(mean: Mean | None) -> str:
    return "-" if mean is None else str(mean)
