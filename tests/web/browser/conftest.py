"""A browser, a server and pages that fail their test when something is wrong behind the scenes."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from tests.stores import make_store
from tests.web.browser.watched import PATIENCE, Watched
from tests.web.served import Served

expect.set_options(timeout=PATIENCE)
HERE = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder need a browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium from PATH, or Playwright's own; without one, skipped, with KAGIYA_REQUIRE_BROWSER=1 failed."""
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=installed, args=arguments)
        except Error as error:
            if os.environ.get("KAGIYA_REQUIRE_BROWSER") == "1":
                pytest.fail(f"a browser is required and cannot be started: {error.message}")
            pytest.skip("Chromium is neither on PATH nor installed by Playwright")
        yield found
        found.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that do not ask for one of their own."""
    folder = tmp_path_factory.mktemp("data")
    served = Served(folder, "--store", str(make_store(folder / "store")))
    yield served
    served.kill()


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts a server for this test alone."""
    started: list[Served] = []

    def start(*options: str, **more: Any) -> Served:
        started.append(Served(tmp_path, *options, **more))
        return started[-1]

    yield start
    for served in started:
        served.kill()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """``visit(server, width=390)`` is a browser of its own, without a page open yet, watched for errors."""
    visits: list[Watched] = []

    def open_context(served: Served, **options: Any) -> Watched:
        visits.append(Watched(browser, served, **options))
        return visits[-1]

    yield open_context
    for each in visits:
        each.close()
