"""`StudioGate`: the check before every page. A request without the right is answered here and reaches nothing.

1. The `Host` header names this machine: a foreign page cannot rebind its own name to us and read our answers.
2. A token opens the studio, as in Jupyter: `?token=...` once, then a cookie. The address is then loaded without it.
3. A request that changes something (all but GET and HEAD) must come from our own pages: its `Origin` is ours. Pages of
   other sites may not read either (`Sec-Fetch-Site`).
4. A body has a limit of bytes, whatever its header says, and a deadline.
5. In a class, a second token lets people in who then give a name; from then on a secret in a cookie tells who they are
   (`people.CURRENT`). They are limited in how often they ask.
6. Every answer forbids scripts, styles, frames and connections from elsewhere (`Content-Security-Policy`).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import secrets
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from time import monotonic
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veil.private_folders import make_private_folder
from veil.server.names import is_our_name
from veil.server.web.host.people import CURRENT, HOST, People
from veil.server.web.host.settings import StudioConfig

SAFE_METHODS = frozenset({"GET", "HEAD"})
TOKEN_BYTES = 24
COOKIE_DAYS = 90
CLASS_TOKEN = "class-token"
MAX_ASKERS = 2000  # whose questions are counted
BODY_SECONDS = 10.0  # for the next part of a body
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HANDBOOK = "/handbook"  # the built pages of the documentation, which have styles of their own in them
HANDBOOK_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'; font-src 'self'")
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
NO_TOKEN = (
    "This studio is private. Open it with the address that `veil studio` printed when it was started: "
    "it ends with a token.\n"
)


def read_token(folder: Path, name: str = "token") -> str:
    """Return the token of a studio folder; make it if there is none.

    It survives a restart, so that links stay valid. The token of a class has another name than the host's.
    """
    path = folder / name
    try:
        token = path.read_text(encoding="ascii").strip()
        if len(token) >= TOKEN_BYTES:
            return token
    except (OSError, ValueError):
        pass
    make_private_folder(folder)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(token + "\n")
    return token


class StudioGate:
    """ASGI middleware with the checks above."""

    def __init__(self, app: ASGIApp, config: StudioConfig, token: str, people: People | None = None) -> None:
        self.app, self.config, self.token, self.people = app, config, token, people
        self.class_token = read_token(config.folder, CLASS_TOKEN) if people is not None else None
        self.class_cookie = hashlib.sha256(f"class {self.class_token}".encode()).hexdigest()
        self.limiter = RateLimiter(config.most_questions)
        self.is_secure = config.certificate is not None or config.behind.startswith("https://")
        self.cookie_name = f"veil-studio-{config.port}"  # cookies do not tell ports apart
        self.cookie = hashlib.sha256(f"cookie of {token}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the application or by a refusal."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refuse(scope, headers)
        is_handbook = scope["path"].startswith(f"{HANDBOOK}/")
        guarded = _add_headers(send, HANDBOOK_POLICY if is_handbook else POLICY)
        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        await self.app(scope, _limit_body(receive, self.config.max_body), guarded)

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that must not reach the application; None if it may."""
        host = headers.get("host", "")
        is_proxied = bool(self.config.behind) and host == urlsplit(self.config.behind).netloc
        if not is_proxied and not is_our_name(host, self.config.host):
            return PlainTextResponse("This machine has no such name.\n", 421)
        if headers.get("sec-fetch-site", "same-origin") in ("cross-site", "same-site") and not _is_visit(headers):
            return PlainTextResponse("Pages of other sites may not ask here.\n", 403)
        if scope["method"] not in SAFE_METHODS and not self._is_our_page(scope, headers, host):
            return PlainTextResponse("Only pages of this studio may change something.\n", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.config.max_body:
            return PlainTextResponse("That is too much for one request.\n", 413)
        return self._check_token(scope, headers)

    def _is_our_page(self, scope: Scope, headers: Headers, host: str) -> bool:
        origin = headers.get("origin")
        return origin == f"{scope.get('scheme', 'http')}://{host}" or (
            bool(self.config.behind) and origin == self.config.behind.rstrip("/")
        )

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to somebody who may not pass, or whose token becomes a cookie; None if they may pass."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None:
            for token, name, cookie in self._doors():
                if hmac.compare_digest(given.encode(), token.encode()):
                    return self._let_in(scope, query, name, cookie)
            return PlainTextResponse(NO_TOKEN, 403)
        CURRENT.set(None)
        if hmac.compare_digest(_read_cookie(headers, self.cookie_name).encode(), self.cookie.encode()):
            if self.people is not None:
                CURRENT.set(self.people.find_by_id(HOST))
                self.people.note_seen(HOST)
            return None
        if self.people is not None:
            return self._check_person(scope, headers, self.people)
        return PlainTextResponse(NO_TOKEN, 403)

    def _doors(self) -> list[tuple[str, str, str]]:
        """Return the tokens that let somebody in, each with the name and the value of its cookie."""
        doors = [(self.token, self.cookie_name, self.cookie)]
        if self.class_token is not None:
            doors.append((self.class_token, f"{self.cookie_name}-class", self.class_cookie))
        return doors

    def _let_in(self, scope: Scope, query: list[tuple[str, str]], name: str, cookie: str) -> Response:
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        path = "/" + scope["path"].lstrip("/")  # never `//name`, which is another machine
        answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        set_cookie(answer, name, cookie, is_secure=self.is_secure)
        return answer

    def _check_person(self, scope: Scope, headers: Headers, people: People) -> Response | None:
        """Return the answer to somebody in a class who may not pass; None if they may."""
        person = people.find(_read_cookie(headers, f"{self.cookie_name}-person"))
        if person is not None:
            CURRENT.set(person)
            people.note_seen(person.id)
            if scope["path"].startswith("/matches"):
                return PlainTextResponse("This page is the host's.\n", 403)
            if scope["path"].startswith("/static/") or self.limiter.allow(person.id):
                return None
            return PlainTextResponse("That was very often. Wait a moment.\n", 429, {"retry-after": "5"})
        given = _read_cookie(headers, f"{self.cookie_name}-class")
        if not hmac.compare_digest(given.encode(), self.class_cookie.encode()):
            return PlainTextResponse(NO_TOKEN, 403)
        peer = "new " + str((scope.get("client") or ("",))[0])
        if not self.limiter.allow(peer):
            return PlainTextResponse("That was very often. Wait a moment.\n", 429, {"retry-after": "5"})
        if scope["path"] == "/join" or scope["path"].startswith("/static/") or scope["path"].startswith("/help"):
            return None
        return RedirectResponse("/join", 303) if scope["method"] == "GET" else PlainTextResponse(NO_TOKEN, 403)


class RateLimiter:
    """A limit of questions per minute for each asker: a bucket that fills evenly."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._left: dict[str, tuple[float, float]] = {}  # asker -> (questions left, when that was)

    def allow(self, asker: str) -> bool:
        """Return whether a question may be answered now, and count it."""
        now = monotonic()
        left, when = self._left.get(asker, (float(self.most), now))
        left = min(float(self.most), left + (now - when) * self.most / 60)
        if len(self._left) > MAX_ASKERS:
            self._left.clear()
        self._left[asker] = (max(0.0, left - 1), now)
        return left >= 1


def set_cookie(answer: Response, name: str, value: str, *, is_secure: bool) -> None:
    """Put a cookie into an answer that no script can read and that other sites do not send."""
    answer.set_cookie(name, value, max_age=COOKIE_DAYS * 86_400, httponly=True, samesite="lax", secure=is_secure)


def _is_visit(headers: Headers) -> bool:
    """Return whether the user follows a link to a page here, which no other site can read."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _read_cookie(headers: Headers, name: str) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def _add_headers(send: Send, policy: str) -> Send:
    """Return `send` with our headers on every answer; `policy` says what its page may load."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers["content-security-policy"] = policy
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return guarded


def _limit_body(receive: Receive, limit: int) -> Receive:
    """Return `receive` with limits: more than `limit` bytes are refused, whatever the header announced, and a part of
    the body that does not come within `BODY_SECONDS`.
    """
    taken, is_whole = 0, False

    async def limited() -> Message:
        nonlocal taken, is_whole
        try:
            async with asyncio.timeout(None if is_whole else BODY_SECONDS):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408) from None
        if message["type"] == "http.request":
            is_whole = not message.get("more_body", False)
            taken += len(message.get("body", b""))
            if taken > limit:
                raise HTTPException(413)
        return message

    return limited
