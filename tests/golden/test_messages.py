"""Every message of the catalogue, made by a real input and compared with the text a user reads.

`messages.txt` holds the texts, one section per code. `python -m tests.golden.test_messages` writes it anew; look at the
difference before you keep it.
"""

import _socket
import asyncio
import errno
import json
import os
import pickle
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import chdir, nullcontext, redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint
from io import StringIO
from pathlib import Path
from resource import RLIMIT_AS
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
import pytest

import veil
import veil_lab
from tests.support.command import PATIENCE
from tests.support.odd_environments import CHANCE_ALONE
from tests.support.processes import wait_until
from tests.support.rule_texts import SLIPS
from tests.support.studio import open_studio
from veil.belief.hyperplay.sampler import HyperPlayBelief
from veil.belief.samplers import believe
from veil.boards import check_suffix, find_roots
from veil.cli.call import Call
from veil.cli.commands.completion import completion
from veil.cli.commands.docs import docs
from veil.cli.commands.doctor import _refuse as _refuse_values
from veil.cli.commands.evaluate import evaluate
from veil.cli.commands.exploit import exploit
from veil.cli.commands.games import games
from veil.cli.commands.infoset import infoset
from veil.cli.commands.lsp import lsp
from veil.cli.commands.match import match
from veil.cli.commands.play import play
from veil.cli.commands.replay import replay
from veil.cli.commands.serve_player import serve_player
from veil.cli.commands.sim import list_remarks, sim
from veil.cli.commands.solve import describe_estimate, solve
from veil.cli.commands.studio import check_certificate, studio
from veil.cli.commands.trace import trace
from veil.cli.hint import find_hint
from veil.cli.main import run
from veil.cli.output import print_problems
from veil.cli.play_session import PlaySession
from veil.cli.saved_game import AdjournedGame, seal, write_saved
from veil.cli.terminal import TerminalPerson
from veil.cli.workers import ClusterOptions, describe_traffic
from veil.editor import EditorText, rename
from veil.engine import simulate
from veil.engine.grounding import find_reachable_in_rounds
from veil.engine.record import Record, read_record
from veil.environments.vector import VectorEnv
from veil.equilibrium import Budget, estimate_size, prepare, solve_prepared
from veil.equilibrium.streaming.shard_crew import ShardCrew
from veil.equilibrium.streaming.walk import Walk, prepare_walk
from veil.equilibrium.streaming.walk_estimate import WalkEstimate
from veil.equilibrium.tree import expand
from veil.equilibrium.tree_records import TreeBounds
from veil.errors import CATALOGUE, Problem, VeilError, problem
from veil.games import write_pogddl
from veil.interop.gambit import write_efg
from veil.interop.openspiel.facts import find_facts
from veil.interop.openspiel.registration import find_node, find_registered, import_pyspiel
from veil.interop.openspiel.tabulation import load as load_foreign, make_sequential
from veil.lang import Source, read_rules
from veil.limits import out_of_files, out_of_memory, out_of_time
from veil.match import ExploitConfig, MatchConfig, SearchStore, exploit_prepared, play_lineup
from veil.match.executors.addresses import find_exposure, read_address
from veil.match.executors.cluster import ClusterExecutor
from veil.match.executors.installation import WorkerCard, describe_installation
from veil.match.store import Store
from veil.match.tournament import TournamentConfig, play_matches
from veil.players.contract import Request
from veil.players.roster import make_player
from veil.plugins import add_plugins
from veil.report.plots import pyplot
from veil.review.aims import read_aim
from veil.review.playability import judge_soundness
from veil.review.variations import VariedGame, read_variation
from veil.server.web.host.browser_players import check_players
from veil.server.web.host.job_queue import Jobs
from veil.server.web.host.library import Library
from veil.server.web.host.people import People
from veil.server.web.host.results import ResultFolder
from veil.server.web.host.server import serve_studio
from veil.server.web.host.sessions import SessionFolder, read_session
from veil.server.web.host.settings import StudioConfig
from veil.server.web.host.workers import StudioWorker
from veil.server.web.jobs.policy_browser import inform
from veil.wire import WireAnswer
from veil_lab.commands.bench import bench
from veil_lab.commands.reproduce import reproduce
from veil_lab.results.run import decode_run

try:
    import pyspiel
except ImportError:
    pyspiel = None

GOLDEN = Path(__file__).with_name("messages.txt")
HEADING = re.compile(r"^== (\S+) ==\n", re.MULTILINE)
# A code that never comes alone -> how many problems stand before it.
COMES_WITH = {"ends-on-gain": 1, "more-errors": 5, "no-bound": 1, "plays-first-rounds": 1}

# A sound game; what a case adds to it begins on line 8.
GAME = """\
(role white)
(init (step 1))
(succ 1 2)
(legal white noop)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 2)))
(goal white 100)
"""
NO_END = GAME.replace("(<= terminal (true (step 2)))", "(<= terminal (true (step 9)))")
STUCK_LATER = NO_END.replace("(legal white noop)", "(<= (legal white noop) (true (step 1)))")
BARRED = (
    SLIPS
    + """\
(<= (legal a leap) (true (step 1)) (true (step 2)))
(<= (sees a leaping) (true (step 1)) (true (step 2)))
"""
)
UNSEEN_MOVES = """\
(role a) (role b) (init (control a))
(<= (legal ?r go) (true (control ?r)))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next over) (does ?r go))
(<= terminal (true over))
(<= (goal ?r 50) (role ?r))
"""
SILENT_TURNS = """\
(role a) (role b) (init (control a))
(<= (legal ?r go) (role ?r))
(<= (next over) (does ?r go))
(<= terminal (true over))
(<= (goal ?r 50) (role ?r))
"""
GUESS = """\
(role random)
(role a)
(role b)
(init (step 1))
(succ 1 2)
(succ 2 3)
(<= (legal random (hide ?n)) (true (step 1)) (succ ?n ?m))
(<= (legal random rest) (not (true (step 1))))
(legal a noop)
(legal b noop)
(<= (next (hidden ?n)) (does random (hide ?n)))
(<= (next (hidden ?n)) (true (hidden ?n)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 3)))
(<= (sees a (at ?n)) (true (hidden ?n)))
(<= (sees b (at ?n)) (true (hidden ?n)))
(<= (goal a 100) (true (hidden 1)))
(<= (goal a 90) (true (hidden 2)))
(<= (goal b 0) (true (hidden 1)))
(<= (goal b 10) (true (hidden 2)))
"""
COUNTER = """\
(role white)
(init (n 0))
(legal white noop)
(<= (next (n (s ?x))) (true (n ?x)))
"""
DIFFERENT_MOVES = """\
(role random)
(role white)
(init (step 1))
(succ 1 2)
(succ 2 3)
(legal random left)
(legal random right)
(<= (legal white noop) (true (step 1)))
(<= (legal white (take ?n)) (true (found left)) (succ ?n ?m))
(<= (legal white (leave ?n)) (true (found right)) (succ ?n ?m))
(<= (next (found ?m)) (does random ?m))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 3)))
(goal white 100)
"""
# Pairs of pairs: a relation with millions of rows after two rounds of its recursion.
PAIRS = """\
(role white)
(init go)
(legal white noop)
(<= (next go) (true go))
(<= (made (pair ?x ?y)) (made ?x) (made ?y))
(<= (made ?x) (start ?x))
(<= terminal (made ?x) (not (true ?x)))
""" + "".join(f"(start {i})\n" for i in range(60))
SMALL_STACK = """\
import pickle, resource, sys, veil
resource.setrlimit(resource.RLIMIT_STACK, (2**19, resource.getrlimit(resource.RLIMIT_STACK)[1]))
try:
    veil.load("./game.kif").program
except veil.VeilError as error:
    sys.stdout.buffer.write(pickle.dumps(error))
"""


EFG = 'EFG 2 R "" { "Ann" "Bob" }\n'
FORGETFUL = (
    EFG
    + """\
p "" 1 1 "" { "left" "right" } 0
p "" 1 2 "later" { "left" "right" } 0
t "" 1 "" { 1, -1 }
t "" 1
p "" 1 2 0
t "" 1
t "" 1
"""
)
WITHOUT_ORDER = (
    EFG
    + """\
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "" { "left" "right" } 0
p "" 2 1 "" { "left" "right" } 0
t "" 1 "" { 1, -1 }
t "" 1
t "" 1
p "" 2 1 0
p "" 1 1 0
t "" 1
t "" 1
t "" 1
"""
)
WANDERING = NO_END.replace("(legal white noop)", "(legal white noop)\n(legal white wait)") + "(succ 2 1)\n"


def efg_with_a_small_limit() -> None:
    with patch("veil.lang.efg.translation.MAX_EDGES", 1000):
        veil.load(write_efg("breakthrough(2, 4)"))


def wander() -> None:
    with patch("veil.interop.openspiel.facts.MAX_ROUNDS", 20):
        find_facts(saved(WANDERING))


def without_openspiel() -> None:
    with patch.dict(sys.modules, {"pyspiel": None}):
        import_pyspiel()


def deep_terms(levels: int) -> str:
    """Rules that build one term, with a hundred parentheses per level."""
    steps = (f"(<= (deep{i + 1} {'(s ' * 100}?x{')' * 100}) (deep{i} ?x))" for i in range(levels))
    return "\n".join([GAME, "(deep0 0)", *steps, f"(<= (legal white ?x) (deep{levels} ?x))"])


# How a case makes its problems


def in_a_small_process(error: Callable[[], VeilError]) -> Callable[[], Iterable[Problem]]:
    """An error that names what the system allows."""

    def make() -> Iterable[Problem]:
        with patch("resource.getrlimit", lambda which: (2**30, 2**30) if which == RLIMIT_AS else (18, 20)):
            return error().problems

    return make


def raised(call: Callable[[], object]) -> tuple[Problem, ...]:
    with pytest.raises(VeilError) as caught:
        call()
    return caught.value.problems


def refused(text: str | bytes) -> Callable[[], Iterable[Problem]]:
    """Reading the rules fails."""
    return lambda: raised(lambda: read_rules(text, "game.kif"))


def noticed(text: str) -> Callable[[], Iterable[Problem]]:
    """Reading the rules succeeds, and something is said about them."""
    return lambda: read_rules(text, "game.kif").problems


def confirmed(text: str) -> Callable[[], Iterable[Problem]]:
    """The rules leave a doubt, and grounding confirms it."""
    return lambda: raised(lambda: saved(text).program)


def beyond(text: str, **limits: float) -> Callable[[], Iterable[Problem]]:
    """Grounding stops at a limit."""
    return lambda: raised(lambda: saved(text, **limits).program)


def flawed(text: str) -> Callable[[], Iterable[Problem]]:
    """Random games show it."""
    return lambda: judge_soundness(saved(text)).flaws


def failed(call: Callable[[], object]) -> Callable[[], Iterable[Problem]]:
    """A call of the Python face or of a command fails."""
    return lambda: raised(call)


def saved(text: str, **limits: Any) -> veil.Game:
    Path("game.kif").write_text(text, encoding="utf-8")
    return veil.load("./game.kif", veil.GroundLimits(**limits))


def simulated_in_no_time() -> list[Problem]:
    """Play for no time at all: the first part of the playouts is played in any case."""
    played = simulate(saved(GAME).machine, 200_000, 0, deadline=0.0)
    return list_remarks(played, 200_000, 0.5)


def judge_without_end() -> None:
    """Ask for consequences of a state that make larger and larger terms, in a small memory, where nobody foresaw it."""
    endless = "(big ?x) (not (succ ?x 2)))\n(<= (big (s ?n)) (big ?n))\n(<= (big ?n) (true (step ?n)))"
    text = GAME.replace("(true (step 2)))", endless)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("veil.lang.domains.Domains.growing", lambda domains: None)
        patch.setattr("veil.engine.joins.runtime.MAX_WORDS", 1 << 17)
        _ = saved(text, max_rules=1000).initial_state().is_terminal


def saved_for_two_rounds() -> veil.Game:
    """A game that is played from its rules, and of which only the first rounds are listed."""
    game = saved(NO_END + "(succ 2 3)\n(succ 3 4)\n", max_rules=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "veil.engine.joins.machine.find_words", lambda rules, limits: find_reachable_in_rounds(rules, limits, 2)
        )
        _ = game.program
    return game


def play_beyond_two_rounds() -> None:
    state = saved_for_two_rounds().initial_state()
    for _ in range(3):
        state, _ = state.play({"white": "noop"})


def played(text: str, *joint_moves: dict[str, str]) -> veil.State:
    state = saved(text).initial_state()
    for joint in joint_moves:
        state, _ = state.play(joint)
    return state


def trace_moves(content: str) -> None:
    Path("moves.json").write_text(content, encoding="utf-8")
    trace(["tic_tac_toe"], moves="moves.json")


def answered(call: Callable[[], object]) -> Iterable[Problem]:
    """What a command says beside its result."""
    said: list[Problem] = []
    with patch("veil.cli.call.print_problems", said.extend), redirect_stdout(StringIO()):
        call()
    return said


def simulated(text: str, max_rounds: int) -> Callable[[], Iterable[Problem]]:
    """What `veil sim` says beside its result."""

    def case() -> Iterable[Problem]:
        Path("game.kif").write_text(text, encoding="utf-8")
        return answered(lambda: sim(["./game.kif"], playouts=64, max_rounds=max_rounds))

    return case


def commanded(*words: str) -> Callable[[], Iterable[Problem]]:
    """What the command line itself says about these words."""

    def case() -> Iterable[Problem]:
        said: list[Problem] = []
        with patch("veil.cli.main.print_problems", said.extend), redirect_stdout(StringIO()):
            run(list(words))
        return said

    return case


def happened(module: str, call: Callable[[], object]) -> Iterable[Problem]:
    """What a command tells while it runs."""
    said: list[Problem] = []

    def note(code: str, **details: object) -> None:
        said.append(problem(code, None, **details))

    with patch(f"veil.cli.{module}.print_event", note), suppress(KeyboardInterrupt):
        call()
    return said


def interrupt_second_match() -> None:
    """Ctrl-C in the second of three matches, whose first is written down."""
    calls: list[Any] = []

    def play(*args: Any, **options: Any) -> veil.MatchLog:
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return play_lineup(*args, **options)

    with patch("veil.match.play_lineup", play):
        match(["exploding_bomb"], player=["agent=first"], games=3, records="matches.jsonl")


def interrupt_command() -> None:
    with patch("veil_lab.commands.bench.find_benchmark", side_effect=KeyboardInterrupt):
        run(["bench"])


def fill_disk() -> Iterable[Problem]:
    """Standard output that takes nothing more; the descriptor of this process is left as it is."""
    said: list[Problem] = []
    full = OSError(errno.ENOSPC, "No space left on device")
    with (
        patch("veil.cli.main.print_problems", said.extend),
        patch("veil.cli.main._discard_output"),
        patch("veil.cli.commands.games.find_family", side_effect=full),
    ):
        run(["games", "monty_hall"])
    return said


def many_messages() -> Iterable[Problem]:
    """More messages than a screen has room for; the last line that is printed."""
    printed = StringIO()
    with patch("sys.stderr", printed):
        print_problems([problem("interrupted")] * 100)
    last = printed.getvalue().splitlines()[-1]
    made = problem("more-messages", count=60)
    assert last == str(made)
    return [made]


def reproduce_all() -> Iterable[Problem]:
    """What is said where all experiments are named; none of them runs."""
    said: list[Problem] = []
    with (
        patch.dict(veil_lab.choose_experiments.__globals__, EXPERIMENTS={}),
        patch("veil_lab.commands.reproduce.print_problems", said.extend),
        redirect_stdout(StringIO()),
    ):
        reproduce(["all"])
    return said


def reproduce_nothing() -> Iterable[Problem]:
    """What is said where options are given and no experiment."""
    said: list[Problem] = []
    with patch("veil.cli.call.print_problems", said.extend), redirect_stdout(StringIO()):
        reproduce([], quick=True)
    return said


def reproduce_without_matplotlib() -> Iterable[Problem]:
    said: list[Problem] = []
    with (
        patch.dict(sys.modules, {"matplotlib": None}),
        patch("veil_lab.commands.reproduce.print_problems", said.extend),
        redirect_stdout(StringIO()),
    ):
        reproduce(["its-fig2"], quick=True)
    return said


def without_pygls() -> None:
    with patch.dict(sys.modules, {"pygls": None}):
        lsp()


def without_starlette() -> None:
    with patch.dict(sys.modules, {"starlette": None}):
        serve_studio(StudioConfig(folder=Path("studio")))


def listen_on_a_taken_port() -> None:
    taken = OSError(errno.EADDRINUSE, "Address already in use")
    with patch("socket.socket.bind", side_effect=taken):
        serve_studio(StudioConfig(folder=Path("studio"), port=8000))


def work_in_the_studio(function: str, seconds: float = PATIENCE) -> None:
    worker = StudioWorker(4.0)
    asyncio.run(worker.call(f"tests.support.studio_work:{function}", {}, seconds))


def ask_too_much_of_the_studio() -> None:
    async def ask() -> None:
        await Jobs(StudioConfig(folder=Path("studio"), max_waiting=0)).run("x:y", {})

    asyncio.run(ask())


def read_a_damaged_session() -> None:
    Path("aaaaaaaaaaaaaaaa.json").write_text("[]")
    read_session("aaaaaaaaaaaaaaaa.json")


def inform_about_too_much() -> None:
    """The value of information in a tree that is too large for it."""
    limits = {"max_rules": 100_000, "seconds": 10.0, "memory": 4.0}
    with patch("veil.server.web.jobs.policy_browser.MOST_INFORMATION", 50):
        inform(print, {"name": "kuhn_poker", "text": None, "transfer": False} | limits, infoset=0)


def name_a_bad_certificate() -> None:
    Path("both.pem").write_text("nothing")
    check_certificate(Path("both.pem"))


def join_a_class_twice() -> None:
    people = People(Path("studio"))
    people.join("Ann")
    people.join(" Ann ")


def join_a_class_without_a_name() -> None:
    People(Path("studio")).join(" ")


def save_over_other_rules() -> None:
    library = Library(Path("games"), 10)
    library.save("my_game", "")
    library.save("my_game", "(role ann)", overwrites=False)


def asked_of_the_studio(path: str, question: Any, resigned: bool = False) -> Callable[[], Iterable[Problem]]:
    """What the studio answers to a question about a new game."""

    def case() -> Iterable[Problem]:
        Path("kuhn.jsonl").write_text('{"format": "veil match 1"}')
        with open_studio(Path("studio"), results=Path()) as client:
            address = client.start("kuhn_poker")
            if resigned:
                client.ask(f"{address}/resign", {})
            answer = client.post(path if path.startswith("/") else f"{address}/{path}", question).json()
            if "job" in answer:
                answer = json.loads(client.get(f"/jobs/{answer['job']}").text.partition("data: ")[2])
        shown = answer["problems"]
        return [Problem(entry["code"], entry["severity"], entry["message"], None, entry["hint"]) for entry in shown]

    return case


def records_over_rules() -> None:
    Path("game.kif").write_text(GAME, encoding="utf-8")
    match(["./game.kif"], player=["white=first"], records="game.kif")


def second_match_of_one() -> None:
    Path("one.jsonl").write_text(veil.run_match(veil.load("exploding_bomb"), {"agent": "first"}).as_lines())
    replay("one.jsonl", number=2)


def ground_with_small_stack() -> Iterable[Problem]:
    """A grounder that is killed: printing a deep term takes more stack than it has. A child sets the stack for both."""
    Path("game.kif").write_text(deep_terms(100), encoding="utf-8")
    child = subprocess.run([sys.executable, "-c", SMALL_STACK], stdout=subprocess.PIPE, check=True)
    return pickle.loads(child.stdout).problems


def chained(term: str, count: int) -> str:
    """Equations that put every variable into the next."""
    return " ".join(f"(not (distinct ?v{i} {term.format(i + 1)}))" for i in range(count))


def policy_with(probability: float) -> veil.Policy:
    """A policy file that says this of one move."""
    table = {"even": {"start": {"heads": probability}}}
    whole = {"format": "veil policy 1", "game": "matching_pennies", "rules": "", "policies": table}
    Path("policy.json").write_text(json.dumps(whole), encoding="utf-8")
    return veil.Policy.load("policy.json")


def walk_of_crew(sent: int, received: int) -> Walk:
    """A walk on workers to which so many bytes were sent, and from which so many came."""
    crew = ShardCrew(ThreadPoolExecutor(1), sent=sent, received=received)
    return replace(prepare_walk(veil.load("kuhn_poker")), crew=crew)


def estimate_with(most: int) -> None:
    """Estimate a game on a machine that follows so many states at most."""
    with patch("veil.equilibrium.streaming.size_estimate.MOST_STATES", most):
        estimate_size(veil.load("kuhn_poker"))


def walked(solver: Callable[..., veil.Solution]) -> Callable[..., veil.Solution]:
    """The solver on a machine whose memory holds no tree, and that takes an hour for a walk of any game."""

    def solve_without_tree(*words: Any, **options: Any) -> veil.Solution:
        seconds = 0.0 if options or words[1:] else 3600.0
        with (
            patch("veil.equilibrium.solver_run.MAX_NODES", 10),
            patch("veil.equilibrium.streaming.walk_estimate.estimate_walk", lambda walk: WalkEstimate(58, seconds)),
        ):
            return solver(*words, **options)

    return solve_without_tree


def judge_by_brute_force_on_a_walk() -> object:
    with SearchStore() as store:
        return exploit_prepared(prepare_walk(veil.load("kuhn_poker")), ExploitConfig(player="random"), store)


def graph_with(**changed: Any) -> Callable[[], object]:
    """The state graph of a game, with other names in its module."""

    def build() -> object:
        with patch.multiple("veil.equilibrium.streaming.state_graph", **changed):
            return prepare_walk(veil.load("kuhn_poker"))

    return build


def incomplete_policy() -> Iterable[Problem]:
    """What `veil evaluate` says beside its result."""
    veil.Policy(game="", rules=veil.load("matching_pennies").fingerprint, table={}).save("policy.json")
    return answered(lambda: evaluate(["matching_pennies"], policy="policy.json"))


def write_player(move: str) -> str:
    """The spec of a player from a file that answers with this move and says nothing about it."""
    answers = {"start": "None", "play": repr(move), "stop": "None", "report": "{}"}
    methods = [f"    def {name}(self, told): return {answer}\n" for name, answer in answers.items()]
    Path("player.py").write_text("class Player:\n" + "".join(methods).replace("report(self, told)", "report(self)"))
    return "own:file=player.py"


def with_a_short_key() -> None:
    """A match with a guest, where the file of the referee's key holds something else."""
    Path("short.key").write_text("1234")
    Path("short.key").chmod(0o600)
    with patch.dict(os.environ, {"VEIL_KEY": "short.key"}):
        match(["matching_pennies"], player=[f"even={write_player('heads')}", "odd=random"])


def told_of_doors(door: str) -> tuple[veil.Game, Record]:
    """The contestant took door 1, and this door was opened."""
    return veil.load("monty_hall"), Record("contestant").then("(choose 1)", []).then("noop", [door])


def told_of_the_end() -> tuple[veil.Game, Record]:
    """The contestant has switched, and has seen where the car was."""
    game, record = told_of_doors("2")
    return game, record.then("switch", "3")


def exact_with_one_world() -> None:
    believe(*told_of_doors("2"), sampler="exact:max_worlds=1")


def replay_nothing() -> None:
    Path("empty.jsonl").touch()
    replay("empty.jsonl")


def nobody_at_the_terminal() -> None:
    """A human who is gone."""
    with patch("sys.stdin", StringIO("")), redirect_stdout(StringIO()):
        TerminalPerson()(Request("even", None, ("heads", "tails")))


def leave_the_game() -> None:
    """A human who has had enough."""
    with patch("sys.stdin", StringIO("quit\n")), redirect_stdout(StringIO()):
        TerminalPerson()(Request("even", None, ("heads", "tails")))


def at_the_prompt(word: str) -> None:
    """A person who says this word after a move."""
    game = veil.load("number_guessing(max=2, turns=2)")
    session = PlaySession(game, "guesser", {"guesser": "human"}, 1, MatchConfig())
    saved = AdjournedGame(game.name, game.fingerprint, "guesser", {"guesser": "human"}, 1, [], seal([]))
    write_saved("game.json", saved)
    with patch.object(PlaySession, "_find_last_choice", return_value=0):
        {"undo": session._undo, "resume": session._resume}[word](Request("guesser", None, ()), "game.json")


def resume(name: str) -> None:
    with redirect_stdout(StringIO()):
        play(["matching_pennies"], "even", resume=name)


def save_other_game() -> str:
    write_saved("game.json", AdjournedGame("kuhn_poker", "0", "first", {}, 0, [], seal([])))
    return "game.json"


def save_game_with_a_guest() -> str:
    """A saved game that would let the code of somebody run."""
    rules, players = veil.load("matching_pennies").fingerprint, {"even": "human", "odd": "own:file=evil.py"}
    write_saved("game.json", AdjournedGame("matching_pennies", rules, "even", players, 0, [], seal([])))
    return "game.json"


def save_changed_game() -> str:
    """A saved game in which somebody has changed a move."""
    rules, moves = veil.load("matching_pennies").fingerprint, [{"even": "edge", "odd": "heads"}]
    players = {"even": "human", "odd": "first"}
    write_saved("game.json", AdjournedGame("matching_pennies", rules, "even", players, 0, ["edge"], seal(moves)))
    return "game.json"


def tournament_of_the_dying() -> None:
    with patch("veil.match.executors.processes.Pool.submit", side_effect=BrokenProcessPool):
        play_matches(TournamentConfig(games=("kuhn_poker",), players=("random", "first")), Store(), jobs=2)


def load_a_plugin_with_a_slip() -> Iterable[Problem]:
    """What is said about a file for `--load` that calls a method by another name than it has."""
    Path("hedge_with_a_slip.py").write_text("from veil.equilibrium import SOLVERS\n\nSOLVERS.ad('hedge', None)\n")
    with patch("sys.path", list(sys.path)):
        return raised(lambda: add_plugins(["hedge_with_a_slip.py"]))


def declare_a_row_that_is_none() -> None:
    entry = EntryPoint("hedge", "math:pi", "veil.solvers")
    with patch("veil.plugins.find_entries", lambda group: {"hedge": entry}):
        veil.solve("kuhn_poker", method="hedge")


def without_dask() -> None:
    with patch("veil.match.executors.addresses.find_spec", lambda name: None), veil.open_cluster("local:2"):
        pass


def without_a_scheduler() -> None:
    client = SimpleNamespace(Client=Mock(side_effect=OSError("Timed out trying to connect")))
    with patch("veil.match.executors.addresses._import_dask", lambda: client), veil.open_cluster("tcp://scheduler"):
        pass


class SchedulerStandIn:
    """A Dask client whose scheduler has one worker, with another Veil; or no scheduler at all."""

    def __init__(self, status: str = "running") -> None:
        self.status = status

    def get_executor(self, pure: bool) -> None:
        assert not pure

    def nthreads(self) -> dict[str, int]:
        if self.status == "closed":
            raise OSError
        return {"tcp://10.0.0.7:4001": 1}

    def sync(self, ask: object, addresses: list[str]) -> list[tuple[str, WorkerCard]]:
        return [(address, WorkerCard({**describe_installation(), "Veil": "0.0.1"}, True)) for address in addresses]


def cluster_with(client: SchedulerStandIn) -> Callable[[], None]:
    """Wait for a worker that never comes."""

    def work() -> None:
        with patch.multiple("veil.match.executors.cluster", PATIENCE=1.0, REFUSED_PATIENCE=1.0, PULSE=0.01):
            executor = ClusterExecutor(client, "tcp://scheduler:8786")
            with executor:
                executor.submit(abs, -1).result(60)

    return work


def exposed(address: str) -> Iterable[Problem]:
    """What a command says before its work, where the package `cryptography` is missing."""
    with patch("veil.match.executors.addresses.find_spec", lambda name: None):
        found = find_exposure(address)
    return [found] if found else []


def a_worker_with_another_veil() -> Iterable[Problem]:
    """What a command says beside its result."""
    call, options = Call(), ClusterOptions(cluster="tcp://scheduler:8786")
    executor = ClusterExecutor(SchedulerStandIn(), "tcp://scheduler:8786")
    with executor, patch("veil.match.open_cluster", lambda *_, **options: nullcontext(executor)), options.open(call):
        assert wait_until(lambda: executor.refused)
    return call.problems


def matches_without_end() -> Iterable[Problem]:
    """What `veil match` says beside its result."""
    Path("game.kif").write_text(NO_END, encoding="utf-8")
    with patch("veil.cli.seats.Terms.make_config", lambda terms, **more: MatchConfig(max_rounds=20)):
        return answered(lambda: match(["game.kif"], player=["white=first"], games=2))


def answering(text: str, call: Callable[[], object]) -> None:
    """The call, where a player elsewhere answers this to everything."""
    with patch("veil.players.remote.ask", lambda *args, **limits: WireAnswer(text, 0.01)):
        call()


def match_by_gdl1() -> Iterable[Problem]:
    """What `veil match` says beside its result, with a player of GDL-I."""
    Path("game.kif").write_text(GAME, encoding="utf-8")
    return answered(lambda: answering("ready", lambda: match(["game.kif"], player=["white=remote:dialect=A"])))


def listen_in_vain() -> None:
    with patch("socket.socket.bind", side_effect=OSError(errno.EADDRINUSE, "Address already in use")):
        serve_player("first", serve_seconds=0.05)


def listen_to_others() -> Iterable[Problem]:
    """What `veil serve-player` says before it listens; here it listens to nobody else."""
    said: list[Problem] = []
    with (
        patch("veil.cli.commands.serve_player.print_problems", said.extend),
        patch("socket.socket.bind", bind_locally),
        redirect_stdout(StringIO()),
    ):
        serve_player("first", host="0.0.0.0", port=0, serve_seconds=0.05)
    return said


def bind_locally(bound: socket.socket, address: tuple[str, int]) -> None:
    """Take an address that only this machine can reach."""
    _socket.socket.bind(bound, ("127.0.0.1", address[1]))


def without_matplotlib() -> None:
    with patch.dict(sys.modules, {"matplotlib": None}):
        pyplot()


NOTHING_TO_DO = (
    "(role ann) (role bob) (init over) (<= terminal (true over)) (<= (legal ann go) (true over)) (goal ann 1)"
)


def begun(name: str) -> VectorEnv:
    env = VectorEnv(name, 2)
    env.reset()
    return env


def act_for_nobody() -> None:
    from veil.environments.pettingzoo import parallel_env

    env = parallel_env("tic_tac_toe")
    env.reset()
    env.step({})


def gymnasium_of(name: str) -> None:
    from veil.environments.gymnasium import single_env

    single_env(name)


def without_pettingzoo() -> None:
    with patch.dict(sys.modules, {"pettingzoo": None}):
        sys.modules.pop("veil.environments.pettingzoo", None)
        import veil.environments.pettingzoo  # noqa: F401


DOMAIN = """\
(define (domain doors)
  (:types role door)
  (:constants ann - role left right back - door)
  (:predicates (whoseturn ?r - role) (at ?d - door) (over))
  (:functions (steps) (tries))
  {sections})
"""
PROBLEM = "(define (problem two) (:domain doors)\n  (:init (whoseturn ann) (= (steps) 0) {init}))\n"
SEVEN = "?a ?b ?c ?d ?e ?f ?g"


def pogddl(*sections: str, text: str = "") -> Callable[[], Iterable[Problem]]:
    """Reading a POGDDL text with these sections fails; they begin on line 6."""
    return refused(text or DOMAIN.format(sections="\n  ".join(sections)) + PROBLEM.format(init=""))


def pogddl_noticed(*sections: str, roles: str = "ann") -> Callable[[], Iterable[Problem]]:
    """Reading a POGDDL text with these sections succeeds, and something is said about it."""
    domain = DOMAIN.format(sections="\n  ".join(sections)).replace("ann", roles)
    return noticed(domain + PROBLEM.format(init="(at right)" if "gain" in sections[0] else ""))


def reviewed(code: str, text: str = SLIPS, largest: int = 100_000) -> Callable[[], Iterable[Problem]]:
    """The first finding of this code in the review of a game."""

    def find() -> Iterable[Problem]:
        return [next(entry for entry in review(text, largest) if entry.code == code)]

    return find


@cache
def review(text: str, largest: int) -> Sequence[Problem]:
    """All findings of the review of a game."""
    config = veil.ReviewConfig(games=64, player="first", other="random", matches=5, seconds=60.0, max_nodes=1)
    with patch("veil.review.silent_rules.MAX_GROUND_RULES", largest):
        return veil.review_game(saved(text), config).findings


MISSPELT = GAME + "(<= (goal white 50) (true doubtd))\n(<= bold (true doubtd))\n(<= (goal white 25) bold)\n"


def without_handbook(call: Callable[[], object]) -> Callable[[], object]:
    def act() -> None:
        with patch.multiple("veil.handbook", SITE=Path("site"), SOURCES=Path("docs")):
            call()

    return act


def ill() -> None:
    _refuse_values(["Kuhn poker, first player"])


AFTER_A_BET = "noop: (card king); noop; pass; noop: (played second bet)"
PASSES = {"bet": 0.0, "pass": 1.0}
NEVER_BETS = {
    "second": {f"noop; noop: (card {card}); noop: (played first pass)": PASSES for card in ("jack", "queen", "king")}
}


def kuhn_record(text: str) -> Record:
    return veil.load("kuhn_poker").record("first", text)


CASES: dict[str, Callable[[], Iterable[Problem]]] = {
    # Finding the game
    "no-rules-in-folder": failed(lambda: veil.run_tournament(".", ["random"])),
    "unknown-game": failed(lambda: veil.load("tictactoe")),
    "not-a-folder": failed(lambda: studio(results=Path("results"), no_browser=True)),
    "not-a-file": failed(lambda: veil.load(["tic_tac_toe", "monty_hall"])),
    "unreadable-file": failed(lambda: veil.load("rules/missing.kif")),
    "bad-parameter": failed(lambda: veil.load("monty_hall(doors=2)")),
    "bad-spec": failed(lambda: veil.load("monty_hall(doors=3")),
    "no-pogddl": failed(lambda: games("kuhn_poker", pogddl=True)),
    # Reading the text
    "binary-file": refused(b"(role white)\n\x00\x01\x02"),
    "web-page": refused(b"<!DOCTYPE html>\n<html><body><pre>(role white)</pre></body></html>\n"),
    "empty-text": refused("; a comment and nothing else\n"),
    "too-deep": refused(GAME + "(init " + "(s " * 200 + "0" + ")" * 201),
    "closing-parenthesis": refused(GAME + "(<= (goal white 50) (true (step 1))))\n"),
    "unclosed-parenthesis": refused(GAME + "(<= (goal white 50)\n    (true (step 1))\n(goal white 0)\n"),
    "empty-parentheses": refused(GAME + "(<= (goal white 50) ())\n"),
    "no-functor": refused(GAME + "(<= (goal white 50) ((true (step 1)) (true (step 2))))\n"),
    "variable-functor": refused(GAME + "(<= (goal white 50) (?p white))\n"),
    "unexpected-token": refused("role(white).\nlegal(white, noop) :- true(step(1)) true(go).\n"),
    "strange-character": refused("role(white).\nlegal(white, noop) :- true(step(X)), X = 1.\n"),
    "stray-word": refused(GAME + "(legal white wait) and (legal white pass)\n"),
    "more-errors": refused(GAME + "(role white black)\n" * 8),
    # Reading POGDDL
    "pogddl-no-domain": refused(PROBLEM.format(init="")),
    "pogddl-no-problem": refused(DOMAIN.format(sections="")),
    "pogddl-two-parts": refused(DOMAIN.format(sections="") * 2),
    "pogddl-other-domain": pogddl(text=DOMAIN.format(sections="") + "(define (problem p) (:domain tiger))\n"),
    "pogddl-section": pogddl("(:durative-action wait)"),
    "pogddl-shape": pogddl("(:gain ann 3)"),
    "pogddl-nested": pogddl("(:action go :parameters () :effect (increse (coins) 1))"),
    "pogddl-unknown-object": pogddl("(:action go :parameters (?x - door) :precondition (at ?y))"),
    "pogddl-not-a-variable": pogddl("(:action go :parameters (x - door))"),
    "pogddl-derived-change": pogddl("(:derived (at ?x - door) (= ?x left))", "(:action go :effect (at left))"),
    "pogddl-same-name": pogddl("(:action go)", "(:action go)"),
    "pogddl-no-player": refused("(define (domain d))\n(define (problem p) (:domain d))\n"),
    "pogddl-role-random": refused(
        "(define (domain d)\n  (:constants random - role))\n(define (problem p) (:domain d))\n"
    ),
    "pogddl-no-role": pogddl("(:action go :effect (observe (left (opened left))))"),
    "pogddl-unbounded": pogddl(
        "(:action go :precondition (whoseturn ann) :effect (increase (steps) 1))", "(:gain ann 1 (= (steps) 9))"
    ),
    "pogddl-too-many-objects": pogddl("(:gain " + " ".join(f"?x{i}" for i in range(12)) + " - door 1 ())"),
    "pogddl-too-many-sums": pogddl(
        "(:action go :precondition (< (steps) 900) :effect (increase (steps) 1))",
        "(:derived (over) (< 0 (+ (steps) (steps))))",
    ),
    "pogddl-undeclared": pogddl_noticed("(:action go :precondition (open left))"),
    "pogddl-arity": pogddl_noticed("(:action go :precondition (at left right))"),
    "pogddl-no-value": pogddl_noticed("(:action go :precondition (at left) :effect (increase (tries) 1))"),
    "pogddl-unread": pogddl_noticed("(:action go :precondition (whoseturn ann) :effect (increase (steps) 1))"),
    "pogddl-wide-moves": pogddl_noticed(
        f"(:action go :parameters (?r - role {SEVEN} - door) :precondition (whoseturn ?r))"
    ),
    "pogddl-wide-percepts": pogddl_noticed(
        f"(:action go :parameters ({SEVEN} - door)",
        f":precondition (whoseturn ann) :effect (observe (all (went {SEVEN}))))",
    ),
    "pogddl-fractions": pogddl_noticed("(:gain ann 0.5 (at left))"),
    "gains-as-written": pogddl_noticed("(:gain ann 1 (at left))", roles="ann bob"),
    "gains-transferred": lambda: veil.load(write_pogddl("simple_poker"), transfer=True).rules.problems,
    "turns-as-written": lambda: veil.load(SILENT_TURNS).readings,
    "turns-by-control": lambda: veil.load(SILENT_TURNS, turns="control").readings,
    "bad-turns": failed(lambda: veil.load("tic_tac_toe", turns="control")),
    "moves-unseen": lambda: veil.load(UNSEEN_MOVES).readings,
    "moves-seen": lambda: veil.load(UNSEEN_MOVES, sees="moves").readings,
    "bad-sees": failed(lambda: veil.load("tic_tac_toe", sees="moves")),
    "ends-on-gain": lambda: veil.load(write_pogddl("simple_poker"), transfer=True, end_on_gain=True).rules.problems,
    "bad-end-on-gain": failed(lambda: veil.load("kuhn_poker", end_on_gain=True)),
    "bad-transfer": failed(lambda: veil.load("kuhn_poker", transfer=True)),
    # Reading Gambit's .efg
    "efg-no-players": refused('EFG 2 R "" { }\nt "" 0\n'),
    "efg-no-choice": refused(EFG + 't "" 1 "" { 1, -1 }\n'),
    "efg-player": refused(EFG + 'p "" 3 1 "" { "bet" "pass" } 0\n'),
    "efg-infoset": refused(EFG + 'p "" 1 1 "" { "bet" "pass" } 0\np "" 1 1 "" { "bet" } 0\n'),
    "efg-chance": refused(EFG + 'c "" 1 "" { "heads" 1/2 "tails" 1/3 } 0\n'),
    "efg-payoffs": refused(EFG + 'p "" 1 1 "" { "bet" "pass" } 0\nt "" 1 "" { 1 }\n'),
    "efg-outcome": refused(EFG + 'p "" 1 1 "" { "bet" "pass" } 0\nt "" 1\n'),
    "efg-recall": refused(FORGETFUL),
    "efg-order": refused(WITHOUT_ORDER),
    "efg-copies": refused(EFG + 'c "" 1 "deal" { "heads" 1/1009 "tails" 1008/1009 } 0\nt "" 0\nt "" 0\n'),
    "efg-too-large": failed(efg_with_a_small_limit),
    # The shape of rules
    "rule-without-head": refused(GAME + "(<=)\n"),
    "rule-in-body": refused(GAME + "(<= (goal white 50) (true (step 1))\n(<= (goal white 0) (true (step 2))))\n"),
    "keyword-in-head": refused(GAME + "(<= (true (step 2)) (true (step 1)))\n"),
    "init-in-body": refused(GAME + "(<= (goal white 50) (init (step 1)))\n"),
    "wrong-arity": refused(GAME + "(<= (goal white) (true (step 1)))\n"),
    "connective-arity": refused(GAME + "(<= (goal white 50) (not (true (step 1)) (true (step 2))))\n"),
    "too-many-alternatives": refused(GAME + f"(<= (goal white 50){' (or (true go) (true stop))' * 13})\n"),
    "term-too-large": refused(GAME + f"(<= (goal white 50) (true ?v0) {chained('(f ?v{0} ?v{0})', 40)})\n"),
    "too-complex": refused(GAME + f"(<= (goal white 50) (true ?v0) {chained('(f ?v{0})', 1500)})\n"),
    # Well-formedness
    "no-roles": refused(GAME.replace("(role white)\n", "")),
    "role-not-a-fact": refused(GAME + "(<= (role ?p) (succ ?p ?q))\n"),
    "init-depends": refused(GAME + "(<= (init (step 2)) (true (step 1)))\n"),
    "goal-not-a-number": refused(GAME + "(<= (goal white high) (true (step 1)))\n"),
    "goal-too-large": refused(GAME + "(<= (goal white 1000000000000000) (true (step 1)))\n"),
    "unsafe-variable": refused(GAME + "(<= (goal white 50) (distinct ?x 1))\n"),
    "unstratified": confirmed(
        GAME + "(<= up (true go) (not down))\n(<= down (not up))\n(init go)\n(<= (goal white 50) up)\n"
    ),
    "depends-on-does": confirmed(GAME + "(<= idle (does white noop))\n(<= (goal white 50) idle)\n"),
    # Repaired or only noticed
    "unused-rule": lambda: veil.load(UNSEEN_MOVES + "(<= (notes ?x) (not (true (control ?x))))").warnings,
    "unsafe-repaired": noticed(GAME + "(<= (legal ?p wait) (not (true (step 1))))\n"),
    "variable-only-negated": noticed(GAME + "(<= terminal (not (true (step ?any))))\n"),
    "wrong-arity-negated": noticed(GAME + "(<= terminal (not (true step 1)))\n"),
    "next-in-body": noticed(GAME + "(<= (sees white last) (next (step 2)))\n"),
    "recursion": noticed(GAME + "(many 0)\n(<= (many (s ?x)) (many ?x))\n(<= (goal white 50) (many (s 0)))\n"),
    "undefined-role": noticed(GAME + "(<= (goal whyte 50) (true (step 1)))\n"),
    "undefined-audience": noticed(GAME + "(<= (sees ?n far) (true (step ?n)))\n"),
    "undefined-fluent": noticed(GAME + "(<= (goal white 50) (true (stepp 1)))\n"),
    "undefined-move": noticed(GAME + "(<= (sees white x) (does white nop))\n"),
    "undefined-constant": noticed(GAME + "(colour black)\n(<= (goal white 50) (colour blakc))\n"),
    "undefined-predicate": noticed(GAME + "(<= (goal white 50) (suc 1 2))\n"),
    "unasked-name": noticed(GAME + "(<= (next (stepp 1)) (true (step 1)))\n"),
    "capital-constant": noticed(GAME + "(<= (next (cell C)) (true (cell C)))\n"),
    "sees-xml": noticed(GAME + "(<= (sees_xml random (board ?n)) (true (step ?n)))\n"),
    # Grounding
    "ground-too-many-rules": beyond(COUNTER, max_rules=1000),
    "ground-too-slow": beyond(COUNTER, max_seconds=0.5, max_rules=10**9),
    "ground-out-of-memory": beyond(COUNTER, max_bytes=60 * 2**20, max_rules=10**9),
    "no-bound": beyond(GAME, max_bytes=2**20),
    "needs-ground-rules": failed(lambda: veil.load("tic_tac_toe", veil.GroundLimits(max_rules=50)).machine.circuit),
    "beyond-first-rounds": failed(play_beyond_two_rounds),
    "rules-without-end": failed(judge_without_end),
    "ground-crashed": ground_with_small_stack,
    "out-of-memory": in_a_small_process(out_of_memory),
    "out-of-files": in_a_small_process(out_of_files),
    "out-of-time": in_a_small_process(out_of_time),
    "bad-limit": failed(lambda: veil.GroundLimits(max_rules=0)),
    "endless-relation": failed(lambda: saved(PAIRS, max_rules=1000).initial_state()),
    # Playing
    "bad-term": failed(lambda: played(GAME).play({"white": "(mark 1 1"})),
    "unknown-role": failed(lambda: played(GAME).legal("black")),
    "missing-move": failed(lambda: veil.load("tic_tac_toe").initial_state().play({"oplayer": "noop"})),
    "illegal-move": failed(lambda: veil.load("tic_tac_toe").initial_state().play({"xplayer": "(mark 4 1)"})),
    "game-over": failed(lambda: played(GAME, {}).play({})),
    "stuck": failed(lambda: played(NO_END.replace("(legal white noop)", "(<= (legal white noop) (true go))")).play({})),
    "bad-moves-file": failed(lambda: trace_moves('[{"xplayer": "(mark 1 1)"}, "noop"]')),
    # The whole game
    "tree-too-large": failed(
        lambda: expand(veil.load("leduc_poker"), max_nodes=1000, bounds=TreeBounds(option="--max-nodes"))
    ),
    "tree-too-many-bytes": failed(lambda: expand(veil.load("liars_dice"), bounds=TreeBounds(max_bytes=2**24))),
    "tree-too-slow": failed(lambda: expand(veil.load("leduc_poker"), bounds=TreeBounds(seconds=1e-6))),
    "endless-game": failed(lambda: expand(saved(NO_END + "(succ 2 1)\n"))),
    "infoset-moves": failed(lambda: expand(saved(DIFFERENT_MOVES))),
    "unknown-infoset": failed(lambda: veil.tree("kuhn_poker").infoset(kuhn_record("noop: (card kin); noop"))),
    "unreached-infoset": failed(lambda: veil.information_values("kuhn_poker", kuhn_record(AFTER_A_BET), NEVER_BETS)),
    "which-role": failed(lambda: veil.best_response("kuhn_poker", {})),
    "whose-move": failed(lambda: veil.Match("kuhn_poker").push("bet")),
    "nothing-to-take-back": failed(lambda: veil.Match("kuhn_poker").pop()),
    "bad-argument": failed(lambda: veil.solve("kuhn_poker", iterations="10")),  # type: ignore[arg-type]
    "unknown-method": failed(lambda: veil.solve(veil.load("kuhn_poker"), method="simplex")),
    "bad-method": failed(lambda: veil.solve("kuhn_poker", method="dcfr:gamma=2")),
    "needs-zero-sum": failed(lambda: veil.solve(veil.load("prisoners_dilemma"), method="lp")),
    "no-players": failed(lambda: veil.solve(saved(GAME.replace("white", "random")))),
    "no-guarantee": lambda: veil.solve(veil.load("prisoners_dilemma"), method="cfr", iterations=1).notes,
    "bad-policy": failed(lambda: policy_with(1.5)),
    "policy-incomplete": incomplete_policy,
    "policy-function": failed(lambda: veil.evaluate("kuhn_poker", lambda role, observation, legal: legal * 1.0)),
    "no-tree": failed(lambda: walked(veil.solve)("kuhn_poker", iterations=1).tree),
    "method-needs-tree": failed(lambda: walked(veil.solve)("kuhn_poker", "lp")),
    "brute-needs-tree": failed(judge_by_brute_force_on_a_walk),
    "walk-too-long": failed(lambda: walked(veil.solve)("kuhn_poker")),
    "walk-estimate": lambda: [describe_estimate("dark_hex(size=3, turns=abrupt)", WalkEstimate(2.9e10, 247.0))],
    "symmetric-policy": lambda: (
        solve_prepared(prepare_walk(veil.load("dark_hex(2)"), symmetries=True), "cfr", Budget(iterations=1)).notes
    ),
    "cluster-unused": lambda: [describe_traffic(prepare("kuhn_poker"))],
    "cluster-traffic": lambda: [describe_traffic(walk_of_crew(316_000_000, 159_000_000))],
    "no-solver-state": failed(lambda: veil.solve("kuhn_poker", "lp", store="run.store")),
    "graph-too-large": failed(graph_with(allowed_bytes=lambda most: 2**12)),
    "too-many-possible": failed(lambda: estimate_with(1)),
    "too-many-joint-moves": failed(graph_with(MAX_CANDIDATES=2)),
    "unwritable-file": failed(lambda: veil.Policy(game="x", rules="", table={}).save("no/such/folder.json")),
    "bad-plot": failed(lambda: solve(["kuhn_poker"], plot="plot.txt")),
    # Beliefs
    "record-or-moves": failed(lambda: infoset(["monty_hall"], role="contestant")),
    "record-and-moves": failed(lambda: infoset(["monty_hall"], role="contestant", record="r.json", moves="m.json")),
    "bad-record": failed(lambda: read_record(veil.load("monty_hall"), "contestant", '[{"sees": []}]', "told.json")),
    "unexplained": failed(lambda: believe(*told_of_doors("1"))),
    "record-of-the-end": failed(lambda: believe(*told_of_the_end())),
    "belief-lost": failed(lambda: believe(*told_of_doors("1"), sampler="particle")),
    "infoset-too-large": failed(exact_with_one_world),
    "unknown-sampler": failed(lambda: believe(*told_of_doors("2"), sampler="oracle")),
    "bad-sampler": failed(lambda: believe(*told_of_doors("2"), sampler="hyperplay:budget=much")),
    "unknown-opponent": failed(lambda: make_player("hyperplay:opponents=psychics")),
    "bad-opponent": failed(lambda: make_player("hyperplay:opponents=hyperplay:mix=much")),
    "unknown-remedy": failed(lambda: HyperPlayBelief(veil.load("monty_hall").machine, 1, remedy="prayer")),
    # Players and matches
    "unknown-player": failed(lambda: make_player("alphazero")),
    "bad-player": failed(lambda: make_player("hyperplay:worlds=3")),
    "bad-option": failed(lambda: make_player("hyperplay:weights=guessed")),
    "bad-seat": failed(lambda: match(["kuhn_poker"], player=["first=random"])),
    "remote-unreachable": failed(lambda: match(["monty_hall"], player=["contestant=remote:port=1"])),
    "remote-busy": failed(
        lambda: answering("busy", lambda: match(["monty_hall"], player=["contestant=remote"], start_clock=1.0))
    ),
    "short-clock": failed(lambda: match(["monty_hall"], player=["contestant=remote"], play_clock=0.5)),
    "dialect-a": failed(
        lambda: answering("ready", lambda: match(["monty_hall"], player=["contestant=remote:dialect=A"]))
    ),
    "gdl1-rules": match_by_gdl1,
    "cannot-listen": failed(listen_in_vain),
    "listens-to-others": listen_to_others,
    "not-a-seat": failed(lambda: match(["kuhn_poker"], player=["random"])),
    "seat-taken": failed(lambda: match(["kuhn_poker"], player=["first=random", "first=first"])),
    "seat-is-yours": failed(lambda: play(["kuhn_poker"], "first", player=["first=random"])),
    "person-needs-text": failed(lambda: play(["kuhn_poker"], "first", json=True)),
    "no-cheating": failed(lambda: match(["monty_hall"], player=["contestant=cheat"])),
    "bad-match": failed(replay_nothing),
    "no-such-match": failed(second_match_of_one),
    "output-over-input": failed(records_over_rules),
    "records-kept": lambda: happened("commands.match", interrupt_second_match),
    "player-fails": failed(lambda: exploit(["matching_pennies"], player=write_player("fly"))),
    "no-strategy": failed(lambda: exploit(["monty_hall"], player="cheat")),
    "moves-counted": lambda: answered(lambda: exploit(["matching_pennies"], player=write_player("heads"))),
    "bad-key-file": failed(with_a_short_key),
    "bad-store": failed(lambda: Store("no/such/folder/results.sqlite")),
    "workers-lost": failed(tournament_of_the_dying),
    "no-dask": failed(without_dask),
    "bad-cluster": failed(lambda: read_address("http://scheduler:8786")),
    "cluster-without-keys": lambda: exposed("local:4"),
    "cluster-open": lambda: exposed("tcp://scheduler:8786"),
    "no-scheduler": failed(without_a_scheduler),
    "no-workers": failed(cluster_with(SchedulerStandIn())),
    "cluster-lost": failed(cluster_with(SchedulerStandIn("closed"))),
    "worker-refused": a_worker_with_another_veil,
    "input-ended": failed(nobody_at_the_terminal),
    "person-left": failed(leave_the_game),
    # Games of a person that are taken back, left and taken up again
    "person-takes-back": failed(lambda: at_the_prompt("undo")),
    "person-resumes": failed(lambda: at_the_prompt("resume")),
    "bad-saved-game": failed(lambda: resume(save_other_game())),
    "saved-game-runs-code": failed(lambda: resume(save_game_with_a_guest())),
    "saved-game-differs": failed(lambda: resume(save_changed_game())),
    "resume-has-seats": failed(lambda: play(["matching_pennies"], "even", resume="game.json", against="first")),
    "no-hint-by": failed(lambda: find_hint(veil.load("monty_hall"), Record("contestant"), (), "cheat")),
    # Other people's tools
    "openspiel-missing": failed(without_openspiel),
    "openspiel-endless": failed(wander),
    "openspiel-unregistered": failed(lambda: find_node("veil_my_game", "", ())),
    "openspiel-foreign": failed(lambda: find_registered("kuhn_poker()")),
    "openspiel-unfit": failed(lambda: make_sequential(pyspiel.load_game("coop_to_1p(game=tiny_hanabi())"))),
    "openspiel-too-large": failed(lambda: load_foreign("leduc_poker", max_nodes=1000)),
    # Environments of learners
    "env-no-player": failed(lambda: VectorEnv(CHANCE_ALONE)),
    "env-moves": failed(lambda: VectorEnv(NOTHING_TO_DO)),
    "env-not-begun": failed(lambda: VectorEnv("tic_tac_toe", 2).sample()),
    "env-actions": failed(lambda: begun("tic_tac_toe").step(np.zeros((2, 3)))),
    "env-illegal": failed(lambda: begun("tic_tac_toe").step(np.array([[0, -1], [9, -1]]))),
    "env-missing": failed(act_for_nobody),
    "env-one-player": failed(lambda: gymnasium_of("tic_tac_toe")),
    "no-env-package": failed(without_pettingzoo),
    "env-no-record": failed(lambda: begun("tic_tac_toe").record(0, np.zeros(10))),
    # The lab
    "no-matplotlib": failed(without_matplotlib),
    # The studio
    "no-pygls": failed(without_pygls),
    "no-web": failed(without_starlette),
    "studio-no-port": failed(listen_on_a_taken_port),
    "studio-too-long": failed(lambda: work_in_the_studio("sleep_long", seconds=0.2)),
    "studio-worker-died": failed(lambda: work_in_the_studio("end_itself")),
    "studio-broke": failed(lambda: work_in_the_studio("break_down")),
    "studio-busy": failed(ask_too_much_of_the_studio),
    "studio-bad-request": asked_of_the_studio("/play/new", {"game": 7}),
    "studio-refused": failed(join_a_class_without_a_name),
    "studio-no-session": failed(lambda: SessionFolder(Path("played"), 10).path("x")),
    "studio-bad-session": failed(read_a_damaged_session),
    "studio-over": asked_of_the_studio("move", {"round": 2, "move": "bet"}, resigned=True),
    "studio-not-over": asked_of_the_studio("reveal", {}),
    "studio-no-game": failed(lambda: Library(Path("games"), 10).read("my_game")),
    "studio-bad-name": failed(lambda: Library(Path("games"), 10).read("../secret")),
    "studio-tree-too-large": failed(inform_about_too_much),
    "studio-no-results": failed(lambda: ResultFolder(Path("results")).find("kuhn.jsonl")),
    "studio-other-rules": asked_of_the_studio("/matches/replay", {"file": "kuhn.jsonl", "number": 0, "game": "mine"}),
    "studio-library-full": failed(lambda: Library(Path("games"), 0).save("my_game", "")),
    "studio-no-player": failed(lambda: check_players({"white": "own:file=mine.py"})),
    "draw-suffix": failed(lambda: check_suffix("tree.png")),
    "no-such-infoset": failed(lambda: find_roots(expand(veil.load("kuhn_poker")), "second", "noop: (card ace)")),
    "bad-certificate": failed(name_a_bad_certificate),
    "studio-name-taken": failed(join_a_class_twice),
    "studio-exists": failed(save_over_other_rules),
    "no-handbook": failed(without_handbook(lambda: docs())),
    "unknown-page": failed(lambda: docs(page="glosary")),
    "unknown-shell": failed(lambda: completion(shell="bsh")),
    "doctor-wrong": failed(ill),
    "no-figures": reproduce_without_matplotlib,
    "unknown-experiment": failed(lambda: reproduce(["its-fig1"])),
    "nothing-named": reproduce_nothing,
    "bad-run": failed(lambda: decode_run('{"experiment": "its-fig2"}', "results/its-fig2.json")),
    "takes-hours": reproduce_all,
    "no-clock": failed(lambda: reproduce(["its-fig2"], seconds=1.0)),
    "no-matches": failed(lambda: reproduce(["its-fig2"], matches=3)),
    "no-positions": failed(lambda: reproduce(["its-fig2"], positions=3)),
    "no-such-part": failed(lambda: reproduce(["isg-table1"], game="chess")),
    "unknown-benchmark": failed(lambda: bench("motor")),
    "no-choice-of-games": failed(lambda: bench("engine", game=["kuhn_poker"])),
    # Noticed while playing
    "stuck-later": flawed(STUCK_LATER),
    "no-goal": flawed(GAME.replace("(goal white 100)\n", "")),
    "goal-missing": flawed(GAME.replace("(goal white 100)", "(<= (goal white 100) (true (step 1)))")),
    "goal-ambiguous": flawed(GAME + "(goal white 50)\n"),
    "stuck-playouts": simulated(STUCK_LATER, max_rounds=10),
    "cut-playouts": simulated(NO_END, max_rounds=10),
    "fewer-playouts": simulated_in_no_time,
    "unfinished-matches": matches_without_end,
    "never-ends": flawed(NO_END),
    "review-idle-turn": reviewed("review-idle-turn"),
    "review-silent-rule": reviewed("review-silent-rule"),
    "review-dead-rules": reviewed("review-dead-rules", MISSPELT),
    "review-rules-unwatched": reviewed("review-rules-unwatched", largest=0),
    "review-never-legal": reviewed("review-never-legal", BARRED),
    "review-never-chosen": reviewed("review-never-chosen"),
    "review-goal-unreached": reviewed("review-goal-unreached"),
    "review-told-nothing": reviewed("review-told-nothing"),
    "review-percept-unseen": reviewed("review-percept-unseen", BARRED),
    "review-percept-empty": reviewed("review-percept-empty", SLIPS.replace("(took ?n)", "hello")),
    "review-percept-full": reviewed("review-percept-full", GUESS),
    "review-seats": reviewed("review-seats", GUESS),
    "plays-from-rules": lambda: veil.load("tic_tac_toe", veil.GroundLimits(max_rules=50)).initial_state().game.notes,
    "plays-first-rounds": lambda: saved_for_two_rounds().notes,
    "plays-slowly": lambda: saved(COUNTER, max_rules=1000).initial_state().game.notes,
    # Tuning
    "bad-vary": failed(lambda: read_variation("PRIZE=9..1")),
    "unknown-constant": failed(lambda: VariedGame(Source("game.kif", GUESS), [read_variation("prize=1..9")])),
    "bad-aim": failed(lambda: read_aim("unfair")),
    # The editor
    "cannot-rename": failed(lambda: rename(EditorText(GUESS), GUESS.index("step"), "succ")),
    # The command line
    "bad-words": commanded("chekc", "tic_tac_toe"),
    "bad-plugin": load_a_plugin_with_a_slip,
    "bad-package-row": failed(declare_a_row_that_is_none),
    "more-messages": many_messages,
    "output-lost": fill_disk,
    "interrupted": lambda: happened("main", interrupt_command),
}

GROUNDED_FOR_LONG = {"endless-relation", "endless-game", "ground-out-of-memory"}  # until a limit is reached


def make_message(code: str) -> str:
    """Run a case in an empty folder; the message of its code, which must be the only one."""
    with TemporaryDirectory() as folder, chdir(folder):
        problems = list(CASES[code]())
    assert [entry.code for entry in problems[COMES_WITH.get(code, 0) :]] == [code]
    return str(problems[-1])


def read_golden() -> dict[str, str]:
    _, *parts = HEADING.split(GOLDEN.read_text(encoding="utf-8"))
    return {code: text.rstrip("\n") for code, text in zip(parts[::2], parts[1::2], strict=True)}


def write_golden() -> None:
    sections = [f"== {code} ==\n{make_message(code)}\n" for code in CASES]
    GOLDEN.write_text("\n".join(sections), encoding="utf-8")


def test_every_code_of_the_catalogue_has_a_case_and_a_text_and_there_are_no_others() -> None:
    assert list(CASES) == list(CATALOGUE)
    assert list(read_golden()) == list(CATALOGUE)


WITH_OPENSPIEL = {"openspiel-foreign", "openspiel-unfit", "openspiel-too-large"}


@pytest.mark.compiled("slow as Python", only=("tree-too-many-bytes", "openspiel-endless", "never-ends", "review-"))
@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=pytest.mark.slow) if code in GROUNDED_FOR_LONG else code for code in CASES]
)
def test_a_message_reads_as_the_user_should_read_it(code: str) -> None:
    if code in WITH_OPENSPIEL and pyspiel is None:
        pytest.skip("open_spiel is not installed (extra `peers`)")
    assert make_message(code) == read_golden()[code]


if __name__ == "__main__":
    write_golden()
