"""What tests of results share: addresses, a state with a store, and what stands on a page."""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from kagiya.web.server_state import ServerState

HERE = "http://127.0.0.1:8025"
LIVE = "ws://127.0.0.1:8025/live?at="
CELL = "/results/cell?rules=standard&players=3&guest=careful&host=vdb"


def state_with(path: Path) -> ServerState:
    """What is reviewed is kept beside the store, not in the user's folder."""
    return ServerState(store=path, review_folder=path.parent / "reviewed")


def main_of(text: str) -> ElementTree.Element:
    """What stands in <main>, which must be well-formed."""
    found = re.search(r"<main.*</main>", text, re.DOTALL)
    assert found is not None
    return ElementTree.fromstring(found[0])


def words(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def links(text: str) -> list[str]:
    return [
        unescape(found)
        for found in re.findall(r"<main.*", text, re.DOTALL)
        for found in re.findall(r'href="([^"]+)"', found)
    ]
