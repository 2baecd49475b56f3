"""Tables of named things, and the text that names one: `hyperplay:models=100,sampler=particle`.

Players, samplers and solvers are rows of a `Registry`: a name, a frozen dataclass of options, a maker, one line of
summary. A row names its module; it is imported when the row is used, so that a command line can list a table at once.
Files and packages of other people add rows (`veil.plugins`).

A spec is a name and, after a colon, `option=value` separated by commas. One option of a row may be its main one, and is
then given by its value alone: `policy:FILE`, `solve:cfr+`. An option may name a row of another table (a player its
sampler and its opponents); what the first config does not know is then handed on to the first of these rows that does:
`hyperplay:sampler=hyperplay,reseed=false` is the player `hyperplay` with the sampler `hyperplay:reseed=false`. Where
several know an option, `sampler.models=50` says whose it is.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from veil.errors import VeilError, fail
from veil.limits import LIMITS, Limit, beyond
from veil.plugins import Rows

T = TypeVar("T")
YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
TAKES_THE_REST = "file"  # an option of this name may hold commas: it ends with the spec


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """One thing of a table. `config` and `make` are names in the module `home`, or stand elsewhere: `module:name`."""

    home: str
    config: str
    make: str  # called with a config, and with whatever the table's contract adds
    summary: str
    needs: frozenset[str] = frozenset()  # what it must be given beyond what the contract gives to all

    def config_class(self) -> type[Any]:
        """The dataclass of its options."""
        config: type[Any] = self._find(self.config)
        return config

    def maker(self) -> Any:
        """What makes the thing."""
        return self._find(self.make)

    def _find(self, name: str) -> Any:
        module, _, rest = name.rpartition(":")
        return getattr(import_module(module or self.home), rest)


class Spec(NamedTuple):
    """A text that names a row, taken apart."""

    name: str
    config: Any  # of the row's config class


class Inner(NamedTuple):
    """An option that names a row of another table, and what it names."""

    field: dataclasses.Field[Any]
    spec: str

    @property
    def table(self) -> Registry[Any]:
        """The other table."""
        return find_table(self.field.metadata["table"])

    def with_option(self, part: str) -> Inner:
        """The same with one `option=value` more."""
        return Inner(self.field, f"{self.spec}{',' if ':' in self.spec else ':'}{part}")


class Option(NamedTuple):
    """What may be set of a row, for reading."""

    name: str
    default: Any
    kind: str  # a type, or the words to choose from
    about: str


def option(
    default: Any, about: str, *, limit: str | Limit | None = None, table: str = "", is_main: bool = False
) -> Any:
    """A field of a config: its default, what it means, its limit (a row of `LIMITS`, or one of its own).

    `table` says that the value is a spec of another registry, given as `module:NAME`; `is_main`, that the value may
    stand right after the colon of a spec, without the name of the option.
    """
    limit = LIMITS[limit] if isinstance(limit, str) else limit
    facts = {"about": about, "limit": limit, "table": table, "is_main": is_main}
    return dataclasses.field(default=default, metadata=facts)


def check_options(config: Any) -> None:
    """Refuse values beyond the limits of their fields, and words that are no choice; called by `__post_init__`."""
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
    """The registry at `module:NAME`."""
    module, _, name = address.partition(":")
    table: Registry[Any] = getattr(import_module(module), name)
    return table


class Registry(Generic[T]):
    """A table of named things of one kind: `make` gives a T."""

    def __init__(self, kind: str, rows: Mapping[str, Row], group: str = "") -> None:
        """`kind` stands in messages; the catalogue has `unknown-KIND` and `bad-KIND`.

        Packages declare rows of their own as entry points of `group`.
        """
        self.kind, self.rows = kind, Rows(kind, rows, Row, group)

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __contains__(self, name: object) -> bool:
        return name in self.rows

    def __getitem__(self, name: str) -> Row:
        if name not in self.rows:
            raise fail(f"unknown-{self.kind}", name=name or "(nothing)", names=self.names())
        return self.rows[name]

    def row_of(self, spec: str) -> Row:
        """The row that a text names; its options are not looked at."""
        return self[spec.strip().partition(":")[0]]

    def add(self, name: str, row: Row) -> None:
        """A row of one's own; a name that is taken is refused."""
        self.rows.add(name, row)

    def names(self) -> str:
        """All names, for messages."""
        return ", ".join(self.rows)

    def parse(self, spec: str) -> Spec:
        """The row and the options that a text names; what it says nothing about has its default."""
        name, options = self.split(spec)
        return Spec(name, self[name].config_class()(**options))

    def make(self, spec: str, *args: Any, **more: Any) -> T:
        """The thing that a text names; the contract of the table says what else its makers take."""
        name, config = self.parse(spec)
        made: T = self[name].maker()(config, *args, **more)
        return made

    def options(self, name: str) -> list[Option]:
        """What can be set of a row."""
        config = self[name].config_class()
        hints = get_type_hints(config)
        return [
            Option(entry.name, entry.default, _kind(hints[entry.name]), entry.metadata.get("about", ""))
            for entry in dataclasses.fields(config)
        ]

    def usage(self, name: str) -> str:
        """All options with their defaults, as a spec."""
        fields = dataclasses.fields(self[name].config_class())
        shown = [f"{entry.name}={_shown(entry.default)}" for entry in fields]
        return f"{name}:{','.join(shown)}" if shown else name

    def takes(self, spec: str, key: str) -> bool:
        """Whether the row of a spec has an option of this name, itself or by a row that one of its options names."""
        name, _, rest = spec.strip().partition(":")
        config = self[name].config_class()
        if key in {entry.name for entry in dataclasses.fields(config)}:
            return True
        given = {part.partition("=")[0].strip(): part.partition("=")[2] for part in _parts(rest, config)}
        inner = [Inner(entry, given.get(entry.name, str(entry.default))) for entry in _inner_fields(config)]
        return any(each.table.takes(each.spec, key) for each in inner)

    def split(self, spec: str) -> tuple[str, dict[str, Any]]:
        """The name and the options that are given, with their types."""
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
                raise self._refuse(spec, name, f"`{part.strip()}` is no option")
        if handed_on:
            self._hand_on(spec, name, options, handed_on)
        return name, options

    def _hand_on(self, spec: str, name: str, options: dict[str, Any], parts: list[str]) -> None:
        """Options of the inner things join their specs (options are changed in place)."""
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
        """An option that neither the row takes nor those that it names."""
        chosen = " nor of ".join(f"the {each.table.kind} {_name_in(each.spec)}" for each in inner)
        also = "; ".join(each.table.usage(_name_in(each.spec)) for each in inner)
        return self._refuse(spec, name, f"`{part}` is no option, neither of {name} nor of {chosen}", also=also)

    def _value(self, spec: str, name: str, key: str, text: str, hint: Any) -> Any:
        kinds = [part for part in get_args(hint) if part is not type(None)] if _is_union(hint) else [hint]
        kind = kinds[0]
        try:
            if get_origin(kind) is Literal:
                return text
            return YES_OR_NO[text.lower()] if kind is bool else kind(text)
        except (ValueError, KeyError):
            raise self._refuse(spec, name, f"{key} cannot be {text}") from None

    def _refuse(self, spec: str, name: str, what: str, also: str = "") -> VeilError:
        """An option that the row does not take; the hint lists those it does."""
        usage = self.usage(name) + (f"; {also}" if also else "")
        return fail(f"bad-{self.kind}", spec=spec, what=what, usage=usage)


def _parts(rest: str, config: type[Any]) -> list[str]:
    """The options of a spec, each as `option=value`; one named `file` takes all that follows."""
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
    """The name of the row in a spec."""
    return spec.strip().partition(":")[0]


def _inner_fields(config: type[Any]) -> list[dataclasses.Field[Any]]:
    """The fields that name a row of another table."""
    return [entry for entry in dataclasses.fields(config) if entry.metadata.get("table")]


def _is_union(hint: Any) -> bool:
    return isinstance(hint, types.UnionType)


def _kind(hint: Any) -> str:
    """A type for reading."""
    if get_origin(hint) is Literal:
        return " or ".join(get_args(hint))
    if _is_union(hint):
        return " or ".join("none" if part is type(None) else part.__name__ for part in get_args(hint))
    return str(getattr(hint, "__name__", hint))


def _shown(default: Any) -> str:
    if default is None or default == "":
        return "..."
    return str(default).lower() if isinstance(default, bool) else str(default)
