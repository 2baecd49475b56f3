"""Optional parts of contracts: which classes have them."""

from __future__ import annotations

from abc import abstractmethod

import pytest

from veil.parts import OptionalPart


class Sings(OptionalPart):
    loudness: float = 1.0

    @abstractmethod
    def sing(self, song: str) -> str:
        """The song."""


class Whistles(OptionalPart):
    @abstractmethod
    def whistle(self) -> None:
        """A tune."""


class Bird:
    loudness = 3.0

    def sing(self, song: str) -> str:
        return song


class Thrush(Bird):
    def whistle(self) -> None:
        pass


class Radio(Sings):
    def sing(self, song: str) -> str:
        return song


class Silent:
    loudness = 0.0


def test_a_class_has_a_part_if_it_or_its_bases_have_all_that_the_part_declares() -> None:
    assert isinstance(Bird(), Sings)
    assert isinstance(Thrush(), Sings)
    assert isinstance(Thrush(), Whistles)
    assert not isinstance(Bird(), Whistles)
    assert not isinstance(Silent(), Sings)
    assert not isinstance(len, Sings)


def test_a_class_that_is_made_from_a_part_has_it_and_others_are_no_such_class() -> None:
    assert isinstance(Radio(), Sings)
    assert not isinstance(Bird(), Radio)


def test_a_class_that_names_a_part_must_have_its_methods() -> None:
    class Mute(Sings):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Mute()  # type: ignore[abstract]
