"""The table of solvers: names, options, specs."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tests.support.equilibrium_games import prepared
from tests.support.refusals import refused
from veil.equilibrium.solver_run import solve
from veil.equilibrium.solvers import SEED, SOLVERS

# Every row of the table, and every option with a value that is not its default.
OPTIONS: dict[str, dict[str, Any]] = {
    "its": {},
    "xfp": {},
    "cfr": {"alternating": False, "average_power": 0.5},
    "cfr+": {"alternating": False, "average_power": 2.0},
    "dcfr": {"alternating": False, "average_power": 1.0, "alpha": 2.0, "beta": -1.0},
    "pcfr+": {"alternating": False, "average_power": 1.0},
    "pdcfr+": {"alternating": False, "average_power": 1.0, "alpha": 1.5},
    "hs-pcfr+": {"alternating": False, "average_power": 15.0, "horizon": 10},
    "es-mccfr": {},
    "os-mccfr": {"explore": 0.4},
    "lp": {"refine": "mistakes"},
}
REACHABLE = [(name, option) for name, options in OPTIONS.items() for option in options]


def test_the_solvers_are_these() -> None:
    assert list(SOLVERS) == [
        "its",
        "xfp",
        "cfr",
        "cfr+",
        "dcfr",
        "pcfr+",
        "pdcfr+",
        "hs-pcfr+",
        "es-mccfr",
        "os-mccfr",
        "lp",
    ]
    assert SOLVERS.names() == "its, xfp, cfr, cfr+, dcfr, pcfr+, pdcfr+, hs-pcfr+, es-mccfr, os-mccfr, lp"


def test_listing_the_table_with_its_options_does_not_import_numba() -> None:
    code = "import sys; from veil.equilibrium import SOLVERS; SOLVERS.names(); [SOLVERS[n].summary for n in SOLVERS];"
    code += "[SOLVERS.options(name) for name in SOLVERS]; print('numba' in sys.modules)"
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert listed.stdout == "False\n"


@pytest.mark.parametrize("name", list(SOLVERS))
def test_a_row_has_these_options_and_every_one_says_what_it_means(name: str) -> None:
    options = SOLVERS.options(name)
    assert {option.name for option in options} == OPTIONS[name].keys()
    assert all(option.about for option in options)
    assert SOLVERS[name].summary


@pytest.mark.parametrize(("name", "option"), REACHABLE)
def test_every_option_is_reachable_typed_and_has_an_effect(name: str, option: str) -> None:
    value = OPTIONS[name][option]
    config = SOLVERS.parse(f"{name}:{option}={str(value).lower()}").config
    assert getattr(config, option) == value
    assert type(getattr(config, option)) is type(value)
    entry = prepared("kuhn_poker")
    plain, other = SOLVERS.make(name, entry, 1), SOLVERS.make(f"{name}:{option}={value}", entry, 1)
    for solver in (plain, other):
        solver.run(50)
    assert not np.array_equal(plain.average(), other.average())


@pytest.mark.parametrize("name", list(SOLVERS))
def test_what_a_row_makes_is_a_solver(name: str) -> None:
    entry = prepared("kuhn_poker")
    solver = SOLVERS.make(name, entry, 0)
    assert solver.iterations == 0
    assert solver.average().tolist() == [0.5] * 24
    solver.run(1)
    assert solver.iterations == 1
    assert solver.is_exact == (name == "lp")
    assert np.add.reduceat(solver.average(), entry.form.slot_start[:-1]) == pytest.approx(1)


@pytest.mark.parametrize("name", list(SOLVERS))
def test_a_row_says_whether_its_result_depends_on_the_seed(name: str) -> None:
    """In matching pennies uniform play is an equilibrium: whoever breaks ties by the seed leaves it differently."""
    results = set()
    for seed in range(8):
        solver = SOLVERS.make(name, prepared("matching_pennies"), seed)
        solver.run(3)
        results.add(solver.average().tobytes())
    assert (len(results) > 1) == (SEED in SOLVERS[name].needs)


BAD = {
    "an unknown name": ("simplex", "unknown-method", "there is no method called simplex"),
    "nothing": ("", "unknown-method", "there is no method called (nothing)"),
    "an unknown option": ("dcfr:gamma=2", "bad-method", "cannot read the method dcfr:gamma=2: `gamma=2` is no option"),
    "an option of another row": ("cfr:alpha=2", "bad-method", "`alpha=2` is no option"),
    "an option of none": ("lp:seconds=2", "bad-method", "`seconds=2` is no option"),
    "no value": ("cfr:alternating", "bad-method", "`alternating` is no option"),
    "a text": ("os-mccfr:explore=much", "bad-method", "explore cannot be much"),
    "no truth": ("cfr:alternating=perhaps", "bad-method", "alternating cannot be perhaps"),
    "twice": ("dcfr:alpha=1,alpha=2", "bad-method", "alpha is given twice"),
    "exploration of nothing": ("os-mccfr:explore=0", "bad-limit", "explore must be a number from 1e-06 to 1, not 0"),
    "exploration of more than all": (
        "os-mccfr:explore=2",
        "bad-limit",
        "explore must be a number from 1e-06 to 1",
    ),
    "negative weights": ("cfr+:average_power=-1", "bad-limit", "average_power must be a number from 0 to 10, not -1"),
    "weights beyond numbers": (
        "cfr:average_power=inf",
        "bad-limit",
        "average_power must be a number from 0 to 10",
    ),
    "a schedule that falls below 0": ("hs-pcfr+:average_power=4", "bad-limit", "average_power must be a number from 5"),
    "a negative alpha": ("dcfr:alpha=-1", "bad-limit", "alpha must be a number from 0 to 10, not -1"),
    "a beta that is no number": ("dcfr:beta=nan", "bad-limit", "beta"),
    "a beta far below": ("dcfr:beta=-inf", "bad-limit", "beta must be a number from -10 to 10, not -inf"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_spec_is_refused_before_the_game_is_expanded(case: str) -> None:
    spec, code, expected = BAD[case]
    assert expected in refused(code, lambda: solve("leduc_poker", spec, max_nodes=1))


def test_the_hint_of_a_bad_option_shows_all_options_with_their_defaults() -> None:
    said = refused("bad-method", lambda: SOLVERS.parse("dcfr:gamma=2"))
    assert "hint: dcfr:alternating=true,average_power=2.0,alpha=1.5,beta=0.0" in said
