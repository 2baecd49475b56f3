"""The text that names a game, `blind_breakthrough(width=5, height=5)`: reading it, and matching it with a family."""

from __future__ import annotations

import re

from veil.errors import VeilError, fail, phrase
from veil.games.family import Family, Parameter, Value

SPEC = re.compile(r"(?P<name>[^()]+)(\((?P<arguments>[^()]*)\))?")
EXAMPLE = "blind_breakthrough(width=5, height=5)"
MAX_SHOWN = 60  # characters of the user's text that a message repeats

Argument = tuple[str | None, str]  # parameter, None if only the position says which; value


def split_spec(text: str) -> tuple[str, list[Argument]]:
    """Return the name of a game and the arguments between its parentheses. Raises `VeilError` for other texts."""
    match = SPEC.fullmatch(text.strip())
    if match is None:
        raise bad_spec(text, phrase("not-one-pair" if text.strip() else "empty-spec"))
    inside = match["arguments"] or ""
    arguments = [split_argument(text, part) for part in inside.split(",")] if inside.strip() else []
    named = False
    for key, value in arguments:
        if named and key is None:
            raise bad_spec(text, phrase("needs-a-name", value=shorten(value)))
        named = key is not None
    return match["name"].strip(), arguments


def split_argument(text: str, part: str) -> Argument:
    """Return the parts of `width=5` or `5`. Raises `VeilError` for anything else.

    `text` is the spec, for the message.
    """
    pieces = [piece.strip() for piece in part.split("=")]
    if len(pieces) > 2 or not all(pieces):
        what = f"`{shorten(part)}`" if part.strip() else phrase("an-empty-place")
        raise bad_spec(text, phrase("not-an-argument", what=what))
    return (None, pieces[0]) if len(pieces) == 1 else (pieces[0], pieces[1])


def bind(family: Family, arguments: list[Argument]) -> dict[str, Value]:
    """Return the value of every parameter, in their order: the given one, or else its default."""
    values: dict[str, Value] = {}
    for position, (key, text) in enumerate(arguments):
        parameter = find_parameter(family, position, key)
        if parameter.name in values:
            raise bad_parameter(family, phrase("given-twice", name=parameter.name))
        value = parameter.read(text)
        if value is None:
            what = phrase("wrong-value", name=parameter.name, wanted=parameter.wanted(), value=shorten(text))
            raise bad_parameter(family, what)
        values[parameter.name] = value
    return {name: values.get(name, default) for name, default in family.defaults().items()}


def find_parameter(family: Family, position: int, key: str | None) -> Parameter:
    """Return the parameter of this name, or at this position if there is no name."""
    if not family.parameters:
        raise bad_parameter(family, phrase("no-parameters"))
    if key is None:
        if position >= len(family.parameters):
            raise bad_parameter(family, phrase("too-many-values"))
        return family.parameters[position]
    for parameter in family.parameters:
        if parameter.name == key:
            return parameter
    raise bad_parameter(family, phrase("no-such-parameter", name=shorten(key)))


def bad_parameter(family: Family, what: str) -> VeilError:
    """Return the error for a value that the family does not take; the hint shows how to write it."""
    return fail("bad-parameter", game=family.name, what=what, usage=family.usage())


def bad_spec(text: str, what: str) -> VeilError:
    """Return the error for a text that is not a name with parameters."""
    return fail("bad-spec", text=f"`{shorten(text)}`", what=what, example=EXAMPLE)


def shorten(text: str) -> str:
    """Return the user's text in a form for one line of a message."""
    text = text.strip()
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
