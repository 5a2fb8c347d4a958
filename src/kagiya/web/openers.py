"""The views of this server by their addresses."""

from __future__ import annotations

from kagiya.web.results.cell import CellPage
from kagiya.web.results.overview import Results
from kagiya.web.results.stored_review import StoredReview
from kagiya.web.review.entrance import Entrance
from kagiya.web.review.game_page import open_given, open_table
from kagiya.web.rooms import Opener
from kagiya.web.tables.joining import JoinView
from kagiya.web.tables.lobby import Lobby
from kagiya.web.tables.places import open_seat

OPENERS: dict[str, Opener] = {
    "/": Lobby,
    "/table/{table}/{secret}": open_seat,
    "/join/{table}/{word}": JoinView,
    "/review": Entrance,
    "/review/game/{key}": open_given,
    "/review/table/{table}": open_table,
    "/review/store/{seating}/{seed}": StoredReview,
    "/results": Results,
    "/results/cell": CellPage,
}
