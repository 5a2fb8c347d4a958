"""Reviews that are done sooner: a closer look at doubtful turns takes fewer samples than on the page."""

import pytest

from kagiya.web.review import game_judgements

FEW = 200
MANY = game_judgements.MAX_DEALS


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_judgements, "MAX_DEALS", FEW)


@pytest.fixture
def as_many_samples_as_the_page(few_samples: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_judgements, "MAX_DEALS", MANY)
