"""`StudioGate`: the check before every page. A request without the right is answered here and reaches nothing.

1. The `Host` header names this machine: a foreign page cannot rebind its own name to us and read our answers.
2. A token opens the studio, as in Jupyter: `?token=...` once, then a cookie. The address is then loaded without it.
3. A request that changes something (all but GET and HEAD) must come from our own pages: its `Origin` is ours. Pages of
   other sites may not read either (`Sec-Fetch-Site`).
4. A body has a limit of bytes, whatever its header says, and a deadline.
5. Every answer forbids scripts, styles, frames and connections from elsewhere (`Content-Security-Policy`).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import secrets
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veil.private_folders import make_private_folder
from veil.server.names import is_our_name
from veil.server.web.host.settings import StudioConfig

SAFE_METHODS = frozenset({"GET", "HEAD"})
TOKEN_BYTES = 24
COOKIE_DAYS = 90
BODY_SECONDS = 10.0  # for the next part of a body
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
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


def read_token(folder: Path) -> str:
    """Return the token of a studio folder; make it if there is none.

    It survives a restart, so that links stay valid.
    """
    path = folder / "token"
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

    def __init__(self, app: ASGIApp, config: StudioConfig, token: str) -> None:
        self.app, self.config, self.token = app, config, token
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
        guarded = _add_headers(send)
        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        await self.app(scope, _limit_body(receive, self.config.max_body), guarded)

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that must not reach the application; None if it may."""
        host = headers.get("host", "")
        if not is_our_name(host, self.config.host):
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
        return headers.get("origin") == f"{scope.get('scheme', 'http')}://{host}"

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None:
            if not hmac.compare_digest(given.encode(), self.token.encode()):
                return PlainTextResponse(NO_TOKEN, 403)
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            path = "/" + scope["path"].lstrip("/")  # never `//name`, which is another machine
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(
                self.cookie_name, self.cookie, max_age=COOKIE_DAYS * 86_400, httponly=True, samesite="lax"
            )
            return answer
        if hmac.compare_digest(_read_cookie(headers, self.cookie_name).encode(), self.cookie.encode()):
            return None
        return PlainTextResponse(NO_TOKEN, 403)


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


def _add_headers(send: Send) -> Send:
    """Return `send` with our headers on every answer."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
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
