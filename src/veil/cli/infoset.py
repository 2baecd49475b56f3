"""`veil infoset`: the histories a role cannot tell apart, with their probabilities."""

from __future__ import annotations

import json as json_module
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.options import (
    MAX_MEMORY,
    MAX_RULES,
    MAX_SECONDS,
    GameName,
    Json,
    MaxMemory,
    MaxRules,
    MaxSeconds,
    Seed,
    load_game,
)
from veil.cli.output import busy, labelled, print_json, print_problems
from veil.cli.trace import read_moves, read_text
from veil.errors import VeilError, fail

if TYPE_CHECKING:
    from veil.belief import Bag
    from veil.engine import Game, Record

SHOWN = 12  # worlds
MAX_MARGINALS = 40
WIDE = 16

Role = Annotated[str, typer.Option(help="Whose view.")]
RecordFile = Annotated[
    str | None,
    typer.Option("--record", metavar="FILE", help="What the role was told, as JSON; - reads standard input."),
]
MovesFile = Annotated[
    str | None, typer.Option("--moves", metavar="FILE", help="Or the joint moves of all, as for `veil trace`.")
]
Sampler = Annotated[str, typer.Option(help="exact, random, hyperplay, particle or auto.")]
Count = Annotated[int, typer.Option(min=1, help="Samples, models or particles.")]
Seconds = Annotated[float | None, typer.Option(help="Give up after so many seconds.")]


def infoset(
    game: GameName,
    role: Role,
    record: RecordFile = None,
    moves: MovesFile = None,
    sampler: Sampler = "auto",
    count: Count = 1000,
    seconds: Seconds = None,
    json: Json = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Print the worlds that explain what a role was told: weights, what is certain, what is possible."""
    if (record is None) == (moves is None):
        raise fail("record-or-moves")
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    told = _read(loaded, role, record, moves)
    from veil.belief import believe
    from veil.engine import Record

    with busy(f"looking for histories of {loaded.name}"):
        _ = loaded.machine
        start = perf_counter()
        try:
            bag = believe(loaded, told, sampler, count=count, seed=seed, seconds=seconds)
        except VeilError as error:
            # A record that does not say so may be of a game that has ended: then its last round is explained that way.
            if told.over or not told.rounds or error.problems[0].code not in ("unexplained", "belief-lost"):
                raise
            ended = Record(told.role, told.rounds, over=True)
            try:
                bag = believe(loaded, ended, sampler, count=count, seed=seed, seconds=seconds)
            except VeilError:
                raise error from None
        spent = perf_counter() - start
    print_problems(loaded.warnings)
    if json:
        print_json(_as_json(loaded, told, bag, spent))
    else:
        print(_as_text(loaded, told, bag, spent))


def _read(loaded: Game, role: str, record: str | None, moves: str | None) -> Record:
    from veil.engine import bad_record, read_record, record_of

    if moves is not None:
        return record_of(loaded, role, read_moves(moves))
    assert record is not None
    try:
        value = json_module.loads(read_text(record, "bad-record"))
    except (ValueError, RecursionError) as error:
        raise bad_record(record, f"not JSON: {error}") from None
    return read_record(loaded, role, value, record)


def _as_json(loaded: Game, told: Record, bag: Bag, seconds: float) -> dict[str, Any]:
    marginals = bag.marginals()
    return {
        "game": loaded.name,
        "role": told.role,
        "round": len(told.rounds),
        "size": bag.size,
        "exact": bag.exact,
        "sampler": bag.sampler,
        "worlds": [{"history": bag.history(world), "weight": float(bag.weights[world])} for world in range(len(bag))],
        "certain": [fluent for fluent, chance in marginals.items() if chance == 1.0],
        "possible": list(marginals),
        "marginals": marginals,
        "states_visited": bag.states_visited,
        "seconds": seconds,
    }


def _as_text(loaded: Game, told: Record, bag: Bag, seconds: float) -> str:
    size = f"{bag.size:,} histories" if bag.size is not None else f"{len(bag):,} histories found"
    how = "all of them" if bag.exact else f"{len(bag):,} shown by {bag.sampler}, effective size {bag.effective:,.1f}"
    lines = [f"{loaded.name}: {told.role} after {len(told.rounds)} rounds: {size}"]
    lines.append(labelled("told", str(told), WIDE))
    lines.append(labelled("worlds", f"{how}; {bag.states_visited:,} states visited in {seconds:.3f} s", WIDE))
    order = sorted(range(len(bag)), key=lambda world: -bag.weights[world])
    for world in order[:SHOWN]:
        rounds = "; ".join(" ".join(joint.values()) for joint in bag.history(world))
        lines.append(labelled(f"{bag.weights[world]:.6f}", rounds or "the start", WIDE))
    if len(order) > SHOWN:
        lines.append(labelled("...", f"and {len(order) - SHOWN:,} more; --json has them all", WIDE))
    marginals = bag.marginals()
    certain = [fluent for fluent, chance in marginals.items() if chance == 1.0]
    open_ones = {fluent: chance for fluent, chance in marginals.items() if chance != 1.0}
    lines.append(
        labelled("certain", " ".join(certain) if bag.exact else f"in all worlds shown: {' '.join(certain)}", WIDE)
    )
    likely = [f"{fluent} {chance:.3f}" for fluent, chance in list(open_ones.items())[:MAX_MARGINALS]]
    more = f", and {len(open_ones) - len(likely):,} more" if len(open_ones) > len(likely) else ""
    lines.append(labelled("possible", ", ".join(likely) + more, WIDE))
    return "\n".join(lines)
