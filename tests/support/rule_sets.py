"""Random small games: a Hypothesis strategy for valid GDL-II rule sets as prefix text.

1. Choose sorts: a few numbers, symbols, roles and positions. Every variable belongs to one, `?num2` to `num`.
2. Choose parts of a game (a counter, a board, a token, a lamp, hidden cards), each with fluents, moves and rules that
   make states change. Each part adds the atoms that later rules may use.
3. Add auxiliary predicates, then `legal`, `terminal` and `goal`, then what depends on `does`. Bodies are random, but
   use only atoms that were added before, or the head itself without negation: the rules are stratified by construction.
4. Add `(num ?num2)` and the like for each variable that no other atom binds: the rules are safe by construction.
   Terms do not grow, since an argument only ever receives terms of its sort.

A pattern is a term with `Sort` leaves, still to be filled with variables or constants of that sort.
"""

import re
from functools import lru_cache
from itertools import pairwise

from hypothesis import strategies as st

LONGEST_CHAIN = 8  # variables in the widest rules
integers = lru_cache(st.integers)


class Sort(str):
    """The name of a sort, as a leaf of a pattern."""


NUM, SYM, ROLE, POS = Sort("num"), Sort("sym"), Sort("role"), Sort("pos")
PERCEPTS = ["buzz", ("saw", NUM), ("saw", NUM, SYM), ("heard", ROLE), ("felt", ("at", POS)), ("both", POS, SYM)]


@st.composite
def rule_sets(draw, local_negation: bool = False) -> str:
    """Return the text of a random rule set.

    Every role always has a legal move; goals may be missing or ambiguous, and some games never end. With
    local_negation, some variables occur in one negated atom only, read as "there is no x such that ...".
    """
    maker = Maker(draw, local_negation)
    maker.choose_sorts()
    maker.add_static_predicates()
    for add_part in maker.some([maker.add_board, maker.add_token, maker.add_lamp, maker.add_cards], 1, 2):
        add_part()
    if maker.chance(60):
        maker.add_counter()
    for add_group in (
        maker.add_state_predicates,
        maker.add_legal,
        maker.add_terminal,
        maker.add_goals,
        maker.add_round_predicates,
        maker.add_next,
        maker.add_sees,
    ):
        add_group()
    return maker.text()


class Maker:
    """A rule set in the making."""

    def __init__(self, draw, local_negation: bool) -> None:
        self.draw = draw
        self.local_negation = local_negation
        self.rules: list[tuple] = []  # (head, body)
        self.constants: dict = {}  # sort -> its ground terms
        self.atoms: list = []  # patterns that bodies may use now
        self.fluents: list = []  # patterns
        self.moves: list = []  # patterns
        self.counter = ""  # functor of the fluent that counts rounds
        self.num_local = 0  # variables so far that occur in one negated atom only

    # Choices

    def chance(self, percent: int) -> bool:
        return self.number(0, 99) >= 100 - percent

    def pick(self, options):
        return options[self.number(0, len(options) - 1)]

    def number(self, low: int, high: int) -> int:
        return self.draw(integers(low, high))

    def some(self, options: list, low: int, high: int) -> list:
        """Between low and high different ones of the options, in any order."""
        left = list(options)
        return [left.pop(self.number(0, len(left) - 1)) for _ in range(self.number(low, min(high, len(left))))]

    # Filling patterns and writing rules

    def fill(self, pattern, variables: int = 75):
        """Replace each sort by one of its variables (with this percentage) or constants."""
        if isinstance(pattern, Sort):
            if self.chance(variables):
                return f"?{pattern}{self.number(1, 3 if pattern == NUM else 2)}"
            if pattern == POS and self.chance(50):
                return self.fill(("pos", NUM, NUM), variables)
            return self.pick(self.constants[pattern])
        return pattern if isinstance(pattern, str) else tuple(self.fill(part, variables) for part in pattern)

    def add(self, head, *body) -> None:
        """Add a rule, with an atom such as `(num ?num2)` for each variable that is not bound otherwise."""
        bound = set().union(*(variables_of(literal) for literal in body if binds(literal)))
        loose = variables_of((head, *body)) - bound
        domains = [(sort_of(name), name) for name in sorted(loose) if sort_of(name) in self.constants]
        self.rules.append((head, [*domains, *body]))

    def add_random(self, head, *always, most: int = 3) -> None:
        """Add a rule for a head pattern: the given literals and random ones, beginning anywhere."""
        atoms = [self.fill(self.pick(self.atoms)) for _ in range(self.number(0 if always else 1, most))]
        body = [*always, *atoms, *(self.test() for _ in range(self.number(0, 2)))]
        start = self.number(0, len(body) - 1)
        self.add(self.fill(head, 85), *body[start:], *body[:start])

    def test(self, depth: int = 1):
        """A random condition that binds nothing."""
        kinds = ["not", "distinct", "same"] + ["or", "or", "not and", "not or"] * (depth > 0)
        kind = self.pick(kinds)
        if kind == "not":
            return ("not", self.negated_atom())
        if kind in ("distinct", "same"):
            left = self.pick([NUM, SYM, ROLE, POS])
            right = left if self.chance(90) else self.pick([NUM, SYM, ROLE, POS])
            test = ("distinct", self.fill(left, 90), self.fill(right))
            return test if kind == "distinct" else ("not", test)
        parts = [self.condition(depth - 1) for _ in range(self.number(1, 3))]
        if kind == "or":
            return ("or", *parts) if self.chance(60) else ("or", ("and", *parts), self.condition(depth - 1))
        return ("not", (kind.removeprefix("not "), *parts))

    def negated_atom(self):
        atom = self.fill(self.pick(self.atoms))
        if self.local_negation and variables_of(atom) and self.chance(40):
            name = sorted(variables_of(atom))[0]
            self.num_local += 1
            return replace(atom, name, f"?only{self.num_local}")
        return atom

    def condition(self, depth: int):
        return self.fill(self.pick(self.atoms)) if self.chance(60) else self.test(depth)

    # Sorts and what never changes

    def choose_sorts(self) -> None:
        """Declare roles and constants with their domain predicates, and two relations on numbers."""
        self.constants[NUM] = [str(i) for i in range(self.number(2, 4))]
        self.constants[SYM] = ["a", "b", "1"][: self.number(2, 3)]
        self.constants[ROLE] = self.some(["ann", "bob"], 1, 2) + ["random"] * self.chance(50)
        self.constants[POS] = [("pos", *pair) for pair in self.some(self.pairs(), 1, 3)]
        for sort, terms in self.constants.items():
            self.atoms.append((str(sort), sort))
            for term in terms:
                self.add((str(sort), term))

    def pairs(self) -> list[tuple]:
        return [(i, j) for i in self.constants[NUM] for j in self.constants[NUM]]

    def add_static_predicates(self) -> None:
        nums = self.constants[NUM]
        ends = list(pairwise(nums)) + [(nums[-1], nums[0])] * self.chance(30)
        for name, pairs in [("succ", ends), ("edge", self.some(self.pairs(), 1, 6))]:
            for pair in pairs:
                self.add((name, *pair))
            self.atoms.append((name, NUM, NUM))
        for add_one in self.some([self.add_path, self.add_parity, self.add_wide, self.add_relation], 1, 3):
            add_one()

    def add_path(self) -> None:
        """Reachability, what is not reachable, and a second predicate of the same name with another arity."""
        step = self.pick(["succ", "edge"])
        self.add(("path", "?num1", "?num2"), (step, "?num1", "?num2"))
        self.add(("path", "?num1", "?num2"), (self.pick([step, "path"]), "?num1", "?num3"), ("path", "?num3", "?num2"))
        self.add(("apart", "?num1", "?num2"), ("not", ("path", "?num1", "?num2")))
        self.add(("path", "?num1"), ("path", "?num1", "?num1"))
        self.atoms += [("path", NUM, NUM), ("apart", NUM, NUM), ("path", NUM)] * 2

    def add_parity(self) -> None:
        """Two predicates that depend on each other."""
        self.add(("even", "0"))
        self.add(("odd", "?num2"), ("even", "?num1"), ("succ", "?num1", "?num2"))
        self.add(("even", "?num2"), ("succ", "?num1", "?num2"), ("odd", "?num1"))
        self.atoms += [("even", NUM), ("odd", NUM)] * 2

    def add_relation(self) -> None:
        """A relation between sorts, by facts and by a rule."""
        self.add(self.fill(("likes", ROLE, SYM), 0))
        self.add_random(("likes", ROLE, SYM))
        self.atoms.append(("likes", ROLE, SYM))

    def add_wide(self, *extra) -> None:
        """A rule with many variables in a chain or a cycle, with chords, and perhaps an extra literal."""
        names = [f"?num{i + 1}" for i in range(self.number(5, LONGEST_CHAIN))]
        relations = [atom[0] for atom in self.atoms if atom[1:] == (NUM, NUM)]
        links = list(pairwise(names)) + [(names[-1], names[0])] * self.chance(50)
        links += [(self.pick(names), self.pick(names)) for _ in range(self.number(0, 2))]
        body: list = [(self.pick(relations), *link) for link in links]
        body += [("distinct", self.pick(names), self.pick(names)) for _ in range(self.number(0, 2))]
        body += [("not", (self.pick(relations), self.pick(names), self.pick(names))) for _ in range(self.number(0, 1))]
        body = self.some([*body, *extra], len(body) + len(extra), len(body) + len(extra))
        name = f"wide{len(self.rules)}"
        self.add((name, self.pick(names), self.pick(names)), *body)
        self.atoms.append((name, NUM, NUM))

    # Parts of a game

    def add_fluent(self, pattern, *initial) -> None:
        """Register a fluent, and what holds of it at the start."""
        self.fluents.append(pattern)
        for fluent in initial:
            self.add(("init", fluent))

    def add_counter(self) -> None:
        """A fluent that counts rounds, sometimes with the functor of the board's."""
        name = self.counter = self.pick(["step", "cell"])
        self.add_fluent((name, NUM), (name, "0"))
        self.add(("next", (name, "?num2")), ("true", (name, "?num1")), ("succ", "?num1", "?num2"))

    def add_board(self) -> None:
        """Cells that moves overwrite; the others keep what they hold."""
        self.add_fluent(("cell", NUM, SYM), *(("cell", num, "b") for num in self.constants[NUM] if self.chance(70)))
        self.moves.append(("mark", NUM, SYM))
        self.add(("touched", "?num1"), ("does", "?role1", ("mark", "?num1", "?sym1")))
        self.add(("next", ("cell", "?num1", "?sym1")), ("does", "?role1", ("mark", "?num1", "?sym1")))
        self.add(
            ("next", ("cell", "?num1", "?sym1")), ("true", ("cell", "?num1", "?sym1")), ("not", ("touched", "?num1"))
        )

    def add_token(self) -> None:
        """A token per role that jumps to positions; the term of a position is nested."""
        self.add_fluent(("at", POS, ROLE), *(("at", self.pick(self.constants[POS]), r) for r in self.constants[ROLE]))
        self.moves.append(("jump", ("to", POS)))
        moved = ("does", "?role1", ("jump", ("to", "?pos2")))
        self.add(("next", ("at", "?pos2", "?role1")), moved)
        self.add(("moves", "?role1"), moved)
        self.add(("next", ("at", "?pos1", "?role1")), ("true", ("at", "?pos1", "?role1")), ("not", ("moves", "?role1")))

    def add_lamp(self) -> None:
        """A fluent without arguments that comes and goes."""
        self.add_fluent("lit", *["lit"] * self.chance(50))
        self.moves.append("press")
        pressed = ("does", self.fill(ROLE), "press")
        self.add(("next", "lit"), ("not", ("true", "lit")), pressed)
        self.add(("next", "lit"), ("true", "lit"), *[("not", ("does", r, "press")) for r in self.constants[ROLE]])

    def add_cards(self) -> None:
        """A hidden symbol per role, dealt by a move of the last role, and kept under a generic fluent variable."""
        self.add_fluent(("hand", ROLE, ("card", SYM)))
        self.moves.append(("deal", ROLE, ("card", SYM)))
        dealer = self.constants[ROLE][-1]
        self.add(("next", ("hand", "?role1", "?card")), ("does", dealer, ("deal", "?role1", "?card")))
        self.add(("hidden", ("hand", "?role1", "?card")), ("true", ("hand", "?role1", "?card")))
        self.add(("next", "?fluent"), ("true", "?fluent"), ("hidden", "?fluent"), ("not", ("dropped", "?fluent")))
        self.add(
            ("dropped", ("hand", "?role1", "?card")),
            ("true", ("hand", "?role1", "?card")),
            ("does", dealer, ("deal", "?role1", "?other")),
        )
        self.add(("sees", "?role1", ("got", "?card")), ("does", dealer, ("deal", "?role1", "?card")))

    # What depends on the state

    def add_state_predicates(self) -> None:
        """Auxiliary predicates over `true`: by random rules, and one that grows along edges."""
        if self.chance(20):
            self.add_random(("init", self.pick(self.fluents)))
        self.atoms += [("true", fluent) for fluent in self.fluents * 3]
        for i in range(self.number(0, 2)):
            head = (f"aux{i}", *self.some([NUM, SYM, ROLE, POS], 0, 2))
            for _ in range(self.number(1, 2)):
                self.add_random(head)
            self.atoms.append(head)
        if self.chance(60):
            self.add(("grown", "?num1"), ("num", "?num1"), self.fill(("true", self.pick(self.fluents))))
            self.add(("grown", "?num2"), ("grown", "?num1"), ("edge", "?num1", "?num2"), self.test())
            self.atoms += [("grown", NUM)] * 3
        if self.chance(30):
            self.add_wide(self.fill(("true", self.pick(self.fluents))))

    def add_legal(self) -> None:
        """A move that is always legal, and conditions for the others."""
        always = self.number(0, 2)
        if always == 0:
            self.add(("legal", "?role1", "noop"))
        for role in self.constants[ROLE] * (always > 0):
            condition = self.fill(("true", self.pick(self.fluents)), 0)
            self.add(("legal", role, "noop"), *[condition] * (always == 2))
            if always == 2:
                self.add(("legal", role, "noop"), ("not", condition))
        for move in self.moves:
            is_free = self.chance(60)
            if is_free:
                self.add(self.fill(("legal", ROLE, move), 90))
            for _ in range(self.number(0 if is_free else 1, 2)):
                self.add_random(("legal", ROLE, move), most=1)
        if self.chance(30):
            self.atoms += [("legal", ROLE, move) for move in [*self.moves, "noop"]]

    def add_terminal(self) -> None:
        if self.counter and self.chance(60):
            self.add("terminal", ("true", (self.counter, self.constants[NUM][-1])))
        elif self.chance(60):
            self.add_random("terminal", self.fill(("true", self.pick(self.fluents)), 0))
        if self.chance(10):
            self.atoms.append("terminal")

    def add_goals(self) -> None:
        """A winner and losers, or values under any conditions."""
        if self.chance(60):
            self.add_random(("won", ROLE))
            self.add(("goal", "?role1", "100"), ("won", "?role1"))
            self.add(("goal", "?role1", str(self.number(0, 99))), ("not", ("won", "?role1")))
        for _ in range(self.number(0, 2)):
            self.add_random(("goal", ROLE, str(self.number(0, 100))))

    # What depends on the joint move

    def add_round_predicates(self) -> None:
        self.atoms += [("does", ROLE, move) for move in [*self.moves, "noop"] * 2]
        if self.chance(40):
            head = ("event", *self.some([NUM, SYM, ROLE], 0, 2))
            self.add_random(head, self.fill(("does", ROLE, self.pick([*self.moves, "noop"]))))
            self.atoms.append(head)

    def add_next(self) -> None:
        for _ in range(self.number(0, 2)):
            self.add_random(("next", self.pick(self.fluents)))

    def add_sees(self) -> None:
        """Percepts by random rules, percepts of moves and of fluents, and a percept with consequences."""
        for percept in self.some(PERCEPTS, 1, 3):
            self.add_random(("sees", ROLE, percept), self.fill(self.pick(self.atoms[-4:])), most=2)
        if self.chance(60):
            move = self.fill(self.pick(self.moves), 90)
            self.add(
                ("sees", self.fill(ROLE), ("noticed", move)), ("does", "?role2", move), *[self.test()] * self.chance(50)
            )
        if self.chance(30):
            self.add(("sees", "?role1", ("did", "?role2", "?move")), ("does", "?role2", "?move"), self.test())
        if self.chance(20):
            self.add(("sees", self.fill(ROLE), "?fluent"), ("true", "?fluent"), self.test())
        if self.chance(20):
            self.add(("next", self.fill(self.pick(self.fluents))), ("sees", "?role1", "buzz"))

    # Text

    def text(self) -> str:
        """Return the rules as text, beginning anywhere, with a comment and needless parentheses here and there."""
        start = self.number(0, len(self.rules) - 1)
        lines = [show_rule(head, body) for head, body in self.rules[start:] + self.rules[:start]]
        lines.insert(self.number(0, len(lines)), "; (init nothing) (<= comment")
        text = "\n".join(lines) + "\n"
        return text.replace(" lit)", " (lit))") if self.chance(20) else text


def binds(literal) -> bool:
    return literal[0] not in ("not", "distinct", "or")


def sort_of(name: str) -> str:
    """The sort of a variable: `num` for `?num2`."""
    return name[1:].rstrip("0123456789")


def variables_of(term) -> set[str]:
    return set(re.findall(r"\?\w+", show(term)))


def replace(term, name: str, other: str):
    if isinstance(term, str):
        return other if term == name else term
    return tuple(replace(part, name, other) for part in term)


def show(term) -> str:
    return term if isinstance(term, str) else "(" + " ".join(map(show, term)) + ")"


def show_rule(head, body: list) -> str:
    return show(("<=", head, *body)) if body else show(head)
