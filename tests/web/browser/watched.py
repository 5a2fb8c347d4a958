"""A visitor's browser that remembers what must not happen: console errors, foreign requests, breaches of the policy."""

import re
import time
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests.web.served import Served

PATIENCE = 300_000  # milliseconds, a bound for what hangs; a condition that holds sooner is not waited for any longer

# The console says most breaches too; a page may ask whether it may be framed and the like without a word there.
TELL_BREACHES = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy breached: ${event.violatedDirective} by ${event.blockedURI} ${event.sourceFile ?? ""}`));
document.addEventListener("drawn", () => { document.documentElement.dataset.drawn = "yes"; }, true);
"""
IS_DRAWN = "html[data-drawn], #said:not(:empty)"


class Watched:
    """One browser context, with cookies of its own."""

    def __init__(self, browser: Browser, served: Served, width: int = 1280, height: int = 800, **options: Any) -> None:
        self.server = served
        self.problems: list[str] = []
        self._forgiven: list[re.Pattern[str]] = []
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(TELL_BREACHES)
        self.context.on("console", self._on_console)
        self.context.on("request", self._on_request)
        self.context.on("weberror", lambda error: self.problems.append(f"error in the script: {error.error}"))

    def open(self, path: str = "/") -> Page:
        """A page at this address of the server, ready to be used: its socket is open and it was drawn."""
        page = self.context.new_page()
        page.on("websocket", lambda socket: self._check_host(socket.url))
        page.goto(self.server.address + path)
        page.locator(IS_DRAWN).first.wait_for(state="attached")
        return page

    def forgive(self, pattern: str) -> None:
        """This is meant to go wrong in this test."""
        self._forgiven.append(re.compile(pattern))

    def check(self) -> None:
        """Fail if anything was wrong so far."""
        found = [each for each in self.problems if not any(pattern.search(each) for pattern in self._forgiven)]
        assert not found, "\n".join(found)

    def wait_for_problem(self, page: Page, words: str) -> None:
        """Until something with these words went wrong."""
        end = time.monotonic() + PATIENCE / 1000
        while not any(words in problem for problem in self.problems) and time.monotonic() < end:
            page.wait_for_timeout(20)

    def close(self) -> None:
        """Put the browser away; what was wrong fails the test."""
        self.context.close()
        self.check()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type} on the console: {message.text} ({message.location['url']})")

    def _on_request(self, request: Request) -> None:
        self._check_host(request.url)

    def _check_host(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != urlsplit(self.server.address).netloc:
            self.problems.append(f"a request to another host: {url}")
