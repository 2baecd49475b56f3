"""Messages about rules: finding them, reading them in every notation, checking them, grounding them."""

from __future__ import annotations

from veil._catalogue.entry import Entry

RULES: dict[str, Entry] = {
    # Finding the game
    "no-rules-in-folder": Entry("error", "{name} holds no rules files", "rules files end with {suffixes}"),
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
    "web-page": Entry(
        "error",
        "{name} is a web page, not rules",
        "save the rules themselves: a site often shows them with a button called Raw or Download",
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
        "a problem is missing, which says how the domain {domain} starts",
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
    "pogddl-unread": Entry("note", "nothing reads {name}, and its values have no end: the game is read without it"),
    "pogddl-wide-moves": Entry("note", "moves name only what is chosen, the state decides the rest: {names}"),
    "pogddl-wide-percepts": Entry("note", "observations are told word by word, with _ for the other words: {names}"),
    "pogddl-fractions": Entry("note", "payoffs have fractions: goal values are payoffs times {scale}"),
    "gains-as-written": Entry(
        "note",
        "gains are read as written: what one role gains, the other does not lose",
        "--transfer reads each gain as paid by the other role",
    ),
    "gains-transferred": Entry("note", "gains are read as a transfer: what one role gains, the other loses"),
    "turns-as-written": Entry(
        "note",
        "the fluent control(R) says who moves, and no legal move asks for it: as written, all roles move at once",
        "--turns control lets only the roles in control move, and shows each role the state that it moves in",
    ),
    "turns-by-control": Entry(
        "note", "only the roles in control move, and each role sees the state that it moves in, as --turns control says"
    ),
    "bad-turns": Entry(
        "error",
        "{name}: no fluent control(R) says who moves, or the legal moves ask for it already",
        "leave --turns control out",
    ),
    "moves-unseen": Entry(
        "note",
        "no rule says what a role sees: as written, nobody is told the others' moves",
        "--sees moves reads the rules as GDL-I, in which every role sees all moves",
    ),
    "moves-seen": Entry("note", "every role sees all moves, as in GDL-I and as --sees moves says"),
    "bad-sees": Entry("error", "{name}: the rules say themselves what a role sees", "leave --sees moves out"),
    "ends-on-gain": Entry("note", "the game also ends as soon as a role has gained"),
    "bad-end-on-gain": Entry("error", "cannot end the game on a gain: {what}", "it is for POGDDL games"),
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
        "{player} forgets: before this node of infoset {infoset} it did or knew something else than before others",
        "rules are for players who remember what they were told and have done; divide the infoset",
    ),
    "efg-order": Entry(
        "error",
        "infoset {infoset} cannot have its turn in one round: in one game it comes before another, in one after it",
        "players of rules count the rounds; a tree in which they cannot do so cannot be written as rules",
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
    "connective-arity": Entry(
        "error",
        "`{connective}` cannot take {given} operand(s)",
        "a connective stands with its operands in parentheses: (not (open ?x)), (or (true a) (true b))",
    ),
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
    "unused-rule": Entry(
        "warning", "nothing depends on this rule, and it is wrong: {fault}", "repair it, or leave it out"
    ),
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
    "undefined-role": Entry("warning", "{name} is no role", "{guess}"),
    "undefined-audience": Entry("warning", "{name} is never a role here: it can be {values}", "the roles are {roles}"),
    "undefined-fluent": Entry("warning", "{name} is never part of the state: no init or next makes it", "{guess}"),
    "undefined-move": Entry("warning", "{name} is never a legal move", "{guess}"),
    "undefined-constant": Entry("warning", "{name} can never stand here: no rule puts it there", "{guess}"),
    "undefined-predicate": Entry("warning", "{name} is never defined, so it is never true", "{guess}"),
    "unasked-name": Entry("warning", "{name} is made here, and no rule asks for it", "{guess}"),
    "capital-constant": Entry(
        "warning", "{name} is a constant here, though it looks like a variable", "in prefix text a variable is ?{name}"
    ),
    "sees-xml": Entry("note", "`sees_xml` is for displays and is ignored"),
    # Grounding
    "ground-too-many-rules": Entry("error", "the game has more than {max_rules:,} ground rules{growing}", "{way_out}"),
    "ground-too-slow": Entry(
        "error", "grounding did not end within {max_seconds:g} seconds of processor time{growing}", "{way_out}"
    ),
    "ground-out-of-memory": Entry(
        "error", "grounding needs more than {gigabytes:.1f} GB of memory{growing}", "{way_out}"
    ),
    "no-bound": Entry(
        "note",
        "nor can it be played from its rules: too much may be true, legal or seen to list it within the limits",
        "bound what counters and sizes may reach: three of 90 cards can be dealt in more than 700,000 ways",
    ),
    "needs-ground-rules": Entry(
        "error",
        "{game} is too large to ground and is played from its rules; {what} needs ground rules",
        "players: montecarlo, hyperplay, hyperplay2, pimc, ismcts, oos; samplers: exact, random, particle, hyperplay",
    ),
    "beyond-first-rounds": Entry(
        "error",
        "the match is longer than {rounds} rounds, and only what can be said in those is numbered",
        "bound what counters and sizes may reach: three of 90 cards can be dealt in more than 700,000 ways",
    ),
    "rules-without-end": Entry(
        "error", "a state of the game has consequences without end", "give relations that make terms an end"
    ),
    "ground-crashed": Entry("error", "the grounder broke down{growing}", "{way_out}"),
    "out-of-memory": Entry(
        "error",
        "there is not enough memory{limit}",
        "make the game, its limits or the number of worlds smaller, or allow the process more",
    ),
    "out-of-files": Entry(
        "error",
        "the system allows this process {count:,} open files, and that is too few",
        "allow it more (`ulimit -n`)",
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
        "its recursion has no end: bind the terms that it passes on by facts",
    ),
}
