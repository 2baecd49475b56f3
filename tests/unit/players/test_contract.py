"""The parts of the contract of players: who has which, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.games import game
from veil.parts import OptionalPart
from veil.players import contract
from veil.players.contract import (
    LEGAL_MOVES,
    NETWORK,
    PARTS,
    PERSON,
    TRUE_STATE,
    CountsEffort,
    IsElsewhere,
    KnowsInfosets,
    MaySeeAllMoves,
    MeetsPerson,
    NamesOpponents,
    ObservesRounds,
    Seat,
    SeesTrueState,
    TakesLegalMoves,
    TellsStrategies,
    find_needs,
)
from veil.players.own import hush
from veil.players.roster import PLAYERS, make_player


class Plain:
    """Nothing but what every player has."""

    def start(self, seat: Any) -> None:
        pass

    def play(self, observation: Any) -> str:
        print("thinking")
        return "noop"

    def stop(self, observation: Any) -> None:
        pass

    def report(self) -> dict[str, Any]:
        return {}


PART_OF = {
    ObservesRounds: ["observe"],
    TakesLegalMoves: ["offer"],
    SeesTrueState: ["peek"],
    MeetsPerson: ["meet"],
    IsElsewhere: ["answer_seconds", "close"],
    KnowsInfosets: ["known"],
    TellsStrategies: ["strategies"],
    CountsEffort: ["effort"],
}
NEED_OF = {TakesLegalMoves: LEGAL_MOVES, SeesTrueState: TRUE_STATE, MeetsPerson: PERSON, IsElsewhere: NETWORK}


def with_part(part: Any) -> Plain:
    values = {name: 1.5 if name == "answer_seconds" else lambda *given: given[-1] for name in PART_OF[part]}
    return type("WithPart", (Plain,), values)()


@pytest.mark.parametrize("part", PART_OF, ids=lambda part: part.__name__)
def test_a_player_has_a_part_when_it_has_its_methods_and_needs_what_belongs_to_it(part: Any) -> None:
    player = with_part(part)
    assert [each for each in PART_OF if isinstance(player, each)] == [part]
    assert find_needs(player) == frozenset({NEED_OF[part]} if part in NEED_OF else ())


@pytest.mark.parametrize("part", PART_OF, ids=lambda part: part.__name__)
def test_a_player_from_a_file_has_the_parts_that_its_class_has(part: Any) -> None:
    hushed: Any = hush(with_part(part))
    assert [each for each in PART_OF if isinstance(hushed, each)] == [part]
    for name in PART_OF[part]:
        assert hushed.answer_seconds == 1.5 if name == "answer_seconds" else callable(getattr(hushed, name))


def test_what_a_player_from_a_file_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert hush(Plain()).play(None) == "noop"
    assert capsys.readouterr() == ("", "thinking\n")


def test_the_list_of_parts_has_all_of_them() -> None:
    assert sorted(PARTS) == sorted(name for names in PART_OF.values() for name in names)
    declared = {
        name for name, kind in vars(contract).items() if isinstance(kind, type) and OptionalPart in kind.__bases__
    }
    of_others = {"ListeningPerson", "NamesOpponents", "MaySeeAllMoves"}  # of persons, and of configs
    assert {part.__name__ for part in PART_OF} == declared - of_others


def test_configs_say_whether_they_name_opponents_and_may_see_all_moves() -> None:
    assert isinstance(PLAYERS.parse("hyperplay").config, NamesOpponents)
    assert not isinstance(PLAYERS.parse("random").config, NamesOpponents)
    assert isinstance(PLAYERS.parse("remote:port=9147").config, MaySeeAllMoves)


def test_a_searcher_that_keeps_a_table_tells_it_and_another_tells_nothing() -> None:
    for spec, knows in (("oos:iterations=20", True), ("hyperplay:models=2,playouts=1", False)):
        player: Any = make_player(spec)
        player.start(Seat(game=game("kuhn_poker"), role="first", seed=1))
        player.play(None)
        assert (player.strategies() is not None) == knows
        assert isinstance(player, TellsStrategies)
