"""Messages about what was noticed while playing and reviewing, and about the command line."""

from __future__ import annotations

from veil._catalogue.entry import Entry

FINDINGS: dict[str, Entry] = {
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
    "fewer-playouts": Entry(
        "warning", "{count:,} of {total:,} playouts were played within {seconds:g} seconds", "raise --max-seconds"
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
    "review-dead-rules": Entry(
        "warning", "rules that can never fire, because a name that they need is defined nowhere: line {lines}"
    ),
    "review-rules-unwatched": Entry("note", "rules that never fire were not searched for: the game is too large"),
    "review-never-legal": Entry("note", "{role}: legal in none of {games:,} random games: {words}"),
    "review-never-chosen": Entry("note", "{role}: never chosen by {play} in {games} matches: {words}"),
    "review-goal-unreached": Entry("note", "{role}: goal values that none of {games:,} random games reached: {words}"),
    "review-told-nothing": Entry(
        "warning", "{role} is never told anything", "add rules for (sees {role} ...): what does it perceive?"
    ),
    "review-percept-unseen": Entry("note", "{role}: percepts seen in none of {games:,} random games: {words}"),
    "review-percept-empty": Entry("note", "{role} learns nothing from: {words}"),
    "review-percept-full": Entry("note", "{role} knows the whole state whenever it sees: {words}"),
    "review-seats": Entry("note", "the seats are not equal: with {play}, {best} gets {high}, {worst} {low}"),
    "plays-from-rules": Entry("warning", "too large to ground within the limits; played from its rules, not ground"),
    "plays-first-rounds": Entry(
        "note", "what can be said in the first {rounds} rounds is numbered; a longer match ends with an error"
    ),
    "plays-slowly": Entry("note", "too large to ground within the limits; playing through the interpreter, slowly"),
    # Tuning
    "bad-vary": Entry("error", "cannot vary `{text}`: {what}", "write NAME=1..9, NAME=10..90..10 or NAME=3,4,5"),
    "unknown-constant": Entry(
        "error", "nothing in {game} is called {name}", "what can be varied by its name here: {names}"
    ),
    "bad-aim": Entry("error", "there is no aim `{text}`", "the aims are fair, length=12, skill, luck=30"),
    # The editor
    "cannot-rename": Entry("error", "this cannot be renamed: {what}"),
    # The command line
    "bad-words": Entry("error", "{what}", "{where}"),
    "bad-plugin": Entry("error", "the plug-in {file} cannot be loaded: {what}"),
    "bad-package-row": Entry(
        "error",
        "{name} of the package {package} cannot be used: {what}",
        "the package declares it as an entry point of {group}: repair, upgrade or uninstall it",
    ),
    "more-messages": Entry("note", "and {count:,} more; --json has them all"),
    "output-lost": Entry("error", "cannot write standard output: {reason}"),
    "interrupted": Entry("note", "interrupted"),
}
