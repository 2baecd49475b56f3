"""The article whose experiments the modules `hyperplay_*` reproduce, and the two settings in which they run.

The player `hyperplay` has the better belief by default: exact as long as the infoset fits, then particles. The
article's player has only models that search back. Every experiment with players runs in both settings, a column each,
and says which sampler gave the worlds.
"""

from __future__ import annotations

from collections.abc import Mapping

from veil_lab.series import Series

ARTICLE = "Schofield & Thielscher, General Game Playing with Imperfect Information, JAIR 66 (2019)"
APPENDIX = "the article's own figures are in an appendix that is not among our papers"
NO_APPENDIX = "the figures are in an appendix that is not among our papers; the text gives no numbers"
THEIRS, OURS = "article's sampler", "our default"
SAMPLER_OF: Mapping[str, str] = {  # setting -> addition to the spec of a player
    THEIRS: ",sampler=hyperplay,reseed=false",
    OURS: "",
}
HP = "hyperplay:models={0},playouts={1}"
HP2 = "hyperplay2:models={0},simulations={1},nested_models={0},nested_playouts={1},work=1000000000000"
SETTINGS_REMARK = (
    f"{THEIRS}: sampler=hyperplay,reseed=false, models that search back and nothing else. {OURS}: sampler=auto. "
    "States visited are those of search, replay, nested beliefs and the updates of the belief."
)


def say_size(quick: bool, **sizes: tuple[int, int]) -> list[str]:
    """Return a remark of a quick run, and none of a full one: each size here, and in a full run."""
    if not quick:
        return []
    shown = ", ".join(f"{name.replace('_', ' ')} {here:,} in place of {full:,}" for name, (here, full) in sizes.items())
    return [f"A quick run, to look at and not to compare with: {shown}."]


def say_who_answered(series: Mapping[str, tuple[Series, str]]) -> str:
    """Return a remark that says which samplers gave the worlds, by setting, for a series and a role of it."""
    return "Worlds came from: " + "; ".join(
        f"{setting}: {played.samplers(role)}" for setting, (played, role) in series.items()
    )


def name_columns(*names: str) -> tuple[str, ...]:
    """Return these columns once per setting."""
    return tuple(f"{name}, {setting}" for setting in SAMPLER_OF for name in names)
