"""A store with some results, and servers that show it, or any other."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kagiya.web.app import make_app
from tests.stores import make_store
from tests.web.results.pages import HERE, state_with


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("results") / "store")


@pytest.fixture(scope="module")
def client(path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(state_with(path)), base_url=HERE) as client:
        yield client


@pytest.fixture
def served() -> Iterator[Callable[[Path], TestClient]]:
    """Serves any store."""
    clients = []

    def serve(path: Path) -> TestClient:
        client = TestClient(make_app(state_with(path)), base_url=HERE)
        client.__enter__()
        clients.append(client)
        return client

    yield serve
    for client in clients:
        client.__exit__()
