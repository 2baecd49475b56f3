from veil.games.catalogue import (
    FAMILIES as FAMILIES,
    find_family as find_family,
    instantiate as instantiate,
    parse_spec as parse_spec,
)
from veil.games.family import (
    POINTS as POINTS,
    Family as Family,
    Parameter as Parameter,
    Utility as Utility,
    Value as Value,
)
from veil.games.problems import write_pogddl as write_pogddl
