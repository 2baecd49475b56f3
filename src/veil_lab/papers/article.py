"""The article whose experiments the modules `hyperplay_*` reproduce, and the settings in which they run.

The player `hyperplay` has the better belief by default: exact as long as the infoset fits, then particles. The
article's player has only models that search back. Experiments with HyperPlay run in both settings, a column each, and
say which sampler gave the worlds. HyperPlay-II also runs as it is printed: with HyperGames inside, and with players of
their own in every simulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from veil_lab.series import Series

ARTICLE = "Schofield & Thielscher, General Game Playing with Imperfect Information, JAIR 66 (2019)"
APPENDIX = "the article's own figures are in an appendix that is not among our papers"
NO_APPENDIX = "the figures are in an appendix that is not among our papers; the text gives no numbers"
KRIEG = "simultaneous_krieg_tictactoe(size=4, line=3)"  # the rules of the authors' public file
SMALL_KRIEG = "simultaneous_krieg_tictactoe(size=3, line=3)"
THEIRS, OURS = "article's sampler", "our default"
SAMPLER_OF: Mapping[str, str] = {  # setting -> addition to the spec of a player
    THEIRS: ",sampler=hyperplay,reseed=false,remedy=none",
    OURS: "",
}
HP = "hyperplay:models={0},playouts={1}"
HP2 = "hyperplay2:models={0},simulations={1},nested_models={0},nested_playouts={1},work=1000000000000"
SETTINGS_REMARK = (
    f"{THEIRS}: sampler=hyperplay,reseed=false,remedy=none, as many models as named that search back, nothing else. "
    f"{OURS}: sampler=auto. States visited are those of search, replay, nested beliefs and the updates of the belief."
)


class Variant(NamedTuple):
    """A HyperPlay-II, and the HyperPlay beside it."""

    sampler: str  # addition to the specs of both
    inside: str  # addition to the spec of HyperPlay-II


PRINTED, MEMO = "as printed", "article's sampler, memo"
PRINTED_INSIDE, MEMO_INSIDE = ",nested_sampler=hyperplay,memo=false", ",nested_sampler=states,memo=true"
VARIANT_OF: Mapping[str, Variant] = {  # setting -> the players
    PRINTED: Variant(SAMPLER_OF[THEIRS], PRINTED_INSIDE),
    MEMO: Variant(SAMPLER_OF[THEIRS], MEMO_INSIDE),
    OURS: Variant("", ""),
}
VARIANTS_REMARK = (
    f"{PRINTED}: sampler=hyperplay,reseed=false,remedy=none, HyperPlay-II with nested_sampler=hyperplay,memo=false: "
    "as many HyperGames as named, outside and inside, and players of their own in every simulation. "
    f"{MEMO}: the same sampler outside; inside, merged states, and one decision per record for the whole match. "
    f"{OURS}: sampler=auto; inside, merged states, and players of their own in every simulation. HyperPlay is the same "
    "in the first two. States visited are those of search, replay, nested beliefs and the updates of the belief."
)


def say_size(quick: bool, **sizes: tuple[int, int]) -> list[str]:
    """Return a remark of a quick run, and none of a full one: each size here, and in a full run."""
    if not quick:
        return []
    shown = ", ".join(f"{name.replace('_', ' ')} {here:,} in place of {full:,}" for name, (here, full) in sizes.items())
    return [f"A quick run, to look at and not to compare with: {shown}."]


def say_fewer(quick: bool, matches: int, full: int) -> list[str]:
    """Return a remark of a run with fewer matches than a full one; a quick run has said so."""
    if quick or matches >= full:
        return []
    return [f"{matches:,} matches in place of {full:,}: intervals are wide, and less is shown than a full run shows."]


def say_who_answered(series: Mapping[str, tuple[Series, str]]) -> str:
    """Return a remark that says which samplers gave the worlds, by setting, for a series and a role of it."""
    return "Worlds came from: " + "; ".join(
        f"{setting}: {played.samplers(role)}" for setting, (played, role) in series.items()
    )


def name_columns(*names: str, settings: Iterable[str] = SAMPLER_OF) -> tuple[str, ...]:
    """Return these columns once per setting."""
    return tuple(f"{name}, {setting}" for setting in settings for name in names)
