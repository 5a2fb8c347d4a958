"""Games by any rules are drawn at every turn and through all eyes, and are the same as JSON."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.table.session import play_from
from kagiya.rules import BombScore, DrawnCard, Rules
from kagiya.web.pages import Address
from kagiya.web.review.review_page import ReviewPage
from kagiya.web.review.reviewed_game import ALL, EVERYTHING, ReviewedGame
from kagiya.web.server_state import ServerState


def some_rules(dice: random.Random) -> Rules:
    ranks = dice.randint(2, 5)
    return Rules(
        players=dice.randint(2, 5),
        hand_size=dice.randint(1, min(ranks, 4)),  # fewer cards than the smallest deck has
        colors=dice.randint(3, 6),
        copies=(3, 2, 2, 2, 1)[:ranks] if ranks > 2 else (3, 2),
        lives=dice.randint(1, 5),
        empty_hints=dice.random() < 0.5,
        bomb_score=dice.choice(list(BombScore)),
        drawn_card=dice.choice(list(DrawnCard)),
    )


@pytest.mark.parametrize("number", range(3))
def test_games_by_any_rules(tmp_path: Path, number: int) -> None:
    seed = random.randrange(10**6)
    sys.stdout.write(f"seed {seed}\n")
    dice = random.Random(seed)
    rules = some_rules(dice)
    finished = play_from(Game(rules, seed), "random", seed)
    story = ReviewedGame.of_record(GameRecord.of(finished, ["human"] * rules.players, seed))
    middle = finished.beginning()
    for move in finished.moves[: len(finished.moves) // 2]:
        middle.make(move)
    state = ServerState(review_folder=tmp_path)
    try:
        for each in (story, ReviewedGame.of_position(middle.position())):
            for turn in range(each.first_turn, each.last_turn + 1, 7):
                for eyes in (*each.display_names, ALL, EVERYTHING):
                    address = Address("/x", {"turn": str(turn), "eyes": eyes, "judge": "random", "newest": "left"})
                    page = ReviewPage(state, address, "me", state.reviews.of_story(each))
                    ElementTree.fromstring(page.draw())
                    json.dumps(page.to_json(), allow_nan=False)
    finally:
        state.close()
