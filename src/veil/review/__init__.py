"""A review of a game for its designer: what random play, searchers and solvers show about its rules.

`random_games` (many random games, with statistics) and `silent_rules` (the rules that fired in them), `hidden` (what
roles do not know), `seats` (whom the rules favour) <- `findings` (what a designer may want to change, with the line) <-
`game_review` (`review_game`).
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
