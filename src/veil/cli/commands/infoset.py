"""`veil infoset`: the histories that a role cannot tell apart, with their probabilities."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.belief import SAMPLERS, believe, explain_record
from veil.cli.call import Options, command
from veil.cli.game_call import GameCall
from veil.cli.moves import read_moves
from veil.cli.options import default_of, limited_number, list_names
from veil.errors import fail
from veil.files import MAX_GAME_BYTES, read_text
from veil.report import Progress, count_things, label_text
from veil.search import ASSUMPTIONS, OPPONENTS, RANDOM_PLAY, assume_opponents, describe_assumption

if TYPE_CHECKING:
    from veil.belief import GameBag
    from veil.engine import Game, Record

COLUMN = 16  # at which texts begin
SHOWN = 12  # most worlds that are printed
SAMPLER: str = default_of(believe, "sampler")
COUNT: int = default_of(believe, "count")
MAX_MARGINALS = 40
NAMES_A_FILE = re.compile(r"[^\s():;]*[./\\][^\s():;]*")

Role = Annotated[str, typer.Option(help="The role that was told something.")]
RecordFile = Annotated[
    str | None,
    typer.Option(
        "--record",
        metavar="RECORD",
        help="What the role was told, like `noop: (card king); bet`, or a file with that or JSON; - is standard input.",
    ),
]
MovesFile = Annotated[
    str | None, typer.Option("--moves", metavar="FILE", help="Instead of a record: all moves, as for `veil trace`.")
]
Sampler = Annotated[str, typer.Option(help=f"{list_names(SAMPLERS)}; `veil samplers` has their options.")]
OpponentModel = Annotated[
    str,
    typer.Option(
        help=f"How the others are taken to play: {', '.join(ASSUMPTIONS)}, or one of {list_names(OPPONENTS)}; "
        "`veil opponents` has their options."
    ),
]
Count = Annotated[int, limited_number("worlds", help="Samples, models or particles.")]
Seconds = Annotated[float | None, limited_number("seconds", help="Give up after this number of seconds.")]


@dataclass(kw_only=True)
class Sampling(Options):
    """The options for finding histories."""

    sampler: Sampler = SAMPLER
    opponents: OpponentModel = RANDOM_PLAY
    count: Count = COUNT
    seconds: Seconds = None


@command
def infoset(
    call: GameCall,
    *,
    role: Role,
    record: RecordFile = None,
    moves: MovesFile = None,
    sampling: Sampling,
) -> None:
    """Print the worlds that explain what a role was told: weights, what is certain, what is possible."""
    from veil.engine import Stopwatch  # help needs none of it

    if (record is None) == (moves is None):
        raise fail("record-or-moves" if record is None else "record-and-moves")
    game = call.game
    told = _read(game, role, record, moves)
    with Progress(f"looking for histories of {game.name}"):
        _ = game.machine
        watch = Stopwatch()
        how = asdict(sampling) | {"opponents": assume_opponents(sampling.opponents, game, call.seed)}
        bag = explain_record(game, told, seed=call.seed, **how)
        spent = watch.seconds()
    call.answer(
        lambda: _as_json(game, told, bag, spent) | _tell_opponents(sampling.opponents),
        lambda: _as_text(game, told, bag, spent, sampling.opponents),
    )


def _tell_opponents(opponents: str) -> dict[str, str]:
    return {"opponents": opponents, "assumption": describe_assumption(opponents)}


def _read(game: Game, role: str, record: str | None, moves: str | None) -> Record:
    """Return the record of the role, from a file with a record or from one with the moves of all roles."""
    from veil.engine import bad_record, read_record, record_of  # help needs none of it

    if record is None:
        return record_of(game, role, read_moves(moves or ""))
    if not _is_file(record):
        return game.record(role, record)
    text = read_text(record, MAX_GAME_BYTES, bad_record)
    is_json = text.lstrip()[:1] in ("[", "{", '"', "")
    return read_record(game, role, text, record) if is_json else game.record(role, text.strip())


def _is_file(record: str) -> bool:
    """Return whether an argument names a file: `-`, a file that exists, or one word with a suffix or a slash."""
    return record == "-" or bool(NAMES_A_FILE.fullmatch(record)) or os.path.exists(record)


def _as_json(game: Game, told: Record, bag: GameBag, seconds: float) -> dict[str, Any]:
    marginals = bag.marginals()
    return {
        "game": game.name,
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


def _as_text(game: Game, told: Record, bag: GameBag, seconds: float, opponents: str) -> str:
    found = count_things(len(bag) if bag.size is None else bag.size, "history", "histories")
    size = found if bag.size is not None else f"{found} found"
    how = "all of them" if bag.exact else f"{len(bag):,} shown by {bag.sampler}, effective size {bag.effective:,.1f}"
    lines = [f"{game.name}: {told.role} after {count_things(len(told.rounds), 'round')}: {size}"]
    lines.append(label_text("told", str(told), COLUMN))
    lines.append(
        label_text("worlds", f"{how}; {count_things(bag.states_visited, 'state')} visited in {seconds:.3f} s", COLUMN)
    )
    lines.append(label_text("weights", describe_assumption(opponents), COLUMN))
    return "\n".join([*lines, *_world_lines(game, bag), *_fluent_lines(game, bag)])


def _world_lines(game: Game, bag: GameBag) -> list[str]:
    """Return lines with the most likely worlds."""
    order = sorted(range(len(bag)), key=lambda world: -bag.weights[world])
    lines = []
    for world in order[:SHOWN]:
        rounds = "; ".join(" ".join(joint.values()) for joint in bag.history(world))
        lines.append(label_text(f"{bag.weights[world]:.6f}", rounds or "the start", COLUMN))
    if len(order) > SHOWN:
        lines.append(label_text("...", f"and {len(order) - SHOWN:,} more; --json has them all", COLUMN))
    return lines


def _fluent_lines(game: Game, bag: GameBag) -> list[str]:
    """Return lines with the fluents that hold in all worlds, and those that hold in some."""
    marginals = bag.marginals()
    certain = " ".join(fluent for fluent, chance in marginals.items() if chance == 1.0)
    uncertain = [f"{fluent} {chance:.3f}" for fluent, chance in marginals.items() if chance != 1.0]
    more = f", and {len(uncertain) - MAX_MARGINALS:,} more" if len(uncertain) > MAX_MARGINALS else ""
    return [
        label_text("certain", certain if bag.exact else f"in all worlds shown: {certain}", COLUMN),
        label_text("possible", ", ".join(uncertain[:MAX_MARGINALS]) + more, COLUMN),
    ]
