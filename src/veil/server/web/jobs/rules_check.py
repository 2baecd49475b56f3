"""The questions of the workbench about rules: are they a game, its facts, a random game, a review of the design.

A check reads the rules and grounds nothing, so that it keeps up with a user who types. A playthrough grounds the game,
plays it at random and reports, round by round, what is true and what every role can know. A review is `review_game`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from veil.belief import BeliefTracker
from veil.boards import read_wording
from veil.engine import Game, Record
from veil.errors import Problem, VeilError
from veil.report import page_as_fragment, page_as_html
from veil.review import Review, ReviewConfig, find_verdict, judge_soundness, review_game
from veil.server.web.host.workers import Say, show_problem
from veil.server.web.jobs.belief_view import tell_belief, track_belief
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.scenery import Scenery
from veil.vocabulary import RANDOM

MAX_ROUNDS = 60  # of a playthrough
MAX_LISTED = 400  # moves or percepts that are listed
MAX_PROBLEMS = 50


def check_rules(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return whether a text is a game, and all its problems. Wrong rules are no error here."""
    try:
        game = open_game(source)
    except VeilError as error:
        return {"ok": False, "roles": [], "problems": _show_all(error.problems)}
    return {"ok": True, "roles": game.roles, "problems": _show_all(game.rules.problems)}


def play_through(say: Say, source: dict[str, Any], seed: int) -> dict[str, Any]:
    """Play a random game: report the facts about the game, then every position; return what random games show."""
    game = open_game(source)
    scenery = Scenery(game)
    say({"facts": tell_facts(game)})
    roles = [role for role in game.roles if role != RANDOM]
    beliefs = {role: track_belief(game, role) for role in roles}
    records = {role: Record(role) for role in roles}
    rng, state = np.random.default_rng(seed), game.initial_state()
    say({"round": _show_position(scenery, 0, state.fluents, beliefs) | {"legal": _list_legal(state, roles)}})
    for number in range(1, MAX_ROUNDS + 1):
        if state.is_terminal:
            break
        joint = state.random_joint_move(rng)
        before = state
        state, percepts = state.play(joint)
        for role in roles:
            rounds = records[role].then(joint[role], percepts[role]).rounds
            records[role] = Record(role, rounds, state.is_terminal)
            beliefs[role].follow(records[role])
        shown = _show_position(scenery, number, state.fluents, beliefs)
        shown |= {
            "moves": scenery.show_moves(joint, before),
            "sees": {role: scenery.words(percepts[role]) for role in roles},
        }
        if not state.is_terminal:
            shown["legal"] = _list_legal(state, roles)
        say({"round": shown})
    soundness = judge_soundness(game, seed)
    verdict = find_verdict(game, soundness)
    return {
        "over": state.is_terminal,
        "goals": {role: state.goals[role] for role in roles} if state.is_terminal else {},
        "flaws": _show_all(soundness.flaws),
        "verdict": {"sentence": verdict.sentence, "sound": verdict.is_sound},
    }


def tell_facts(game: Game) -> dict[str, Any]:
    """Return roles, moves, percepts and size of a game."""
    names, program, wording = game.names, game.program, read_wording(game.rules.source.text)
    return {
        "name": game.name,
        "fluents": len(names.fluents),
        "rules": program.num_rules,
        "roles": [
            {
                "role": role,
                "moves": [wording.move(move) for move in names.moves[number][:MAX_LISTED]],
                "num_moves": len(names.moves[number]),
                "percepts": [wording.percept(percept) for percept in names.percepts[number][:MAX_LISTED]],
                "num_percepts": len(names.percepts[number]),
                "goals": sorted(set(program.goals[number])),
            }
            for number, role in enumerate(game.roles)
        ],
    }


def review(say: Say, source: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Review a game for its designer: report each step and the page so far, and return the page at the end.

    A page is HTML in which all text is escaped; at the end, it is a document of its own, too. Findings have lines.
    """
    steps: list[str] = []

    def listen(found: Review | None, task: str, share: float) -> None:
        page = None
        if task not in steps:
            steps.append(task)
            page = None if found is None else page_as_fragment(found.page())
        say({"task": task, "share": share, "page": page})

    found = review_game(open_game(source), ReviewConfig(seconds=seconds, matches=10), listen=listen)
    page = found.page()
    return {
        "page": page_as_fragment(page),
        "document": page_as_html(page),
        "findings": _show_all(found.findings),
        "figures": found.as_json(),
    }


def _show_position(
    scenery: Scenery, number: int, fluents: list[str], beliefs: dict[str, BeliefTracker]
) -> dict[str, Any]:
    known = {role: tell_belief(scenery, belief) for role, belief in beliefs.items()}
    return {"number": number, "truth": scenery.show_state(fluents), "known": known}


def _list_legal(state: Any, roles: list[str]) -> dict[str, int]:
    """Return the number of legal moves of each role."""
    return {role: len(state.legal(role)) for role in roles}


def _show_all(problems: Any) -> list[dict[str, Any]]:
    listed: list[Problem] = list(problems)
    return [show_problem(entry) for entry in listed[:MAX_PROBLEMS]]
