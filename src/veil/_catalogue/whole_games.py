"""Messages about playing by the rules, the whole game and beliefs."""

from __future__ import annotations

from veil._catalogue.entry import Entry

WHOLE_GAMES: dict[str, Entry] = {
    # Playing
    "bad-term": Entry("error", "`{text}` is not a term", "write it as the rules do: noop or (mark 1 1)"),
    "unknown-role": Entry("error", "there is no role {role}", "{near}the roles are {roles}"),
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
    "unknown-infoset": Entry("error", "{role} has no decision at `{record}`", "{near}"),
    "unreached-infoset": Entry("error", "the others never let {role} come to `{record}`", "take another policy"),
    "which-role": Entry("error", "several roles play, and none is named", "name one of {roles}"),
    "whose-move": Entry(
        "error",
        "whose move is {move}? The choice is with {roles}",
        'write {{"role": "move"}}; nothing if nobody chooses',
    ),
    "nothing-to-take-back": Entry("error", "no round was played, so none can be taken back"),
    "bad-argument": Entry("error", "{name} must be {wanted}, not {value}"),
    "unknown-method": Entry("error", "there is no method called {name}", "{near}the methods are {names}"),
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
    "policy-function": Entry(
        "error",
        "the policy's function {what} (for {role})",
        "it returns an array of probabilities [infosets, moves]; illegal moves do not count, each row adds up to 1",
    ),
    "no-tree": Entry(
        "error",
        "the tree of {game} is too large: it was walked, and there is no tree",
        "ask the policy for single records: solution.policy.at(role, record)",
    ),
    "method-needs-tree": Entry(
        "error",
        "the tree of {game} is too large for memory, and {method} needs it",
        "only the CFR family walks (cfr, cfr+, pcfr+ and their like); or take a smaller game of the family",
    ),
    "brute-needs-tree": Entry(
        "error",
        "the tree of {game} is too large for memory, and brute force asks at every infoset",
        "take --method aggregate, which plays matches and is judged by a walk; or a smaller game of the family",
    ),
    "walk-too-long": Entry(
        "error",
        "the tree of {game} is too large for memory, and a walk takes about {time} (limit: {limit:g} s)",
        "allow more --seconds, set --iterations, or take a smaller game of the family; --store keeps what is done",
    ),
    "walk-estimate": Entry(
        "note",
        "{game} is walked, {steps} steps: about {time} for an evaluation, at most that for an iteration",
    ),
    "symmetric-policy": Entry(
        "note", "{game} has {count} symmetries, which make a pass that many times as short; the policy is symmetric"
    ),
    "cluster-unused": Entry(
        "note", "the tree of {game} fits into memory, so it was not walked, and the cluster had nothing to do"
    ),
    "cluster-traffic": Entry("note", "moved: {sent:,.1f} MB to the workers, {received:,.1f} MB back"),
    "no-solver-state": Entry(
        "error", "{method} cannot be kept in a --store", "solvers of the CFR family can; `veil solvers` lists all"
    ),
    "graph-too-large": Entry(
        "error",
        "the distinct states alone take more than {gigabytes:.2g} GB of memory (so far: {states:,}, in round {rounds})"
        ", and one evaluation of about {nodes} nodes would take {time} of processor time",
        "allow it more (--max-memory), or take a smaller game; `veil tree GAME --estimate` says how large this one is",
    ),
    "too-many-possible": Entry(
        "error",
        "{role} holds more than {most:,} states possible after one record: too many to count its infosets",
        "take a smaller game of the family",
    ),
    "too-many-joint-moves": Entry(
        "error",
        "the roles have {number} joint moves in one state; an exact analysis lists at most {most}",
        "take a smaller game of the family",
    ),
    "unwritable-file": Entry("error", "cannot write {name}: {reason}"),
    "bad-plot": Entry("error", "cannot draw {name}", "the name of a plot ends in {formats}"),
    # Beliefs
    "record-or-moves": Entry(
        "error",
        "what was the role told?",
        'give --record "noop: (card king); bet" or a file, or --moves FILE with the moves of all roles',
    ),
    "record-and-moves": Entry(
        "error", "--record and --moves both say what the role was told, and need not agree", "give one of them"
    ),
    "bad-record": Entry(
        "error",
        "{name}: {what}",
        'write it as in "(choose 1): 2; noop", or as JSON: [{{"move": "(choose 1)", "sees": ["2"]}}]',
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
    "unknown-sampler": Entry("error", "there is no sampler called {name}", "{near}the samplers are {names}"),
    "bad-sampler": Entry("error", "cannot read the sampler {spec}: {what}", "{usage}"),
    "unknown-opponent": Entry("error", "there are no opponents called {name}", "{near}the opponents are {names}"),
    "bad-opponent": Entry("error", "cannot read the opponents {spec}: {what}", "{usage}"),
    "unknown-remedy": Entry("error", "there is no remedy called {name}", "the remedies are {names}"),
}
