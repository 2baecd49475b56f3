from veil.belief.bag import (
    Bag as Bag,
    GameBag as GameBag,
    Lineage as Lineage,
    draw_systematic as draw_systematic,
    history_keys as history_keys,
    normalise as normalise,
)
from veil.belief.branches import branch as branch, policy_log_probs as policy_log_probs
from veil.belief.cascade import Cascade as Cascade, SearchesOn as SearchesOn, make_auto as make_auto
from veil.belief.configs import AutoConfig as AutoConfig
from veil.belief.contract import (
    CatchesUp as CatchesUp,
    Cost as Cost,
    CountsStates as CountsStates,
    NoConsistentHistory as NoConsistentHistory,
    Opponents as Opponents,
    RecordStep as RecordStep,
    Sampler as Sampler,
    SamplerContext as SamplerContext,
    TooManyWorlds as TooManyWorlds,
    ZeroLikelihood as ZeroLikelihood,
    tell_opponents as tell_opponents,
)
from veil.belief.diagnostics import counts_in as counts_in, fit as fit
from veil.belief.exact import ExactBelief as ExactBelief
from veil.belief.hyperplay.sampler import BUDGET as BUDGET, HyperPlayBelief as HyperPlayBelief
from veil.belief.hyperplay.search_kernels import judge_some as judge_some
from veil.belief.particle import ParticleBelief as ParticleBelief
from veil.belief.precompile import warm_up as warm_up
from veil.belief.rejection import BATCH as BATCH, RejectionSampler as RejectionSampler
from veil.belief.samplers import (
    COUNT as COUNT,
    SAMPLERS as SAMPLERS,
    believe as believe,
    explain_record as explain_record,
    make_sampler as make_sampler,
)
from veil.belief.tracker import BeliefTracker as BeliefTracker, RoundClock as RoundClock
