"""`veil.load` and what it returns: a game you can ask and play, in the terms the rules spell.

    >>> import veil
    >>> game = veil.load("monty_hall")
    >>> state = game.initial_state()
    >>> state.legal("contestant")
    ['(choose 1)', '(choose 2)', '(choose 3)']

Behind the face stands the ground program; a game that is too large to ground is played by the interpreter, slowly, and
`game.notes` says so.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from veil.engine.reasoner import Judgement, Reasoner, State as Fluents
from veil.errors import Problem, VeilError, fail, problem
from veil.games import FAMILIES, instantiate
from veil.lang import Rules, read_rules
from veil.vocabulary import Term, show
