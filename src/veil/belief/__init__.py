"""What a role can know: the histories that explain what it was told, each with its probability.

Every belief keeps to one small protocol (`protocol.Belief`): it hears what the role did and saw, round by round, and
gives worlds. None of them ever sees the true state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.belief.auto import AutoBelief as AutoBelief
    from veil.belief.bag import Bag as Bag, drawn as drawn
    from veil.belief.branches import (
        Opponents as Opponents,
    )
    from veil.belief.diagnostics import counts_in as counts_in, fit as fit
    from veil.belief.exact import (
        ExactBelief as ExactBelief,
        NothingExplains as NothingExplains,
        TooManyWorlds as TooManyWorlds,
    )
    from veil.belief.forward import BATCH as BATCH, RandomBelief as RandomBelief
    from veil.belief.hyperplay import BUDGET as BUDGET, HyperPlayBelief as HyperPlayBelief
    from veil.belief.particle import ParticleBelief as ParticleBelief
    from veil.belief.protocol import Belief as Belief
    from veil.belief.samplers import believe as believe
    from veil.belief.warm import warm_up as warm_up

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "auto": "AutoBelief",
        "bag": "Bag drawn",
        "branches": "Opponents",
        "diagnostics": "counts_in fit",
        "exact": "ExactBelief NothingExplains TooManyWorlds",
        "forward": "BATCH RandomBelief",
        "hyperplay": "BUDGET HyperPlayBelief",
        "particle": "ParticleBelief",
        "protocol": "Belief",
        "samplers": "believe",
        "warm": "warm_up",
    },
)
