"""The words that a beginner may not know, each explained in plain sentences: for the studio, and for the site."""

from __future__ import annotations

GLOSSARY: dict[str, str] = {
    "bag": "Several worlds with their weights: what a sampler gives.",
    "belief": "What a role can know: every history that agrees with its record, each with its probability.",
    "best response": "The play of one role that gets most if all others keep to their policies.",
    "budget": "How much a player or a solver may work for one answer: seconds, states, iterations or playouts.",
    "catalogue": "The games that are bundled with Veil. The command veil games lists them.",
    "CFR": (
        "Counterfactual regret minimisation: a family of solvers that make better moves likelier, iteration "
        "by iteration."
    ),
    "chance": (
        "Dice, shuffled cards and everything else that nobody chooses. In the rules it is the role random, "
        "which chooses each of its legal moves with the same probability."
    ),
    "chips": "The unit in which a poker game is counted. The rules give goals from 0 to 100; a goal of 50 is 0 chips.",
    "constant sum": (
        "The payoffs of all roles together are the same at every end of the game: what one role wins, others lose."
    ),
    "decision problem": "A game with one player. There is no opponent, so the best plan is exact.",
    "effective size": "How many equally weighted worlds would say as much as a sample whose weights differ.",
    "equilibrium": "A policy for every role so that no role gets more by changing its own policy alone.",
    "exploitability": (
        "What all roles together gain by best responses, divided by the number of roles: how far a policy is "
        "from an equilibrium. 0 is best."
    ),
    "family": "A game with parameters, for example krieg_tictactoe(size=4).",
    "fingerprint": "A short text that is computed from rules. Two files with the same fingerprint are the same game.",
    "fluent": "A fact of the position that can change, for example (cell 1 1 x) or (control first).",
    "goal": "What a role gets at the end of a game, usually from 0 to 100.",
    "ground": "Without variables. Veil replaces every rule by all its cases before it compiles a game.",
    "guest": "A player that somebody else has written: a Python file (own) or a program on the network (remote).",
    "history": "All moves of all roles since the start, those of chance included. It determines the state.",
    "infoset": (
        "Information set: all histories that a role cannot tell apart, because its record is the same in "
        "them. A role plays the same way in all of them. In a drawn tree a dashed line joins them."
    ),
    "interval": "The number after ± is half of a 95 % interval: so far away the true mean can easily be.",
    "joint move": "One move of every role, made at the same time.",
    "kernel": "A small function that is compiled to machine code when it is first used.",
    "lane": "One bit of a machine word, and one world that it stands for. One pass of machine code steps 256 lanes.",
    "match": "One game that is played from its start to its end between players.",
    "model": "A world that HyperPlay keeps from round to round. A model that explains the record is on line.",
    "NashConv": "The sum, over all roles, of what each gains by a best response. 0 means an equilibrium.",
    "node": "One position in the tree of a game, together with the way that leads to it.",
    "noop": "A move that does nothing. A role whose turn it is not has only this one.",
    "percept": "What one role is told after one round, and the others perhaps are not.",
    "player": "A program or a person that chooses the moves of a role.",
    "playout": (
        "A game that is played to its end by a simple rule, usually at random, to find out what a position is worth."
    ),
    "policy": "How likely a role plays each of its moves, at each of its infosets.",
    "prior": (
        "How likely something is before the evidence is counted. After it is counted, the probability is "
        "called posterior."
    ),
    "profile": "A policy for every role.",
    "reach": "How often play comes to an infoset if everybody keeps to the policy.",
    "record": (
        "All that a role has done and was told since the start, round by round. A role knows this and nothing "
        "else. It is written noop: (card king); bet. After a colon stands what was seen, and a semicolon ends "
        "a round. An empty record is written start."
    ),
    "referee": "The part of Veil that holds the true state of a match, asks the players and checks their moves.",
    "regret": "How much more a role would have got with another move.",
    "resolving": "Solving again, at every decision, the part of the game that is left.",
    "role": "One of the players of a game, as the rules name it.",
    "room": "A package of the source code, for example belief or search.",
    "round": "All roles move once, at the same time. A role that has nothing to choose has one legal move.",
    "row": "A line in a table of things with a name: players, samplers, solvers, opponents. Others can add rows.",
    "sampler": "A method that finds worlds which agree with a record, where there are too many to list.",
    "searcher": "A method that chooses a move during a match, by looking ahead from the worlds that are possible.",
    "seat": "A role of a match, together with the player that plays it.",
    "seed": "A number from which all dice and shuffles follow. The same seed gives the same game.",
    "slot": "An infoset together with one of its moves. A policy has one probability per slot.",
    "solver": "A method that looks for an equilibrium of the whole game.",
    "spec": "A text that names a thing with its options, for example hyperplay:models=50,sampler=csp.",
    "state": "All fluents that are true at a moment.",
    "terminal": "A node or a state at which the game is over.",
    "tree": (
        "All positions of a game, each with the way that leads to it. Most games have too many to keep them in memory."
    ),
    "utility": "The unit of solvers: the goals, or what the game says instead, for example chips.",
    "value": "What a role gets on average if everybody keeps to the policy.",
    "value of information": "How much more a role gets because it is told something.",
    "walk": "One simulated game of an online search, from which it learns.",
    "weight": "How much a world counts. The weights of a belief are probabilities.",
    "world": "One history that may be the true one, with its probability.",
}
