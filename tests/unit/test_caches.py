"""Results that are kept: as many as the bound says, the ones that were asked for last."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from veil.caches import BoundedCache


def test_what_is_kept_is_found_and_anything_else_is_not() -> None:
    kept: BoundedCache[str, tuple[int, ...]] = BoundedCache(2)
    assert kept.find("a") is None
    assert kept.keep("a", ()) == ()
    assert kept.find("a") == ()
    assert kept.keep("a", (1,)) == (1,)
    assert (kept.find("a"), len(kept)) == ((1,), 1)


def test_what_nobody_has_asked_for_longest_makes_room() -> None:
    kept: BoundedCache[str, int] = BoundedCache(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    kept.find("a")
    kept.keep("c", 3)
    assert [kept.find(key) for key in "abc"] == [1, None, 3]
    kept.keep("a", 4)
    kept.keep("d", 5)
    assert [kept.find(key) for key in "acd"] == [4, None, 5]


def test_threads_never_find_what_belongs_to_another_key_and_the_bound_holds() -> None:
    kept: BoundedCache[int, int] = BoundedCache(3)

    def ask(number: int) -> bool:
        key = number % 7
        found = kept.find(key)
        kept.keep(key, 10 * key)
        return found in (None, 10 * key) and len(kept) <= 4  # one that is being added counts

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(5000)))
    assert len(kept) == 3
