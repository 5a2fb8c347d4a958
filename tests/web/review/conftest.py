"""Reviews that are done sooner: a closer look at doubtful turns takes fewer samples than on the page."""

import pytest

from kagiya.web.review import review_session

FEW = 200
MANY = review_session.MAX_DEALS


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_session, "MAX_DEALS", FEW)


@pytest.fixture
def as_many_samples_as_the_page(few_samples: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_session, "MAX_DEALS", MANY)
