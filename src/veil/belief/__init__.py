"""What a role can know: the histories that explain what it was told, each with its probability.

Every sampler keeps to one contract (`protocol.Sampler`): it hears what the role did and saw, round by round, and gives
worlds. None of them ever sees the true state. `SAMPLERS` is the table of them; `believe` leads from a record to a bag.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.belief.bag import (
        Bag as Bag,
        Lineage as Lineage,
        draw_systematic as draw_systematic,
        history_keys as history_keys,
        normalise as normalise,
    )
    from veil.belief.branches import Branches as Branches, branch as branch, policy_log_probs as policy_log_probs
    from veil.belief.cascade import AutoConfig as AutoConfig, Cascade as Cascade, make_auto as make_auto
    from veil.belief.diagnostics import counts_in as counts_in, fit as fit
    from veil.belief.exact import ExactBelief as ExactBelief
    from veil.belief.forward import BATCH as BATCH, RandomBelief as RandomBelief
    from veil.belief.hyperplay import BUDGET as BUDGET, HyperPlayBelief as HyperPlayBelief
    from veil.belief.hyperplay_kernels import judge_some as judge_some
    from veil.belief.hyperplay_records import Shape as Shape
    from veil.belief.particle import ParticleBelief as ParticleBelief
    from veil.belief.protocol import (
        Cost as Cost,
        Growth as Growth,
        NothingExplains as NothingExplains,
        Opponents as Opponents,
        OpponentsNeverPlaySo as OpponentsNeverPlaySo,
        Sampler as Sampler,
        Setting as Setting,
        TooManyWorlds as TooManyWorlds,
        allow_opponents as allow_opponents,
        tell_opponents as tell_opponents,
    )
    from veil.belief.samplers import (
        SAMPLERS as SAMPLERS,
        believe as believe,
        explain_record as explain_record,
        make_sampler as make_sampler,
    )
    from veil.belief.warm import warm_up as warm_up
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "bag": "Bag Lineage draw_systematic history_keys normalise",
            "branches": "Branches branch policy_log_probs",
            "cascade": "AutoConfig Cascade make_auto",
            "diagnostics": "counts_in fit",
            "exact": "ExactBelief",
            "forward": "BATCH RandomBelief",
            "hyperplay": "BUDGET HyperPlayBelief",
            "hyperplay_kernels": "judge_some",
            "hyperplay_records": "Shape",
            "particle": "ParticleBelief",
            "protocol": "Cost Growth NothingExplains Opponents OpponentsNeverPlaySo Sampler Setting "
            "TooManyWorlds allow_opponents tell_opponents",
            "samplers": "SAMPLERS believe explain_record make_sampler",
            "warm": "warm_up",
        },
    )
