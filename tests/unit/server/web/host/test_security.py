import socket
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.support.studio import ADDRESS, StudioClient, open_studio
from veil.server.names import is_our_name
from veil.server.web.host.app import build_app
from veil.server.web.host.security import POLICY, read_token
from veil.server.web.host.server import _listen
from veil.server.web.host.settings import StudioConfig


@pytest.fixture
def stranger(tmp_path: Path) -> TestClient:
    """Somebody who knows the address, and nothing else."""
    return TestClient(build_app(StudioConfig(folder=tmp_path)), base_url=ADDRESS, follow_redirects=False)


@pytest.mark.parametrize(
    "path", ["/", "/play", "/workbench", "/status", "/static/studio.js", "/jobs/x", "/?token=", "/?token=x"]
)
def test_nobody_comes_in_without_the_token(stranger: TestClient, path: str) -> None:
    response = stranger.get(path)
    assert response.status_code == 403
    assert "token" in response.text
    assert "set-cookie" not in response.headers


def test_the_token_opens_the_studio_and_goes_out_of_the_address(stranger: TestClient, tmp_path: Path) -> None:
    response = stranger.get(f"/play?game=kuhn_poker&token={read_token(tmp_path)}")
    assert (response.status_code, response.headers["location"]) == (303, "/play?game=kuhn_poker")
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert read_token(tmp_path) not in cookie
    assert stranger.get("/status").status_code == 200


def test_the_way_back_never_leads_to_another_machine(stranger: TestClient, tmp_path: Path) -> None:
    response = stranger.get(f"{ADDRESS}//evil.example/?token={read_token(tmp_path)}")
    assert response.headers["location"] == "/evil.example/"


def test_the_token_stays_the_same_after_a_restart_and_only_the_user_can_read_it(tmp_path: Path) -> None:
    token = read_token(tmp_path)
    assert read_token(tmp_path) == token
    assert len(token) >= 24
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8645", "", "127.0.0.1.evil.example", "[::2]:8645"])
def test_another_name_for_this_machine_is_refused(studio: StudioClient, host: str) -> None:
    response = studio.client.get("/status", headers={"host": host})
    assert response.status_code == 421


@pytest.mark.parametrize(
    ("listens", "host", "is_ours"),
    [
        ("127.0.0.1", "localhost:1", True),
        ("127.0.0.1", "[::1]:1", True),
        ("127.0.0.1", "192.168.1.5", False),
        ("0.0.0.0", "192.168.1.5:80", True),
        ("0.0.0.0", "rebound.example", False),
        ("192.168.1.5", "192.168.1.5:80", True),
        ("192.168.1.5", "192.168.1.6:80", False),
        ("127.0.0.1", "[::1]evil.com", False),
        ("127.0.0.1", "localhost:evil.com", False),
        ("127.0.0.1", "localhost:80@evil.com", False),
        ("0.0.0.0", "", False),
    ],
)
def test_a_name_is_ours_where_it_cannot_be_rebound(listens: str, host: str, is_ours: bool) -> None:
    assert is_our_name(host, listens) == is_ours


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8645"]
)
def test_what_changes_something_must_come_from_our_page(studio: StudioClient, origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}
    response = studio.client.post("/workbench/save", json={"name": "x", "text": "y"}, headers=headers)
    assert response.status_code == 403
    assert not (studio.folder / "games").exists()


def test_pages_of_other_sites_may_not_read_but_may_link(studio: StudioClient) -> None:
    read = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert studio.client.get("/status", headers=read).status_code == 403
    assert studio.client.get("/", headers=visit).status_code == 200


def test_a_question_has_a_limit_whatever_its_head_says(studio: StudioClient) -> None:
    large = b"x" * (2 << 20)
    headers = {"origin": ADDRESS, "content-type": "application/json"}
    assert studio.client.post("/workbench/save", content=large, headers=headers).status_code == 413

    def in_parts():
        yield from (large[:100_000] for _ in range(20))

    assert studio.client.post("/workbench/save", content=in_parts(), headers=headers).status_code == 413
    lying = headers | {"content-length": "-1"}
    assert studio.client.post("/workbench/save", content=b"{}", headers=lying).status_code == 413


@pytest.mark.parametrize("path", ["/", "/status", "/static/studio.css", "/no/such/page", "/play/describe?game=nothing"])
def test_every_answer_forbids_what_comes_from_elsewhere(studio: StudioClient, path: str) -> None:
    headers = studio.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"])
def test_files_outside_the_static_folder_are_not_served(studio: StudioClient, path: str) -> None:
    response = studio.get(path)
    assert response.status_code == 404
    assert "import" not in response.text


def test_the_handbook_is_served_where_it_was_built_and_has_its_own_styles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<title>Veil</title>")
    monkeypatch.setattr("veil.handbook.SITE", tmp_path / "site")
    with open_studio(tmp_path / "studio") as client:
        answer = client.get("/handbook/index.html")
        assert answer.text == "<title>Veil</title>"
        assert "style-src 'self' 'unsafe-inline'" in answer.headers["content-security-policy"]
        assert "script-src 'self';" in answer.headers["content-security-policy"]
        assert "/handbook/index.html" in client.get("/help").text
        assert client.get("/handbook/%2e%2e/studio/token").status_code == 404


def test_answers_do_not_wait_for_acknowledgements(tmp_path: Path) -> None:
    with closing(_listen(StudioConfig(folder=tmp_path, port=0))) as listener:
        assert listener.proto == socket.IPPROTO_TCP  # asyncio sets TCP_NODELAY for no other
