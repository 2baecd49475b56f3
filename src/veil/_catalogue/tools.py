"""Messages of the laboratory, of the studio, and about other people's tools."""

from __future__ import annotations

from veil._catalogue.entry import Entry

TOOLS: dict[str, Entry] = {
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
        "take veil.environments.pettingzoo.parallel_env or aec_env, or veil.environments.vector.VectorEnv",
    ),
    "no-env-package": Entry("error", "{package} is not installed", "pip install 'veil-games[env]'"),
    "env-no-record": Entry(
        "error",
        "an observation of kind `{kind}` holds no record",
        'VectorEnv(..., observation="record") does',
    ),
    # The lab
    "no-matplotlib": Entry("error", "plots need matplotlib", "pip install 'veil-games[plots]'"),
    # The language server
    "no-pygls": Entry("error", "the language server needs pygls", "pip install 'veil-games[lsp]'"),
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
    "studio-refused": Entry("error", "this cannot be done: {what}"),
    "studio-no-session": Entry(
        "error", "there is no such game here", "the oldest games are deleted; this may have been one of them"
    ),
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
    "draw-suffix": Entry("error", "cannot draw into {path}", "the name must end with .svg or .tex"),
    "no-such-infoset": Entry(
        "error",
        "{role} never decides after this record: {record}",
        "`veil solve GAME --policy-out FILE` lists its records",
    ),
    "bad-certificate": Entry(
        "error",
        "{name} is no certificate with its key: {reason}",
        "one PEM file holds both: cat cert.pem key.pem > both.pem",
    ),
    "studio-name-taken": Entry("error", "somebody here is called {name} already", "take another name"),
    "studio-exists": Entry(
        "error", "there are rules called {name} already", "save under another name, or overwrite them"
    ),
    "no-handbook": Entry(
        "error", "this installation has no pages of documentation", "in the repository, `make docs` builds them"
    ),
    "unknown-page": Entry("error", "no page has {name} in its name or title", "{near}`veil docs` opens the first page"),
    "unknown-shell": Entry("error", "there is no completion for {name}", "{near}the shells are {names}"),
    "doctor-wrong": Entry(
        "error", "known values are not met: {names}", "remove the folder of compiled code, and try once more"
    ),
    "no-figures": Entry("note", "no figures were drawn", "pip install 'veil-games[plots]'"),
    "unknown-experiment": Entry(
        "error", "there is no experiment called {name}", "there are {names} and others; veil reproduce lists all"
    ),
    "nothing-named": Entry("note", "no experiment is named, so none runs", "name some of these, or all"),
    "bad-run": Entry(
        "error", "{name}: this is not the run of an experiment: {what}", "veil reproduce NAME --out results makes one"
    ),
    "takes-hours": Entry(
        "note", "left out, because each takes hours: {names}", "name them to run them, or give --quick"
    ),
    "no-clock": Entry("error", "{name} has no clock that --seconds could set", "experiments that have one: {names}"),
    "no-matches": Entry(
        "error", "{name} has no number of matches that --matches could set", "experiments that have one: {names}"
    ),
    "no-positions": Entry(
        "error", "{name} has no number of positions that --positions could set", "experiments that have one: {names}"
    ),
    "no-such-part": Entry("error", "{name} has no game {game} that can be run alone", "games that can: {names}"),
    "unknown-benchmark": Entry("error", "there is no benchmark called {name}", "the benchmarks are {names}"),
    "no-choice-of-games": Entry(
        "error", "the benchmark {name} has games of its own", "benchmarks that take --game: {names}"
    ),
}
