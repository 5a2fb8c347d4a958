"""Who may speak to the server: only pages that it served itself, under the names it is known by."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # to listen on all addresses of this computer

# Nothing from elsewhere, nothing inline; the page may speak to its own socket only.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",  # an address may be the secret of a seat
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses a foreign Host (a name that was made to point here) and a foreign Origin; adds the headers above."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] = LOOPBACK) -> None:
        self._app, self._hosts = app, hosts
        self._takes_numbers = not hosts.isdisjoint(ANY_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass, or answer it with 403."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        reason = self._why_not(scope)
        if reason is None:
            await self._app(scope, receive, with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
        else:
            await PlainTextResponse(reason, 403)(scope, receive, with_headers(send))

    def _is_known(self, name: str) -> bool:
        """A name that was given, or, where all addresses of this computer are listened to, any in numbers: a stranger
        can make a name of his own point here, but not a number."""
        return name in self._hosts or (self._takes_numbers and is_number(name))

    def _why_not(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_known(host_name(host)):
            return f"This server is not known as {host[:100]!r}; start it with --allow-host to give it that name."
        origin = headers.get("origin")
        is_browser_asking = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD")
        if origin is not None and urlsplit(origin).netloc != host:
            return f"Requests from {origin[:100]!r} are not answered here."
        if origin is None and is_browser_asking and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "Requests from other sites are not answered here."
        return None


def is_number(host: str) -> bool:
    """Whether this is an address in numbers, 192.168.1.5 or an IPv6 one."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def with_headers(send: Send) -> Send:
    """The same, but with the headers added to every response that has none of that name."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
