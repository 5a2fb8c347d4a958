import kagiya
from kagiya.lab.documents.api_page import api_page, call


def test_every_public_name_has_its_section() -> None:
    page = api_page(kagiya)
    for name in kagiya.__all__:
        assert name.startswith("_") or f"\n## {name}\n" in page


def test_types_stand_without_quotes_and_self_is_not_shown() -> None:
    assert call("undo", kagiya.Game.undo) == "undo() -> Move"
    assert call("ask", kagiya.ask).endswith("seed: int = 0) -> Move")


def test_the_page_is_the_same_in_every_process() -> None:
    assert " at 0x" not in api_page(kagiya)
