"""People of a class: names, seats, results; turns, the fair queue, and how often somebody may ask."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from veil.errors import VeilError
from veil.server.web.host.fair_room import FairRoom
from veil.server.web.host.people import HOST, People
from veil.server.web.host.security import RateLimiter
from veil.server.web.host.turns import Turns


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    opened = People(tmp_path)
    yield opened
    opened.close()


def test_a_person_is_found_by_the_secret_alone(people: People) -> None:
    secret = people.join("  Ann   Lee ")
    found = people.find(secret)
    assert found is not None
    assert (found.name, found.is_host) == ("Ann Lee", False)
    assert people.find("other") is None
    assert people.find("") is None
    assert people.find(found.id) is None  # the id is public, the secret is not


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 31, "a\x07b", "\u200d", "a\u202eb", "a\u200bb", "\ud800", "=1+1", "@sum", "-1", "+1"]
)
def test_a_name_that_is_none_is_refused(people: People, name: str) -> None:
    with pytest.raises(VeilError, match="1 to 30"):
        people.join(name)


def test_a_seat_is_given_once_and_a_person_has_one(people: People) -> None:
    ann, bob = (people.find(people.join(name)) for name in ("Ann", "Bob"))
    assert ann is not None
    assert bob is not None
    table = people.open_table("kuhn_poker", {"first": ann.id, "second": ""}, "end", ann.id)
    with pytest.raises(VeilError, match="somebody else has this seat"):
        people.sit(table, "first", bob.id)
    with pytest.raises(VeilError, match="no such seat"):
        people.sit(table, "third", bob.id)
    assert people.sit(table, "second", bob.id) == {"first": ann.id, "second": bob.id}
    people.start_table(table, "x" * 16)
    with pytest.raises(VeilError, match="no such seat"):
        people.sit(table, "second", bob.id)
    found = people.find_table_of("x" * 16)
    assert found is not None
    assert found["id"] == table


def test_a_class_is_there_again_after_a_restart(tmp_path: Path) -> None:
    before = People(tmp_path)
    secret = before.join("Ann")
    before.note_result("s", HOST, {"what": "game", "game": "g", "role": "r", "goal": 50})
    before.note_result("s", HOST, {"what": "game", "game": "g", "role": "r", "goal": 100})
    before.close()
    after = People(tmp_path)
    assert after.find(secret) is not None
    assert [row["goal"] for row in after.results()] == [50]  # the first one stays
    after.close()


def test_who_asks_often_does_not_keep_others_waiting() -> None:
    async def work() -> list[str]:
        room, order = FairRoom(1), list[str]()

        async def job(person: str) -> None:
            await room.acquire(person)
            order.append(person)
            await asyncio.sleep(0)
            room.release()

        await room.acquire("first")
        waiting = [asyncio.ensure_future(job(person)) for person in ("ann", "ann", "ann", "bob", "cat")]
        await asyncio.sleep(0)
        given_up = asyncio.ensure_future(job("dan"))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
        room.release()
        await asyncio.gather(*waiting)
        await asyncio.wait_for(room.acquire("last"), 1)  # no room was lost
        return order

    assert asyncio.run(work()) == ["ann", "bob", "cat", "ann", "ann"]


def test_a_page_waits_for_rounds_and_not_for_moves() -> None:
    async def work() -> bool:
        turn = Turns()["game"]
        waiting = asyncio.ensure_future(turn.wait_for_round(3))
        for rounds in (1, 3):
            turn.note(rounds)
            await asyncio.sleep(0)
            assert not waiting.done()
        turn.note(4)
        await asyncio.wait_for(waiting, 1)
        return waiting.done()

    assert asyncio.run(work())


def test_a_bucket_of_questions_runs_dry_for_one_asker_alone() -> None:
    limiter = RateLimiter(5)
    assert [limiter.allow("ann") for _ in range(7)] == [True] * 5 + [False] * 2
    assert limiter.allow("bob")


def test_nobody_takes_a_name_that_looks_like_anothers(people: People) -> None:
    people.join("Ann")
    for name in ("ANN", "A\u200dnn", "\uff21nn", "the host", "The  Host", "host"):
        with pytest.raises(VeilError, match="already"):
            people.join(name)
    people.join("Ann Lee")


def test_a_person_who_is_removed_is_unknown_and_frees_the_name_and_the_seat(people: People) -> None:
    secret, other = people.join("Ann"), people.find(people.join("Bob"))
    ann = people.find(secret)
    assert ann is not None
    assert other is not None
    alone = people.open_table("kuhn_poker", {"first": ann.id, "second": ""}, "end", ann.id)
    shared = people.open_table("kuhn_poker", {"first": ann.id, "second": other.id}, "end", ann.id)
    people.note_result("s", ann.id, {"what": "game", "game": "g", "role": "r", "goal": 50})
    people.remove("Ann")
    assert people.find(secret) is None
    assert people.results() == []
    assert people.find_table(shared)["seats"] == {"first": "", "second": other.id}
    with pytest.raises(VeilError, match="no such table"):
        people.find_table(alone)  # nobody was left at it
    people.join("Ann")
    for name in ("the host", "nobody"):
        with pytest.raises(VeilError, match="nobody here has this name"):
            people.remove(name)


def test_who_asks_nothing_for_a_while_is_away(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("veil.server.web.host.people.monotonic", lambda: now)
    assert people.is_away("ann")
    people.note_seen("ann")
    assert not people.is_away("ann")
    now += 61
    assert people.is_away("ann")
