"""Translation of rules into the logic program that clingo grounds, and of clingo's symbols back into terms.

Every rule becomes one rule. Names become numbers, so that no spelling can clash with clingo's syntax. Three choice
rules make the grounder compute the relaxed reachable set: whatever may become true is true or false, and whatever may
be legal is done or not done.
"""

from __future__ import annotations

from collections.abc import Iterable

from veil.lang import Literal, Rule
from veil.vocabulary import Signature, Term, Var, arguments, signature, variables

# The predicates that the ground program is read from, under fixed names.
INTERFACE: dict[Signature, str] = {
    ("true", 1): "t",
    ("does", 2): "d",
    ("init", 1): "i",
    ("next", 1): "n",
    ("legal", 2): "l",
    ("sees", 2): "s",
    ("goal", 2): "g",
    ("terminal", 0): "e",
    ("role", 1): "r",
}
CHOICES = "{t(F)} :- i(F). {t(F)} :- n(F). {d(R,M)} :- l(R,M), r(R)."
SHOWN = "#show. " + " ".join(f"#show {name}/{sig[1]}." for sig, name in INTERFACE.items())


class Translation:
    """Numbers for names. The translation grows while rules are translated."""

    def __init__(self) -> None:
        self.predicates: dict[Signature, str] = dict(INTERFACE)
        self.words: dict[str, int] = {}
        self.word_list: list[str] = []

    def program(self, rules: Iterable[Rule]) -> str:
        """Return the whole program as text."""
        return "\n".join([*(self.rule(rule) for rule in rules), CHOICES, SHOWN])

    def rule(self, rule: Rule) -> str:
        """Return one rule as text."""
        names: dict[Var, str] = {}
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            for var in variables(atom):
                names.setdefault(var, f"V{len(names)}")
        body = ", ".join(self.literal(literal, names) for literal in rule.body)
        head = self.atom(rule.head, names)
        return f"{head} :- {body}." if body else f"{head}."

    def literal(self, literal: Literal, names: dict[Var, str]) -> str:
        """Return one condition as text; `names` are the names of the rule's variables."""
        if literal.is_distinct:
            left, right = arguments(literal.atom)
            return f"{self.term(left, names)} != {self.term(right, names)}"
        return ("" if literal.positive else "not ") + self.atom(literal.atom, names)

    def atom(self, atom: Term, names: dict[Var, str]) -> str:
        """Return an atom as text; its predicate gets a name of its own."""
        name = self.name(signature(atom))
        if isinstance(atom, str):
            return name
        return f"{name}({','.join(self.term(part, names) for part in atom[1:])})"

    def name(self, sig: Signature) -> str:
        """Return the name of a predicate."""
        return self.predicates.setdefault(sig, f"p{len(self.predicates)}")

    def term(self, term: Term, names: dict[Var, str]) -> str:
        """Return a term as text; its words become numbers."""
        if isinstance(term, Var):
            return names[term]
        if isinstance(term, str):
            return f"c{self._word(term)}"
        return f"c{self._word(str(term[0]))}({','.join(self.term(part, names) for part in term[1:])})"

    def _word(self, word: str) -> int:
        if word not in self.words:
            self.words[word] = len(self.word_list)
            self.word_list.append(word)
        return self.words[word]

    def read(self, symbol: str) -> tuple[str, tuple[Term, ...]]:
        """Read a symbol, `l(c0,c3(c1,c1))`: return the interface name and the arguments as terms."""
        begin = symbol.find("(")
        if begin < 0:
            return symbol, ()
        stack: list[list[Term]] = [[]]
        functors: list[str] = []
        word = ""
        for char in symbol[begin + 1 :]:
            if char == "(":
                functors.append(self.word_list[int(word[1:])])
                stack.append([])
                word = ""
            elif char in ",)":
                if word:
                    stack[-1].append(self.word_list[int(word[1:])])
                    word = ""
                if char == ")" and functors:
                    arguments = stack.pop()
                    stack[-1].append((functors.pop(), *arguments))
            else:
                word += char
        return symbol[:begin], tuple(stack[0])
