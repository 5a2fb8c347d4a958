"""The views of this server by their addresses."""

from __future__ import annotations

from kagiya.web.play.lobby import JoinPage, Lobby
from kagiya.web.play.seat_page import open_seat
from kagiya.web.results.cell import CellPage
from kagiya.web.results.overview import Results
from kagiya.web.results.stored_review import StoredReview
from kagiya.web.review.review_page import open_given, open_table
from kagiya.web.review.upload_page import UploadPage
from kagiya.web.rooms import Opener

OPENERS: dict[str, Opener] = {
    "/": Lobby,
    "/table/{table}/{secret}": open_seat,
    "/join/{table}/{word}": JoinPage,
    "/review": UploadPage,
    "/review/game/{key}": open_given,
    "/review/table/{table}": open_table,
    "/review/store/{seating}/{seed}": StoredReview,
    "/results": Results,
    "/results/cell": CellPage,
}
