"""A review as a page: sections about the seats, skill and chance, the course of a game, what is hidden, the moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veil._version import __version__
from veil.intervals import LEGEND, find_half_width_of_share
from veil.match import Mean
from veil.report import (
    Bars,
    Curves,
    Figure,
    Histogram,
    PageSection,
    Remark,
    ReportPage,
    Shares,
    Table,
    begin_sentence,
    count_things,
    natural_key,
    show_share,
)
from veil.review.game_review import Review
from veil.review.headline import Scale, describe_luck, describe_skill, find_headline, goal_scale, list_skills
from veil.review.key_facts import list_key_facts
from veil.review.option_worth import OptionWorth
from veil.review.seats import SKILL, SeatReport
from veil.review.solved_game import BEHIND, PLAYED, Mixing, MoveUse, SolvedGame
from veil.vocabulary import RANDOM

MOST_LENGTHS = 120  # bars of a histogram
MOST_MOVES = 24  # rows of the table of moves
DEPENDS = 15.0  # points of 100 between ways of playing that are worth a sentence
MIXES = 0.05  # share of decisions from which on mixing is worth a sentence
MOST_NAMED = 6  # words in a sentence
NOTHING = 0.0005  # a smaller share is not named
DRAWN = 8  # matches from which on a contest is drawn
PLAYERS_COLOUR = 2  # the first colour of charts about who plays; those before it are of roles
SMALL = 0.1  # points of 100: less is not worth a sentence


def make_page(review: Review) -> ReportPage:
    """Return the page of a review; what is not known is left out."""
    headline, summary = find_headline(review)
    scale = goal_scale(review.game)
    sections = [
        _seats(review, scale),
        _skill_and_chance(review, scale),
        _course(review),
        _hidden(review, scale),
        _moves(review, scale),
    ]
    remarks = [
        Remark(
            severity=entry.severity,
            message=entry.message,
            place=str(entry.place) if entry.place else "",
            hint=entry.hint or "",
        )
        for entry in review.findings
    ]
    return ReportPage(
        title=f"Review of {review.game.name}",
        headline=headline,
        summary=summary,
        key_facts=[] if review.soundness.flaws else list(list_key_facts(review, scale)),
        sections=[
            replace(part, sentences=list(map(begin_sentence, part.sentences)))
            for part in sections
            if part.sentences or part.charts or part.figures or part.table
        ],
        remarks=remarks,
        has_remarks_first=bool(review.soundness.flaws),
        notes=_notes(review),
    )


def _notes(review: Review) -> list[str]:
    state = {"running": "It is not finished.", "interrupted": "It was stopped, and shows what was done by then."}
    made = f"Veil {__version__}, seed {review.seed}, {review.seconds:.0f} s. {state.get(review.state, '')}".strip()
    solved = f"Solved by {review.solved.method}." if review.solved is not None else ""
    legend = f"{begin_sentence(LEGEND)}; of a solved game, what a solver may have left."
    return [note for note in (f"{legend} A number without it is exact, or did not vary.", solved, made) if note]


def _seats(review: Review, scale: Scale) -> PageSection:
    """Return who wins, under every kind of play."""
    reports = [report for report in review.seats if any(mean.value is not None for mean in report.goals.values())]
    details = [
        Figure(
            label=f"{role}, {report.name}",
            value=scale.own(mean).value,
            half=scale.own(mean).half,
            unit=scale.unit,
            digits=1 if scale.is_points else 2,
            basis=report.basis,
        )
        for report in reports
        for role, mean in report.goals.items()
    ]
    return PageSection(
        title="Who wins",
        sentences=list(_seat_sentences(review, scale)),
        charts=_seat_charts(reports, scale),
        table=_seat_table(reports, scale),
        details=details,
    )


def _seat_table(reports: Sequence[SeatReport], scale: Scale) -> Table | None:
    """Return a row per contest: the mean goal of every role, equal goals, and what the numbers rest on."""
    if not reports:
        return None
    roles, digits = list(reports[0].goals), 1 if scale.is_points else 2
    has_draws = any(report.draws for report in reports)
    rows = [
        (
            report.name,
            *(scale.own(mean).show(digits) for mean in report.goals.values()),
            *([_show_draws(report)] if has_draws else []),
            report.basis,
        )
        for report in reports
    ]
    unit = "" if scale.unit == "goals" else f" ({scale.unit})"
    named = [f"{role}{unit}" for role in roles]
    return Table(("players", *named, *(["equal goals"] if has_draws else []), "from"), rows)


def _show_draws(report: SeatReport) -> str | None:
    """Return the share of games in which all goals were equal, with its interval."""
    if report.draws is None:
        return None
    half = find_half_width_of_share(report.draws, report.games)
    return Figure(label="", value=100 * report.draws, half=half and 100 * half, unit="%", digits=0).show()


def _is_drawn(report: SeatReport) -> bool:
    """Return whether a chart shows a contest: a few matches are noise."""
    return report.is_exact or report.games >= DRAWN


def _seat_charts(played: Sequence[SeatReport], scale: Scale) -> list[Shares | Bars]:
    """Return a divided bar per contest if two roles share a constant sum; otherwise a bar per role and contest."""
    reports = [report for report in played if _is_drawn(report)]
    if not reports:
        return []
    roles = list(reports[0].goals)
    rows = {
        report.name: [scale.score(mean.known) / 100 for mean in report.goals.values()]
        for report in reports
        if all(mean.value is not None for mean in report.goals.values())
    }
    if len(roles) == 2 and all(abs(sum(row) - 1.0) < 0.005 for row in rows.values()):
        return [Shares(title="Share of the goals", names=roles, rows=rows, has_middle=True)]
    bars = [
        Figure(label=f"{role}, {report.name}", value=mean.value, half=mean.half)
        for report in reports
        for role, mean in report.goals.items()
    ]
    if not bars:
        return []
    colours = [place for _ in reports for place in range(len(roles))]
    low, high = min(0.0, scale.low), max(scale.high, 1.0)
    return [Bars(title="Mean goal", bars=bars, low=low, high=high, colours=colours)]


def _seat_sentences(review: Review, scale: Scale) -> Iterator[str]:
    for one, other in review.symmetric:
        yield f"The rules do not change when {one} and {other} are exchanged, so their seats are equal."
    if review.solved is not None:
        nodes = count_things(review.solved.tree.num_nodes, "node")
        exact = "exact" if review.solved.is_proven else "one of several equilibria, or an approximation"
        yield f"The whole game was solved ({nodes}): results of equal strong players are {exact}."
    yield from _describe_dependence(review, scale)


def _describe_dependence(review: Review, scale: Scale) -> Iterator[str]:
    """Yield a sentence per role whose goals depend on who plays; of two that share a sum, for the first."""
    reports = [report for report in review.seats if report.kind != SKILL and (report.is_exact or report.games >= 8)]
    roles = list(reports[0].goals) if len(reports) > 1 else []
    for role in roles[:1] if _share_a_sum(reports) else roles:
        scores = {
            report.name: scale.score(report.goals[role].known)
            for report in reports
            if report.goals[role].value is not None
        }
        low, high = min(scores, key=lambda name: scores[name]), max(scores, key=lambda name: scores[name])
        if len(scores) > 1 and scores[high] - scores[low] >= DEPENDS:
            yield (
                f"What {role} gets depends on who plays: from {scores[low]:.0f} of 100 ({low}) to "
                f"{scores[high]:.0f} ({high})."
            )


def _share_a_sum(reports: Sequence[SeatReport]) -> bool:
    """Return whether two roles have the same sum of goals in all contests, so that one tells the other."""
    if any(len(each.goals) != 2 or any(mean.value is None for mean in each.goals.values()) for each in reports):
        return False
    sums = [sum(mean.known for mean in each.goals.values()) for each in reports]
    return max(sums, default=0.0) - min(sums, default=0.0) < 1.0


def _skill_and_chance(review: Review, scale: Scale) -> PageSection:
    """Return what skill is worth, and what chance decides."""
    figures, charts = list[Figure](), list[Shares]()
    for skill in filter(lambda skill: skill.is_known, list_skills(review)):
        figures.append(_worth_figure(f"playing well is worth to {skill.role}", skill.gain, skill.basis, scale))
    if review.solved is not None:
        charts += _luck_chart(review.solved)
    luck = review.luck
    if luck is not None and luck.chance is not None and RANDOM in review.game.roles:
        basis = f"{count_things(luck.games, 'random game')} with playouts"
        half = None if luck.half is None else 100 * luck.half
        figures.append(
            Figure(label="chance decides", value=100 * luck.chance, half=half, unit="%", digits=0, basis=basis)
        )
        if luck.both > 0.005:
            label = "chance and players at once"
            figures.append(Figure(label=label, value=100 * luck.both, unit="%", digits=0, basis=basis))
    sentences = [sentence for sentence in (describe_skill(review, scale), describe_luck(review)) if sentence]
    return PageSection(title="Skill and chance", sentences=sentences, charts=charts, figures=figures)


def _luck_chart(solved: SolvedGame) -> list[Shares]:
    """Return the shares of chance and of mixed moves. Who of the players moves last at once would get all of theirs."""
    chance = solved.luck()
    if chance is None or len(solved.roles) < 2:
        return []
    shares = {"chance": chance, "mixed moves of the players": 1.0 - chance}
    shown = {name: share for name, share in shares.items() if share > NOTHING}
    title = "What the result of a game between equal strong players depends on"
    return [
        Shares(title=title, names=list(shown), rows={"the result": list(shown.values())}, first_colour=PLAYERS_COLOUR)
    ]


def _course(review: Review) -> PageSection:
    """Return how long games are, when they are decided, and how they end."""
    tally, figures, charts = review.tally, list[Figure](), list[Histogram | Curves | Bars]()
    contests = [report for report in review.seats if report.kind != SKILL]
    lengths = {report.name: report.lengths for report in contests if report.lengths and _is_drawn(report)}
    for report in contests:
        if report.rounds.value is not None:
            label, mean = f"length, {report.name}", report.rounds
            figures.append(Figure(label=label, value=mean.value, half=mean.half, unit="rounds", basis=report.basis))
    spread = {number for counts in lengths.values() for number in counts}
    if len(spread) > 1 and max(spread) - min(spread) < MOST_LENGTHS:
        charts.append(Histogram(title="Length of a game", x="rounds", series=lengths, first_colour=PLAYERS_COLOUR))
    decided = review.solved.decided() if review.solved is not None else review.luck.decided if review.luck else []
    if len(decided) > 2:
        who = "equal strong players" if review.solved is not None else "random play"
        line = [(number, 100 * share) for number, share in decided]
        title = f"How much of the result is decided after a round, in % ({who})"
        charts.append(Curves(title=title, x="round", y="%", lines={who: line}, high=100, first_colour=PLAYERS_COLOUR))
    comebacks = review.solved.comebacks() if review.solved is not None else None
    if comebacks is not None and review.solved is not None:
        label = "comebacks, equal strong players"
        figures.append(Figure(label=label, value=100 * comebacks, unit="%", basis=review.solved.basis))
    charts += _ends(review)
    for number, role in enumerate(review.game.roles):
        mean = tally.branching(number)
        if mean.value is not None and role != RANDOM:
            basis = count_things(tally.games, "random game")
            label = f"moves per decision of {role}"
            figures.append(Figure(label=label, value=mean.value, half=mean.half, digits=2, basis=basis))
    return PageSection(
        title="The course of a game",
        sentences=list(_course_sentences(review, decided, comebacks)),
        charts=charts,
        figures=figures,
    )


def _course_sentences(review: Review, decided: Sequence[tuple[float, float]], comebacks: float | None) -> Iterator[str]:
    tally = review.tally
    if tally.lengths:
        low, high = min(tally.lengths), max(tally.lengths)
        yield f"Random games last {low} rounds." if low == high else f"Random games last {low} to {high} rounds."
    half = next((number for number, share in decided if share >= 0.5), None)
    if half is not None and len(decided) > 2:
        last = decided[-1][0]
        if half == last:
            yield f"More than half of the result is decided in the last round, round {last:g}."
        else:
            yield f"Half of the result is decided after round {half:g} of at most {last:g}."
    if comebacks is not None:
        behind = f"in which the winner once expected less than {100 * BEHIND:.0f} of 100"
        if comebacks < NOTHING:
            yield f"There are no comebacks, {behind}."
        else:
            yield f"{show_share(comebacks)} of wins are comebacks, {behind}."
    if tally.ended < tally.games:
        yield f"{tally.games - tally.ended} of {tally.games} random games did not end."


def _ends(review: Review) -> list[Bars]:
    """Return how often each rule for `terminal` held at the end of random games."""
    watched = review.watched
    if watched is None or len(watched.ends) < 2:
        return []
    bars = [
        Figure(
            label=f"line {place.line}: {place.text.strip()}",
            value=100 * share,
            half=100 * (find_half_width_of_share(share, watched.games) or 0.0) or None,
            unit="%",
            digits=0,
        )
        for place, share in sorted(watched.ends.items(), key=lambda entry: -entry[1])
    ]
    return [Bars(title=f"Which end comes how often ({watched.games:,} random games)", bars=bars, high=100.0)]


def _hidden(review: Review, scale: Scale) -> PageSection:
    """Return what the roles do not know, and what it is worth to be told."""
    lines, figures, sentences = dict[str, list[tuple[float, float]]](), list[Figure](), list[str]()
    for role, known in review.hidden.items():
        mean = known.mean_bits()
        basis = f"{count_things(mean.matches, 'random game')}, exact beliefs"
        figures.append(
            Figure(label=f"hidden from {role}", value=mean.value, half=mean.half, unit="bits", digits=2, basis=basis)
        )
        by_round = known.by_round()
        if by_round:
            lines[role] = [(float(number), bits) for number, bits in zip(sorted(known.bits), by_round, strict=True)]
        if known.lost:
            lost = count_things(known.lost, "game")
            sentences.append(f"In {lost} the possibilities of {role} became too many to follow.")
    if lines and all(bits < 1e-9 for line in lines.values() for _, bits in line):
        return PageSection(title="What is hidden", sentences=["Nothing is hidden from any role."])
    charts: list[Curves | Bars] = []
    if any(len(line) > 1 for line in lines.values()):
        title = "Bits that a role does not know after a round"
        charts.append(Curves(title=title, x="round", y="bits", lines=lines))
    charts += _worths("What it is worth to be told", review.percept_worths, scale, review)
    for worth in review.percept_worths:
        if worth.needed:
            sentences.append(f"{worth.role} needs {worth.kind} to know its legal moves.")
    useless = [f"{worth.kind} (to {worth.role})" for worth in review.percept_worths if _is_nothing(worth)]
    if useless:
        sentences.append(f"Between strong players these percepts are worth nothing: {_list(useless)}.")
    details = _worth_figures("told to", review.percept_worths, scale)
    return PageSection(title="What is hidden", sentences=sentences, charts=charts, figures=figures, details=details)


def _is_nothing(worth: OptionWorth) -> bool:
    return worth.value is not None and abs(worth.value) < 0.05


def _worths(title: str, worths: Sequence[OptionWorth], scale: Scale, review: Review) -> list[Bars]:
    """Return a bar per kind, in the colour of its role; the title says from what the numbers are."""
    known = [worth for worth in worths if worth.value is not None]
    bars = [
        replace(figure, label=f"{worth.role}: {worth.kind}", basis="", unit="")
        for worth, figure in zip(known, _worth_figures("", known, scale), strict=True)
    ]
    roles = list(review.seats[0].goals)
    colours = [roles.index(worth.role) for worth in known]
    basis = next((worth.basis.partition(",")[0] for worth in worths), "")
    return [Bars(title=f"{title} ({scale.unit}; {basis})", bars=bars, colours=colours)] if bars else []


def _worth_figures(what: str, worths: Sequence[OptionWorth], scale: Scale) -> list[Figure]:
    return [_worth_figure(f"{worth.kind}, {what} {worth.role}", worth, worth.basis, scale) for worth in worths]


def _worth_figure(label: str, worth: Mean | OptionWorth, basis: str, scale: Scale) -> Figure:
    """Return what something is worth in the unit of a game."""
    value, half = scale.size(worth.value), scale.size(worth.half)
    return Figure(label=label, value=value, half=half, unit=scale.unit, digits=2, basis=basis)


def _moves(review: Review, scale: Scale) -> PageSection:
    """Return what moves are worth, how the equilibrium uses them, and how much it mixes."""
    solved, figures, sentences, table = review.solved, list[Figure](), list[str](), None
    charts = _worths("What it is worth to have a kind of move", review.move_worths, scale, review)
    if solved is not None:
        uses = solved.uses()
        sentences += _use_sentences(uses)
        often = _list_often(uses)
        met = sum(use.legal > NOTHING for use in uses)
        table = _use_table(often)
        if len(often) < met:
            sentences.append(f"The table has the {len(often)} of {met} moves that are legal most often.")
        for role, mixing in solved.mixing().items():
            price = scale.size(mixing.price * solved.tree.game.utility.scale) or 0.0
            figures += _mixing_figures(solved, role, mixing, price, scale.unit)
            if mixing.mixed >= MIXES and len(solved.roles) > 1:
                sentences.append(
                    _describe_mixing(role, mixing, f"{price:.2g} {scale.unit}", price * scale.points > SMALL)
                )
    return PageSection(
        title="The moves",
        sentences=sentences,
        charts=charts,
        figures=figures,
        table=table,
        details=_worth_figures("a move of", review.move_worths, scale),
    )


def _describe_mixing(role: str, mixing: Mixing, price: str, is_needed: bool) -> str:
    """Return how much a role mixes, and what it would lose if it did not."""
    share = f"{100 * mixing.mixed:.0f} % of its decisions"
    if is_needed:
        return (
            f"{role} has to be unpredictable at {share}: an opponent who knows its likeliest moves would take {price} "
            "from it."
        )
    return f"{role} mixes its moves at {share}, and need not: it loses nothing if it always plays its likeliest move."


def _mixing_figures(solved: SolvedGame, role: str, mixing: Mixing, price: float, unit: str) -> list[Figure]:
    """Return how much a role mixes, and what it would lose by not mixing."""
    mixed = Figure(
        label=f"decisions that {role} mixes", value=100 * mixing.mixed, unit="%", digits=0, basis=solved.basis
    )
    bits = Figure(label=f"mixing of {role}", value=mixing.bits, unit="bits per decision", digits=2, basis=solved.basis)
    if len(solved.roles) == 1:
        return [mixed, bits]  # nobody could predict it
    basis = "best responses to its likeliest moves"
    label = f"price of predictable play by {role}"
    return [mixed, bits, Figure(label=label, value=price, unit=unit, digits=2, basis=basis)]


def _use_sentences(uses: Sequence[MoveUse]) -> list[str]:
    never = [f"{use.role} {use.move}" for use in uses if use.legal > 0 and use.most < PLAYED and not use.dominated]
    worse = [f"{use.role} {use.move} (by {use.dominated})" for use in uses if use.dominated]
    sentences = []
    if worse:
        sentences.append(f"Worse than another move whatever happens: {_list(worse)}.")
    if never:
        sentences.append(f"Never played in the equilibrium: {_list(never)}.")
    return sentences


def _list_often(uses: Sequence[MoveUse]) -> list[MoveUse]:
    """Return the moves that the equilibrium meets most often, of every role as many, in natural order."""
    roles = list(dict.fromkeys(use.role for use in uses))
    often = []
    for role in roles:
        own = sorted((use for use in uses if use.role == role and use.legal > NOTHING), key=lambda use: -use.legal)
        often += sorted(own[: MOST_MOVES // len(roles)], key=lambda use: natural_key(use.move))
    return often


def _use_table(uses: Sequence[MoveUse]) -> Table | None:
    rows = [
        (use.role, use.move, f"{use.legal:.2f}", f"{100 * use.chosen / use.legal:.0f} %", f"{100 * use.most:.0f} %")
        for use in uses
    ]
    columns = ("role", "move", "legal per game", "chosen where legal", "at most")
    return Table(columns, rows) if rows else None


def _list(words: Sequence[str]) -> str:
    more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return ", ".join(words[:MOST_NAMED]) + more
