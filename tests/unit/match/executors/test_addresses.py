"""Addresses of clusters: what is one, and what is refused before anybody waits for an answer."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.support.refusals import refused
from veil.cli import workers
from veil.match.executors import addresses
from veil.match.executors.addresses import (
    CONNECT_SECONDS,
    TLS_FILES,
    ClusterAddress,
    _start_local,
    check_tls_files,
    find_exposure,
    open_cluster,
    read_address,
    silence_logs,
)
from veil.match.executors.cluster import CLUSTER_BATCHES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("local:4", ClusterAddress("local:4", 4)),
        (" tcp://scheduler:8786 ", ClusterAddress("tcp://scheduler:8786")),
        ("tcp://10.0.0.7", ClusterAddress("tcp://10.0.0.7:8786")),
        ("tcp://10.0.0.7/", ClusterAddress("tcp://10.0.0.7:8786")),
        ("tcp://[::1]:99", ClusterAddress("tcp://[::1]:99")),
        ("tls://host:1", ClusterAddress("tls://host:1", is_encrypted=True)),
    ],
)
def test_an_address_is_local_or_a_scheduler(text: str, expected: ClusterAddress) -> None:
    assert read_address(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", " ", "foo", "local", "local:", "local:x", "http://host:1", "tcp://", "tcp://host:x", "tcp://host:99999",
     "tcp://me@host", "tcp://host/path", "tcp://host?x", "tcp://[", "://", "\0"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    refused("bad-cluster", lambda: read_address(text))


def test_an_address_is_a_text() -> None:
    refused("bad-argument", lambda: read_address(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["local:0", "local:2000"])
def test_there_are_limits_for_workers_of_this_machine(text: str) -> None:
    refused("bad-limit", lambda: read_address(text))


def open_it(address: str, **options: float) -> None:
    with open_cluster(address, **options):  # type: ignore[arg-type]
        raise AssertionError("it was opened")


def test_without_dask_the_way_to_install_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "find_spec", lambda name: None)
    refused("no-dask", lambda: open_it("local:1"))


def test_a_batch_takes_some_time() -> None:
    refused("bad-limit", lambda: open_it("local:1", batch_seconds=0.0))


def test_a_scheduler_that_does_not_answer_is_waited_for_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")
    monkeypatch.setattr(addresses, "CONNECT_SECONDS", 0.2)
    assert "tcp://127.0.0.1:1" in refused("no-scheduler", lambda: open_it("tcp://127.0.0.1:1"))
    assert CONNECT_SECONDS <= 30


def test_tls_needs_files_that_are_there(tmp_path: Path) -> None:
    dask = pytest.importorskip("dask", reason="Dask is not installed (extra `cluster`)")
    place, file = read_address("tls://host:1"), tmp_path / "some.pem"
    assert TLS_FILES["ca-file"] in refused("bad-cluster", lambda: check_tls_files(place))
    with dask.config.set({"distributed.comm.tls.ca-file": str(file), "distributed.comm.tls.client.cert": str(file)}):
        assert f"no file {file}" in refused("bad-cluster", lambda: check_tls_files(place))
        file.touch()
        check_tls_files(place)  # the key may stand in the same file
        with dask.config.set({"distributed.comm.tls.client.key": str(tmp_path / "none")}):
            refused("bad-cluster", lambda: check_tls_files(place))


@pytest.mark.parametrize(
    ("address", "has_keys", "code"),
    [
        ("local:2", True, None),
        ("local:2", False, "cluster-without-keys"),
        ("tls://host:1", True, None),
        ("tcp://host:1", True, "cluster-open"),
    ],
)
def test_what_others_can_do_to_a_cluster_is_said(
    address: str, has_keys: bool, code: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "find_spec", lambda name: object() if has_keys else None)
    exposure = find_exposure(address)
    assert (exposure and exposure.code) == code


@pytest.mark.slow
def test_without_its_keys_nobody_enters_a_cluster_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")
    pytest.importorskip("cryptography", reason="cryptography is not installed (extra `cluster`)")
    monkeypatch.setattr(addresses, "_share_memory", lambda count: 1 << 30)  # a scheduler without workers will do
    foreign = distributed.Security.temporary()
    with _start_local(0) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://127.0.0.1:")
        with distributed.Client(cluster, set_as_default=False) as friend:
            assert friend.scheduler_info()["workers"] == {}
        for place, keys in ((address.replace("tls:", "tcp:"), None), (address, foreign)):
            with pytest.raises(OSError, match=r"TLS|127\.0\.0\.1"):
                distributed.Client(place, security=keys, timeout=3, set_as_default=False)


def test_dask_is_silent() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")
    silence_logs()
    assert not logging.getLogger("distributed.nanny").isEnabledFor(logging.ERROR)


def test_the_command_line_names_the_same_length_of_batches() -> None:
    assert CLUSTER_BATCHES.seconds == workers.BATCH_SECONDS
