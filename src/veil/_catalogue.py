"""Every message Veil has for the user, as data: code -> severity, what is wrong, the way out.

Braces are filled in by `veil.errors.problem`. A test holds one real text for every entry.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Entry(NamedTuple):
    """One message; `what` and `hint` are forms with names in braces."""

    severity: Severity
    what: str
    hint: str | None = None


CATALOGUE: dict[str, Entry] = {
    # Finding the game
    "unknown-game": Entry(
        "error",
        "there is no game and no file called {name}",
        "{near}`veil games` lists the catalogue; a file needs its path",
    ),
    "not-a-folder": Entry("error", "there is no folder {name}"),
    "not-a-file": Entry(
        "error",
        "there is no file called {name}; several names are the files of one game",
        "name one game, or all of its files: domain.pog problem.pog",
    ),
    "unreadable-file": Entry("error", "cannot read {name}: {reason}"),
    "bad-parameter": Entry("error", "{game}: {what}", "{usage}"),
    "bad-spec": Entry("error", "cannot read {text}: {what}", "write name(parameter=value, ...), like {example}"),
    "no-pogddl": Entry("error", "{name} is not bundled in POGDDL", "these games are: {names}"),
    # Reading the text
    "binary-file": Entry(
        "error",
        "{name} is not a text file (it holds zero bytes)",
        "a rules file is plain text: GDL-II, prefix or infix, or POGDDL",
    ),
    "empty-text": Entry(
        "error", "{name} holds no rules", "a game needs at least (role ...), (legal ...) and (next ...)"
    ),
    "too-deep": Entry("error", "more than {depth} parentheses are open here", "is a closing one missing further up?"),
    "closing-parenthesis": Entry(
        "error", "this `)` closes nothing", "remove it, or add the `(` that is missing before it"
    ),
    "unclosed-parenthesis": Entry(
        "error", "this `(` is never closed ({count} open at the end of the text)", "add the `)` at the end of the rule"
    ),
    "empty-parentheses": Entry("error", "empty parentheses", "put a name inside, or remove them"),
    "no-functor": Entry("error", "a parenthesis must start with a name, not with another parenthesis"),
    "variable-functor": Entry("error", "{name} is a variable and cannot stand for a name of a relation or function"),
    "unexpected-token": Entry("error", "expected {wanted}, found {found}"),
    "strange-character": Entry("error", "{char!r} has no meaning here"),
    "stray-word": Entry("error", "`{word}` alone is no rule", "write (<= head condition ...) or a fact"),
    "more-errors": Entry("error", "and {count} more errors of this kind"),
    # Reading POGDDL
    "pogddl-no-domain": Entry(
        "error",
        "the domain {domain} is missing, which the problem {problem} needs",
        "give both files: veil check domain.pog problem.pog",
    ),
    "pogddl-no-problem": Entry(
        "error",
        "a problem is missing that says with what the domain {domain} starts",
        "give both files: veil check domain.pog problem.pog",
    ),
    "pogddl-two-parts": Entry("error", "a second {part}", "a game has one domain and one problem"),
    "pogddl-other-domain": Entry("error", "the problem is for the domain {wanted}, not for {domain}"),
    "pogddl-section": Entry("error", "`{name}` is no section of a {part}", "its sections are {sections}"),
    "pogddl-shape": Entry("error", "cannot read `{what}`", "write {form}"),
    "pogddl-nested": Entry(
        "error",
        "{what} stands where {name} takes an object",
        "{near}arguments of a predicate are objects and variables; numbers change by assign, increase and decrease",
    ),
    "pogddl-unknown-object": Entry(
        "error",
        "{word} is neither an object nor a bound variable",
        "objects are declared in :constants or :objects, variables in :parameters, exists or forall",
    ),
    "pogddl-not-a-variable": Entry("error", "{word} is no variable", "a variable starts with a question mark: ?x"),
    "pogddl-derived-change": Entry(
        "error", "{name} is derived and cannot stand in {where}", "change what it is derived from"
    ),
    "pogddl-same-name": Entry("error", "there is an action {name} already", "every action needs its own name"),
    "pogddl-no-player": Entry(
        "error",
        "no object of type {kind} is a player",
        "roles are the objects of the type that whoseturn is declared with; chance is nature",
    ),
    "pogddl-role-random": Entry("error", "a player cannot be called random", "nature is called chance in POGDDL"),
    "pogddl-no-role": Entry("error", "{word} is no role and cannot observe anything"),
    "pogddl-unbounded": Entry(
        "error",
        "no end was found to the values that {fluent} can have",
        "let a precondition bound it, for example (< {fluent} 100), in every action that changes it",
    ),
    "pogddl-too-many-objects": Entry(
        "error", "there are {count:,} ways to give objects to these variables, more than {limit:,}"
    ),
    "pogddl-too-many-sums": Entry("error", "there are more than {limit:,} sums to look up here"),
    "pogddl-undeclared": Entry("warning", "{what} {name} is used, but not declared"),
    "pogddl-arity": Entry("warning", "{name} is declared with {wanted} argument(s), here it has {given}"),
    "pogddl-no-value": Entry(
        "warning", "{fluent} has no value at the start, so that it never changes", "add (= {fluent} 0) to :init"
    ),
    "pogddl-fractions": Entry("note", "payoffs have fractions: goal values are payoffs times {scale}"),
    "gains-as-written": Entry(
        "note",
        "gains are read as written: what one role gains, the other does not lose",
        "--transfer reads each gain as paid by the other role",
    ),
    "gains-transferred": Entry("note", "gains are read as a transfer: what one role gains, the other loses"),
    "bad-transfer": Entry(
        "error", "cannot read gains as a transfer: {what}", "it is for POGDDL games of two roles that gain, not lose"
    ),
    # Reading Gambit's .efg
    "efg-no-players": Entry("error", "the tree has no players", 'name them after the title: {{ "Ann" "Bob" }}'),
    "efg-no-choice": Entry("error", "the tree is a single end: there is nothing to play"),
    "efg-player": Entry("error", "there is no player {number}", "the players are numbered from 1 to {count}"),
    "efg-infoset": Entry("error", "infoset {number} {what}", "an infoset has the same actions at all of its nodes"),
    "efg-chance": Entry("error", "{what}", 'write each action with its probability: {{ "heads" 1/2 "tails" 1/2 }}'),
    "efg-payoffs": Entry("error", "the number of payoffs is {count}, that of players is {players}"),
    "efg-outcome": Entry("error", "outcome {number} has no payoffs", "write them where it first stands: {{ 1, -1 }}"),
    "efg-recall": Entry(
        "error",
        "{player} forgets: at this node of infoset {infoset} it has done or known something else before than at others",
        "rules are for players who remember what they were told and have done; divide the infoset",
    ),
    "efg-order": Entry(
        "error",
        "infoset {infoset} cannot have its turn in one round: in one game it comes before another, in one after it",
        "players of rules count the rounds; a tree in which nobody can has no rules",
    ),
    "efg-copies": Entry(
        "error",
        "the probabilities of infoset {infoset} need {count} equally likely moves of chance, more than {limit}",
        "round them to fractions with a smaller common denominator",
    ),
    "efg-too-large": Entry(
        "error",
        "the tree has more than {nodes:,} edges, which is too large to be made into rules",
        "pyspiel.load_efg_game and pygambit read larger ones",
    ),
    # The shape of rules
    "rule-without-head": Entry("error", "a rule without a head", "write (<= head condition ...)"),
    "rule-in-body": Entry("error", "a rule inside the body of a rule", "is a `)` missing before it?"),
    "keyword-in-head": Entry(
        "error",
        "`{keyword}` cannot be the head of a rule",
        "`true` and `does` are given by the game; heads are init, legal, next, sees, goal, terminal or your own names",
    ),
    "init-in-body": Entry(
        "error",
        "`init` cannot stand in the body of a rule",
        "`init` only defines the first state; ask for the current one with `true`",
    ),
    "wrong-arity": Entry("error", "`{keyword}` takes {wanted} argument(s), here it has {given}"),
    "connective-arity": Entry("error", "`{connective}` cannot take {given} operand(s)"),
    "too-many-alternatives": Entry(
        "error",
        "multiplying out `or` gives more than {limit:,} rules",
        "give parts of the body a name of their own",
    ),
    "term-too-large": Entry("error", "solving (not (distinct ...)) gives a term of more than {limit:,} symbols"),
    "too-complex": Entry("error", "{name} nests deeper than can be read", "name parts of it by relations of their own"),
    # Well-formedness
    "no-roles": Entry("error", "the game has no roles", "name each player: (role white)"),
    "role-not-a-fact": Entry("error", "roles must be facts without variables", "list them: (role white) (role black)"),
    "init-depends": Entry("error", "`init` cannot depend on {atom}", "nothing is true or done before the first state"),
    "goal-not-a-number": Entry("error", "the goal value {value} is not a whole number"),
    "goal-too-large": Entry("error", "the goal value {value} is too large", "a goal value has at most 15 digits"),
    "unsafe-variable": Entry(
        "error",
        "unsafe rule: {variable} is bound nowhere {where}",
        "add a condition that binds {variable}, for example (index {variable})",
    ),
    "unstratified": Entry(
        "error",
        "unstratified negation: {head} depends on the negation of {atom}, which depends on {head}",
        "break the circle: what is negated must be defined without it",
    ),
    "depends-on-does": Entry(
        "error",
        "`{head}` depends on `does`{via}",
        "what is legal, terminal or a goal is a matter of the state alone: remember moves in the state by `next`",
    ),
    # Repaired or only noticed
    "unsafe-repaired": Entry(
        "warning",
        "unsafe rule: {variable} is bound nowhere; taken from the values of its place: {values}",
        "add a condition that binds {variable}",
    ),
    "variable-only-negated": Entry(
        "warning",
        "unsafe rule: {variable} occurs only inside `not`; read as: there is no {variable} such that ...",
        "bind {variable} outside `not` if you mean some particular one",
    ),
    "wrong-arity-negated": Entry(
        "warning",
        "`{keyword}` takes {wanted} argument(s), here it has {given}: never true, so its negation always holds",
        "close the parentheses after the arguments that belong together",
    ),
    "next-in-body": Entry(
        "warning", "`next` in the body of a rule is outside GDL-II; read as: it will be true in the next state"
    ),
    "recursion": Entry(
        "warning",
        "recursion restriction: {term} in {atom} is neither in the head nor bound by a condition outside the recursion",
        "bind it, or terms may grow without end",
    ),
    "undefined-predicate": Entry(
        "warning", "{name} with {arity} argument(s) is never defined, so it is never true", "{guess}"
    ),
    "capital-constant": Entry(
        "warning", "{name} is a constant here, though it looks like a variable", "in prefix text a variable is ?{name}"
    ),
    "sees-xml": Entry("note", "`sees_xml` is for displays and is ignored"),
    # Grounding
    "ground-too-many-rules": Entry("error", "the game has more than {max_rules:,} ground rules{growing}", "{way_out}"),
    "ground-too-slow": Entry("error", "grounding did not end within {max_seconds:g} seconds{growing}", "{way_out}"),
    "ground-out-of-memory": Entry(
        "error", "grounding needs more than {gigabytes:.1f} GB of memory{growing}", "{way_out}"
    ),
    "ground-crashed": Entry("error", "the grounder broke down{growing}", "{way_out}"),
    "out-of-memory": Entry(
        "error",
        "there is not enough memory{limit}",
        "make the game, its limits or the number of worlds smaller, or allow the process more",
    ),
    "out-of-time": Entry(
        "error",
        "the processor time that the system allows this process is used up ({seconds:,} seconds)",
        "allow it more (`ulimit -t`), or give the command less to do",
    ),
    "bad-limit": Entry("error", "{name} must be a number {wanted}, not {value}"),
    "endless-relation": Entry(
        "error",
        "{name} with {arity} argument(s) holds for more than {limit:,} terms in one state",
        "its recursion has no end: bind what it hands on by facts",
    ),
    # Playing
    "bad-term": Entry("error", "`{text}` is not a term", "write it as the rules do: noop or (mark 1 1)"),
    "unknown-role": Entry("error", "there is no role {role}", "the roles are {roles}"),
    "missing-move": Entry("error", "{where}no move for {role}", "its legal moves are {legal}"),
    "illegal-move": Entry("error", "{where}{move} is not legal for {role}", "its legal moves are {legal}"),
    "game-over": Entry("error", "{where}the game is over, nobody can move"),
    "stuck": Entry(
        "error",
        "{where}{role} has no legal move, and the game is not over",
        "every role needs a move in every state that is not terminal; (legal {role} noop) where it has nothing to do",
    ),
    "bad-moves-file": Entry(
        "error",
        "{name}: {what}",
        'a moves file is a JSON list with one object per round: [{{"x": "(mark 1 1)", "o": "noop"}}]',
    ),
    # The whole game
    "tree-too-large": Entry(
        "error",
        "the whole game has more than {nodes} nodes{how}",
        "raise {option} if there is memory for it, 100 bytes a node or more, or take a smaller game of the family",
    ),
    "tree-too-many-bytes": Entry(
        "error",
        "the whole game takes more than {gigabytes:.2g} GB of memory (nodes so far: {nodes:,}, in round {rounds})",
        "allow it more (--max-memory), or take a smaller game of the family",
    ),
    "tree-too-slow": Entry(
        "error",
        "the whole game is not expanded within {seconds:g} seconds (nodes so far: {nodes:,}, in round {rounds})",
        "allow it more time, or take a smaller game of the family",
    ),
    "endless-game": Entry(
        "error",
        "a game is not over after {rounds} rounds",
        "let every game end: count rounds, and make the last one terminal",
    ),
    "infoset-moves": Entry(
        "error",
        "{role} cannot tell two histories apart, but has different legal moves in them: ({one}) and ({other})",
        "what a role was told must determine its legal moves: add a percept, or make the moves the same",
    ),
    "unknown-method": Entry("error", "there is no method called {name}", "the methods are {names}"),
    "bad-method": Entry("error", "cannot read the method {spec}: {what}", "{usage}"),
    "needs-zero-sum": Entry(
        "error",
        "{method} solves games of two roles with a constant sum, or of one role; this one has {what}",
        "cfr+, its and xfp run on any game, as a heuristic",
    ),
    "no-players": Entry("error", "{game} has no role besides random, there is nothing to decide"),
    "no-guarantee": Entry("note", "with {what}, {method} need not come near an equilibrium; exploitability is exact"),
    "bad-policy": Entry("error", "{name}: {what}", "`veil solve GAME --policy-out FILE` writes one to start from"),
    "policy-incomplete": Entry("note", "{name} says nothing about {count:,} infosets; they are played uniformly"),
    "unwritable-file": Entry("error", "cannot write {name}: {reason}"),
    "bad-plot": Entry("error", "cannot draw {name}", "the name of a plot ends in {formats}"),
    # Beliefs
    "record-or-moves": Entry(
        "error", "what was the role told?", "give --record FILE, or --moves FILE with the moves of all roles"
    ),
    "record-and-moves": Entry(
        "error", "--record and --moves both say what the role was told, and need not agree", "give one of them"
    ),
    "bad-record": Entry(
        "error",
        "{name}: {what}",
        'a record is a JSON list with one object per round: [{{"move": "(choose 1)", "sees": ["2"]}}]',
    ),
    "unexplained": Entry(
        "error",
        "no history of this game explains round {number}: {role} cannot be told `{shown}` there",
        "is a percept missing or too many? a record has every round, and all percepts of each",
    ),
    "record-of-the-end": Entry(
        "error",
        "the game ends in round {number}, and the record does not say so",
        'say that it is over: Record(role, rounds, over=True), or {{"rounds": [...], "over": true}} in a file',
    ),
    "belief-lost": Entry(
        "error",
        "{sampler} found no history that explains round {number} within its budget",
        "raise --count or --seconds, or try another --sampler: {samplers}",
    ),
    "infoset-too-large": Entry(
        "error",
        "more than {worlds:,} histories explain round {number}; that is the budget of exact",
        "take --sampler auto, which goes on by sampling",
    ),
    "unknown-sampler": Entry("error", "there is no sampler called {name}", "the samplers are {names}"),
    "bad-sampler": Entry("error", "cannot read the sampler {spec}: {what}", "{usage}"),
    "unknown-opponent": Entry("error", "there are no opponents called {name}", "the opponents are {names}"),
    "bad-opponent": Entry("error", "cannot read the opponents {spec}: {what}", "{usage}"),
    "unknown-remedy": Entry("error", "there is no remedy called {name}", "the remedies are {names}"),
    # Players and matches
    "unknown-player": Entry("error", "there is no player called {name}", "the players are {names}"),
    "bad-player": Entry("error", "cannot read the player {spec}: {what}", "{usage}"),
    "bad-option": Entry("error", "{what}"),
    "bad-seat": Entry("error", "{what}", "give every role a player: --player white=hyperplay --player black=random"),
    # Players elsewhere, and ours on the network
    "remote-unreachable": Entry(
        "error", "nobody plays at {where}: {reason}", "start the player there first, or check host and port"
    ),
    "remote-busy": Entry(
        "error", "the player at {where} is busy with another match", "wait for its end, or raise --start-clock"
    ),
    "short-clock": Entry(
        "error",
        "the {which} clock of a remote player is at least 1 second, not {seconds:g}",
        "players elsewhere are told their clocks in whole seconds",
    ),
    "dialect-a": Entry(
        "error",
        "dialect A tells all moves, and {role} cannot know them all from what the rules let it see",
        "use dialect B or C, with a player that understands GDL-II",
    ),
    "gdl1-rules": Entry(
        "note", "the rules do not say what is seen; for a player of dialect A (GDL-I) everybody sees all moves"
    ),
    "cannot-listen": Entry("error", "cannot listen at {where}: {reason}", "choose another --port or --host"),
    "listens-to-others": Entry(
        "warning",
        "{host} is open to others: whoever reaches this machine can make it read rules and think about moves",
        "without --host, only programs on this machine can; --isolated keeps rules that eat memory or time apart",
    ),
    "not-a-seat": Entry(
        "error", "`{text}` is not ROLE=SPEC", "write --player white=hyperplay; `veil players` lists the players"
    ),
    "seat-taken": Entry("error", "{role} has two players", "name every role once"),
    "seat-is-yours": Entry("error", "{role} is you, and cannot have another player", "leave its --player out"),
    "person-needs-text": Entry(
        "error", "a human cannot play where only JSON is printed", "leave --json out, or let another player play"
    ),
    "no-cheating": Entry(
        "error", "cheat wants to see the true state", "allow it with --allow-cheat; it is for measuring"
    ),
    "bad-match": Entry("error", "{name}: {what}", "`veil match --records FILE` writes records of matches"),
    "no-such-match": Entry("error", "{name}: it holds {matches}, not {number}", "--match counts from 1"),
    "output-over-input": Entry("error", "cannot write {name}: the command reads this file", "take another file"),
    "records-kept": Entry("note", "matches finished and written to {name}: {count:,}"),
    "player-fails": Entry(
        "error",
        "{player} fails as {role} at `{record}`: {what}",
        "what is judged has to answer every question",
    ),
    "no-strategy": Entry("error", "{player} has no strategy to be judged: {what}"),
    "moves-counted": Entry(
        "note",
        "{player} tells no strategy: the moves it played stand for it",
        "--searches N asks N times at every infoset, with other seeds",
    ),
    "bad-store": Entry("error", "{name}: {what}", "take another --store, or none"),
    "workers-lost": Entry(
        "error",
        "the processes that play have died {count} times in a row; the first match that is missing is {match}",
        "finished matches are in the --store; with --isolated a player that dies takes nobody along",
    ),
    "no-dask": Entry("error", "a cluster needs Dask", "pip install 'veil-games[cluster]'"),
    "bad-cluster": Entry("error", "{address}: {what}", "a cluster is local:4, tcp://host:8786 or tls://host:8786"),
    "no-scheduler": Entry("error", "no scheduler answers at {address}: {reason}", "`dask scheduler` starts one"),
    "no-workers": Entry(
        "error",
        "{address} has had no worker that can be used for {seconds:.0f} s: {what}",
        "all machines need the same Veil; finished matches are in the --store",
    ),
    "cluster-lost": Entry("error", "the scheduler at {address} is gone", "finished matches are in the --store"),
    "worker-refused": Entry("warning", "the worker at {worker} was not used: {why}"),
    "input-ended": Entry("error", "nobody answers for {role}: the input has ended"),
    "person-left": Entry("note", "{role} has left the game; it is not counted"),
    # Games of a person that are taken back, left and taken up again
    "person-takes-back": Entry("note", "{role} takes a move back"),
    "person-resumes": Entry("note", "{role} goes on with another game"),
    "bad-saved-game": Entry("error", "{name}: {what}", "`save FILE` writes such a file while a game is played"),
    "saved-game-differs": Entry(
        "error", "round {number} of the saved game cannot be played again", "its file has been changed since"
    ),
    "resume-has-seats": Entry(
        "error", "a saved game has its players and its seed", "leave --against, --player and --seed out"
    ),
    "no-hint-by": Entry(
        "error", "{spec} cannot give hints: it is a person, or sees what is hidden", "`veil players` lists the others"
    ),
    # Other people's tools
    "openspiel-missing": Entry("error", "OpenSpiel is not installed", "pip install 'veil-games[peers]'"),
    "openspiel-endless": Entry(
        "error",
        "{count:,} of {games:,} random games did not end within {rounds:,} rounds, and OpenSpiel needs a longest game",
        "say how many rounds it has: register(game, max_rounds=...)",
    ),
    "openspiel-unregistered": Entry(
        "error", "the game {name} is not registered in this process", "call veil.interop.openspiel.register(game) first"
    ),
    "openspiel-foreign": Entry(
        "error", "{name} is no game of Veil", "load it by the name that veil.interop.openspiel.register(game) returns"
    ),
    "openspiel-unfit": Entry("error", "{name} cannot be loaded: {what}"),
    "openspiel-too-large": Entry(
        "error",
        "the tree of {name} has more than {nodes:,} nodes, which is too large to be made into rules",
        "choose smaller parameters; load(game, max_nodes=...) raises the limit",
    ),
    # Environments of learners
    "env-no-player": Entry("error", "the game has no role that plays", "an environment needs one beside `random`"),
    "env-moves": Entry(
        "error",
        "{role} has {moves:,} moves; a fixed set of actions has from 1 to {most:,}",
        "look at the rules of `legal` for it, or take a smaller game",
    ),
    "env-not-begun": Entry("error", "the environment has not begun", "call reset() first"),
    "env-actions": Entry("error", "actions must be whole numbers of shape {shape}, not {given}"),
    "env-illegal": Entry(
        "error",
        "{where}{role} cannot play action {action}; nothing was played",
        "its legal actions are {legal}",
    ),
    "env-missing": Entry("error", "{role} has a choice and no action", "only agents without a choice may be left out"),
    "env-one-player": Entry(
        "error",
        "an environment of Gymnasium is for one player; this game has {count}: {roles}",
        "take veil.interop.pettingzoo.parallel_env or aec_env, or veil.interop.vector.VectorEnv",
    ),
    "no-env-package": Entry("error", "{package} is not installed", "pip install 'veil-games[env]'"),
    "env-no-record": Entry(
        "error",
        "an observation of kind `{kind}` says no record",
        'VectorEnv(..., observation="record") does',
    ),
    # The lab
    "no-matplotlib": Entry("error", "plots need matplotlib", "pip install 'veil-games[plots]'"),
    # The studio
    "no-web": Entry("error", "the studio needs starlette, uvicorn and jinja2", "pip install 'veil-games[web]'"),
    "studio-no-port": Entry(
        "error", "cannot listen on {host}, port {port}: {reason}", "--port names another one; 0 takes any that is free"
    ),
    "studio-too-long": Entry(
        "error", "this took longer than {seconds} s and was ended", "try a smaller game, or less thinking"
    ),
    "studio-worker-died": Entry(
        "error", "the process that worked on this has ended", "memory may be short: try a smaller game"
    ),
    "studio-broke": Entry(
        "error", "something broke that should not", "the terminal of `veil studio` shows what; please report it"
    ),
    "studio-busy": Entry("error", "there is too much to do at the moment", "try again in a minute"),
    "studio-bad-request": Entry("error", "the studio was asked something that makes no sense: {what}"),
    "studio-no-session": Entry("error", "there is no such game here", "it may have been one of the oldest, which go"),
    "studio-bad-session": Entry("error", "the game {name} cannot be read: {what}", "start a new one"),
    "studio-over": Entry("error", "this game is over", "start a new one"),
    "studio-not-over": Entry("error", "this is told when the game is over", "play on, or resign"),
    "studio-no-game": Entry("error", "there are no saved rules called {name}", "the page of games lists them"),
    "studio-bad-name": Entry(
        "error", "{name} cannot be the name of saved rules", "letters, digits, `_`, `-` and `.` will do, 60 at most"
    ),
    "studio-tree-too-large": Entry(
        "error", "the tree has {nodes:,} nodes, more than the {most:,} that this is worked out for"
    ),
    "studio-no-results": Entry("error", "there is no file {name} with matches here", "the page of matches lists them"),
    "studio-other-rules": Entry(
        "error", "the rules of {game} are not those that were played", "save the rules in the studio under their name"
    ),
    "studio-library-full": Entry("error", "there are {most} saved rules already", "delete some"),
    "studio-no-player": Entry(
        "error", "{spec} cannot be named in the browser: {what}", "`veil match` and `veil play` can have it"
    ),
    "no-figures": Entry("note", "no figures were drawn", "pip install 'veil-games[plots]'"),
    "unknown-experiment": Entry("error", "there is no experiment called {name}", "the experiments are {names}"),
    "takes-hours": Entry(
        "note", "left out, because each takes hours: {names}", "name them to run them, or give --quick"
    ),
    "no-clock": Entry("error", "{name} has no clock that --seconds could set", "experiments that have one: {names}"),
    "no-matches": Entry(
        "error", "{name} has no number of matches that --matches could set", "experiments that have one: {names}"
    ),
    "unknown-benchmark": Entry("error", "there is no benchmark called {name}", "the benchmarks are {names}"),
    "no-choice-of-games": Entry(
        "error", "the benchmark {name} has games of its own", "benchmarks that take --game: {names}"
    ),
    # Noticed while playing
    "stuck-later": Entry(
        "warning",
        "there is a game in which {role} has no legal move in round {round}, and it is not over",
        "every role needs a move in every state that is not terminal",
    ),
    "no-goal": Entry("warning", "{role} has no goal; its value counts as 0", "add (goal {role} 0)"),
    "goal-missing": Entry(
        "warning", "a game ended without a goal value for {role}; it counts as 0", "make the goals cover every end"
    ),
    "goal-ambiguous": Entry(
        "warning", "a game ended with the goal values {values} for {role}; the highest counts", "let only one hold"
    ),
    "stuck-playouts": Entry(
        "warning",
        "{count:,} of {total:,} playouts ended because a role had no legal move",
        "every role needs a move in every state that is not terminal",
    ),
    "cut-playouts": Entry(
        "warning",
        "{count:,} of {total:,} playouts were cut after {rounds:,} rounds; their goals count as they stood",
        "raise --max-rounds",
    ),
    "unfinished-matches": Entry(
        "warning",
        "{count:,} of {total:,} matches did not end within {rounds:,} rounds; they are in no mean",
        "let every game end: count rounds, and make the last one terminal",
    ),
    "never-ends": Entry(
        "warning",
        "{count:,} of {total:,} random games did not end within {rounds:,} rounds",
        "let every game end: count rounds, and make the last one terminal",
    ),
    # What a review finds
    "review-idle-turn": Entry(
        "warning",
        "{marker} says whose turn it is, but {role} has a choice in {share} % of the states where it is not its turn",
        "let `legal` ask for (true ({marker} {role})), and give the other role a move that does nothing",
    ),
    "review-silent-rule": Entry(
        "note", "this rule did not fire in {games:,} random games", "is it reachable? a slip in a name hides a rule"
    ),
    "review-rules-unwatched": Entry("note", "which rules fire was not looked for: the game is too large for that"),
    "review-never-legal": Entry("note", "{role}: legal in none of {games:,} random games: {words}"),
    "review-never-chosen": Entry("note", "{role}: never chosen by {play} in {games} matches: {words}"),
    "review-goal-unreached": Entry("note", "{role}: goal values that none of {games:,} random games reached: {words}"),
    "review-told-nothing": Entry(
        "warning", "{role} is never told anything", "add rules for (sees {role} ...): what does it perceive?"
    ),
    "review-percept-unseen": Entry("note", "{role}: percepts seen in none of {games:,} random games: {words}"),
    "review-percept-empty": Entry("note", "{role} learns nothing from: {words}"),
    "review-percept-full": Entry("note", "{role} knows the whole state whenever it sees: {words}"),
    "review-seats": Entry("note", "the seats are not equal under {play}: {best} gets {high}, {worst} {low}"),
    "plays-slowly": Entry("note", "too large to ground within the limits; playing through the interpreter, slowly"),
    # The command line
    "bad-words": Entry("error", "{what}", "{where}"),
    "more-messages": Entry("note", "and {count:,} more; --json has them all"),
    "output-lost": Entry("error", "cannot write standard output: {reason}"),
    "interrupted": Entry("note", "interrupted"),
}

# Parts of messages that differ from case to case: name -> text. Braces are filled in by `veil.errors.phrase`.
PHRASES: dict[str, str] = {
    # unexpected-token: what was expected, what stands there
    "a-term": "a name or a variable",
    "the-end-of-a-rule": "a comma, `&` or the full stop that ends the rule",
    "a-parenthesis": "`)`",
    "a-comma-or-parenthesis": "`,` or `)`",
    "a-token": "`{text}`",
    "end-of-text": "the end of the text",
    # bad-transfer: why
    "transfer-roles": "there are {count} roles besides chance",
    "transfer-negative": "a gain may be negative",
    "transfer-notation": "the rules are written in the {notation} notation, which has no gains",
    # undefined-predicate: what may be meant
    "guess-spelling": "is it spelled as where it is defined?",
    "guess-fluent": "it is part of the state: ask (true {atom})",
    "guess-arity": "it is defined with {arities} argument(s)",
    # efg-...: what is wrong with an infoset, with chance, with a text
    "efg-other-actions": "has other actions or probabilities here than before",
    "efg-no-actions": "has not been described before, and its actions are missing here",
    "efg-no-action": "there is no action to choose",
    "efg-sum": "the probabilities add up to {total:.6g}, not to 1",
    "efg-a-node": "a node: c, p or t",
    "efg-after-the-tree": "the end of the text, because the tree is complete",
    # unsafe-variable: where nothing binds it
    "outside-negation": "outside `not` and `distinct`",
    "in-the-body": "in its body",
    # depends-on-does: by which relation
    "through": " through {name}",
    # ground-...: why grounding has no end, and the way out
    "growing-terms": ": terms of {name} contain terms of {name}, without end",
    "end-the-counter": (
        "give the counter an end: list its values as facts, (succ 0 1) (succ 1 2) ..., and step along them"
    ),
    "raise-the-limit": "raise the limit (--max-rules, --max-seconds, --max-memory), or shorten the longest rule bodies",
    "limit-of-the-system": "the system allows this process no more; `ulimit -v` and `ulimit -t` show its limits",
    # tree-too-large: how that is known
    "estimated-nodes": ": about {about}, as {walks:,} random walks say",
    "this-many-or-more": "{number} or more",
    "reached-in-round": " (reached in round {rounds})",
    # the verdict of `veil check`, by the codes of its findings
    "review-unsolved": "no: its tree has more than {nodes:,} nodes, or took too long",
    "verdict-sound": "a sound game",
    "verdict-repaired": "a sound game, as it was repaired ({warnings})",
    "verdict-not-sound": "not a sound game: {reasons}",
    "flaw-stuck": "a role may have no legal move",
    "flaw-never-ends": "it may never end",
    "flaw-infoset-moves": "a role cannot know its legal moves",
    "flaw-goals": "goals are missing or ambiguous",
    "all-infosets": "all compared: no role can be in doubt about its legal moves",
    "some-infosets": "{count:,} compared; the budget ended the search before all were",
    # out-of-memory
    "allowed-memory": ": the system allows this process {gigabytes:.1f} GB",
    # bad-limit: what a number has to be; one with too many digits to be shown
    "from-to": "from {low} to {high}",
    "above-and-up-to": "above {low} and up to {high}",
    "a-huge-number": "one of more than {digits} digits",
    # bad-words: where to look
    "list-of-commands": "`veil --help` lists the commands",
    "list-of-options": "`veil {command} --help` lists its arguments and options",
    # bad-spec and bad-parameter
    "empty-spec": "it is empty",
    "not-one-pair": "it is not a name with one pair of parentheses",
    "needs-a-name": "`{value}` comes after a named parameter and needs a name",
    "not-an-argument": "{what} stands where a value or parameter=value belongs",
    "an-empty-place": "an empty place",
    "given-twice": "{name} is given twice",
    "wrong-value": "{name} must be {wanted}, not {value}",
    "no-parameters": "it has no parameters",
    "too-many-values": "too many values",
    "no-such-parameter": "there is no parameter {name}",
    "did-you-mean": "did you mean {names}? ",
    # studio-no-player: why; what a belief rests on; what is wrong with a session
    "studio-needs-file": "it is made from a file of this machine",
    "studio-needs-person": "there is one person at the board",
    "studio-sees-all": "it is shown the true state",
    "studio-needs-network": "it asks other machines",
    "studio-foreign": "it runs code of others",
    "studio-lost": "too many histories are possible to follow",
    "studio-single": "only one history is possible",
    "studio-exact": "all {count:,} possible histories",
    "studio-sampled": "{count:,} histories, sampled ({sampler})",
    "studio-too-many-rounds": "it goes on after the end",
    "studio-other-moves": "round {number} is not what the seed deals",
    "studio-not-legal": "the move is not legal",
    # bad-record
    "sees-not-a-list": 'round {number}: "sees" is not a list of texts',
    "strange-field": "round {number}: {field} is not move or sees",
    "round-without-move": 'round {number} is not an object with a "move"',
    "over-not-yes-or-no": '"over" must be true or false',
    "not-a-list-of-rounds": "it is not a list of rounds",
    "in-round": "round {number}: {what}",
    "parentheses-differ": "it has not as many `(` as `)`",
    # illegal-move and its like: where in a list of joint moves; which moves are legal
    "before-a-round": "round {number}: ",
    "at-the-start": "at the start ",
    "and-more-moves": ", ... ({count} in all)",
}
