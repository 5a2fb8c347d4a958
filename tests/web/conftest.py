"""What holds for every test of the server."""

import pytest

LONG = 300.0  # seconds


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait for what they show, however busy the machine is, instead of saying that it is being read."""
    monkeypatch.setattr("kagiya.web.app.DRAW_TIMEOUT", LONG)
    monkeypatch.setattr("kagiya.web.socket.DRAW_TIMEOUT", LONG)
