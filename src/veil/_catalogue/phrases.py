"""Words that are filled into messages: code of the phrase -> its form."""

from __future__ import annotations

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
    # undefined-...: what may be meant
    "guess-name": "did you mean {name}?",
    "guess-roles": "the roles are {roles}",
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
    "verdict-undefined": "it can be played, but {names} in it are defined nowhere: perhaps not the game that was meant",
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
    "studio-other-moves": "round {number} does not follow from the seed",
    "studio-not-legal": "the move is not legal",
    # bad-record
    "sees-not-a-list": 'round {number}: "sees" is not a list of texts',
    "strange-field": "round {number}: {field} is not move or sees",
    "round-without-move": 'round {number} is not an object with a "move"',
    "over-not-yes-or-no": '"over" must be true or false',
    "not-a-list-of-rounds": "it is not a list of rounds",
    "in-round": "round {number}: {what}",
    "parentheses-differ": "it has more `(` than `)`, or fewer",
    # illegal-move and its like: where in a list of joint moves; which moves are legal
    "before-a-round": "round {number}: ",
    "at-the-start": "at the start ",
    "and-more-moves": ", ... ({count} in all)",
}
