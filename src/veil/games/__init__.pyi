from veil.games.catalogue import (
    FAMILIES as FAMILIES,
    find_family as find_family,
    find_utility as find_utility,
    instantiate as instantiate,
    parse_spec as parse_spec,
)
from veil.games.family import (
    FACTS as FACTS,
    POINTS as POINTS,
    WIN_OR_LOSE as WIN_OR_LOSE,
    Family as Family,
    Parameter as Parameter,
    Utility as Utility,
    Value as Value,
)
from veil.games.problems import write_pogddl as write_pogddl
from veil.games.spec import bind as bind, shorten as shorten, split_spec as split_spec
