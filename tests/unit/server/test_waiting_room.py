"""Which connection has to go when too many wait."""

from __future__ import annotations

from veil.server.waiting_room import WaitingRoom


def test_while_there_is_room_nobody_goes() -> None:
    room: WaitingRoom[int] = WaitingRoom(3)
    assert [room.enter(number, "a") for number in range(3)] == [None, None, None]
    room.leave(1)
    assert room.enter(3, "a") is None
    assert len(room) == 3


def test_the_oldest_of_the_peer_with_most_connections_goes() -> None:
    room: WaitingRoom[int] = WaitingRoom(4)
    for number, peer in enumerate(["person", "crowd", "crowd", "crowd"]):
        assert room.enter(number, peer) is None
    assert room.enter(4, "other") == 1
    assert room.enter(5, "crowd") == 2
    assert len(room) == 4


def test_who_has_left_can_leave_again() -> None:
    room: WaitingRoom[int] = WaitingRoom(1)
    assert room.enter(1, "a") is None
    assert room.enter(2, "a") == 1
    room.leave(1)
    room.leave(1)
    assert len(room) == 1
