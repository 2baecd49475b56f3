"""A hint: what a player would do in the place of the person, with its reasons, from what the person was told alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil.cli.player_reports import describe_report
from veil.errors import fail
from veil.report import label_text

if TYPE_CHECKING:
    from veil.engine import Game, Record
    from veil.players import Observation, Player

PLAYER = "hyperplay:models=100,playouts=30"  # where the person names none
INDENT = 10


def find_hint(game: Game, record: Record, legal: tuple[str, ...], spec: str = "", seed: int = 0) -> list[str]:
    """The move that a player suggests after this record, and why, as lines. Who sees the true state is refused."""
    from veil.players import (
        LEGAL_MOVES,
        PERSON,
        TRUE_STATE,
        Observation,
        Seat,
        TakesLegalMoves,
        make_player,
        needs_of_spec,
    )

    spec = spec or PLAYER
    needs = needs_of_spec(spec)
    if needs & {TRUE_STATE, PERSON}:
        raise fail("no-hint-by", spec=spec)
    player = make_player(spec)
    player.start(Seat(game=game, role=record.role, seed=seed))  # no clock: its budget decides
    observations: list[Observation | None] = [None, *(Observation(*entry) for entry in record.rounds)]
    if LEGAL_MOVES not in needs:  # others have no memory: they need only the moves of now
        _catch_up(player, observations[:-1])
    if isinstance(player, TakesLegalMoves):
        player.offer(list(legal))
    move = player.play(observations[-1])
    report = player.report()
    return [
        label_text("hint", f"{move}, says {spec}", INDENT),
        *(label_text("", line, INDENT) for line in _why(report)),
    ]


def _catch_up(player: Player, observations: list[Observation | None]) -> None:
    """Let a player hear the rounds before; one that cannot is asked, and not listened to."""
    from veil.players import HearsRounds

    tell = player.hear if isinstance(player, HearsRounds) else player.play
    for observation in observations:
        tell(observation)


def _why(report: Any) -> list[str]:
    """The values of the moves, what they rest on, and the mixed strategy where it is one."""
    lines = describe_report(report)
    strategy = report.get("strategy") if isinstance(report, dict) else None
    if isinstance(strategy, dict):
        mixed = {move: share for move, share in strategy.items() if isinstance(share, float) and 0.0 < share < 1.0}
        likeliest = sorted(mixed.items(), key=lambda entry: -entry[1])[:6]
        if likeliest:
            lines.append("mixes " + ", ".join(f"{move} {100 * share:.0f} %" for move, share in likeliest))
    return lines
