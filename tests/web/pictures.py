"""The pictures of the README: pages of a server with fixed seeds, taken by a browser; run by ``make pictures``.

``python -m tests.web.pictures [FOLDER]`` writes web-table.png, web-review.png, web-why.png, web-results.png,
web-cell.png, web-phone.png and web-dark.png. Games, stores and judgements are the same every time; fonts are those of
the machine.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from kagiya import GameRecord, Match, Rules, Table, find_agent
from kagiya.lab.store.cells import find_stored_game, teams_of
from kagiya.lab.store.queries import GameFilter, chosen_teams
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.moves import move_name
from kagiya.runtime.workers import LocalWorkers
from kagiya.web.app import address_of, listen, make_app
from kagiya.web.play.web_tables import TablePlan
from kagiya.web.results_cell import story_of
from kagiya.web.review.reviewed_game import put_away
from kagiya.web.server_state import Limits, ServerState
from tests.stores import crossplay_matches

DOCS = Path(__file__).parents[2] / "docs"
WIDE, TALL, PHONE = (1280, 860), (1280, 1150), (390, 920)
PARTNER, SEED = "smartbot", 5
RULES = Rules(players=3)
TURN_AT_TABLE, TURN_BEFORE = 12, 30
REVIEWED, DECK = "piers", 104
AGENTS = ("smartbot", "hat-information", "vdb", "piers", "iggi", "risky", "osawa-internal", "careful")
GAMES = 300  # of each pair
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 120_000  # milliseconds
# Lists that scroll begin and end with a whole row; the height at which the page itself may be cut without cutting one.
WHOLE_ROWS = """limit => {
    const box = element => element.getBoundingClientRect();
    const lists = [...document.querySelectorAll("*")].filter(
        each => /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 1);
    for (const list of lists) {
        const rows = [...list.querySelectorAll("tr, li")], top = box(list).top;
        const first = rows.find(row => box(row).top >= top - 1);
        if (first) list.scrollTop += box(first).top - top;
        const last = rows.filter(row => box(row).bottom <= box(list).bottom + 1).at(-1);
        if (last) list.style.height = `${box(last).bottom - top + list.offsetHeight - list.clientHeight}px`;
    }
    const parts = "tr, li, p, h1, h2, h3, button, summary, label, input, select, figure, svg, .card";
    const shown = [...document.querySelectorAll(parts)].map(each => {
        const list = lists.find(list => list.contains(each)), own = box(each);
        return {top: own.top, bottom: list ? Math.min(own.bottom, box(list).bottom) : own.bottom};
    }).filter(each => each.bottom > each.top + 1 && each.top > 0 && each.bottom - each.top < limit / 2);
    for (let cut; (cut = shown.find(each => each.top < limit && limit < each.bottom)); ) limit = cut.top - 2;
    return Math.floor(limit);
}"""


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        state = furnished(Path(place))
        installed = next(filter(None, map(shutil.which, BROWSERS)), None)
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=installed, args=arguments)
        with serving(state) as address:
            take_all(Camera(browser, address, folder), state)
        browser.close()


def furnished(place: Path) -> ServerState:
    """A server with a store of cross-play; nothing of the user's is touched."""
    with Store.open(place / "store") as store:
        command = f"kagiya crossplay {' '.join(AGENTS)} --games {GAMES} --store results"
        run_matches(crossplay_matches(3, AGENTS, GAMES), store, command, LocalWorkers(2))
        again = Match.of(RULES, PARTNER, 4 * GAMES, 100)
        run_matches([again], store, f"kagiya match {PARTNER} --games {again.games} --store results", LocalWorkers(2))
    return ServerState(Limits(), place / "store", review_folder=place / "reviewed")


@contextmanager
def serving(state: ServerState) -> Iterator[str]:
    """The server, in a thread; its address without a slash at the end."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(make_app(state), log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address_of(listening).rstrip("/")
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class Camera:
    """Takes pictures of pages."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:
        self._browser, self.address, self.folder = browser, address, folder

    def open(self, path: str, size: tuple[int, int] = WIDE, scheme: str = "light") -> Page:
        """A page of this size; everything on it stands still."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(
            'document.addEventListener("drawn", () => { document.body.dataset.drawn = "yes"; }, true);'
        )
        page = context.new_page()
        page.goto(self.address + path)
        page.locator("body[data-drawn]").wait_for(state="attached")
        return page

    def take(self, page: Page, name: str, part: str = "") -> None:
        """Write it as a picture, or the part of it that a selector names, and close it."""
        page.get_by_text("Reading the store").wait_for(state="detached")
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        page.wait_for_timeout(300)
        size = page.viewport_size
        assert size is not None
        height = page.evaluate(WHOLE_ROWS, size["height"])
        path = self.folder / f"web-{name}.png"
        if part:
            page.locator(part).screenshot(path=path)
        else:
            page.screenshot(path=path, clip={"x": 0, "y": 0, "width": size["width"], "height": height})
        sys.stdout.write(f"{path}\n")
        page.context.close()


def take_all(camera: Camera, state: ServerState) -> None:
    """Table, review, why, results, a cell; on a phone and in the dark."""
    record = played_game()
    table = str(
        state.tables.set_up("pictures", TablePlan(RULES, ("human", PARTNER, PARTNER), ("Ada", "", ""), 0.0, SEED))
    )
    play_until(camera.open(table), record, TURN_AT_TABLE)
    take_table(camera, table)
    camera.take(camera.open(table, PHONE), "phone")
    mistake = at_a_mistake(camera, reviewed_game(state))
    camera.take(camera.open(mistake, TALL), "review")
    camera.take(camera.open(mistake, TALL, "dark"), "dark")
    camera.take(camera.open(mistake, TALL), "why", "#why")
    camera.take(camera.open("/results"), "results")
    cell = "/results/cell?rules=standard&players=3&guest=piers&host=vdb&with_guest=vdb&with_host=vdb"
    camera.take(camera.open(cell), "cell")


def played_game() -> GameRecord:
    """The game that the pictures are of."""
    table = Table(RULES, [find_agent(PARTNER)])
    table.play_game(SEED)
    return GameRecord.of(table.game(), [PARTNER] * RULES.players, SEED)


def play_until(page: Page, record: GameRecord, turn: int) -> None:
    """A person who moves as the agent would, so that the game becomes the record's."""
    for place in range(0, turn, RULES.players):
        field = page.locator("#typing input")
        field.fill(move_name(record.moves[place]))
        field.press("Enter")
        page.locator(f'#typing[data-turn="{place + RULES.players}"]').wait_for(state="attached")
    page.context.close()


def take_table(camera: Camera, address: str) -> None:
    """With what the last hint tells."""
    page = camera.open(address)
    button = page.locator(f"#tell-{TURN_AT_TABLE - 1}")
    button.click()
    button.wait_for(state="detached")
    page.get_by_text("Working it out").wait_for(state="detached")
    camera.take(page, "table")


def reviewed_game(state: ServerState) -> str:
    """A game of the store on the shelf, with a judge."""
    with Store.read(state.store) as store:
        everybody = chosen_teams(store.catalog, GameFilter(players=RULES.players))
        (team,) = teams_of(everybody, (REVIEWED, REVIEWED))
        story = story_of(find_stored_game(store, team.seating, DECK))
    return str(put_away([story], state.reviews.folder).with_query(judge=PARTNER, eyes="everything", turn=TURN_BEFORE))


def at_a_mistake(camera: Camera, address: str) -> str:
    """Have the whole game judged, and go to the first mistake; the address of that turn."""
    page = camera.open(address)
    page.locator("#judge-all").click()
    page.locator("#judge-stop").wait_for(state="attached")
    page.locator("#judge-stop").wait_for(state="detached", timeout=10 * PATIENCE)
    page.get_by_text("next mistake").click()
    page.wait_for_url(lambda url: f"turn={TURN_BEFORE}" not in url)
    found = page.url.removeprefix(camera.address)
    page.context.close()
    return found


if __name__ == "__main__":
    main()
