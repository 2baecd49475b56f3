"""Reader of sections: actions, derived predicates and gains as records, formulas in negation normal form.

It refuses, with the place: objects that are not declared, unbound variables, effects on derived predicates, two actions
of one name, and forms that POGDDL does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from fractions import Fraction

from veil.errors import fail, phrase
from veil.lang.pogddl.sections import Sections, head_of, misshapen, read_typed_list, spell
from veil.lang.pogddl.syntax import (
    TRUE,
    ActionSchema,
    AllOf,
    AnyOf,
    AtomChange,
    AtomForm,
    AtomTest,
    Comparison,
    Conditional,
    DerivedRule,
    Expression,
    ForEvery,
    Formula,
    ForSome,
    GainClause,
    GameForms,
    Kind,
    NumberChange,
    Operation,
    Sameness,
    Telling,
    TypedName,
)
from veil.lang.pogddl.world import World, read_number
from veil.lang.tree import Group, Node, Word

EVERYONE, THE_OTHERS = "all", "others"
ARITHMETIC = ("+", "-", "*", "/")
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
KEYWORDS = ("and", "or", "not", "imply", "exists", "forall", "when", "assign", "increase", "decrease", "observe")
FIELDS = (":parameters", ":precondition", ":effect")

Scope = dict[str, str]  # a variable as it is written -> its unique name


def read_forms(world: World, sections: Sections) -> GameForms:
    """Return the actions, derived predicates and gains of a game."""
    reader = Reader(world)
    derived = tuple(reader.read_derived(section) for section in sections[":derived"])
    reader.derived = {rule.head.name for rule in derived}
    for (name, _), atoms in world.facts.items():
        if name in reader.derived:
            place = world.source.place(min(atoms.values()))
            raise fail("pogddl-derived-change", place, name=name, where=":init")
    actions = tuple(reader.read_action(section) for section in sections[":action"])
    names: set[str] = set()
    for action in actions:
        if action.name in names:
            raise fail("pogddl-same-name", world.source.place(action.offset), name=action.name)
        names.add(action.name)
    gains = tuple(reader.read_gain(section) for section in sections[":gain"])
    return GameForms(actions, derived, gains, reader.kinds)


class Reader:
    """Reader of forms, with the names that are bound around them."""

    def __init__(self, world: World) -> None:
        self.world, self.source = world, world.source
        self.kinds: dict[str, Kind] = {}
        self.derived: set[str] = set()

    # Sections

    def read_action(self, section: Group) -> ActionSchema:
        """Read an action."""
        name, *rest = section.items[1:] or [section]
        keys, values = rest[::2], rest[1::2]
        if not isinstance(name, Word) or len(keys) != len(values) or any(head_of(key) not in FIELDS for key in keys):
            raise misshapen(self.source, section, ":action")
        fields = {head_of(key): value for key, value in zip(keys, values, strict=True)}
        parameters = fields.get(":parameters")
        if isinstance(parameters, Word):
            raise misshapen(self.source, parameters, ":action")
        scope, variables = self.declare(read_typed_list(self.source, parameters.items if parameters else ()), {})
        precondition = self.formula(fields[":precondition"], scope) if ":precondition" in fields else TRUE
        effects = tuple(self.effects(fields[":effect"], scope)) if ":effect" in fields else ()
        return ActionSchema(name.text, variables, precondition, effects, section.offset)

    def read_derived(self, section: Group) -> DerivedRule:
        """Read a derived predicate with its condition."""
        if len(section.items) != 3 or not isinstance(section.items[1], Group) or not head_of(section.items[1]):
            raise misshapen(self.source, section, ":derived")
        head, body = section.items[1:]
        assert isinstance(head, Group)
        scope, variables = self.declare(read_typed_list(self.source, head.items[1:]), {})
        atom = AtomForm(head_of(head), variables, head.offset)
        self.world.check_use("predicate", atom)
        return DerivedRule(atom, self.formula(body, scope))

    def read_gain(self, section: Group) -> GainClause:
        """Read a gain; its list of roles may stand in parentheses."""
        if len(section.items) < 4:
            raise misshapen(self.source, section, ":gain")
        *who, amount, condition = section.items[1:]
        listed = who[0].items if len(who) == 1 and isinstance(who[0], Group) else who
        names = read_typed_list(self.source, listed)
        scope, variables = self.declare([entry for entry in names if entry.name.startswith("?")], {})
        recipients = tuple(scope.get(entry.name) or self.object_named(entry.name, entry.offset) for entry in names)
        return GainClause(
            variables, recipients, self.expression(amount, scope), self.formula(condition, scope), section.offset
        )

    # Names

    def declare(self, names: list[TypedName], scope: Scope) -> tuple[Scope, tuple[str, ...]]:
        """Return the scope with these variables added, each under a unique name."""
        wider, added = dict(scope), []
        for entry in names:
            if not entry.name.startswith("?") or entry.name == "?":
                raise fail("pogddl-not-a-variable", self.source.place(entry.offset), word=entry.name)
            self.world.check_kind(entry.kind, entry.offset)
            name, count = entry.name, 1
            while name in self.kinds:
                count += 1
                name = f"{entry.name} {count}"
            self.kinds[name] = entry.kind
            wider[entry.name] = name
            added.append(name)
        return wider, tuple(added)

    def object_named(self, word: str, offset: int) -> str:
        """Return the word if it is an object; refuse it otherwise."""
        if word not in self.world.objects["object"]:
            raise fail("pogddl-unknown-object", self.source.place(offset), word=word)
        return word

    def argument(self, node: Node, scope: Scope) -> str:
        """Return an object, or a variable that is bound."""
        if not isinstance(node, Word):
            raise misshapen(self.source, node, ":predicates")
        return scope.get(node.text) or self.object_named(node.text, node.offset)

    def atom(self, node: Node, scope: Scope, what: str) -> AtomForm:
        """Read a predicate or function with its arguments."""
        if not isinstance(node, Group) or not head_of(node) or head_of(node).startswith("?"):
            raise misshapen(self.source, node, ":predicates" if what == "predicate" else "number")
        self.check_flat(node)
        atom = AtomForm(head_of(node), tuple(self.argument(item, scope) for item in node.items[1:]), node.offset)
        self.world.check_use(what, atom)
        return atom

    def check_flat(self, node: Group) -> None:
        """Refuse `(name (inner) ...)`: most often `name` is a misspelt keyword."""
        for item in node.items[1:]:
            if isinstance(item, Group):
                near = get_close_matches(head_of(node), KEYWORDS)
                hint = phrase("did-you-mean", names=" or ".join(near)) if near else ""
                what = f"`{spell(item)[:60]}`"
                raise fail("pogddl-nested", self.source.place(node.offset), what=what, name=head_of(node), near=hint)

    # Formulas

    def formula(self, node: Node, scope: Scope, positive: bool = True) -> Formula:
        """Read a formula, or its negation, in negation normal form."""
        if isinstance(node, Group) and not node.items:
            return TRUE if positive else AnyOf(())
        word = head_of(node)
        if word in ("and", "or"):
            parts = tuple(self.formula(part, scope, positive) for part in self.operands(node))
            return AllOf(parts) if (word == "and") == positive else AnyOf(parts)
        if word == "not":
            return self.formula(self.operands(node, 1)[0], scope, not positive)
        if word == "imply":
            premise, conclusion = self.operands(node, 2)
            sides = (self.formula(premise, scope, not positive), self.formula(conclusion, scope, positive))
            return AnyOf(sides) if positive else AllOf(sides)
        if word in ("exists", "forall"):
            inner, variables = self.quantified(node, scope)
            body = self.formula(self.operands(node, 2)[1], inner, positive)
            return ForSome(variables, body) if (word == "exists") == positive else ForEvery(variables, body)
        if word in NEGATED and word != "!=":
            return self.comparison(node, scope, positive)
        return AtomTest(self.atom(node, scope, "predicate"), positive)

    def operands(self, node: Node, count: int | None = None) -> tuple[Node, ...]:
        """Return the operands of a connective; with `count`, their number must be `count`."""
        parts = node.items[1:] if isinstance(node, Group) else ()
        if isinstance(node, Word) or (count is not None and len(parts) != count):
            place = self.source.place(node.offset)
            raise fail("connective-arity", place, connective=head_of(node), given=len(parts))
        return parts

    def quantified(self, node: Node, scope: Scope) -> tuple[Scope, tuple[str, ...]]:
        """Return the scope inside a quantifier, and its variables."""
        names = self.operands(node, 2)[0]
        if not isinstance(names, Group):
            raise misshapen(self.source, names, "quantifier")
        return self.declare(read_typed_list(self.source, names.items), scope)

    def comparison(self, node: Node, scope: Scope, positive: bool) -> Formula:
        """Read a test of two objects, or a comparison of two numbers."""
        sign, (left, right) = head_of(node), self.operands(node, 2)
        if sign == "=" and all(isinstance(side, Word) and self.is_object(side.text, scope) for side in (left, right)):
            return Sameness(self.argument(left, scope), self.argument(right, scope), positive)
        sign = sign if positive else NEGATED[sign]
        first, second = self.expression(left, scope), self.expression(right, scope)
        if sign in (">", ">="):
            first, second, sign = second, first, {">": "<", ">=": "<="}[sign]
        return Comparison(sign, first, second, node.offset)

    def is_object(self, word: str, scope: Scope) -> bool:
        """Return whether a word stands for an object."""
        return word in scope or word in self.world.objects["object"]

    def expression(self, node: Node, scope: Scope) -> Expression:
        """Read a number, a fluent, or a sum, difference, product or quotient."""
        number = read_number(node)
        if number is not None:
            return number
        if head_of(node) not in ARITHMETIC:
            return self.atom(node, scope, "function")
        parts = tuple(self.expression(part, scope) for part in self.operands(node))
        if not parts or (head_of(node) == "/" and len(parts) != 2):
            raise misshapen(self.source, node, "number")
        return Operation(head_of(node), parts, node.offset)

    # Effects

    def effects(
        self, node: Node, scope: Scope, variables: tuple[str, ...] = (), conditions: tuple[Formula, ...] = ()
    ) -> Iterator[Conditional]:
        """Yield the changes of an effect, each with the quantifiers and conditions around it."""
        if isinstance(node, Group) and not node.items:
            return
        word = head_of(node)
        if word == "and":
            for part in self.operands(node):
                yield from self.effects(part, scope, variables, conditions)
        elif word == "when":
            condition, body = self.operands(node, 2)
            yield from self.effects(body, scope, variables, (*conditions, self.formula(condition, scope)))
        elif word == "forall":
            inner, added = self.quantified(node, scope)
            yield from self.effects(self.operands(node, 2)[1], inner, (*variables, *added), conditions)
        elif word == "observe":
            for change in self.tellings(node, scope):
                yield Conditional(variables, conditions, change, node.offset)
        else:
            yield Conditional(variables, conditions, self.change(node, scope), node.offset)

    def change(self, node: Node, scope: Scope) -> AtomChange | NumberChange:
        """Read one change of an atom or of a number."""
        word = head_of(node)
        if word in ("assign", "increase", "decrease"):
            fluent, amount = self.operands(node, 2)
            value = self.expression(amount, scope)
            if word == "decrease":
                value = -value if isinstance(value, Fraction) else Operation("-", (value,), node.offset)
            return NumberChange(self.atom(fluent, scope, "function"), value, word == "assign")
        atom = self.atom(self.operands(node, 1)[0] if word == "not" else node, scope, "predicate")
        if atom.name in self.derived:
            place = self.source.place(atom.offset)
            raise fail("pogddl-derived-change", place, name=atom.name, where=":effect")
        return AtomChange(atom, word != "not")

    def tellings(self, node: Node, scope: Scope) -> Iterator[Telling]:
        """Yield who observes what; an observation may be any words."""
        pairs = self.operands(node)
        for pair in pairs:
            if not isinstance(pair, Group) or len(pair.items) != 2 or not isinstance(pair.items[0], Word):
                raise misshapen(self.source, pair, "observe")
        named = tuple(self.recipient(pair.items[0], scope) for pair in pairs if isinstance(pair, Group))
        roles = tuple(who for who in named if who not in (EVERYONE, THE_OTHERS))
        for pair, who in zip(pairs, named, strict=True):
            assert isinstance(pair, Group)
            yield Telling(who, self.observation(pair.items[1], scope), roles)

    def recipient(self, node: Node, scope: Scope) -> str:
        """Read `all`, `others`, a role, or a variable whose objects are roles."""
        assert isinstance(node, Word)
        if node.text in (EVERYONE, THE_OTHERS):
            return node.text
        who = scope.get(node.text, node.text)
        if not set(self.world.members(self.kinds[who]) if who in self.kinds else (who,)) <= set(self.world.roles):
            raise fail("pogddl-no-role", self.source.place(node.offset), word=node.text)
        return who

    def observation(self, node: Node, scope: Scope) -> AtomForm:
        """Read an observation: a name and words."""
        items = node.items if isinstance(node, Group) else (node,)
        if not items or not all(isinstance(item, Word) for item in items):
            raise misshapen(self.source, node, "observe")
        if len(items) > 1 and head_of(node).startswith("?"):
            raise fail("variable-functor", self.source.place(node.offset), name=head_of(node))
        for item in items:
            assert isinstance(item, Word)
            if item.text.startswith("?") and item.text != "?" and item.text not in scope:
                raise fail("pogddl-unknown-object", self.source.place(item.offset), word=item.text)
        name, *words = (scope.get(item.text, item.text) for item in items if isinstance(item, Word))
        return AtomForm(name, tuple(words), node.offset)
