"""Messages about players, matches and tournaments, here, over the network and on many machines."""

from __future__ import annotations

from veil._catalogue.entry import Entry

MATCHES: dict[str, Entry] = {
    # Players and matches
    "unknown-player": Entry("error", "there is no player called {name}", "{near}the players are {names}"),
    "bad-player": Entry("error", "cannot read the player {spec}: {what}", "{usage}"),
    "bad-option": Entry("error", "{what}"),
    "bad-seat": Entry(
        "error",
        "{what}",
        'give every role a player: {{"white": "hyperplay", ...}} in Python, --player white=hyperplay ... elsewhere',
    ),
    # Players elsewhere, and ours on the network
    "remote-unreachable": Entry(
        "error", "no player answers at {where}: {reason}", "start the player there first, or check host and port"
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
        "{host} is open to others: every program that reaches this machine can make it read rules and think",
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
        "a player that is evaluated has to answer every question",
    ),
    "no-strategy": Entry("error", "{player} has no strategy to be judged: {what}"),
    "moves-counted": Entry(
        "note",
        "{player} reports no strategy: the moves that it played are used instead",
        "--searches N asks N times at every infoset, with other seeds",
    ),
    "bad-key-file": Entry(
        "error", "{name}: {what}", "the referee's key is in this file; remove the file, and a new key is drawn"
    ),
    "bad-store": Entry("error", "{name}: {what}", "take another --store, or none"),
    "workers-lost": Entry(
        "error",
        "the processes that play have died {count} times in a row; the first match that is missing is {match}",
        "finished matches are in the --store; with --isolated a player that dies ends no other player",
    ),
    "no-dask": Entry("error", "a cluster needs Dask", "pip install 'veil-games[cluster]'"),
    "bad-cluster": Entry("error", "{address}: {what}", "a cluster is local:4, tcp://host:8786 or tls://host:8786"),
    "cluster-without-keys": Entry(
        "warning",
        "{address} has no TLS without the package cryptography: other users of this machine can run programs as you",
        "pip install 'veil-games[cluster]'; --jobs has no such hole",
    ),
    "cluster-open": Entry(
        "warning",
        "{address} has no TLS: whoever can reach it can run programs on all its machines, and on this one as you",
        "use tls:// (docs/how-to/cluster.md), or a network that is yours alone",
    ),
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
    "saved-game-runs-code": Entry(
        "error",
        "{name}: it says that {spec} plays {role}, and that is code of somebody",
        "if you trust that code, say so: --player {role}={spec}",
    ),
    "saved-game-differs": Entry(
        "error", "round {number} of the saved game cannot be played again", "its file has been changed since"
    ),
    "resume-has-seats": Entry(
        "error", "a saved game has its players and its seed", "leave --against, --player and --seed out"
    ),
    "no-hint-by": Entry(
        "error", "{spec} cannot give hints: it is a person, or sees what is hidden", "`veil players` lists the others"
    ),
}
