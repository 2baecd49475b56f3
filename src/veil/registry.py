"""Tables of named things, and the text that names one: `hyperplay:models=100,sampler=particle`.

Players, samplers and solvers are rows of a `Registry`: a name, a frozen dataclass of options, a maker, one line of
summary. A row names its module, which is imported when the row is used, so that a command line can list a table at
once. Files and packages of other people add rows (`veil.plugins`).

A spec is a name and, after a colon, `option=value` separated by commas. One option of a row may be its main one; its
value may stand alone: `policy:FILE`, `solve:cfr+`. An option may name a row of another table (a player names its
sampler and its opponents). An option that the first config does not know is passed on to the first of these rows that
knows it: `hyperplay:sampler=hyperplay,reseed=false` is the player `hyperplay` with the sampler
`hyperplay:reseed=false`. If several rows know an option, `sampler.models=50` says which one is meant.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from veil.errors import VeilError, bad_argument, did_you_mean, fail, phrase
from veil.limits import LIMITS, Limit, beyond
from veil.plugins import Rows

T = TypeVar("T")
YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
TAKES_THE_REST = "file"  # an option of this name may contain commas: it ends with the spec


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """One row of a table. `config` and `make` are names in the module `home`, or stand elsewhere: `module:name`."""

    home: str
    config: str
    make: str  # called with a config, and with the other arguments of the table's contract
    summary: str
    needs: frozenset[str] = frozenset()  # what it needs beyond the arguments of the contract

    def config_class(self) -> type[Any]:
        """Return the dataclass of its options."""
        config: type[Any] = self._find(self.config)
        return config

    def maker(self) -> Any:
        """Return the function that makes the thing."""
        return self._find(self.make)

    def _find(self, name: str) -> Any:
        module, _, rest = name.rpartition(":")
        return getattr(import_module(module or self.home), rest)


class Spec(NamedTuple):
    """A parsed text that names a row."""

    name: str
    config: Any  # of the row's config class


class Inner(NamedTuple):
    """An option that names a row of another table, and its value."""

    field: dataclasses.Field[Any]
    spec: str

    @property
    def table(self) -> Registry[Any]:
        """The other table."""
        return find_table(self.field.metadata["table"])

    def with_option(self, part: str) -> Inner:
        """Return this option with one more `option=value` in its spec."""
        return Inner(self.field, f"{self.spec}{',' if ':' in self.spec else ':'}{part}")


class Option(NamedTuple):
    """An option of a row, for people."""

    name: str
    default: Any
    kind: str  # a type, or the words to choose from
    about: str


def option(
    default: Any, about: str, *, limit: str | Limit | None = None, table: str = "", is_main: bool = False
) -> Any:
    """Return a field of a config: its default, its meaning, its limit (a row of `LIMITS`, or its own).

    `table` says that the value is a spec of another registry, given as `module:NAME`; `is_main` says that the value may
    stand right after the colon of a spec, without the name of the option.
    """
    limit = LIMITS[limit] if isinstance(limit, str) else limit
    facts = {"about": about, "limit": limit, "table": table, "is_main": is_main}
    return dataclasses.field(default=default, metadata=facts)


def check_options(config: Any) -> None:
    """Raise `VeilError` for values beyond the limits of their fields, and for words that are no choice."""
    hints = get_type_hints(type(config))
    for entry in dataclasses.fields(config):
        value, limit = getattr(config, entry.name), entry.metadata.get("limit")
        choices = get_args(hints[entry.name]) if get_origin(hints[entry.name]) is Literal else ()
        if choices and value not in choices:
            raise fail("bad-option", what=f"{entry.name} must be {' or '.join(choices)}, not {value}")
        if value is None:
            continue
        if limit is not None and not limit.holds(value):
            raise beyond(limit, value, entry.name)
        if entry.metadata.get("table"):
            find_table(entry.metadata["table"]).parse(value)


def find_table(address: str) -> Registry[Any]:
    """Return the registry at `module:NAME`."""
    module, _, name = address.partition(":")
    table: Registry[Any] = getattr(import_module(module), name)
    return table


class Registry(Generic[T]):
    """A table of named things of one kind: `make` returns a T."""

    def __init__(self, kind: str, rows: Mapping[str, Row], group: str = "") -> None:
        """Make a table; messages mention `kind`, and the catalogue has `unknown-KIND` and `bad-KIND`.

        Packages declare rows of their own as entry points of `group`.
        """
        self.kind, self.rows = kind, Rows(kind, rows, Row, group)

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __contains__(self, name: object) -> bool:
        return name in self.rows

    def __getitem__(self, name: str) -> Row:
        if name not in self.rows:
            near = did_you_mean(name, self.rows)
            raise fail(f"unknown-{self.kind}", name=name or "(nothing)", names=self.names(), near=near)
        return self.rows[name]

    def row_of(self, spec: str) -> Row:
        """Return the row that a text names; its options are not read."""
        return self[spec.strip().partition(":")[0]]

    def add(self, name: str, row: Row) -> None:
        """Add a row. Raises ValueError if the name is taken."""
        self.rows.add(name, row)

    def names(self) -> str:
        """Return all names, for messages."""
        return ", ".join(self.rows)

    def parse(self, spec: str) -> Spec:
        """Return the row and the options that a text names; missing options have their defaults."""
        name, options = self.split(spec)
        return Spec(name, self[name].config_class()(**options))

    def make(self, spec: str, *args: Any, **more: Any) -> T:
        """Make the thing that a text names; the other arguments are those of the table's contract."""
        return self.build(self.parse(spec), *args, **more)

    def build(self, spec: Spec, *args: Any, **more: Any) -> T:
        """Make the thing of a parsed text; see `make`."""
        made: T = self[spec.name].maker()(spec.config, *args, **more)
        return made

    def options(self, name: str) -> list[Option]:
        """Return the options of a row."""
        config = self[name].config_class()
        hints = get_type_hints(config)
        return [
            Option(entry.name, entry.default, _kind(hints[entry.name]), entry.metadata.get("about", ""))
            for entry in dataclasses.fields(config)
        ]

    def usage(self, name: str) -> str:
        """Return all options with their defaults, as a spec."""
        fields = dataclasses.fields(self[name].config_class())
        shown = [f"{entry.name}={_shown(entry.default)}" for entry in fields]
        return f"{name}:{','.join(shown)}" if shown else name

    def takes(self, spec: str, key: str) -> bool:
        """Return whether the row of a spec, or a row that one of its options names, has an option of this name."""
        name, _, rest = spec.strip().partition(":")
        config = self[name].config_class()
        if key in {entry.name for entry in dataclasses.fields(config)}:
            return True
        given = {part.partition("=")[0].strip(): part.partition("=")[2] for part in _parts(rest, config)}
        inner = [Inner(entry, given.get(entry.name, str(entry.default))) for entry in _inner_fields(config)]
        return any(each.table.takes(each.spec, key) for each in inner)

    def split(self, spec: str) -> tuple[str, dict[str, Any]]:
        """Return the name and the given options, with their types."""
        if not isinstance(spec, str):
            raise bad_argument(f"the {self.kind}", phrase("a-spec"), spec)
        name, _, rest = spec.strip().partition(":")
        config = self[name].config_class()
        hints, options, handed_on = get_type_hints(config), dict[str, Any](), list[str]()
        for part in _parts(rest, config):
            key, equals, text = (piece.strip() for piece in part.partition("="))
            if key in options:
                raise self._refuse(spec, name, f"{key} is given twice")
            if key in hints and equals:
                options[key] = self._value(spec, name, key, text, hints[key])
            elif equals and key and _inner_fields(config):
                handed_on.append(part.strip())
            else:
                raise self._refuse(spec, name, f"`{part.strip()}` is no option", wrong=part)
        if handed_on:
            self._hand_on(spec, name, options, handed_on)
        return name, options

    def _hand_on(self, spec: str, name: str, options: dict[str, Any], parts: list[str]) -> None:
        """Add options of the inner things to their specs (options are changed in place)."""
        inner = _inner_fields(self[name].config_class())
        named = [Inner(entry, str(options.get(entry.name, entry.default))) for entry in inner]
        for part in parts:
            owner, dot, rest = part.partition(".")
            whose = [each for each in range(len(named)) if dot and named[each].field.name == owner]
            asked, whose = (rest, whose) if whose else (part, list(range(len(named))))
            key = asked.partition("=")[0].strip()
            takers = [each for each in whose if named[each].table.takes(named[each].spec, key)]
            if not takers:
                raise self._refuse_handed_on(spec, name, part, [named[each] for each in whose])
            named[takers[0]] = named[takers[0]].with_option(asked.strip())
        for entry, text in named:
            find_table(entry.metadata["table"]).split(text)
            options[entry.name] = text

    def _refuse_handed_on(self, spec: str, name: str, part: str, inner: list[Inner]) -> VeilError:
        """Return the error for an option that neither the row takes nor the rows that it names."""
        chosen = " nor of ".join(f"the {each.table.kind} {_name_in(each.spec)}" for each in inner)
        also = "; ".join(each.table.usage(_name_in(each.spec)) for each in inner)
        return self._refuse(
            spec, name, f"`{part}` is no option, neither of {name} nor of {chosen}", also=also, wrong=part
        )

    def _value(self, spec: str, name: str, key: str, text: str, hint: Any) -> Any:
        kinds = [part for part in get_args(hint) if part is not type(None)] if _is_union(hint) else [hint]
        kind = kinds[0]
        try:
            if get_origin(kind) is Literal:
                return text
            return YES_OR_NO[text.lower()] if kind is bool else kind(text)
        except (ValueError, KeyError):
            raise self._refuse(spec, name, f"{key} cannot be {text}") from None

    def _refuse(self, spec: str, name: str, what: str, also: str = "", wrong: str = "") -> VeilError:
        """Return the error for an option that the row does not take; the hint lists those that it does.

        If the option is `wrong` as a name, the hint begins with the nearest one.
        """
        near = did_you_mean(wrong.partition("=")[0], (entry.name for entry in self.options(name))) if wrong else ""
        usage = near + self.usage(name) + (f"; {also}" if also else "")
        return fail(f"bad-{self.kind}", spec=spec, what=what, usage=usage)


def _parts(rest: str, config: type[Any]) -> list[str]:
    """Return the options of a spec, each as `option=value`; one named `file` takes the rest of the spec."""
    if not rest.strip():
        return []
    parts = rest.split(",")
    main = next((entry.name for entry in dataclasses.fields(config) if entry.metadata.get("is_main")), None)
    if main is not None and "=" not in parts[0]:
        parts[0] = f"{main}={parts[0].strip()}"
    for at, part in enumerate(parts):
        if part.partition("=")[0].strip() == TAKES_THE_REST:
            return [*parts[:at], ",".join(parts[at:])]
    return parts


def _name_in(spec: str) -> str:
    """Return the name of the row in a spec."""
    return spec.strip().partition(":")[0]


def _inner_fields(config: type[Any]) -> list[dataclasses.Field[Any]]:
    """Return the fields that name a row of another table."""
    return [entry for entry in dataclasses.fields(config) if entry.metadata.get("table")]


def _is_union(hint: Any) -> bool:
    return isinstance(hint, types.UnionType)


def _kind(hint: Any) -> str:
    """Return a type as text for people."""
    if get_origin(hint) is Literal:
        return " or ".join(get_args(hint))
    if _is_union(hint):
        return " or ".join("none" if part is type(None) else part.__name__ for part in get_args(hint))
    return str(getattr(hint, "__name__", hint))


def _shown(default: Any) -> str:
    if default is None or default == "":
        return "..."
    return str(default).lower() if isinstance(default, bool) else str(default)
